"""Many tables that share their columns, and how finely the columns must tell scores apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import frozen, lossless_common_dtype
from thresher._core.order import descending_order
from thresher._table.counts import Counts
from thresher.typing import CountArray, FloatArray, IntArray, ScoreArray

Needs = Literal["path", "ranks", "scores", "threshold"]
"""What a measure looks at: the path of the ROC curve, the order of the scores, the scores, or one threshold."""

BatchColumns = NDArray[np.intp]


class Batch(NamedTuple):
    """Tables that share their columns: a row for each table, the highest score first.

    Attributes
    ----------
    pos, neg : array of float64, shape (tables, columns)
        Positives and negatives, or their weights.
    at : array of intp
        The columns that can hold positives: fixed by the data, so that sums are rounded alike in every batch.
    scores : array of shape (columns,) or None
        The score of each column; None if only ranks are left.
    """

    pos: FloatArray
    neg: FloatArray
    at: BatchColumns
    scores: ScoreArray | None = None

    @property
    def totals(self) -> tuple[FloatArray, FloatArray]:
        """The positives and the negatives of each table."""
        return self.pos.sum(axis=1), self.neg.sum(axis=1)

    def called(self, threshold: float) -> tuple[FloatArray, FloatArray]:
        """Return the true and false positives of each table at a threshold."""
        if self.scores is None:
            raise AssertionError("columns without scores have no thresholds")
        last = int(np.count_nonzero(is_at_least(self.scores, threshold)))
        return self.pos[:, :last].sum(axis=1), self.neg[:, :last].sum(axis=1)


class Grid(NamedTuple):
    """Which column each distinct score of a table goes to."""

    column: BatchColumns
    scores: ScoreArray | None

    @property
    def width(self) -> int:
        """How many columns there are."""
        return int(self.column[-1]) + 1 if self.scores is None else int(self.scores.size)

    def summed(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return the sums of counts by column; the last axis runs over the distinct scores."""
        if self.width == counts.shape[-1]:
            return counts
        if self.scores is not None:  # two columns, of which one may be empty
            last = int(np.count_nonzero(self.column == 0))
            return np.stack((counts[..., :last].sum(axis=-1), counts[..., last:].sum(axis=-1)), axis=-1)
        starts = np.flatnonzero(np.diff(self.column, prepend=-1))
        return np.add.reduceat(counts, starts, axis=-1)


def is_at_least(scores: ScoreArray, threshold: float) -> NDArray[np.bool_]:
    """Return which scores are at least a threshold, integers of any size compared exactly."""
    bound = np.asarray([threshold])
    kind = lossless_common_dtype(scores, bound)
    return np.asarray(scores.astype(kind, copy=False) >= bound.astype(kind, copy=False))


def merge_runs(pos: CountArray, neg: CountArray, *, path_only: bool) -> BatchColumns:
    """Return the column of each distinct score when neighbours that only negatives have share one.

    For `path_only` so do those that only positives have. A run of one class is a straight piece of the curve in the
    data and in every resample, so the area is the same; and a sum of multinomial counts is multinomial, so their
    distribution is the same too.
    """
    kind = np.where(neg == 0, 1, np.where(pos == 0, 2, 0))
    joins = (kind[1:] == kind[:-1]) & ((kind[1:] == 2) | (path_only & (kind[1:] == 1)))
    return np.concatenate(([0], np.cumsum(~joins))).astype(np.intp)


def grid_of(needs: Needs, scores: ScoreArray, pos: CountArray, neg: CountArray, threshold: float | None = None) -> Grid:
    """Return the coarsest columns on which a measure that needs this much has the same value."""
    if needs == "scores":
        return Grid(np.arange(scores.size), scores)
    if needs == "threshold" and threshold is not None:
        called = is_at_least(scores, threshold)
        return Grid(np.where(called, 0, 1).astype(np.intp), np.array([np.inf, -np.inf]))
    return Grid(merge_runs(pos, neg, path_only=needs == "path"), None)


def row_columns(distinct: ScoreArray, scores: ScoreArray, grid: Grid) -> BatchColumns:
    """Return the column of each row; its score is one of the distinct ones, which run from the highest down."""
    kind = lossless_common_dtype(distinct, scores)
    rising = distinct.astype(kind, copy=False)[::-1]
    wanted = scores.astype(kind, copy=False)
    order = descending_order(wanted)[::-1]  # in which a search goes through the memory once
    cell = np.empty(wanted.size, dtype=np.intp)
    cell[order] = distinct.size - 1 - np.searchsorted(rising, wanted[order])
    return np.asarray(grid.column[cell])


C = TypeVar("C", bound=Counts)


class ManyTables(NamedTuple):
    """Rows ``ends[g - 1]`` to ``ends[g]`` are table g: its distinct scores, highest first, and counts of rows.

    No table is empty.
    """

    thresholds: ScoreArray
    pos: IntArray
    neg: IntArray
    ends: IntArray

    @property
    def totals(self) -> tuple[IntArray, IntArray]:
        """The positives and the negatives of each table."""
        starts = np.append(0, self.ends[:-1])
        pos, neg = (np.add.reduceat(column, starts) for column in (self.pos, self.neg))
        return pos, neg

    def each(self, cls: type[C]) -> Iterator[C]:
        """Yield the tables one by one."""
        thresholds, pos, neg = map(frozen, (self.thresholds, self.pos, self.neg))
        start = 0
        for end in self.ends.tolist():
            yield cls._from_counted(thresholds[start:end], pos[start:end], neg[start:end])
            start = end
