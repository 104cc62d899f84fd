"""Sharp bounds and shortest intervals, against linear programming and search on a grid."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import linprog

from thresher._core.root_search import bisect
from thresher._core.sums import dot
from thresher._inference.auc_moments import moments
from thresher._inference.error_counts import (
    ErrorMixture,
    error_law,
    miss_bound,
    shortest_constant_selberg,
    shortest_gaussian,
    shortest_optimal,
)


def bound_of(mean, variance, low, high, bound):
    return float(miss_bound(np.array([mean]), np.array([variance]), low, high, bound)[0])


def largest_miss(variance, below, above):
    """The largest P(X not in [-below, above]) over laws on a grid with mean 0 and this variance."""
    reach = 12 * max(below, above, math.sqrt(variance))
    grid = np.unique(np.concatenate([np.linspace(-reach, reach, 4001), [-below - 1e-9, above + 1e-9]]))
    outside = (grid < -below) | (grid > above)
    found = linprog(
        -outside.astype(float), A_eq=[np.ones_like(grid), grid, grid**2], b_eq=[1.0, 0.0, variance], method="highs"
    )
    return -found.fun


@pytest.mark.parametrize(
    ("variance", "below", "above"),
    [
        (1.0, 2.0, 2.0),
        (1.0, 2.0, 9.0),
        (1.0, 3.0, 3.4),
        (0.5, 4.0, 1.0),
        (1.0, 1.1, 1.0),
        (2.0, 1.0, 1.0),
        (1.0, 0.4, 8.0),
    ],
)
def test_selberg_is_sharp(variance, below, above):
    ours = bound_of(0.0, variance, -below, above, "selberg")
    assert ours == pytest.approx(min(1.0, largest_miss(variance, below, above)), abs=2e-3)


def test_selberg_is_never_worse():
    rng = np.random.default_rng(3)
    for _ in range(300):
        mean, variance = rng.normal(), rng.exponential()
        low, high = mean - rng.exponential(3), mean + rng.exponential(3)
        selberg = bound_of(mean, variance, low, high, "selberg")
        assert 0.0 <= selberg <= bound_of(mean, variance, low, high, "chebyshev") + 1e-15
        # Longer intervals are missed less.
        assert bound_of(mean, variance, low - 0.1, high, "selberg") <= selberg + 1e-15


def test_free_ends_and_points():
    assert bound_of(0.0, 1.0, -2.0, math.inf, "selberg") == pytest.approx(1 / 5)
    assert bound_of(0.0, 1.0, -2.0, math.inf, "chebyshev") == pytest.approx(1 / 4)
    assert bound_of(0.0, 1.0, 0.5, 3.0, "selberg") == bound_of(0.0, 1.0, 0.5, 3.0, "chebyshev") == 1.0
    assert bound_of(1.0, 0.0, 0.5, 1.0, "selberg") == bound_of(1.0, 0.0, 0.5, 1.0, "chebyshev") == 0.0
    assert bound_of(1.0, 0.0, 0.5, 0.9, "selberg") == 1.0


def mixture(m, n, k0, law="binomial"):
    k, weight = error_law(k0, m + n, law)
    found = moments(m, n, k)
    return ErrorMixture(k, weight, found.mean, found.variance)


@pytest.mark.parametrize("bound", ["chebyshev", "selberg"])
def test_optimal_is_feasible_and_shortest_on_a_grid(bound):
    parts = mixture(60, 90, 35)
    low, high = shortest_optimal(parts, bound, 0.9)

    def covered(a, b):
        return dot(parts.weight, 1 - miss_bound(parts.mean, parts.variance, a, b, bound))

    assert covered(low, high) >= 0.9
    assert covered(low, high) == pytest.approx(0.9, abs=1e-9)
    shorter = 0.998 * (high - low)
    for start in np.linspace(low - 0.1, low + 0.1, 400):
        assert covered(start, start + shorter) < 0.9


def test_optimal_uses_a_free_end():
    low, high = shortest_optimal(mixture(40, 60, 1, "predictive"), "selberg", 0.95)
    assert high == 1.0
    parts = mixture(40, 60, 1, "predictive")
    covered = float(parts.weight @ (1 - miss_bound(parts.mean, parts.variance, low, math.inf, "selberg")))
    assert covered == pytest.approx(0.95, abs=1e-9)


def test_gaussian_thinned_search_agrees_with_the_full_one():
    # 24 000 values of k: a1 is searched on 2000 of them, a0 is exact.
    parts = mixture(1_000_000, 1_500_000, 400_000)
    low, high, a0, a1, used = shortest_gaussian(parts, 400_000, 0.95)
    for factor in (0.97, 1.03):
        other = a1 * factor
        eps = a0 * np.exp((parts.k - 400_000.0) ** 2 / (2 * other**2))
        scale = bisect(lambda c: float(parts.weight @ np.maximum(0, 1 - c * eps)) >= 0.95, 5.0, 0.0)  # noqa: B023
        inside = scale * eps < 1
        arm = np.sqrt(parts.variance[inside] / (scale * eps[inside]))
        assert np.max(parts.mean[inside] + arm) - np.min(parts.mean[inside] - arm) >= high - low
    assert used.sum() > 100


@pytest.mark.parametrize("errors", [15, 85])
def test_gaussian_is_the_shortest_of_a_grid_and_turns_with_the_errors(errors):
    parts = mixture(40, 60, errors, "predictive")
    low, high, a0, a1, _ = shortest_gaussian(parts, errors, 0.9)
    distance = (parts.k - float(errors)) ** 2
    spread = math.sqrt(float(parts.weight @ distance))

    def length(width):
        growth = np.exp(np.minimum(distance / (2 * width**2), 500))
        scale = bisect(lambda c: float(parts.weight @ np.maximum(0, 1 - c * growth)) >= 0.9, 1.0, 0.0)
        inside = scale * growth < 1
        arm = np.sqrt(parts.variance[inside] / (scale * growth[inside]))
        return np.max(parts.mean[inside] + arm) - np.min(parts.mean[inside] - arm)

    assert length(a1) == pytest.approx(high - low, rel=1e-9)
    assert float(parts.weight @ np.maximum(0, 1 - a0 * np.exp(distance / (2 * a1**2)))) == pytest.approx(0.9)
    assert high - low <= 1.0001 * min(length(spread * factor) for factor in np.geomspace(0.4, 30, 40))
    # With all calls exchanged the errors are the rest, and the area is what was missing to 1.
    other = shortest_gaussian(mixture(40, 60, 100 - errors, "predictive"), 100 - errors, 0.9)
    assert (1 - other[1], 1 - other[0]) == pytest.approx((low, high), rel=1e-6)


@pytest.mark.parametrize(("m", "n", "ks"), [(60, 90, range(20, 50)), (136, 232, range(60, 120)), (30, 30, range(30))])
def test_constant_selberg(m, n, ks):
    found = moments(m, n, np.array(ks))
    eps = 0.1
    low, high, at_low, at_high = shortest_constant_selberg(found.mean, found.variance, eps)

    def worst(a, b):
        return float(np.max(miss_bound(found.mean, found.variance, a, b, "selberg")))

    # A free end at 0 or 1 is as good as an infinite one.
    ends = (low if low > 0 else -math.inf, high if high < 1 else math.inf)
    assert worst(*ends) <= eps + 1e-9
    arm = np.sqrt(found.variance / eps)
    assert min(high, 1) - max(low, 0) <= min(np.max(found.mean + arm), 1) - max(np.min(found.mean - arm), 0)
    assert 0 <= at_low < len(ks)
    assert 0 <= at_high < len(ks)
    if ends == (low, high):
        shorter = 0.999 * (high - low)
        for start in np.linspace(low - 0.05, low + 0.05, 200):
            assert worst(start, start + shorter) > eps


@pytest.mark.parametrize(("m", "n", "ks"), [(60, 90, range(20, 50)), (136, 232, range(60, 120)), (200, 300, [100])])
@pytest.mark.parametrize("eps", [0.05, 0.1, 0.3])
def test_the_rows_that_hold_the_ends_of_constant_selberg(m, n, ks, eps):
    """An end can move no further in because one row's bound has reached eps there: that is the row named."""
    found = moments(m, n, np.array(ks))
    low, high, at_low, at_high = shortest_constant_selberg(found.mean, found.variance, eps)
    assert 0 < low < high < 1
    step = 1e-6 * (high - low)
    for row, ends in ((at_low, (low + step, high)), (at_high, (low, high - step))):
        there = miss_bound(found.mean[[row]], found.variance[[row]], *ends, "selberg")
        assert there > eps
        assert there == pytest.approx(np.max(miss_bound(found.mean, found.variance, *ends, "selberg")), abs=1e-6)
    # What is left of eps is nothing, at either end.
    for row in (at_low, at_high):
        reached = float(miss_bound(found.mean[[row]], found.variance[[row]], low, high, "selberg")[0])
        assert reached == pytest.approx(eps, rel=1e-5)


@pytest.mark.parametrize("eps", [0.05, 0.1, 0.3])
def test_constant_selberg_of_one_row_is_chebyshevs_interval(eps):
    """About a mean alone the shortest interval is symmetric, where Selberg's bound is Chebyshev's v / t^2."""
    found = moments(200, 300, np.array([100]))
    low, high, *_ = shortest_constant_selberg(found.mean, found.variance, eps)
    arm = math.sqrt(found.variance[0] / eps)
    assert high - low == pytest.approx(2 * arm, rel=1e-6)
    assert (low + high) / 2 == pytest.approx(found.mean[0], abs=2e-2 * arm)


@pytest.mark.parametrize("eps", [0.1, 0.25])
def test_constant_selberg_of_two_rows_is_the_shortest_of_a_grid(eps):
    """Means so near each other that both rows hold an end: no interval on a fine grid is shorter."""
    mean, variance = np.array([0.50, 0.52]), np.array([0.0004, 0.0002])
    low, high, *_ = shortest_constant_selberg(mean, variance, eps)
    assert np.max(miss_bound(mean, variance, low, high, "selberg")) <= eps + 1e-9
    for start in np.linspace(low - 0.03, low + 0.03, 600):
        assert np.max(miss_bound(mean, variance, start, start + 0.998 * (high - low), "selberg")) > eps


def test_the_row_that_holds_an_end_is_not_the_one_nearest_to_it():
    """One wide row alone decides: 0.5 -+ 0.01 / sqrt(0.1). Two narrow ones stand near its ends without reaching eps."""
    mean, variance = np.array([0.4723, 0.5, 0.5277]), np.array([1e-6, 1e-4, 1e-6])
    low, high, at_low, at_high = shortest_constant_selberg(mean, variance, 0.1)
    assert (low, high) == pytest.approx((0.5 - 0.1**0.5 / 10, 0.5 + 0.1**0.5 / 10), abs=1e-4)
    assert (at_low, at_high) == (1, 1)


@pytest.mark.parametrize("eps", [0.05, 0.25])
def test_a_row_without_spread_only_has_to_be_inside(eps):
    """One area is 0.5 for certain, the other 0.4 give or take 0.01: from where the second needs it up to 0.5."""
    mean, variance = np.array([0.5, 0.4]), np.array([0.0, 1e-4])
    low, high, at_low, at_high = shortest_constant_selberg(mean, variance, eps)
    assert (high, at_low, at_high) == (0.5, 1, 0)
    assert np.max(miss_bound(mean, variance, low, high, "selberg")) <= eps + 1e-9
    # So far above it Selberg's bound is the one-sided v / (v + t^2).
    assert low == pytest.approx(0.4 - 0.01 * math.sqrt(1 / eps - 1), abs=1e-9)
    # Alone it is a point.
    assert shortest_constant_selberg(mean[:1], variance[:1], eps) == (0.5, 0.5, 0, 0)
