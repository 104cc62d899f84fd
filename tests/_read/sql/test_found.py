"""Groups of several scans put together: in order, those without a name last."""

import numpy as np
import pyarrow as pa

from thresher._read.sql.found import Found, all_found, all_measured
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


def parts(figures):
    named = Found(Counts, figures)
    named.add(2, ONE)
    named.add_many(np.array([1, 0]), TWO)
    named.keys = pa.array(["z", "y", "x"])
    rest = Found(Counts, figures)
    rest.add(0, ONE)
    return [named, rest.unnamed([named])]


def test_tables():
    found = all_found(parts(None))
    assert list(found) == ["x", "y", "z", None]
    assert found["x"] == found[None] == ONE
    assert found["z"] == Counts.from_counts([2.0], [0], [4])
    assert list(all_found([Found(Counts).unnamed([])])) == []


def test_figures():
    keys, rows = all_measured(parts(Sizes()))
    assert keys.to_pylist() == ["x", "y", "z", None]
    assert rows.ravel().tolist() == [2.0, 1.0, 4.0, 2.0]
