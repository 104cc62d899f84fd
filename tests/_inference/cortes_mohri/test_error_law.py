"""Laws of the number of errors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from thresher._inference.error_counts import error_law, thinned


def left_out(law, k, total):
    """The mass beside the window, added up (SciPy's tails are one minus a sum)."""
    beside = np.concatenate([np.arange(max(0, k[0] - 500), k[0]), np.arange(k[-1] + 1, min(total, k[-1] + 500) + 1)])
    return float(law.pmf(beside).sum())


@pytest.mark.parametrize(("k0", "total"), [(0, 20), (1, 20), (20, 20), (88, 368), (3, 10_000), (9_999, 10_000)])
def test_against_scipy(k0, total):
    k, weight = error_law(k0, total, "predictive")
    expected = stats.betabinom(total, k0 + 0.5, total - k0 + 0.5)
    assert weight == pytest.approx(expected.pmf(k), rel=1e-8, abs=1e-18)
    assert left_out(expected, k, total) < 1e-18
    k, weight = error_law(k0, total, "binomial")
    expected = stats.binom(total, k0 / total)
    assert weight == pytest.approx(expected.pmf(k), rel=1e-9, abs=1e-18)
    assert left_out(expected, k, total) < 1e-18


@pytest.mark.parametrize("law", ["predictive", "binomial"])
def test_moments_at_a_billion(law):
    total, k0 = 10**9, 10**8
    k, weight = error_law(k0, total, law)
    p = (k0 + 0.5) / (total + 1) if law == "predictive" else k0 / total
    more = (2 * total + 1) / (total + 2) if law == "predictive" else 1.0
    centred = (k - k0).astype(float)
    mean = float(weight @ centred)
    assert mean == pytest.approx(total * p - k0, abs=1e-3)
    assert float(weight @ (centred - mean) ** 2) == pytest.approx(total * p * (1 - p) * more, rel=1e-9)


def test_thinning_keeps_the_mass():
    k, weight = error_law(5000, 100_000, "binomial")
    few, mass = thinned(k, weight, 100)
    assert few.size <= 100
    assert mass.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.isin(few, k).all()
    assert float(mass @ few) == pytest.approx(5000, abs=0.6 * (k.size / 100))
    same, untouched = thinned(k, weight, k.size)
    assert same is k
    assert untouched is weight
