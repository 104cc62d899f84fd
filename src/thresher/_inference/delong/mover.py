"""The difference of two independent areas from the limits of each."""

from __future__ import annotations

import math
from typing import NamedTuple

import scipy

from thresher._core.root_search import rising_root
from thresher._core.values import value
from thresher._inference.delong.score import score_interval

__all__ = ["AreaOfSample", "MoverTest", "mover_test"]

# Of the way from the logit limits, with which equal areas are found to differ too often, to those of the score test,
# with which differing areas are found too rarely: measured in docs/validation/unpaired.md.
_PART = 0.25
_MOST, _FURTHEST = 8.0, 38.0


class AreaOfSample(NamedTuple):
    """An area with DeLong's variance, and the cases of each class."""

    area: float
    variance: float
    n_pos: float
    n_neg: float

    def reach(self, z: float, df: float) -> tuple[float, float]:
        """Return how far below and above the area the limits are that belong to a normal score."""
        tail = float(scipy.special.ndtr(-z))
        # Levels closer to 1 than doubles are reached in proportion.
        level = 1.0 - 2.0 * max(tail, float(scipy.special.ndtr(-_MOST)))
        low, high = score_interval(self.area, self.variance, self.n_pos, self.n_neg, level)
        further = max(z / _MOST, 1.0)
        down, up = further * (self.area - low), further * (high - self.area)
        if self.variance <= 0.0 or not 0.0 < self.area < 1.0:
            return down, up
        quantile = z if math.isinf(df) else -float(scipy.special.stdtrit(df, tail))
        step = quantile * math.sqrt(self.variance) / (self.area * (1.0 - self.area))
        middle = float(scipy.special.logit(self.area))
        below, above = (
            self.area - float(scipy.special.expit(middle - step)),
            float(scipy.special.expit(middle + step)) - self.area,
        )
        return _PART * down + (1.0 - _PART) * below, _PART * up + (1.0 - _PART) * above


@value
class MoverTest:
    """The test of a difference with its interval; the statistic is the normal score of the p value."""

    difference: float
    statistic: float
    pvalue: float
    low: float
    high: float


def mover_test(
    a: AreaOfSample,
    b: AreaOfSample,
    *,
    df: float = math.inf,
    null: float = 0.0,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
) -> MoverTest:
    """Compare the areas of independent samples by the limits of each.

    Notes
    -----
    The limits of a difference are as far from it as the limits of both areas that lie to that side, by the root of the
    sum of squares: the method of variance estimates recovery. The limits of an area are those on the logit scale with
    DeLong's variance, moved by a quarter of the way to those of the score interval. The p value is that of the interval
    that ends at the null hypothesis.

    References
    ----------
    .. [1] G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: a general approach",
       Statistics in Medicine 27 (2008), 1693-1702. https://doi.org/10.1002/sim.3095
    """
    difference = a.area - b.area

    def reach(z: float) -> tuple[float, float]:
        (a_down, a_up), (b_down, b_up) = a.reach(z, df), b.reach(z, df)
        return math.hypot(a_down, b_up), math.hypot(a_up, b_down)

    away = difference - null
    side = 0 if away > 0.0 else 1
    spread = math.sqrt(a.variance + b.variance)
    guess = min(abs(away) / spread, _MOST) if spread > 0.0 else 1.0
    z = rising_root(lambda z: reach(z)[side] - abs(away), 0.0, _FURTHEST, near=guess, step=0.5) if away else 0.0
    statistic = math.copysign(z, away)
    if alternative == "two-sided":
        pvalue = 2.0 * float(scipy.special.ndtr(-z))
    else:
        pvalue = float(scipy.special.ndtr(-statistic if alternative == "greater" else statistic))
    down, up = reach(-float(scipy.special.ndtri((1.0 - confidence_level) / 2.0)))
    return MoverTest(difference, statistic, min(pvalue, 1.0), max(difference - down, -1.0), min(difference + up, 1.0))
