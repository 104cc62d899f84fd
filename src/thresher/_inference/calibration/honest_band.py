"""A band of the calibration curve that holds in finite samples, for the whole curve, if it rises at all."""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher.typing import FloatArray

__all__ = ["grouped", "honest_limits"]


def grouped(pos: NDArray[np.int64], neg: NDArray[np.int64], groups: int) -> NDArray[np.intp]:
    """Return the index of the last score of each group, lowest score first: equal counts of rows, ties kept together.

    The labels are not looked at.
    """
    rows = np.cumsum(pos + neg)
    if rows.size <= groups:
        return np.arange(rows.size)
    wanted = rows[-1] * np.arange(1, groups + 1) / groups
    return np.unique(np.searchsorted(rows, wanted - 1e-9, side="left").clip(max=rows.size - 1))


def honest_limits(
    pos: NDArray[np.int64], neg: NDArray[np.int64], level: float, groups: int
) -> tuple[FloatArray, FloatArray]:
    """Return the limits at each score, given counts with the lowest score first.

    A run of groups a..b has at least as many positives as Bin(rows, p(x)) for every x not above it, and at most as many
    for every x not below it; Clopper and Pearson's limits of all runs hold together by Bonferroni.
    """
    ends = grouped(pos, neg, groups)
    edges = np.append(0, ends + 1)
    successes, failures = (np.add.reduceat(column, edges[:-1]) for column in (pos, neg))
    tail = (1.0 - level) / (ends.size * (ends.size + 1.0))
    low = _lower_limits(successes, failures, tail)
    high = 1.0 - _lower_limits(failures[::-1], successes[::-1], tail)[::-1]
    sizes = np.diff(edges)
    # A run may bound a score only if it lies wholly on one side of it: all but the end score of a group look further.
    below = np.repeat(np.append(0.0, low[:-1]), sizes)
    below[ends] = low
    above = np.repeat(np.append(high[1:], 1.0), sizes)
    above[edges[:-1]] = high
    return below, above


def _lower_limits(successes: NDArray[np.int64], failures: NDArray[np.int64], tail: float) -> FloatArray:
    """Return, at each group, the greatest lower limit of all runs that end there or before.

    A run can only improve on the best so far, c, if its share exceeds c and a lower bound of its binomial tail at c is
    below the level (Ash's inequality); only such runs need a quantile.
    """
    s, m = np.append(0, np.cumsum(successes)), np.append(0, np.cumsum(successes + failures))
    best, wanted = 0.0, -math.log(tail)
    limits = np.empty(successes.size)
    for b in range(successes.size):
        hits, rows = (s[b + 1] - s[: b + 1]).astype(np.float64), (m[b + 1] - m[: b + 1]).astype(np.float64)
        left = np.flatnonzero(hits > best * rows)
        while left.size:
            share = hits[left] / rows[left]
            with np.errstate(divide="ignore", invalid="ignore"):
                reach = rows[left] * (
                    scipy.special.rel_entr(share, best) + scipy.special.rel_entr(1.0 - share, 1.0 - best)
                )
                slack = np.where(share < 1.0, 0.5 * np.log(8.0 * rows[left] * share * (1.0 - share)), 0.0)
            able = (share > best) & (reach + np.maximum(slack, 0.0) > wanted - 1e-9)
            left, reach = left[able], reach[able]
            if left.size == 0:
                break
            top = int(np.argmax(reach))
            a = left[top]
            limit = float(scipy.special.betaincinv(hits[a], rows[a] - hits[a] + 1.0, tail))
            left = np.delete(left, top)
            best = max(best, limit)
        limits[b] = best
    return limits
