from __future__ import annotations

import json
import math

import pytest

from thresher.cli import _output
from thresher.cli._output import csv_text, number, plain_row, print_rows, printable, safe_cell


@pytest.mark.parametrize("value", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"])
def test_texts_that_look_like_formulas(value):
    assert safe_cell(value) == f"'{value}"
    assert csv_text([{"x": value}]).split("\n", 1)[1].lstrip('"').startswith("'")
    assert csv_text([{value: 1}]).lstrip('"').startswith("'")


@pytest.mark.parametrize("value", ["a=1", "1-1", -1.5, -3, None, True])
def test_cells_that_stay(value):
    assert safe_cell(value) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (1234567, "1,234,567"),
        (0.0, "0.0000"),
        (0.12345, "0.1235"),
        (1.5e-9, "1.5e-09"),
        (math.nan, "-"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (123456.7, "1.235e+05"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text


def test_json_has_no_nan():
    row = plain_row({"a": math.nan, "b": math.inf, "c": -math.inf, "d": 1.5, "e": None, "f": "x"})
    assert row == {"a": None, "b": "inf", "c": "-inf", "d": 1.5, "e": None, "f": "x"}
    json.dumps(row, allow_nan=False)


def test_printable():
    assert printable("a\x1b[31m\n\u202eb") == r"a\x1b[31m\n\u202eb"
    assert printable("שלום 🦀") == "שלום 🦀"
    assert printable("x" * 300) == "x" * 197 + "..."
    assert len(printable("\n" * 300)) == 200


def test_a_window_of_any_width_cuts_no_cell(monkeypatch, capsys):
    cells = ["tree", "0.5724 to 0.6411", "12,345"]
    rows = [dict(zip(["a_model_of_a_kind", "interval", "rows"], ["tree", cells[1], 12345], strict=True))]
    whole = len("a model of a kind") + len(cells[1]) + len(cells[2]) + 2 * len(" │ ")
    out = _output.console()
    monkeypatch.setattr(_output, "console", lambda: out)
    for width in range(10, 61):
        out.width = width
        print_rows(rows, "table")
        lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
        if width >= whole:
            assert lines[0] == "a model of a kind ┃ interval         ┃   rows"
            assert len(lines[1]) == whole
            assert lines[2] == "tree              │ 0.5724 to 0.6411 │ 12,345"
        else:
            assert lines == [
                "a model of a kind  tree",
                "interval           0.5724 to 0.6411",
                "rows               12,345",
            ]


def test_a_narrow_window_gets_fewer_columns(monkeypatch, capsys):
    out = _output.console()
    monkeypatch.setattr(_output, "console", lambda: out)
    rows, narrow = [{"model": "tree", "value": 0.5, "low": 0.25, "high": 0.75}], [{"model": "tree", "value": 0.5}]
    for width, heads in ((60, ["model", "value", "low", "high"]), (20, ["model", "value"])):
        out.width = width
        print_rows(rows, "table", narrow=narrow)
        assert [head.strip() for head in capsys.readouterr().out.splitlines()[0].split("┃")] == heads
