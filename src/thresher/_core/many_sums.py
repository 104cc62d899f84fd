"""Many problems at once: the exact sums of each, from which its area, DeLong's error and the rank test follow.

Every function returns a table of uint64 with a row for each problem: NaN scores, positives, negatives, then upper and
lower half of twice U, of the sums of squared placements of positives and of negatives (as in `DelongSums`), and of
t**3 - t over the scores, t being the rows that share one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.counting import count_rows_numpy, row_order
from thresher._core.order import placement_sums_numpy
from thresher.typing import BoolArray, ScoreArray

_HALF = 2**64 - 1
WIDTH = 11

SumTable = NDArray[np.uint64]
Problem = tuple[ScoreArray, BoolArray]


def group_sums(scores: ScoreArray, positive: BoolArray, ends: NDArray[np.int64]) -> SumTable:
    """Measure groups of rows that lie together; group g ends before row ``ends[g]``."""
    if native.available() and native.takes(scores):
        return native.many_groups(scores, positive, ends)
    starts = np.append(0, ends[:-1])
    return many_sums_numpy((scores[a:b], positive[a:b]) for a, b in zip(starts, ends, strict=True))


def keyed_sums(
    scores: ScoreArray, positive: BoolArray, keys: NDArray[np.integer[Any]]
) -> tuple[NDArray[np.integer[Any]], SumTable]:
    """Measure groups whose rows stand in any order, each named by an integer of 32 or 64 bits; there are rows.

    Returns the groups, ascending, and their sums. The kernel keeps up to 18 bytes a row beyond what it was given.
    """
    ends = run_ends(keys)
    if ends is None and native.available() and native.takes(scores):
        found = native.many_keyed(keys, scores, positive)
        if found is not None:
            names, sums, in_order = found
            order = slice(None) if in_order else row_order(names)
            return names[order].astype(keys.dtype, copy=False), sums[order]
    if ends is None:
        order = row_order(keys)
        keys, scores, positive = keys[order], scores[order], positive[order]
        ends = run_ends_numpy(keys)
    return keys[ends - 1], group_sums(scores, positive, ends)


def run_ends(keys: NDArray[np.integer[Any]]) -> NDArray[np.int64] | None:
    """Return where each run of equal keys ends; None where a key is below the one before."""
    if native.available():
        return native.run_ends(keys)
    # Keys in no order are mostly seen at once.
    falls = any(bool((part[1:] < part[:-1]).any()) for part in (keys[:10_000], keys))
    return None if falls else run_ends_numpy(keys)


def run_ends_numpy(keys: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return where each run of equal keys ends, with NumPy alone."""
    last = np.append(np.flatnonzero(keys[1:] != keys[:-1]), keys.size - 1)
    return (last + 1).astype(np.int64)


def column_sums(matrix: NDArray[Any], positive: BoolArray) -> SumTable:
    """Measure every column of scores."""
    if native.available() and native.takes(matrix):
        return native.many_columns(matrix, positive)
    return many_sums_numpy((matrix[:, c], positive) for c in range(matrix.shape[1]))


def label_sums(scores: ScoreArray, positive: BoolArray) -> SumTable:
    """Measure one column of scores against every column of labels; scores hold no NaN."""
    if native.available() and native.takes(scores):
        return native.many_labels(scores, positive)
    return many_sums_numpy((scores, positive[:, c]) for c in range(positive.shape[1]))


def sparse_sums(data: NDArray[Any], indices: NDArray[Any], ends: NDArray[np.int64], positive: BoolArray) -> SumTable:
    """Measure every column of a sparse matrix: its entries, their rows, and where each column ends."""
    if native.available() and native.takes(data):
        return native.many_sparse(data, indices, ends, positive)

    def columns() -> Iterable[Problem]:
        for a, b in zip(np.append(0, ends[:-1]), ends, strict=True):
            column = np.zeros(positive.size, dtype=data.dtype)
            column[indices[a:b]] = data[a:b]
            yield column, positive

    return many_sums_numpy(columns())


def table_sums(pos: NDArray[np.int64], neg: NDArray[np.int64], ends: NDArray[np.int64]) -> SumTable:
    """Measure tables of counts, highest scores first, one after another; table g ends before row ``ends[g]``."""
    if native.available():
        return native.many_tables(pos, neg, ends)
    starts = np.append(0, ends[:-1])
    rows = [_sums(pos[a:b], neg[a:b]) for a, b in zip(starts, ends, strict=True)]
    return np.array(rows, dtype=np.uint64).reshape(-1, WIDTH)


def many_sums_numpy(problems: Iterable[Problem]) -> SumTable:
    """Do the same with NumPy alone, one problem after the other; the kernels must give the same numbers."""
    rows = [_row(scores, positive) for scores, positive in problems]
    return np.array(rows, dtype=np.uint64).reshape(-1, WIDTH)


def _row(scores: ScoreArray, positive: BoolArray) -> list[int]:
    nan = int(np.isnan(scores).sum()) if scores.dtype.kind == "f" else 0
    if nan or not scores.size:
        return [nan] + [0] * (WIDTH - 1)
    _, pos, neg = count_rows_numpy(scores, positive)
    return _sums(pos, neg)


def _sums(pos: NDArray[np.int64], neg: NDArray[np.int64]) -> list[int]:
    """Return the row of a table of counts."""
    sums = placement_sums_numpy(np.cumsum(pos), np.cumsum(neg))
    ties = sum(t * t * t - t for t in (pos + neg).tolist())
    wide = (int(sums.twice_u), int(sums.positives), int(sums.negatives), ties)
    halves = [half for value in wide for half in (value >> 64, value & _HALF)]
    return [0, int(pos.sum()), int(neg.sum()), *halves]
