"""Intervals for the area under the ROC curve from the area and the class totals."""

from __future__ import annotations

import math

from thresher._core.checks import check_choice, check_confidence_level, check_fraction, check_positive_total, warn
from thresher._core.root_search import bisect
from thresher._inference.interval import ConfidenceInterval, clipped, normal_quantile
from thresher.exceptions import InvalidInputError

SUMMARY_METHODS = ("hanley-mcneil", "max-variance", "newcombe")


def roc_auc_interval(
    auc: float, n_pos: float, n_neg: float, *, method: str = "hanley-mcneil", confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Interval for the area under the ROC curve when only the area and the class totals are known.

    Parameters
    ----------
    auc : float
        The published area, in [0, 1].
    n_pos, n_neg : number
        Class totals, each at least 1. A sum of weights is read as a number of cases.
    method : {"hanley-mcneil", "max-variance", "newcombe"}, default "hanley-mcneil"
        "hanley-mcneil": normal interval with the standard error that exponential scores would have.
        "max-variance": normal interval with the largest variance that any continuous score distributions with this area
        can have, auc (1 - auc) / min(n_pos, n_neg); long, and valid without an assumption on the distributions.
        "newcombe": solves for the areas whose Hanley-McNeil standard error reaches `auc`, with both class totals
        replaced by their mean; the best of the three near 0 and 1, where it does not collapse.
    confidence_level : float, default 0.95
        Strictly between 0 and 1.

    Returns
    -------
    ConfidenceInterval
        Inside [0, 1]; unpacks as ``(low, high)``.

    Warns
    -----
    ThresherWarning
        When `auc` is 0 or 1 and the method gives it no spread, so that the interval is a single point.

    Notes
    -----
    With A the area, m positives and n negatives, Hanley and McNeil's variance is
    A(1-A)/(mn) (1 + (m-1)(1-A)/(2-A) + (n-1)A/(1+A)). Ties are not taken into account: they make the true variance
    smaller. One positive or one negative is enough for all three methods.

    References
    ----------
    .. [1] J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating characteristic
       (ROC) curve", Radiology 143 (1982), 29-36. https://doi.org/10.1148/radiology.143.1.7063747
    .. [2] Z. W. Birnbaum and O. M. Klose, "Bounds for the variance of the Mann-Whitney statistic", Annals of
       Mathematical Statistics 28 (1957), 933-945. https://doi.org/10.1214/aoms/1177706794
    .. [3] R. G. Newcombe, "Confidence intervals for an effect size measure based on the Mann-Whitney statistic. Part
       2", Statistics in Medicine 25 (2006), 559-573. https://doi.org/10.1002/sim.2324

    Examples
    --------
    >>> from thresher import roc_auc_interval
    >>> low, high = roc_auc_interval(0.85, 60, 140)
    >>> round(low, 3), round(high, 3)
    (0.785, 0.915)
    >>> low, high = roc_auc_interval(1.0, 60, 140, method="newcombe")
    >>> round(low, 3), high
    (0.977, 1.0)
    """
    area = check_fraction(auc, "auc")
    positives = check_positive_total(n_pos, "n_pos")
    negatives = check_positive_total(n_neg, "n_neg")
    for total, name in ((positives, "n_pos"), (negatives, "n_neg")):
        if total < 1:
            raise InvalidInputError(
                f"`{name}` must be at least 1; got {total!r}. Hint: it is a number of cases, not a share."
            )
    check_choice(method, "method", SUMMARY_METHODS)
    level = check_confidence_level(confidence_level)
    return summary_interval(area, positives, negatives, level, method)


def summary_interval(
    auc: float, n_pos: float, n_neg: float, confidence_level: float, method: str
) -> ConfidenceInterval:
    """Kernel of :func:`roc_auc_interval`."""
    if method == "newcombe":
        low, high = newcombe_ends(auc, n_pos, n_neg, normal_quantile(confidence_level))
        return clipped(low, high, confidence_level, method)
    formula = hanley_mcneil_variance if method == "hanley-mcneil" else max_variance
    variance = formula(auc, n_pos, n_neg)
    if variance == 0.0:
        warn(
            f'The standard error of "{method}" is 0 at an AUC of {auc:g}, so the interval is a single point. '
            'Hint: method="newcombe" gives an interval with length.'
        )
    reach = normal_quantile(confidence_level) * math.sqrt(variance)
    return clipped(auc - reach, auc + reach, confidence_level, method)


def hanley_mcneil_variance(auc: float, n_pos: float, n_neg: float) -> float:
    """Variance of the AUC if the scores of both classes were exponential."""
    # P_xxy - A^2 = A (1-A)^2 / (2-A) and P_xyy - A^2 = A^2 (1-A) / (1+A): written so, nothing cancels near 1.
    inner = 1.0 + (n_pos - 1.0) * (1.0 - auc) / (2.0 - auc) + (n_neg - 1.0) * auc / (1.0 + auc)
    return auc * (1.0 - auc) * inner / (n_pos * n_neg)


def max_variance(auc: float, n_pos: float, n_neg: float) -> float:
    """Largest variance over all continuous score distributions with this AUC."""
    return auc * (1.0 - auc) / min(n_pos, n_neg)


def newcombe_variance(auc: float, n_pos: float, n_neg: float) -> float:
    """Hanley and McNeil's variance with both class totals replaced by their mean where they stand alone."""
    mean_total = (n_pos + n_neg) / 2.0
    inner = 1.0 + (mean_total - 1.0) * ((1.0 - auc) / (2.0 - auc) + auc / (1.0 + auc))
    return auc * (1.0 - auc) * inner / (n_pos * n_neg)


def newcombe_ends(auc: float, n_pos: float, n_neg: float, z: float) -> tuple[float, float]:
    """Areas at distance z standard errors from `auc`, the standard error taken at the area in question."""

    def reached(area: float) -> bool:
        return (auc - area) ** 2 <= z * z * newcombe_variance(area, n_pos, n_neg)

    return bisect(reached, 0.0, auc), bisect(reached, 1.0, auc)


SCORE_METHODS = ("score", "exact")


def exact_interval(auc: float, n_pos: float, n_neg: float, confidence_level: float) -> tuple[float, float]:
    """Interval that holds the area at least as often as it says, whatever the scores.

    The area is an average, over the ways to pair the cases of the smaller class with as many of the other, of means of
    k = min(n_pos, n_neg) independent comparisons, whose tail is not heavier than exp(-k KL(auc, area)) (Hoeffding 1963,
    section 5, doi:10.1080/01621459.1963.10500830). At an area of 1 the lower limit is (alpha / 2)^(1 / k), which cannot
    be bettered without an assumption.
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
    """Interval of the areas from which the sample's is not too many standard errors, taken there, away (Wilson)."""
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

    DeLong's variance over Newcombe's, drawn towards the largest that any scores can have with a weight that matters
    only if both are nearly 0: the quotient in large samples, the worst case where the classes do not overlap.
    """
    smaller = min(n_pos, n_neg)
    spare = (n_pos + n_neg) / 2.0 - 1.0
    bracket = 1.0 + spare * ((1.0 - auc) / (2.0 - auc) + auc / (1.0 + auc))
    most = n_pos * n_neg / smaller / bracket
    if variance is None:
        return most
    weight = 0.25 * (1.0 + spare / 2.0) / (n_pos * n_neg * smaller)
    return min((variance + weight * most) / (newcombe_variance(auc, n_pos, n_neg) + weight), most)
