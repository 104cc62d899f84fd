"""Arrays by name, and the words for cells that are no numbers."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._read.sources.named_columns import ArrayColumns, no_rows, text_in

DATA = {
    "flag": np.array([True, False, True]),
    "sign": np.array([-1, 1, -1], dtype=np.int8),
    "count": np.array([0, 1, 2], dtype=np.uint16),
    "score": np.array([0.25, 0.5, 1.0]),
    "zero": np.array([0.0, 1.0, 0.0]),
    "name": np.array(["a", "b", "a"]),
    "long": np.zeros(4),
}


@pytest.fixture
def columns():
    return ArrayColumns(DATA, "a.npz")


def test_kinds_and_values(columns):
    assert columns.names == list(DATA)
    assert columns.kinds(["flag", "sign", "count", "score", "name"]) == {
        "flag": "bool",
        "sign": "whole",
        "count": "whole",
        "score": "real",
        "name": "text",
    }
    assert [name for name in DATA if columns.is_binary(name)] == ["flag", "sign", "zero", "long"]
    assert columns.counted("name", 50) == [("a", 2), ("b", 1)]
    assert len(columns.counted("score", 1)) == 2  # more than asked for, which says that there are more
    assert columns.percent() < 0


def test_fetch(columns):
    found = columns.fetch(["score", "flag"], numbers=["score"])
    assert {name: array.tolist() for name, array in found.items()} == {
        "score": [0.25, 0.5, 1.0],
        "flag": [True, False, True],
    }
    with pytest.raises(th.InvalidInputError, match=r"arrays of one length; got 'score' \(3,\), 'long' \(4,\)"):
        columns.fetch(["score", "long"], numbers=[])
    with pytest.raises(th.InvalidInputError, match=r"column 'name': must hold numbers only; row 0 holds 'a'"):
        columns.fetch(["name"], numbers=["name"])
    assert columns.fetch(["name"], numbers=[])["name"].tolist() == ["a", "b", "a"]


@pytest.mark.parametrize(
    ("cell", "remedy"),
    [
        ("NA", "missing values are never dropped silently; remove those rows or fill them"),
        ("  ", "missing values are never dropped silently; remove those rows or fill them"),
        ("0,5", "write decimals with a point, and thousands without a separator"),
        ("1,000,000", "write plain digits with a point for decimals, without separators or signs after them"),
        ("1_000", "write plain digits with a point for decimals, without separators or signs after them"),
        ("5 %", "write plain digits with a point for decimals, without separators or signs after them"),
        ("-1e400", "it is beyond the largest double; write inf if it is meant to be infinite"),
        ("0.5", "convert the column to numbers"),
        (5, "replace it by a number, or name another column"),
        ("high", "replace it by a number, or name another column"),
    ],
)
def test_remedies_for_text(cell, remedy):
    assert str(text_in("a.csv", "s", 7, cell)) == (
        f"'a.csv', column 's': must hold numbers only; row 7 holds {cell!r}. Hint: {remedy}. Rows are counted from 0, "
        "without the header."
    )


def test_names_alone():
    assert str(no_rows("a.csv")).startswith("'a.csv' must have at least one row; it has none. Hint: ")
