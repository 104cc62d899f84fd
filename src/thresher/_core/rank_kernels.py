"""Steps of counting on a device in one pass each, by kernels of ours, where plain array operations take several."""

from __future__ import annotations

from typing import Any

import array_api_compat

from thresher._core import cuda
from thresher._core.cuda import Launch

__all__ = ["average_precision_parts", "packed_keys", "rank_kernels", "twice_beaten"]

_KEYS = {"int32": "int", "int64": "long long"}
_RUN = 8
"""Neighbouring keys that one thread looks up, each from where the last one was found."""
_THREADS = 256
_MOST_THREADS = 2**17


def rank_kernels(keys: Any) -> Launch | None:
    """Return what starts the kernels for an array of signed integers; None where there are none for it."""
    key = _KEYS.get(str(keys.dtype).rpartition(".")[2])
    return None if key is None else cuda.launcher("ranks.cu", keys, KEY=key, RUN=str(_RUN))


def packed_keys(launch: Launch, keys: Any, positive: Any, *, floats: bool, gap: int, least: int, past: int) -> Any:
    """Return keys less `least`, or `past` for negatives; bits of floats are put in order, without the gap at zero."""
    xp = array_api_compat.array_namespace(keys)
    keys, positive = (cuda.contiguous(array) for array in (keys, positive))
    out, size = xp.empty_like(keys), int(keys.shape[0])
    numbers = (size, int(floats), gap, least, past)
    launch("pack_keys", (-(-size // _THREADS), 1), _THREADS, (keys, positive, out, *numbers))
    return out


def twice_beaten(launch: Launch, many: Any, few: Any, shift: int) -> int:
    """Return how many of `many` are below `few - shift`, plus how many are below or equal, summed over `few`.

    Both are sorted.
    """
    (sums,) = _summed(launch, "twice_beaten", few, many, shift, ("int64",))
    return int(sums)


def average_precision_parts(launch: Launch, pos: Any, neg: Any, shift: int) -> tuple[int, float]:
    """Return the positives times average precision, in whole parts of 2**-30 and what is left of them."""
    whole, rest = _summed(launch, "average_precision", pos, neg, shift, ("int64", "float64"))
    return int(whole), float(rest)


def _summed(launch: Launch, name: str, few: Any, many: Any, shift: int, kinds: tuple[str, ...]) -> list[Any]:
    """Start a kernel that looks sorted keys up in others, and add what its threads found."""
    xp = array_api_compat.array_namespace(few)
    few, many = (cuda.contiguous(array) for array in (few, many))
    size = int(few.shape[0])
    if not size:
        return [0] * len(kinds)
    blocks = min(-(-size // (_RUN * _THREADS)), _MOST_THREADS // _THREADS)
    place = array_api_compat.device(few)
    out = [xp.empty(blocks * _THREADS, dtype=getattr(xp, kind), device=place) for kind in kinds]
    launch(name, (blocks, 1), _THREADS, (few, size, many, int(many.shape[0]), shift, *out))
    return [xp.sum(part) for part in out]
