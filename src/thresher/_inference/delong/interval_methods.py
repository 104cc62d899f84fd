"""Every interval for the area under the ROC curve that needs no resampling and no threshold, by name."""

from __future__ import annotations

import math

from thresher._inference.delong.bamber import bamber_of
from thresher._inference.delong.delong import DELONG_METHODS, delong_of, variance_interval
from thresher._inference.delong.partial import partial_delong
from thresher._inference.delong.published import (
    SUMMARY_METHODS,
    hanley_mcneil_variance,
    max_variance,
    newcombe_variance,
    summary_interval,
)
from thresher._inference.delong.score import SCORE_METHODS, exact_interval, score_interval
from thresher._inference.interval import ConfidenceInterval
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray

__all__ = ["COUNT_METHODS", "PARTIAL_METHODS", "interval_from_counts", "partial_interval_from_counts", "se_from_counts"]

COUNT_METHODS = (*DELONG_METHODS, "bamber", *SUMMARY_METHODS, *SCORE_METHODS)
PARTIAL_METHODS = DELONG_METHODS
_FORMULAS = {"hanley-mcneil": hanley_mcneil_variance, "max-variance": max_variance, "newcombe": newcombe_variance}


def interval_from_counts(
    counts: Counts, *, auc: float, method: str = "delong", confidence_level: float = 0.95
) -> ConfidenceInterval:
    """Interval for the area under the ROC curve of a count table.

    Parameters
    ----------
    counts : Counts
        The table. Weights are read as numbers of cases.
    auc : float
        Its area.
    method : str
        One of `COUNT_METHODS`.
    confidence_level : float
        Level.

    Returns
    -------
    ConfidenceInterval
        Always inside [0, 1].

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
    totals = float(counts.n_pos), float(counts.n_neg)
    if method == "score":
        variance = delong_of(counts).variance if min(totals) > 1.0 else None
        return ConfidenceInterval(*score_interval(auc, variance, *totals, confidence_level), confidence_level, method)
    if method == "exact":
        return ConfidenceInterval(*exact_interval(auc, *totals, confidence_level), confidence_level, method)
    if method in SUMMARY_METHODS:
        return summary_interval(auc, *totals, confidence_level, method)
    return variance_interval(auc, _variance(counts, method), confidence_level, method)


def _variance(counts: Counts, method: str) -> float:
    return bamber_of(counts).variance if method == "bamber" else delong_of(counts).variance


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
    remedy = 'the whole area has an interval with length, by method="newcombe".'
    return variance_interval(part.value, part.variance, confidence_level, method, largest=part.largest, remedy=remedy)


def se_from_counts(counts: Counts, *, auc: float, method: str = "delong") -> float:
    """Return the standard error of the area by any method of `COUNT_METHODS`."""
    if method == "exact":
        raise InvalidInputError(
            "method 'exact' has no standard error: it bounds the tails, not the spread. Hint: 'delong' has one."
        )
    if method in DELONG_METHODS or method in ("bamber", "score"):
        return math.sqrt(_variance(counts, method))
    return math.sqrt(_FORMULAS[method](auc, float(counts.n_pos), float(counts.n_neg)))
