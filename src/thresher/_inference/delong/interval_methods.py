"""Every interval for the area under the ROC curve that needs no resampling and no threshold, by name."""

from __future__ import annotations

import math

from thresher._inference.delong.bamber import bamber_of
from thresher._inference.delong.delong import DELONG_METHODS, roc_spread, variance_interval
from thresher._inference.delong.partial import partial_spread
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
from thresher._inference.sampling import Spread, check_counted, check_weights, refuse_clusters
from thresher._table import Counts
from thresher.exceptions import InvalidInputError

__all__ = ["COUNT_METHODS", "PARTIAL_METHODS", "interval_from_counts", "partial_interval_from_counts", "se_from_counts"]

COUNT_METHODS = (*DELONG_METHODS, "bamber", *SUMMARY_METHODS, *SCORE_METHODS)
PARTIAL_METHODS = DELONG_METHODS
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
    refuse_clusters(counts, method)
    return Spread(bamber_of(check_counted(counts, method, _INSTEAD)).variance)


def _cases(counts: Counts, method: str) -> tuple[float, float]:
    """Return the numbers of cases for formulas that know nothing else: with weights, what the rows are worth."""
    check_weights(counts)
    refuse_clusters(counts, method)
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
    """Interval for a partial area, inside [0, span length]; `method` is one of `PARTIAL_METHODS`."""
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
