"""Discounted gains of rows, against NumPy and against every order of ties."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from thresher._core import native
from thresher._core.threads import num_threads
from thresher.metrics._gains import gains_numpy

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")

shapes = st.tuples(st.integers(1, 6), st.integers(1, 5))


@given(data=shapes.flatmap(lambda shape: hnp.arrays(np.int64, (2, *shape), elements=st.integers(0, 4))))
def test_mean_over_all_orders(data):
    relevance, scores = data
    width = relevance.shape[1]
    discounts = 1.0 / np.log2(np.arange(width) + 2)
    gain, best, tied = native.gains(relevance, scores, discounts)
    for row in range(relevance.shape[0]):
        orders = [
            order
            for order in itertools.permutations(range(width))
            if all(scores[row, a] >= scores[row, b] for a, b in itertools.pairwise(order))
        ]
        assert gain[row] == pytest.approx(
            np.mean([relevance[row, list(order)] @ discounts for order in orders]), rel=1e-13
        )
        assert tied[row] == (len(orders) > 1)
        assert best[row] == pytest.approx(np.sort(relevance[row])[::-1] @ discounts, rel=1e-13)


@pytest.mark.parametrize("width", [1, 2, 16, 17, 300])
@pytest.mark.parametrize("ties", [False, True])
def test_equal_numpy_for_any_width(width, ties):
    rng = np.random.default_rng(width)
    rows = 70_000 // width
    relevance = rng.integers(0, 5, (rows, width))
    scores = rng.integers(0, 9, (rows, width)).astype(np.float64) if ties else rng.random((rows, width))
    discounts = 1.0 / np.log2(np.arange(width) + 2)
    found = []
    for threads in (1, 3):
        with num_threads(threads):
            found.append(native.gains(relevance, scores, discounts))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)
    gain, best = gains_numpy(relevance, scores, discounts, False)
    np.testing.assert_allclose(found[0][0], gain, rtol=1e-13)
    np.testing.assert_allclose(found[0][1], best, rtol=1e-13)


def test_a_perfect_ranking_has_exactly_the_best_gain():
    rng = np.random.default_rng(0)
    relevance = rng.integers(0, 3, (2000, 9)).astype(np.float64)
    gain, best, _ = native.gains(relevance, relevance + rng.random(relevance.shape) / 2, 1.0 / np.arange(1.0, 10.0))
    assert np.array_equal(gain, best)


def test_other_shapes_are_refused():
    with pytest.raises(ValueError, match="as wide as the discounts"):
        native.gains(np.zeros((2, 3)), np.zeros((2, 3)), np.ones(4))
    with pytest.raises(ValueError, match="of one shape"):
        native.gains(np.zeros((2, 3)), np.zeros((3, 3)), np.ones(3))
