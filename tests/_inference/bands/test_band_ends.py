"""Ends of bands: levels and tails, against laws written down here."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from thresher._inference.bands.band_ends import precision_band, precision_of, share_band
from thresher._inference.bands.binomial_beta import mixtures, odds_interval
from thresher._inference.bands.cuts import cuts_along_positives
from thresher._table import Counts

X = np.array([0.3, 0.5, 0.8])
# Negatives stand above or below all positives, so that at any recall inside (0, 1) 6 of 20 stand above.
APART = cuts_along_positives(Counts.from_counts([3, 2, 1], pos=[0, 400, 0], neg=[6, 0, 14]))
RNG = np.random.default_rng(0)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
def test_tails_of_a_known_law(level):
    """One beta law, Beta(6.5, 14.5), whose quantiles are the ends of the false positive rate, half the rest a side."""
    tail = (1 - level) / 2
    low, high = stats.beta(6.5, 14.5).ppf([tail, 1 - tail])
    share = share_band(APART, X, "binomial-beta", level, 0, RNG)
    assert share[0] == pytest.approx(np.full(3, low), rel=1e-6)
    assert share[1] == pytest.approx(np.full(3, high), rel=1e-6)
    found = precision_band(APART, X, "binomial-beta", level, 0.05, None, 0, RNG)
    assert found[0] == pytest.approx(X / (X + 0.05 * high), rel=1e-6)
    assert found[1] == pytest.approx(X / (X + 0.05 * low), rel=1e-6)


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_tails_with_a_random_class_balance(level):
    """Quantiles of x / (x + odds share), share Beta(6.5, 14.5), positives' share with 3/4 more where it harms."""
    rng = np.random.default_rng(3)
    share = rng.beta(6.5, 14.5, 400_000)
    fewer, more = rng.beta(400, 20.75, 400_000), rng.beta(400.75, 20, 400_000)
    tail = (1 - level) / 2
    found = precision_band(APART, X, "binomial-beta", level, 0.05, (400, 20), 0, RNG)
    for i, x in enumerate(X):
        want = [
            np.quantile(x / (x + (1 - positive) / positive * share), p)
            for positive, p in ((fewer, tail), (more, 1 - tail))
        ]
        assert (found[0][i], found[1][i]) == pytest.approx(want, rel=2e-3)
    low, high = odds_interval((mixtures(APART, X),) * 2, 400, 20, tail)
    assert found[0] == pytest.approx(X / (X + high))
    assert found[1] == pytest.approx(X / (X + low))


@pytest.mark.parametrize("method", ["equal-local-level", "dkw"])
def test_simultaneous_levels_are_shared_out(method):
    """Two classes at the square root of the level; three uncertain things at its cube root."""
    cuts = cuts_along_positives(Counts.from_counts(range(40), pos=np.arange(40) + 1, neg=40 - np.arange(40)))
    low, high = share_band(cuts, X, method, 0.9, 0, RNG)
    known = precision_band(cuts, X, method, 0.9, 2.0, None, 0, RNG)
    assert known[0] == pytest.approx(precision_of(X, 2.0 * high))
    assert known[1] == pytest.approx(precision_of(X, 2.0 * low))
    # A class at the cube root of 0.9 is one of two at 0.9 ** (2 / 3).
    low, high = share_band(cuts, X, method, 0.9 ** (2 / 3), 0, RNG)
    rest = (1 - 0.9 ** (1 / 3)) / 2
    least, most = stats.beta(820, 821).ppf(rest), stats.beta(821, 820).isf(rest)
    random = precision_band(cuts, X, method, 0.9, 1.0, (820, 820), 0, RNG)
    assert random[0] == pytest.approx(X / (X + high * (1 - least) / least))
    assert random[1] == pytest.approx(X / (X + low * (1 - most) / most))


def test_precision_of_nothing_is_1():
    assert precision_of(np.array([0.0, 0.0, 0.5]), np.array([0.0, 0.5, 0.5])).tolist() == [1.0, 0.0, 0.5]
