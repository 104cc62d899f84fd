"""Arrays on a device: counted there where that is possible, else brought over with a note, never left to fail."""

from __future__ import annotations

from typing import Any

import array_api_compat
from sklearn import get_config

from thresher._core.at_home import with_kernels
from thresher._core.device import DeviceTable, count_on_device, is_on_device, positive_on_device, to_host
from thresher._core.device_ranks import DeviceRanks, has_doubles, rank_on_device

__all__ = ["device_ranks", "device_table", "dispatched"]


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
