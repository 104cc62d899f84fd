"""One stream of rows to one count table, by the engine that suits it."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from thresher._core import native
from thresher._read.sources.batch_columns import Rows
from thresher._read.stream.key_stream import KeyStream
from thresher._read.stream.spill import Spill
from thresher._read.stream.table_stream import TableStream
from thresher._table import Counts, no_class_weight

__all__ = ["Groups", "RowCounter"]

C = TypeVar("C", bound=Counts)

_FIRST_ROWS = 1 << 20  # are looked at before it is decided how to go on


class RowCounter:
    """Counts rows of one dtype.

    Parameters
    ----------
    memory : int
        Bytes to use at most, about.
    spill : Spill
        The file for what does not fit.
    first_rows : int, optional
        How many rows to keep before buckets are laid.
    buckets : int, optional
        How many buckets; for tests, as no answer depends on it.
    """

    def __init__(self, memory: int, spill: Spill, *, first_rows: int = _FIRST_ROWS, buckets: int | None = None) -> None:
        self._memory = memory
        self._spill = spill
        self._first_rows = min(first_rows, max(memory // 64, 1))
        self._buckets = {} if buckets is None else {"buckets": buckets}
        self._waiting: list[Rows] = []
        self._rows = 0
        self._stream: KeyStream | TableStream | None = None
        self._weight: list[list[Any]] = [[0, 0], [0, 0]]  # rows and weight of each class

    def add(self, rows: Rows) -> None:
        """Take rows."""
        if rows.weight is not None:
            for side, mine in enumerate((~rows.positive, rows.positive)):
                self._weight[side][0] += int(np.count_nonzero(mine))
                self._weight[side][1] = max(self._weight[side][1], rows.weight[mine].max(initial=0))
        if self._stream is not None:
            self._feed(rows)
            return
        self._waiting.append(rows)
        self._rows += rows.size
        if self._rows >= self._first_rows:
            self._start()

    def result(self, cls: type[C], max_points: int) -> C:
        """Return the count table of all rows."""
        for side, (rows, weight) in zip(("negative", "positive"), self._weight, strict=True):
            if rows and not weight > 0:
                raise no_class_weight("sample_weight", rows, side)
        if self._stream is None:
            self._start()
        assert self._stream is not None  # noqa: S101  # for the type checker: `_start` has made it
        collector = self._stream.collect(max_points)
        self._stream = None  # and its memory, before the table is put together
        return collector.result(cls)

    def _start(self) -> None:
        waiting, self._waiting = self._waiting, []
        scores = waiting[0].scores
        by_keys = (
            native.available() and waiting[0].weight is None and native.takes(scores) and scores.dtype.itemsize >= 4
        )
        if by_keys:
            self._stream = KeyStream(scores.dtype, self._memory, self._spill, **self._buckets)
            scores = np.concatenate([rows.scores for rows in waiting])
            self._stream.add(scores, np.concatenate([rows.positive for rows in waiting]))
        else:
            self._stream = TableStream(self._memory, self._spill, **self._buckets)
            for rows in waiting:
                self._feed(rows)

    def _feed(self, rows: Rows) -> None:
        if isinstance(self._stream, KeyStream):
            self._stream.add(rows.scores, rows.positive)
        elif self._stream is not None:
            self._stream.add(rows.scores, rows.positive, rows.weight)


class Groups:
    """Keeps the rows of every group apart, in memory and then in a file, and counts one group after another."""

    def __init__(self, memory: int, spill: Spill) -> None:
        self._memory = memory
        self._spill = spill
        self._held: dict[Any, list[Rows]] = {}
        self._sizes: dict[Any, int] = {}
        self._places: dict[Any, list[tuple[int, list[tuple[np.dtype[Any], int]]]]] = {}
        self._bytes = 0

    def add(self, rows: Rows) -> None:
        """Take rows of any groups."""
        encoded = rows.groups.dictionary_encode() if hasattr(rows.groups, "dictionary_encode") else rows.groups
        values = encoded.dictionary.to_pylist()
        codes = encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
        order = np.argsort(codes, kind="stable")
        ends = np.searchsorted(codes[order], np.arange(len(values) + 2))
        for code, value in enumerate([*values, None]):
            mine = order[ends[code] : ends[code + 1]]
            if mine.size:
                weight = None if rows.weight is None else rows.weight[mine]
                self._hold(value, Rows(rows.scores[mine], rows.positive[mine], weight, None))

    def _hold(self, key: Any, rows: Rows) -> None:
        size = sum(column.nbytes for column in rows[:3] if column is not None)
        self._held.setdefault(key, []).append(rows)
        self._places.setdefault(key, [])
        self._sizes[key] = self._sizes.get(key, 0) + size
        self._bytes += size
        if self._bytes > self._memory // 2:
            self._write()

    def _write(self) -> None:
        """Write the largest groups to the file until half of the room is free."""
        for key in sorted(self._sizes, key=lambda key: -self._sizes[key]):
            if self._bytes <= self._memory // 4:
                break
            columns = [
                np.concatenate(parts) for parts in zip(*(_filled(rows) for rows in self._held.pop(key)), strict=True)
            ]
            at = self._spill.write(columns)
            self._places[key].append((at, [(column.dtype, column.size) for column in columns]))
            self._bytes -= self._sizes.pop(key)

    def results(self, cls: type[C], max_points: int) -> dict[Any, C]:
        """Return the count table of every group, in the order of the groups where they have one."""
        out = {}
        for key in _ordered(list(self._places)):
            counter = RowCounter(self._memory, self._spill)
            for at, kinds in self._places[key]:
                counter.add(self._read(at, kinds))
            for rows in self._held.pop(key, []):
                counter.add(rows)
            out[key] = counter.result(cls, max_points)
        return out

    def _read(self, at: int, kinds: list[tuple[np.dtype[Any], int]]) -> Rows:
        columns = []
        for kind, size in kinds:
            column = np.empty(size, dtype=kind)
            self._spill.read_into(column, at)
            at += column.nbytes
            columns.append(column)
        return Rows(columns[0], columns[1], columns[2] if len(columns) == 3 else None, None)


def _filled(rows: Rows) -> list[Any]:
    return [column for column in rows[:3] if column is not None]


def _ordered(keys: list[Any]) -> list[Any]:
    """Return keys sorted, None last; in the order they came where they cannot be compared."""
    known = [key for key in keys if key is not None]
    try:
        known.sort()
    except TypeError:
        known.sort(key=lambda key: (type(key).__name__, str(key)))
    return known + [None] * (len(keys) - len(known))
