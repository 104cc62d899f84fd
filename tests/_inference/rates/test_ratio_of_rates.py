"""The ratio of two proportions: limits are roots of their equations, and the constrained fit is the likeliest."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

from thresher._inference.rates.proportion import proportion_bounds
from thresher._inference.rates.two_rates import ratio_bounds, score_statistic

COUNTS = [(45, 50, 12, 100), (3, 10, 8, 9), (99, 100, 1, 500), (7, 30, 30, 30)]


@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("ratio", [0.2, 1.0, 4.0])
def test_the_statistic_by_numerical_maximisation(counts, ratio):
    x1, n1, x2, n2 = counts

    def loss(p2):
        p1 = ratio * p2
        parts = [(x1, p1), (n1 - x1, 1 - p1), (x2, p2), (n2 - x2, 1 - p2)]
        return -sum(k * math.log(p) for k, p in parts if k)

    top = min(1.0, 1.0 / ratio)
    p2 = scipy.optimize.minimize_scalar(
        loss, bounds=(1e-12, top * (1 - 1e-12)), method="bounded", options={"xatol": 1e-13}
    ).x
    p1 = ratio * p2
    expected = (x1 / n1 - ratio * x2 / n2) / math.sqrt(p1 * (1 - p1) / n1 + ratio**2 * p2 * (1 - p2) / n2)
    assert float(score_statistic(x1, n1, x2, n2, ratio)) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("counts", COUNTS)
def test_limits_solve_their_equations(counts):
    x1, n1, x2, n2 = counts
    low, high = ratio_bounds(*counts, 0.9, "score")
    z = 1.6448536269514722
    assert float(score_statistic(*counts, low)) == pytest.approx(z, rel=1e-9)
    assert float(score_statistic(*counts, high)) == pytest.approx(-z, rel=1e-9)
    p1, p2 = x1 / n1, x2 / n2
    for method, shares in (("bayes", "bayes"), ("mover", "jeffreys")):
        low, high = ratio_bounds(*counts, 0.9, method)
        (l1, l2), (u1, u2) = proportion_bounds(np.array([x1, x2]), np.array([n1, n2]), 0.9, shares)
        assert p1 - low * p2 == pytest.approx(math.hypot(p1 - l1, low * (u2 - p2)), rel=1e-9, abs=1e-12)
        assert high * p2 - p1 == pytest.approx(math.hypot(u1 - p1, high * (p2 - l2)), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("counts", COUNTS)
def test_the_interval_on_the_logarithm_is_scipys(counts):
    want = scipy.stats.contingency.relative_risk(*counts).confidence_interval(0.9)
    assert ratio_bounds(*counts, 0.9, "log") == pytest.approx((want.low, want.high), rel=1e-12)


@pytest.mark.parametrize("method", ["bayes", "mover", "score", "log"])
def test_no_case_in_one_or_in_both(method):
    assert ratio_bounds(0, 20, 0, 30, 0.9, method) == (0.0, math.inf)
    none, every = ratio_bounds(0, 20, 7, 30, 0.9, method), ratio_bounds(7, 30, 0, 20, 0.9, method)
    # The ratio of the exchanged samples is the reciprocal.
    assert every[0] == pytest.approx(1 / none[1], rel=1e-9)
    if method == "log":
        # Half a case more in each count and one in each total.
        want = 7.5 / 31 / (0.5 / 21) * math.exp(-1.6448536269514722 * math.sqrt(1 / 7.5 - 1 / 31 + 1 / 0.5 - 1 / 21))
        assert every[0] == pytest.approx(want, rel=1e-12)
        return
    assert (none[0], every[1]) == (0.0, math.inf)
    if method == "score":
        assert float(score_statistic(0, 20, 7, 30, none[1])) == pytest.approx(-1.6448536269514722, rel=1e-9)
    else:
        shares = {"bayes": "bayes", "mover": "jeffreys"}[method]
        p2, up = 7 / 30, proportion_bounds(np.array([0]), np.array([20]), 0.9, shares)[1][0]
        down = p2 - proportion_bounds(np.array([7]), np.array([30]), 0.9, shares)[0][0]
        assert none[1] * p2 == pytest.approx(math.hypot(up, none[1] * down), rel=1e-9)


def test_the_statistic_where_nothing_varies():
    """No case on either side, or every one on both: equal shares speak for no ratio but their own."""
    assert score_statistic([0.0], 10.0, [0.0], 20.0, 1.7).tolist() == [0.0]
    assert score_statistic([10.0], 10.0, [20.0], 20.0, 1.0).tolist() == [0.0]
