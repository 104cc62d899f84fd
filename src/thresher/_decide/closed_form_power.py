"""Power in closed form: areas from published figures or a pilot's components, and rates by the exact binomial."""

from __future__ import annotations

import math
from collections.abc import Callable

import scipy

from thresher._inference.delong import hanley_mcneil_variance

__all__ = [
    "VarianceBySizes",
    "area_power",
    "auc_variance",
    "critical_count",
    "least_size",
    "noninferiority",
    "rate_power",
    "rate_size",
    "rejection",
    "two_auc_variance",
]

VarianceBySizes = Callable[[int, int], float]
"""The variance of an estimate from so many positives and negatives."""

_MOST = 1 << 40


def rejection(difference: float, null: float, actual: float, level: float, alternative: str) -> float:
    """Return the probability of a significant result when the estimate is normal.

    `null` is the standard error that the test takes, `actual` the one that the estimate has. Of a two-sided test both
    tails count, so that without a difference the power is the level.
    """
    tail = level / 2 if alternative == "two-sided" else level
    z = float(scipy.special.ndtri(1 - tail))
    signs = {"two-sided": (1.0, -1.0), "greater": (1.0,), "less": (-1.0,)}[alternative]
    beyond = [sign * difference - z * null for sign in signs]
    if actual == 0:
        # An estimate that does not vary is significant or is not; nothing against nothing is left to the level.
        return level if difference == null == 0 else float(max(beyond) > 0)
    return float(sum(scipy.special.ndtr(excess / actual) for excess in beyond))


def noninferiority(difference: float, margin: float, error: float, level: float, alternative: str) -> float:
    """Return the probability that a one-sided test excludes a loss of the margin."""
    sign = 1.0 if alternative == "greater" else -1.0
    if error == 0:
        return level if sign * difference + margin == 0 else float(sign * difference + margin > 0)
    return float(scipy.special.ndtr((sign * difference + margin) / error - scipy.special.ndtri(1 - level)))


def area_power(
    difference: float,
    variances: tuple[VarianceBySizes, VarianceBySizes],
    sizes: tuple[int, int],
    level: float,
    alternative: str,
    margin: float | None,
) -> float:
    """Return the power at class sizes; `variances` are under the null hypothesis and at the difference."""
    null, actual = (math.sqrt(max(variance(*sizes), 0.0)) for variance in variances)
    if margin is not None:
        return noninferiority(difference, margin, actual, level, alternative)
    return rejection(difference, null, actual, level, alternative)


def auc_variance(auc: float) -> VarianceBySizes:
    """Return Hanley and McNeil's variance of an area."""
    return lambda n_pos, n_neg: hanley_mcneil_variance(auc, n_pos, n_neg)


def two_auc_variance(auc_a: float, auc_b: float, correlation: float) -> VarianceBySizes:
    """Return the variance of the difference of two areas whose estimates have this correlation."""

    def variance(n_pos: int, n_neg: int) -> float:
        a, b = (hanley_mcneil_variance(auc, n_pos, n_neg) for auc in (auc_a, auc_b))
        return a + b - 2.0 * correlation * math.sqrt(a * b)

    return variance


def least_size(reached: Callable[[int], bool]) -> int:
    """Return the least n from 2 on at which a condition that stays true once it is true holds."""
    high = 2
    while not reached(high):
        high *= 2
        if high > _MOST:
            raise ArithmeticError("no size is enough")
    low = max(high // 2, 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def rate_power(null: float, true: float, n: int, level: float, alternative: str = "greater") -> float:
    """Return the power of the exact binomial test of a rate; two-sided it has half of the level on each side."""
    tail = level / 2.0 if alternative == "two-sided" else level
    above = 0.0 if alternative == "less" else _upper_power(null, true, n, tail)
    below = 0.0 if alternative == "greater" else _upper_power(1.0 - null, 1.0 - true, n, tail)
    return above + below


def _upper_power(null: float, true: float, n: int, level: float) -> float:
    critical = critical_count(null, n, level)
    return 0.0 if critical > n else 1.0 if critical == 0 else float(scipy.special.bdtrc(critical - 1.0, n, true))


def critical_count(null: float, n: int, level: float) -> int:
    """Return the least count of n that the null hypothesis reaches with at most the level; n + 1 if there is none."""
    low, high = -1, n + 1
    while high - low > 1:
        middle = (low + high) // 2
        chance = 1.0 if middle == 0 else float(scipy.special.bdtrc(middle - 1.0, n, null))
        low, high = (low, middle) if chance <= level else (middle, high)
    return high


def rate_size(null: float, true: float, power: float, level: float, alternative: str = "greater") -> int:
    """Return the least number of cases from which the power never falls below again: it rises in a sawtooth."""
    # Beyond twice the normal size, and a hundred more, no tooth reaches down again.
    tail = level / 2.0 if alternative == "two-sided" else level
    z, spare = (float(scipy.special.ndtri(1 - share)) for share in (tail, 1 - power))
    rough = ((z * math.sqrt(null * (1 - null)) + spare * math.sqrt(true * (1 - true))) / (true - null)) ** 2
    n = 2 * math.ceil(rough) + 100
    while n > 1 and rate_power(null, true, n - 1, level, alternative) >= power:
        n -= 1
    return n
