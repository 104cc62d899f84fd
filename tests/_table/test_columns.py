"""Columns of count tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher._core.sums import MOST_COUNTS, refuse_sum
from thresher._table.columns import check_class_weight, merged_highest, steps


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=20), st.sampled_from([np.int32, np.int64, np.float64]))
def test_steps_undo_a_running_count(column, dtype):
    found = steps(np.cumsum(column).astype(dtype))
    assert found.tolist() == column
    assert found.dtype == (np.float64 if dtype is np.float64 else np.int64)


@pytest.mark.parametrize(
    ("counts", "refused"), [([MOST_COUNTS - 1], False), ([MOST_COUNTS - 2, 2], True), ([0], False)]
)
def test_sums_stop_before_they_are_inexact(counts, refused):
    column = np.array(counts, dtype=np.int64)
    if refused:
        with pytest.raises(th.InvalidInputError, match=f"less than 2\\*\\*62; got {sum(counts)} positives"):
            refuse_sum(column, "positive")
    else:
        refuse_sum(column, "positive")


def test_many_counts_below_the_limit_are_taken():
    """The largest times their number is beyond the limit, the sum is not."""
    refuse_sum(np.array([MOST_COUNTS // 2, 1, 1, 1], dtype=np.int64), "positive")


@pytest.mark.parametrize(("weight", "side"), [([0, 0, 1, 1], "positive"), ([1, 0, 0, 0], "negative")])
def test_weights_that_empty_a_class_are_refused(weight, side):
    positive = np.array([True, True, False, False])
    with pytest.raises(th.InvalidInputError, match=f"got only zeros for the 2 {side} rows"):
        check_class_weight(np.array(weight), positive, "sample_weight")
    check_class_weight(np.array([0, 1, 0, 1]), positive, "sample_weight")


def test_the_highest_of_a_sum():
    """Rows 9 to 9 and 2 to 5 of one part, 7 to 8 and 2 to 3 of the other."""
    thresholds = np.array([9.0, 7.0, 2.0])
    parts = [(np.array([9.0, 2.0]), np.array([9.0, 5.0])), (np.array([7.0, 2.0]), np.array([8.0, 3.0]))]
    assert merged_highest(thresholds, parts).tolist() == [9.0, 8.0, 5.0]
    assert thresholds.tolist() == [9.0, 7.0, 2.0]
