"""The area under the precision-recall curve of a table, by every estimator in use, each by its name."""

from __future__ import annotations

import numpy as np

from thresher._core import native
from thresher._core.sums import accurate_sum
from thresher._curves import hull_counts
from thresher._table import Counts, device_pr_area, kernels_take, padded_counts, running_counts
from thresher.measures._pr_segments import Pieces, hyperbola_area, linear_area, unit_step_area
from thresher.typing import CountArray, FloatArray

__all__ = [
    "ALL_RECALLS",
    "PR_ESTIMATORS",
    "known_area",
    "pr_auc_value",
    "pr_auc_value_numpy",
    "skew_of",
    "tie_range",
    "tie_range_numpy",
]

PR_ESTIMATORS = ("interpolated", "average_precision", "unit_steps", "trapezoid", "functional", "achievable")

Span = tuple[float, float]
ALL_RECALLS: Span = (0.0, 1.0)


def pr_auc_value(counts: Counts, estimator: str, prevalence: float | None = None, recall: Span = ALL_RECALLS) -> float:
    """Return the area itself; arguments are trusted."""
    known = known_area(counts, estimator, prevalence, recall)
    if known is not None:
        return known
    if prevalence is None and recall == ALL_RECALLS:
        on_device = device_pr_area(counts, estimator)
        if on_device is not None:
            return on_device / counts.n_pos
    skew = skew_of(counts, prevalence)
    if recall == ALL_RECALLS and kernels_take(counts):
        if estimator == "achievable":
            tp, fp = hull_counts(counts)
            return native.pr_area(tp[1:], fp[1:], "interpolated", skew) / counts.n_pos
        return native.pr_area(*running_counts(counts), estimator, skew) / counts.n_pos
    return pr_auc_value_numpy(counts, estimator, skew, recall)


def pr_auc_value_numpy(counts: Counts, estimator: str, skew: float, recall: Span) -> float:
    """Return the area with NumPy alone: for parts of the curve and sums of weights, and where there are no kernels.

    Each false positive counts `skew` times.
    """
    tp, fp = hull_counts(counts) if estimator == "achievable" else padded_counts(counts)
    if estimator == "trapezoid":
        areas = _trapezoids(tp, skew * fp, recall)
    elif estimator == "average_precision":
        areas = _steps(tp, skew * fp, recall)
    else:
        pieces = _pieces(tp, skew * fp, recall, "before" if estimator == "functional" else "between")
        areas = unit_step_area(*pieces) if estimator == "unit_steps" else hyperbola_area(*pieces)
    return accurate_sum(areas) / counts.n_pos


def known_area(counts: Counts, estimator: str, prevalence: float | None, recall: Span) -> float | None:
    """Return the area that a table with some of its scores knows of all of them, if this is one."""
    if counts._figures is None or prevalence is not None or recall != ALL_RECALLS:
        return None
    if estimator == "average_precision":
        return float(counts._figures.average_precision / counts.n_pos)
    return float(counts._figures.interpolated / counts.n_pos) if estimator == "interpolated" else None


def tie_range(counts: Counts, prevalence: float | None = None, recall: Span = ALL_RECALLS) -> Span:
    """Return the areas when every tie goes to the negative, and when it goes to the positive."""
    skew = skew_of(counts, prevalence)
    if recall == ALL_RECALLS and kernels_take(counts):
        low, high = (native.pr_area(*running_counts(counts), kind, skew) for kind in ("ties_lost", "functional"))
        return low / counts.n_pos, high / counts.n_pos
    return tie_range_numpy(counts, skew, recall)


def tie_range_numpy(counts: Counts, skew: float, recall: Span) -> Span:
    """Return the same with NumPy alone."""
    tp, fp = padded_counts(counts)
    low, high = (
        accurate_sum(hyperbola_area(*_pieces(tp, skew * fp, recall, side))) / counts.n_pos
        for side in ("after", "before")
    )
    return low, high


def skew_of(counts: Counts, prevalence: float | None) -> float:
    """Return by how much a false positive of the sample counts where positives have this share."""
    return 1.0 if prevalence is None else (1.0 - prevalence) / prevalence * (counts.n_pos / counts.n_neg)


def _pieces(tp: CountArray, fp: CountArray, recall: Span, false_positives: str) -> Pieces:
    """Return the rising pieces inside a range of recall.

    `false_positives` says when a piece's own false positives come: "between" its true positives (Davis and
    Goadrich), "before" means that only those before the piece count, "after" that all of them count from its start.
    """
    tp, fp = tp.astype(np.float64), fp.astype(np.float64)
    rising = np.flatnonzero(np.diff(tp) > 0)
    start, stop, low, high = tp[rising], tp[rising + 1], fp[rising], fp[rising + 1]
    if false_positives == "before":
        high = low
    elif false_positives == "after":
        low = high
    if recall != ALL_RECALLS:
        ends = (recall[0] * tp[-1], recall[1] * tp[-1])
        inside = (stop > ends[0]) & (start < ends[1])
        start, stop, low, high = start[inside], stop[inside], low[inside], high[inside]
        slope = (high - low) / (stop - start)
        cut_start, cut_stop = np.maximum(start, ends[0]), np.minimum(stop, ends[1])
        low, high = low + slope * (cut_start - start), high - slope * (stop - cut_stop)
        start, stop = cut_start, cut_stop
    return start, low, stop - start, high - low


def _steps(tp: CountArray, fp: CountArray, recall: Span) -> FloatArray:
    """Return the areas under the precision of the next threshold, held over each piece or the part of it inside."""
    steps = np.diff(tp)  # of whole numbers, before they are rounded to doubles
    tp, fp = tp.astype(np.float64), fp.astype(np.float64)
    rising = np.flatnonzero(steps > 0)
    start, stop, width = tp[rising], tp[rising + 1], steps[rising].astype(np.float64)
    if recall != ALL_RECALLS:
        width = np.maximum(np.minimum(stop, recall[1] * tp[-1]) - np.maximum(start, recall[0] * tp[-1]), 0.0)
    return np.asarray(width * (stop / (stop + fp[rising + 1])))


def _trapezoids(tp: CountArray, fp: CountArray, recall: Span) -> FloatArray:
    """Return the linear areas between thresholds, from (recall 0, precision 1)."""
    tp, fp = tp.astype(np.float64), fp.astype(np.float64)
    called = tp + fp
    precision = np.where(called > 0, tp / np.where(called > 0, called, 1.0), 1.0)
    width = np.diff(tp)
    rising = width > 0
    start, width = tp[:-1][rising], width[rising]
    first, last = precision[:-1][rising], precision[1:][rising]
    low = np.clip((recall[0] * tp[-1] - start) / width, 0.0, 1.0)
    high = np.clip((recall[1] * tp[-1] - start) / width, 0.0, 1.0)
    rise = last - first
    return linear_area(first + low * rise, first + high * rise, (high - low) * width)
