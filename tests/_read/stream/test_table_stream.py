"""Tables of pieces add up to the table of all rows, in memory or by way of a file."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._core.counting import count_rows
from thresher._read.stream.spill import Spill
from thresher._read.stream.table_stream import TableStream


def rows(n=5000, dtype="float64"):
    rng = np.random.default_rng(4)
    y = rng.random(n) < 0.25
    return (10 * (rng.normal(size=n) + y)).round(1).astype(dtype), y, rng.integers(1, 5, n)


def joined(stream):
    return [np.concatenate(column) for column in zip(*stream.tables(), strict=True)]


@pytest.mark.parametrize("dtype", ["float64", "float16", "int8", "uint64", "longdouble"])
@pytest.mark.parametrize("memory", [1 << 12, 1 << 15, 1 << 26])
def test_pieces_add_up(dtype, memory):
    s, y, _ = rows(dtype="float64")
    s = s.clip(0, 100).astype(dtype)
    expected = count_rows(s, y)
    with Spill() as spill:
        stream = TableStream(memory, spill, buckets=4)
        for part in np.array_split(np.random.default_rng(0).permutation(s.size), 13):
            stream.add(s[part], y[part])
        assert stream.totals == (y.sum(), (~y).sum())
        found = joined(stream)
        assert bool(spill.size) == (memory == 1 << 12 or (memory == 1 << 15 and len(expected[0]) > 256))
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == theirs.dtype
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("memory", [1 << 12, 1 << 26])
def test_times_are_repetitions(memory):
    s, y, times = rows()
    expected = count_rows(np.repeat(s, times), np.repeat(y, times))
    with Spill() as spill:
        stream = TableStream(memory, spill)
        for part in np.array_split(np.arange(s.size), 5):
            stream.add(s[part], y[part], None, times[part])
        found = joined(stream)
    assert [column.tolist() for column in found] == [column.tolist() for column in expected]


@pytest.mark.parametrize("memory", [1 << 12, 1 << 26])
def test_weights_and_times_with_their_squares(memory):
    s, y, times = rows()
    weight = times / 2
    with Spill() as spill:
        stream = TableStream(memory, spill)
        for part in np.array_split(np.arange(s.size), 5):
            stream.add(s[part], y[part], weight[part], times[part])
        scores, pos, neg, pos_squares, neg_squares = joined(stream)
    assert scores.tolist() == np.unique(s)[::-1].tolist()
    for side, sums, squares in ((y, pos, pos_squares), (~y, neg, neg_squares)):
        for column, terms in ((sums, weight * times), (squares, times * weight**2)):  # halves and quarters: exact
            expected = [terms[side & (s == score)].sum() for score in scores[::50]]
            assert column[::50].tolist() == expected


def test_collected():
    s, y, _ = rows()
    with Spill() as spill:
        stream = TableStream(1 << 12, spill)
        stream.add(s, y)
        found = stream.collect(20).result(th.Scores)
    full = th.Scores(y, s)
    assert found._n_scores == len(full)
    assert found.roc_auc().value == full.roc_auc().value


def test_nothing_and_one_row():
    with Spill() as spill:
        stream = TableStream(1 << 20, spill)
        assert (stream.totals, list(stream.tables())) == ((0, 0), [])
        stream.add(np.array([0.5]), np.array([True]))
        assert [column.tolist() for column in joined(stream)] == [[0.5], [1], [0]]
