"""The page that takes a file: what it counts in the browser is what the library counts."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from tests._read.sources.test_number_text import MISSING, NUMBERS, OTHERS, one_of_many

import thresher as th
from thresher._read.sources.number_text import SPACES
from thresher._report import blank_html
from thresher._report.drawn_points import drawn_points, histogram_of


@pytest.fixture(scope="module")
def blank(tmp_path_factory):
    path = tmp_path_factory.mktemp("blank") / "blank.html"
    path.write_text(blank_html(), encoding="utf-8")
    return path


def dropped(seen, content: str, name: str = "scores.csv"):
    seen.page.locator("[data-in='file']").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
    )
    seen.page.wait_for_timeout(250)
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
        ("a\n1\n2\n", "The file must have a header and at least two columns"),
        ("y,s\n0,1\n1\n", "Row 3 must have 2 columns like the header; it has 1."),
        ("y,s\n0,0.1\n1,x\n1,0.4\n0,0.3\n", 'Column s must hold numbers only; row 1 holds "x".'),
        (
            "y;s;t\n0;0,1;2\n1;0,5;3\n1;0,2;4\n",
            'Column s must hold numbers only; row 0 holds "0,1". Hint: write decimals',
        ),
        ("y,s\n0,x\n1,.1\n1,.4\n0,.3\n", 'Column s must hold numbers only; row 0 holds "x".'),
        ("y,s,t\n0,,1\n1,.1,2\n1,.4,3\n", 'Column s must hold numbers only; row 0 holds "". Hint: missing values are'),
        ("y,s\n0,9007199254740993\n1,1\n", "Whole scores must be below 2**53 in magnitude"),
        ("y,s\na,0.1\nb,0.2\n", "Which of the two labels is the positive one?"),
        ("y,s\n0,0.1\n2,0.2\n5,0.4\n", "One column must hold labels with exactly two values"),
    ],
)
def test_what_is_wrong_is_said(visit, blank, content, message):
    seen = dropped(visit(blank), content)
    assert seen.page.get_by_role("alert").text_content().startswith(message)
    assert not seen.page.locator(".counted").is_visible()


def counted(seen) -> float:
    assert seen.page.locator(".counted").is_visible(), seen.page.get_by_role("alert").text_content()
    with seen.page.expect_download() as waiting:
        seen.page.locator("[data-do='areas-csv']").click()
    with Path(waiting.value.path()).open(encoding="utf-8", newline="") as file:
        return {row["model"]: float(row["value"]) for row in csv.DictReader(file) if row["area"] == "roc_auc"}


def test_cells_are_read_by_the_grammar_of_the_command(visit, blank):
    """The lists are those of tests/_read/sources/test_number_text.py."""
    seen = visit(blank)
    for cell, value in NUMBERS.items():
        scores = [value if one == cell else float(one) for one in one_of_many(cell)]
        rows = "".join(f"{i % 2};{one}\n" for i, one in enumerate(one_of_many(cell)))
        found = counted(dropped(seen, f"\n \ny;s\n{rows}"))
        assert found == {"s": th.Scores([i % 2 for i in range(10)], scores).roc_auc().value}
    for cell in [*OTHERS, *MISSING]:
        rows = "".join(f"{i % 2};{one}\n" for i, one in enumerate(one_of_many(cell)))
        dropped(seen, f"y;s\n{rows}")
        said = seen.page.get_by_role("alert").text_content()
        assert said.startswith(f'Column s must hold numbers only; row 4 holds "{cell.strip(SPACES)[:40]}".'), (
            cell,
            said,
        )


def test_a_column_that_is_left_out_is_named(visit, blank):
    text = "y,s,name,id,weight\n0,.1,anna,1,1\n1,.5,bert,2,2\n1,.2,cleo,3,1\n0,.3,dora,4,2\n"
    seen = dropped(visit(blank), text)
    assert list(counted(seen)) == ["s"]
    said = seen.page.get_by_role("status").first.text_content()
    assert said == "Not taken for scores, by their names or because they hold text: name, id, weight."
    dropped(seen, "y,s\n0,.1\n1,.5\n1,.2\n0,.3\n")
    assert seen.page.get_by_role("status").first.text_content() == ""


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
