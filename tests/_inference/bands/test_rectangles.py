"""Swept rectangles against a search over all cuts, and their guarantee."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._inference.bands.band_ends import DkwBounds, LocalLevelBounds, OrderBounds, swept
from thresher._inference.bands.cuts import cuts_along_positives
from thresher._table import Counts


@pytest.mark.parametrize("kind", [DkwBounds, LocalLevelBounds])
def test_sweep_is_the_union_over_the_cuts_that_the_bounds_allow(kind: type[OrderBounds]) -> None:
    rng = np.random.default_rng(1)
    for n_pos, n_neg in ((1, 3), (7, 20), (40, 25)):
        counts = Counts.from_pos_neg(rng.integers(0, 12, n_pos) + 2, rng.integers(0, 12, n_neg))
        cuts = cuts_along_positives(counts)
        along, across = kind.at(n_pos, 0.9), kind.at(n_neg, 0.9)
        x = np.linspace(0, 1, 21)
        low, high = swept(cuts, x, along, across)
        j = np.arange(n_pos + 1)
        for i, at in enumerate(x):
            allowed = j[(along.low(j) <= at) & (at <= along.high(j + 1))]
            assert allowed.size
            assert low[i] == across.low(cuts.fewest(allowed)).min()
            assert high[i] == across.high(cuts.most(allowed) + 1).max()


@pytest.mark.parametrize("kind", [DkwBounds, LocalLevelBounds])
def test_bounds_hold_together(kind: type[OrderBounds]) -> None:
    rng = np.random.default_rng(2)
    n, draws = 50, 5000
    u = np.sort(rng.random((draws, n)), axis=1)
    bounds = kind.at(n, 0.9)
    k = np.arange(1, n + 1)
    share = np.mean(((bounds.low(k) <= u) & (u <= bounds.high(k))).all(axis=1))
    assert share >= 0.9 - 4.5 * np.sqrt(0.09 / draws)
    if kind is LocalLevelBounds:
        assert share <= 0.9 + 4.5 * np.sqrt(0.09 / draws)


def test_known_ends() -> None:
    for bounds in (DkwBounds.at(10, 0.95), LocalLevelBounds.at(10, 0.95)):
        assert bounds.high(np.array([0]))[0] == 0.0
        assert bounds.low(np.array([11]))[0] == 1.0
        assert bounds.high(np.array([11]))[0] == 1.0
