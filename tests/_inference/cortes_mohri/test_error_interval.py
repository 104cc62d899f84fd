"""Ranges of error counts."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from thresher._inference.error_counts import ERROR_INTERVALS, error_range, rounded_outwards


@pytest.mark.parametrize(("k", "total"), [(0, 10), (3, 10), (10, 10), (88, 368), (500, 1000), (10**8, 10**9)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.995])
def test_against_formulas(k, total, level):
    z = stats.norm.isf((1 - level) / 2)
    exact = stats.binomtest(k, total).proportion_ci(level, "exact")
    wilson = stats.binomtest(k, total).proportion_ci(level, "wilson")
    p = k / total
    half = {"normal": z / (2 * math.sqrt(total)), "chebyshev": 1 / (2 * math.sqrt((1 - level) * total))}
    expected = {
        "clopper-pearson": (exact.low, exact.high),
        "wilson": (wilson.low, wilson.high),
        **{name: (p - h, p + h) for name, h in half.items()},
    }
    assert set(expected) == set(ERROR_INTERVALS)
    for method, (low, high) in expected.items():
        first, last = error_range(k, total, level, method)
        # Rounded outwards, with room for the rounding of the two computations.
        assert 0 <= first <= k <= last <= total
        assert first == pytest.approx(max(0, math.floor(low * total)), abs=1 if total > 10**6 else 0)
        assert last == pytest.approx(min(total, math.ceil(high * total)), abs=1 if total > 10**6 else 0)


def test_rounding_outwards():
    assert rounded_outwards(2.3, 4.1, 9) == (2, 5)
    assert rounded_outwards(2.0, 4.0, 9) == (2, 4)
    assert rounded_outwards(-3.2, 11.5, 9) == (0, 9)
