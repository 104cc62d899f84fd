"""Areas under the precision-recall curve by each estimator, and their range where rows stand for ranges of scores."""

from __future__ import annotations

import math

import numpy as np

from thresher._core import native
from thresher._core.hyperbola import hyperbola_area, unit_step_area
from thresher._core.sums import accurate_sum
from thresher._curves import hull_counts
from thresher._inference.bootstrap import replicate_areas
from thresher._table import Counts, device_pr_area, kernels_take, padded_counts, running_counts
from thresher.typing import CountArray, FloatArray, ScoreArray

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
        if counts._running is not None:
            return native.pr_area_of(counts._running, estimator, skew) / counts.n_pos
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


def _pieces(tp: CountArray, fp: CountArray, recall: Span, false_positives: str) -> SegmentPieces:
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
    precision = _precision(tp, fp)
    width = np.diff(tp)
    rising = width > 0
    start, width = tp[:-1][rising], width[rising]
    first, last = precision[:-1][rising], precision[1:][rising]
    low = np.clip((recall[0] * tp[-1] - start) / width, 0.0, 1.0)
    high = np.clip((recall[1] * tp[-1] - start) / width, 0.0, 1.0)
    rise = last - first
    return linear_area(first + low * rise, first + high * rise, (high - low) * width)


SegmentPieces = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def linear_area(start: FloatArray, stop: FloatArray, p: FloatArray) -> FloatArray:
    """Return the trapezoid between two precisions."""
    return p * (start + stop) / 2.0


def most_average_precision(counts: Counts, prevalence: float | None) -> float:
    """Return an average precision that no data exceed which the table can stand for.

    A positive of a row stands at some score s of its range, where at most the positives of all ranges that reach up to
    s are called, and at least the negatives of all that do not reach below it.
    """
    tops = np.unique(counts._highest_scores)
    # Going down, the best precision rises where a range begins and falls where one ends: its peaks are at the tops.
    tp = _at_least(counts._highest_scores, counts.pos.astype(np.float64), tops)
    fp = _at_least(counts.thresholds, counts.neg.astype(np.float64), tops)
    precision = tp / np.maximum(tp + skew_of(counts, prevalence) * fp, 1e-300)
    first = np.searchsorted(tops, counts.thresholds, side="left")
    end = np.searchsorted(tops, counts._highest_scores, side="right")
    return accurate_sum(counts.pos * _range_max(precision, first, end)) / counts.n_pos


def most_partial_average_precision(best: Counts, prevalence: float | None, recall: tuple[float, float]) -> float:
    """Return the same for a range of recall, from the best data that the table can stand for.

    Which positives belong to the range is unknown, so a positive is given the best precision from its place on.
    """
    tp, fp = (column.astype(np.float64) for column in padded_counts(best))
    rising = np.flatnonzero(np.diff(tp) > 0)
    start, stop = tp[rising], tp[rising + 1]
    ahead = np.maximum.accumulate((stop / (stop + skew_of(best, prevalence) * fp[rising + 1]))[::-1])[::-1]
    width = np.maximum(np.minimum(stop, recall[1] * tp[-1]) - np.maximum(start, recall[0] * tp[-1]), 0.0)
    return accurate_sum(width * ahead) / best.n_pos


def _at_least(scores: ScoreArray, counts: FloatArray, cuts: ScoreArray) -> FloatArray:
    """Return the counts at scores not below each cut."""
    order = np.argsort(scores, kind="stable")
    running = np.concatenate((np.cumsum(counts[order][::-1])[::-1], [0.0]))
    return np.asarray(running[np.searchsorted(scores[order], cuts, side="left")])


def _range_max(values: FloatArray, first: np.ndarray, end: np.ndarray) -> FloatArray:
    """Return the largest of ``values[first[i]:end[i]]``, none of them empty."""
    level = np.frexp((end - first).astype(np.float64))[1] - 1
    out = np.empty(first.size)
    spans = values
    for power in range(int(level.max(initial=0)) + 1):
        here = level == power
        out[here] = np.maximum(spans[first[here]], spans[end[here] - (1 << power)])
        width = 1 << power
        if spans.size > width:
            spans = np.maximum(spans[:-width], spans[width:])
    return out


def area_range_by_stretches(counts: Counts, skew: float, recall: tuple[float, float]) -> tuple[float, float]:
    """Return areas between which those of all data lie that the table can stand for.

    The table falls into stretches: every score of one is above every score of the next, so all data go through the
    points between them. Inside a stretch all points of the curve lie in the rectangle of its ends, and every rule that
    takes precisions from there, or between them, gives each positive one between the least and the highest of that
    rectangle. A stretch of one score goes straight from end to end in counts, along which precision rises or falls.
    """
    reach = np.maximum.accumulate(counts._highest_scores[::-1])[::-1]  # the highest score from here on
    last = np.append(np.flatnonzero(reach[1:] < counts.thresholds[:-1]), counts.thresholds.size - 1)
    tp, fp = (column.astype(np.float64)[np.append(0, last + 1)] for column in padded_counts(counts))
    fp = skew * fp
    start, stop, few, many = tp[:-1], tp[1:], fp[:-1], fp[1:]
    single = (np.diff(last, prepend=-1) == 1) & (counts._highest_scores[last] == counts.thresholds[last])
    one, other = _precision(start, np.where(single, few, many)), _precision(stop, np.where(single, many, few))
    least, most = np.minimum(one, other), np.maximum(one, other)
    width = np.minimum(stop, recall[1] * tp[-1]) - np.maximum(start, recall[0] * tp[-1])
    width = np.where(stop > start, np.maximum(width, 0.0), 0.0)
    return accurate_sum(width * least) / counts.n_pos, accurate_sum(width * most) / counts.n_pos


def _precision(tp: FloatArray, fp: FloatArray) -> FloatArray:
    """Return precision, 1 where nothing is called."""
    called = tp + fp
    return np.where(called > 0, tp / np.where(called > 0, called, 1.0), 1.0)


# One more negative at the top may lower the mean precision by so much before it is said.
_WORTH_SAYING = 0.1
_MOST_NEGATIVES = 1e15


def unseen_remark(table: Counts, prevalence: float, recall: Span) -> str | None:
    """Return a sentence where the area depends on false positive rates that these negatives cannot show."""
    if prevalence >= table.prevalence:
        return None
    seen, lower = (_area(table, prevalence, recall, top) for top in (0.0, 1.0))
    if seen - lower <= _WORTH_SAYING:
        return None
    needed = negatives_needed(table, prevalence, recall)
    return (
        f"at prevalence {prevalence:g} precision depends on false positive rates below 1 in {table.n_neg:,.6g}, which "
        f"{table.n_neg:,.6g} negatives cannot show: one more negative at the top would lower the mean precision from "
        f"{seen:.2g} to {lower:.2g}; about {needed:,} negatives would settle it"
    )


def negatives_needed(table: Counts, prevalence: float, recall: Span = (0.0, 1.0)) -> int:
    """Return with how many negatives, ranked as these are, one more at the top would change the area little."""
    seen = _area(table, prevalence, recall, 0.0)

    def settled(count: float) -> bool:
        # As one of so many on top of the others.
        return seen - _area(table, prevalence, recall, table.n_neg / (count - 1.0)) <= _WORTH_SAYING

    high = 2.0
    while not settled(high) and high < _MOST_NEGATIVES:
        high *= 2.0
    low = high / 2.0
    while high - low > 0.01 * high:
        middle = (low + high) / 2.0
        low, high = (low, middle) if settled(middle) else (middle, high)
    digits = 10.0 ** max(math.floor(math.log10(high)) - 1, 0)
    return int(math.ceil(high / digits) * digits)


def _area(table: Counts, prevalence: float, recall: Span, top: float) -> float:
    """Return the mean precision over the range with so many further negatives above all cases."""
    pos = np.append(0.0, table.pos)[None]
    neg = np.append(top, table.neg)[None]
    area = replicate_areas.pr_area(
        pos, neg, np.arange(pos.shape[1]), estimator="interpolated", prevalence=prevalence, span=recall
    )
    return float(area[0]) / (recall[1] - recall[0])
