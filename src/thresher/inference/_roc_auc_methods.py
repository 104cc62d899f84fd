"""Every interval for the area under the ROC curve that needs no resampling and no threshold, by name."""

from __future__ import annotations

import math

from thresher.exceptions import InvalidInputError
from thresher.inference._bamber import bamber, bamber_from_figures
from thresher.inference._delong import DELONG_METHODS, delong, delong_from_figures, variance_interval
from thresher.inference._interval import ConfidenceInterval
from thresher.inference._partial_delong import partial_delong
from thresher.inference._summary import SUMMARY_METHODS, hanley_mcneil_variance, max_variance, summary_interval
from thresher.scores._figures import Figures
from thresher.typing import CountArray

__all__ = ["COUNT_METHODS", "PARTIAL_METHODS", "interval_from_counts", "partial_interval_from_counts", "se_from_counts"]

COUNT_METHODS = (*DELONG_METHODS, "bamber", *SUMMARY_METHODS)
PARTIAL_METHODS = DELONG_METHODS


def interval_from_counts(
    pos: CountArray,
    neg: CountArray,
    *,
    auc: float,
    method: str = "delong",
    confidence_level: float = 0.95,
    figures: Figures | None = None,
) -> ConfidenceInterval:
    """Interval for the area under the ROC curve, from the counts at each distinct score (highest first).

    Parameters
    ----------
    pos, neg : array
        Positives and negatives at each distinct score. Weights are read as numbers of cases.
    auc : float
        The area, as computed from these counts.
    method : str
        One of `COUNT_METHODS`.
    confidence_level : float
        Level.
    figures : Figures, optional
        Sums over all scores, where `pos` and `neg` are those of some; the variance is then computed from them.

    Returns
    -------
    ConfidenceInterval
        Always inside [0, 1].

    Notes
    -----
    ============== =========================== ======================== ===========================
    method         AUC 0 or 1                  one case of a class      ties
    ============== =========================== ======================== ===========================
    delong         one point, with a warning   UndefinedMetricError     count one half, exact
    delong-logit   one point, with a warning   UndefinedMetricError     count one half, exact
    bamber         one point, with a warning   UndefinedMetricError     count one half, exact
    hanley-mcneil  one point, with a warning   answers                  in the area only
    max-variance   one point, with a warning   answers                  in the area only
    newcombe       an interval with length     answers                  in the area only
    ============== =========================== ======================== ===========================
    """
    if method in SUMMARY_METHODS:
        totals = float(pos.sum()), float(neg.sum())
        return summary_interval(auc, *totals, confidence_level, method)
    return variance_interval(auc, _variance(pos, neg, method, figures), confidence_level, method)


def _variance(pos: CountArray, neg: CountArray, method: str, figures: Figures | None) -> float:
    """Return Bamber's or DeLong's variance."""
    if figures is None:
        return bamber(pos, neg).variance if method == "bamber" else delong(pos, neg).variance
    totals = pos.sum().item(), neg.sum().item()
    if method == "bamber":
        return bamber_from_figures(figures, *totals).variance
    return delong_from_figures(figures, *totals).variance


def partial_interval_from_counts(
    pos: CountArray,
    neg: CountArray,
    *,
    span: tuple[float, float],
    axis: str = "fpr",
    method: str = "delong",
    confidence_level: float = 0.95,
) -> ConfidenceInterval:
    """Interval for a partial area, inside [0, span length]; `method` is one of `PARTIAL_METHODS`."""
    part = partial_delong(pos, neg, span=span, axis=axis)
    return variance_interval(part.value, part.variance, confidence_level, method, largest=part.largest)


def se_from_counts(
    pos: CountArray, neg: CountArray, *, auc: float, method: str = "delong", figures: Figures | None = None
) -> float:
    """Return the standard error of the area by any method of `COUNT_METHODS` but "newcombe", which has none."""
    if method in DELONG_METHODS or method == "bamber":
        return math.sqrt(_variance(pos, neg, method, figures))
    if method == "newcombe":
        raise InvalidInputError(
            'Newcombe\'s method solves for its ends and has no standard error. Hint: `standard_error` takes "delong", '
            '"bamber", "hanley-mcneil" or "max-variance".'
        )
    formula = hanley_mcneil_variance if method == "hanley-mcneil" else max_variance
    return math.sqrt(formula(auc, float(pos.sum()), float(neg.sum())))
