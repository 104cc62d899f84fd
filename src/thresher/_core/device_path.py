"""Sums along the curve of rows on a device, in whole numbers: DeLong's placements, ties, parts of the area.

Everything follows from the runs of equal positives and the negatives above each of them; nothing as long as the rows
leaves the device.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import array_api_compat
import numpy as np
from numpy.typing import NDArray

from thresher._core import device
from thresher._core.device import to_host
from thresher._core.device_ranks import DeviceRanks, Steps
from thresher._core.hull import upper_hull
from thresher._core.native import DelongSums, Ties
from thresher._core.rank_kernels import placement_digits, rank_kernels
from thresher.typing import IntArray

_DIGIT = 16


def device_delong_sums(ranks: DeviceRanks) -> DelongSums | None:
    """Return sums of squares of twice the placements, and twice U; None where they might overflow."""
    if ranks.n_pos + ranks.n_neg >= 2**31:
        return None
    launch = rank_kernels(ranks.pos) if ranks.shift else None
    if launch is not None:
        twice_u, *digits = placement_digits(launch, ranks.xp, ranks.pos, ranks.other, ranks.shift)
        return DelongSums(_joined(*digits[:3]), _joined(*digits[3:]), twice_u)
    xp = ranks.xp
    of_pos = of_neg = twice_u = 0
    for step, lower in _with_gaps(ranks):
        beaten = 2 * ranks.n_neg - step.fp - step.fp_above
        of_pos += _squares(xp, step.size, beaten)
        twice_u += int(xp.sum(step.size * beaten))
        # Negatives between a run and the next lower one, and those that tie with it.
        of_neg += _squares(xp, lower - step.fp, 2 * step.tp)
        of_neg += _squares(xp, step.fp - step.fp_above, 2 * step.tp - step.size)
    return DelongSums(of_pos, of_neg, twice_u)


def device_ties(ranks: DeviceRanks) -> Ties:
    """Return what the classes share: scores, the positives there, and pairs."""
    xp, scores, positives, pairs = ranks.xp, 0, 0, 0
    for step in ranks.steps():
        tied = step.fp - step.fp_above
        scores += int(xp.count_nonzero(tied))
        positives += int(xp.sum(xp.where(tied > 0, step.size, xp.zeros_like(tied))))
        pairs += int(xp.sum(step.size * tied))
    return Ties(scores, positives, pairs)


def distinct_on_device(ranks: DeviceRanks) -> int:
    """Return how many distinct scores there are."""
    xp = ranks.xp

    def distinct(keys: Any) -> int:
        return int(xp.count_nonzero(keys[1:] != keys[:-1])) + 1 if keys.shape[0] else 0

    if ranks.has_all:
        return distinct(ranks.other)
    return distinct(ranks.pos) + distinct(ranks.other) - device_ties(ranks).scores


def twice_area_to(ranks: DeviceRanks, along: str, end: Fraction) -> Fraction:
    """Return twice the area between the curve and an axis up to `end` false ("fpr") or true positives ("tpr")."""
    xp, whole, rest, total = ranks.xp, math.floor(end), Fraction(0), 0
    for step, lower in _with_gaps(ranks):
        if along == "tpr":
            start, stop, height, rise = step.tp - step.size, step.tp, step.fp_above, step.fp - step.fp_above
        else:
            start, stop, height, rise = step.fp_above, step.fp, step.tp - step.size, step.size
            # What stands between a run and the next lower one is level, up to where the range ends.
            reached = xp.where(lower < whole, lower, device._like(xp, lower, whole)) - step.fp
            total += 2 * int(xp.sum(xp.where(reached > 0, reached * step.tp, xp.zeros_like(reached))))
            for tp in _taken(xp, (step.fp <= whole) & (lower > whole), step.tp):
                rest += 2 * int(tp) * (end - whole)
        full = xp.where(stop <= whole, stop - start, xp.zeros_like(start))
        total += int(xp.sum(full * (2 * height + rise)))
        at = _taken(xp, (start <= whole) & (stop > whole), xp.stack((start, stop, height, rise)).T)
        for first, last, low, up in at.tolist():  # one piece at most
            into = end - first
            rest += into * (2 * low + Fraction(up, last - first) * into)
    return total + rest


def cells_on_device(ranks: DeviceRanks, of_pos: IntArray, of_neg: IntArray) -> tuple[IntArray, IntArray]:
    """Return counts above the scores of some cases, and all of them in the end.

    `of_pos` and `of_neg` say which cases: 1 is the highest of its class. Places without any count are left out.
    """
    xp, n_pos, n_neg = ranks.xp, ranks.n_pos, ranks.n_neg
    found = xp.concat((xp.take(ranks.pos, whole_numbers(ranks, n_pos - of_pos)), negative_keys(ranks, of_neg)))
    tp = n_pos - ranks._search(ranks.pos, found, "right")
    at_or_below = ranks._search(ranks.other, found - ranks.shift if ranks.shift else found, "right")
    fp = (n_pos + n_neg - at_or_below) - tp if ranks.has_all else n_neg - at_or_below
    cells = np.append(to_host(xp.stack((tp, fp))), [[n_pos], [n_neg]], axis=1)
    cells = np.unique(cells[:, cells.any(axis=0)], axis=1)
    return cells[0], cells[1]


def negative_keys(ranks: DeviceRanks, which: IntArray) -> Any:
    """Return the scores of some negatives, as keys of positives."""
    xp, size = ranks.xp, int(ranks.other.shape[0])
    if not ranks.has_all:
        return xp.take(ranks.other, whole_numbers(ranks, size - which)) + ranks.shift
    # Among all rows: the highest key with as many negatives at or above it, by halving.
    places, low, high = (whole_numbers(ranks, column) for column in (which, 0 * which, 0 * which + (size - 1)))
    for _ in range(size.bit_length()):
        middle = (low + high + 1) // 2
        enough = ranks.negatives_from(xp.take(ranks.other, middle)) >= places
        low, high = xp.where(enough, middle, low), xp.where(enough, high, middle - 1)
    return xp.take(ranks.other, low)


def whole_numbers(ranks: DeviceRanks, numbers: IntArray) -> Any:
    """Return integers of main memory where the rows are."""
    xp = ranks.xp
    return xp.asarray(numbers.astype(np.int64), dtype=xp.int64, device=array_api_compat.device(ranks.pos))


def _with_gaps(ranks: DeviceRanks) -> Iterator[tuple[Steps, Any]]:
    """Yield the steps with the negatives above the next lower run: those below the run and above that one follow."""
    xp, below = ranks.xp, None
    for step in ranks.steps():
        if below is None:
            below = device._like(xp, step.fp, [ranks.n_neg])
        lower = xp.concat((below, step.fp_above))
        yield step, lower[:-1]
        below = lower[-1:]


def _squares(xp: Any, times: Any, values: Any) -> int:
    """Return the sum of times * values**2, for values below 2**32."""
    high, low = values >> _DIGIT, values & ((1 << _DIGIT) - 1)
    parts = (times * high * high, times * high * low, times * low * low)
    return _joined(*(int(xp.sum(part)) for part in parts))


def _joined(upper: int, middle: int, lower: int) -> int:
    """Return the sum of squares from those of the products of their digits."""
    return (upper << 2 * _DIGIT) + (middle << _DIGIT + 1) + lower


def _taken(xp: Any, mask: Any, column: Any) -> NDArray[np.int64]:
    """Return the few elements, or rows, where a mask holds."""
    return to_host(xp.take(column, xp.nonzero(mask)[0], axis=0)).astype(np.int64)


RowsAround = tuple[NDArray[Any], IntArray, IntArray]
"""Scores, highest first, with the true and false positives at or above each."""

_FEW_POINTS = 4096
_MOST_PASSES = 40


def ends_on_device(ranks: DeviceRanks) -> NDArray[Any]:
    """Return the highest and the lowest score."""
    xp = ranks.xp
    sides = [ranks.pos] * bool(ranks.n_pos) + [ranks.other + ranks.shift] * bool(ranks.other.shape[0])
    highest, lowest = (xp.stack([side[place] for side in sides]) for place in (-1, 0))
    return to_host(ranks.scores(xp.stack((xp.max(highest), xp.min(lowest)))))


def hull_on_device(ranks: DeviceRanks) -> RowsAround:
    """Return scores, true and false positives at the vertices of the ROC convex hull after (0, 0)."""
    xp = ranks.xp
    parts = [(step.keys, step.tp, step.fp) for step in ranks.steps()]
    keys, tp, fp = (xp.flip(xp.concat(columns)) for columns in zip(*parts, strict=True))
    none = device._like(xp, tp, [0])
    x = xp.concat((none, fp, none + ranks.n_neg))
    y = xp.concat((none, tp, none + ranks.n_pos))
    index = xp.cumulative_sum(xp.ones_like(x)) - 1
    for _ in range(_MOST_PASSES):
        if x.shape[0] <= _FEW_POINTS:
            break
        area = (x[2:] - x[:-2]) * (y[1:-1] - y[:-2]) - (y[2:] - y[:-2]) * (x[1:-1] - x[:-2])
        kept = xp.concat((ranks._true(), area > 0, ranks._true()))
        x, y, index = x[kept], y[kept], index[kept]
    across, up = to_host(x), to_host(y)
    vertices = upper_hull(across, up)[1:]
    at = whole_numbers(ranks, to_host(index)[vertices[:-1]] - 1)
    scores = to_host(ranks.scores(xp.take(keys, at)))
    return np.append(scores, ends_on_device(ranks)[1:]), up[vertices], across[vertices]


def rows_around(ranks: DeviceRanks, name: str, target: float) -> RowsAround:
    """Return the rows at which a curve passes a threshold, or a number of false ("fpr") or true positives.

    That is the row at or after it, with the ones before and after that, and the first and the last of all.
    """
    n_pos, n_neg = ranks.n_pos, ranks.n_neg
    if name == "threshold":
        rounded, beyond = ranks._rounded_up(np.array([target]))
        found = ends_on_device(ranks)[:1] if beyond[0] else _scores_from(ranks, ranks._keys(rounded), "left")[0]
    elif name == "fpr":
        found = to_host(ranks.scores(negative_keys(ranks, np.array([min(math.floor(target) + 1, n_neg)]))))
    else:
        place = n_pos - min(max(math.ceil(target), 1), n_pos)
        found = to_host(ranks.scores(ranks.pos[place : place + 1]))
    ends = ends_on_device(ranks)
    scores = [ends, found]
    if found.size:
        keys = ranks._keys(found)
        scores += [_scores_from(ranks, keys, "right")[0], _scores_from(ranks, keys, "left")[1]]
    kept = np.unique(np.concatenate(scores))[::-1]
    tp, fp = ranks.counts_at(kept)
    return kept, tp, fp


def _scores_from(ranks: DeviceRanks, key: Any, side: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the lowest score from a key on (above it: "right") and the highest one before; empty where none is."""
    xp, from_it, before = ranks.xp, [], []
    for keys, shift in ((ranks.pos, 0), (ranks.other, ranks.shift)):
        place = int(ranks._search(keys, key - shift if shift else key, side)[0])
        from_it.append(keys[place : place + 1] + shift)
        before.append(keys[max(place - 1, 0) : place] + shift)
    lowest, highest = (xp.sort(xp.concat(some)) for some in (from_it, before))
    return to_host(ranks.scores(lowest[:1])), to_host(ranks.scores(highest[-1:]))
