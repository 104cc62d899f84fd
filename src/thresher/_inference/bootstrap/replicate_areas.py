"""Areas of many count tables at once: one row for each replicate, one column for each score, highest first.

All kernels take `pos` and `neg`, float64 of shape (replicates, scores), and `at`, the columns that can hold
positives: it is fixed by the data, never by a batch, so that sums are rounded alike in every batch.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.decimals import portion
from thresher._core.hull import upper_hull
from thresher._core.hyperbola import unit_step_area
from thresher._inference.pr import Span
from thresher.typing import FloatArray

Columns = NDArray[np.intp]
_ALL: Span = (0.0, 1.0)
_MOST_PASSES = 40
_WIDE = 500  # columns beyond which hulls are quicker one by one


def _columns(table: FloatArray, at: Columns) -> FloatArray:
    """Return some columns, with rows contiguous: sums over a row then do not depend on how many rows there are."""
    return np.take(table, at, axis=1)


def roc_auc(pos: FloatArray, neg: FloatArray, at: Columns) -> FloatArray:
    """Return the areas under the ROC curves; exact quotients while the counts are whole and below 2**26 or so."""
    fp = np.cumsum(neg, axis=1)
    n_neg = fp[:, -1]
    won = (_columns(pos, at) * (2.0 * (n_neg[:, None] - _columns(fp, at)) + _columns(neg, at))).sum(axis=1)
    return np.asarray(won / (2.0 * pos.sum(axis=1) * n_neg))


def partial_area(pos: FloatArray, neg: FloatArray, at: Columns, *, along: str, span: Span) -> FloatArray:
    """Return areas over a range of FPR (under the curve) or of TPR (left of the curve)."""
    del at  # every column can carry a part of the range
    tp, fp = np.cumsum(pos, axis=1), np.cumsum(neg, axis=1)
    pieces = Pieces(tp - pos, fp - neg, pos, neg, tp[:, -1:], fp[:, -1:])
    return np.asarray(partial_terms(pieces, along=along, span=span).sum(axis=1) / (tp[:, -1] * fp[:, -1]))


def partial_terms(pieces: Pieces, *, along: str, span: Span) -> FloatArray:
    """Return what each group adds to a partial area, in pairs."""
    tp, fp, p, q, n_pos, n_neg = pieces
    (start, width, y, rise) = (fp, q, tp, p) if along == "fpr" else (tp, p, fp, q)
    low, high = (portion(n_neg if along == "fpr" else n_pos, end) for end in span)
    first, last = np.clip(start, low, high), np.clip(start + width, low, high)
    slope = np.divide(rise, width, out=np.zeros_like(width), where=width > 0)
    return np.asarray((last - first) * (y + slope * ((first + last) / 2.0 - start)))


class Pieces(NamedTuple):
    """Groups of cases with one score: what stands above each, and what it adds; the last axis runs over groups."""

    tp: FloatArray
    fp: FloatArray
    p: FloatArray
    q: FloatArray
    n_pos: FloatArray
    """All positives, with a last axis of length 1."""
    n_neg: FloatArray

    def at_prevalence(self, prevalence: float | None) -> Pieces:
        """Return the pieces with false positives weighted for another proportion of positives."""
        if prevalence is None:
            return self
        skew = (1.0 - prevalence) / prevalence * self.n_pos / self.n_neg
        return self._replace(fp=skew * self.fp, q=skew * self.q)


def _pieces(pos: FloatArray, neg: FloatArray, at: Columns, prevalence: float | None) -> Pieces:
    """Return the groups that can hold positives."""
    p = _columns(pos, at)
    tp = np.cumsum(p, axis=1)
    fp = np.cumsum(neg, axis=1)
    pieces = Pieces(tp - p, _columns(fp - neg, at), p, _columns(neg, at), tp[:, -1:], fp[:, -1:])
    return pieces.at_prevalence(prevalence)


def _ratio(part: FloatArray, whole: FloatArray, otherwise: float = 0.0) -> FloatArray:
    out: FloatArray = np.full(whole.shape, otherwise)
    return np.divide(part, whole, out=out, where=whole > 0)


def _cut(pieces: Pieces, span: Span) -> tuple[FloatArray, FloatArray]:
    """Return from which to which proportion of each group the range of recall reaches."""
    if span == _ALL:
        return np.zeros_like(pieces.p), np.ones_like(pieces.p)
    low, high = (np.clip(_ratio(end * pieces.n_pos - pieces.tp, pieces.p), 0.0, 1.0) for end in span)
    return low, high


def interpolated(pieces: Pieces, span: Span) -> FloatArray:
    """Return what each group adds to the integral of the Davis-Goadrich curve, in positives."""
    tp, fp, p, q, *_ = pieces
    if span != _ALL:
        low, high = _cut(pieces, span)
        tp, fp, p, q = tp + low * p, fp + low * q, (high - low) * p, (high - low) * q
    before, added = tp + fp, p + q
    z = _ratio(added, before)
    # log1p(z) / z is the proportion of the precision before the group in the mean; it tends to 1 for small groups.
    outer = np.divide(np.log1p(z), z, out=np.ones(z.shape), where=z > 0)
    within = _ratio(p, added)
    mean = np.where(before > 0, outer * _ratio(tp, before) + (1.0 - outer) * within, within)
    return np.asarray(p * mean)


def functional(pieces: Pieces, span: Span) -> FloatArray:
    """Return the terms of Hughes-Oliver's functional estimator: positives win every tie."""
    return interpolated(pieces._replace(q=np.zeros_like(pieces.q)), span)


def average_precision(pieces: Pieces, span: Span) -> FloatArray:
    """Return positives gained times the precision of the threshold that gains them."""
    tp, fp, p, q, *_ = pieces
    low, high = _cut(pieces, span)
    return np.asarray(p * (high - low) * _ratio(tp + p, tp + p + fp + q))


def trapezoid(pieces: Pieces, span: Span) -> FloatArray:
    """Return the terms of straight lines between thresholds, from (recall 0, precision 1)."""
    tp, fp, p, q, *_ = pieces
    low, high = _cut(pieces, span)
    first = _ratio(tp, tp + fp, 1.0)
    rise = _ratio(tp + p, tp + p + fp + q, 1.0) - first
    return np.asarray(p * (high - low) * (first + (low + high) / 2.0 * rise))


TERMS: dict[str, Callable[[Pieces, Span], FloatArray]] = {
    "interpolated": interpolated,
    "functional": functional,
    "average_precision": average_precision,
    "trapezoid": trapezoid,
}
"""Areas under the PR curve that are sums over groups of tied scores, divided by the positives."""


def pr_area(
    pos: FloatArray, neg: FloatArray, at: Columns, *, estimator: str, prevalence: float | None = None, span: Span = _ALL
) -> FloatArray:
    """Return areas under the PR curves."""
    if estimator == "unit_steps":
        return unit_steps(pos, neg, at, prevalence=prevalence)
    if estimator == "achievable":
        return achievable(pos, neg, prevalence=prevalence, span=span)
    pieces = _pieces(pos, neg, at, prevalence)
    return np.asarray(TERMS[estimator](pieces, span).sum(axis=1) / pieces.n_pos[:, 0])


def unit_steps(pos: FloatArray, neg: FloatArray, at: Columns, *, prevalence: float | None = None) -> FloatArray:
    """Return trapezoids at every whole true positive, replicate by replicate."""
    tp, fp, p, q, *_ = _pieces(pos, neg, at, prevalence)
    out = np.empty(pos.shape[0])
    for row in range(out.size):
        seen = p[row] > 0
        areas = unit_step_area(*(column[row, seen] for column in (tp, fp, p, q)))
        out[row] = areas.sum() / p[row].sum()
    return out


def achievable(pos: FloatArray, neg: FloatArray, *, prevalence: float | None = None, span: Span = _ALL) -> FloatArray:
    """Return areas under the achievable curves: each replicate's own convex hull."""
    starts = ((0, 0), (1, 0))
    tp, fp = (np.pad(np.cumsum(counts, axis=1), starts) for counts in (pos, neg))
    row, tp, fp = _vertices(tp, fp, np.pad((pos > 0) | (neg > 0), starts, constant_values=True))
    first = np.searchsorted(row, np.arange(pos.shape[0]))
    edge = np.arange(row.size) - first[row]
    most = int(edge.max(initial=0))
    rises, runs = np.zeros((2, pos.shape[0], most))
    inner = edge > 0
    for steps, along in ((rises, tp), (runs, fp)):
        steps[row[inner], edge[inner] - 1] = np.diff(along)[inner[1:]]
    return pr_area(rises, runs, np.arange(most), estimator="interpolated", prevalence=prevalence, span=span)


def _vertices(tp: FloatArray, fp: FloatArray, seen: NDArray[np.bool_]) -> tuple[Columns, FloatArray, FloatArray]:
    """Return the vertices of the hull of every row, in order: the row each belongs to, and its counts."""
    row, column = np.nonzero(seen)
    tp, fp = tp[row, column], fp[row, column]
    for _ in range(_MOST_PASSES if seen.shape[1] <= _WIDE else 0):
        # A point on or under the chord of its neighbours is no vertex, so all of them go at once.
        rises = (fp[2:] - fp[:-2]) * (tp[1:-1] - tp[:-2]) - (tp[2:] - tp[:-2]) * (fp[1:-1] - fp[:-2])
        kept = np.pad((row[2:] != row[:-2]) | (rises > 0), 1, constant_values=True)
        if kept.all():
            return row, tp, fp
        row, tp, fp = row[kept], tp[kept], fp[kept]
    ends = np.searchsorted(row, np.arange(seen.shape[0] + 1))
    left = [first + upper_hull(fp[first:last], tp[first:last]) for first, last in pairwise(ends)]
    kept = np.concatenate(left)
    return row[kept], tp[kept], fp[kept]


def precision_at(
    pos: FloatArray, neg: FloatArray, at: Columns, *, recall: float, prevalence: float | None = None
) -> FloatArray:
    """Return the precision where each curve first reaches a recall above 0."""
    tp, fp, p, q, n_pos, _ = _pieces(pos, neg, at, prevalence)
    target = portion(n_pos[:, 0], recall)
    group = ((tp + p) < target[:, None]).sum(axis=1)
    row = np.arange(group.size)
    share = (target - tp[row, group]) / p[row, group]
    false = fp[row, group] + share * q[row, group]
    return np.asarray(target / (target + false))


def rate_at(along: FloatArray, across: FloatArray, share: float, *, last: bool) -> FloatArray:
    """Return the proportion of one class above the place where the other has a given share.

    On a stretch without any of the first class its lower end is taken if `last`, else its upper end.
    """
    x, y = (np.pad(np.cumsum(counts, axis=1), ((0, 0), (1, 0))) for counts in (along, across))
    target = portion(x[:, -1], share)
    row = np.arange(x.shape[0])
    if last:
        before = (x <= target[:, None]).sum(axis=1) - 1
        after = np.minimum(before + 1, x.shape[1] - 1)
    else:
        after = np.minimum((x < target[:, None]).sum(axis=1), x.shape[1] - 1)
        before = np.maximum(after - 1, 0)
    width = x[row, after] - x[row, before]
    into = np.divide(target - x[row, before], width, out=np.zeros_like(width), where=width > 0)
    low, high = y[row, before], y[row, after]
    return np.asarray(np.where(into >= 1.0, high, low + into * (high - low)) / y[:, -1])
