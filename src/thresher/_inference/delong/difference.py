"""DeLong's tests between two areas, on the same cases or on independent samples."""

from __future__ import annotations

import math
from collections.abc import Sequence

import scipy

from thresher._core.values import value
from thresher._inference.interval import normal_quantile

__all__ = ["ALTERNATIVES", "DifferenceTest", "paired_test", "unpaired_test", "welch_df"]

ALTERNATIVES = ("two-sided", "greater", "less")


@value
class DifferenceTest:
    """A test of a difference of two areas, first minus second.

    Attributes
    ----------
    difference : float
        First area minus second.
    variance : float
        Variance of the difference.
    statistic : float
        (difference - null) / standard error; 0 when both are 0, infinite when only the standard error is.
    df : float
        Degrees of freedom of the statistic's t distribution; infinite for the normal.
    pvalue : float
        In the direction of `alternative`; 1 for scorers that rank alike.
    low, high : float
        Two-sided interval for the difference, cut to what it can be at most, `reach`.
    null : float
        The difference under the null hypothesis: 0, or minus a non-inferiority margin.
    alternative : str
        "two-sided", "greater" or "less".
    confidence_level : float
        Level of the interval.
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
    """Test a difference of values from the same cases by the normal distribution or Student's t."""
    return _test(difference, variance, df, null, alternative, confidence_level, reach)


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
    """Compare by Welch's t the areas of two independent samples; `totals` are their numbers of cases.

    Samples that share clusters are not independent: `covariance` then is that of the two areas.
    `df` replaces the degrees of freedom of two samples of so many cases.
    """
    df = welch_df(variances, totals) if df is None else df
    variance = max(variances[0] + variances[1] - 2.0 * covariance, 0.0)
    return _test(aucs[0] - aucs[1], variance, df, null, alternative, confidence_level, reach)


def welch_df(variances: Sequence[float], sizes: Sequence[float]) -> float:
    """Degrees of freedom of Welch's t for a sum of variances of means of so many cases; infinite when all are 0.

    Each class of each sample is a mean of its own: with few positives it is their number that counts, however many
    negatives there are.
    """
    lower = sum(part**2 / (size - 1.0) for part, size in zip(variances, sizes, strict=True) if part > 0.0)
    return sum(variances) ** 2 / lower if lower > 0.0 else math.inf


def _test(
    difference: float, variance: float, df: float, null: float, alternative: str, confidence_level: float, reach: float
) -> DifferenceTest:
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
    quantile = (
        normal_quantile(confidence_level)
        if math.isinf(df)
        else -float(scipy.special.stdtrit(df, (1.0 - confidence_level) / 2.0))
    )
    return DifferenceTest(
        difference=difference,
        variance=variance,
        statistic=statistic,
        df=df,
        pvalue=min(pvalue, 1.0),
        low=max(difference - quantile * se, -reach),
        high=min(difference + quantile * se, reach),
        null=null,
        alternative=alternative,
        confidence_level=confidence_level,
    )
