"""Theorems 1 and 2: sums in place of simulations, against sums of another kind."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import thresher as th
from papers.cortes_mohri import theorems


@pytest.mark.parametrize("total, p", [(1, 0.5), (20, 0.05), (300, 0.4)])
def test_the_binomial_law(total, p):
    want = stats.binom.pmf(np.arange(total + 1), total, p)
    np.testing.assert_allclose(theorems._binomial(total, p), want, rtol=1e-10)


@pytest.mark.parametrize("eps", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("p", [0.05, 0.3, 0.5])
def test_no_shorter_range_has_the_probability(p, eps):
    weight = theorems._binomial(14, p)
    low, high = theorems._central(weight, eps)
    assert weight[low : high + 1].sum() >= 1 - eps
    width = high - low  # one value fewer is not enough, wherever it lies
    assert max(weight[start : start + width].sum() for start in range(15 - width + 1)) < 1 - eps


def test_coverage_is_the_share_of_error_counts_that_cover():
    auc, size = 0.8, 10
    rate = stats.norm.cdf(-np.sqrt(2) * stats.norm.ppf(auc) / 2)
    covered = length = 0.0
    for k, weight in enumerate(stats.binom.pmf(np.arange(21), 20, rate)):
        low, high = th.cortes_mohri(size, size, k, error_interval="normal")
        covered += weight * (low <= auc <= high)
        length += weight * (high - low)
    found = theorems.coverage(auc, size, error_interval="normal")
    assert found == pytest.approx((covered, length), abs=1e-5)  # counts with hardly any weight are left out


def test_ranges_of_errors_are_the_printed_ones():
    assert [check.agrees for check in theorems._error_ranges()] == [True, True]
