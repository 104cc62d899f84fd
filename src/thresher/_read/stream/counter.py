"""One stream of rows to one count table, by the engine that suits it."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from thresher._core import native
from thresher._read.sources.batch_columns import Rows
from thresher._read.stream.key_stream import KeyStream
from thresher._read.stream.spill import Spill
from thresher._read.stream.table_stream import TableStream
from thresher._read.stream.weight_stream import WeightStream
from thresher._table import Counts, Squares, make_clusters, no_class_weight
from thresher.exceptions import InvalidInputError
from thresher.typing import BoolArray, FloatArray

C = TypeVar("C", bound=Counts)

_COLUMNS = ("scores", "positive", "weight", "times")
_FIRST_ROWS = 1 << 20  # are looked at before it is decided how to go on
_SAMPLED = 1 << 14  # scores that tell whether most are shared


class RowCounter:
    """Counts rows of one dtype; `beside` counters, this one among them, have as much memory and count in turn."""

    def __init__(
        self, memory: int, spill: Spill, *, first_rows: int = _FIRST_ROWS, buckets: int | None = None, beside: int = 1
    ) -> None:
        self._memory = memory
        self._spill = spill
        # Those that wait take 8 bytes in each counter; to count them takes 64 in one at a time.
        self._first_rows = max(min(first_rows, memory * beside // 64, memory // 8 if beside > 1 else first_rows), 1)
        self._buckets = {} if buckets is None else {"buckets": buckets}
        self._waiting: list[Rows] = []
        self._rows = 0
        self._stream: KeyStream | TableStream | WeightStream | None = None
        self._weights = _Weights()
        self._clusters: list[Rows] = []

    def add(self, rows: Rows) -> None:
        """Take rows."""
        rows = self._weights.taken(rows)
        if rows.clusters is not None:
            self._clusters.append(rows)
        if self._stream is not None:
            self._feed(rows)
            return
        self._waiting.append(rows)
        self._rows += rows.size
        if self._rows >= self._first_rows:
            self._start()

    def result(self, cls: type[C], max_points: int) -> C:
        """Return the count table of all rows."""
        self._weights.check()
        if self._stream is None and self._rows <= max_points:
            return self._with_clusters(self._at_once(cls))
        if self._stream is None:
            self._start()
        assert self._stream is not None  # noqa: S101  # for the type checker: `_start` has made it
        collector = self._stream.collect(max_points)
        self._stream = None  # and its memory, before the table is put together
        return self._with_clusters(self._weights.settled(collector.result(cls, self._weights.known)))

    def _at_once(self, cls: type[C]) -> C:
        """Return the table of few rows, as of rows in memory: a stream has buckets and threads to set up."""
        columns = {name: [getattr(rows, name) for rows in self._waiting] for name in _COLUMNS}
        both = {name: None if column[0] is None else np.concatenate(column) for name, column in columns.items()}
        return cls._from_rows(**both)  # type: ignore[arg-type]  # the first two are there

    def _with_clusters(self, counts: C) -> C:
        """Return the table with the list of its clusters, which is kept in memory."""
        if not self._clusters:
            return counts
        columns = zip(*(_cluster_columns(rows) for rows in self._clusters), strict=True)
        labels, scores, positive, mass, times = (np.concatenate(column) for column in columns)
        clusters = make_clusters(labels, counts.thresholds, scores, positive, mass, times)
        if counts._figures is not None:
            raise InvalidInputError(
                f"`cluster` must come with at most `max_points` distinct scores; got {counts._figures.n_scores:,}. "
                "Hint: raise `max_points`."
            )
        return counts._from_table((counts.thresholds, counts.pos, counts.neg), None, counts._weight_squares, clusters)

    def _start(self) -> None:
        waiting, self._waiting = self._waiting, []
        scores = waiting[0].scores
        by_keys = (
            native.available()
            and waiting[0].weight is None
            and waiting[0].times is None
            and native.takes(scores)
            and scores.dtype.itemsize >= 4
        )
        if by_keys:
            self._stream = KeyStream(scores.dtype, self._memory, self._spill, **self._buckets)
            scores = np.concatenate([rows.scores for rows in waiting])
            self._stream.add(scores, np.concatenate([rows.positive for rows in waiting]))
        elif _weighted(waiting) and not _shared(waiting):
            self._stream = WeightStream(scores.dtype, self._memory, self._spill, **self._buckets)
            for rows in waiting:
                self._feed(rows)
        else:
            self._stream = TableStream(self._memory, self._spill, **self._buckets)
            for rows in waiting:
                self._feed(rows)

    def _feed(self, rows: Rows) -> None:
        if isinstance(self._stream, KeyStream):
            self._stream.add(rows.scores, rows.positive)
        elif isinstance(self._stream, WeightStream):
            assert rows.weight is not None  # noqa: S101  # for the type checker: all rows have one or none does
            self._stream.add(rows.scores, rows.positive, rows.weight)
        elif self._stream is not None:
            self._stream.add(rows.scores, rows.positive, rows.weight, rows.times)


def _weighted(waiting: list[Rows]) -> bool:
    """Return whether the kernels take these rows with their weights."""
    first = waiting[0]
    return (
        native.available()
        and first.weight is not None
        and first.weight.dtype == np.float64
        and first.times is None
        and native.takes(first.scores)
    )


def _shared(waiting: list[Rows]) -> bool:
    """Return whether most rows share their score with others: their sums take less room than they do."""
    step = max(sum(rows.size for rows in waiting) // _SAMPLED, 1)
    sample = np.concatenate([rows.scores[::step] for rows in waiting])
    return np.unique(sample).size * 2 < sample.size


def _cluster_columns(rows: Rows) -> tuple[Any, ...]:
    ones = np.ones(rows.size, dtype=np.int64)
    times = ones if rows.times is None else rows.times
    mass = times.astype(np.float64) if rows.weight is None else rows.weight * times.astype(np.float64)
    return rows.clusters, rows.scores, rows.positive, mass, times


class _Weights:
    """What is known of the weights of a stream beyond their sums."""

    def __init__(self) -> None:
        self._seen = [0, 0]  # rows of each class, positives first, and those that count
        self._rows = [0, 0]
        self._spans: list[tuple[float, float]] = [(np.inf, 0.0), (np.inf, 0.0)]
        self._integers = False
        self._sampling = False
        self._counted = False

    def taken(self, rows: Rows) -> Rows:
        """Return the rows that count, having looked at their weights."""
        if rows.weight is None and rows.times is None:
            return rows
        self._counted = True
        self._sampling = rows.weight is not None
        if rows.weight is not None and rows.weight.dtype == np.float64 and rows.times is None and native.available():
            return self._weighed(rows, rows.weight)
        kept = np.ones(rows.size, dtype=np.bool_)
        for column in (rows.weight, rows.times):
            if column is not None:
                kept &= column > 0
        for side, mine in enumerate((rows.positive, ~rows.positive)):
            self._seen[side] += int(np.count_nonzero(mine))
            self._take(side, rows, mine & kept)
        return rows if kept.all() else _picked(rows, kept)

    def _take(self, side: int, rows: Rows, own: BoolArray) -> None:
        """Take the rows of one class that count."""
        self._rows[side] += int(np.count_nonzero(own) if rows.times is None else rows.times[own].sum())
        if rows.weight is not None and own.any():
            mass = rows.weight[own]
            self._widen(side, float(mass.min()), float(mass.max()))
            self._integers = rows.weight.dtype.kind != "f"

    def _widen(self, side: int, least: float, most: float) -> None:
        low, high = self._spans[side]
        self._spans[side] = (min(low, least), max(high, most))

    def _weighed(self, rows: Rows, weight: FloatArray) -> Rows:
        """Do the same by the kernel."""
        seen, counted, spans = native.weight_spans(rows.positive, weight)
        for side in (0, 1):
            self._seen[side] += seen[side]
            self._rows[side] += counted[side]
            self._widen(side, *spans[side])
        return rows if seen == counted else _picked(rows, weight > 0)

    def check(self) -> None:
        """Refuse weights that leave a class with rows empty."""
        for side, name in ((1, "negative"), (0, "positive")):
            if self._counted and self._seen[side] and not self._rows[side]:
                raise no_class_weight("sample_weight" if self._sampling else "frequency", self._seen[side], name)

    @property
    def known(self) -> Squares | None:
        """The rows and spans of sampling weights; the columns of squares are put in later."""
        if not self._sampling:
            return None
        none = np.empty(0)
        return Squares(
            none, none, None, (self._rows[0], self._rows[1]), (self._spans[0], self._spans[1]), self._integers
        )

    def settled(self, counts: C) -> C:
        """Return the table without weights if all of them were 1."""
        if counts._weight_squares is None or counts._figures is not None or not ones(self._spans):
            return counts
        table = (counts.thresholds, counts.pos.astype(np.int64), counts.neg.astype(np.int64))
        return counts._from_table(table)


def _picked(rows: Rows, kept: BoolArray) -> Rows:
    weight, times, clusters = (
        None if column is None else column[kept] for column in (rows.weight, rows.times, rows.clusters)
    )
    return Rows(rows.scores[kept], rows.positive[kept], weight, None, times, clusters)


def ones(spans: list[tuple[float, float]]) -> bool:
    """Return whether all weights are 1, as far as there are any."""
    return all(span in ((1.0, 1.0), (np.inf, 0.0)) for span in spans)
