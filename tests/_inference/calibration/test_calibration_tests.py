"""Named tests of calibration by hand, and the tail of a Brownian range by its other series."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._inference.calibration.calibration_tests import (
    cumulative_differences,
    cumulative_test,
    hosmer_lemeshow,
    range_tail,
    spiegelhalter,
)

X = np.array([0.9, 0.6, 0.3, 0.1])
POS = np.array([5, 4, 3, 0])
NEG = np.array([1, 2, 5, 4])
ROWS = np.repeat(np.tile(X, 2), np.concatenate((POS, NEG)))
LABELS = np.repeat([1, 0], [POS.sum(), NEG.sum()])


def test_spiegelhalter_row_by_row():
    """The mean Brier score less what the scores promise, over its spread."""
    brier = ((LABELS - ROWS) ** 2).sum()
    expected = (ROWS * (1 - ROWS)).sum()
    spread = ((1 - 2 * ROWS) ** 2 * ROWS * (1 - ROWS)).sum()
    found = spiegelhalter(X, POS, NEG)
    assert found.statistic == pytest.approx((brier - expected) / math.sqrt(spread))
    assert found.pvalue == pytest.approx(2 * stats.norm.sf(abs(found.statistic)))


def test_spiegelhalter_is_blind_at_one_half():
    with pytest.raises(th.UndefinedMetricError, match="needs a score other than 0, 1/2 and 1"):
        spiegelhalter(np.array([1.0, 0.5, 0.0]), np.array([1, 1, 0]), np.array([0, 1, 1]))


@pytest.mark.parametrize("groups", [2, 4])
def test_hosmer_and_lemeshow_row_by_row(groups):
    # Twelve rows are half of 24: the scores 0.1 and 0.3 have exactly so many.
    parts = [[3, 2], [1, 0]] if groups == 2 else [[3], [2], [1], [0]]
    total = 0.0
    for part in parts:
        n, seen, hoped = (POS[part] + NEG[part]).sum(), POS[part].sum(), ((POS + NEG) * X)[part].sum()
        total += (seen - hoped) ** 2 / (hoped * (1 - hoped / n))
    found = hosmer_lemeshow(X, POS, NEG, groups)
    assert found.statistic == pytest.approx(total)
    assert found.pvalue == pytest.approx(stats.chi2.sf(total, groups))
    with pytest.raises(th.UndefinedMetricError, match="expected counts above 0 in each group"):
        hosmer_lemeshow(np.array([1.0, 0.5]), np.array([1, 1]), np.array([0, 1]), 2)


def test_cumulative_differences_row_by_row():
    gaps, spread = cumulative_differences(X, POS, NEG)
    want = [(POS[i] - (POS[i] + NEG[i]) * X[i]) / 24 for i in (3, 2, 1, 0)]
    assert gaps == pytest.approx(want)
    assert spread == pytest.approx(math.sqrt((ROWS * (1 - ROWS)).sum()) / 24)
    path = np.cumsum([0.0, *want])
    found = cumulative_test(X, POS, NEG)
    assert found.statistic == pytest.approx((path.max() - path.min()) / spread)
    assert found.pvalue == range_tail(found.statistic)
    with pytest.raises(th.UndefinedMetricError, match="needs a score other than 0 and 1"):
        cumulative_test(np.array([1.0, 0.0]), np.array([1, 0]), np.array([0, 1]))


@pytest.mark.parametrize("r", [0.35, 0.5, 0.8, 2.0])
def test_the_range_in_fifty_digits(r):
    """The terms of the series are many times their sum."""
    with mpmath.workdps(50):
        k_max = int(60 / r)
        want = 8 * mpmath.fsum((-1) ** (k - 1) * k * mpmath.erfc(k * r / mpmath.sqrt(2)) / 2 for k in range(1, k_max))
    assert range_tail(r) == pytest.approx(float(want), abs=1e-13)


@pytest.mark.parametrize("r", [0.8, 1.5, 2.5])
def test_the_range_by_integrating_over_the_largest_value(r):
    """The range is below r if, with the largest value at a, the path stays above a - r."""

    def stays(a, width):  # P(the path stays within (a - width, a))
        k = np.arange(1, 200, 2)
        start = (width - a) / width
        return np.sum(4 / (k * math.pi) * np.sin(k * math.pi * start) * np.exp(-((k * math.pi / width) ** 2) / 2))

    grid, step = np.linspace(0, r, 801), 1e-5
    density = [(stays(a + step, r + step) - stays(a, r)) / step for a in grid]
    assert range_tail(r) == pytest.approx(1 - np.trapezoid(density, grid), abs=1e-3)


def test_tails_at_the_ends():
    assert [range_tail(r) for r in (-1.0, 0.0, 1e-12, 1e-6, 0.1, 0.3)] == [1.0] * 6
    assert range_tail(40.0) == 0.0
    assert range_tail(6.0) == pytest.approx(8 * stats.norm.sf(6.0), rel=1e-9)
