"""DeLong's variance for a part of the area under the ROC curve."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher._core.sums import dot
from thresher._inference.delong.delong import check_two_each, rows_of, sides
from thresher._inference.sampling import Influence, Spread, centred, check_weights, sampling_of
from thresher._table import Counts
from thresher.typing import CountArray, FloatArray

__all__ = [
    "PartialDeLong",
    "partial_delong",
    "partial_influence",
    "partial_spread",
]

_WITH_ONE_CASE = 'method="bootstrap" answers, with an interval that is too short.'


class PartialDeLong(NamedTuple):
    """A partial area and its variance; `largest` is the greatest value that the area can take."""

    value: float
    variance: float
    largest: float


def partial_delong(pos: CountArray, neg: CountArray, *, span: tuple[float, float], axis: str = "fpr") -> PartialDeLong:
    """Partial area under the ROC curve, and its variance from placements.

    Notes
    -----
    The two limits cut a piece of the curve from (f0, t0) to (f1, t1). Cut the placement of each positive (a false
    positive rate) to [f0, f1] and that of each negative (a true positive rate) to [t0, t1]; the variance is
    var(cut placements of positives)/m + var(cut placements of negatives)/n. This includes the sampling error of the
    threshold that belongs to the limit: moving a threshold changes the area by the height of the curve there, which
    is what cutting the other coordinate takes off, and no density has to be estimated. A group of tied scores
    spreads its cases evenly over its segment of the curve. With the range [0, 1] it is DeLong's variance.

    References
    ----------
    .. [1] A. I. Bandos, B. Guo and D. Gur, "Jackknife variance of the partial area under the empirical receiver
       operating characteristic curve", Statistical Methods in Medical Research 26 (2017), 528-541.
       https://doi.org/10.1177/0962280214551190
    .. [2] L. E. Dodd and M. S. Pepe, "Partial AUC estimation and regression", Biometrics 59 (2003), 614-623.
       https://doi.org/10.1111/1541-0420.00071
    """
    n_pos, n_neg = float(pos.sum()), float(neg.sum())
    check_two_each(n_pos, n_neg, _WITH_ONE_CASE)
    value, (of_pos, of_neg) = _cut_placements(pos, neg, span, axis)
    variance = _spread(of_pos, pos, n_pos) / n_pos + _spread(of_neg, neg, n_neg) / n_neg
    return PartialDeLong(value, variance, span[1] - span[0])


def partial_influence(counts: Counts, *, span: tuple[float, float], axis: str = "fpr") -> Influence:
    """Return the influence of a partial area: cut placements minus their mean in each class."""
    pos, neg = counts.pos.astype(np.float64), counts.neg.astype(np.float64)
    _, (of_pos, of_neg) = _cut_placements(pos, neg, span, axis)
    return Influence(-centred(of_pos, pos), centred(of_neg, neg))


def partial_spread(counts: Counts, *, span: tuple[float, float], axis: str = "fpr") -> Spread:
    """Return the variance of a partial area of a count table, with the degrees of freedom that clusters leave."""
    check_weights(counts)
    if counts._rows_alike is not None:
        plain = counts._rows_alike
        return Spread(partial_delong(plain.pos, plain.neg, span=span, axis=axis).variance)
    check_two_each(*rows_of(counts), _WITH_ONE_CASE)
    return sampling_of(counts).spread(partial_influence(counts, span=span, axis=axis))


def _cut_placements(
    pos: CountArray, neg: CountArray, span: tuple[float, float], axis: str
) -> tuple[float, tuple[FloatArray, FloatArray]]:
    """Return the partial area, and the cut placements of the positives and of the negatives at each score."""
    table = sides(pos, neg)
    fpr, tpr = np.append(0.0, table.fpr_after), np.append(0.0, table.tpr_after)
    low, high = span
    if axis == "fpr":
        fpr_span, tpr_span = span, (_right_of(fpr, tpr, low), _left_of(fpr, tpr, high))
    else:
        fpr_span, tpr_span = (_right_of(tpr, fpr, low), _left_of(tpr, fpr, high)), span
    of_pos = _cut_mean(table.fpr_before, table.fpr_after, *fpr_span)
    of_neg = _cut_mean(table.tpr_before, table.tpr_after, *tpr_span)
    value = dot(pos, high - of_pos) / table.n_pos if axis == "fpr" else dot(neg, of_neg - low) / table.n_neg
    return value, (of_pos, of_neg)


def _spread(placement: FloatArray, count: CountArray, total: float) -> float:
    mean = dot(count, placement) / total
    return dot(count, (placement - mean) ** 2) / (total - 1.0)


def _cut_mean(start: FloatArray, end: FloatArray, low: float, high: float) -> FloatArray:
    """Mean of u cut to [low, high], for u spread evenly over [start, end]."""
    first, last = np.clip(start, low, high), np.clip(end, low, high)
    length = end - start
    under = np.maximum(np.minimum(end, low) - start, 0.0)
    over = np.maximum(end - np.maximum(start, high), 0.0)
    whole = low * under + high * over + (first + last) / 2.0 * (last - first)
    point = length == 0.0
    return np.where(point, first, whole / np.where(point, 1.0, length))


def _right_of(x: FloatArray, y: FloatArray, at: float) -> float:
    """Height of the curve just right of `at`."""
    i = int(np.searchsorted(x, at, "right")) - 1
    if i == x.size - 1:
        return float(y[-1])
    return float(y[i] + (at - x[i]) * (y[i + 1] - y[i]) / (x[i + 1] - x[i]))


def _left_of(x: FloatArray, y: FloatArray, at: float) -> float:
    """Height of the curve just left of `at`."""
    i = int(np.searchsorted(x, at, "left"))
    if i == 0:
        return float(y[0])
    return float(y[i] - (x[i] - at) * (y[i] - y[i - 1]) / (x[i] - x[i - 1]))
