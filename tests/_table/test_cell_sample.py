"""The rows behind a confusion matrix, against loops over the rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher._table.cell_sample import cell_sample, mixed_sample, typical_weights

row = st.tuples(st.integers(0, 4), st.booleans(), st.sampled_from([0.25, 1.0, 4.0]), st.integers(0, 3))
rows = st.lists(row, min_size=2, max_size=30)


def typical(weights: np.ndarray, cut: int) -> float:
    """Return what a row of the first `cut` weighs: Q / W, or with more rows up to ten in worth, if larger."""
    w, q = np.cumsum(weights[:, 0]), np.cumsum(weights[:, 1])
    own = q[cut - 1] / w[cut - 1] if cut and w[cut - 1] > 0 else 0.0
    for end in range(cut, len(weights) + 1):
        if end and q[end - 1] > 0 and w[end - 1] ** 2 / q[end - 1] >= 10 * (1 - 1e-12):
            return max(own, q[end - 1] / w[end - 1])
    return max(own, q[-1] / w[-1] if w[-1] > 0 else 0.0)


@given(st.lists(st.tuples(st.sampled_from([0.0, 1.0, 2.0, 9.0]), st.integers(1, 4)), min_size=1, max_size=12))
def test_typical_weights_by_loops(cells):
    weight = np.array([w * n for w, n in cells])
    squared = np.array([w * w * n for w, n in cells])
    both = np.stack([weight, squared], axis=1)
    found = typical_weights(weight, squared)
    assert found.above == pytest.approx([typical(both, cut) for cut in range(len(cells) + 1)])
    assert found.below == pytest.approx([typical(both[::-1], len(cells) - cut) for cut in range(len(cells) + 1)])


@given(rows, st.integers(-1, 11).map(lambda i: i / 2))
def test_squares_and_clusters_by_loops(cases, threshold):
    x, y, w, g = (np.array(column) for column in zip(*cases, strict=True))
    scores = th.Scores(y, x.astype(float), sample_weight=w, cluster=g)
    found = cell_sample(scores, threshold)
    cells = np.where(y, 0, 1) + np.where(x >= threshold, 0, 2)  # tp, fp, fn, tn
    if scores._weight_squares is not None:
        assert found.squares == pytest.approx([(w[cells == k] ** 2).sum() for k in range(4)])
    for i, label in enumerate(np.unique(g)):
        for k in range(4):
            mine = (g == label) & (cells == k)
            assert found.clusters[i, k] == pytest.approx(w[mine].sum())
            assert found.cluster_rows[i, k] == mine.sum()


def test_rows_are_known_where_weights_are_even_within_a_class():
    y = np.array([1, 1, 1, 0, 0, 0, 0], dtype=bool)
    x = np.array([7, 5, 2, 6, 5, 3, 1.0])
    scores = th.Scores(y, x, sample_weight=np.where(y, 0.5, 3.0))
    assert cell_sample(scores, 5).rows == (2.0, 2.0, 1.0, 2.0)
    varied = th.Scores(y, x, sample_weight=np.arange(1.0, 8.0))
    assert cell_sample(varied, 5).rows is None


def test_counted_and_independent_rows_need_nothing():
    assert cell_sample(th.Scores([1, 0], [1, 0]), 0.5) is None
    assert mixed_sample(th.Scores([1, 0], [1, 0]), 1, 0, 0.5) is None


def test_sums_of_weights_alone_tell_nothing():
    sums = th.Scores.from_counts([2, 1], pos=[0.5, 1.0], neg=[1.5, 0.25])
    found = cell_sample(sums, 2)
    assert (found.squares, found.typical) == (None, (0.0, 0.0, 0.0, 0.0))
    assert mixed_sample(sums, 2, 1, 0.5).squares is None


@pytest.mark.parametrize("cluster", [None, np.array([0, 1, 1, 0, 2, 2])])
def test_a_coin_lies_between(cluster):
    y = np.array([1, 1, 0, 1, 0, 0], dtype=bool)
    x, w = np.array([6, 5, 4, 3, 2, 1.0]), np.array([1, 2, 3, 1, 0.5, 2])
    extra = {} if cluster is None else {"cluster": cluster}
    for weights in (w, np.where(y, 2.0, 3.0)):
        scores = th.Scores(y, x, sample_weight=weights, **extra)
        high, low = cell_sample(scores, 5), cell_sample(scores, 2)
        found = mixed_sample(scores, 5, 2, 0.25)
        for name in ("squares", "typical", "rows", "clusters", "cluster_rows"):
            a, b = (getattr(one, name) for one in (high, low))
            if a is None:
                assert getattr(found, name) is None
            else:
                want = 0.75 * np.array(a) + 0.25 * np.array(b)
                np.testing.assert_allclose(np.array(getattr(found, name)), want)


@pytest.mark.parametrize("unit", [2.0**-40, 2.0**40])
def test_typical_weights_are_in_units_of_the_weights(unit):
    weight = np.random.default_rng(0).uniform(0.5, 2.0, 30)
    one, other = typical_weights(weight, weight**2), typical_weights(unit * weight, (unit * weight) ** 2)
    assert other.above == pytest.approx(unit * one.above, rel=1e-12, abs=0.0)
    assert other.below == pytest.approx(unit * one.below, rel=1e-12, abs=0.0)
