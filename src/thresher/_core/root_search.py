"""Small one-dimensional searches, so that `scipy.optimize` need not be loaded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

__all__ = ["bisect", "minimise"]

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
