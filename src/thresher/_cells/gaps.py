"""The largest gap of a metric between segments: limits that cover when all segments are equal, too."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import scipy

from thresher._core.root_search import bisect
from thresher.typing import FloatArray

LimitsAt = Callable[[float], tuple[FloatArray, FloatArray]]
"""The limits of every segment, each missing its truth with the given probability."""


class CellGap(NamedTuple):
    """A gap with its limits, and the segments at its two ends: the larger value, the smaller one."""

    value: float
    low: float
    high: float
    largest: int
    smallest: int


def adjusted_tail(segments: int, tail: float) -> float:
    """Return the tail at which the limits of single segments join to limits that hold for all pairs at once.

    It is that of q / sqrt(2), q the upper quantile of the range of so many standard normal numbers (Tukey's).
    """
    # Beyond nine standard deviations there is nothing left; the trapezoid rule is then exact to rounding.
    z = np.linspace(-9.0, 9.0, 721)
    density = np.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi) * (z[1] - z[0])

    def within(q: float) -> bool:
        below = scipy.special.ndtr(z) - scipy.special.ndtr(z - q)
        return float(segments * density @ below ** (segments - 1)) >= 1.0 - tail

    return float(scipy.special.ndtr(-bisect(within, 0.0, 40.0) / math.sqrt(2.0)))


def largest_gap(components: Sequence[tuple[FloatArray, LimitsAt]], *, tail: float = 0.025) -> CellGap:
    """Return the largest difference between two segments, in any of one or more metrics.

    The true gap is that of one pair, and the largest upper limit is at least that pair's: no adjustment is needed. The
    lower limit has to hold for all pairs (and metrics) at once. Segments without a value have no part in it.
    """
    found = []
    for values, limits in components:
        place = np.flatnonzero(np.isfinite(values))
        if place.size < 2:
            continue
        v = values[place]
        low, high = (end[place] for end in limits(tail))
        outer_low, outer_high = (end[place] for end in limits(adjusted_tail(place.size, tail / len(components))))
        apart = v[:, None] - v
        above = apart + np.hypot((high - v)[:, None], v - low)
        below = apart - np.hypot((v - outer_low)[:, None], outer_high - v)
        pairs = ~np.eye(place.size, dtype=np.bool_)
        largest, smallest = int(np.argmax(v)), int(np.argmin(v))
        ends = max(0.0, float(below[pairs].max())), float(above[pairs].max())
        found.append(CellGap(float(v[largest] - v[smallest]), *ends, int(place[largest]), int(place[smallest])))
    if not found:
        return CellGap(math.nan, 0.0, math.nan, -1, -1)
    return max(found)._replace(low=max(one.low for one in found), high=max(one.high for one in found))


def smallest_ratio(values: FloatArray, limits: LimitsAt, *, tail: float = 0.025) -> CellGap:
    """Return the smallest value over the largest, for metrics that are not negative, by the gap of their logarithms."""

    def logarithms(p: float) -> tuple[FloatArray, FloatArray]:
        low, high = limits(p)
        return np.log(low), np.log(high)

    with np.errstate(divide="ignore"):
        gap = largest_gap([(np.log(values), logarithms)], tail=tail)
    zero = np.flatnonzero(values == 0.0)
    if zero.size == 0 or not np.nanmax(values) > 0.0:
        return CellGap(math.exp(-gap.value), math.exp(-gap.high), math.exp(-gap.low), gap.largest, gap.smallest)
    # A value of 0 has no logarithm: the limits of the segments themselves are on the safe side.
    low, high = limits(adjusted_tail(int(np.isfinite(values).sum()), tail))
    ratio = float(high[zero].min() / np.nanmax(low))
    return CellGap(0.0, 0.0, min(1.0, ratio), int(np.nanargmax(values)), int(zero[0]))
