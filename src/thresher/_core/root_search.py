"""Small one-dimensional searches, so that `scipy.optimize` need not be loaded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def bisect(holds: Callable[[float], bool], fails_at: float, holds_at: float) -> float:
    """Return the point nearest to `fails_at` where a monotone condition still holds, to within 1e-16."""
    bad, good = fails_at, holds_at
    while abs(good - bad) > 1e-16:
        middle = bad + (good - bad) / 2.0
        if middle in (bad, good):
            break
        if holds(middle):
            good = middle
        else:
            bad = middle
    return good


def _bracket(
    excess: Callable[[float], float], fails_at: float, holds_at: float, near: float, step: float
) -> tuple[float, float, float, float]:
    """Return two points about `near`, one where `excess` is below 0 if there is one, one where it is not; and it."""
    towards = 1.0 if holds_at > fails_at else -1.0
    low, high = sorted((fails_at, holds_at))
    near = min(max(near, low), high)
    bad, good = near, near
    at_bad = at_good = excess(near)
    while at_bad >= 0.0 and bad != fails_at:
        bad = min(max(bad - towards * step, low), high)
        at_bad = excess(bad)
        step *= 16.0
    while at_good < 0.0 and good != holds_at:
        good = min(max(good + towards * step, low), high)
        at_good = excess(good)
        step *= 16.0
    return bad, good, at_bad, at_good


def rising_root(
    excess: Callable[[float], float], fails_at: float, holds_at: float, *, near: float, step: float
) -> float:
    """Return the point nearest to `fails_at` with `excess` at least 0, which rises towards `holds_at`.

    The same answer as `bisect` to rounding, in a dozen evaluations instead of fifty: the bracket grows from `near`, a
    guess that is good to about `step`, and shrinks by secants that halve the weight of an end which stays (the Illinois
    rule).
    """
    bad, good, weight_bad, weight_good = _bracket(excess, fails_at, holds_at, near, step)
    if weight_bad >= 0.0 or weight_good < 0.0:
        return bad if weight_bad >= 0.0 else good
    kept = 0
    for _ in range(200):
        # A secant that ends on a bracket's end asks its neighbour, which closes the bracket or moves it.
        least = max(5e-17, math.ulp(good))
        if abs(good - bad) <= 2.0 * least:
            break
        middle = bad - weight_bad * (good - bad) / (weight_good - weight_bad)
        middle = min(max(middle, min(bad, good) + least), max(bad, good) - least)
        value = excess(middle)
        if value >= 0.0:
            good, weight_good = middle, value
            if kept == 1:
                weight_bad /= 2.0
            kept = 1
        else:
            bad, weight_bad = middle, value
            if kept == -1:
                weight_good /= 2.0
            kept = -1
    return good


def minimise(function: Callable[[float], float], grid: Sequence[float], *, steps: int = 40) -> float:
    """Return where the function is least: the best point of an ascending grid, refined by golden sections."""
    values = [function(point) for point in grid]
    best = min(range(len(grid)), key=values.__getitem__)
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    found, least = grid[best], values[best]
    for _ in range(steps):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = function(right)
    for point, value in ((left, at_left), (right, at_right)):
        if value < least:
            found, least = point, value
    return found
