"""Sums over two sorted classes on a device, in one pass each by kernels of ours where array operations take several."""

from __future__ import annotations

import math
from typing import Any

import array_api_compat
import numpy as np
from numpy.typing import NDArray

from thresher._core import cuda
from thresher._core.cuda import Launch

_KEYS = {"int32": ("int", 2048), "int64": ("long long", 1024)}
"""The type of keys, and how many a block has before it at a time."""
_THREADS = 256
_MOST_BLOCKS = 2048


def rank_kernels(keys: Any) -> Launch | None:
    """Return what starts the kernels for an array of signed integers; None where there are none for it."""
    kind = _kind(keys)
    if kind not in _KEYS:
        return None
    key, tile = _KEYS[kind]
    return cuda.launcher("ranks.cu", keys, KEY=key, TILE=str(tile))


def _kind(keys: Any) -> str:
    return str(keys.dtype).rpartition(".")[2]


def twice_beaten(launch: Launch, xp: Any, many: Any, few: Any, shift: int) -> int:
    """Return how many of `many` are below `few - shift`, plus how many are below or equal, summed over `few`."""
    sums, _ = _parts(launch, xp, "twice_beaten", few, many, shift, 1)
    return int(sums.sum())


def average_precision_parts(launch: Launch, xp: Any, pos: Any, neg: Any, shift: int) -> tuple[int, float]:
    """Return the positives times average precision, in whole parts of 2**-30 and what is left of them."""
    (whole, rest), _ = _parts(launch, xp, "average_precision", pos, neg, shift, 2)
    return int(whole.sum()), float(rest.view(np.float64).sum())


def interpolated_parts(
    launch: Launch, xp: Any, pos: Any, neg: Any, shift: int
) -> tuple[tuple[int, float], NDArray[np.float64]]:
    """Return the positives times the interpolated area, likewise, and the pieces that are not in it.

    Each is a row of true and false positives before it and in it.
    """
    # Each makes the calls grow by 1/64.
    most = 2 + math.ceil(math.log(int(pos.shape[0]) + int(neg.shape[0])) / math.log1p(1 / 64))
    (whole, rest), more = _parts(launch, xp, "interpolated", pos, neg, shift, 2, most)
    pieces = more[1:].view(np.float64).reshape(-1, 4)[: int(more[0])]
    return (int(whole.sum()), float(rest.view(np.float64).sum())), pieces


def placement_digits(launch: Launch, xp: Any, pos: Any, neg: Any, shift: int) -> list[int]:
    """Return twice U, and squares of twice the placements of each class: their sums of products of 16-bit digits."""
    sums, _ = _parts(launch, xp, "placement_sums", pos, neg, shift, 7)
    found: list[int] = sums.sum(axis=1).tolist()
    return found


def _parts(
    launch: Launch, xp: Any, name: str, few: Any, many: Any, shift: int, rows: int, most: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Start a kernel that looks sorted keys up in others."""
    few, many = (cuda.contiguous(array) for array in (few, many))
    sizes = int(few.shape[0]), int(many.shape[0])
    _, tile = _KEYS[_kind(few)]
    blocks = min(max(1, -(-sum(sizes) // tile)), _MOST_BLOCKS)
    beside = 1 + 4 * most if most else 0
    make = xp.zeros if most else xp.empty
    out = make(rows * blocks + beside, dtype=xp.int64, device=array_api_compat.device(few))
    numbers = (most,) if most else ()
    launch(name, (blocks, 1), _THREADS, (few, sizes[0], many, sizes[1], shift, out, *numbers))
    found = np.asarray(array_api_compat.to_device(out, "cpu"))
    return found[: rows * blocks].reshape(rows, blocks), found[rows * blocks :]
