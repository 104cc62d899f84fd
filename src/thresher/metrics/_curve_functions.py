"""Curves with scikit-learn's signatures, of counts in main memory or on the device where the rows are."""

from __future__ import annotations

from typing import Any, NamedTuple

import array_api_compat
import array_api_compat.numpy
import numpy as np
from sklearn.utils.validation import _deprecate_positional_args

from thresher._core import native
from thresher._core.checks import warn
from thresher._core.shared_docs import with_texts
from thresher.metrics._binary_rows import Origin, Running, checked_rows, device_table, dispatched, plain_rows, running
from thresher.metrics._checks import accepted, is_flag, undefined

_ROWS = """
y_true : array-like of shape (n,)
    Labels of two classes: {0, 1} or {-1, 1}, or any with `pos_label`.
y_score : array-like of shape (n,)
    Finite scores; larger means more positive.
pos_label : int, float, bool or str, optional
    The label of the positive class.
sample_weight : array-like of shape (n,), optional
    Weights of the rows."""


class _Counted(NamedTuple):
    """The running counts in their library, where results go, and the labels that scikit-learn looks at again."""

    points: Running
    place: Origin | None = None
    labels: Any = None

    def sent(self, *arrays: Any) -> Any:
        """Return results to where the arguments came from."""
        return arrays if self.place is None else tuple(map(self.place.give, arrays))


def _count(
    function: str, y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any, home: str, **flags: Any
) -> _Counted:
    """Return the running counts, on the rows' device if they can be counted there; `home` says whose results are."""
    if all(map(is_flag, flags.values())):
        table = device_table(y_true, y_score, sample_weight, pos_label)
        if table is not None:
            return _Counted(Running(table.thresholds, table.tp, table.fp))
        rows = plain_rows(y_true, y_score, pos_label, sample_weight)
        if rows is not None:
            return _Counted(running(rows), None, None if sample_weight is None else y_true)
    stay = dispatched(y_true, y_score, sample_weight)
    given = {"y_true": y_true, "y_score": y_score, "pos_label": pos_label, "sample_weight": sample_weight}
    y_true, y_score, sample_weight = accepted(function, stay=stay, **given, **flags)
    place = Origin(y_score) if home == "y_score" else Origin(y_true, y_score)
    labels, scores, weight = place.take(y_true), place.take(y_score), place.take(sample_weight)
    return _Counted(running(checked_rows(labels, scores, pos_label, weight)), place, labels)


def _library(column: Any) -> Any:
    return array_api_compat.numpy if type(column) is np.ndarray else array_api_compat.array_namespace(column)


def _kept(xp: Any, points: Running, change: Any) -> Running:
    """Return the first and the last point and those between at which something changes."""
    true = xp.ones((1,), dtype=xp.bool, device=array_api_compat.device(change))
    kept = xp.concat((true, change, true))
    return Running(*(column[kept] for column in points))


def _by_recall(xp: Any, points: Running) -> Running:
    """Return of points with the same recall the first and the last only."""
    if points.fps.shape[0] <= 2:
        return points
    step = points.tps[1:] != points.tps[:-1]
    return _kept(xp, points, step[:-1] | step[1:])


def _floats(xp: Any, column: Any, *, first: float | None = None) -> Any:
    """Return a column in double precision, with one number before it."""
    if type(column) is np.ndarray:
        return column.astype(np.float64) if first is None else np.concatenate(([first], column), dtype=np.float64)
    values = xp.astype(column, xp.float64)
    if first is None:
        return values
    return xp.concat((xp.full((1,), first, dtype=xp.float64, device=array_api_compat.device(column)), values))


def _with_empty_call(xp: Any, points: Running) -> Running:
    """Return float thresholds and counts, from +inf where nothing is predicted positive."""
    return Running(
        *(_floats(xp, column, first=first) for column, first in zip(points, (np.inf, 0.0, 0.0), strict=True))
    )


def _falling(xp: Any, column: Any) -> Any:
    """Return a column from its end."""
    return np.ascontiguousarray(column[::-1]) if type(column) is np.ndarray else xp.flip(column)


@_deprecate_positional_args(version="1.11")  # type: ignore[untyped-decorator]  # scikit-learn has no types
@with_texts(rows=_ROWS)
def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> Any:
    """Return the four counts at each threshold.

    Parameters
    ----------
    {rows}

    Returns
    -------
    tns, fps, fns, tps : ndarray of shape (k,)
        Counts (sums of weights) when ``score >= thresholds[i]`` is predicted positive.
    thresholds : ndarray of shape (k,)
        The distinct scores, highest first.

    Examples
    --------
    >>> from thresher.metrics import confusion_matrix_at_thresholds
    >>> tns, fps, fns, tps, thresholds = confusion_matrix_at_thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> tps, fps
    (array([1., 1., 2., 2.]), array([0., 1., 1., 2.]))
    """
    found = _count("confusion_matrix_at_thresholds", y_true, y_score, pos_label, sample_weight, "y_score")
    thresholds, *counts = found.points
    tps, fps = (_floats(_library(column), column) for column in counts)
    return found.sent(fps[-1] - fps, fps, tps[-1] - tps, tps, thresholds)


@with_texts(rows=_ROWS)
def roc_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = True
) -> Any:
    """Return the ROC curve.

    Parameters
    ----------
    {rows}
    drop_intermediate : bool, default=True
        Leave out points in the middle of a straight run of equal steps.

    Returns
    -------
    fpr, tpr : ndarray of shape (k,)
        Rates when ``score >= thresholds[i]`` is predicted positive, rising from 0 to 1.
    thresholds : ndarray of shape (k,)
        Falling; the first is +inf.

    See Also
    --------
    thresher.Scores.roc : The same curve with interpolation, hull and operating points.

    Examples
    --------
    >>> from thresher.metrics import roc_curve
    >>> fpr, tpr, thresholds = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr, tpr
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    """
    how = {"drop_intermediate": drop_intermediate}
    found = _count("roc_curve", y_true, y_score, pos_label, sample_weight, "both", **how)
    points, xp = found.points, _library(found.points.tps)
    if native.available() and type(points.tps) is np.ndarray:
        whole = points.tps.dtype.kind == "i" and points.thresholds.dtype.char in "fd"
        if whole and points.tps[-1] > 0 and points.fps[-1] > 0:
            return found.sent(*native.roc_points(*points, corners=bool(drop_intermediate)))
    if drop_intermediate and points.fps.shape[0] > 2:
        bends = [c[2:] - c[1:-1] != c[1:-1] - c[:-2] for c in points[1:]]
        points = _kept(xp, points, bends[0] | bends[1])
    thresholds, tps, fps = _with_empty_call(xp, points)
    return found.sent(_rate(fps, "negative", "false"), _rate(tps, "positive", "true"), thresholds)


def _rate(counts: Any, side: str, kind: str) -> Any:
    if counts[-1] <= 0:
        undefined(f"No {side} samples in y_true, {kind} positive value should be meaningless")
        return counts * np.nan
    return counts / counts[-1]


def counted_pr(points: Running) -> tuple[Any, Any]:
    """Return precision and recall at each threshold, highest first, with scikit-learn's answers where undefined."""
    xp = _library(points.tps)
    found = _floats(xp, points.tps)
    called = found + _floats(xp, points.fps)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = found / called
    if type(called) is np.ndarray and not called.all():  # weights may cancel
        precision[called == 0] = 0.0
    if found[-1] == 0:
        warn("No positive class found in y_true, recall is set to one for all thresholds.", UserWarning)
        return precision, xp.ones_like(found)
    return precision, found / found[-1]


@with_texts(rows=_ROWS)
def precision_recall_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> Any:
    """Return precision and recall at each threshold.

    Parameters
    ----------
    {rows}
    drop_intermediate : bool, default=False
        Of points with the same recall keep the first and the last only.

    Returns
    -------
    precision, recall : ndarray of shape (k + 1,)
        When ``score >= thresholds[i]`` is predicted positive; recall falls. The last point, (1, 0), belongs to no
        threshold.
    thresholds : ndarray of shape (k,)
        The distinct scores, lowest first.

    See Also
    --------
    thresher.Scores.pr : The same curve with thresholds of equal length and the right interpolation.

    Examples
    --------
    >>> from thresher.metrics import precision_recall_curve
    >>> precision, recall, thresholds = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> precision.round(2), recall
    (array([0.5 , 0.67, 0.5 , 1.  , 1.  ]), array([1. , 1. , 0.5, 0.5, 0. ]))
    """
    how = {"drop_intermediate": drop_intermediate}
    found = _count("precision_recall_curve", y_true, y_score, pos_label, sample_weight, "y_score", **how)
    xp = _library(found.points.tps)
    points = _by_recall(xp, found.points) if drop_intermediate else found.points
    precision, recall = counted_pr(points)
    last = xp.ones_like(precision[:1])
    return found.sent(
        xp.concat((xp.flip(precision), last)), xp.concat((xp.flip(recall), last - 1.0)), _falling(xp, points.thresholds)
    )


@with_texts(rows=_ROWS)
def det_curve(
    y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> Any:
    """Return the detection error trade-off curve.

    Parameters
    ----------
    {rows}
    drop_intermediate : bool, default=False
        Of points with the same miss rate keep the first and the last only.

    Returns
    -------
    fpr, fnr : ndarray of shape (k,)
        False alarms and misses when ``score >= thresholds[i]`` is predicted positive; `fpr` falls.
    thresholds : ndarray of shape (k,)
        Rising; +inf where no finite threshold is free of false alarms.

    See Also
    --------
    thresher.Scores.det : The same curve with its equal error rate.

    Examples
    --------
    >>> from thresher.metrics import det_curve
    >>> fpr, fnr, thresholds = det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr, fnr, thresholds
    (array([0.5, 0.5, 0. ]), array([0. , 0.5, 0.5]), array([0.35, 0.4 , 0.8 ]))
    """
    how = {"drop_intermediate": drop_intermediate}
    found = _count("det_curve", y_true, y_score, pos_label, sample_weight, "both", **how)
    xp = _library(found.points.tps)
    points = _with_empty_call(xp, found.points)
    thresholds, tps, fps = _by_recall(xp, points) if drop_intermediate else points
    # scikit-learn asks for two kinds of labels among all rows, also those without weight.
    both = tps[-1] > 0 and fps[-1] > 0 if found.labels is None else np.unique(np.asarray(found.labels)).size == 2
    if not both:
        raise ValueError(
            "Only one class is present in y_true. Detection error tradeoff curve is not defined in that case."
        )
    # From the last point without false positives to the first without misses, backwards.
    first = max(int(xp.searchsorted(fps, fps[:1], side="right")[0]) - 1, 0)
    span = slice(first, int(xp.searchsorted(tps, tps[-1:])[0]) + 1)
    fpr, fnr = xp.flip(fps[span]) / fps[-1], xp.flip(tps[-1] - tps[span]) / tps[-1]
    return found.sent(fpr, fnr, _falling(xp, thresholds[span]))
