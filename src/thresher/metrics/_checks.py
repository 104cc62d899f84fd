"""scikit-learn's own checks of arguments and averages, so that errors are its errors to the letter."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics._base import _average_binary_score
from sklearn.utils import column_or_1d
from sklearn.utils._encode import _unique
from sklearn.utils._param_validation import Interval, StrOptions, validate_parameter_constraints

from thresher._core.checks import warn
from thresher._core.device import in_main_memory
from thresher._core.sums import dot, dots

AVERAGES = frozenset({"micro", "macro", "samples", "weighted"})

_ROWS: dict[str, Any] = {"y_true": ["array-like"], "y_score": ["array-like"], "sample_weight": ["array-like", None]}
_LABEL = [Real, str, "boolean", None]
_CURVE = {**_ROWS, "pos_label": _LABEL, "drop_intermediate": ["boolean"]}
_AVERAGE = [StrOptions(set(AVERAGES)), None]
_MATRIX = {**_ROWS, "y_true": ["array-like", "sparse matrix"]}
_TOP = [Interval(Integral, 1, None, closed="left")]

CONSTRAINTS: dict[str, dict[str, Any]] = {
    "auc": {"x": ["array-like"], "y": ["array-like"]},
    "average_precision_score": {**_ROWS, "average": _AVERAGE, "pos_label": [Real, str, "boolean"]},
    "confusion_matrix_at_thresholds": {**_ROWS, "pos_label": _LABEL},
    "coverage_error": _ROWS,
    "dcg_score": {
        **_ROWS,
        "k": [*_TOP, None],
        "log_base": [Interval(Real, 0.0, None, closed="neither")],
        "ignore_ties": ["boolean"],
    },
    "det_curve": _CURVE,
    "label_ranking_average_precision_score": _MATRIX,
    "label_ranking_loss": _MATRIX,
    "ndcg_score": {**_ROWS, "k": [*_TOP, None], "ignore_ties": ["boolean"]},
    "precision_recall_curve": _CURVE,
    "roc_auc_score": {
        **_ROWS,
        "average": _AVERAGE,
        "max_fpr": [Interval(Real, 0.0, 1, closed="right"), None],
        "multi_class": [StrOptions({"raise", "ovr", "ovo"})],
        "labels": ["array-like", None],
    },
    "roc_curve": _CURVE,
    "top_k_accuracy_score": {**_ROWS, "k": _TOP, "normalize": ["boolean"], "labels": ["array-like", None]},
}
"""What each function accepts, in scikit-learn's own terms."""


def check_parameters(function: str, **given: Any) -> None:
    """Raise scikit-learn's error for an argument that its function of this name would not take."""
    if not get_config()["skip_parameter_validation"]:
        validate_parameter_constraints(CONSTRAINTS[function], given, caller_name=function)


def accepted(function: str, *, stay: bool = False, **given: Any) -> tuple[Any, ...]:
    """Return the rows among the arguments, in main memory unless they may stay, once all arguments are checked."""
    rows = {name: given[name] for name in _ROWS if name in given}
    if not stay:
        rows = dict(zip(rows, in_main_memory(function, **rows), strict=True))
    check_parameters(function, **given | rows)
    return tuple(rows.values())


def weighed_sum(values: NDArray[Any], sample_weight: Any) -> float:
    """Return the sum of values times the weights of their rows; of a table of weights, what NumPy makes of it."""
    weight = np.asarray(sample_weight)
    if weight.ndim != 1:
        return float(np.tensordot(values, weight, 1))  # no number, as in scikit-learn
    return float(dot(values, weight.astype(np.float64) if weight.dtype == object else weight))


def is_flag(value: object) -> bool:
    """Return whether a value is plainly true or false, so that its check can be skipped."""
    return value is True or value is False


def is_multilabel(y_true: Any) -> bool:
    """Return whether a matrix is plainly a table of 0 and 1, which scikit-learn calls a multilabel indicator."""
    if not (type(y_true) is np.ndarray and y_true.ndim == 2 and y_true.shape[1] > 1 and y_true.size):
        return False
    if y_true.dtype.kind == "b":
        return True
    return y_true.dtype.kind in "iu" and bool(y_true.min() >= 0) and bool(y_true.max() <= 1)


def undefined(message: str) -> None:
    """Warn, at the caller's line, that a metric is not defined for these data."""
    warn(message, UndefinedMetricWarning)


def averaged(
    metric: Callable[..., float], y_true: Any, y_score: Any, average: str | None, sample_weight: Any = None
) -> Any:
    """Return the average of a two-class metric over labels, or the metric itself for two classes.

    What plainly is a table of labels with a table of scores is averaged here, column by column; all else, and averages
    over rows, go to scikit-learn, which says what is wrong with them.
    """
    if not _plain(y_true, y_score, average, sample_weight) or not np.isfinite(y_score).all():
        return _average_binary_score(metric, y_true, y_score, average, sample_weight=sample_weight)
    labels = y_true.astype(np.bool_, copy=False)
    if average == "micro":
        weight = None if sample_weight is None else np.repeat(sample_weight, labels.shape[1])
        return metric(labels.ravel(), y_score.ravel(), sample_weight=weight)
    support = _support(labels, sample_weight) if average == "weighted" else None
    if support is not None and np.isclose(support.sum(), 0):
        return 0
    columns = zip(np.ascontiguousarray(labels.T), np.ascontiguousarray(y_score.T), strict=True)
    values = np.array([metric(label, score, sample_weight=sample_weight) for label, score in columns])
    if average is None:
        return values
    if support is not None:
        values[support == 0] = 0
    return float(np.average(values, weights=support))


def _plain(y_true: Any, y_score: Any, average: str | None, sample_weight: Any) -> bool:
    """Return whether this plainly is a table of labels with a table of scores, averaged over columns."""
    return (
        average != "samples"
        and is_multilabel(y_true)
        and type(y_score) is np.ndarray
        and y_score.shape == y_true.shape
        and y_score.dtype.char in "fd"
        and (sample_weight is None or (type(sample_weight) is np.ndarray and sample_weight.shape == y_true.shape[:1]))
    )


def _support(labels: NDArray[np.bool_], sample_weight: Any) -> NDArray[Any]:
    """Return the positives of each label, or the sum of their weights."""
    return labels.sum(axis=0) if sample_weight is None else dots(labels.T, sample_weight)


def known_classes(
    y_true: NDArray[Any],
    labels: Any,
    n_columns: int,
    found: NDArray[Any] | None,
    *,
    few: str,
    many: str,
    stop: str = "",
) -> NDArray[Any]:
    """Return the classes of the columns: those found among the labels, or those given, in scikit-learn's words."""
    if labels is None:
        found = _unique(y_true) if found is None else found
        if len(found) != n_columns:
            raise ValueError(few.format(len(found), n_columns))
        return found
    labels = column_or_1d(labels)
    classes: NDArray[Any] = _unique(labels)
    if len(classes) != len(labels):
        raise ValueError(f"Parameter 'labels' must be unique{stop}")
    if not np.array_equal(classes, labels):
        raise ValueError(f"Parameter 'labels' must be ordered{stop}")
    if len(classes) != n_columns:
        raise ValueError(many.format(len(classes), n_columns))
    if len(np.setdiff1d(y_true, classes)):
        raise ValueError(f"'y_true' contains labels not in parameter 'labels'{stop}")
    return classes


def indicators(y_true: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a column for each of three or more classes that says which rows are of it."""
    return np.asarray(y_true.reshape(-1, 1) == classes.reshape(1, -1))
