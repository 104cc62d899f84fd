"""Rows of a stream as keys in buckets, by the compiled kernels; what does not fit in memory waits in a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.threads import thread_count
from thresher._read.stream.collect import Collector, Marks, Tally, Workers, tally_keys
from thresher._read.stream.spill import Spill
from thresher.typing import BoolArray, ScoreArray

_BUCKETS, _FEW_BUCKETS = 512, 64
_LINE = 64
_CHUNK = (1 << 15) + _LINE
_SLACK = 128  # the kernel reads a little past the end
_ROW_BYTES = 48  # of memory while a bucket is counted, generously
_LEAST_DIVIDED = 16
_MANY_ROWS = 1 << 20  # of fewer, threads cost more than they save
_TURNS = 16  # in which buckets are written to the file
_SAMPLED = 64  # places of a file from which a bucket that came out too large is sampled
_SPLIT_EVENLY = 2  # levels by samples before ranges are divided evenly, which always ends

Frequent = tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]


class _Place(NamedTuple):
    """Where keys of a bucket lie: in memory, or at a place of the file."""

    keys: NDArray[Any] | None
    at: int
    rows: int


class _Bucket(NamedTuple):
    """Keys of one sign and range, with the frequent scores in that range."""

    places: list[_Place]
    rows: int
    positives: int
    negative: bool
    range: tuple[int, int]
    frequent: Frequent
    depth: int

    @property
    def counts(self) -> tuple[int, int]:
        """Positives and negatives, frequent scores included."""
        pos, neg = int(self.frequent[1].sum()), int(self.frequent[2].sum())
        return self.positives + pos, self.rows - self.positives + neg


class KeyStream:
    """Counts a stream of labels and scores of one dtype of 32 or 64 bits, without weights."""

    def __init__(self, dtype: np.dtype[Any], memory: int, spill: Spill, *, buckets: int | None = None) -> None:
        self._dtype = dtype
        self._memory = memory
        self._spill = spill
        # With little memory there are few rows in each of very many buckets, which take longer than their rows.
        self._wanted = min(max(memory >> 16, _FEW_BUCKETS), _BUCKETS) if buckets is None else buckets
        self._level = self._new_level(memory, depth=0)
        self._learnt = False

    def add(self, scores: ScoreArray, positive: BoolArray) -> None:
        """Take rows; scores are contiguous, native and not NaN. The first rows say where buckets should lie."""
        if not self._learnt:
            self._learnt = True
            self._level.stream.learn(scores, self._level.buckets)
        labels = positive.view(np.uint8)
        self._level.feed(scores.size, lambda first: self._level.stream.add(scores, labels, first))

    def collect(self, max_points: int) -> Collector:
        """Count everything, from the highest score down."""
        buckets = list(self._level.finished(room=self._memory * 3 // 8 // thread_count()))
        n_pos, n_neg = (sum(counts) for counts in zip(*(bucket.counts for bucket in buckets), strict=True))
        collector = Collector(Marks.make(n_pos, n_neg, max_points), max_points)
        in_memory = any(place.keys is not None for bucket in buckets for place in bucket.places)
        self._count(buckets, collector, self._memory * 3 // 8 if in_memory else self._memory * 7 // 8)
        return collector

    def _count(self, buckets: list[_Bucket], collector: Collector, memory: int) -> None:
        """Count buckets in order, several at once where there is room; those that are too large are divided first."""
        most_rows = max(memory // _ROW_BYTES, 1024)
        threads = min(thread_count(), 16)
        largest = max((bucket.rows for bucket in buckets if bucket.rows <= most_rows), default=0)
        few = sum(bucket.rows for bucket in buckets) < _MANY_ROWS
        workers = 1 if few else max(1, min(threads, most_rows // max(largest, 1)))
        room: SimpleQueue[NDArray[Any]] = SimpleQueue()  # for the keys of a bucket; memory that is new costs time
        for _ in range(workers):
            room.put(np.empty(largest + _SLACK, dtype=self._level.key_type))
        before = collector.before
        with Workers(workers, collector) as team:
            for bucket in buckets:
                pos, neg = bucket.counts
                if pos + neg == 0:
                    continue
                if bucket.rows > most_rows and bucket.range[0] < bucket.range[1]:
                    team.finish()
                    self._count(self._divided(bucket, memory), collector, memory)
                else:
                    team.do(_Task(self, bucket, (int(before[0]), int(before[1])), collector, most_rows, room))
                before = (before[0] + pos, before[1] + neg)
            team.finish()

    def _divided(self, bucket: _Bucket, memory: int) -> list[_Bucket]:
        """Return a bucket too large for memory as smaller ones, written to the file anew."""
        level = self._new_level(memory, bucket.depth + 1)
        stream, negative = level.stream, bucket.negative
        if bucket.depth < _SPLIT_EVENLY:
            stream.learn_keys(self._sample(bucket), negative, level.buckets)
        else:
            stream.learn_range(*bucket.range, negative, level.buckets)
        piece = max(memory // 16 // stream.key_bytes, 1024)
        for keys in self._pieces(bucket, piece):
            level.feed(keys.size, partial(_add_keys, stream, keys, negative))
        return list(level.finished(bucket))

    def _sample(self, bucket: _Bucket) -> NDArray[Any]:
        """Return some keys from all over a bucket."""
        kind = self._level.key_type
        found = []
        width = max(bucket.rows // _SAMPLED, 1)
        size = min(width, 1024)
        for place in bucket.places:
            for first in range(0, place.rows, width):
                rows = min(size, place.rows - first)
                found.append(self._read(place, first, np.empty(rows, dtype=kind)))
        return np.concatenate(found)

    def _pieces(self, bucket: _Bucket, rows: int) -> Iterator[NDArray[Any]]:
        out = np.empty(rows, dtype=self._level.key_type)
        for place in bucket.places:
            for first in range(0, place.rows, rows):
                yield self._read(place, first, out[: min(rows, place.rows - first)])

    def _read(self, place: _Place, first: int, out: NDArray[Any]) -> NDArray[Any]:
        if place.keys is not None:
            out[:] = place.keys[first : first + out.size]
        else:
            self._spill.read_into(out, place.at + first * out.itemsize)
        return out

    def load(self, bucket: _Bucket, out: NDArray[Any]) -> None:
        """Copy all keys of a bucket to the beginning of an array."""
        at = 0
        for place in bucket.places:
            self._read(place, 0, out[at : at + place.rows])
            at += place.rows

    def _new_level(self, memory: int, depth: int) -> _Level:
        # A bucket that is divided again must become smaller, whatever was asked for.
        wanted = self._wanted if depth == 0 else max(self._wanted, _LEAST_DIVIDED)
        return _Level(self._dtype, memory // 2, self._spill, min(wanted, _BUCKETS), depth)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The scores' type."""
        return self._dtype


class _Task:
    """The counting of one bucket."""

    def __init__(
        self,
        owner: KeyStream,
        bucket: _Bucket,
        before: tuple[int, int],
        collector: Collector,
        most_rows: int,
        room: SimpleQueue[NDArray[Any]],
    ) -> None:
        self._owner, self._bucket, self._before, self._collector = owner, bucket, before, collector
        self._room = room
        self._single = bucket.rows > most_rows

    def __call__(self) -> Tally:
        bucket, owner = self._bucket, self._owner
        frequent = bucket.frequent
        if self._single:  # one score with more rows than memory holds: its counts are known already
            ordinal = np.array([_ordinal(bucket.range[0], bucket.negative, owner._level.key_bytes)], dtype=np.uint64)
            pos, neg = (np.array([count], dtype=np.int64) for count in bucket.counts)
            bucket, frequent = bucket._replace(places=[], rows=0), (ordinal, pos, neg)
        keys = self._room.get()
        try:
            owner.load(bucket, keys)
            marks, most = self._collector.marks, self._collector.most_points
            return tally_keys(owner.dtype, (keys, bucket.rows, bucket.negative), frequent, self._before, marks, most)
        finally:
            self._room.put(keys)


def _add_keys(stream: Any, keys: NDArray[Any], negative: bool, first: int) -> int:
    return int(stream.add_keys(keys, first, negative))


def _ordinal(key: int, negative: bool, key_bytes: int) -> int:
    return key | (int(negative) << (8 * key_bytes - 1))


class _Level:
    """A native partition with the file behind it."""

    def __init__(self, dtype: np.dtype[Any], memory: int, spill: Spill, buckets: int, depth: int) -> None:
        self.key_bytes = 8 if dtype.itemsize == 8 else 4
        self.key_type = np.dtype(np.uint64 if self.key_bytes == 8 else np.uint32)
        self.buckets = min(buckets, max(memory // 4096, _LEAST_DIVIDED))
        # An odd number of cache lines: chunks that fill at the same pace would otherwise compete for the same ones.
        chunk = (int(np.clip(memory // (4 * self.buckets), 256, _CHUNK)) // _LINE | 1) * _LINE
        # At worst every bucket of both signs has a chunk that is nearly empty when the next rows come.
        self.stream = native.stream(dtype, chunk, max(memory // chunk, 4 * self.buckets + 16))
        self._spill = spill
        self._depth = depth
        self._places: dict[int, list[_Place]] = defaultdict(list)  # of each bucket in the file
        self._turn = 0

    def feed(self, rows: int, add: Callable[[int], int]) -> None:
        """Add rows, writing to the file whenever there is no room: some buckets, while more rows are being read."""
        first = add(0)
        while first < rows:
            turn = range(self._turn, self.stream.buckets, _TURNS)
            self._turn = (self._turn + 1) % _TURNS
            self._write(turn)
            first += add(first)

    def _write(self, buckets: range) -> None:
        """Move the keys of buckets to the file."""
        for bucket in buckets:
            chunks = self.stream.chunks(bucket)
            if chunks:
                at = self._spill.write(chunks)
                self._places[bucket].append(_Place(None, at, (self._spill.size - at) // self.key_bytes))
                self.stream.clear(bucket)

    def finished(self, parent: _Bucket | None = None, room: int = 0) -> Iterator[_Bucket]:
        """Yield the buckets, highest scores first; what is in memory stays there if `room` suffices to count each."""
        rows, positives = self.stream.counts()
        in_file = int(rows.max()) * _ROW_BYTES > room and (bool(self._places) or parent is not None)
        if in_file:
            self._write(range(rows.size))
        ordinals, pos, neg, owner = self.stream.frequent()
        ranges = [self.stream.range(bucket) for bucket in range(rows.size)]
        chunks = [[] if in_file else self.stream.chunks(bucket) for bucket in range(rows.size)]
        if in_file:
            del self.stream  # and its memory
        half = rows.size // 2
        for bucket in range(rows.size):
            mine = owner == bucket
            frequent = (ordinals[mine], pos[mine], neg[mine])
            low, high = ranges[bucket]
            if parent is not None:
                low, high = max(low, parent.range[0]), min(high, parent.range[1])
                if parent.negative == (bucket >= half):
                    frequent = _joined(frequent, parent, (low, high), self.key_bytes)
            places = [_Place(keys, 0, keys.size) for keys in chunks[bucket]] + self._places[bucket]
            yield _Bucket(
                places, int(rows[bucket]), int(positives[bucket]), bucket >= half, (low, high), frequent, self._depth
            )


def _joined(frequent: Frequent, parent: _Bucket, span: tuple[int, int], key_bytes: int) -> Frequent:
    """Return frequent scores with those of the parent that lie in a range; a score may be frequent in both."""
    low, high = (np.uint64(_ordinal(end, parent.negative, key_bytes)) for end in span)
    inside = (parent.frequent[0] >= low) & (parent.frequent[0] <= high)
    ordinals, place = np.unique(np.concatenate((frequent[0], parent.frequent[0][inside])), return_inverse=True)
    counts = []
    for column in (1, 2):
        total = np.zeros(ordinals.size, dtype=np.int64)
        np.add.at(total, place, np.concatenate((frequent[column], parent.frequent[column][inside])))
        counts.append(total)
    return ordinals, counts[0], counts[1]
