"""Bamber's variance of the area under the ROC curve, with its two probabilities estimated from the data."""

from __future__ import annotations

from typing import NamedTuple

from thresher._core.sums import cumulative, dot
from thresher._inference.delong.delong import check_two_each, delong_of
from thresher._table import Counts
from thresher.typing import CountArray

__all__ = ["Bamber", "bamber", "bamber_of"]


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
