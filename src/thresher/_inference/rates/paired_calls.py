"""Two tests of the same cases: paired differences, predictive values, likelihood ratios."""

from __future__ import annotations

import math

import numpy as np
import scipy

from thresher._core.root_search import bisect
from thresher._inference.interval import normal_quantile
from thresher._inference.rates.proportion import proportion_bounds

__all__ = ["log_ratio_difference", "newcombe_paired", "predictive_value_test", "tango"]


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
