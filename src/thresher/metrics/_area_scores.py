"""Areas with scikit-learn's signatures: binary, multiclass, multilabel, and every average."""

from __future__ import annotations

from functools import partial
from numbers import Real
from typing import Any

import array_api_compat
import numpy as np
from numpy.typing import NDArray
from sklearn.metrics._base import _average_multiclass_ovo_score
from sklearn.preprocessing import label_binarize
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils._encode import _encode
from sklearn.utils.multiclass import type_of_target

from thresher._core import native
from thresher._core.counting import count_rows, count_running
from thresher._core.device import (
    in_main_memory,
    is_on_device,
    positive_on_device,
    to_host,
    twice_u_on_device,
    with_kernels,
)
from thresher._core.shared_docs import with_texts
from thresher._curves import mcclish
from thresher._table import Counts
from thresher.measures import roc_auc_value
from thresher.metrics._binary_rows import (
    CheckedRows,
    Origin,
    checked_rows,
    device_ranks,
    device_table,
    dispatched,
    plain_rows,
    running,
)
from thresher.metrics._checks import (
    AVERAGES,
    accepted,
    averaged,
    check_parameters,
    indicators,
    is_multilabel,
    known_classes,
    undefined,
)
from thresher.metrics._curve_functions import counted_pr

_LABELS = """
y_true : array-like of shape (n,) or (n, n_classes)
    Labels of two classes, of several (``(n,)``), or a table of 0 and 1 for several labels."""
_ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."


def auc(x: Any, y: Any) -> float:
    """Return the area under points joined by straight lines.

    Parameters
    ----------
    x : array-like of shape (n,)
        Abscissas that never fall, or never rise.
    y : array-like of shape (n,)
        Ordinates.

    Returns
    -------
    float
        The trapezoidal area. It suits ROC points; in precision-recall space straight lines are not achievable, see
        `thresher.Scores.pr_auc`.

    Examples
    --------
    >>> from thresher.metrics import auc
    >>> auc([0.0, 0.5, 1.0], [0.0, 1.0, 1.0])
    0.75
    """
    plain = type(x) is np.ndarray and type(y) is np.ndarray and x.ndim == 1 and x.shape == y.shape and x.size > 1
    if not plain:
        x, y = in_main_memory("auc", x=x, y=y)
        check_parameters("auc", x=x, y=y)
        check_consistent_length(x, y)
        x, y = column_or_1d(x), column_or_1d(y)
        if x.shape[0] < 2:
            raise ValueError(f"At least 2 points are needed to compute area under curve, but x.shape = {x.shape[0]}")
    twice, falls, not_falling = _trapezoids(x, y)
    if falls and not_falling:
        raise ValueError(f"x is neither increasing nor decreasing : {x}.")
    return -twice / 2.0 if falls else twice / 2.0


def _trapezoids(x: NDArray[Any], y: NDArray[Any]) -> tuple[float, bool, bool]:
    """Return twice the signed area, and whether `x` ever falls and ever fails to."""
    if native.available() and x.dtype == y.dtype == np.float64:
        return native.trapezoid(x, y)
    return trapezoids_numpy(x, y)


def trapezoids_numpy(x: NDArray[Any], y: NDArray[Any]) -> tuple[float, bool, bool]:
    """Return the same by NumPy, for any type of number."""
    step = np.diff(x)
    if step.dtype.kind not in "fiu":
        step = step.astype(np.float64)
    twice = float(np.sum(step * (y[1:] + y[:-1])))
    return twice, bool((step < 0).any()), not bool((step <= 0).all())


# ROC


@with_texts(labels=_LABELS)
def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    sample_weight: Any = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: Any = None,
) -> Any:
    """Return the area under the ROC curve, for two classes, several classes or several labels.

    Parameters
    ----------
    {labels}
    y_score : array-like of shape (n,) or (n, n_classes)
        Scores of the class with the larger label; probabilities that sum to 1 for several classes; one column for
        each label.
    average : {"micro", "macro", "samples", "weighted"} or None, default="macro"
        How areas of classes or labels become one; None returns each.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    max_fpr : float in (0, 1], optional
        The area up to this false positive rate, standardised (McClish) so that chance is 0.5. Two classes only.
    multi_class : {"raise", "ovr", "ovo"}, default="raise"
        Each class against the rest, or Hand and Till's mean over pairs.
    labels : array-like of shape (n_classes,), optional
        The classes of the columns of `y_score`.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        Without weights each area is the correctly rounded quotient of integers. Rows on a GPU, of labels 0 and 1 or
        -1 and 1, are counted there.

    See Also
    --------
    thresher.Scores.roc_auc : The area with its confidence interval.

    References
    ----------
    D. J. Hand and R. J. Till (2001), doi:10.1023/A:1010920819831, for "ovo".

    Examples
    --------
    >>> from thresher.metrics import roc_auc_score
    >>> roc_auc_score([0, 1, 0, 1], [0.2, 0.6, 0.4, 0.3])
    0.75
    """
    if _usual(average, max_fpr, multi_class):
        found = _usual_roc_area(y_true, y_score, sample_weight, max_fpr)
        if found is not None:
            return found
    y_true, y_score, sample_weight = accepted(
        "roc_auc_score",
        y_true=y_true,
        y_score=y_score,
        average=average,
        sample_weight=sample_weight,
        max_fpr=max_fpr,
        multi_class=multi_class,
        labels=labels,
    )
    y_type = "multilabel-indicator" if is_multilabel(y_true) else type_of_target(y_true, input_name="y_true")
    y_true = check_array(y_true, ensure_2d=False, dtype=None)
    y_score = check_array(y_score, ensure_2d=False)
    if sample_weight is not None:
        sample_weight = column_or_1d(sample_weight)
    if y_type == "multiclass" or (y_type == "binary" and y_score.ndim == 2 and y_score.shape[1] > 2):
        _check_several_classes(max_fpr, multi_class)
        return _several_classes(y_true, y_score, labels, multi_class, average, sample_weight)
    if y_type == "binary":
        y_true = label_binarize(y_true, classes=np.unique(y_true))[:, 0]
    area = partial(_binary_roc_area, max_fpr=max_fpr)
    return averaged(area, y_true, y_score, average, sample_weight)


def _usual(average: Any, max_fpr: Any, multi_class: Any) -> bool:
    """Return whether these arguments need no closer look."""
    return (
        (average is None or (type(average) is str and average in AVERAGES))
        and (max_fpr is None or (type(max_fpr) is float and 0.0 < max_fpr <= 1.0))
        and type(multi_class) is str
        and multi_class in ("raise", "ovr", "ovo")
    )


def _usual_roc_area(y_true: Any, y_score: Any, sample_weight: Any, max_fpr: float | None) -> float | None:
    """Return the area of rows that plainly are those of two classes, or nothing where they need a closer look."""
    found = _plain_roc_area(y_true, y_score, max_fpr) if sample_weight is None else None
    if found is not None:
        return found
    if sample_weight is None and is_on_device(y_score) and y_score.ndim == 1:
        y_true, y_score = with_kernels(y_true, y_score)
        return None if array_api_compat.is_jax_array(y_score) else _roc_area_on_device(y_true, y_score, max_fpr)
    rows = plain_rows(y_true, y_score, None, sample_weight)
    if rows is None:
        return None
    if _both(rows):
        return _roc_area(rows, max_fpr)
    if sample_weight is not None:
        return None
    undefined(_ONE_CLASS)
    return np.nan


def _plain_roc_area(y_true: Any, y_score: Any, max_fpr: float | None) -> float | None:
    """Return the whole area of plain columns, counted and looked at in one compiled call."""
    found = native.plain_u(y_true, y_score) if max_fpr is None or max_fpr == 1 else None
    return _share(*found) if found is not None and found[1] and found[2] else None


def _share(twice_u: int, n_pos: int, n_neg: int) -> float:
    """Return U over the number of pairs, correctly rounded."""
    return twice_u / (2 * n_pos * n_neg)


def _both(rows: CheckedRows) -> bool:
    """Return whether both classes have rows."""
    return bool(rows.positive.any()) and not bool(rows.positive.all())


def _binary_roc_area(y_true: Any, y_score: Any, sample_weight: Any = None, max_fpr: float | None = None) -> float:
    """Return the area for labels 0 and 1, or NaN with a warning if one is missing."""
    rows = plain_rows(y_true, y_score, None, sample_weight)
    if rows is None or not _both(rows):
        if np.unique(y_true).size != 2:
            undefined(_ONE_CLASS)
            return np.nan
        rows = checked_rows(y_true, y_score, None, sample_weight)
    return _roc_area(rows, max_fpr)


def _roc_area_on_device(y_true: Any, y_score: Any, max_fpr: float | None) -> float:
    """Return the area of two classes whose rows stay on their device, or a part of it."""
    if max_fpr is None or max_fpr == 1:
        positive = positive_on_device(y_true) if is_on_device(y_true) else y_true
        twice_u, n_pos, n_neg = twice_u_on_device(y_score, positive)
        if n_pos and n_neg:
            return _share(twice_u, n_pos, n_neg)
    else:
        table = device_table(y_true, y_score)
        if table is None:  # no doubles there
            y_true, y_score = in_main_memory("roc_auc_score", y_true=y_true, y_score=y_score)
            return _binary_roc_area(y_true, y_score, max_fpr=max_fpr)
        if table.n_pos and table.n_neg:
            # Only the points up to this rate leave the device, and the one after them.
            most = np.floor(max_fpr * table.n_neg) + 1
            xp = array_api_compat.array_namespace(table.fp)
            end = int(xp.count_nonzero(table.fp <= most)) + 1
            fpr, tpr = (
                np.concatenate(([0.0], to_host(column[:end]) / total))
                for column, total in ((table.fp, table.n_neg), (table.tp, table.n_pos))
            )
            return _partial_roc_area(fpr, tpr, max_fpr)
    undefined(_ONE_CLASS)
    return np.nan


def _roc_area(rows: CheckedRows, max_fpr: float | None) -> float:
    part = None if max_fpr == 1 else max_fpr
    if part is None and rows.weight is None:
        counted = count_running(rows.score, rows.positive)
        if counted is not None:
            return _share(counted.twice_u, counted.n_pos, counted.n_neg)
        return roc_auc_value(Counts._from_table(count_rows(rows.score, rows.positive)))
    counts = running(rows)
    rates = []
    for column, side, kind in ((counts.fps, "negative", "false"), (counts.tps, "positive", "true")):
        if column[-1] <= 0:  # weights may leave nothing of a class that has rows
            undefined(f"No {side} samples in y_true, {kind} positive value should be meaningless")
            # scikit-learn's curve is NaN then, and of a part of it one point is left, which has no area.
            return auc(np.array([part]), np.array([np.nan])) if part is not None and side == "negative" else np.nan
        rates.append(np.concatenate(([0.0], column / column[-1])))
    fpr, tpr = rates
    return auc(fpr, tpr) if part is None else _partial_roc_area(fpr, tpr, part)


def _partial_roc_area(fpr: NDArray[Any], tpr: NDArray[Any], max_fpr: float) -> float:
    stop = int(np.searchsorted(fpr, max_fpr, "right"))
    end = np.interp(max_fpr, fpr[stop - 1 : stop + 1], tpr[stop - 1 : stop + 1])
    partial_area = auc(np.append(fpr[:stop], max_fpr), np.append(tpr[:stop], end))
    return float(mcclish(partial_area, "fpr", (0.0, max_fpr)))


def _check_several_classes(max_fpr: float | None, multi_class: str) -> None:
    """Refuse what several classes do not have, in scikit-learn's words."""
    if max_fpr is not None and max_fpr != 1.0:
        raise ValueError(
            "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set to `None`, "
            f"received `max_fpr={max_fpr}` instead"
        )
    if multi_class == "raise":
        raise ValueError("multi_class must be in ('ovo', 'ovr')")


def _several_classes(
    y_true: NDArray[Any], y_score: NDArray[Any], labels: Any, multi_class: str, average: Any, sample_weight: Any
) -> Any:
    """Return the area of a problem of several classes, after scikit-learn's checks in its order."""
    if y_score.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
            f"`y_score.shape={y_score.shape}`."
        )
    if not np.allclose(1, y_score.sum(axis=1)):
        raise ValueError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum up to 1.0 over classes"
        )
    averages = ("micro", "macro", "weighted", None) if multi_class == "ovr" else ("macro", "weighted", None)
    if average not in averages:
        raise ValueError(f"average must be one of {averages} for multiclass problems")
    if average is None and multi_class == "ovo":
        raise NotImplementedError("average=None is not implemented for multi_class='ovo'.")
    few = "Number of classes in y_true not equal to the number of columns in 'y_score'"
    many = "Number of given labels, {}, not equal to the number of columns in 'y_score', {}"
    classes = known_classes(y_true, labels, y_score.shape[1], None, few=few, many=many)
    if multi_class == "ovr":
        return averaged(_binary_roc_area, indicators(y_true, classes), y_score, average, sample_weight)
    if sample_weight is not None:
        raise ValueError(
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' must be None in this "
            "case."
        )
    encoded = _encode(y_true, uniques=classes)
    return _average_multiclass_ovo_score(_binary_roc_area, encoded, y_score, average=average)


# Average precision


@with_texts(labels=_LABELS)
def average_precision_score(
    y_true: Any, y_score: Any, *, average: str | None = "macro", pos_label: Any = 1, sample_weight: Any = None
) -> Any:
    """Return average precision: the mean over positives of the precision at their threshold.

    Parameters
    ----------
    {labels}
    y_score : array-like of shape (n,) or (n, n_classes)
        Scores of the positive class, or one column for each class or label.
    average : {"micro", "macro", "samples", "weighted"} or None, default="macro"
        How the figures of classes or labels become one; None returns each.
    pos_label : int, float, bool or str, default=1
        The label of the positive class, for two classes.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float or ndarray of shape (n_classes,)
        Tied positives share the precision at their common score.

    See Also
    --------
    thresher.Scores.pr_auc : This metric and five others, among them the interpolated area, with intervals.

    Examples
    --------
    >>> from thresher.metrics import average_precision_score
    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    if average is None or (type(average) is str and average in AVERAGES):
        found = _usual_average_precision(y_true, y_score, pos_label, sample_weight)
        if found is not None:
            return found
        ranks = device_ranks(y_true, y_score, sample_weight, pos_label)
        if ranks is not None and ranks.n_pos:
            return ranks.average_precision() / ranks.n_pos
    y_true, y_score, sample_weight = accepted(
        "average_precision_score",
        stay=dispatched(y_true, y_score, sample_weight),
        y_true=y_true,
        y_score=y_score,
        average=average,
        pos_label=pos_label,
        sample_weight=sample_weight,
    )
    place = Origin(y_score)
    y_true, y_score, sample_weight = place.take(y_true), place.take(y_score), place.take(sample_weight)
    if sample_weight is not None:
        sample_weight = column_or_1d(sample_weight)
    y_true = _average_precision_labels(y_true, y_score, pos_label)
    metric = partial(_binary_average_precision, pos_label=pos_label)
    result = averaged(metric, y_true, y_score, average, sample_weight)
    return place.give(result) if isinstance(result, np.ndarray) else result


def _usual_average_precision(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> float | None:
    """Return the metric of rows that plainly are those of two classes, or nothing where they need a closer look."""
    if type(pos_label) is not int:
        return None
    if sample_weight is None and pos_label == 1:
        found = native.plain_pr(y_true, y_score, "average_precision")
        if found is not None and found[1]:
            return found[0] / found[1]
    rows = plain_rows(y_true, y_score, pos_label, sample_weight)
    return _average_precision(rows) if rows is not None and rows.positive.any() else None


def _average_precision_labels(y_true: Any, y_score: Any, pos_label: Any) -> Any:
    """Return the labels after scikit-learn's checks, those of several classes as a table of 0 and 1."""
    if is_multilabel(y_true) and pos_label == 1:
        return y_true
    y_type = type_of_target(y_true, input_name="y_true")
    present = np.unique(np.asarray(y_true))
    if y_type == "binary":
        if present.shape[0] == 2 and pos_label not in present:
            raise ValueError(f"pos_label={pos_label} is not a valid label. It should be one of {present}")
    elif y_type == "multilabel-indicator" and pos_label != 1:
        raise ValueError(
            "Parameter pos_label is fixed to 1 for multilabel-indicator y_true. Do not set pos_label or set pos_label "
            "to 1."
        )
    elif y_type == "multiclass":
        if pos_label != 1:
            raise ValueError(
                "Parameter pos_label is fixed to 1 for multiclass y_true. Do not set pos_label or set pos_label to 1."
            )
        y_true = indicators(np.asarray(y_true), present)
        if not y_score.shape == y_true.shape:
            raise ValueError(
                "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. "
                f"Got `y_score.shape={y_score.shape}`."
            )
    return y_true


def _binary_average_precision(y_true: Any, y_score: Any, pos_label: Any = 1, sample_weight: Any = None) -> float:
    rows = plain_rows(y_true, y_score, pos_label, sample_weight) if isinstance(pos_label, Real) else None
    return _average_precision(rows if rows is not None else checked_rows(y_true, y_score, pos_label, sample_weight))


def _average_precision(rows: CheckedRows) -> float:
    counts = running(rows)
    if counts.tps[-1] <= 0:
        precision, recall = counted_pr(counts)
        return float(max(0.0, np.sum(np.diff(recall, prepend=0.0) * precision)))
    if native.available() and counts.tps.dtype.kind == "i":
        return native.pr_area(counts.tps, counts.fps, "average_precision", 1.0) / int(counts.tps[-1])
    gained = np.diff(counts.tps, prepend=counts.tps.dtype.type(0))
    found = np.flatnonzero(gained)
    called = np.add(counts.tps[found], counts.fps[found], dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(called != 0, counts.tps[found] / called, 0.0)
    return float(max(0.0, np.sum(gained[found] * precision) / counts.tps[-1]))
