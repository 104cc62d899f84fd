"""The order of rows by score, and placements: how many of the other class each case stands on the right side of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.native import DelongSums
from thresher._core.sums import exact_dot
from thresher.typing import BoolArray, IntArray, ScoreArray

_SMALL = 4096
_KEYED = frozenset("?bBhHiIlLqQefd")


def descending_order(scores: NDArray[Any]) -> NDArray[np.intp]:
    """Return the permutation that puts the highest score first and leaves tied rows in their order."""
    if native.available() and native.takes(scores):
        # The kernel goes upwards; turned round before and after, ties keep their order.
        return np.asarray(scores.size - 1 - native.order(scores[::-1])[::-1], dtype=np.intp)
    return descending_order_numpy(scores)


def descending_order_numpy(scores: NDArray[Any]) -> NDArray[np.intp]:
    """Return the same by NumPy alone."""
    if scores.size < _SMALL or scores.dtype.char not in _KEYED:
        return scores.size - 1 - np.argsort(scores[::-1], kind="stable")[::-1]
    key = _descending_key(scores)
    key -= key.min()
    row_bits = int(scores.size - 1).bit_length()
    cut = max(int(key.max()).bit_length() + row_bits - 64, 0)
    words = ((key >> np.uint64(cut)) << np.uint64(row_bits)) | np.arange(scores.size, dtype=np.uint64)
    words.sort()
    order = (words & np.uint64((1 << row_bits) - 1)).astype(np.intp)
    if cut == 0:
        return order
    return _repaired(scores, order, words >> np.uint64(row_bits))


def canonical_order(columns: Sequence[NDArray[Any]]) -> NDArray[np.intp]:
    """Return an order of the rows of a table that does not depend on the one they came in, but for equal rows."""
    first = columns[0]
    order = native.order(first) if native.available() and native.takes(first) else np.argsort(first, kind="stable")
    ordered = first[order]
    if (ordered[1:] != ordered[:-1]).all():
        return np.asarray(order, dtype=np.intp)
    return np.lexsort(tuple(columns[::-1]))


def ascending_key(scores: NDArray[Any]) -> NDArray[np.uint64]:
    """Return unsigned integers in the order of the scores, which have at most 64 bits; equal scores have equal keys."""
    if scores.dtype.kind in "bu":
        return scores.astype(np.uint64)
    if scores.dtype.kind == "i":
        raised: NDArray[np.uint64] = scores.astype(np.int64).view(np.uint64) ^ np.uint64(1 << 63)
        return raised
    # Adding 0 turns -0.0 into 0.0; of negative numbers all bits are flipped, of others the sign.
    bits = (scores.astype(np.float64) + 0.0).view(np.int64)
    flipped: NDArray[np.uint64] = (bits ^ ((bits >> 63) | np.int64(-(2**63)))).view(np.uint64)
    return flipped


def _descending_key(scores: NDArray[Any]) -> NDArray[np.uint64]:
    """Return unsigned integers whose ascending order is the descending order of the scores."""
    return np.invert(ascending_key(scores))


def _repaired(scores: NDArray[Any], order: NDArray[np.intp], leading: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Sort again the runs of equal leading bits in which scores are out of order."""
    ordered = scores[order]
    wrong = (leading[1:] == leading[:-1]) & (ordered[1:] > ordered[:-1])
    if not wrong.any():
        return order
    run = np.concatenate(([0], np.cumsum(leading[1:] != leading[:-1])))
    again = np.isin(run, run[1:][wrong])
    rows = order[again]
    # Runs keep their place: sorting by run first, then from the highest score, then by row.
    order[again] = rows[np.lexsort((rows, _descending_key(scores[rows]), run[again]))]
    return order


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
    """Return twice the placement of each positive row and of each negative row, in their order."""
    if native.available() and native.takes(scores):
        placed = native.placements(scores, positive)
        return placed[positive], placed[~positive]
    up, down = scores[positive], scores[~positive]
    ups, downs = np.sort(up), np.sort(down)
    of_pos = np.searchsorted(downs, up, "left") + np.searchsorted(downs, up, "right")
    of_neg = 2 * up.size - np.searchsorted(ups, down, "left") - np.searchsorted(ups, down, "right")
    return of_pos, of_neg
