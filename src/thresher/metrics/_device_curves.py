"""Curves of rows on a device, as arrays of the same library on the same device; the figures are the processor's."""

from __future__ import annotations

from typing import Any

import array_api_compat

from thresher._core.device import DeviceTable
from thresher._core.warn import warn
from thresher.metrics._checks import undefined

__all__ = ["confusion_on_device", "det_on_device", "precision_recall_on_device", "roc_on_device"]

Columns = tuple[Any, Any, Any]


def _columns(table: DeviceTable) -> Columns:
    return table.thresholds, table.tp, table.fp


def _kept(xp: Any, columns: Columns, change: Any) -> Columns:
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


def roc_on_device(table: DeviceTable, *, drop_intermediate: bool) -> Columns:
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


def precision_recall_on_device(table: DeviceTable, *, drop_intermediate: bool) -> Columns:
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


def det_on_device(table: DeviceTable, *, drop_intermediate: bool) -> Columns:
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
