"""Arrays on a device: counted there where that is possible, else brought over with a note, never left to fail."""

from __future__ import annotations

from typing import Any

import array_api_compat
from sklearn import get_config

from thresher._core.device import DeviceTable, count_on_device, is_on_device, positive_on_device, to_host
from thresher._core.device_ranks import DeviceRanks, has_doubles, rank_on_device
from thresher._core.warn import warn
from thresher.exceptions import ThresherWarning

__all__ = ["at_home", "device_ranks", "device_table"]


def _stay(y_true: Any, y_score: Any, sample_weight: Any, pos_label: Any) -> bool:
    """Return whether rows are on a device and of a kind that is counted there."""
    return (
        is_on_device(y_score)
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
    if not _stay(y_true, y_score, sample_weight, pos_label):
        return None
    return rank_on_device(y_score, _positive(y_true, pos_label))


def device_table(y_true: Any, y_score: Any, sample_weight: Any = None, pos_label: Any = None) -> DeviceTable | None:
    """Return the running counts on the device; None where rows are not on one or cannot be counted there."""
    if not _stay(y_true, y_score, sample_weight, pos_label):
        return None
    return count_on_device(y_score, _positive(y_true, pos_label))


def at_home(function: str, **arrays: Any) -> tuple[Any, ...]:
    """Return arguments in main memory; those that had to come from a device are named in one warning.

    Tensors that record gradients, which nothing but their own library reads, are taken without them.
    """
    moved, out = [], []
    for name, given in arrays.items():
        value = given
        if is_on_device(value):
            moved.append((name, f"{type(value).__module__.partition('.')[0]} on {array_api_compat.device(value)}"))
            value = to_host(value)
        elif getattr(value, "requires_grad", False) and array_api_compat.is_torch_array(value):
            value = value.detach()
        out.append(value)
    if moved:
        names = " and ".join(f"`{name}`" for name, _ in moved)
        warn(
            f"`{function}` counts these arguments in main memory: {names} ({moved[0][1]}) were copied there. "
            "Hint: copy them yourself, once, where several figures are wanted.",
            ThresherWarning,
        )
    return tuple(out)


def dispatched() -> bool:
    """Return whether scikit-learn was told to take arrays of other libraries, and to answer in kind."""
    return bool(get_config()["array_api_dispatch"])
