"""DeLong's variance for a part of the area under the ROC curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from thresher._inference.delong.covariance import DeLongCovariance, covariance_of
from thresher._inference.delong.delong import check_two_each
from thresher._inference.delong.weighted_placements import sides
from thresher.typing import BoolArray, CountArray, FloatArray, ScoreArray

__all__ = ["PartialDeLong", "cut_placements", "partial_delong", "partial_delong_covariance"]


class PartialDeLong(NamedTuple):
    """A partial area and its variance; `largest` is the greatest value that the area can take."""

    value: float
    variance: float
    largest: float


def partial_delong(pos: CountArray, neg: CountArray, *, span: tuple[float, float], axis: str = "fpr") -> PartialDeLong:
    """Partial area under the ROC curve, and its variance from placements.

    Parameters
    ----------
    pos, neg : array of int64 or float64
        Positives and negatives at each distinct score, highest first; weights are read as numbers of cases.
    span : (low, high)
        The range of false positive rates, or of true positive rates, with 0 <= low < high <= 1.
    axis : {"fpr", "tpr"}
        "fpr": the area under the curve between two false positive rates. "tpr": the area to the right of the curve
        (of specificity) between two true positive rates.

    Returns
    -------
    PartialDeLong

    Raises
    ------
    UndefinedMetricError
        When a class has not more than one case.

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

    Examples
    --------
    >>> import numpy as np
    >>> from thresher._inference.delong.partial import partial_delong
    >>> found = partial_delong(np.array([3, 1, 0, 1]), np.array([0, 1, 3, 1]), span=(0.0, 0.4))
    >>> round(found.value, 6), round(found.variance, 6), found.largest
    (0.3, 0.0064, 0.4)
    """
    value, (of_pos, of_neg) = _cut_placements(pos, neg, span, axis)
    n_pos, n_neg = float(pos.sum()), float(neg.sum())
    variance = _spread(of_pos, pos, n_pos) / n_pos + _spread(of_neg, neg, n_neg) / n_neg
    return PartialDeLong(value, variance, span[1] - span[0])


def partial_delong_covariance(
    positive: BoolArray,
    scores: Sequence[ScoreArray],
    *,
    span: tuple[float, float],
    axis: str = "fpr",
    weight: CountArray | None = None,
) -> DeLongCovariance:
    """Covariance of the partial areas of scorers that were applied to the same cases.

    Parameters
    ----------
    positive : array of bool, shape (n,)
        Whether row r is a positive.
    scores : sequence of arrays, each of shape (n,)
        Scores of each scorer; row r of all of them is the same case.
    span, axis
        As in `partial_delong`; each scorer has its own thresholds at the ends of the range.
    weight : array, shape (n,), optional
        Number of cases that each row stands for.

    Returns
    -------
    DeLongCovariance
        With the partial areas as `auc`.

    Notes
    -----
    The cut placements of a case by two scorers are paired, as its placements are in DeLong's covariance: their
    covariances over the positives and over the negatives, each divided by the number of cases, are added. With the
    range [0, 1] it is DeLong's covariance.

    Examples
    --------
    >>> import numpy as np
    >>> from thresher._inference.delong.partial import partial_delong_covariance
    >>> y = np.array([True, True, True, False, False, False])
    >>> a = np.array([0.9, 0.8, 0.4, 0.5, 0.2, 0.1])
    >>> found = partial_delong_covariance(y, [a, -a], span=(0.0, 0.5))
    >>> found.auc.round(4), found.difference_variance.round(4)
    (array([0.3889, 0.    ]), array([[0.    , 0.0247],
           [0.0247, 0.    ]]))
    """
    weights = np.ones(positive.size, dtype=np.int64) if weight is None else weight
    both = weights[positive], weights[~positive]
    areas: list[float] = []
    from_pos: list[FloatArray] = []
    from_neg: list[FloatArray] = []
    for score in scores:
        distinct, cell = np.unique(score, return_inverse=True)
        cell = distinct.size - 1 - cell.reshape(-1)
        cells = cell[positive], cell[~positive]
        table = [np.bincount(at, own, distinct.size) for at, own in zip(cells, both, strict=True)]
        value, placements = _cut_placements(table[0], table[1], span, axis)
        areas.append(value)
        for kept, placement, at, own in zip((from_pos, from_neg), placements, cells, both, strict=True):
            rows = placement[at]
            kept.append(rows - float(own @ rows) / float(own.sum()))
    return covariance_of(np.array(areas), (from_pos, from_neg), both)


def _cut_placements(
    pos: CountArray, neg: CountArray, span: tuple[float, float], axis: str
) -> tuple[float, tuple[FloatArray, FloatArray]]:
    """Return the partial area, and the cut placements of the positives and of the negatives at each score."""
    table = sides(pos, neg)
    check_two_each(table.n_pos, table.n_neg, 'method="bootstrap" answers, with an interval that is too short.')
    fpr, tpr = np.append(0.0, table.fpr_after), np.append(0.0, table.tpr_after)
    low, high = span
    if axis == "fpr":
        fpr_span, tpr_span = span, (_right_of(fpr, tpr, low), _left_of(fpr, tpr, high))
    else:
        fpr_span, tpr_span = (_right_of(tpr, fpr, low), _left_of(tpr, fpr, high)), span
    of_pos = _cut_mean(table.fpr_before, table.fpr_after, *fpr_span)
    of_neg = _cut_mean(table.tpr_before, table.tpr_after, *tpr_span)
    value = float(pos @ (high - of_pos)) / table.n_pos if axis == "fpr" else float(neg @ (of_neg - low)) / table.n_neg
    return value, (of_pos, of_neg)


def cut_placements(
    pos: CountArray, neg: CountArray, *, span: tuple[float, float], axis: str
) -> tuple[FloatArray, FloatArray]:
    """Return the placements of positives and negatives at each score, cut to a range."""
    return _cut_placements(pos, neg, span, axis)[1]


def _spread(placement: FloatArray, count: CountArray, total: float) -> float:
    mean = float(count @ placement) / total
    return float(count @ (placement - mean) ** 2) / (total - 1.0)


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
