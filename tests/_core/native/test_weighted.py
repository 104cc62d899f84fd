"""Rows with weights, compiled, beside exact sums and the NumPy code."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
import pytest

from thresher._core import native
from thresher._core.counting import sum_weights, sum_weights_numpy
from thresher._table.risk_sets import FollowedFromStart

pytestmark = pytest.mark.skipif(not native.available(), reason="the kernels are not compiled")

TYPES = (
    "float64",
    "float32",
    "float16",
    "bool",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
)


def _rows(dtype: str, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    if dtype == "bool":
        s = rng.random(n) < 0.5
    elif np.dtype(dtype).kind == "f":
        s = (rng.normal(size=n) + y).astype(dtype)
        s[:4] = (0.0, -0.0, np.inf, -np.inf)[: min(n, 4)]
    else:
        info = np.iinfo(dtype)
        s = rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
        s[:2] = (info.min, info.max)[: min(n, 2)]
    return s, y, np.exp(rng.normal(size=n) * 5)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 300, 25_000, 120_000])
def test_sums_are_those_of_numpy(isa: str, dtype: str, n: int) -> None:
    s, y, w = _rows(dtype, n)
    (values, pos, neg), squares = sum_weights(s, y, w)
    (values2, pos2, neg2), squares2 = sum_weights_numpy(s, y, w)
    assert values.dtype == s.dtype
    assert values.tobytes() == np.ascontiguousarray(values2).tobytes()
    for ours, theirs in zip((pos, neg, *squares), (pos2, neg2, *squares2), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=3e-16, atol=0)


def test_sums_are_exact_to_the_last_bit_whatever_the_order() -> None:
    rng = np.random.default_rng(3)
    n = 60_000
    s, y = rng.integers(0, 500, n) / 8.0, rng.random(n) < 0.5
    w = np.exp(rng.normal(size=n) * 12)
    cells: dict[tuple[float, bool], list[float]] = defaultdict(list)
    for score, label, weight in zip(s.tolist(), y.tolist(), w.tolist(), strict=True):
        cells[score, label].append(weight)
    for rows in (np.arange(n), rng.permutation(n)):
        values, pos, neg, pos2, neg2 = native.weigh(s[rows], y[rows], w[rows])
        assert pos.tolist() == [math.fsum(cells[v, True]) for v in values.tolist()]
        assert neg.tolist() == [math.fsum(cells[v, False]) for v in values.tolist()]
        assert pos2.tolist() == [math.fsum(x * x for x in cells[v, True]) for v in values.tolist()]
        assert neg2.tolist() == [math.fsum(x * x for x in cells[v, False]) for v in values.tolist()]


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint64", "int8"])
def test_rows_come_back_from_their_buckets(dtype: str) -> None:
    s, y, w = _rows(dtype, 5000)
    splits = native.weighted_splits(s, 16)
    rows, ends, sums = native.scatter_weighted(s, y, w, splits)
    scores, positive, weight = native.weighted_rows(s.dtype, rows)
    assert ends[-1] == 5000
    assert sums.shape == (ends.size, 6)
    edges = [0, *ends.tolist()]
    for k in range(1, ends.size):
        below, above = scores[edges[k - 1] : edges[k]], scores[edges[k] : edges[k + 1]]
        assert not below.size or not above.size or below.max() < above.min()
    mine = sorted(zip(scores.tolist(), positive.tolist(), weight.tolist(), strict=True))
    assert mine == sorted(zip((s + s.dtype.type(0)).tolist(), y.tolist(), w.tolist(), strict=True))
    for bucket, (first, last) in enumerate(zip(edges, edges[1:], strict=False)):
        own, mass = positive[first:last], weight[first:last]
        assert math.fsum(sums[bucket, :3]) == math.fsum(mass[own])
        assert math.fsum(sums[bucket, 3:]) == math.fsum(mass[~own])


def test_spans_count_the_rows_that_have_weight() -> None:
    seen, counted, spans = native.weight_spans(np.array([True, True, False, True]), np.array([2.0, 0.0, 3.0, 0.5]))
    assert seen == (3, 1)
    assert counted == (2, 1)
    assert spans == ((0.5, 2.0), (3.0, 3.0))
    assert native.weight_spans(np.zeros(0, dtype=bool), np.zeros(0))[2] == ((np.inf, 0.0), (np.inf, 0.0))


def test_hull_of_sums_is_that_of_the_exact_one() -> None:
    rng = np.random.default_rng(5)
    for n in (1, 2, 3, 50, 4000):
        steps = rng.integers(0, 5, (2, n)) + np.array([[1], [0]])
        x, y = np.cumsum(steps, axis=1)
        np.testing.assert_array_equal(native.weighted_hull(x.astype(float), y.astype(float)), native.hull(x, y))


@pytest.mark.parametrize("n", [5, 800, 60_000])
def test_rows_of_weight_zero_are_left_out(isa: str, n: int) -> None:
    s, y, w = _rows("float64", n)
    w[::3] = 0.0
    kept = w > 0
    for found, wanted in zip(native.weigh(s, y, w), native.weigh(s[kept], y[kept], w[kept]), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("digits", [0, 1, 12])
@pytest.mark.parametrize("n", [4, 700, 70_000])
def test_masses_at_a_horizon_are_those_of_all_rows_in_order_of_time(isa: str, n: int, digits: int) -> None:
    rng = np.random.default_rng(n)
    time, happened = rng.exponential(10.0, n).round(digits), rng.random(n) < 0.5
    for t in (0.0, 3.0, 12.0, 1e9):
        kept = (time >= t) | happened
        followed, ones = FollowedFromStart(time, happened), np.ones(n)
        mass, stands = native.censoring(time, happened, kept, t)
        np.testing.assert_array_equal(mass, np.where(kept, followed.weights(t, ones), 0.0))
        assert stands == (followed.lost(t, ones) is None)


def test_wrong_rows_are_refused() -> None:
    s, y, w = np.zeros(3), np.zeros(3, dtype=bool), np.ones(3)
    with pytest.raises(ValueError, match="same length"):
        native.weigh(s, y, w[:2])
    with pytest.raises(ValueError, match="512 buckets"):
        native.weighted_splits(s, 513)
    with pytest.raises(ValueError, match="512 buckets"):
        native.scatter_weighted(s, y, w, np.arange(512))
