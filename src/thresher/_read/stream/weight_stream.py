"""Rows with float weights in buckets of scores, by the compiled kernels; what does not fit in memory goes to a file."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.threads import thread_count
from thresher._read.stream.collect import Collector, Marks, Tally, Workers, tally_table, tally_weights
from thresher._read.stream.spill import Spill
from thresher._read.stream.table_stream import TableStream
from thresher.typing import BoolArray, FloatArray, ScoreArray

_BUCKETS = 512
_BLOCK_ROWS = 1 << 20  # that are brought into buckets together
_ROW_BYTES = 192  # of memory while a bucket is counted, generously


class _Block(NamedTuple):
    """Rows in the order of their buckets, two words each: in memory, or at a place of the file."""

    rows: NDArray[np.int64] | None
    at: int
    ends: NDArray[np.int64]


class WeightStream:
    """Counts a stream of labels, scores of one dtype and float weights above 0."""

    def __init__(self, dtype: np.dtype[Any], memory: int, spill: Spill, *, buckets: int = _BUCKETS) -> None:
        self._dtype = dtype
        self._memory = memory
        self._spill = spill
        self._buckets = min(max(buckets, 1), _BUCKETS)
        self._splits: NDArray[np.int64] | None = None
        rows = min(_BLOCK_ROWS, max(memory // 128, 1))
        # Used again for every block: memory that is new costs time.
        self._waiting = (np.empty(rows, dtype=dtype), np.empty(rows, dtype=np.bool_), np.empty(rows))
        self._waiting_rows = 0
        self._blocks: list[_Block] = []
        self._in_memory = 0
        self._sums: list[FloatArray] = []

    def add(self, scores: ScoreArray, positive: BoolArray, weight: FloatArray) -> None:
        """Take rows, none of them NaN. The first rows say where buckets should lie."""
        first = 0
        while first < scores.size:
            at = self._waiting_rows
            taken = min(scores.size - first, self._waiting[0].size - at)
            for waiting, column in zip(self._waiting, (scores, positive, weight), strict=True):
                waiting[at : at + taken] = column[first : first + taken]
            self._waiting_rows += taken
            first += taken
            if self._waiting_rows == self._waiting[0].size:
                self._scatter()

    def _scatter(self) -> None:
        """Bring the rows that wait into the order of their buckets."""
        count, self._waiting_rows = self._waiting_rows, 0
        if not count:
            return
        scores, positive, weight = self._waiting[0][:count], self._waiting[1][:count], self._waiting[2][:count]
        if self._splits is None:
            self._splits = native.weighted_splits(scores, self._buckets)
        rows, ends, sums = native.scatter_weighted(scores, positive, weight, self._splits)
        self._sums.append(sums)
        self._blocks.append(_Block(rows, 0, ends))
        self._in_memory += rows.nbytes
        if self._in_memory > self._memory * 3 // 4:
            self._write()

    def _write(self) -> None:
        """Move the rows in memory to the file."""
        for k, block in enumerate(self._blocks):
            if block.rows is not None:
                self._blocks[k] = _Block(None, self._spill.write([block.rows]), block.ends)
        self._in_memory = 0

    def collect(self, max_points: int) -> Collector:
        """Count everything, from the highest score down."""
        self._scatter()
        stretches, totals = _stretches(self._sums)
        collector = Collector(Marks.make(*totals, max_points), max_points)
        sizes = np.sum([np.diff(block.ends, prepend=0) for block in self._blocks], axis=0)
        most_rows = max(self._memory // 4 // _ROW_BYTES, 1024)
        largest = max((int(size) for size in sizes if size <= most_rows), default=0)
        workers = max(1, min(thread_count(), 16, most_rows // max(largest, 1)))
        with Workers(workers, collector) as team:
            for bucket in range(sizes.size - 1, -1, -1):
                rows = int(sizes[bucket])
                if rows > most_rows:
                    team.finish()
                    self._add_large(bucket, stretches[bucket], collector)
                elif rows:
                    team.do(partial(self._tally, bucket, rows, stretches[bucket], collector))
            team.finish()
        return collector

    def _tally(self, bucket: int, count: int, stretch: _Stretch, collector: Collector) -> Tally:
        rows = np.empty((count, 2), dtype=np.int64)
        at = 0
        for block in self._blocks:
            first, last = _edges(block, bucket)
            self._read(block, first, rows[at : at + last - first])
            at += last - first
        return tally_weights(self._dtype, rows, *stretch, collector.marks, collector.most_points)

    def _read(self, block: _Block, first: int, out: NDArray[np.int64]) -> None:
        """Fill an array with rows of a block, from the first on."""
        if block.rows is not None:
            out[:] = block.rows[first : first + len(out)]
        elif out.size:
            self._spill.read_into(out, block.at + first * 2 * out.itemsize)

    def _add_large(self, bucket: int, stretch: _Stretch, collector: Collector) -> None:
        """Count a bucket that is too large for the memory, piece by piece."""
        stream = TableStream(self._memory // 4, self._spill)
        piece = max(self._memory // 16 // _ROW_BYTES, 1024)
        for block in self._blocks:
            first, last = _edges(block, bucket)
            for start in range(first, last, piece):
                rows = np.empty((min(piece, last - start), 2), dtype=np.int64)
                self._read(block, start, rows)
                stream.add(*native.weighted_rows(self._dtype, rows))
        before: tuple[Any, Any] = _value(stretch.before[:3]), _value(stretch.before[3:])
        for table in stream.tables():
            tally = tally_table(table, before, collector.marks, collector.most_points)
            collector.add(tally)
            before = before[0] + tally.positives, before[1] + tally.negatives


class _Stretch(NamedTuple):
    """Where a bucket stands among the others."""

    before: FloatArray
    """Weights of positives and of negatives above it, in three parts each."""
    totals: tuple[float, float]
    """Its own."""


def _edges(block: _Block, bucket: int) -> tuple[int, int]:
    return int(block.ends[bucket - 1]) if bucket else 0, int(block.ends[bucket])


def _stretches(sums: list[FloatArray]) -> tuple[list[_Stretch], tuple[float, float]]:
    """Return where each bucket stands, and the weights of both classes in all."""
    buckets = sums[0].shape[0]
    own = np.zeros((3, 2 * buckets))
    for block in sums:
        _add(own, block.reshape(2 * buckets, 3).T)
    own = own.reshape(3, buckets, 2)
    running = np.zeros((3, 2))
    found = []
    for bucket in range(buckets - 1, -1, -1):
        totals = _value(own[:, bucket, 0]), _value(own[:, bucket, 1])
        found.append(_Stretch(np.ascontiguousarray(running.T).ravel(), totals))
        _add(running, own[:, bucket])
    return found[::-1], (_value(running[:, 0]), _value(running[:, 1]))


def _add(total: FloatArray, more: FloatArray) -> None:
    """Add sums in three parts to others, in place: the rounding errors of the first part, and those of the second."""
    for part in more:
        error = part
        for k in (0, 1):
            summed = total[k] + error
            kept = summed - total[k]
            error = (total[k] - (summed - kept)) + (error - kept)
            total[k] = summed
        total[2] += error


def _value(parts: FloatArray) -> float:
    return float(parts[0] + (parts[1] + parts[2]))
