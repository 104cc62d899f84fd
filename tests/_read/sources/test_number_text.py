"""One grammar of numbers in text: `thresher auc` and `th.scan` read and refuse the same cells, in the same words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import thresher as th
from thresher._core.checks import show
from thresher._read.sources.dialect import NUMBER, NUMBER_LIKE, WORD, is_number

NUMBERS = {
    "5": 5.0,
    "+5": 5.0,
    " 5": 5.0,
    "5\t": 5.0,
    "5.": 5.0,
    ".5": 0.5,
    "-0.5": -0.5,
    "1e5": 1e5,
    "1E+5": 1e5,
    "2.5e-3": 2.5e-3,
    "1e-400": 0.0,
    "1.7976931348623157e308": 1.7976931348623157e308,
    "inf": float("inf"),
    "+Infinity": float("inf"),
    "-INF": float("-inf"),
}
OTHERS = [
    *("1_0", "1e1_0", "1e400", "-1e400", "1.8e308", "9" * 400, "0x10", "0b1", "1,5", "1,234.5", "1.234,5"),
    *("1'000", "1 000", "50%", "1d5", "1f", "\u096b", "\u00a05", "1e", "e5", ".", "+", "- 5", "--5", "infin"),
    *("true", "half", "1/2", "$5"),
]  # fmt: skip
MISSING = ["nan", "NaN", "-nan", ""]


@pytest.mark.parametrize("cell", NUMBERS)
def test_numbers(cell):
    assert is_number(cell)
    assert float(cell) == NUMBERS[cell]


@pytest.mark.parametrize("cell", [*OTHERS, "", None, 5])
def test_others(cell):
    assert not is_number(cell)


@pytest.mark.parametrize("text", ["0,5", ",5", "1,234", "1.234.567,8", "1_0", "12 345", "-3,5e-4", "7%", "1'000"])
def test_what_is_like_a_number(text):
    assert re.fullmatch(NUMBER_LIKE.replace(r"\x{A0}\x{202F}", ""), text)


def test_the_page_has_the_same_patterns():
    """The report page reads files by a script of its own."""
    script = (Path(__file__).parents[3] / "js" / "src" / "number.ts").read_text(encoding="utf-8")
    found = dict(re.findall(r"^const (\w+) = (?:\"|/\^|new RegExp\(`\^)(.*?)(?:\"|\$/|\$`\));$", script, re.MULTILINE))
    assert found["NUMBER"] == NUMBER
    assert found["WORD"] == WORD
    like = found["LIKE"].replace("${GROUPED}", found["GROUPED"])
    assert f"{NUMBER}|{like}".replace(r"\\u00a0\\u202f", r"\x{A0}\x{202F}") == NUMBER_LIKE


@pytest.mark.parametrize("text", ["", "a1", "2024-01-05", "10.0.0.1", "12:30", "1-2", "x", "T5", "%"])
def test_what_is_not_like_a_number(text):
    assert not re.fullmatch(NUMBER_LIKE.replace(r"\x{A0}\x{202F}", ""), text)


def written(path, cells, *, above=""):
    """Write labels, a column of those cells and a column of scores, separated so that cells may have commas."""
    rows = "".join(f"{i % 2}|{cell}|0.{i}\n" for i, cell in enumerate(cells))
    path.write_text(f"{above}y|s|other\n{rows}", encoding="utf-8")
    return path


def one_of_many(cell):
    return [".1", ".25", ".3", ".45", cell, ".5", ".7", ".8", ".9", ".95"]


def auc(run, path):
    done = run("auc", str(path), "--format", "csv")
    models = {
        line.split(",")[0]: float(line.split(",")[2]) for line in done.out.splitlines()[1:] if ",roc_auc," in line
    }
    return models, done.err


@pytest.fixture
def run(capsys):
    pytest.importorskip("cyclopts")
    from types import SimpleNamespace

    from thresher.cli._main import main

    def called(*words):
        code = main(list(words))
        return SimpleNamespace(code=code, **capsys.readouterr()._asdict())

    return called


@pytest.mark.parametrize("cell", NUMBERS)
def test_both_readers_read_the_same_numbers(tmp_path, run, cell):
    path = written(tmp_path / "a.csv", one_of_many(cell))
    scores = [float(one) for one in one_of_many(cell)]
    wanted = th.Scores([i % 2 for i in range(10)], scores).roc_auc().value
    models, said = auc(run, path)
    assert models["s"] == th.scan(path, y_true="y", y_score="s").roc_auc().value == wanted
    assert said == ""


@pytest.mark.parametrize("cell", OTHERS)
def test_both_readers_refuse_the_same_cells(tmp_path, run, cell):
    """By name and row, even of a column that nobody named: a model is never passed over for one cell."""
    path = written(tmp_path / "a.csv", one_of_many(cell))
    models, said = auc(run, path)
    with pytest.raises(th.ThresherError) as refused:
        th.scan(path, y_true="y", y_score="s")
    assert f"column 's': must hold numbers only; row 4 holds {show(cell)}." in said
    assert said.removeprefix("thresher: ").strip() == str(refused.value)
    assert not models


@pytest.mark.parametrize("cell", MISSING)
def test_both_readers_refuse_missing_values(tmp_path, run, cell):
    path = written(tmp_path / "a.csv", one_of_many(cell))
    models, said = auc(run, path)
    assert not models
    assert "row 4" in said
    with pytest.raises(th.InvalidInputError, match="row 4"):
        th.scan(path, y_true="y", y_score="s")


@pytest.mark.parametrize("form", ["0,{}", "1,23{}.5", "1.23{},5", "1_{}", "{},1%", "1e40{}"])
def test_a_column_of_numbers_in_another_notation_is_never_dropped(tmp_path, run, form):
    path = written(tmp_path / "a.csv", [form.format(i) for i in range(10)])
    models, said = auc(run, path)
    assert not models
    assert f"column 's': must hold numbers only; row 0 holds '{form.format(0)}'" in said


def test_a_column_of_text_is_passed_over_aloud(tmp_path, run):
    path = written(tmp_path / "a.csv", [f"case {i}" for i in range(10)])
    models, said = auc(run, path)
    assert set(models) == {"other"}
    assert "columns that hold no numbers and are no scores: 's'" in said


def test_blame_falls_on_the_cell_and_not_on_the_first(tmp_path):
    """Far below the rows by which Arrow takes its column for text."""
    path = written(tmp_path / "a.csv", ["abc" if i == 150_000 else f"{i}.5" for i in range(200_000)])
    with pytest.raises(th.ThresherError, match=r"(row 150000|line 150002) holds 'abc'"):
        th.scan(path, y_true="y", y_score="s")
    path = written(tmp_path / "b.csv", [f"{i}.5" if i != 3 else "1_0" for i in range(10)])
    with pytest.raises(th.ThresherError, match="row 3 holds '1_0'"):
        th.scan(path, y_true="y", y_score="s")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("above", ["\n", "\n\n  \n"])
def test_blank_lines_above_the_header_are_passed_over(tmp_path, run, above, end):
    plain, moved = written(tmp_path / "a.csv", one_of_many("1")), tmp_path / "b.csv"
    moved.write_text((above + plain.read_text()).replace("\n", end), newline="")
    wanted = th.scan(plain, y_true="y", y_score="s").roc_auc().value
    models, said = auc(run, moved)
    assert models["s"] == th.scan(moved, y_true="y", y_score="s").roc_auc().value == wanted
    assert said == ""
