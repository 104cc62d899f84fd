"""Tests between two areas: DeLong's, on the same cases or not, and the limits of each joined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import scipy

from thresher._core.root_search import rising_root
from thresher._core.values import value
from thresher._inference.delong.published import score_interval
from thresher._inference.sampling import quantile

ALTERNATIVES = ("two-sided", "greater", "less")


@value
class DifferenceTest:
    """A test of a difference of two areas, first minus second, with its two-sided interval.

    `statistic` is (difference - null) / standard error, 0 when both are 0; `null` is 0, or minus a margin.
    """

    difference: float
    variance: float
    statistic: float
    df: float
    pvalue: float
    low: float
    high: float
    null: float
    alternative: str
    confidence_level: float


def paired_test(
    difference: float,
    variance: float,
    *,
    df: float = math.inf,
    null: float = 0.0,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    reach: float = 1.0,
) -> DifferenceTest:
    """Test a difference of values, at most `reach`, by the normal distribution or Student's t."""
    se = math.sqrt(variance)
    away = difference - null
    degenerate = 0.0 if away == 0.0 else math.copysign(math.inf, away)
    statistic = away / se if se > 0.0 else degenerate

    def tail(at: float) -> float:
        return float(scipy.special.ndtr(at)) if math.isinf(df) or math.isinf(at) else float(scipy.special.stdtr(df, at))

    if alternative == "two-sided":
        pvalue = 2.0 * tail(-abs(statistic))
    elif statistic == 0.0 and se == 0.0:
        # Scorers that rank alike are no evidence in either direction.
        pvalue = 1.0
    else:
        pvalue = tail(-statistic if alternative == "greater" else statistic)
    half = quantile(confidence_level, df) * se
    low, high = max(difference - half, -reach), min(difference + half, reach)
    return DifferenceTest(
        difference, variance, statistic, df, min(pvalue, 1.0), low, high, null, alternative, confidence_level
    )


def unpaired_test(
    aucs: tuple[float, float],
    variances: tuple[float, float],
    totals: tuple[float, float],
    *,
    covariance: float = 0.0,
    df: float | None = None,
    null: float = 0.0,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    reach: float = 1.0,
) -> DifferenceTest:
    """Compare by Welch's t two areas of samples with these numbers of cases; shared clusters have a `covariance`."""
    df = welch_df(variances, totals) if df is None else df
    variance = max(variances[0] + variances[1] - 2.0 * covariance, 0.0)
    return paired_test(
        aucs[0] - aucs[1],
        variance,
        df=df,
        null=null,
        alternative=alternative,
        confidence_level=confidence_level,
        reach=reach,
    )


def welch_df(variances: Sequence[float], sizes: Sequence[float]) -> float:
    """Degrees of freedom of Welch's t for a sum of variances of means of so many cases; infinite when all are 0.

    Each class of each sample is a mean of its own: with few positives their number counts, however many negatives.
    """
    lower = sum(part**2 / (size - 1.0) for part, size in zip(variances, sizes, strict=True) if part > 0.0)
    return sum(variances) ** 2 / lower if lower > 0.0 else math.inf


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
        distance = z if math.isinf(df) else -float(scipy.special.stdtrit(df, tail))
        step = distance * math.sqrt(self.variance) / (self.area * (1.0 - self.area))
        middle = float(scipy.special.logit(self.area))
        below, above = (
            self.area - float(scipy.special.expit(middle - step)),
            float(scipy.special.expit(middle + step)) - self.area,
        )
        return _PART * down + (1.0 - _PART) * below, _PART * up + (1.0 - _PART) * above


def mover_test(
    a: AreaOfSample,
    b: AreaOfSample,
    *,
    df: float = math.inf,
    null: float = 0.0,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
) -> DifferenceTest:
    """Compare the areas of independent samples by the limits of each.

    The limits of a difference are as far from it as those of both areas to that side, by the root of the sum of squares
    (Zou and Donner 2008, doi:10.1002/sim.3095). The limits of an area are those on the logit scale with DeLong's
    variance, moved by a quarter of the way to the score interval. The p value is that of the interval that ends at the
    null.
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
    low, high = max(difference - down, -1.0), min(difference + up, 1.0)
    return DifferenceTest(
        difference, spread**2, statistic, df, min(pvalue, 1.0), low, high, null, alternative, confidence_level
    )
