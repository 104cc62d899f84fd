"""Areas of many count tables at once: one row for each replicate, one column for each score, highest first.

All kernels take `pos` and `neg`, float64 of shape (replicates, scores), and `at`, the columns that can hold
positives: it is fixed by the data, never by a batch, so that sums are rounded alike in every batch.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from thresher._core.fractions import portion
from thresher._core.hull import upper_hull
from thresher.typing import FloatArray

__all__ = [
    "achievable",
    "average_precision",
    "delong_variances",
    "functional",
    "interpolated",
    "partial_area",
    "precision_at",
    "roc_auc",
    "trapezoid",
    "unit_steps",
]

Columns = NDArray[np.intp]
Span = tuple[float, float]
_ALL: Span = (0.0, 1.0)


def _columns(table: FloatArray, at: Columns) -> FloatArray:
    """Return some columns, with rows contiguous: sums over a row then do not depend on how many rows there are."""
    return np.take(table, at, axis=1)


def roc_auc(pos: FloatArray, neg: FloatArray, at: Columns) -> FloatArray:
    """Return the areas under the ROC curves; exact quotients while the counts are whole and below 2**26 or so."""
    fp = np.cumsum(neg, axis=1)
    n_neg = fp[:, -1]
    won = (_columns(pos, at) * (2.0 * (n_neg[:, None] - _columns(fp, at)) + _columns(neg, at))).sum(axis=1)
    return np.asarray(won / (2.0 * pos.sum(axis=1) * n_neg))


def delong_variances(pos: FloatArray, neg: FloatArray, at: Columns) -> FloatArray:
    """Return DeLong's variance of each area; each class of each replicate has more than one case."""
    tp, fp = np.cumsum(pos, axis=1), np.cumsum(neg, axis=1)
    n_pos, n_neg = tp[:, -1:], fp[:, -1:]
    lost = (_columns(fp, at) - _columns(neg, at) / 2.0) / n_neg
    found = (tp - pos / 2.0) / n_pos
    out = np.zeros(pos.shape[0])
    for count, share, total in ((_columns(pos, at), lost, n_pos), (neg, found, n_neg)):
        mean = (count * share).sum(axis=1, keepdims=True) / total
        out += (count * (share - mean) ** 2).sum(axis=1) / (total * (total - 1.0))[:, 0]
    return out


def partial_area(pos: FloatArray, neg: FloatArray, at: Columns, *, along: str, span: Span) -> FloatArray:
    """Return areas over a range of FPR (of sensitivity) or of TPR (of specificity)."""
    del at  # every column can carry a part of the range
    tp, fp = np.cumsum(pos, axis=1), np.cumsum(neg, axis=1)
    n_pos, n_neg = tp[:, -1], fp[:, -1]
    (x, width, y, rise) = (fp, neg, tp, pos) if along == "fpr" else (tp, pos, fp, neg)
    x_total = n_neg if along == "fpr" else n_pos
    low, high = (portion(x_total, end)[:, None] for end in span)
    start = x - width
    first, last = np.clip(start, low, high), np.clip(x, low, high)
    slope = np.divide(rise, width, out=np.zeros_like(width), where=width > 0)
    height = (y - rise) + slope * ((first + last) / 2.0 - start)
    area = ((last - first) * height).sum(axis=1) / (n_pos * n_neg)
    return np.asarray(area if along == "fpr" else (span[1] - span[0]) - area)


def skews(pos: FloatArray, neg: FloatArray, prevalence: float | None) -> FloatArray:
    """Return by how much a false positive counts in precision, as a column: 1 unless a prevalence was given."""
    if prevalence is None:
        return np.ones((pos.shape[0], 1))
    odds = (1.0 - prevalence) / prevalence
    return np.asarray(odds * pos.sum(axis=1, keepdims=True) / neg.sum(axis=1, keepdims=True))


def _pieces(
    pos: FloatArray, neg: FloatArray, at: Columns, prevalence: float | None
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return true and false positives before each group that can hold positives, and what the group adds."""
    skew = skews(pos, neg, prevalence)
    p, q = _columns(pos, at), skew * _columns(neg, at)
    tp = np.cumsum(p, axis=1) - p
    fp = skew * _columns(np.cumsum(neg, axis=1) - neg, at)
    return tp, fp, p, q


def _ratio(part: FloatArray, whole: FloatArray, otherwise: float = 0.0) -> FloatArray:
    return np.divide(part, whole, out=np.full_like(whole, otherwise), where=whole > 0)


def _cut(tp: FloatArray, p: FloatArray, span: Span) -> tuple[FloatArray, FloatArray]:
    """Return from which to which share of each group the range of recall reaches."""
    if span == _ALL:
        return np.zeros_like(p), np.ones_like(p)
    total = tp[:, -1:] + p[:, -1:]
    low, high = (np.clip(_ratio(end * total - tp, p), 0.0, 1.0) for end in span)
    return low, high


def interpolated(
    pos: FloatArray,
    neg: FloatArray,
    at: Columns,
    *,
    prevalence: float | None = None,
    span: Span = _ALL,
    positives_first: bool = False,
) -> FloatArray:
    """Return exact integrals of the Davis-Goadrich curves; `positives_first` lets positives win every tie."""
    tp, fp, p, q = _pieces(pos, neg, at, prevalence)
    total = pos.sum(axis=1)
    if positives_first:
        q = np.zeros_like(q)
    if span != _ALL:
        low, high = _cut(tp, p, span)
        tp, fp, p, q = tp + low * p, fp + low * q, (high - low) * p, (high - low) * q
    before, added = tp + fp, p + q
    z = _ratio(added, before)
    # log1p(z) / z is the share of the precision before the group in the mean; it tends to 1 for small groups.
    outer = np.where(z > 0, np.log1p(z) / np.where(z > 0, z, 1.0), 1.0)
    within = _ratio(p, added)
    mean = np.where(before > 0, outer * _ratio(tp, before) + (1.0 - outer) * within, within)
    return np.asarray((p * mean).sum(axis=1) / total)


def functional(
    pos: FloatArray, neg: FloatArray, at: Columns, *, prevalence: float | None = None, span: Span = _ALL
) -> FloatArray:
    """Return areas under Hughes-Oliver's functional estimator."""
    return interpolated(pos, neg, at, prevalence=prevalence, span=span, positives_first=True)


def average_precision(
    pos: FloatArray, neg: FloatArray, at: Columns, *, prevalence: float | None = None, span: Span = _ALL
) -> FloatArray:
    """Return sums of recall gained times the precision of the threshold that gains it."""
    tp, fp, p, q = _pieces(pos, neg, at, prevalence)
    low, high = _cut(tp, p, span)
    precision = _ratio(tp + p, tp + p + fp + q)
    return np.asarray((p * (high - low) * precision).sum(axis=1) / pos.sum(axis=1))


def trapezoid(
    pos: FloatArray, neg: FloatArray, at: Columns, *, prevalence: float | None = None, span: Span = _ALL
) -> FloatArray:
    """Return areas under straight lines between thresholds, from (recall 0, precision 1)."""
    tp, fp, p, q = _pieces(pos, neg, at, prevalence)
    low, high = _cut(tp, p, span)
    first = _ratio(tp, tp + fp, 1.0)
    rise = _ratio(tp + p, tp + p + fp + q, 1.0) - first
    area = p * (high - low) * (first + (low + high) / 2.0 * rise)
    return np.asarray(area.sum(axis=1) / pos.sum(axis=1))


def unit_steps(pos: FloatArray, neg: FloatArray, at: Columns, *, prevalence: float | None = None) -> FloatArray:
    """Return trapezoids at every whole true positive, replicate by replicate."""
    tp, fp, p, q = _pieces(pos, neg, at, prevalence)
    out = np.empty(pos.shape[0])
    for row in range(out.size):
        steps = p[row].astype(np.int64)
        group = np.repeat(np.arange(steps.size), steps)
        v = np.arange(group.size) - (np.cumsum(steps) - steps)[group]
        ends = []
        for done in (v, v + 1):
            found = tp[row, group] + done
            called = found + fp[row, group] + q[row, group] * (done / p[row, group])
            start = p[row, group] / (p[row, group] + q[row, group])
            ends.append(np.where(called > 0, found / np.where(called > 0, called, 1.0), start))
        out[row] = (ends[0] + ends[1]).sum() / 2.0 / steps.sum()
    return out


def achievable(
    pos: FloatArray, neg: FloatArray, at: Columns, *, prevalence: float | None = None, span: Span = _ALL
) -> FloatArray:
    """Return areas under the achievable curves: each replicate's own convex hull."""
    del at  # a hull may have vertices at any column
    out = np.empty(pos.shape[0])
    for row in range(out.size):
        seen = (pos[row] > 0) | (neg[row] > 0)
        tp, fp = (np.append(0.0, np.cumsum(count[row, seen])) for count in (pos, neg))
        kept = upper_hull(fp, tp)
        rise, run = np.diff(tp[kept])[None], np.diff(fp[kept])[None]
        out[row] = interpolated(rise, run, np.arange(rise.size), prevalence=prevalence, span=span)[0]
    return out


def precision_at(
    pos: FloatArray, neg: FloatArray, at: Columns, *, recall: float, prevalence: float | None = None
) -> FloatArray:
    """Return the precision where each curve first reaches a recall above 0."""
    tp, fp, p, q = _pieces(pos, neg, at, prevalence)
    n_pos = pos.sum(axis=1)
    target = portion(n_pos, recall)
    group = ((tp + p) < target[:, None]).sum(axis=1)
    row = np.arange(group.size)
    share = (target - tp[row, group]) / p[row, group]
    false = fp[row, group] + share * q[row, group]
    return np.asarray(target / (target + false))


Kernel = Callable[..., FloatArray]
PR_KERNELS: dict[str, Kernel] = {
    "interpolated": interpolated,
    "average_precision": average_precision,
    "unit_steps": unit_steps,
    "trapezoid": trapezoid,
    "functional": functional,
    "achievable": achievable,
}
"""By the names of `thresher.areas.PR_ESTIMATORS`."""
