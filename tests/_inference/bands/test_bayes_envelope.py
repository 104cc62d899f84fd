"""Draws of curves and their envelope."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta, kstest

from thresher._inference.bands.binomial_beta import mixtures
from thresher._inference.bands.cuts import cuts_along_positives, draw_curves, rank_envelope
from thresher._table import Counts


def test_each_share_alone_has_the_binomial_beta_law() -> None:
    rng = np.random.default_rng(4)
    y = np.arange(300) % 3 == 0
    cuts = cuts_along_positives(Counts(y, (rng.normal(size=300) + y).round(1)))
    x = np.array([0.2, 0.5, 0.95])
    draws = draw_curves(cuts, x, 4000, rng)
    mixture = mixtures(cuts, x)
    for i in range(x.size):
        values = draws.low[:, i]

        def cdf(v: np.ndarray, i: int = i) -> np.ndarray:
            return np.array([mixture.cdf(np.full(x.size, value))[i] for value in v])

        spread = values[(values > 0) & (values < 1)][:500]
        assert kstest(spread, cdf).pvalue > 1e-4


def test_curves_never_fall() -> None:
    rng = np.random.default_rng(4)
    cuts = cuts_along_positives(Counts(np.arange(50) % 2, rng.normal(size=50)))
    draws = draw_curves(cuts, np.linspace(0, 1, 30), 300, rng)
    assert (np.diff(draws.low, axis=1) >= 0).all()
    assert (np.diff(draws.high, axis=1) >= 0).all()
    assert (draws.low <= draws.high).all()


def test_end_rules() -> None:
    cuts = cuts_along_positives(Counts.from_pos_neg([3.0, 2.0], [1.0, 0.0]))
    draws = draw_curves(cuts, np.array([0.5]), 2000, np.random.default_rng(0))
    assert (draws.low == 0.0).any()
    assert (draws.high == 1.0).any()


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_envelope_is_the_narrowest_of_its_ranks(level: float) -> None:
    rng = np.random.default_rng(9)
    curves = np.cumsum(rng.normal(size=(500, 8)), axis=1).round(1)
    low, high = rank_envelope(curves, curves, level)
    inside = ((curves >= low) & (curves <= high)).all(axis=1)
    assert inside.mean() >= level
    # One rank further in would hold too few.
    ordered = np.sort(curves, axis=0)
    k = max(int((ordered[:, i] < low[i]).sum()) for i in range(8)) + 1
    tighter = ((curves >= ordered[k]) & (curves <= ordered[500 - 1 - k])).all(axis=1)
    assert tighter.mean() < level


@pytest.mark.parametrize(("above", "below"), [(1, 2), (3, 1), (0, 2)])
def test_prior_mass_of_one_half_at_each_end(above: int, below: int) -> None:
    """The other class stands above or below all of this one, so every draw sees the same count: one beta law."""
    counts = Counts.from_counts([3, 2, 1], pos=[0, 60, 0], neg=[above, 0, below])
    draws = draw_curves(cuts_along_positives(counts), np.array([0.3, 0.5, 0.7]), 20_000, np.random.default_rng(1))
    for column in draws.high.T:
        assert kstest(column, beta(above + 0.5, below + 0.5).cdf).pvalue > 1e-3
    if above:
        assert (draws.low == draws.high).all()
    else:
        assert (draws.low == 0).all()
