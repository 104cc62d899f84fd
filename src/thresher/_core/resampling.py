"""Bootstrap replicates of a table of counts, each class resampled to its own size.

Replicate i is a function of (seed, i) alone: it is the same in every batch, on every thread, with the compiled kernels
or without. Random numbers come from Philox 4x32-10, read in lines of 64 bytes; see `native/philox.hpp` for the layout.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import factorial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher.typing import CountArray, FloatArray

__all__ = ["Replicates", "bootstrap_counts", "bootstrap_counts_numpy", "resample_counts"]

Ints = NDArray[np.int64]

_COUNTS, _REMAINDER, _NEGATIVES, _POSITIVES = range(4)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = 0x9E3779B9, 0xBB67AE85
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


class Replicates(NamedTuple):
    """What was asked of every replicate; row i belongs to replicate `first + i`."""

    roc_auc: FloatArray | None
    average_precision: FloatArray | None
    interpolated: FloatArray | None
    """The area under the interpolated PR curve."""
    partial: FloatArray
    """Areas under the ROC curve in counts, tp times fp, one column for each span of false positives."""
    points: Ints
    """True and false positives at the rows asked for: shape (replicates, points, 2)."""
    tp_at: FloatArray
    """True positives at each number of false positives in the grid."""
    precision_at: FloatArray
    """Precision at each number of true positives in the grid."""


def bootstrap_counts(
    pos: CountArray,
    neg: CountArray,
    *,
    n_resamples: int,
    seed: int,
    first: int = 0,
    neg_scale: float = 1.0,
    roc_auc: bool = False,
    average_precision: bool = False,
    interpolated: bool = False,
    spans: Any = (),
    points: Any = (),
    fp_grid: Any = (),
    tp_grid: Any = (),
) -> Replicates:
    """Resample a table and measure every replicate.

    Parameters
    ----------
    pos, neg : ndarray of int64
        Positives and negatives at each distinct score, highest first; both classes present, fewer than 2**32 rows.
    n_resamples, seed, first : int
        Replicates `first` to `first + n_resamples - 1` of the sequence that the 64-bit `seed` names.
    neg_scale : float
        What false positives are multiplied by where precision is asked for, to stand for another prevalence.
    roc_auc, average_precision, interpolated : bool
        Which areas are wanted.
    spans : array-like of shape (s, 2)
        From and to how many false positives partial areas reach.
    points : array-like of int
        Rows of the table whose cumulative counts are wanted.
    fp_grid, tp_grid : array-like
        Where the ROC curve and the PR curve are wanted, in counts; `tp_grid` lies above 0.
    """
    table = [np.ascontiguousarray(column, dtype=np.int64) for column in (pos, neg)]
    wanted = (
        np.ascontiguousarray(spans, dtype=np.float64).reshape(-1, 2),
        np.ascontiguousarray(points, dtype=np.int64).reshape(-1),
        np.ascontiguousarray(fp_grid, dtype=np.float64).reshape(-1),
        np.ascontiguousarray(tp_grid, dtype=np.float64).reshape(-1),
    )
    areas = (roc_auc, average_precision, interpolated)
    if native.available():
        found = native.bootstrap(table[0], table[1], seed, first, n_resamples, neg_scale, areas, wanted)
        auc, average, area, partial, pairs, tp_at, precision_at = found
        pairs = pairs.reshape(n_resamples, wanted[1].size, 2)
        return Replicates(auc, average, area, partial, pairs, tp_at, precision_at)
    return bootstrap_counts_numpy(table[0], table[1], n_resamples, seed, first, neg_scale, areas, wanted)


def bootstrap_counts_numpy(
    pos: Ints,
    neg: Ints,
    n_resamples: int,
    seed: int,
    first: int,
    neg_scale: float,
    areas: tuple[bool, bool, bool],
    wanted: tuple[FloatArray, Ints, FloatArray, FloatArray],
) -> Replicates:
    """Do the same with NumPy alone, replicate by replicate."""
    spans, points, fp_grid, tp_grid = wanted
    rows = []
    for i in range(n_resamples):
        p, q = resample_counts(pos, neg, seed, first + i)
        tp = np.concatenate(([0], np.cumsum(p)))
        fp = np.concatenate(([0], np.cumsum(q)))
        row: list[Any] = [_roc_auc(tp, fp), *_pr_areas(p, q, tp, fp * neg_scale, neg_scale)]
        row.append([_area_to(tp, fp, high) - _area_to(tp, fp, low) for low, high in spans])
        row.append(np.stack((tp[1:][points], fp[1:][points]), axis=-1))
        row.append([_tp_at(tp, fp, x) for x in fp_grid])
        row.append([_precision_at(tp, fp, x, neg_scale) for x in tp_grid])
        rows.append(row)
    columns = [np.array([row[k] for row in rows]) for k in range(7)]
    shapes = [(n_resamples, spans.shape[0]), (n_resamples, points.size, 2), (n_resamples, -1), (n_resamples, -1)]
    tables = [columns[3 + k].reshape(shape if n_resamples else (0, 0)) for k, shape in enumerate(shapes)]
    kept = [column if asked else None for column, asked in zip(columns[:3], areas, strict=True)]
    return Replicates(kept[0], kept[1], kept[2], tables[0], tables[1].astype(np.int64), tables[2], tables[3])


def resample_counts(pos: Ints, neg: Ints, seed: int, replicate: int) -> tuple[Ints, Ints]:
    """Return one replicate of a table: how many of the drawn positives and negatives fall on each row."""
    places = _places(pos, neg)
    size = int(pos.sum() + neg.sum())
    counts = _poisson(size, seed, replicate)
    largest = max(8, int(counts.max(initial=0)))
    bound = 1 << (largest - 1).bit_length()
    for kind, place in ((_NEGATIVES, places[0]), (_POSITIVES, places[1])):
        _to_size(counts, place, seed, replicate, kind, bound)
    group = np.repeat(np.arange(pos.size), pos + neg)
    sums = []
    for place in (places[1], places[0]):
        sums.append(np.bincount(group[place], weights=counts[place], minlength=pos.size).astype(np.int64))
    return sums[0], sums[1]


def _places(pos: Ints, neg: Ints) -> tuple[Ints, Ints]:
    """Return where negatives and positives stand when rows are laid out by score, negatives first within a score."""
    ahead = np.cumsum(pos + neg) - pos - neg
    negatives = np.repeat(ahead - (np.cumsum(neg) - neg), neg) + np.arange(int(neg.sum()))
    positives = np.repeat(ahead + neg - (np.cumsum(pos) - pos), pos) + np.arange(int(pos.sum()))
    return negatives, positives


def _lines(seed: int, replicate: int, kind: int, index: NDArray[Any]) -> NDArray[np.uint64]:
    """Return the 64-byte lines of a stream as rows of eight words."""
    four = np.arange(4, dtype=np.uint64)
    counter: NDArray[np.uint64] = (index.astype(np.uint64)[:, np.newaxis] * np.uint64(4) + four).ravel()
    c0 = counter & _LOW
    c1 = np.uint64(kind << 8) | (counter >> _32)
    c2 = np.full_like(c0, replicate & 0xFFFFFFFF)
    c3 = np.full_like(c0, replicate >> 32)
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32
    for _ in range(10):
        p0, p1 = c0 * _M0, c2 * _M1
        c0, c1, c2, c3 = (p1 >> _32) ^ c1 ^ np.uint64(k0), p1 & _LOW, (p0 >> _32) ^ c3 ^ np.uint64(k1), p0 & _LOW
        k0, k1 = (k0 + _W0) & 0xFFFFFFFF, (k1 + _W1) & 0xFFFFFFFF
    words = np.stack(((c0 | c1 << _32).reshape(-1, 4), (c2 | c3 << _32).reshape(-1, 4)), axis=1)
    return words.reshape(-1, 8)


@cache
def _poisson_steps() -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """Return where 16 random bits step to the next count, and where 64 do for the share they leave over."""
    e = sum((Fraction(1, factorial(k)) for k in range(60)), Fraction(0))
    share = [65536 / (e * factorial(k)) for k in range(40)]
    whole = [int(s) for s in share]
    steps = np.cumsum(whole[:8])
    left = 65536 - int(steps[-1])
    rest, total = [], Fraction(0)
    for exact, cut in zip(share, whole, strict=True):
        total += (exact - cut) / left
        rest.append(int(total * 2**64))
    return steps, tuple(step for step in rest if step < 2**64 - 1)


def _poisson(size: int, seed: int, replicate: int) -> Ints:
    """Return `size` Poisson(1) counts."""
    steps, rest = _poisson_steps()
    lines = _lines(seed, replicate, _COUNTS, np.arange((size + 31) // 32))
    value = lines.astype("<u8", copy=False).view("<i2").ravel()[:size].astype(np.int64) + 32768
    counts = np.searchsorted(steps, value, side="right")
    for item in np.flatnonzero(counts == steps.size):
        word = int(_lines(seed, replicate, _REMAINDER, np.array([item]))[0, 0])
        counts[item] = sum(word >= step for step in rest)
    return counts.astype(np.int64)


def _to_size(counts: Ints, place: Ints, seed: int, replicate: int, kind: int, bound: int) -> None:
    """Add or take away single draws until the class has its size."""
    size = place.size
    total = int(counts[place].sum())
    word = 0
    while total != size:
        line = _lines(seed, replicate, kind, np.array([word // 8]))[0]
        value = int(line[word % 8])
        word += 1
        product = (value >> 32) * size
        if product & 0xFFFFFFFF < 2**32 % size:
            continue  # keeps every row equally likely
        item = place[product >> 32]
        if total < size:
            counts[item] += 1
            total += 1
        elif value & (bound - 1) < counts[item]:
            counts[item] -= 1
            total -= 1


def _roc_auc(tp: Ints, fp: Ints) -> float:
    twice = sum(int(q) * int(t) for q, t in zip(np.diff(fp), tp[1:] + tp[:-1], strict=True))
    return twice / (2.0 * float(tp[-1]) * float(fp[-1]))


def _pr_areas(p: Ints, q: Ints, tp: Ints, fp: FloatArray, scale: float) -> tuple[float, float]:
    """Return average precision and the area of the interpolated curve."""
    kept = p > 0
    share, after, false = p[kept].astype(np.float64), tp[1:][kept].astype(np.float64), fp[1:][kept]
    average = float(np.cumsum(share * (after / (after + false)))[-1])
    before_tp, before_fp, added = tp[:-1][kept].astype(np.float64), fp[:-1][kept], q[kept] * scale
    ahead = before_tp + before_fp
    with np.errstate(divide="ignore", invalid="ignore"):
        z = (share + added) / ahead
        outer = np.where(ahead > 0, np.log1p(z) / z, 0.0)
        start = np.where(ahead > 0, before_tp / ahead, 0.0)
    mean = outer * start + (1.0 - outer) * (share / (share + added))
    return average / float(tp[-1]), float(np.sum(share * mean)) / float(tp[-1])


def _area_to(tp: Ints, fp: Ints, at: float) -> float:
    """Return the area under the curve from 0 to `at` false positives, in counts."""
    k = int(np.searchsorted(fp, at, side="right")) - 1
    total = float(np.sum(np.diff(fp[: k + 1]) * (tp[1 : k + 1] + tp[:k]))) / 2.0
    if k + 1 < fp.size:
        width = at - fp[k]
        total += width * (tp[k] + (tp[k + 1] - tp[k]) * (width / (fp[k + 1] - fp[k])) / 2.0)
    return total


def _tp_at(tp: Ints, fp: Ints, at: float) -> float:
    k = int(np.searchsorted(fp, at, side="right")) - 1
    if k + 1 == fp.size:
        return float(tp[-1])
    return float(tp[k] + (at - fp[k]) / (fp[k + 1] - fp[k]) * (tp[k + 1] - tp[k]))


def _precision_at(tp: Ints, fp: Ints, at: float, scale: float) -> float:
    k = int(np.searchsorted(tp, at, side="left"))
    false = fp[k - 1] + (at - tp[k - 1]) / (tp[k] - tp[k - 1]) * (fp[k] - fp[k - 1])
    return float(at / (at + false * scale))
