from __future__ import annotations

import math

import pytest

from support import golden
from support.thorough import dear
from thresher.cli import main
from thresher.cli._auccalculator import java_double, read_double

REFERENCE = "0.9 1\n0.8 1\n0.7 0\n0.6 1\n0.55 1\n0.54 1\n0.53 0\n0.52 0\n0.51 1\n0.505 0\n"


@pytest.fixture
def run(tmp_path, capsys):
    def call(text, *words, name="data.txt"):
        path = tmp_path / name
        if text is not None:
            path.write_text(text)
        code = main(["auccalculator", str(path), *words])
        out = capsys.readouterr()
        return code, out.out.replace(str(path), "FILE"), out.err.replace(str(path), "FILE"), path

    return call


def areas(out: str) -> tuple[float, float]:
    lines = out.splitlines()
    return float(lines[-2].split()[-1]), float(lines[-1].split()[-1])


def jar(dataset: str) -> dict:
    return next((f for p, f in golden.golden()[dataset]["peers"].items() if p.startswith("AUCCalculator")), {})


WHOLE = [d for d in golden.golden() if not d.startswith(("_", "edge_only")) and jar(d)]


@pytest.mark.parametrize("mode", [[], ["--bug-compatible"]])
def test_reference_run_byte_for_byte(run, mode):
    code, out, err, path = run(REFERENCE, "list", *mode)
    echo = REFERENCE.splitlines()[1:]
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        *echo,
        "--- Writing PR file FILE.pr ---",
        "--- Writing standardized PR file FILE.spr ---",
        "--- Writing ROC file FILE.roc ---",
        "Area Under the Curve for Precision - Recall is 0.8243055555555555",
        "Area Under the Curve for ROC is 0.75",
    ]
    points = [line.split("\t") for line in path.with_name("data.txt.pr").read_text().splitlines()]
    assert points[0] == ["0.16666666666666666", "1.0"]
    assert [round(float(p), 3) for _, p in points] == [1, 1, 0.667, 0.75, 0.8, 0.833, 0.714, 0.625, 0.667, 0.6]
    roc = path.with_name("data.txt.roc").read_text().splitlines()
    assert roc[:2] == ["0\t0", "0.0\t0.16666666666666666"]
    assert len(path.with_name("data.txt.spr").read_text().splitlines()) == 100
    assert areas(run(REFERENCE, "list", "0.5", *mode)[1])[0] == 0.3729166666666667
    assert areas(run(REFERENCE, "list", "1", *mode)[1])[0] == 0.0


@pytest.mark.parametrize("mode", [[], ["--bug-compatible"]])
@pytest.mark.parametrize(("kind", "text"), [("ROC", "0.0025 0.25\n0.015 0.5\n"), ("PR", "0.25\t0.5\n0.5,0.25\n")])
def test_paper_points(run, mode, kind, text):
    code, out, err, path = run(text, kind, "20", "2000", *mode)
    assert (code, err) == (0, "")
    assert areas(out) == (0.2210325642812146, 0.74375)
    points = [tuple(map(float, line.split())) for line in path.with_name("data.txt.pr").read_text().splitlines()]
    between = [round(p, 4) for r, p in points if 0.25 <= r <= 0.5]
    assert between == [0.5, 0.375, 0.3182, 0.2857, 0.2647, 0.25]


@pytest.mark.parametrize("dataset", dear(WHOLE, 10))
def test_bug_compatible_numbers_to_the_last_digit(run, dataset):
    entry = golden.golden()[dataset]
    data = golden.columns(dataset)
    for column in entry["columns"]:
        prefix = "" if len(entry["columns"]) == 1 else f"{column}."
        text = "".join(f"{s!r} {int(y)}\n" for y, s in zip(data["label"].tolist(), data[column].tolist(), strict=True))
        _, out, _, path = run(text, "list", "--bug-compatible")
        want = jar(dataset)
        assert areas(out) == (want[f"{prefix}aucpr_davis_goadrich"], want[f"{prefix}auc_roc"])
        partial = want.get(f"{prefix}aucpr_min_recall_0.2")
        if partial is not None:
            assert areas(run(text, "list", "0.2", "--bug-compatible")[1])[0] == partial
        for suffix, figure in (
            (".pr", "pr_curve_recall_precision"),
            (".spr", "pr_curve_standardised_recall_precision"),
            (".roc", "roc_curve_fpr_tpr"),
        ):
            if figure in want:
                lines = path.with_name(f"data.txt{suffix}").read_text().splitlines()
                assert [[float(x) for x in line.split("\t")] for line in lines] == want[figure]


@pytest.mark.some(12)
@pytest.mark.parametrize("dataset", WHOLE)
def test_right_numbers_by_default(run, dataset):
    entry, data = golden.golden()[dataset], golden.columns(dataset)
    for column in entry["columns"]:
        prefix = "" if len(entry["columns"]) == 1 else f"{column}."
        text = "".join(f"{s!r} {int(y)}\n" for y, s in zip(data["label"].tolist(), data[column].tolist(), strict=True))
        pr, roc = areas(run(text, "list")[1])
        exact = golden.exact(dataset)
        assert roc == pytest.approx(exact[f"{prefix}auc_roc"], abs=1e-12)
        assert pr == pytest.approx(exact[f"{prefix}aucpr_dg_unit_tp"], abs=1e-12)


BUGS = {
    "0,0,0,0,1": ("".join(f"{5 - i} {int(i == 4)}\n" for i in range(5)), (0.1, 0.0), (0.2, 0.5)),
    "0,1,1,0": ("4 0\n3 1\n2 1\n1 0\n", (0.4166666666666667, 0.5), (0.5416666666666666, 0.625)),
    "0,0,1,1": ("4 0\n3 0\n2 1\n1 1\n", (None, 0.0), (0.375, 0.25)),
}


@pytest.mark.parametrize("case", BUGS)
def test_negatives_on_top(run, case):
    text, right, wrong = BUGS[case]
    got = areas(run(text, "list")[1])
    assert got[1] == right[1]
    if right[0] is not None:
        assert got[0] == pytest.approx(right[0], rel=1e-15)
    assert areas(run(text, "list", "--bug-compatible")[1]) == pytest.approx(wrong, rel=1e-15)
    roc = run(text, "list")[3].with_name("data.txt.roc").read_text().splitlines()
    assert float(roc[1].split("\t")[0]) > 0


def test_lower_case_pr_is_pr_unless_bugs_are_wanted(run):
    text = "0.25 0.5\n0.5 0.25\n"
    assert areas(run(text, "pr", "20", "2000")[1])[0] == 0.2210325642812146
    assert areas(run(text, "pr", "20", "2000", "--bug-compatible")[1])[0] == pytest.approx(0.0103, abs=5e-5)
    assert areas(run(text, "Pr", "20", "2000")[1])[0] == 0.2210325642812146
    code, _, err, _ = run(text, "Pr", "20", "2000", "--bug-compatible")
    assert (code, err) == (255, "...incorrect fileType argument, either PR or ROC - exiting\n")


def test_impossible_points(run):
    text = "0.5 0.8\n1.0 0.1\n"
    assert areas(run(text, "PR", "10", "10", "--bug-compatible")[1])[1] == pytest.approx(-1.3125)
    code, out, err, path = run(text, "PR", "10", "10", name="refused.txt")
    assert (code, out) == (1, "")
    assert err == (
        "ERROR: recall 1.0 with precision 0.1 needs more than 10.0 false positives; check the counts - exiting...\n"
    )
    assert not path.with_name("refused.txt.pr").exists()
    code, _, err, _ = run("0.5 0\n", "PR", "10", "10")
    assert (code, "precision 0 at recall 0.5 is impossible" in err) == (1, True)
    code, out, _, _ = run("0.5 0\n0.7 0.5\n", "PR", "10", "10", "--bug-compatible")
    assert code == 0
    assert math.isnan(areas(out)[1])
    code, _, err, _ = run("0.5 0.2\n0.2 0.6\n", "ROC", "10", "10")
    assert (code, "points must never lose false positives" in err) == (1, True)


def test_skipped_lines(run):
    code, out, err, _ = run("score label\n0.9 1\n\n0.8\n0.7 1.0\nnan 1\n0.6 0 extra\r\n", "list")
    assert code == 0
    reasons = ["bad numbers", "missing data", "missing data", "bad numbers", "bad numbers"]
    assert err.splitlines() == [f"...skipping bad input line ({reason})" for reason in reasons]
    assert areas(out) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("words", "text", "code", "message"),
    [
        ([], REFERENCE, 255, "ERROR: Missing Arguments - exiting..."),
        (["ROC"], REFERENCE, 255, "ERROR: Missing Arguments - exiting..."),
        (["CSV"], REFERENCE, 255, "ERROR: Incorrect fileType, must be ROC, PR, LIST - exiting..."),
        (
            ["PR", "0", "10"],
            REFERENCE,
            255,
            "ERROR: Incorrect Count arguments, must be positive numbers - exiting...",
        ),
        (
            ["list", "1.5"],
            REFERENCE,
            255,
            "ERROR: Incorrect minRecall argument, must be positive between 0 and 1 - exiting...",
        ),
        (["list"], None, 255, "ERROR: File FILE not found - exiting..."),
        (["list"], "0.5 1\n0.6 1\n", 1, "ERROR: 2.0,0.0 - Defaulting Confusion to 1,1"),
        (["list"], "", 1, "ERROR: 0.0,0.0 - Defaulting Confusion to 1,1"),
        (["list"], "NaN 1\n0.2 0\n", 1, "ERROR: a score is NaN; give every line a number - exiting..."),
        (["PR", "1", "1"], "x y\n", 1, "ERROR: File FILE has no usable line - exiting..."),
    ],
)
def test_errors(run, words, text, code, message):
    got, out, err, _ = run(text, *words)
    lines = [line for line in err.splitlines() if not line.startswith("...skipping")]
    assert (got, out, lines[0]) == (code, "", message)
    assert (lines[1:2] == ["Usage:"]) == (code == 255 and "not found" not in message)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (1.0, "1.0"),
        (0.001, "0.001"),
        (0.0001, "1.0E-4"),
        (0.00012345, "1.2345E-4"),
        (1e7, "1.0E7"),
        (12345678.9, "1.23456789E7"),
        (9999999.5, "9999999.5"),
        (1e-5, "1.0E-5"),
        (1e22, "1.0E22"),
        (-0.5, "-0.5"),
        (5e-324, "5.0E-324"),
        (math.nan, "NaN"),
        (-math.inf, "-Infinity"),
        (9.99e-4, "9.99E-4"),
    ],
)
def test_java_numbers(value, text):
    assert java_double(value) == text
    back = read_double(text)
    assert back == value or math.isnan(value)


def test_texts_that_java_does_not_read():
    assert [read_double(t) for t in ("nan", "inf", "1,5", "", "0x1p3", "1e")] == [None] * 6
    assert read_double("1.5f") == 1.5


@pytest.mark.parametrize("mode", [[], ["--bug-compatible"]])
def test_files_byte_for_byte(run, mode):
    """The reference run's three files, from its points in fractions."""
    path = run(REFERENCE, "list", *mode)[3]
    points = [(1, 0), (2, 0), (2, 1), (3, 1), (4, 1), (5, 1), (5, 2), (5, 3), (6, 3), (6, 4)]
    pr = "".join(f"{tp / 6!r}\t{tp / (tp + fp)!r}\n" for tp, fp in points)
    assert path.with_name("data.txt.pr").read_bytes() == pr.encode()
    roc = "0\t0\n" + "".join(f"{fp / 4!r}\t{tp / 6!r}\n" for tp, fp in points)
    assert path.with_name("data.txt.roc").read_bytes() == roc.encode()
    spr = [line.split("\t") for line in path.with_name("data.txt.spr").read_text().splitlines()]
    assert [recall for recall, _ in spr] == [repr(i / 100) for i in range(1, 101)]
    # Left of the first point its precision holds; recall 1/2 is a point; 0.75 lies halfway between two.
    assert (spr[0][1], spr[49][1], spr[74][1]) == ("1.0", "0.75", repr(4.5 / 5.5))


def test_usage_lines(run):
    """The original forgets the file type in the usage lines after its first message."""
    for words, forgets in (([], False), (["CSV"], True), (["PR", "0", "1"], True), (["list", "2"], True)):
        for mode in ([], ["--bug-compatible"]):
            code, _, err, _ = run(REFERENCE, *words, *mode)
            lines = err.splitlines()
            kind = "" if forgets and mode else "<fileType> "
            assert code == 255
            assert lines[1:3] == [
                "Usage:",
                f"thresher auccalculator <fileName> {kind}<posCount*> <negCount*> <minRecall**>",
            ]
            assert len(lines) == 5


@pytest.mark.parametrize("mode", [[], ["--bug-compatible"]])
def test_arguments(run, mode):
    assert run(REFERENCE, "LIST", *mode)[0] == 0
    assert run(REFERENCE, "list", "0.5", "ignored", *mode)[0] == 0
    assert run("0.1 0.5\n", "ROC", "1.5", "2e1", *mode)[0] == 0
    for words in (["list", "-0.5"], ["list", "NaN"], ["list", "half"], ["ROC", "2", "3", "1.01"]):
        assert run(REFERENCE, *words, *mode)[0] == 255
    for words in (["ROC", "-1", "3"], ["ROC", "2", "three"], ["PR", "0.5", "3"], ["ROC", "2", "NaN"]):
        code, _, err, _ = run(REFERENCE, *words, *mode)
        assert (code, err.splitlines()[0]) == (
            255,
            "ERROR: Incorrect Count arguments, must be positive numbers - exiting...",
        )


@pytest.mark.parametrize("mode", [[], ["--bug-compatible"]])
def test_labels_other_than_one_are_negative(run, mode):
    plain = areas(run("0.9 1\n0.8 0\n0.7 1\n0.6 0\n", "list", *mode)[1])
    assert areas(run("0.9,1\n0.8\t-1\n0.7  1\n0.6 , 7\n", "list", *mode)[1]) == plain
    code, _, err, _ = run("0.9 1\n0.8 0\n0.7 2147483648\n", "list", *mode)
    assert (code, err) == (0, "...skipping bad input line (bad numbers)\n")


def test_nan_and_infinity(run):
    assert run("Infinity 1\n0.5 0\n-Infinity 1\n", "list")[0] == 0
    code, out, _, _ = run("0.9 1\nNaN 1\n0.2 0\n", "list", "--bug-compatible")
    assert code == 0
    assert out.splitlines()[:2] == ["0.2 0", "NaN 1"]


def test_points_that_nearly_coincide(run):
    near = "0.0 0.2\n0.0000001 0.2000001\n0.5 0.8\n0.50001 0.80001\n"
    assert areas(run(near, "ROC", "10", "10")[1]) == areas(run("0.0 0.2\n0.5 0.8\n", "ROC", "10", "10")[1])
    many = "".join(f"{i / 20000} {i / 20000}\n" for i in range(20001))
    assert areas(run(many, "ROC", "1000", "1000")[1])[1] == pytest.approx(0.5)


def test_non_monotone_points_are_sorted_in_the_original(run):
    text = "0.5 0.2\n0.2 0.6\n"
    assert run(text, "ROC", "10", "10")[0] == 1
    code, out, _, _ = run(text, "ROC", "10", "10", "--bug-compatible")
    assert (code, areas(out)[1]) == (0, areas(run("0.2 0.6\n0.5 0.2\n", "ROC", "10", "10", "--bug-compatible")[1])[1])


def test_a_file_that_cannot_be_written(run, tmp_path):
    path = tmp_path / "data.txt"
    (tmp_path / "data.txt.spr").mkdir()
    code, _, err, _ = run(REFERENCE, "list")
    assert code == 1
    assert err == "thresher: Cannot write 'FILE.spr': Is a directory. Hint: name a file; this is a folder.\n"
    assert not [name for name in tmp_path.iterdir() if name.name.startswith(".")]
    assert path.exists()


def test_more_positives_than_points_can_be_kept(tmp_path, capsys):
    file = tmp_path / "points.txt"
    file.write_text("0.1 0.5\n0.5 0.9\n")
    assert main(["auccalculator", str(file), "ROC", "2e9", "2e9"]) == 1
    assert "a point at every positive would be more than 4000000" in capsys.readouterr().err
