"""Groups of several scans put together: in order, those without a name last."""

import numpy as np
import pyarrow as pa

from thresher._read.sql.found import Found
from thresher._table import Counts, ManyTables

ONE = Counts([0, 1], [1.0, 2.0])
TWO = ManyTables(np.array([3.0, 2.0]), np.array([1, 0]), np.array([0, 4]), np.array([1, 2]))


class Sizes:
    """Says how many rows a group has."""

    width = 1

    def one(self, counts):
        return [counts.n_pos + counts.n_neg]

    def many(self, tables):
        return np.sum(tables.totals, axis=0, dtype=float)[:, np.newaxis]


def found(figures=None):
    out = Found(Counts, figures)
    out.add(2, ONE)
    out.add(3, ONE)
    out.add_many(np.array([1, 0]), TWO)
    out.keys = pa.array(["z", "y", "x", None])
    return out


def test_tables():
    tables = found().named()
    assert list(tables) == ["x", "y", "z", None]
    assert tables["x"] == tables[None] == ONE
    assert tables["z"] == Counts.from_counts([2.0], [0], [4])


def test_figures():
    keys, rows = found(Sizes()).measured()
    assert keys.to_pylist() == ["x", "y", "z", None]
    assert rows.ravel().tolist() == [2.0, 1.0, 4.0, 2.0]
