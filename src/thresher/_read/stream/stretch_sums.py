"""What one stretch of the table adds: sums over its distinct scores, and the points that are kept of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.hull import upper_hull
from thresher._core.hyperbola import hyperbola_area
from thresher._core.sums import accurate_sum, cumulative, exact_dot
from thresher.typing import CountArray, FloatArray, ScoreArray

__all__ = ["HULL", "MARK", "UNIT", "Marks", "Tally", "between", "marked", "tally_keys", "tally_table", "tally_weights"]

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
            *(_exact_sum(terms) for terms in _pr_terms(tp, fp, pos, neg)),
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


def _exact_sum(terms: FloatArray) -> int:
    """Return the sum of doubles without rounding, in units of 1 / UNIT."""
    mantissa, exponent = np.frexp(terms)
    whole = (mantissa * 2.0**53).astype(np.int64)
    total = 0
    for power in np.unique(exponent).tolist():
        part = whole[exponent == power]
        total += (int((part >> 26).sum()) * 2**26 + int((part & 0x3FFFFFF).sum())) << (power - 53 + 128)
    return total
