"""The page that takes a file: what it counts in the browser is what the library counts."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from browser.text_files import FILES
from thresher._report import blank_html
from thresher._report.drawn_points import drawn_points, histogram_of


@pytest.fixture(scope="module")
def blank(tmp_path_factory):
    path = tmp_path_factory.mktemp("blank") / "blank.html"
    path.write_text(blank_html(), encoding="utf-8")
    return path


def dropped(seen, content: str | bytes, name: str = "scores.csv"):
    """Give the page a file, and wait until it has read it."""
    before = seen.page.locator(".thr").get_attribute("data-read") or "0"
    content = content.encode() if isinstance(content, str) else content
    seen.page.locator("[data-in='file']").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
    seen.page.locator(f".thr[data-read='{int(before) + 1}']").wait_for(state="attached")
    seen.settle()
    return seen


def text_of(y, models, label: str = "y_true", separator: str = ",") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator)
    writer.writerow([label, *models])
    for i, truth in enumerate(y):
        writer.writerow([int(truth), *(repr(values[i].item()) for values in models.values())])
    return out.getvalue()


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_file_is_counted_as_the_library_counts(visit, blank, separator):
    data = th.datasets.load_digits_eight()
    seen = dropped(visit(blank), text_of(data.y_true, data.models, separator=separator))
    with seen.page.expect_download() as waiting:
        seen.page.locator("[data-do='curves-csv']").click()
    with Path(waiting.value.path()).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for name, values in data.models.items():
        roc = th.Scores(data.y_true, values).roc()
        mine = [row for row in rows if row["model"] == name]
        assert [float(row["threshold"]) for row in mine] == roc.thresholds.tolist()
        assert [int(row["tp"]) for row in mine] == roc.tp.tolist()
        assert [int(row["fp"]) for row in mine] == roc.fp.tolist()
        assert [float(row["threshold"]) for row in mine if row["on_hull"] == "1"] == roc.hull().thresholds.tolist()
    with seen.page.expect_download() as waiting:
        seen.page.locator("[data-do='areas-csv']").click()
    with Path(waiting.value.path()).open(encoding="utf-8", newline="") as file:
        areas = {(row["model"], row["area"]): float(row["value"]) for row in csv.DictReader(file)}
    for name, values in data.models.items():
        scores = th.Scores(data.y_true, values)
        assert areas[name, "roc_auc"] == scores.roc_auc().value
        assert areas[name, "interpolated"] == pytest.approx(scores.pr_auc().value, rel=1e-12)
        assert areas[name, "average_precision"] == pytest.approx(
            scores.pr_auc(estimator="average_precision").value, rel=1e-12
        )
    assert seen.complaints == []
    assert seen.requests == [blank.as_uri()]


def test_the_rest_of_the_page_shows_the_same(visit, blank):
    data = th.datasets.load_digits_eight()
    scores = th.Scores(data.y_true, data.logistic)
    seen = dropped(visit(blank), text_of(data.y_true, {"logistic": data.logistic}))
    drawn, histogram = drawn_points(scores, 20_000), histogram_of(scores)
    assert seen.point("roc")[1] == drawn.tp[drawn.start] / scores.n_pos
    bars = seen.page.locator("[data-plot='histogram'] .bar.pos").count()
    full = sum(value > 0 for value in histogram.pos)
    assert full <= bars <= full + 1
    seen.type("threshold", "0.25")
    point = scores.roc().at(threshold=0.25)
    assert [seen.out(name).replace(",", "") for name in ("tp", "fp", "fn", "tn")] == [
        str(part) for part in (point.tp, point.fp, point.fn, point.tn)
    ]


def test_a_second_file_takes_the_place_of_the_first(visit, blank):
    data = th.datasets.load_digits_eight()
    seen = dropped(visit(blank), text_of(data.y_true, data.models))
    rng = np.random.default_rng(0)
    y = rng.random(50) < 0.5
    other = rng.normal(size=50) + y
    dropped(seen, text_of(y, {"only": other}), name="second.csv")
    seen.type("threshold", "0.5")
    point = th.Scores(y, other).roc().at(threshold=0.5)
    assert seen.out("tp") == str(point.tp)
    assert seen.page.locator("h1").text_content() == "second.csv"


@pytest.mark.parametrize(
    "content, message",
    [
        ("a\n1\n2\n", 'The file must have at least two columns; its first line is "a".'),
        ("y,s\n0,0.1\n1\n", "Line 3 has 1 field where the first has 2. Mend that line."),
        ("y,s\n0,0.1\n1,x\n1,0.4\n0,0.3\n", 'Row 3 of column "s" must be a number; it is "x". Replace it by'),
        ("y,s\n0,\n1,0.2\n1,0.4\n0,0.3\n", 'Row 2 of column "s" must be a number; it is missing. Remove that row'),
        ("y,s\na,0.1\nb,0.2\n", "Which of the two labels is the positive one?"),
        ("y,s\n0,0.1\n2,0.2\n5,0.4\n", 'Column "y" must hold labels with exactly two values.'),
        ("a,s\n0,0.1\n2,0.2\n5,0.4\n", "One column must hold labels with exactly two values; there is none."),
        ('y,s\n0,0.1\n1,"0.2\n', "Line 3 has a quote that does not end. Mend that line."),
        ("y,s,s\n0,0.1,1\n1,0.2,2\n", 'The columns must have different names; "s" occurs twice.'),
        ("y,s,id\n0,0.1,7\n1,0.2,8\n", "Which columns are scores? Choose them above, one for each model."),
        (b"PAR1....", "The file must be plain text; it is Parquet."),
    ],
)
def test_what_is_wrong_is_said(visit, blank, content, message):
    seen = dropped(visit(blank), content)
    assert seen.page.get_by_role("alert").text_content().startswith(message)
    assert not seen.page.locator(".counted").is_visible()


def test_quotes_byte_order_marks_and_words_as_labels(visit, blank):
    content = '\ufeff"the label","a ""score"""\r\nsick,0.9\r\nwell,0.2\r\nsick,0.4\r\nwell,0.5\r\n'
    seen = dropped(visit(blank), content)
    seen.page.locator("[data-in='positive']").select_option("sick")
    seen.settle()
    assert seen.page.locator("[data-table='models'] bdi").text_content() == 'a "score"'
    assert seen.page.locator("[data-column='roc_auc']").text_content() == "0.750"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1366])
def test_axe_finds_nothing_before_and_after_a_file(visit, complaints, blank, width, scheme):
    seen = visit(blank, viewport={"width": width, "height": 768}, color_scheme=scheme, bypass_csp=True)
    assert complaints(seen) == []
    data = th.datasets.load_digits_eight()
    assert complaints(dropped(seen, text_of(data.y_true, data.models))) == []


def commands(run, path: Path) -> dict[str, float] | None:
    """Return the areas that the command finds in a file, by model; None where it refuses the file."""
    code, out = run("auc", str(path), "--format", "csv")
    if code != 0:
        return None
    rows = [row for row in csv.DictReader(io.StringIO(out)) if row["area"] == "roc_auc"]
    return {row["model"]: float(row["value"]) for row in rows}


def pages(seen) -> dict[str, float] | None:
    """Return the areas that the page finds, by model; None where it refuses the file."""
    refused = seen.page.locator("[data-out='wrong']").text_content()
    assert seen.page.locator(".counted").is_visible() == (refused == "")
    if refused:
        return None
    with seen.page.expect_download() as waiting:
        seen.page.locator("[data-do='areas-csv']").click()
    with Path(waiting.value.path()).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["area"] == "roc_auc"]
    return {row["model"].removeprefix("'"): float(row["value"]) for row in rows}


@pytest.fixture
def run(capsys):
    """Return what runs the command here and gives its exit code and output."""
    pytest.importorskip("cyclopts", reason="the command needs cyclopts")
    pytest.importorskip("duckdb", reason="the command reads files with DuckDB")
    from thresher.cli._main import main

    def called(*words: str) -> tuple[int, str]:
        return main(list(words)), capsys.readouterr().out

    return called


@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_the_page_reads_a_hundred_files_as_the_command_does(visit, blank, run, tmp_path):
    """Both refuse a file, or both find the same models with the same areas."""
    assert len(FILES) >= 100
    seen, wrong, taken = visit(blank), {}, 0
    for name, content in FILES.items():
        path = tmp_path / "file.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        theirs, ours = commands(run, path), pages(dropped(seen, content, name=f"{name}.csv"))
        taken += theirs is not None
        if theirs != ours:
            wrong[name] = (theirs, ours, seen.page.locator("[data-out='wrong']").text_content())
    assert wrong == {}
    assert 40 < taken < len(FILES) - 40
    assert seen.complaints == []


def test_columns_that_may_be_scores_are_chosen_by_hand(visit, blank):
    data = th.datasets.load_digits_eight()
    rows = range(data.y_true.size)
    models = {**data.models, "weight": np.asarray(rows) + 0.5}
    seen = dropped(visit(blank), text_of(data.y_true, models))
    assert seen.page.get_by_role("alert").text_content().startswith("Which columns are scores?")
    for name in data.models:
        seen.page.get_by_role("group", name="Scores").get_by_label(name).check()
    seen.settle()
    assert pages(seen) == {name: th.Scores(data.y_true, values).roc_auc().value for name, values in data.models.items()}


def test_what_is_passed_over_is_said(visit, blank):
    seen = dropped(visit(blank), "y,s,who\n0,0.1,ann\n1,0.2,bob\n1,0.4,cy\n0,0.3,dee\n")
    assert seen.page.locator("[data-out='passed']").text_content() == (
        'No scores, because they hold no numbers: "who".'
    )
