"""Placements: against how many of the other class each case stands on the right side, ties counted half.

All numbers here are twice the placements, so that they are whole, and sums of them are exact.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.native import DelongSums
from thresher._core.sums import exact_dot
from thresher.typing import BoolArray, IntArray, ScoreArray

__all__ = ["placement_sums", "row_placements"]

_HALF = 31


def placement_sums(tp: NDArray[np.integer], fp: NDArray[np.integer]) -> DelongSums:
    """Return sums of squares of twice the placements, and twice U, from running counts, highest score first."""
    n_pos, n_neg = int(tp[-1]), int(fp[-1])
    # The kernel adds in 128 bits.
    if native.available() and 4 * n_pos * n_neg * max(n_pos, n_neg) < 2**127:
        return native.delong_sums(tp, fp)
    return placement_sums_numpy(tp.astype(np.int64), fp.astype(np.int64))


def placement_sums_numpy(tp: IntArray, fp: IntArray) -> DelongSums:
    """Do the same with NumPy alone."""
    pos, neg = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
    of_pos, of_neg = 2 * (fp[-1] - fp) + neg, 2 * tp - pos
    return DelongSums(_squares(pos, of_pos), _squares(neg, of_neg), exact_dot(neg, of_neg))


def _squares(times: IntArray, values: IntArray) -> int:
    """Return the sum of times * values**2, whatever its size."""
    high, low = values >> _HALF, values & ((1 << _HALF) - 1)
    if high.any():
        upper = exact_dot(times, high * high) << 2 * _HALF
        return upper + (exact_dot(times, high * low) << (_HALF + 1)) + exact_dot(times, low * low)
    return exact_dot(times, low * low)


def row_placements(scores: ScoreArray, positive: BoolArray) -> tuple[IntArray, IntArray]:
    """Return twice the placement of each positive row and of each negative row, in their order.

    For a positive the negatives that score lower, for a negative the positives that score higher.
    """
    if native.available() and native.takes(scores):
        placed = native.placements(scores, positive)
        return placed[positive], placed[~positive]
    up, down = scores[positive], scores[~positive]
    ups, downs = np.sort(up), np.sort(down)
    of_pos = np.searchsorted(downs, up, "left") + np.searchsorted(downs, up, "right")
    of_neg = 2 * up.size - np.searchsorted(ups, down, "left") - np.searchsorted(ups, down, "right")
    return of_pos, of_neg
