"""Streams of weighted rows give what the rows give in memory, however little memory there is."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

import thresher as th
from thresher._core import native
from thresher._read.sources.batch_columns import Rows
from thresher._read.stream.counter import RowCounter
from thresher._read.stream.spill import Spill
from thresher._read.stream.table_stream import TableStream
from thresher._read.stream.weight_stream import WeightStream
from thresher._table.exact_figures import Figures

pytestmark = pytest.mark.skipif(not native.available(), reason="the kernels are not compiled")

SUMS = tuple(field.name for field in fields(Figures) if field.name != "n_scores")


def _data(n: int = 60_000, *, dtype: str = "float64") -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    y = rng.random(n) < 0.2
    s = (rng.normal(size=n) + y).astype(dtype)
    s[::7] = s[1::7][: s[::7].size]  # some ties
    return s, y, np.exp(rng.normal(size=n))


def _counted(s, y, w, *, memory=1 << 26, max_points=10**6, stream=True, buckets=None, pieces=7):
    with Spill() as spill:
        counter = RowCounter(memory, spill, buckets=buckets)
        if not stream:
            counter._stream = TableStream(memory, spill)
        for rows in np.array_split(np.arange(s.size), pieces):
            counter.add(Rows(s[rows], y[rows], w[rows], None))
        if stream:
            counter._start() if counter._stream is None else None
            assert isinstance(counter._stream, WeightStream)
        return counter.result(th.Scores, max_points), spill.size


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_all_scores_kept_is_the_table_in_memory(dtype: str) -> None:
    s, y, w = _data(dtype=dtype)
    if dtype == "float16":  # most rows share their score: tables take less room
        with Spill() as spill:
            counter = RowCounter(1 << 26, spill)
            counter.add(Rows(s, y, w, None))
            counter._start()
            assert isinstance(counter._stream, TableStream)
        return
    ours, _ = _counted(s, y, w)
    memory = th.Scores(y, s, sample_weight=w)
    np.testing.assert_array_equal(ours.thresholds, memory.thresholds)
    np.testing.assert_array_equal(ours.pos, memory.pos)
    np.testing.assert_array_equal(ours.neg, memory.neg)
    np.testing.assert_array_equal(ours._weight_squares.pos, memory._weight_squares.pos)
    np.testing.assert_array_equal(ours._weight_squares.neg, memory._weight_squares.neg)
    assert ours._weight_squares.rows == memory._weight_squares.rows
    assert ours._weight_squares.spans == memory._weight_squares.spans
    assert ours.roc_auc().value == memory.roc_auc().value


@pytest.mark.some(3)
@pytest.mark.parametrize("memory", [1 << 20, 1 << 26])
@pytest.mark.parametrize("buckets", [1, 5, None])
def test_fewer_points_have_the_same_figures(memory: int, buckets: int | None) -> None:
    s, y, w = _data()
    ours, spilt = _counted(s, y, w, memory=memory, max_points=500, buckets=buckets)
    numpy, _ = _counted(s, y, w, max_points=500, stream=False)
    assert bool(spilt) is (memory == 1 << 20)
    assert ours.thresholds.size <= 500
    assert ours._figures.n_scores == numpy._figures.n_scores == np.unique(s).size
    for name in SUMS:  # NumPy's totals are plain sums
        assert getattr(ours._figures, name) == pytest.approx(getattr(numpy._figures, name), rel=1e-15), (
            name
        )  # NumPy adds totals plainly
    memory_auc = th.Scores(y, s, sample_weight=w).roc_auc().value
    assert ours.roc_auc().value == pytest.approx(memory_auc, rel=1e-15)
    np.testing.assert_allclose(ours._weight_squares.pos.sum(), (w[y] ** 2).sum(), rtol=1e-14)
    np.testing.assert_allclose(ours._weight_squares.neg.sum(), (w[~y] ** 2).sum(), rtol=1e-14)


def test_kept_points_are_those_of_numpy() -> None:
    s, y, w = _data()
    ours, _ = _counted(s, y, w, max_points=500, buckets=1)
    numpy, _ = _counted(s, y, w, max_points=500, stream=False)
    np.testing.assert_array_equal(ours.thresholds, numpy.thresholds)
    np.testing.assert_allclose(ours.pos, numpy.pos, rtol=1e-12)
    np.testing.assert_allclose(ours.neg, numpy.neg, rtol=1e-12)


def test_figures_do_not_depend_on_pieces_threads_or_buckets() -> None:
    s, y, w = _data()
    tables = [
        _counted(s, y, w, max_points=300, **how)[0] for how in ({"buckets": 3}, {"pieces": 2}, {"memory": 1 << 20})
    ]
    order = np.random.default_rng(1).permutation(s.size)
    tables.append(_counted(s[order], y[order], w[order], max_points=300)[0])
    for name in SUMS:
        assert len({getattr(table._figures, name) for table in tables}) == 1, name


def test_rows_without_weight_are_left_out() -> None:
    s, y, w = _data()
    w[::3] = 0.0
    kept = w > 0
    ours, _ = _counted(s, y, w)
    memory = th.Scores(y[kept], s[kept], sample_weight=w[kept])
    np.testing.assert_array_equal(ours.thresholds, memory.thresholds)
    np.testing.assert_array_equal(ours.pos, memory.pos)
