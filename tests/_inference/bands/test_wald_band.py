"""The normal and logit bands against the variance of Hughes-Oliver's Theorem 1, in a case where all is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from support.cases import CASES
from thresher._inference.bands.curve_band import pr_band, roc_band
from thresher._table import Counts
from thresher.exceptions import ThresherWarning

X = np.array([0.3, 0.5, 0.7, 0.9])


def theorem_1(x: np.ndarray, skew: float, *, fixed: bool) -> np.ndarray:
    """sigma(x) of equation (9) for two normals of variance 1, the means 1.4 apart."""
    threshold = 1.4 + norm.isf(x)
    alpha = norm.sf(threshold)
    ratio = norm.pdf(threshold) / norm.pdf(threshold - 1.4)
    precision = x / (x + skew * alpha)
    inner = skew * ratio**2 * x * (1 - x) + alpha * (1 - alpha)
    if not fixed:
        inner += alpha**2 * (1 + skew)
    return precision**2 / x * np.sqrt(skew * (1 + skew) * inner)


@pytest.mark.parametrize("skew", [1, 4])
@pytest.mark.parametrize("design", ["random", "fixed"])
@pytest.mark.parametrize("method", ["normal", "logit"])
def test_half_width_is_the_asymptotic_one_in_large_samples(skew: int, design: str, method: str) -> None:
    n = 400_000
    counts = CASES["A"].draw(np.random.default_rng(1), n, skew)
    band = pr_band(counts, X, method=method, design=design)
    half = (band.high - band.low) / 2 / norm.isf(0.025)
    want = theorem_1(X, skew, fixed=design == "fixed") / np.sqrt(n)
    assert half == pytest.approx(want, rel=0.06)


@pytest.mark.parametrize("method", ["normal", "logit"])
def test_roc_half_width_in_large_samples(method: str) -> None:
    n = 400_000
    counts = CASES["A"].draw(np.random.default_rng(2), n, 1)
    band = roc_band(counts, X / 2, method=method)
    threshold = norm.isf(X / 2)
    tpr = norm.sf(threshold - 1.4)
    ratio = norm.pdf(threshold - 1.4) / norm.pdf(threshold)
    want = np.sqrt((tpr * (1 - tpr) + ratio**2 * (X / 2) * (1 - X / 2)) / (n / 2))
    assert (band.high - band.low) / 2 / norm.isf(0.025) == pytest.approx(want, rel=0.06)


def test_bands_of_large_samples_agree_with_binomial_beta() -> None:
    counts = CASES["A"].draw(np.random.default_rng(3), 100_000, 4)
    exact = pr_band(counts, X)
    for method in ("normal", "logit"):
        other = pr_band(counts, X, method=method)
        assert other.low == pytest.approx(exact.low, abs=0.15 * (exact.high - exact.low).max())
        assert other.high == pytest.approx(exact.high, abs=0.15 * (exact.high - exact.low).max())


def test_distrust_says_where_and_why() -> None:
    counts = CASES["C"].draw(np.random.default_rng(4), 500, 10, fixed=True)
    with pytest.warns(ThresherWarning) as caught:
        pr_band(counts, [0.05, 0.5, 0.95], method="normal")
    assert [str(w.message) for w in caught] == [
        (
            "The band of method 'normal' must not be trusted here: fewer than 10 negatives above the threshold at 2 of "
            "3 points; fewer than 5 positives above it at 1 of 3 points; fewer than 5 positives below it at 1 of 3 "
            "points. Hint: 'binomial-beta' covers there."
        )
    ]


def test_distrust_of_few_distinct_scores() -> None:
    rng = np.random.default_rng(5)
    counts = Counts.from_pos_neg(rng.integers(1, 4, 100), rng.integers(0, 3, 200))
    with pytest.warns(ThresherWarning) as caught:
        pr_band(counts, [0.5], method="logit")
    assert [str(w.message) for w in caught] == [
        (
            "The band of method 'logit' must not be trusted here: only 3 distinct scores among 100 positives, so they "
            "have no density. Hint: 'binomial-beta' covers there."
        )
    ]
