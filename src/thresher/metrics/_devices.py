"""Arrays on a device: counted there where that is possible, else brought over with a note, never left to fail."""

from __future__ import annotations

from typing import Any

import array_api_compat
from sklearn import get_config

from thresher._core.checks import warn
from thresher._core.device import DeviceTable, count_on_device, is_on_device, positive_on_device, to_host, with_kernels
from thresher._core.device_ranks import DeviceRanks, has_doubles, rank_on_device
from thresher.metrics._checks import undefined

__all__ = [
    "confusion_on_device",
    "det_on_device",
    "device_ranks",
    "device_table",
    "dispatched",
    "precision_recall_on_device",
    "roc_on_device",
]


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


DeviceColumns = tuple[Any, Any, Any]


def _columns(table: DeviceTable) -> DeviceColumns:
    return table.thresholds, table.tp, table.fp


def _kept(xp: Any, columns: DeviceColumns, change: Any) -> DeviceColumns:
    """Return the first and the last point and those between at which something changes."""
    true = xp.ones((1,), dtype=xp.bool, device=array_api_compat.device(change))
    kept = xp.concat((true, change, true))
    thresholds, tp, fp = (column[kept] for column in columns)
    return thresholds, tp, fp


def _floats(xp: Any, column: Any, *, first: float | None = None) -> Any:
    """Return a column in double precision, with one number before it."""
    values = xp.astype(column, xp.float64)
    if first is None:
        return values
    return xp.concat((xp.full((1,), first, dtype=xp.float64, device=array_api_compat.device(column)), values))


def _rate(xp: Any, counts: Any, total: int, side: str, kind: str) -> Any:
    if not total:
        undefined(f"No {side} samples in y_true, {kind} positive value should be meaningless")
        return counts * float("nan")
    return counts / float(total)


def confusion_on_device(table: DeviceTable) -> tuple[Any, ...]:
    """Return the four counts at each threshold, and the thresholds."""
    xp = array_api_compat.array_namespace(table.tp)
    tps, fps = _floats(xp, table.tp), _floats(xp, table.fp)
    return table.n_neg - fps, fps, table.n_pos - tps, tps, table.thresholds


def roc_on_device(table: DeviceTable, *, drop_intermediate: bool) -> DeviceColumns:
    """Return FPR, TPR and thresholds, from +inf on."""
    xp = array_api_compat.array_namespace(table.tp)
    columns = _columns(table)
    if drop_intermediate and table.tp.shape[0] > 2:
        bends = [c[2:] - c[1:-1] != c[1:-1] - c[:-2] for c in columns[1:]]
        columns = _kept(xp, columns, bends[0] | bends[1])
    thresholds, tp, fp = columns
    return (
        _rate(xp, _floats(xp, fp, first=0.0), table.n_neg, "negative", "false"),
        _rate(xp, _floats(xp, tp, first=0.0), table.n_pos, "positive", "true"),
        _floats(xp, thresholds, first=float("inf")),
    )


def precision_recall_on_device(table: DeviceTable, *, drop_intermediate: bool) -> DeviceColumns:
    """Return precision, recall and thresholds, lowest first."""
    xp = array_api_compat.array_namespace(table.tp)
    columns = _columns(table)
    if drop_intermediate and table.tp.shape[0] > 2:
        step = columns[1][1:] != columns[1][:-1]
        columns = _kept(xp, columns, step[:-1] | step[1:])
    thresholds, tp, fp = columns
    found = _floats(xp, tp)
    precision = found / (found + _floats(xp, fp))
    if not table.n_pos:
        warn("No positive class found in y_true, recall is set to one for all thresholds.", UserWarning)
        recall = xp.ones_like(precision)
    else:
        recall = found / float(table.n_pos)
    last = xp.ones((1,), dtype=xp.float64, device=array_api_compat.device(tp))
    return xp.concat((xp.flip(precision), last)), xp.concat((xp.flip(recall), last - 1.0)), xp.flip(thresholds)


def det_on_device(table: DeviceTable, *, drop_intermediate: bool) -> DeviceColumns:
    """Return false alarms, misses and thresholds, lowest first."""
    if not table.n_pos or not table.n_neg:
        raise ValueError(
            "Only one class is present in y_true. Detection error tradeoff curve is not defined in that case."
        )
    xp = array_api_compat.array_namespace(table.tp)
    thresholds = _floats(xp, table.thresholds, first=float("inf"))
    tps, fps = _floats(xp, table.tp, first=0.0), _floats(xp, table.fp, first=0.0)
    if drop_intermediate and fps.shape[0] > 2:
        step = tps[1:] != tps[:-1]
        thresholds, tps, fps = _kept(xp, (thresholds, tps, fps), step[:-1] | step[1:])
    # From the last point without false positives to the first without misses, backwards.
    first = max(int(xp.searchsorted(fps, fps[:1], side="right")[0]) - 1, 0)
    end = int(xp.searchsorted(tps, tps[-1:], side="left")[0]) + 1
    misses = (tps[-1:] - tps[first:end]) / tps[-1:]
    return xp.flip(fps[first:end] / fps[-1:]), xp.flip(misses), xp.flip(thresholds[first:end])
