"""Counts in any order become tables of groups, highest scores first; equal scores are added."""

import numpy as np

from thresher._read.sql.found import tables_of


def test_rows_in_any_order():
    number, score = np.array([4, 2, 4, 2, 4], dtype=np.int32), np.array([1.0, 5.0, 3.0, 6.0, -0.0])
    groups, tables = tables_of(number, score, np.arange(5), np.arange(5) + 10)
    assert groups.tolist() == [2, 4]
    assert tables.thresholds.tolist() == [6.0, 5.0, 3.0, 1.0, 0.0]
    assert tables.pos.tolist() == [3, 1, 2, 0, 4]
    assert tables.neg.tolist() == [13, 11, 12, 10, 14]
    assert tables.ends.tolist() == [2, 5]


def test_equal_scores_are_added():
    groups, tables = tables_of(
        np.array([1, 0, 1]), np.array([0.0, 0.0, -0.0]), np.array([1, 2, 3]), np.array([0, 1, 0])
    )
    assert groups.tolist() == [0, 1]
    assert (tables.thresholds.tolist(), tables.pos.tolist(), tables.ends.tolist()) == ([0.0, 0.0], [2, 4], [1, 2])
