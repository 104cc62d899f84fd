"""Pieces of a table that add up, with NumPy alone: for weights, for small types, and where nothing was compiled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.counting import count_rows, sum_columns, sum_rows, sum_weights
from thresher._read.stream.collect import Collector, Marks, tally_table
from thresher._read.stream.spill import Spill
from thresher.typing import BoolArray, ScoreArray

_ROW_BYTES = 128  # of memory for a row of a table while tables are merged, generously
_BUCKETS = 64

StreamColumns = tuple[NDArray[Any], ...]
"""Distinct scores, highest first, positives, negatives, and with sampling weights the squares of both."""


class TableStream:
    """Counts a stream of scores of one dtype, with or without weights.

    Tables of single batches are merged when they fill the memory; what is still too large is divided by score, and the
    parts are written to a file and merged one by one.
    """

    def __init__(self, memory: int, spill: Spill, *, buckets: int = _BUCKETS) -> None:
        self._most_rows = max(memory // _ROW_BYTES, 16)
        self._spill = spill
        self._buckets = max(buckets, 2)
        self._parts: list[StreamColumns] = []
        self._rows = 0
        self._splits: ScoreArray | None = None  # ascending: bucket 0 is below the first
        self._written: list[list[tuple[int, int]]] = []  # of each bucket: place and rows
        self._types: list[np.dtype[Any]] = []
        self._totals: list[Any] = [0, 0]
        self._waiting: list[tuple[NDArray[Any] | None, ...]] = []
        self._waiting_rows = 0

    def add(
        self,
        scores: ScoreArray,
        positive: BoolArray,
        weight: NDArray[Any] | None = None,
        times: NDArray[np.int64] | None = None,
    ) -> None:
        """Take rows, none of them NaN, with weights above 0 or numbers of times or both."""
        # Sorted once in large pieces, which then need not be merged so often.
        self._waiting.append((scores, positive, weight, times))
        self._waiting_rows += scores.size
        if self._waiting_rows >= self._most_rows // 2:
            self._count()

    def _count(self) -> None:
        """Count the rows that wait."""
        if not self._waiting:
            return
        waiting, self._waiting, self._waiting_rows = self._waiting, [], 0
        columns = [None if parts[0] is None else np.concatenate(parts) for parts in zip(*waiting, strict=True)]
        scores, positive, weight, times = columns
        assert scores is not None and positive is not None  # noqa: S101, PT018  # for the type checker
        table: StreamColumns
        if weight is not None:
            squared = None if times is None else times.astype(np.float64) * np.square(weight.astype(np.float64))
            sums, squares = sum_weights(scores, positive, weight if times is None else weight * times, squared)
            table = (*sums, *squares)
        elif times is not None:
            none = np.int64(0)
            table = sum_rows(scores, np.where(positive, times, none), np.where(positive, none, times))
        else:
            table = count_rows(scores, positive)
        self._totals[0] += table[1].sum().item()
        self._totals[1] += table[2].sum().item()
        self._take(table)

    @property
    def totals(self) -> tuple[Any, Any]:
        """Positives and negatives so far: integers, or sums of weights."""
        self._count()
        return self._totals[0], self._totals[1]

    def _take(self, table: StreamColumns) -> None:
        # Pieces of a batch are small against the memory, whatever the batch is.
        for first in range(0, table[0].size, self._most_rows):
            part = slice(first, first + self._most_rows)
            self._parts.append(tuple(column[part] for column in table))
            self._rows += self._parts[-1][0].size
            if self._rows > self._most_rows:
                self._merge()
                if self._rows > self._most_rows // 2:
                    self._write()

    def _merge(self) -> None:
        if len(self._parts) > 1:
            self._parts = [_sum(self._parts)]
        self._rows = sum(part[0].size for part in self._parts)

    def _write(self) -> None:
        """Write the one table there is, divided by score."""
        table, self._parts, self._rows = self._parts[0], [], 0
        values = table[0][::-1]
        if self._splits is None:
            step = max(values.size // self._buckets, 1)
            self._splits = values[step::step].copy()
            self._written = [[] for _ in range(self._splits.size + 1)]
            self._types = [column.dtype for column in table]
        edges = [0, *np.searchsorted(values, self._splits).tolist(), values.size]
        for bucket, (first, last) in enumerate(pairwise(edges)):
            if first < last:
                columns = [column[::-1][first:last] for column in table]
                self._written[bucket].append((self._spill.write(columns), last - first))

    def tables(self, depth: int = 0) -> Iterator[StreamColumns]:
        """Yield tables of distinct scores, highest first, that follow one another."""
        self._count()
        if self._splits is None:
            self._merge()
            yield from self._parts
            return
        if self._parts:
            self._merge()
            self._write()
        for places in reversed(self._written):
            if not places:
                continue
            inner = TableStream(self._most_rows * _ROW_BYTES, self._spill, buckets=self._buckets)
            for at, rows in places:
                inner._take(self._read(at, rows))
            yield from inner.tables(depth + 1)

    def _read(self, at: int, rows: int) -> StreamColumns:
        columns = []
        for kind in self._types:
            column: NDArray[Any] = np.empty(rows, dtype=kind)
            self._spill.read_into(column, at)
            at += column.nbytes
            columns.append(column[::-1])
        return tuple(columns)

    def collect(self, max_points: int) -> Collector:
        """Count everything, from the highest score down."""
        collector = Collector(Marks.make(*self.totals, max_points), max_points)
        for table in self.tables():
            collector.add(tally_table(table, collector.before, collector.marks, collector.most_points))
        return collector


def _sum(parts: list[StreamColumns]) -> StreamColumns:
    """Return the sum of tables."""
    scores, *columns = (np.concatenate([part[k] for part in parts]) for k in range(len(parts[0])))
    distinct, sums = sum_columns(scores, columns)
    return (distinct, *sums)
