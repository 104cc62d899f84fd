from __future__ import annotations

import datetime as dt
import decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import thresher as th
from thresher._read.stream.group_codes import GroupCodes


def decoded(*calls):
    """Every value as it comes back through its number."""
    codes = GroupCodes()
    numbers = [
        codes.codes([pa.array(column) if isinstance(column, list) else column for column in call]) for call in calls
    ]
    values = codes.array().to_pylist()
    return [[values[number] for number in found.tolist()] for found in numbers], values


@pytest.mark.parametrize(
    "column",
    [
        ["b", "a", "b", None, "c"],
        [3, 1, 3, None, -7],
        [3, 1, 3, -7],
        [2**63 - 1, -(2**63), 2**63 - 1],
        [0.5, -0.25, 0.5, None, 1e300],
        [True, False, None, True],
        [dt.date(2026, 1, 1), None, dt.date(2025, 1, 1)],
        [decimal.Decimal("1.50"), decimal.Decimal("2.25"), None],
        [None, None],
        [b"x", b"y", b"x"],
    ],
)
def test_values_come_back(column):
    (found, again), values = decoded([column[:1], column], [column[::-1]])
    assert found == [*column[:1], *column]
    assert again == column[::-1]
    assert values[0] is None
    assert len(values) == 1 + len({value for value in column if value is not None})


def test_dictionaries_of_any_make():
    twice = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None, 3], pa.int8()), pa.array(["a", "b", "a", None]))
    (found,), values = decoded([twice, pa.array(pd.Categorical(["b", "c"])), ["c", "d"]])
    assert found == ["a", "b", "a", None, None, "b", "c", "c", "d"]
    assert values == [None, "a", "b", "c", "d"]


def test_types_that_differ_between_files():
    numbers = [pa.array([1, 2], pa.int32()), pa.array([2**40, 1], pa.int64())]
    (found, later), values = decoded(numbers, [pa.array([7, 1], pa.int8())])
    assert found == [1, 2, 2**40, 1]
    assert later == [7, 1]
    assert values == [None, 1, 2, 2**40, 7]
    (text,), _ = decoded([pa.array(["a"], pa.large_string()), ["a", "b"]])
    assert text == ["a", "a", "b"]


def test_nan_is_a_group():
    (found,), values = decoded([[np.nan, 1.0, np.nan]])
    assert len(values) == 3
    assert np.isnan(found[0])


@pytest.mark.parametrize("columns", [[["a"], [1]], [[[1, 2], [3]]]])
def test_types_without_a_common_one(columns):
    with pytest.raises(th.InvalidTypeError, match=r"`by` must be one kind of text.*Hint: cast the column to text\."):
        decoded(columns)
