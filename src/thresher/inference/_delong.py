"""DeLong's variance of the area under the ROC curve, from counts, and the intervals built on it."""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy.special import expit, logit

from thresher._core.sums import cumulative, exact_dot
from thresher._core.warn import warn
from thresher.exceptions import UndefinedMetricError
from thresher.inference._interval import ConfidenceInterval, clipped, normal_quantile
from thresher.inference._placements import deviations
from thresher.scores import Counts
from thresher.scores._figures import Figures
from thresher.typing import CountArray

__all__ = [
    "DELONG_METHODS",
    "DeLong",
    "check_two_each",
    "delong",
    "delong_from_figures",
    "delong_of",
    "logit_interval",
    "variance_interval",
]

DELONG_METHODS = ("delong", "delong-logit")


class DeLong(NamedTuple):
    """The area and DeLong's variance.

    Attributes
    ----------
    auc : float
        Area under the ROC curve, ties counting one half.
    variance : float
        ``spread_pos / n_pos + spread_neg / n_neg``.
    spread_pos, spread_neg : float
        Sample variance of the placements of the positives among the negatives, and of the negatives among the
        positives.
    """

    auc: float
    variance: float
    spread_pos: float
    spread_neg: float


def delong(pos: CountArray, neg: CountArray) -> DeLong:
    """Area and DeLong variance from the counts at each distinct score, highest first, in one pass.

    Parameters
    ----------
    pos, neg : array of int64 or float64
        Positives and negatives at each distinct score. Sums of weights are read as numbers of cases: a case of weight 2
        is two cases with the same score, so the variance shrinks when all weights grow. Rescale weights that are not
        numbers of cases, so that they add to the number of independent cases, before asking for a variance.

    Returns
    -------
    DeLong

    Raises
    ------
    UndefinedMetricError
        When a class has not more than one case: the spread of one placement cannot be estimated.

    Notes
    -----
    The placement of a case is the share of the other class that it beats, a tie counting one half. With P_i the
    placements of the m positives and Q_j those of the n negatives, the variance is var(P)/m + var(Q)/n, both with
    divisor "number of cases minus one". It is 0 when the classes do not overlap (area 0 or 1) and when all scores
    are tied. The counts stay whole numbers until the last division, so that equal placements give exactly 0.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the areas under two or more correlated
       receiver operating characteristic curves: a nonparametric approach", Biometrics 44 (1988), 837-845.
       https://doi.org/10.2307/2531595

    Examples
    --------
    >>> import numpy as np
    >>> from thresher.inference._delong import delong
    >>> round(delong(np.array([4, 1]), np.array([2, 3])).variance, 6)
    0.025
    """
    n_pos, n_neg = pos.sum(), neg.sum()
    check_two_each(n_pos, n_neg)
    # A positive loses to the negatives above it, a negative to the positives below it; ties count one half.
    lost_pos = 2 * cumulative(neg) - neg
    lost_neg = 2 * n_pos - (2 * cumulative(pos) - pos)
    mean_loss, from_pos = deviations(lost_pos, pos, n_neg)
    _, from_neg = deviations(lost_neg, neg, n_pos)
    spread_pos = float(pos @ (from_pos * from_pos)) / (float(n_pos) - 1.0)
    spread_neg = float(neg @ (from_neg * from_neg)) / (float(n_neg) - 1.0)
    variance = spread_pos / float(n_pos) + spread_neg / float(n_neg)
    return DeLong(_area(lost_pos, pos, n_neg, mean_loss), variance, spread_pos, spread_neg)


def delong_from_figures(figures: Figures, n_pos: float, n_neg: float) -> DeLong:
    """Do the same from the sums over all scores that a table with only some of them carries.

    With T twice U, A the squares of twice the placements summed over the positives and m of them, the spread is
    (m A - T^2) / (m (m - 1) 4 n^2): one rounding where the counts are whole numbers.
    """
    check_two_each(n_pos, n_neg)
    twice_u = figures.twice_u
    spreads = [
        max(own * squares - twice_u * twice_u, 0) / (4 * own * (own - 1) * others * others)
        for own, others, squares in (
            (n_pos, n_neg, figures.pos_placement_squares),
            (n_neg, n_pos, figures.neg_placement_squares),
        )
    ]
    variance = spreads[0] / float(n_pos) + spreads[1] / float(n_neg)
    return DeLong(twice_u / (2 * n_pos * n_neg), variance, spreads[0], spreads[1])


def delong_of(counts: Counts) -> DeLong:
    """Return the area and DeLong variance of a count table, exact for all that know their figures."""
    if counts.figures is not None:
        return delong_from_figures(counts.figures, counts.n_pos, counts.n_neg)
    return delong(counts.pos, counts.neg)


def _area(loss: CountArray, pos: CountArray, n_neg: float, mean_loss: float) -> float:
    """Return 1 - mean_loss, rounded once where the counts are whole numbers."""
    if loss.dtype.kind == "i" and pos.dtype.kind == "i":
        pairs = 2 * int(pos.sum()) * int(n_neg)
        return (pairs - exact_dot(pos, loss)) / pairs
    return 1.0 - mean_loss


def check_two_each(n_pos: float, n_neg: float) -> None:
    """Raise unless both classes have more than one case."""
    for total, name in ((n_pos, "positive"), (n_neg, "negative")):
        if not total > 1:
            raise UndefinedMetricError(
                f"DeLong's variance needs more than one {name}; got {total:g}. Hint: "
                'method="newcombe" or "hanley-mcneil" answers with one case of a class.'
            )


def variance_interval(
    value: float, variance: float, confidence_level: float, method: str, *, largest: float = 1.0
) -> ConfidenceInterval:
    """Interval for an area in [0, largest] from its variance, on the plain or on the logit scale.

    Parameters
    ----------
    value, variance : float
        The area and its variance.
    confidence_level : float
        Level.
    method : str
        Names that end in "logit" work on the logit of ``value / largest``, the others on the area itself, cut to
        [0, largest].
    largest : float
        The greatest value the area can take, for partial areas.

    Warns
    -----
    ThresherWarning
        When the variance is 0, so that the interval is a single point.
    """
    # At an end of the range the variance is 0 too, up to rounding, and has no logit.
    if variance == 0.0 or (method.endswith("logit") and not 0.0 < value < largest):
        warn(
            f'The standard error of "{method}" is 0 at {value:g}: no placement differs from another, as when the '
            "classes do not overlap. The interval is a single point and says nothing about other samples. "
            'Hint: method="newcombe" gives an interval with length.'
        )
        return ConfidenceInterval(value, value, confidence_level, method)
    z = normal_quantile(confidence_level)
    if not method.endswith("logit"):
        reach = z * math.sqrt(variance)
        return clipped(value - reach, min(value + reach, largest), confidence_level, method)
    low, high = logit_interval(value / largest, variance / largest**2, z)
    return clipped(low * largest, high * largest, confidence_level, method)


def logit_interval(share: float, variance: float, z: float) -> tuple[float, float]:
    """Return the ends of share +- z se on the logit scale, by the delta method; `share` strictly inside (0, 1)."""
    centre = float(logit(share))
    reach = z * math.sqrt(variance) / (share * (1.0 - share))
    return float(expit(centre - reach)), float(expit(centre + reach))
