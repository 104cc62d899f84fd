"""Steps of counting on a device in one pass each, by kernels of ours, where plain array operations take several."""

from __future__ import annotations

from typing import Any

import array_api_compat

from thresher._core import cuda
from thresher._core.cuda import Launch

__all__ = [
    "average_precision_parts",
    "interpolated_parts",
    "placement_digits",
    "rank_kernels",
    "twice_beaten",
]

_KEYS = {"int32": "int", "int64": "long long"}
_RUN = 8
"""Neighbouring keys that one thread looks up, each from where the last one was found."""
_THREADS = 256
_MOST_THREADS = 2**17
_MOST_PIECES = 2**12
"""Each makes the calls grow by 1/64: of fewer than 2**63 rows there are fewer."""


def rank_kernels(keys: Any) -> Launch | None:
    """Return what starts the kernels for an array of signed integers; None where there are none for it."""
    key = _KEYS.get(str(keys.dtype).rpartition(".")[2])
    return None if key is None else cuda.launcher("ranks.cu", keys, KEY=key, RUN=str(_RUN))


def twice_beaten(launch: Launch, xp: Any, many: Any, few: Any, shift: int) -> int:
    """Return how many of `many` are below `few - shift`, plus how many are below or equal, summed over `few`.

    Both are sorted.
    """
    (sums,) = _parts(launch, xp, "twice_beaten", few, many, shift, ("int64",))
    return int(xp.sum(sums))


def average_precision_parts(launch: Launch, xp: Any, pos: Any, neg: Any, shift: int) -> tuple[int, float]:
    """Return the positives times average precision, in whole parts of 2**-30 and what is left of them."""
    whole, rest = _parts(launch, xp, "average_precision", pos, neg, shift, ("int64", "float64"))
    return int(xp.sum(whole)), float(xp.sum(rest))


def interpolated_parts(launch: Launch, xp: Any, pos: Any, neg: Any, shift: int) -> tuple[tuple[int, float], Any]:
    """Return the positives times the interpolated area, likewise, and the pieces that are not in it.

    Each is a row of true and false positives before it and in it.
    """
    place = array_api_compat.device(pos)
    count = xp.zeros(1, dtype=xp.int64, device=place)
    pieces = xp.empty((_MOST_PIECES, 4), dtype=xp.float64, device=place)
    more = (count, pieces, _MOST_PIECES)
    whole, rest = _parts(launch, xp, "interpolated", pos, neg, shift, ("int64", "float64"), more)
    return (int(xp.sum(whole)), float(xp.sum(rest))), pieces[: int(count[0]), :]


def placement_digits(launch: Launch, xp: Any, pos: Any, neg: Any, shift: int) -> Any:
    """Return twice U, and squares of twice the placements of each class: their sums of products of 16-bit digits."""
    (sums,) = _parts(launch, xp, "placement_sums", pos, neg, shift, ("int64",), rows=7)
    return xp.sum(xp.reshape(sums, (7, -1)), axis=1)


def _parts(
    launch: Launch,
    xp: Any,
    name: str,
    few: Any,
    many: Any,
    shift: int,
    kinds: tuple[str, ...],
    more: tuple[Any, ...] = (),
    rows: int = 1,
) -> list[Any]:
    """Start a kernel that looks sorted keys up in others, and return what each of its threads found."""
    place = array_api_compat.device(few)
    few, many = (cuda.contiguous(array) for array in (few, many))
    size = int(few.shape[0])
    blocks = max(1, min(-(-size // (_RUN * _THREADS)), _MOST_THREADS // _THREADS))
    out = [xp.empty(rows * blocks * _THREADS, dtype=getattr(xp, kind), device=place) for kind in kinds]
    launch(name, (blocks, 1), _THREADS, (few, size, many, int(many.shape[0]), shift, *out, *more))
    return out
