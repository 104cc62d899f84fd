"""The area under the precision-recall curve, by every estimator in use, each by its name."""

from __future__ import annotations

from functools import partial

import numpy as np

from thresher._core import native
from thresher._core.checks import check_choice, check_prevalence, check_range
from thresher._core.sums import accurate_sum
from thresher._curves import min_average_precision
from thresher._curves.area_floors import least_pr_area
from thresher._curves.curve import check_two_classes, padded_counts
from thresher._curves.roc import hull_counts
from thresher._table import Counts
from thresher._table.extreme_tables import overlapping
from thresher._table.running_counts import kernels_take, running_counts, shared_ties
from thresher.exceptions import InvalidInputError
from thresher.measures._average_precision_bound import most_average_precision, most_partial_average_precision
from thresher.measures._estimate import AreaEstimate, bounded, centred
from thresher.measures._extreme_areas import area_range_by_stretches
from thresher.measures._pr_segments import Pieces, hyperbola_area, linear_area, unit_step_area
from thresher.typing import CountArray, FloatArray

__all__ = ["PR_ESTIMATORS", "pr_auc", "pr_auc_value"]

PR_ESTIMATORS = ("interpolated", "average_precision", "unit_steps", "trapezoid", "functional", "achievable")

_GROWING = ("interpolated", "functional", "achievable")  # with the curve: a better ranking never has less

Span = tuple[float, float]
_ALL: Span = (0.0, 1.0)
_WORTH_SAYING = 1e-9


def pr_auc(
    counts: Counts,
    *,
    estimator: str = "interpolated",
    prevalence: float | None = None,
    recall: object = None,
    normalize: bool = False,
) -> AreaEstimate:
    """Return the area under the precision-recall curve of a count table."""
    check_two_classes(counts, "The area under the precision-recall curve")
    kind = check_choice(estimator, "estimator", PR_ESTIMATORS)
    share = None if prevalence is None else check_prevalence(prevalence)
    span = _ALL if recall is None else check_range(recall, "recall")
    if kind == "unit_steps" and (counts.weighted or span != _ALL):
        raise InvalidInputError(
            "`estimator='unit_steps'` must have whole counts and the whole range of recall; got "
            f"{'weights' if counts.weighted else f'recall={span}'}. Hint: 'interpolated' is its exact limit."
        )
    raw = pr_auc_value(counts, kind, share, span)
    if kind in _GROWING:
        raw = centred(counts, lambda table: pr_auc_value(table, kind, share, span))
    bound = _bound(counts, raw, kind, share, span)
    value = raw
    offset, scale = 0.0, 1.0
    if normalize:
        least = _least_area(counts, kind, share, span)
        scale = 1.0 / (span[1] - span[0] - least)
        offset = -least * scale
        value = (raw - least) * scale
        bound = bound * scale
    return AreaEstimate(
        value,
        "pr_auc",
        kind,
        bound,
        counts,
        prevalence=share,
        recall=None if recall is None else span,
        standardized=normalize,
        most=1.0 if normalize else span[1] - span[0],
        offset=offset,
        scale=scale,
        _remarks=partial(_tie_remarks, counts, raw, kind, share, span),
    )


def pr_auc_value(counts: Counts, estimator: str, prevalence: float | None = None, recall: Span = _ALL) -> float:
    """Return the area itself; arguments are trusted."""
    known = _known(counts, estimator, prevalence, recall)
    if known is not None:
        return known
    skew = _skew(counts, prevalence)
    if recall == _ALL and kernels_take(counts):
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


def _known(counts: Counts, estimator: str, prevalence: float | None, recall: Span) -> float | None:
    """Return the area that a table with some of its scores knows of all of them, if this is one."""
    if counts.figures is None or prevalence is not None or recall != _ALL:
        return None
    if estimator == "average_precision":
        return float(counts.figures.average_precision / counts.n_pos)
    return float(counts.figures.interpolated / counts.n_pos) if estimator == "interpolated" else None


def tie_range(counts: Counts, prevalence: float | None = None, recall: Span = _ALL) -> Span:
    """Return the areas when every tie goes to the negative, and when it goes to the positive."""
    skew = _skew(counts, prevalence)
    if recall == _ALL and kernels_take(counts):
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


def _skew(counts: Counts, prevalence: float | None) -> float:
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
    if recall != _ALL:
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
    if recall != _ALL:
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


def _least_area(counts: Counts, estimator: str, prevalence: float | None, recall: Span) -> float:
    """Return the smallest area that any ranking of as many cases can have."""
    if estimator == "average_precision" and recall == _ALL and prevalence is None and not counts.weighted:
        return min_average_precision(int(counts.n_pos), int(counts.n_neg))
    return least_pr_area(counts.prevalence if prevalence is None else prevalence, recall)


def _bound(counts: Counts, value: float, estimator: str, prevalence: float | None, recall: Span) -> float:
    """Return the error bound of a compressed table."""
    if counts.complete or _known(counts, estimator, prevalence, recall) is not None:
        return 0.0
    if estimator in ("trapezoid", "unit_steps"):  # which do not grow with the curve
        least, most = area_range_by_stretches(counts, _skew(counts, prevalence), recall)
        return max(value - least, most - value, 0.0)

    def area_of(table: Counts) -> float:
        return pr_auc_value(table, estimator, prevalence, recall)

    if estimator != "average_precision":
        return bounded(counts, value, area_of, area_of)

    # Average precision does not grow with the curve where scores tie. It is never below the area with ties lost, and
    # not above its own value for the best data as long as merged ranges do not overlap, as sums of tables may.
    def low(table: Counts) -> float:
        return tie_range(table, prevalence, recall)[0]

    if not overlapping(counts):
        return bounded(counts, value, low, area_of)
    if recall != _ALL:
        return bounded(counts, value, low, lambda table: most_partial_average_precision(table, prevalence, recall))
    return bounded(counts, value, low, lambda _: most_average_precision(counts, prevalence))


def _tie_remarks(counts: Counts, value: float, estimator: str, prevalence: float | None, recall: Span) -> list[str]:
    if counts.figures is not None:
        return _known_remarks(counts, value, estimator, prevalence, recall)
    ties = shared_ties(counts)
    if not ties.scores:
        return []
    positives = ties.positives / counts.n_pos
    low, high = tie_range(counts, prevalence, recall)
    share = f"{positives:.1%} of the positives share their score with negatives"
    lines = [f"{share}; breaking ties could give {low:.6g} to {high:.6g}"]
    others = []
    for other in ("interpolated", "average_precision", "trapezoid", "functional"):
        if other != estimator:
            difference = pr_auc_value(counts, other, prevalence, recall) - value
            if abs(difference) > _WORTH_SAYING:
                others.append(f"{other} {difference:+.2g}")
    if others:
        lines.append("other estimators differ: " + ", ".join(others))
    return lines


def _known_remarks(counts: Counts, value: float, estimator: str, prevalence: float | None, recall: Span) -> list[str]:
    """Return what a table that lacks scores can say about ties among all of them."""
    figures = counts.figures
    if figures is None or not figures.shared_scores:
        return []
    lines = [f"{figures.shared_pos / counts.n_pos:.1%} of the positives share their score with negatives"]
    for other in ("interpolated", "average_precision"):
        known = _known(counts, other, prevalence, recall)
        if other != estimator and known is not None and abs(known - value) > _WORTH_SAYING:
            lines.append(f"other estimators differ: {other} {known - value:+.2g}")
    return lines
