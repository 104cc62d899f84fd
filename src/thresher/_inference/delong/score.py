"""Intervals for the area under the ROC curve that have length at 0 and 1: by inverting a score test, or guaranteed."""

from __future__ import annotations

import math

from thresher._core.root_search import bisect
from thresher._inference.delong.published import newcombe_variance
from thresher._inference.interval import normal_quantile

__all__ = ["SCORE_METHODS", "exact_interval", "score_inflation", "score_interval"]

SCORE_METHODS = ("score", "exact")


def exact_interval(auc: float, n_pos: float, n_neg: float, confidence_level: float) -> tuple[float, float]:
    """Interval that holds the area at least as often as it says, whatever the scores.

    Notes
    -----
    The area of a sample is an average, over the ways to pair the cases of the smaller class with as many of the other,
    of means of k = min(n_pos, n_neg) independent comparisons. By Hoeffding's argument the tail of such an average is
    not heavier than exp(-k KL(auc, area)), and the limits are where that is half of what may be missed. At an area of
    1 the lower limit is (alpha / 2)^(1 / k), which cannot be bettered without an assumption.

    References
    ----------
    .. [1] W. Hoeffding, "Probability inequalities for sums of bounded random variables", JASA 58 (1963), 13-30,
       section 5. https://doi.org/10.1080/01621459.1963.10500830
    """
    pairs = min(n_pos, n_neg)
    allowed = math.log(2.0 / (1.0 - confidence_level)) / pairs

    def reached(area: float) -> bool:
        return _divergence(auc, area) <= allowed

    low = bisect(reached, 0.0, auc) if auc > 0.0 else 0.0
    high = bisect(reached, 1.0, auc) if auc < 1.0 else 1.0
    return low, high


def _divergence(seen: float, area: float) -> float:
    """Return the Kullback-Leibler divergence of two Bernoulli distributions."""
    if area in (0.0, 1.0):
        return 0.0 if seen == area else math.inf
    return (seen * math.log(seen / area) if seen > 0.0 else 0.0) + (
        (1.0 - seen) * math.log1p((area - seen) / (1.0 - area)) if seen < 1.0 else 0.0
    )


def score_interval(
    auc: float, variance: float | None, n_pos: float, n_neg: float, confidence_level: float
) -> tuple[float, float]:
    """Interval of the areas from which the sample's is not too many standard errors away.

    Notes
    -----
    The standard error is taken at the area in question, as in Wilson's interval. Its shape is that of Newcombe's
    variance and its size that of the data: see `score_inflation`.
    """
    factor = score_inflation(auc, variance, n_pos, n_neg)
    reach = normal_quantile(confidence_level) ** 2 * factor

    def reached(area: float) -> bool:
        return (auc - area) ** 2 <= reach * newcombe_variance(area, n_pos, n_neg)

    least, most = exact_interval(auc, n_pos, n_neg, confidence_level)
    low = max(bisect(reached, 0.0, auc), least) if auc > 0.0 else 0.0
    high = min(bisect(reached, 1.0, auc), most) if auc < 1.0 else 1.0
    return low, high


def score_inflation(auc: float, variance: float | None, n_pos: float, n_neg: float) -> float:
    """Return by how much the variance of the area is larger than Newcombe's.

    It is DeLong's variance over Newcombe's, drawn towards the largest that any scores can have (that of a
    proportion of the smaller class) with a weight that matters only if both variances are nearly 0. It tends to the
    quotient in large samples, and to the worst case where the classes do not overlap and the data say nothing.
    """
    smaller = min(n_pos, n_neg)
    spare = (n_pos + n_neg) / 2.0 - 1.0
    bracket = 1.0 + spare * ((1.0 - auc) / (2.0 - auc) + auc / (1.0 + auc))
    most = n_pos * n_neg / smaller / bracket
    if variance is None:
        return most
    weight = 0.25 * (1.0 + spare / 2.0) / (n_pos * n_neg * smaller)
    return min((variance + weight * most) / (newcombe_variance(auc, n_pos, n_neg) + weight), most)
