"""Tables one after another: their totals, and each by itself."""

import numpy as np

import thresher as th
from thresher._table import ManyTables


def test_each_table_is_a_piece_of_the_columns():
    tables = ManyTables(
        np.array([3.0, 1.0, 2.0]), np.array([2, 0, 1]), np.array([1, 4, 5]), np.array([2, 3], dtype=np.int64)
    )
    assert [column.tolist() for column in tables.totals] == [[2, 1], [5, 5]]
    wanted = [th.Scores.from_counts([3.0, 1.0], [2, 0], [1, 4]), th.Scores.from_counts([2.0], [1], [5])]
    assert list(tables.each(th.Scores)) == wanted
