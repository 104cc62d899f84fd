"""Labels and scores of two classes: checked as scikit-learn checks them, counted here or on a device."""

from __future__ import annotations

from typing import Any, NamedTuple

import array_api_compat
import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_pos_label_consistency, _check_sample_weight

from thresher._core.checks import show
from thresher._core.counting import count_rows, count_running
from thresher._core.device import DeviceTable, count_on_device, is_on_device, positive_on_device, to_host, with_kernels
from thresher._core.device_ranks import DeviceRanks, has_doubles, rank_on_device
from thresher._core.order import descending_order
from thresher.exceptions import InvalidTypeError
from thresher.typing import BoolArray


class CheckedRows(NamedTuple):
    """Rows that passed all checks."""

    positive: BoolArray
    score: NDArray[Any]
    weight: NDArray[Any] | None


class Running(NamedTuple):
    """Counts at or above each distinct score, highest first: integers, or float64 sums of weights."""

    thresholds: NDArray[Any]
    tps: NDArray[Any]
    fps: NDArray[Any]


def plain_rows(y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None) -> CheckedRows | None:
    """Return the rows if they are NumPy columns with nothing unusual about them, else None."""
    if not (type(y_true) is np.ndarray and type(y_score) is np.ndarray and y_true.shape == y_score.shape):
        return None
    if y_true.ndim != 1 or y_true.size == 0 or not _finite(y_score):
        return None
    positive = _plain_labels(y_true, pos_label)
    if positive is None:
        return None
    if sample_weight is None:
        return CheckedRows(positive, y_score, None)
    if type(sample_weight) is not np.ndarray or sample_weight.shape != y_true.shape or not _finite(sample_weight):
        return None
    return _without_zero_weight(positive, y_score, sample_weight)


def _finite(values: NDArray[Any]) -> bool:
    """Return whether numbers are finite; False also where that is not plain to see."""
    if values.dtype.kind in "iu":
        return True
    if values.dtype.char not in "fd":
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        total = values.sum()
    return bool(np.isfinite(total)) or bool(np.isfinite(values).all())


def _plain_labels(y_true: NDArray[Any], pos_label: Any) -> BoolArray | None:
    if y_true.dtype.kind == "b":
        if pos_label is None or pos_label is True or (type(pos_label) is int and pos_label == 1):
            return y_true
        return None
    if y_true.dtype.kind not in "iuf":
        return None
    if pos_label is not None and not (type(pos_label) is int and pos_label == 1):
        return None
    positive: BoolArray = y_true == 1
    others = y_true.size - int(np.count_nonzero(positive))
    if others == y_true.size - int(np.count_nonzero(y_true)):
        # As many zeros as there are other labels: nothing but 0 and 1.
        return positive
    return positive if others == int(np.count_nonzero(y_true == -1)) else None


def _without_zero_weight(positive: BoolArray, score: NDArray[Any], weight: NDArray[Any]) -> CheckedRows | None:
    kept = weight != 0
    if kept.all():
        return CheckedRows(positive, score, weight)
    return CheckedRows(positive[kept], score[kept], weight[kept]) if kept.any() else None


def checked_rows(y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None) -> CheckedRows:
    """Return the rows after scikit-learn's checks, in its order, with its errors."""
    y_type = type_of_target(y_true, input_name="y_true")
    if not (y_type == "binary" or (y_type == "multiclass" and pos_label is not None)):
        raise ValueError(f"{y_type} format is not supported")
    label = _check_pos_label_consistency(pos_label, y_true)
    positive = np.asarray(np.asarray(y_true) == label, dtype=np.int32)
    check_consistent_length(positive, y_score, sample_weight)
    positive = column_or_1d(positive)
    score = column_or_1d(y_score)
    assert_all_finite(positive)
    assert_all_finite(score)
    if score.dtype.kind in "US":  # where scikit-learn fails in a subtraction
        raise InvalidTypeError(
            f"`y_score` must be real numbers; got text, first {show(score[:1].tolist()[0])}. "
            "Hint: convert the column to numbers first."
        )
    if sample_weight is None:
        return CheckedRows(positive.astype(np.bool_), score, None)
    weight = _check_sample_weight(column_or_1d(sample_weight), positive)
    kept = weight != 0
    return CheckedRows(positive[kept].astype(np.bool_), score[kept], weight[kept])


def running(rows: CheckedRows) -> Running:
    """Return the running counts; integers may be narrow, so that sums of two columns are to be taken as floats.

    Without weights the rows are only counted. Sums of weights run over the rows in scikit-learn's order, from the
    highest score and in the given order among ties, so that their last digits are scikit-learn's too.
    """
    if rows.weight is None:
        counted = count_running(rows.score, rows.positive)
        if counted is not None:
            # The kernel counts bools as bytes.
            return Running(counted.thresholds.astype(rows.score.dtype, copy=False), counted.tp, counted.fp)
        thresholds, pos, neg = count_rows(rows.score, rows.positive)
        return Running(thresholds, np.cumsum(pos), np.cumsum(neg))
    order = descending_order(rows.score)
    score = rows.score[order]
    last = np.append(np.flatnonzero(score[1:] != score[:-1]), score.size - 1)
    weight = rows.weight[order].astype(np.float64, copy=False)
    positive = rows.positive[order]
    tps = np.cumsum(np.where(positive, weight, 0.0))[last]
    fps = np.cumsum(np.where(positive, 0.0, weight))[last]
    return Running(score[last], tps, fps)


class Origin:
    """Where arrays came from, and where results go back to: scikit-learn's array API dispatch.

    With dispatch off, or for NumPy arrays, everything is NumPy. Otherwise inputs are brought to NumPy, counted there,
    and results returned in the namespace and on the device of the first array.
    """

    def __init__(self, *arrays: Any) -> None:
        self.xp: Any = None
        self.device: Any = None
        if get_config()["array_api_dispatch"] and not all(isinstance(array, np.ndarray) for array in arrays):
            from sklearn.utils._array_api import get_namespace_and_device

            xp, dispatched, device = get_namespace_and_device(*arrays)
            if dispatched and "numpy" not in xp.__name__:
                self.xp, self.device = xp, device

    def take(self, value: Any) -> Any:
        """Return an argument as NumPy sees it."""
        if value is None or isinstance(value, np.ndarray) or not get_config()["array_api_dispatch"]:
            return value
        from sklearn.utils._array_api import _convert_to_numpy, get_namespace

        xp, dispatched = get_namespace(value)
        return _convert_to_numpy(value, xp) if dispatched else value

    def give(self, result: NDArray[Any]) -> Any:
        """Return a result to where the arguments came from."""
        if self.xp is None:
            return result
        if result.dtype == np.float64:
            from sklearn.utils._array_api import _max_precision_float_dtype

            kind = _max_precision_float_dtype(self.xp, self.device)
            return self.xp.asarray(np.ascontiguousarray(result), dtype=kind, device=self.device)
        return self.xp.asarray(np.ascontiguousarray(result), device=self.device)


def _stay(y_true: Any, y_score: Any, sample_weight: Any, pos_label: Any) -> bool:
    """Return whether rows are on a device and of a kind that is counted there."""
    return (
        is_on_device(y_score)
        and not array_api_compat.is_jax_array(y_score)
        and y_score.ndim == 1
        and sample_weight is None
        and not isinstance(pos_label, str)
        and getattr(y_true, "ndim", 1) == 1
        and has_doubles(y_score)
    )


def _positive(y_true: Any, pos_label: Any) -> Any:
    return positive_on_device(y_true, pos_label) if is_on_device(y_true) else y_true


def device_ranks(y_true: Any, y_score: Any, sample_weight: Any = None, pos_label: Any = None) -> DeviceRanks | None:
    """Return both classes in order on their device; None where rows are not on one or cannot be counted there."""
    if is_on_device(y_score):
        y_true, y_score = with_kernels(y_true, y_score)
    if not _stay(y_true, y_score, sample_weight, pos_label):
        return None
    return rank_on_device(y_score, _positive(y_true, pos_label))


def device_table(y_true: Any, y_score: Any, sample_weight: Any = None, pos_label: Any = None) -> DeviceTable | None:
    """Return the running counts on the device; None where rows are not on one or cannot be counted there.

    Counts of rows of JAX come over: as JAX is set up by default it has no doubles for the curve.
    """
    is_jax = array_api_compat.is_jax_array(y_score)
    if is_on_device(y_score):
        y_true, y_score = with_kernels(y_true, y_score)
    if not _stay(y_true, y_score, sample_weight, pos_label):
        return None
    table = count_on_device(y_score, _positive(y_true, pos_label))
    if not is_jax:
        return table
    return table._replace(thresholds=to_host(table.thresholds), tp=to_host(table.tp), fp=to_host(table.fp))


def dispatched(*arrays: Any) -> bool:
    """Return whether scikit-learn is set to take arrays of other libraries, and to answer in kind; JAX is not one."""
    return bool(get_config()["array_api_dispatch"]) and not any(map(array_api_compat.is_jax_array, arrays))
