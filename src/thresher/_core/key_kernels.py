"""Rows of a device sorted with their class in the sign of their keys, by kernels of ours that read them once."""

from __future__ import annotations

from typing import Any, NamedTuple

import array_api_compat

from thresher._core import cuda
from thresher._core.cuda import Launch

_KEYS = {"int32": "int", "int64": "long long"}
_THREADS = 256
_ROWS = 8
"""Rows that each thread reads before it needs the first."""
_MOST_BLOCKS = 512
_SAMPLE = 1024
"""Rows from which the memory for all of them is estimated."""


class SortedKeys(NamedTuple):
    """Signed integers in ascending order: the negatives, which are below 0, and from 0 up the positives."""

    keys: Any
    n_neg: int
    gap: int
    """How many numbers on either side of zero floats of both signs have lost."""
    least: int
    past: int
    """The key of a positive is its score less `least`, that of a negative less `past`."""

    @property
    def neg(self) -> Any:
        return self.keys[: self.n_neg]

    @property
    def pos(self) -> Any:
        return self.keys[self.n_neg :]

    @property
    def shift(self) -> int:
        """What a positive stands above a negative of the same score."""
        return self.past - self.least


def key_kernels(keys: Any) -> Launch | None:
    """Return what starts the kernels for an array of signed integers; None where there are none for it."""
    key = _KEYS.get(str(keys.dtype).rpartition(".")[2])
    return None if key is None else cuda.launcher("keys.cu", keys, KEY=key, BLOCK=str(_THREADS), ROWS=str(_ROWS))


def sorted_keys(launch: Launch, xp: Any, keys: Any, positive: Any, *, floats: bool) -> SortedKeys | None:
    """Return sorted keys of integers or of the bits of floats; None where the class finds no room or there is NaN."""
    keys, positive = (cuda.contiguous(array) for array in (keys, positive))
    guess, packed = _packed(launch, xp, keys, positive, floats=floats, look=_SAMPLE)
    # The sort is on its way before anybody waits for what was found.
    packed = xp.sort(packed)
    how = _fitting(guess, packed)
    if how is None:
        exact, packed = _packed(launch, xp, keys, positive, floats=floats, look=int(keys.shape[0]))
        how = _fitting(exact, packed)
        return None if how is None else how._replace(keys=xp.sort(packed))
    return how


def _packed(launch: Launch, xp: Any, keys: Any, positive: Any, *, floats: bool, look: int) -> tuple[Any, Any]:
    """Return what the kernels noted, and keys that are good if they say so."""
    size = int(keys.shape[0])
    seen = min(look, size)
    found = xp.zeros(7, dtype=xp.int64, device=array_api_compat.device(keys))
    packed = xp.empty_like(keys)
    launch("look", (_blocks(seen, 1), 1), _THREADS, (keys, seen, size // seen, int(floats), found))
    given = (keys, positive, packed, size, int(floats), int(seen < size), found)
    launch("pack_keys", (_blocks(size, _ROWS), 1), _THREADS, given)
    return found, packed


def _blocks(size: int, rows: int) -> int:
    return min(-(-size // (rows * _THREADS)), _MOST_BLOCKS)


def _fitting(found: Any, keys: Any) -> SortedKeys | None:
    """Return what the kernels noted, which takes until they are done; None where some score had no key."""
    *_, gap, least, past, n_pos, outside = found.tolist()
    return None if outside else SortedKeys(keys, int(keys.shape[0]) - n_pos, gap, least, past)
