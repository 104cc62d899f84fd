"""Every interval for the area under the ROC curve from counts, by name; and Bamber's variance."""

from __future__ import annotations

import math
from typing import NamedTuple

from thresher._core.sums import cumulative, dot
from thresher._inference.delong.delong import (
    DELONG_METHODS,
    check_two_each,
    delong_of,
    partial_spread,
    roc_spread,
    variance_interval,
)
from thresher._inference.delong.published import (
    SCORE_METHODS,
    SUMMARY_METHODS,
    exact_interval,
    hanley_mcneil_variance,
    max_variance,
    newcombe_variance,
    score_interval,
    summary_interval,
)
from thresher._inference.interval import ConfidenceInterval
from thresher._inference.sampling import Spread, check_counted, check_weights, refuse_dependent
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray


class Bamber(NamedTuple):
    """The area and Bamber's variance.

    Attributes
    ----------
    auc : float
        Area under the ROC curve, ties counting one half.
    variance : float
        The formula as printed, with estimates put in.
    unbiased_variance : float
        ``variance * m n / ((m - 1)(n - 1))``, whose expectation is the true variance.
    p_xxy : float
        Estimated probability that two different positives both rank above a negative.
    p_xyy : float
        Estimated probability that a positive ranks above two different negatives.
    p_tie : float
        Proportion of (positive, negative) pairs with equal scores.
    """

    auc: float
    variance: float
    unbiased_variance: float
    p_xxy: float
    p_xyy: float
    p_tie: float


def bamber(pos: CountArray, neg: CountArray) -> Bamber:
    """Area and Bamber's variance from the counts at each distinct score, highest first.

    Notes
    -----
    With A the area, m positives and n negatives,
    sigma_A^2 = (A(1-A) + (m-1)(P_xxy - A^2) + (n-1)(P_xyy - A^2)) / (mn),
    where both probabilities are averages over all choices of different cases. A tie counts one half for each pair; then
    A(1-A) becomes A - P(tie)/4 - A^2, which is the variance of a single pair. Because A^2 is itself estimated, the
    printed formula is too small on average by the factor (m-1)(n-1)/(mn), exactly.

    References
    ----------
    .. [1] D. Bamber, "The area above the ordinal dominance graph and the area below the receiver operating
       characteristic graph", Journal of Mathematical Psychology 12 (1975), 387-415.
       https://doi.org/10.1016/0022-2496(75)90001-2
    .. [2] C. Cortes and M. Mohri, "Confidence intervals for the area under the ROC curve", Advances in Neural
       Information Processing Systems 17 (2004), 305-312, equation (2).
    """
    m, n = float(pos.sum()), float(neg.sum())
    check_two_each(m, n)
    # Proportion of the other class beaten, and half the share tied with, at each distinct score.
    won_by_pos = (n - (cumulative(neg) - neg / 2.0)) / n
    won_by_neg = (cumulative(pos) - pos / 2.0) / m
    auc = dot(pos, won_by_pos) / m
    p_tie = dot(pos, neg / n) / m
    square = auc - p_tie / 4.0
    # All ordered choices less those that take the same case twice.
    p_xxy = (m * dot(neg, won_by_neg**2) / n - square) / (m - 1.0)
    p_xyy = (n * dot(pos, won_by_pos**2) / m - square) / (n - 1.0)
    # Centred placements: the same numbers as with P - A^2, without the cancellation.
    of_neg = dot(neg, (won_by_neg - auc) ** 2) / n
    of_pos = dot(pos, (won_by_pos - auc) ** 2) / m
    return _assembled((m, n), (auc, p_tie), (of_pos, of_neg), (p_xxy, p_xyy))


def bamber_of(counts: Counts) -> Bamber:
    """Return the variance of a count table; one with only some of its scores carries the sums over all."""
    figures, n_pos, n_neg = counts._figures, counts.n_pos, counts.n_neg
    if figures is None:
        return bamber(counts.pos, counts.neg)
    found = delong_of(counts)
    m, n = float(n_pos), float(n_neg)
    p_tie = figures.tied_pairs / (n_pos * n_neg)
    square = found.auc - p_tie / 4.0
    p_xxy = (figures.neg_placement_squares / (4 * n_pos * n_neg) - square) / (m - 1.0)
    p_xyy = (figures.pos_placement_squares / (4 * n_pos * n_neg) - square) / (n - 1.0)
    centred = (found.spread_pos * (m - 1.0) / m, found.spread_neg * (n - 1.0) / n)
    return _assembled((m, n), (found.auc, p_tie), centred, (p_xxy, p_xyy))


def _assembled(
    totals: tuple[float, float], area: tuple[float, float], centred: tuple[float, float], both: tuple[float, float]
) -> Bamber:
    (m, n), (auc, p_tie), (of_pos, of_neg) = totals, area, centred
    pair = auc - p_tie / 4.0 - auc * auc
    variance = max((m * of_neg + n * of_pos - pair) / (m * n), 0.0)
    return Bamber(auc, variance, variance * m * n / ((m - 1.0) * (n - 1.0)), *both, p_tie)


COUNT_METHODS = (*DELONG_METHODS, "bamber", *SUMMARY_METHODS, *SCORE_METHODS)
_INSTEAD = "'delong-logit' and 'bootstrap'"
_FORMULAS = {"hanley-mcneil": hanley_mcneil_variance, "max-variance": max_variance, "newcombe": newcombe_variance}


def interval_from_counts(
    counts: Counts, *, auc: float, method: str = "delong", confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Interval for the area under the ROC curve of a count table.

    Notes
    -----
    ============== =========================== ======================== ===========================
    method         AUC 0 or 1                  one case of a class      ties
    ============== =========================== ======================== ===========================
    score          an interval with length     the worst case           count one half, exact
    exact          an interval with length     answers                  in the area only
    delong         one point, with a warning   UndefinedMetricError     count one half, exact
    delong-logit   one point, with a warning   UndefinedMetricError     count one half, exact
    bamber         one point, with a warning   UndefinedMetricError     count one half, exact
    hanley-mcneil  one point, with a warning   answers                  in the area only
    max-variance   one point, with a warning   answers                  in the area only
    newcombe       an interval with length     answers                  in the area only
    ============== =========================== ======================== ===========================
    """
    if method in SCORE_METHODS:
        totals = _cases(counts, method)
    if method == "score":
        variance = roc_spread(counts).variance if min(totals) > 1.0 else None
        return ConfidenceInterval(*score_interval(auc, variance, *totals, confidence_level), confidence_level, method)
    if method == "exact":
        return ConfidenceInterval(*exact_interval(auc, *totals, confidence_level), confidence_level, method)
    if method in SUMMARY_METHODS:
        return summary_interval(auc, *_cases(counts, method), confidence_level, method)
    spread = _spread(counts, method)
    return variance_interval(auc, spread.variance, confidence_level, method, df=spread.df)


def _spread(counts: Counts, method: str) -> Spread:
    if method != "bamber":
        return roc_spread(counts)
    refuse_dependent(counts, method)
    return Spread(bamber_of(check_counted(counts, method, _INSTEAD)).variance)


def _cases(counts: Counts, method: str) -> tuple[float, float]:
    """Return the numbers of cases for formulas that know nothing else: with weights, what the rows are worth."""
    check_weights(counts)
    refuse_dependent(counts, method)
    return counts.effective_pos, counts.effective_neg


def partial_interval_from_counts(
    counts: Counts,
    *,
    value: float,
    span: tuple[float, float],
    axis: str = "fpr",
    method: str = "delong",
    confidence_level: float = 0.95,
) -> ConfidenceInterval:
    """Interval for a partial area, inside [0, span length]; `method` is one of `DELONG_METHODS`."""
    spread = partial_spread(counts, span=span, axis=axis)
    remedy = "the interval without `method` has length."
    return variance_interval(
        value, spread.variance, confidence_level, method, largest=span[1] - span[0], remedy=remedy, df=spread.df
    )


def se_from_counts(counts: Counts, *, auc: float, method: str = "delong") -> float:
    """Return the standard error of the area by any method of `COUNT_METHODS`."""
    if method == "exact":
        raise InvalidInputError(
            "method 'exact' has no standard error: it bounds the tails, not the spread. Hint: 'delong' has one."
        )
    if method in DELONG_METHODS or method in ("bamber", "score"):
        return math.sqrt(_spread(counts, method).variance)
    return math.sqrt(_FORMULAS[method](auc, *_cases(counts, method)))
