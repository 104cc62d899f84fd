"""Stretches of the table, highest scores first, to a count table: complete, or some points with exact figures."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.hull import upper_hull
from thresher._core.hyperbola import hyperbola_area
from thresher._core.sums import accurate_sum, cumulative, exact_dot
from thresher._table import Counts, Figures, Squares
from thresher.typing import CountArray, FloatArray, ScoreArray

HULL, MARK = 1, 2
UNIT = 2**128
"""Exact sums of doubles are integers in units of 1 / UNIT."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Which points a smaller table keeps, whatever the order and the pieces in which the rows came.

    A point is kept where the true positives, the false positives or their sum pass a mark: multiples of `pos_step` and
    `neg_step`, and ``2**log_bits`` places in every octave of the sum.
    """

    n_pos: int | float
    n_neg: int | float
    pos_step: int | float
    neg_step: int | float
    log_bits: int

    @classmethod
    def make(cls, n_pos: int | float, n_neg: int | float, max_points: int) -> Marks:
        """Return marks that at most about `max_points` points pass."""
        octaves = max(int(n_pos + n_neg), 1).bit_length()
        log_bits = max((max_points // 5 // octaves).bit_length() - 1, 0)
        rest = max(max_points - (octaves << log_bits), 2)
        whole = not isinstance(n_pos, float)
        most_pos, most_neg = (int(n_pos), int(n_neg)) if whole else (rest, rest)
        pos_marks = max(min(rest // 2, most_pos), 1)
        neg_marks = max(min(rest - pos_marks, most_neg), 1)
        pos_marks = max(min(rest - neg_marks, most_pos), 1)
        if not whole:
            return cls(n_pos, n_neg, n_pos / pos_marks or 1.0, n_neg / neg_marks or 1.0, log_bits)
        return cls(n_pos, n_neg, max(-(-n_pos // pos_marks), 1), max(-(-n_neg // neg_marks), 1), log_bits)


Parts: TypeAlias = "int | float | tuple[float, ...]"


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over a stretch of distinct scores, as in `Figures`, and points of it.

    Sums of whole counts are integers; `average_precision` and `interpolated` are then in units of 1 / UNIT. Sums of
    weights may come in parts, which add up to more digits than a float has.
    """

    scores: int
    positives: int | float
    negatives: int | float
    twice_u: Parts
    pos_squares: Parts
    neg_squares: Parts
    tied: Parts
    shared_scores: int
    shared_pos: Parts
    average_precision: Parts
    interpolated: Parts
    first: ScoreArray
    """The highest score, an array of one (none if the stretch is empty)."""
    thresholds: ScoreArray
    below: ScoreArray
    """The next lower score of the stretch; for its last point that point's own."""
    tp: CountArray
    fp: CountArray
    why: NDArray[np.uint8]
    """HULL, MARK or both."""
    counts: tuple[CountArray, CountArray] | None = None
    """Positives and negatives at each score, where all are kept and running sums of weights would round them."""
    squares: tuple[FloatArray, FloatArray] | None = None
    """Sums of squared weights of each class from the score kept before down to each that is kept."""


def tally_keys(
    dtype: np.dtype[Any],
    rows: tuple[NDArray[Any], int, bool],
    frequent: tuple[NDArray[Any], NDArray[Any], NDArray[Any]],
    before: tuple[int, int],
    marks: Marks,
    most_points: int,
) -> Tally:
    """Count one bucket by the kernel; `rows` are its keys (overwritten), how many, and whether they are negative."""
    tp0, fp0 = before
    steps = int(marks.pos_step), int(marks.neg_step), marks.log_bits
    sums, *points = native.tally(dtype, rows, frequent, before, steps, most_points)
    scores, pos, neg, neg_twice, neg_squares, pos_twice, pos_squares, tied, shared, shared_pos, average, area = sums
    left = 2 * (int(marks.n_neg) - fp0)
    return Tally(
        scores,
        pos,
        neg,
        2 * tp0 * neg + neg_twice,
        left * left * pos - 2 * left * pos_twice + pos_squares,
        4 * tp0 * (tp0 * neg + neg_twice) + neg_squares,
        tied,
        shared,
        shared_pos,
        average,
        area,
        *points,
    )


def tally_weights(
    dtype: np.dtype[Any],
    rows: NDArray[np.int64],
    before: FloatArray,
    totals: tuple[float, float],
    marks: Marks,
    most_points: int,
) -> Tally:
    """Count one bucket of weighted rows by the kernel; `totals` are its weights of positives and negatives.

    `before` are the weights of positives and of negatives above it, in three parts each.
    """
    steps = float(marks.pos_step), float(marks.neg_step), marks.log_bits
    scores, sums, *points = native.tally_weights(dtype, rows, before, float(marks.n_neg), *steps, most_points)
    return Tally(scores, *totals, *sums, *points)


def tally_table(
    table: tuple[NDArray[Any], ...],
    before: tuple[int | float, int | float],
    marks: Marks,
    most_points: int,
) -> Tally:
    """Do the same with NumPy for a piece of a table; the same bits where the counts are whole."""
    thresholds, pos, neg, *squared = table
    tp0, fp0 = before
    whole = pos.dtype.kind != "f"
    tp, fp = cumulative(pos), cumulative(neg)
    shared = (pos > 0) & (neg > 0)
    if whole:
        tp, fp = tp + int(tp0), fp + int(fp0)
        t, left = tp - pos + tp, 2 * int(marks.n_neg) - (fp - neg + fp)
        sums: tuple[Any, ...] = (
            exact_dot(neg, t),
            _dot_squares(pos, left),
            _dot_squares(neg, t),
            exact_dot(pos, neg),
            int(np.count_nonzero(shared)),
            int(pos[shared].sum()),
            *(exact_sum(terms) for terms in _pr_terms(tp, fp, pos, neg)),
        )
        totals: tuple[Any, Any] = (int(pos.sum()), int(neg.sum()))
    else:
        tp, fp = np.maximum(tp + tp0, tp0), np.maximum(fp + fp0, fp0)
        t, left = (tp - pos) + tp, 2.0 * marks.n_neg - ((fp - neg) + fp)
        sums = (
            accurate_sum(neg * t),
            accurate_sum(pos * left * left),
            accurate_sum(neg * t * t),
            accurate_sum(pos * neg),
            int(np.count_nonzero(shared)),
            accurate_sum(pos[shared]),
            *(accurate_sum(terms) for terms in _pr_terms(tp, fp, pos, neg)),
        )
        totals = (float(accurate_sum(pos)), float(accurate_sum(neg)))
    rows, why = marked(tp, fp, before, marks, most_points)
    below = thresholds[np.minimum(rows + 1, thresholds.size - 1)]
    counts = (pos, neg) if not whole and rows.size == thresholds.size else None
    squares = tuple(between(column, rows) for column in squared) if squared else None
    points = [thresholds[:1], thresholds[rows], below, tp[rows], fp[rows], why, counts, squares]
    found: list[Any] = [*totals, *sums, *points]
    return Tally(int(thresholds.size), *found)


def between(values: FloatArray, rows: NDArray[np.intp]) -> FloatArray:
    """Return the sums from below each kept row's predecessor down to it; the last row is always kept."""
    return np.asarray(np.add.reduceat(values, np.append(0, rows[:-1] + 1)))


def marked(
    tp: CountArray, fp: CountArray, before: tuple[int | float, int | float], marks: Marks, most_points: int
) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Return the rows to keep and why: all of them if they are not more than `most_points`."""
    if tp.size <= most_points:
        return np.arange(tp.size), np.full(tp.size, MARK, dtype=np.uint8)
    if tp.dtype == np.float64 and native.available():
        steps = float(marks.pos_step), float(marks.neg_step), marks.log_bits
        kept, reasons = native.choose_weighted(tp, fp, (float(before[0]), float(before[1])), *steps)
        return kept.astype(np.intp, copy=False), reasons
    why = np.zeros(tp.size, dtype=np.uint8)
    if tp.size:
        why[upper_hull(fp, tp)] = HULL
    passed = np.zeros(tp.size, dtype=np.bool_)
    tp0, fp0 = before
    for running, start, step in ((tp, tp0, marks.pos_step), (fp, fp0, marks.neg_step)):
        passed |= np.diff(running // step, prepend=start // step) != 0
    passed |= np.diff(_place(tp + fp, marks.log_bits), prepend=_place(np.array([tp0 + fp0]), marks.log_bits)) != 0
    why[passed] |= MARK
    rows = np.flatnonzero(why)
    return rows, why[rows]


def _place(rank: CountArray, log_bits: int) -> NDArray[Any]:
    """Return the first mark above each rank."""
    if rank.dtype.kind == "f":
        return np.asarray(np.floor(np.log2(np.maximum(rank, 1e-300)) * 2**log_bits))
    octave = np.maximum(np.frexp(rank.astype(np.float64))[1].astype(np.int64) - 1, 0)
    shift = np.maximum(octave - log_bits, 0)
    return np.asarray(((rank >> shift) + 1) << shift)


def _dot_squares(times: NDArray[np.int64], values: NDArray[np.int64]) -> int:
    """Return the exact sum of times * values**2."""
    if times.size == 0:
        return 0
    most = int(values.max())
    if most >= 2**61:  # only sums of enormous integer weights
        return sum(count * value * value for count, value in zip(times.tolist(), values.tolist(), strict=True))
    if most < 2**31 and int(times.sum()) * most * most < 2**62:
        return int(times @ (values * values))
    low, high = values & 0x7FFFFFFF, values >> 31  # values**2 in three parts, each below 2**62
    parts = ((low * low, 0), (low * high, 32), (high * high, 62))
    return sum(exact_dot(times, part) << shift for part, shift in parts)


def _pr_terms(tp: CountArray, fp: CountArray, pos: CountArray, neg: CountArray) -> tuple[FloatArray, FloatArray]:
    """Return what each rising step adds to average precision and to the interpolated area, as in memory."""
    rising = pos > 0
    p, q = pos[rising].astype(np.float64), neg[rising].astype(np.float64)
    found, wrong = tp[rising].astype(np.float64), fp[rising].astype(np.float64)
    average = p * (found / (found + wrong))
    before = (tp[rising] - pos[rising]).astype(np.float64)
    wrong_before = (fp[rising] - neg[rising]).astype(np.float64)
    return average, hyperbola_area(before, wrong_before, p, q)


def exact_sum(terms: FloatArray) -> int:
    """Return the sum of doubles without rounding, in units of 1 / UNIT."""
    mantissa, exponent = np.frexp(terms)
    whole = (mantissa * 2.0**53).astype(np.int64)
    total = 0
    for power in np.unique(exponent).tolist():
        part = whole[exponent == power]
        total += (int((part >> 26).sum()) * 2**26 + int((part & 0x3FFFFFF).sum())) << (power - 53 + 128)
    return total


C = TypeVar("C", bound=Counts)

_SUMS = (
    "scores",
    "twice_u",
    "pos_squares",
    "neg_squares",
    "tied",
    "shared_scores",
    "shared_pos",
    "average_precision",
    "interpolated",
)


class Collector:
    """Takes tallies in order and keeps no more points than asked for (about twice as many on the way)."""

    def __init__(self, marks: Marks, max_points: int) -> None:
        self.marks = marks
        self._max_points = max_points
        self._sums: dict[str, list[Any]] = {name: [] for name in _SUMS}
        self._parts: list[Tally] = []
        self._complete = True
        self.n_scores = 0
        self.before: tuple[int | float, int | float] = (0, 0)

    @property
    def most_points(self) -> int:
        """How many points of the next stretch can be kept if they are all of its scores; 0 when not all will fit."""
        return max(self._max_points - self.n_scores, 0) if self._complete else 0

    def add(self, tally: Tally) -> None:
        """Take the next stretch."""
        if not tally.scores:
            return
        for name in _SUMS:
            value = getattr(tally, name)
            self._sums[name] += value if isinstance(value, tuple) else (value,)
        self.n_scores += tally.scores
        if self._parts:
            # What stood last in the stretch before now has a score below it.
            self._parts[-1].below[-1] = tally.first[0]
        part = replace(tally, below=tally.below.copy())
        self._parts.append(part if self._complete else self._thinned(part, self.before))
        if self._complete and (self.n_scores > self._max_points or tally.thresholds.size < tally.scores):
            self._thin()
        self.before = (self.before[0] + tally.positives, self.before[1] + tally.negatives)

    def _thin(self) -> None:
        """Keep of the stretches so far only the points that pass a mark."""
        self._complete = False
        before: tuple[Any, Any] = (0, 0)
        for k, part in enumerate(self._parts):
            after = (part.tp[-1].item(), part.fp[-1].item())
            self._parts[k] = self._thinned(part, before)
            before = after

    def _thinned(self, part: Tally, before: tuple[int | float, int | float]) -> Tally:
        if part.thresholds.size < part.scores:
            return part  # it was counted when it was known that not all would be kept
        rows, why = marked(part.tp, part.fp, before, self.marks, 0)
        columns = {name: getattr(part, name)[rows] for name in ("thresholds", "below", "tp", "fp")}
        squares = None
        if part.squares is not None:
            squares = between(part.squares[0], rows), between(part.squares[1], rows)
        return replace(part, **columns, why=why, squares=squares)

    def result(self, cls: type[C], weights: Squares | None = None) -> C:
        """Return the count table; `weights` says what is known of sampling weights beyond their sums."""
        columns = {
            name: np.concatenate([getattr(part, name) for part in self._parts])
            for name in ("thresholds", "below", "tp", "fp", "why")
        }
        thresholds, tp, fp = columns["thresholds"], columns["tp"], columns["fp"]
        if self._complete and all(part.counts is not None for part in self._parts):
            pos, neg = (np.concatenate([part.counts[k] for part in self._parts if part.counts]) for k in (0, 1))
            return cls._from_table((thresholds, pos, neg), None, self._squares(weights, np.arange(pos.size)))
        rows = np.arange(thresholds.size) if self._complete else _kept(tp, fp, columns["why"], self._max_points)
        highest = np.concatenate((self._parts[0].first, columns["below"][rows[:-1]]))
        squares = self._squares(weights, rows)
        return cls._from_kept(thresholds[rows], tp[rows], fp[rows], self._figures(), highest, squares)

    def _squares(self, weights: Squares | None, rows: NDArray[np.intp]) -> Squares | None:
        if weights is None:
            return None
        pos, neg = (np.concatenate([part.squares[k] for part in self._parts if part.squares]) for k in (0, 1))
        return weights._replace(pos=between(pos, rows), neg=between(neg, rows))

    def _figures(self) -> Figures:
        whole = isinstance(self._sums["twice_u"][0], int)
        total: dict[str, Any] = {
            name: sum(values) if isinstance(values[0], int) else math.fsum(values)
            for name, values in self._sums.items()
        }
        areas = [total[name] / UNIT if whole else total[name] for name in ("average_precision", "interpolated")]
        return Figures(
            total["scores"],
            total["twice_u"],
            total["pos_squares"],
            total["neg_squares"],
            total["tied"],
            total["shared_scores"],
            total["shared_pos"],
            *areas,
        )


def _kept(tp: NDArray[Any], fp: NDArray[Any], why: NDArray[np.uint8], max_points: int) -> NDArray[np.intp]:
    """Return which points stay: vertices of the hull of all, those that passed a mark, and the last one."""
    corners = np.flatnonzero(why & HULL)
    zero = tp.dtype.type(0)
    vertices = upper_hull(np.append(zero, fp[corners]), np.append(zero, tp[corners]))[1:] - 1
    hull = _spread(corners[vertices], max(max_points // 2, 1))
    keep = np.zeros(tp.size, dtype=np.bool_)
    keep[hull] = True
    passed = np.flatnonzero((why & MARK).astype(np.bool_) & ~keep)
    keep[_spread(passed, max_points - hull.size)] = True
    return np.flatnonzero(keep)


def _spread(rows: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return at most so many of the rows, evenly, with the last of them."""
    if rows.size <= most:
        return rows
    if most < 1:
        return rows[:0]
    return rows[np.linspace(rows.size - 1, 0, most).astype(np.intp)[::-1]]


class Workers:
    """Threads that count buckets, or none where one counts; what they find is collected in the buckets' order."""

    def __init__(self, number: int, collector: Collector) -> None:
        self._number, self._collector = number, collector
        self._pending: deque[Future[Tally]] = deque()
        self._pool = ThreadPoolExecutor(number, thread_name_prefix="thresher-count") if number > 1 else None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def do(self, task: Callable[[], Tally]) -> None:
        """Count a bucket, now or soon; waits while all have one to count."""
        if self._pool is None:
            self._collector.add(task())
            return
        self._pending.append(self._pool.submit(task))
        self._collect(self._number)

    def finish(self) -> None:
        """Wait for all that was begun."""
        self._collect(0)

    def _collect(self, most: int) -> None:
        """Collect the first results until at most so many are left to come."""
        while len(self._pending) > most:
            self._collector.add(self._pending.popleft().result())
