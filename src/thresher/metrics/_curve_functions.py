"""Curves with scikit-learn's signatures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _deprecate_positional_args

from thresher._core import native
from thresher._core.checks import warn
from thresher._core.device import in_main_memory
from thresher.metrics._binary_rows import Origin, Running, checked_rows, plain_rows, running
from thresher.metrics._checks import accepted, is_flag, undefined
from thresher.metrics._devices import (
    confusion_on_device,
    det_on_device,
    device_table,
    dispatched,
    precision_recall_on_device,
    roc_on_device,
)

__all__ = ["confusion_matrix_at_thresholds", "counted_pr", "det_curve", "precision_recall_curve", "roc_curve"]

Three = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


def _count(
    function: str,
    y_true: Any,
    y_score: Any,
    pos_label: Any,
    sample_weight: Any,
    home: tuple[str, ...],
    **flags: Any,
) -> tuple[Running, Origin | None]:
    """Return the running counts, and where to send results if not to NumPy."""
    if all(map(is_flag, flags.values())):
        rows = plain_rows(y_true, y_score, pos_label, sample_weight)
        if rows is not None:
            return running(rows), None
    stay = dispatched(y_true, y_score, sample_weight)
    given = {"y_true": y_true, "y_score": y_score, "pos_label": pos_label, "sample_weight": sample_weight}
    y_true, y_score, sample_weight = accepted(function, stay=stay, **given, **flags)
    place = Origin(*({"y_true": y_true, "y_score": y_score}[name] for name in home))
    labels, scores, weight = place.take(y_true), place.take(y_score), place.take(sample_weight)
    return running(checked_rows(labels, scores, pos_label, weight)), place


def _sent(arrays: tuple[NDArray[Any], ...], place: Origin | None) -> Any:
    return arrays if place is None else tuple(place.give(array) for array in arrays)


def _kept(counts: Running, change: NDArray[np.bool_]) -> Running:
    """Return the first and the last point and those between at which something changes."""
    kept = np.concatenate(([True], change, [True]))
    return Running(*(column[kept] for column in counts))


def _with_empty_call(counts: Running) -> Three:
    """Return float thresholds and counts, from +inf where nothing is predicted positive."""
    thresholds = np.empty(counts.thresholds.size + 1)
    thresholds[0], thresholds[1:] = np.inf, counts.thresholds
    columns = []
    for column in (counts.tps, counts.fps):
        padded = np.empty(column.size + 1)
        padded[0], padded[1:] = 0.0, column
        columns.append(padded)
    return thresholds, columns[0], columns[1]


@_deprecate_positional_args(version="1.11")  # type: ignore[untyped-decorator]  # scikit-learn has no types
def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None
) -> Any:
    """Return the four counts at each threshold.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes: {0, 1} or {-1, 1}, or any with `pos_label`.
    y_score : array-like of shape (n,)
        Finite scores; larger means more positive.
    pos_label : int, float, bool or str, optional
        The label of the positive class.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

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
    table = device_table(y_true, y_score, sample_weight, pos_label)
    if table is not None:
        return confusion_on_device(table)
    counts, place = _count("confusion_matrix_at_thresholds", y_true, y_score, pos_label, sample_weight, ("y_score",))
    tps, fps = counts.tps.astype(np.float64), counts.fps.astype(np.float64)
    return _sent((fps[-1] - fps, fps, tps[-1] - tps, tps, counts.thresholds), place)


def roc_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = True
) -> Any:
    """Return the ROC curve.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes: {0, 1} or {-1, 1}, or any with `pos_label`.
    y_score : array-like of shape (n,)
        Finite scores; larger means more positive.
    pos_label : int, float, bool or str, optional
        The label of the positive class.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
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
    table = device_table(y_true, y_score, sample_weight, pos_label) if is_flag(drop_intermediate) else None
    if table is not None:
        return roc_on_device(table, drop_intermediate=drop_intermediate)
    counts, place = _count(
        "roc_curve",
        y_true,
        y_score,
        pos_label,
        sample_weight,
        ("y_true", "y_score"),
        drop_intermediate=drop_intermediate,
    )
    whole = counts.tps.dtype.kind == "i" and counts.thresholds.dtype.char in "fd"
    if native.available() and whole and counts.tps[-1] > 0 and counts.fps[-1] > 0:
        points = native.roc_points(counts.thresholds, counts.tps, counts.fps, corners=bool(drop_intermediate))
        return _sent(points, place)
    if drop_intermediate and counts.fps.size > 2:
        counts = _kept(counts, (np.diff(counts.fps, 2) != 0) | (np.diff(counts.tps, 2) != 0))
    thresholds, tps, fps = _with_empty_call(counts)
    return _sent((_rate(fps, "negative", "false"), _rate(tps, "positive", "true"), thresholds), place)


def _rate(counts: NDArray[Any], side: str, kind: str) -> NDArray[Any]:
    if counts[-1] <= 0:
        undefined(f"No {side} samples in y_true, {kind} positive value should be meaningless")
        return np.full(counts.shape, np.nan)
    counts /= counts[-1]
    return counts


def counted_pr(counts: Running) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return precision and recall at each threshold, highest first, with scikit-learn's answers where undefined."""
    called = np.add(counts.tps, counts.fps, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = counts.tps / called
    if not called.all():  # weights may cancel
        precision[called == 0] = 0.0
    if counts.tps[-1] == 0:
        warn("No positive class found in y_true, recall is set to one for all thresholds.", UserWarning)
        return precision, np.ones(counts.tps.shape)
    return precision, counts.tps / counts.tps[-1]


def precision_recall_curve(
    y_true: Any, y_score: Any, *, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> Any:
    """Return precision and recall at each threshold.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes: {0, 1} or {-1, 1}, or any with `pos_label`.
    y_score : array-like of shape (n,)
        Finite scores; larger means more positive.
    pos_label : int, float, bool or str, optional
        The label of the positive class.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
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
    table = device_table(y_true, y_score, sample_weight, pos_label) if is_flag(drop_intermediate) else None
    if table is not None:
        return precision_recall_on_device(table, drop_intermediate=drop_intermediate)
    counts, place = _count(
        "precision_recall_curve",
        y_true,
        y_score,
        pos_label,
        sample_weight,
        ("y_score",),
        drop_intermediate=drop_intermediate,
    )
    if drop_intermediate and counts.fps.size > 2:
        step = np.diff(counts.tps) != 0
        counts = _kept(counts, step[:-1] | step[1:])
    precision, recall = counted_pr(counts)
    return _sent(
        (np.append(precision[::-1], 1.0), np.append(recall[::-1], 0.0), np.ascontiguousarray(counts.thresholds[::-1])),
        place,
    )


def det_curve(
    y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None, drop_intermediate: bool = False
) -> Any:
    """Return the detection error trade-off curve.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of two classes: {0, 1} or {-1, 1}, or any with `pos_label`.
    y_score : array-like of shape (n,)
        Finite scores; larger means more positive.
    pos_label : int, float, bool or str, optional
        The label of the positive class.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
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
    table = device_table(y_true, y_score, sample_weight, pos_label) if is_flag(drop_intermediate) else None
    if table is not None:
        return det_on_device(table, drop_intermediate=drop_intermediate)
    if not dispatched(y_true, y_score, sample_weight):
        y_true, y_score, sample_weight = in_main_memory(
            "det_curve", y_true=y_true, y_score=y_score, sample_weight=sample_weight
        )
    counts, place = _count(
        "det_curve",
        y_true,
        y_score,
        pos_label,
        sample_weight,
        ("y_true", "y_score"),
        drop_intermediate=drop_intermediate,
    )
    thresholds, tps, fps = _with_empty_call(counts)
    if drop_intermediate and fps.size > 2:
        step = np.diff(tps) != 0
        thresholds, tps, fps = _kept(Running(thresholds, tps, fps), step[:-1] | step[1:])
    if _one_class(counts, y_true, sample_weight, place):
        raise ValueError(
            "Only one class is present in y_true. Detection error tradeoff curve is not defined in that case."
        )
    # From the last point without false positives to the first without misses, backwards.
    first = max(int(np.searchsorted(fps, fps[0], side="right")) - 1, 0)
    span = slice(first, int(np.searchsorted(tps, tps[-1])) + 1)
    misses = (tps[-1] - tps[span])[::-1] / tps[-1]
    return _sent((fps[span][::-1] / fps[-1], misses, np.ascontiguousarray(thresholds[span][::-1])), place)


def _one_class(counts: Running, y_true: Any, sample_weight: Any, place: Origin | None) -> bool:
    """Return whether the labels are not of exactly two kinds, as scikit-learn asks it: of all rows, weight or not."""
    if place is None and sample_weight is None:
        return not (counts.tps[-1] > 0 and counts.fps[-1] > 0)
    labels = y_true if place is None else place.take(y_true)
    return bool(np.unique(np.asarray(labels)).size != 2)
