"""The one door to the compiled kernels.

The functions here take NumPy arrays that have been validated, see to it that the kernels get them contiguous, aligned
and in native byte order, and return plain arrays. `available` says whether there are kernels; if not, nothing else here
may be called, and the NumPy code that the kernels are tested against runs in their place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.threads import thread_count

try:
    from thresher._core.native import _kernels
except ImportError:  # installed without a compiler
    _kernels = None  # type: ignore[assignment]  # then nothing below is called

__all__ = ["NotANumberError", "RunningTable", "available", "count", "count_running", "instruction_set", "takes"]

_TYPES = frozenset("?bBhHiIlLqQefd")


class NotANumberError(ValueError):
    """Some scores are NaN: `count` of them, the first at `rows`."""

    def __init__(self, count: int, rows: list[int]) -> None:
        super().__init__(f"{count} scores are NaN, first at rows {rows}")
        self.count = count
        self.rows = rows


class RunningTable(NamedTuple):
    """Distinct scores, highest first, with the positives and negatives at or above each."""

    thresholds: NDArray[Any]
    tp: NDArray[Any]
    """int32 where the counts fit, else int64."""
    fp: NDArray[Any]
    n_pos: int
    n_neg: int
    twice_u: int
    """Twice the pairs in which the positive scores higher, plus the pairs that tie; exact."""


def available() -> bool:
    """Return whether the kernels were compiled."""
    return _kernels is not None


def instruction_set() -> str:
    """Return the instruction set in use: "avx2" or "portable"."""
    return str(_kernels.instruction_set())


def takes(scores: NDArray[Any]) -> bool:
    """Return whether the kernels know this dtype."""
    return scores.dtype.char in _TYPES


def _plain(array: NDArray[Any]) -> NDArray[Any]:
    return np.require(array, dtype=array.dtype.newbyteorder("="), requirements=("C", "A"))


def _bytes(mask: NDArray[Any]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(mask, dtype=np.bool_).view(np.uint8)


def count_running(scores: NDArray[Any], is_positive: NDArray[np.bool_]) -> RunningTable:
    """Sort and count in one go; raises `NotANumberError` if a score is NaN."""
    return RunningTable(*_count(scores, is_positive, True, False))


def count(scores: NDArray[Any], is_positive: NDArray[np.bool_]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return distinct scores, highest first, with the int64 positives and negatives at each."""
    thresholds, pos, neg, *_ = _count(scores, is_positive, False, True)
    return thresholds, pos, neg


def _count(scores: NDArray[Any], is_positive: NDArray[np.bool_], cumulative: bool, wide: bool) -> tuple[Any, ...]:
    flags = scores.flags
    if not (flags.c_contiguous and flags.aligned and scores.dtype.isnative):
        scores = _plain(scores)
    out = _kernels.count(scores, _bytes(is_positive), cumulative, wide, thread_count())
    if len(out) == 2:
        raise NotANumberError(*out)
    return tuple(out)
