from __future__ import annotations

import json
import math

import pytest

from thresher.cli._output import csv_text, number, plain_row, printable, safe_cell


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
