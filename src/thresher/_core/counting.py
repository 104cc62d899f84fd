"""Rows to counts: the one sort and the one tie rule of the library.

Two scores tie when they are equal as numbers: -0.0 equals 0.0, and nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.sums import refuse_sum, segment_sums
from thresher.typing import BoolArray, CountArray, ScoreArray

Table = tuple[ScoreArray, CountArray, CountArray]
"""Distinct scores, highest first, with the positives and the negatives at each."""


def count_rows(scores: ScoreArray, is_positive: BoolArray) -> Table:
    """Count positives and negatives at each distinct score: by the compiled kernel, or by NumPy where there is none."""
    if native.available() and native.takes(scores):
        return native.count(scores, is_positive)
    return count_rows_numpy(scores, is_positive)


def count_running(scores: ScoreArray, is_positive: BoolArray) -> native.RunningTable | None:
    """Count at or above each distinct score, with the exact U, by the compiled kernel; None where there is none."""
    if native.available() and native.takes(scores):
        return native.count_running(scores, is_positive)
    return None


def count_rows_numpy(scores: ScoreArray, is_positive: BoolArray) -> Table:
    """Count with NumPy alone; the kernel must give the same."""
    pos_values, pos_counts = _runs(scores[is_positive])
    neg_values, neg_counts = _runs(scores[~is_positive])
    return merge_tables_numpy(
        (pos_values, pos_counts, np.zeros_like(pos_counts)), (neg_values, np.zeros_like(neg_counts), neg_counts)
    )


def _runs(scores: ScoreArray) -> tuple[ScoreArray, NDArray[np.int64]]:
    """Return the distinct values, highest first, and how often each occurs."""
    ordered = np.sort(_well_sorted(_fold_zero(scores)))
    starts = _starts(ordered)
    counts = np.diff(np.append(starts, ordered.size)).astype(np.int64, copy=False)
    return ordered[starts][::-1].astype(scores.dtype, copy=False), counts[::-1]


def _well_sorted(scores: ScoreArray) -> ScoreArray:
    """Return half-precision scores as single precision, the same numbers: `np.sort` may lose the order of halves.

    NumPy 2.4 returns float16 arrays with many infinities out of order on processors with AVX-512.
    """
    return scores.astype(np.float32) if scores.dtype == np.float16 else scores


def _fold_zero(scores: ScoreArray) -> ScoreArray:
    """Return the scores with -0.0 written 0.0, so that equal numbers are equal bits."""
    return scores + scores.dtype.type(0) if scores.dtype.kind == "f" else scores


def _starts(ordered: ScoreArray) -> NDArray[np.intp]:
    if ordered.size == 0:
        return np.empty(0, dtype=np.intp)
    return np.concatenate(([0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1))


def count_groups(
    codes: NDArray[np.int32], scores: ScoreArray, is_positive: BoolArray
) -> tuple[NDArray[np.int32], NDArray[np.intp], Table]:
    """Count every group by itself, all of them in one go; there is at least one row.

    Returns the groups that occur, in ascending order, where the table of each ends, and the tables one after another,
    each highest first.
    """
    if not (native.available() and native.takes(scores)):
        return count_groups_numpy(codes, scores, is_positive)
    groups, ends, scores, is_positive = order_groups(codes, scores, is_positive)
    sizes, table = native.group_tables(scores, is_positive, ends)
    return groups, np.cumsum(sizes), table


def order_groups(
    codes: NDArray[np.int32], scores: ScoreArray, is_positive: BoolArray
) -> tuple[NDArray[np.int32], NDArray[np.int64], ScoreArray, BoolArray]:
    """Bring rows into the order of their groups, by the kernel; there is at least one row.

    Returns the groups that occur, in ascending order, where the rows of each end, and the rows.
    """
    low, ends, scores, is_positive = native.group_rows(codes, scores, is_positive)
    present = np.flatnonzero(np.diff(ends, prepend=0))
    return (present + low).astype(np.int32), ends[present], scores, is_positive


def count_groups_numpy(
    codes: NDArray[np.int32], scores: ScoreArray, is_positive: BoolArray
) -> tuple[NDArray[np.int32], NDArray[np.intp], Table]:
    """Count every group with NumPy alone; the kernel must give the same."""
    folded = _fold_zero(scores)
    rows = np.argsort(_well_sorted(folded), kind="stable")[::-1]
    rows = rows[np.argsort(codes[rows], kind="stable")]
    group, ordered = codes[rows], folded[rows]
    starts = np.concatenate(([0], np.flatnonzero((ordered[1:] != ordered[:-1]) | (group[1:] != group[:-1])) + 1))
    pos = np.add.reduceat(is_positive[rows].view(np.uint8), starts, dtype=np.int64)
    neg = np.diff(np.append(starts, rows.size)) - pos
    owner = group[starts]
    ends = np.append(np.flatnonzero(owner[1:] != owner[:-1]) + 1, owner.size)
    return owner[ends - 1], ends, (ordered[starts], pos, neg)


def row_order(values: NDArray[Any]) -> NDArray[np.intp]:
    """Return the rows from the lowest value to the highest, equal ones as they stand."""
    if native.available() and native.takes(values):
        return np.asarray(native.order(values), dtype=np.intp)
    return np.argsort(values, kind="stable")


def merge_tables(a: Table, b: Table) -> Table:
    """Add two tables whose scores have the same dtype; rows are highest first in both and in the result."""
    if native.available() and native.takes(a[0]):
        return native.merge(a, b)
    return merge_tables_numpy(a, b)


def merge_tables_numpy(a: Table, b: Table) -> Table:
    """Add two tables with NumPy alone."""
    a_values, b_values = a[0], b[0]
    if a_values.size == 0 or b_values.size == 0:
        filled, empty = (b, a) if a_values.size == 0 else (a, b)
        kind = np.result_type(filled[1], empty[1])
        return filled[0], filled[1].astype(kind, copy=False), filled[2].astype(kind, copy=False)
    values = np.union1d(_well_sorted(a_values), _well_sorted(b_values)).astype(np.result_type(a_values, b_values))
    kind = np.result_type(a[1], b[1])
    pos = np.zeros(values.size, dtype=kind)
    neg = np.zeros(values.size, dtype=kind)
    for table in (a, b):
        place = np.searchsorted(values, table[0])
        # Each table holds a value once, so no two rows fall on the same place.
        pos[place] += table[1]
        neg[place] += table[2]
    return values[::-1], pos[::-1], neg[::-1]


def sum_rows(scores: ScoreArray, pos_weight: NDArray[Any], neg_weight: NDArray[Any]) -> Table:
    """Add the weights of positives and negatives at each distinct score; scores without weight are left out."""
    distinct, (pos, neg) = sum_columns(scores, (pos_weight, neg_weight))
    kept = (pos > 0) | (neg > 0)
    return distinct[kept], pos[kept], neg[kept]


def sum_columns(scores: ScoreArray, columns: Sequence[NDArray[Any]]) -> tuple[ScoreArray, list[NDArray[Any]]]:
    """Add columns at each distinct score, highest first: integers exactly, floats as if in twice the precision."""
    ordered, order, starts = _ordered(scores)
    if starts.size == ordered.size:  # every score is its own sum
        kinds = [np.dtype(np.float64) if column.dtype.kind == "f" else np.dtype(np.int64) for column in columns]
        both = zip(columns, kinds, strict=True)
        return ordered[::-1], [column[order][::-1].astype(kind, copy=False) for column, kind in both]
    sums = []
    for i, column in enumerate(columns):
        if column.dtype.kind == "f":
            sums.append(segment_sums(column[order], starts)[::-1])
        else:
            refuse_sum(column, ("positive", "negative")[i % 2])
            sums.append(np.add.reduceat(column[order], starts, dtype=np.int64)[::-1])
    return ordered[starts][::-1], sums


def _ordered(scores: ScoreArray) -> tuple[ScoreArray, NDArray[np.intp], NDArray[np.intp]]:
    """Return the scores in ascending order, the permutation, and where each distinct one starts."""
    folded = _fold_zero(scores)
    order = row_order(folded)
    ordered = folded[order]
    return ordered, order, _starts(ordered)


def sum_weights(
    scores: ScoreArray, positive: BoolArray, weight: NDArray[Any], squared: NDArray[np.float64] | None = None
) -> tuple[Table, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Add the weights of rows, and their squares, by class at each distinct score; rows of weight 0 are left out.

    `squared` are the squares where they are not those of `weight`, as for rows that stand for several of equal weight.
    Sums of floats are compiled where they can be.
    """
    if squared is None and weight.dtype == np.float64 and native.available() and native.takes(scores):
        distinct, pos, neg, pos_squares, neg_squares = native.weigh(scores, positive, weight)
        return (distinct, pos, neg), (pos_squares, neg_squares)
    return sum_weights_numpy(scores, positive, weight, squared)


def sum_weights_numpy(
    scores: ScoreArray, positive: BoolArray, weight: NDArray[Any], squared: NDArray[np.float64] | None = None
) -> tuple[Table, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Add weights with NumPy alone; the kernel gives the same."""
    if not (weight > 0).all():
        some = weight > 0
        scores, positive, weight = scores[some], positive[some], weight[some]
        squared = None if squared is None else squared[some]
    ordered, order, starts = _ordered(scores)
    mine = positive[order]
    own = weight[order]
    twice = own.astype(np.float64) ** 2 if squared is None else squared[order]
    if starts.size == ordered.size:
        none = own.dtype.type(0)
        sums = [np.where(mine, own, none)[::-1], np.where(mine, none, own)[::-1]]
        squares = [np.where(mine, twice, 0.0)[::-1], np.where(mine, 0.0, twice)[::-1]]
    else:
        new = np.zeros(ordered.size, dtype=np.intp)
        new[starts[1:]] = 1
        cell = np.cumsum(new)
        sums, squares = [], []
        for rows, side in ((np.flatnonzero(mine), "positive"), (np.flatnonzero(~mine), "negative")):
            at = cell[rows]
            first = _starts(at)
            for kept, column in ((sums, own), (squares, twice)):
                out = np.zeros(starts.size, dtype=column.dtype)
                out[at[first]] = _segments(column[rows], first, side)
                kept.append(out[::-1])
    return (ordered[starts][::-1], sums[0], sums[1]), (squares[0], squares[1])


def _segments(values: NDArray[Any], starts: NDArray[np.intp], side: str) -> NDArray[Any]:
    if values.size == 0:
        return values
    if values.dtype.kind != "f":
        refuse_sum(values, side)
        return np.asarray(np.add.reduceat(values, starts, dtype=np.int64))
    return segment_sums(values, starts)
