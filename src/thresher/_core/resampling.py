"""Bootstrap replicates of a table of counts: every row is drawn as often as an exact multinomial says.

Replicate i is a function of (seed, i) alone: it is the same in every batch, on every thread, with the compiled kernels
or without. Random numbers come from Philox 4x32-10, read in lines of 64 bytes; see `native/philox.hpp` for the layout
and `native/resample.hpp` for how counts are made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher.typing import BoolArray, FloatArray

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Tables = tuple[FloatArray, FloatArray]
"""How many positives and negatives fall on each row of the table: row i is a replicate."""

_COUNTS, _REMAINDER, _NEGATIVES, _POSITIVES, _KINDS = range(5)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = 0x9E3779B9, 0xBB67AE85
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_LINES_AT_ONCE = 2**15


class Replicates(NamedTuple):
    """What was asked of every replicate; row i belongs to replicate `first + i`."""

    roc_auc: FloatArray | None
    average_precision: FloatArray | None
    interpolated: FloatArray | None
    """The area under the interpolated PR curve."""
    delong: FloatArray | None
    """DeLong's variance of the area under the ROC curve; NaN where a class has a single row."""
    partial: FloatArray
    """Partial areas under the ROC curve, one column for each span."""
    points: Ints
    """True and false positives at the rows asked for: shape (replicates, points, 2)."""
    tpr_at: FloatArray
    """True positive rates at the false positive rates asked for."""
    precision_at: FloatArray
    """Precision at the recalls asked for."""


class Requested(NamedTuple):
    """What to measure of every replicate."""

    odds: float = 0.0
    """Negatives for each positive where precision is asked for; 0 for those of the replicate."""
    positives_first: bool = False
    """Whether positives win ties in the interpolated area, as in the functional estimator."""
    along_tp: bool = False
    """Whether spans are of true positive rates, and partial areas of specificity."""
    roc_auc: bool = False
    average_precision: bool = False
    interpolated: bool = False
    delong: bool = False
    spans: Sequence[tuple[float, float]] = ()
    """From and to which rate partial areas reach."""
    points: Sequence[int] = ()
    """Rows of the table whose cumulative counts are requested."""
    fprs: Sequence[float] | FloatArray = ()
    """Where the ROC curve is requested."""
    recalls: Sequence[float] | FloatArray = ()
    """Where the PR curve is asked for, above 0."""


def measure_replicates(
    pos: Ints, neg: Ints, requested: Requested, *, seed: int, first: int, n_resamples: int, stratified: bool = True
) -> Replicates:
    """Resample a table and measure every replicate in one pass; needs the compiled kernels."""
    columns = [np.ascontiguousarray(column, dtype=np.int64) for column in (pos, neg)]
    rates = [
        np.ascontiguousarray(rate, dtype=np.float64) for rate in (requested.spans, requested.fprs, requested.recalls)
    ]
    points = np.ascontiguousarray(requested.points, dtype=np.int64)
    request = requested[:7], (rates[0], points, rates[1], rates[2])
    found = Replicates(*native.bootstrap(columns[0], columns[1], seed, first, n_resamples, stratified, *request))
    return found._replace(points=found.points.reshape(n_resamples, -1, 2))


def resample_tables(
    pos: Ints, neg: Ints, *, seed: int, first: int, n_resamples: int, stratified: bool = True, attempt: int = 0
) -> Tables:
    """Draw replicates of a table."""
    pos, neg = (np.ascontiguousarray(column, dtype=np.int64) for column in (pos, neg))
    if native.available():
        return native.resample(pos, neg, seed, first, n_resamples, stratified, attempt)
    return resample_tables_numpy(pos, neg, seed, first, n_resamples, stratified, attempt)


def draw_until(
    usable: Callable[[Tables], BoolArray], draw: Callable[[int, int, int], Tables], first: int, n: int
) -> Tables:
    """Return ``draw(first, n, attempt=0)`` with the replicates that are not `usable` drawn again, until they are."""
    tables = draw(first, n, 0)
    left = np.flatnonzero(~usable(tables))
    attempt = 0
    while left.size:
        attempt += 1
        for row in left.tolist():
            for table, again in zip(tables, draw(first + row, 1, attempt), strict=True):
                table[row] = again[0]
        left = left[~usable((tables[0][left], tables[1][left]))]
    return tables


# The same with NumPy alone: what runs where nothing was compiled, and what the kernels are tested against.


def resample_tables_numpy(
    pos: Ints, neg: Ints, seed: int, first: int, n_resamples: int, stratified: bool, attempt: int
) -> Tables:
    """Do what the kernel does, some replicates at a time."""
    size = int(pos.sum() + neg.sum())
    places = _places(pos, neg)
    ends = [np.cumsum(column) for column in (pos, neg)]
    out = np.zeros((n_resamples, pos.size)), np.zeros((n_resamples, pos.size))
    at_once = max(1, _LINES_AT_ONCE // (size // 32 + 1))
    for start in range(0, n_resamples, at_once):
        rows = np.arange(start, min(start + at_once, n_resamples))
        replicates = np.array([first + row for row in rows.tolist()], dtype=np.uint64)
        draws = _Draws(seed, replicates, attempt)
        counts = draws.poisson(size)
        largest = np.maximum(counts.max(axis=1, initial=0), 8)
        if stratified:
            draws.to_size(counts, places[0], _NEGATIVES, largest)
            draws.to_size(counts, places[1], _POSITIVES, largest)
        else:
            draws.to_size(counts, np.arange(size), _NEGATIVES, largest)
        for table, place, end in zip(out, (places[1], places[0]), ends, strict=True):
            # Rows of a class stand in order of score: differences of running sums are the sums of each score.
            running = np.zeros((rows.size, place.size + 1), dtype=np.int64)
            np.cumsum(counts[:, place], axis=1, out=running[:, 1:])
            table[rows] = np.diff(running[:, end], axis=1, prepend=0)
    return out


def _places(pos: Ints, neg: Ints) -> tuple[Ints, Ints]:
    """Return where negatives and positives stand when rows are laid out by score, negatives first within a score."""
    ahead = np.cumsum(pos + neg) - pos - neg
    # NumPy repeats by numbers of the size of an address, and refuses 64-bit ones where that has 32.
    negatives = np.repeat(ahead - (np.cumsum(neg) - neg), neg.astype(np.intp)) + np.arange(int(neg.sum()))
    positives = np.repeat(ahead + neg - (np.cumsum(pos) - pos), pos.astype(np.intp)) + np.arange(int(pos.sum()))
    return negatives, positives


def fair_coins(seed: int, first: int, n_resamples: int, size: int) -> NDArray[np.uint8]:
    """Return `size` random bits for each replicate: the bits of its lines of random numbers, the lowest first."""
    replicates = np.arange(first, first + n_resamples).astype(np.uint64)
    lines = _Draws(seed, replicates, 0).lines(
        np.arange(n_resamples)[:, np.newaxis], _COUNTS, np.arange((size + 511) // 512)[np.newaxis]
    )
    bits = np.unpackbits(lines.astype("<u8", copy=False).view(np.uint8), axis=-1, bitorder="little")
    return np.asarray(bits.reshape(n_resamples, -1)[:, :size])


class _Draws:
    """Some replicates of a seed, row i of everything belonging to ``replicates[i]``."""

    def __init__(self, seed: int, replicates: Words, attempt: int) -> None:
        self._seed, self._replicates, self._first_kind = seed, replicates, _KINDS * attempt

    def lines(self, rows: Ints, kind: int, index: Ints) -> Words:
        """Return lines of a stream, of shape (..., 8), for rows and indices that are broadcast against each other."""
        replicate: Words = self._replicates[rows][..., np.newaxis]
        four = np.arange(4, dtype=np.uint64)
        counter: Words = index.astype(np.uint64)[..., np.newaxis] * np.uint64(4) + four
        replicate, counter = np.broadcast_arrays(replicate, counter)
        c0 = counter & _LOW
        c1 = np.uint64((self._first_kind + kind) << 8) | (counter >> _32)
        c2, c3 = replicate & _LOW, replicate >> _32
        k0, k1 = self._seed & 0xFFFFFFFF, self._seed >> 32
        for _ in range(10):
            p0, p1 = c0 * _M0, c2 * _M1
            c0, c1, c2, c3 = (p1 >> _32) ^ c1 ^ np.uint64(k0), p1 & _LOW, (p0 >> _32) ^ c3 ^ np.uint64(k1), p0 & _LOW
            k0, k1 = (k0 + _W0) & 0xFFFFFFFF, (k1 + _W1) & 0xFFFFFFFF
        return np.concatenate((c0 | c1 << _32, c2 | c3 << _32), axis=-1)

    def poisson(self, size: int) -> Ints:
        """Return `size` Poisson(1) counts for each replicate."""
        table, rest = _poisson_table()
        rows = np.arange(self._replicates.size)[:, np.newaxis]
        lines = self.lines(rows, _COUNTS, np.arange((size + 31) // 32)[np.newaxis])
        values = lines.astype("<u8", copy=False).view("<u2").reshape(rows.size, -1)[:, :size]
        counts: Ints = table[values]
        which, item = np.nonzero(counts == _STEPS)
        words = self.lines(which, _REMAINDER, item)[:, 0]
        counts[which, item] = np.searchsorted(rest, words, side="right")
        return counts

    def to_size(self, counts: Ints, place: Ints, kind: int, largest: Ints) -> None:
        """Add or take away single draws until those at `place` are as many as there are rows."""
        size = place.size
        if size == 0:
            return
        missing = size - counts[:, place].sum(axis=1)
        # One word for a row that is added; of those that may lose a draw about one in `bound` does.
        bounds = [1 << (int(most) - 1).bit_length() for most in largest]
        expected = [int(gap) if gap > 0 else -int(gap) * bound for gap, bound in zip(missing, bounds, strict=True)]
        lines = max(1, max(expected) // 6)
        words = self.lines(np.arange(len(bounds))[:, np.newaxis], kind, np.arange(lines)[np.newaxis])
        for row in np.flatnonzero(missing).tolist():
            left, start, found = int(missing[row]), 0, words[row].ravel()
            while left:
                left = _correct(counts[row], place, found, left, bounds[row])
                start += lines
                if left:
                    found = self.lines(np.array([row]), kind, np.arange(start, start + lines)).ravel()


def _correct(counts: Ints, place: Ints, words: Words, missing: int, bound: int) -> int:
    """Use up words in order, each for a row that gains or may lose a draw; return how many draws are still missing."""
    size = np.uint64(place.size)
    product = (words >> _32) * size
    # Leaving these out keeps every row equally likely.
    fair = (product & _LOW) >= np.uint64(2**32 % place.size)
    items = place[(product[fair] >> _32).astype(np.int64)]
    if missing > 0:
        items = items[:missing]
        np.add.at(counts, items, 1)
        return missing - items.size
    low = (words[fair] & np.uint64(bound - 1)).astype(np.int64)
    for item, least in zip(items.tolist(), low.tolist(), strict=True):
        if least < counts[item]:
            counts[item] -= 1
            missing += 1
            if missing == 0:
                break
    return missing


_STEPS = 8


@cache
def _poisson_table() -> tuple[Ints, Words]:
    """Return the count for each 16 random bits (`_STEPS`: not settled), and where 64 more step to the next count."""
    e = sum((Fraction(1, factorial(k)) for k in range(60)), Fraction(0))
    share = [65536 / (e * factorial(k)) for k in range(40)]
    whole = [int(s) for s in share]
    steps = np.cumsum(whole[:_STEPS])
    left = 65536 - int(steps[-1])
    rest, total = [], Fraction(0)
    for exact, cut in zip(share, whole, strict=True):
        total += (exact - cut) / left
        rest.append(int(total * 2**64))
    # The bits are compared as signed numbers.
    value = (np.arange(65536) ^ 0x8000).astype(np.int64)
    return np.searchsorted(steps, value, side="right"), np.array([r for r in rest if r < 2**64 - 1], dtype=np.uint64)
