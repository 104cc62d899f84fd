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
from thresher._core.native import DelongSums, Ties
from thresher._core.rank_kernels import placement_digits, rank_kernels
from thresher.typing import IntArray

__all__ = [
    "cells_on_device",
    "device_delong_sums",
    "device_ties",
    "distinct_on_device",
    "negative_keys",
    "twice_area_to",
    "whole_numbers",
]

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
    wanted, low, high = (whole_numbers(ranks, column) for column in (which, 0 * which, 0 * which + (size - 1)))
    for _ in range(size.bit_length()):
        middle = (low + high + 1) // 2
        enough = ranks.negatives_from(xp.take(ranks.other, middle)) >= wanted
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
