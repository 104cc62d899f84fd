"""Two rates compared: differences and likelihood ratios on the same cases, and ratios of independent rates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.root_search import bisect
from thresher._inference.interval import normal_quantile
from thresher._inference.rates.proportion import proportion_bounds
from thresher.typing import ArrayLike, FloatArray

__all__ = [
    "RATIO_METHODS",
    "log_ratio_difference",
    "newcombe_paired",
    "predictive_value_test",
    "ratio_bounds",
    "ratio_excluded",
    "score_statistic",
    "tango",
]


def tango(only_a: float, only_b: float, total: float, level: float) -> tuple[float, float]:
    """Return the score limits of the difference of two paired shares, a minus b."""
    z = normal_quantile(level)

    def inside(delta: float) -> bool:
        square = 2.0 * total
        linear = -only_a - only_b + (2.0 * total - only_a + only_b) * delta
        constant = -only_b * delta * (1.0 - delta)
        # The likeliest proportion of "b alone" where the difference is delta.
        share = (math.sqrt(max(linear * linear - 4.0 * square * constant, 0.0)) - linear) / (2.0 * square)
        spread = total * (2.0 * share + delta * (1.0 - delta))
        gap = only_a - only_b - total * delta
        return gap * gap <= z * z * max(spread, 0.0)

    seen = (only_a - only_b) / total
    low = -1.0 if seen == -1.0 else bisect(inside, -1.0, seen)
    high = 1.0 if seen == 1.0 else bisect(inside, 1.0, seen)
    return low, high


def newcombe_paired(both: float, only_a: float, only_b: float, neither: float, level: float) -> tuple[float, float]:
    """Return Newcombe's tenth interval of the difference of two paired shares: Wilson limits with their correlation."""
    total = both + only_a + only_b + neither
    a, b = both + only_a, both + only_b
    low, high = proportion_bounds(np.array([a, b]), np.array([total, total]), level, "wilson")
    cross = both * neither - only_a * only_b
    if cross > 0.0:
        cross = max(cross - total / 2.0, 0.0)
    product = a * (total - a) * b * (total - b)
    phi = cross / math.sqrt(product) if product > 0.0 else 0.0
    pa, pb = a / total, b / total

    def reach(x: float, y: float) -> float:
        return math.sqrt(max(x * x - 2.0 * phi * x * y + y * y, 0.0))

    down = reach(pa - float(low[0]), float(high[1]) - pb)
    up = reach(float(high[0]) - pa, pb - float(low[1]))
    return max(pa - pb - down, -1.0), min(pa - pb + up, 1.0)


def predictive_value_test(
    right_a: float, called_a: float, right_b: float, called_b: float, both_right: float, both_wrong: float
) -> tuple[float, float]:
    """Return statistic and p-value of equal predictive values: Kosinski's weighted generalised score statistic."""
    if called_a == 0.0 or called_b == 0.0:
        return math.nan, math.nan
    pooled = (right_a + right_b) / (called_a + called_b)
    shared = (both_right * (1.0 - pooled) ** 2 + both_wrong * pooled**2) / (called_a + called_b)
    spread = (pooled * (1.0 - pooled) - 2.0 * shared) * (1.0 / called_a + 1.0 / called_b)
    gap = right_a / called_a - right_b / called_b
    if gap == 0.0:
        return 0.0, 1.0
    if spread <= 0.0:
        return math.nan, math.nan
    statistic = gap * gap / spread
    return statistic, float(scipy.special.chdtrc(1.0, statistic))


def log_ratio_difference(
    found: tuple[float, float, float], alarmed: tuple[float, float, float], level: float
) -> tuple[float, float, float, float]:
    """Return the ratio of two likelihood ratios with its limits and p-value.

    Each tuple holds (both, a only, b only) of one class: calls among positives, then among negatives.
    """
    variance = 0.0
    centre = 0.0
    for sign, (both, only_a, only_b) in ((1.0, found), (-1.0, alarmed)):
        a, b = both + only_a, both + only_b
        if a == 0.0 or b == 0.0:
            return math.nan, 0.0, math.inf, math.nan
        centre += sign * (math.log(a) - math.log(b))
        # Delta method with the paired covariance of the two shares; their total cancels.
        variance += 1.0 / a + 1.0 / b - 2.0 * both / (a * b)
    reach = normal_quantile(level) * math.sqrt(max(variance, 0.0))
    chance = 1.0 if centre == 0.0 else math.nan
    if variance > 0.0:
        chance = 2.0 * float(scipy.special.ndtr(-abs(centre) / math.sqrt(variance)))
    return math.exp(centre), math.exp(centre - reach), math.exp(centre + reach), chance


RATIO_METHODS = ("bayes", "mover", "score", "log")
# Whose limits of the two shares are joined.
_JOINED = {"bayes": "bayes", "mover": "jeffreys"}


def score_statistic(x1: ArrayLike, n1: float, x2: ArrayLike, n2: float, ratio: float) -> FloatArray:
    """Koopman's statistic: p1 - ratio p2 over its standard error at the likeliest pair with that ratio.

    Negative where the data speak for a smaller ratio; 0 where the variance is 0 and so is the difference.
    """
    a, b = np.asarray(x1, dtype=np.float64), np.asarray(x2, dtype=np.float64)
    gap = a / n1 - ratio * b / n2
    square = (n1 + n2) * ratio
    linear = -(n1 * ratio + a + n2 + b * ratio)
    both = a + b
    # The smaller root; written so that it does not cancel.
    p2 = 2.0 * both / (-linear + np.sqrt(np.maximum(linear * linear - 4.0 * square * both, 0.0)))
    p1 = np.minimum(ratio * p2, 1.0)
    spread = np.sqrt(p1 * (1.0 - p1) / n1 + ratio * ratio * p2 * np.maximum(1.0 - p2, 0.0) / n2)
    with np.errstate(divide="ignore", invalid="ignore"):
        z = gap / spread
    return np.asarray(np.where(spread > 0.0, z, _limit(gap)))


def _limit(gap: NDArray[Any]) -> NDArray[Any]:
    return np.where(gap == 0.0, 0.0, np.copysign(np.inf, gap))


def ratio_bounds(
    x1: float, n1: float, x2: float, n2: float, confidence_level: float, method: str
) -> tuple[float, float]:
    """Return the limits of p1 / p2; [0, inf] where both counts are 0."""
    if x1 == 0.0 and x2 == 0.0:
        return 0.0, math.inf
    if method in _JOINED:
        return _joined(x1, n1, x2, n2, confidence_level, _JOINED[method])
    if method == "score":
        return _score(x1, n1, x2, n2, confidence_level)
    return _logarithm(x1, n1, x2, n2, confidence_level)


def _joined(x1: float, n1: float, x2: float, n2: float, level: float, shares: str) -> tuple[float, float]:
    """Return the limits that Donner and Zou make from those of either share."""
    counts, totals = np.array([x1, x2]), np.array([n1, n2])
    (l1, l2), (u1, u2) = (end.tolist() for end in proportion_bounds(counts, totals, level, shares))
    p1, p2 = x1 / n1, x2 / n2
    low = 0.0 if x1 == 0.0 else _smaller_root(p1, p2, p1 - l1, u2 - p2)
    high = math.inf if x2 == 0.0 else _larger_root(p1, p2, u1 - p1, p2 - l2)
    return low, high


def ratio_excluded(
    x1: FloatArray, n1: int, x2: FloatArray, n2: int, ratio: float, level: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return whether the default limits of p1 / p2 lie above a ratio, and whether below; for many counts at once.

    The limits solve p1 - L p2 = sqrt(down^2 + L^2 up^2) and the like, of which one side falls and the other rises in L:
    putting the ratio in for L tells on which side of it they lie.
    """
    p1, p2 = x1 / n1, x2 / n2
    shares = _JOINED[RATIO_METHODS[0]]
    l1, u1 = proportion_bounds(x1, np.full_like(x1, float(n1)), level, shares)
    l2, u2 = proportion_bounds(x2, np.full_like(x2, float(n2)), level, shares)
    above = p1 - ratio * p2 > np.hypot(p1 - l1, ratio * (u2 - p2))
    below = ratio * p2 - p1 > np.hypot(u1 - p1, ratio * (p2 - l2))
    return np.asarray(above & (x1 > 0.0)), np.asarray(below & (x2 > 0.0))


def _smaller_root(p1: float, p2: float, down: float, up: float) -> float:
    """Solve p1 - L p2 = sqrt(down^2 + L^2 up^2) for L: a quadratic, by the form that does not cancel."""
    constant = (p1 - down) * (p1 + down)
    square = (p2 - up) * (p2 + up)
    return constant / (p1 * p2 + math.sqrt(max((p1 * p2) ** 2 - square * constant, 0.0)))


def _larger_root(p1: float, p2: float, up: float, down: float) -> float:
    """Solve U p2 - p1 = sqrt(up^2 + U^2 down^2) for U."""
    constant = (p1 - up) * (p1 + up)
    square = (p2 - down) * (p2 + down)
    if square <= 0.0:  # the other share may be 0, as far as so little of a case can tell
        return math.inf
    return (p1 * p2 + math.sqrt(max((p1 * p2) ** 2 - square * constant, 0.0))) / square


def _score(x1: float, n1: float, x2: float, n2: float, level: float) -> tuple[float, float]:
    z = normal_quantile(level)

    def inside(log: float) -> bool:
        return abs(float(score_statistic(x1, n1, x2, n2, math.exp(log)))) <= z

    # Half a case stands in for none, to have a finite place inside the interval from which to search.
    middle = math.log((max(x1, 0.5) / n1) / (max(x2, 0.5) / n2))
    low = 0.0 if x1 == 0.0 else math.exp(bisect(inside, middle - 40.0, middle))
    high = math.inf if x2 == 0.0 else math.exp(bisect(inside, middle + 40.0, middle))
    return low, high


def _logarithm(x1: float, n1: float, x2: float, n2: float, level: float) -> tuple[float, float]:
    if x1 == 0.0 or x2 == 0.0:
        x1, n1, x2, n2 = x1 + 0.5, n1 + 1.0, x2 + 0.5, n2 + 1.0
    reach = normal_quantile(level) * math.sqrt(1.0 / x1 - 1.0 / n1 + 1.0 / x2 - 1.0 / n2)
    centre = math.log(x1) - math.log(n1) - math.log(x2) + math.log(n2)
    return math.exp(centre - reach), math.exp(centre + reach)
