"""Count tables of many groups, one after another in the same columns: for very many, of which each is small."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

import numpy as np

from thresher._core.arrays import frozen
from thresher._table.counts import Counts
from thresher.typing import IntArray, ScoreArray

__all__ = ["ManyTables"]

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
