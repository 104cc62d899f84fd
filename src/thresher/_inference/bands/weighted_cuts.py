"""One class of a weighted or clustered table seen along the other: shares above each cut, and what they are worth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from thresher._core.sums import dot
from thresher._inference.rates.effective_counts import effective_size
from thresher._inference.sampling import clusters_of
from thresher._table import Clusters, Counts
from thresher.typing import BoolArray, FloatArray, IntArray

__all__ = ["Side", "WeightedCuts", "weighted_cuts"]

_SLACK = 1e-12  # sums of weights that are equal on paper


class Side(NamedTuple):
    """One class at every cut, from calling nothing to calling everything.

    Attributes
    ----------
    share : array of shape (k + 1,)
        The proportion of the class above the cut.
    worth : array of shape (k + 1,)
        How many independent cases of equal weight that share is worth.
    """

    share: FloatArray
    worth: FloatArray


class WeightedCuts(NamedTuple):
    """Both classes at every cut."""

    along: Side
    across: Side

    def value(self, x: FloatArray, *, at_jumps: str = "lower") -> FloatArray:
        """Return the proportion of the other class above the cut with share x, linear between two cuts."""
        return read_curve(self.along.share, self.across.share, x, at_jumps=at_jumps)

    def size(self, x: FloatArray) -> IntArray:
        """Return how many cases the share x of the along class is worth, whole."""
        return np.maximum(np.rint(np.interp(x, self.along.share, self.along.worth)), 1.0).astype(np.int64)

    def fewest(self, share: FloatArray) -> IntArray:
        """Return the cut of the other class strictly above the along-quantile of a share."""
        cut = np.searchsorted(self.along.share[1:], share * (1.0 - _SLACK), side="left")
        return np.where(share > 0.0, cut, 0)

    def most(self, share: FloatArray) -> IntArray:
        """Return the cut of the other class at or above the along-quantile of a share."""
        cut = np.searchsorted(self.along.share[1:], share * (1.0 - _SLACK), side="left")
        return np.minimum(cut + 1, self.along.share.size - 1)


def read_curve(along: FloatArray, across: FloatArray, x: FloatArray, *, at_jumps: str) -> FloatArray:
    """Return a curve through points with non-decreasing coordinates; where it jumps, its lower or its upper end."""
    # A share that was asked for is met by one that equals it but for rounding.
    near = np.minimum(np.searchsorted(along, x * (1.0 - _SLACK), side="left"), along.size - 1)
    wanted = np.where(np.abs(along[near] - x) <= _SLACK * np.maximum(x, _SLACK), along[near], x)
    if at_jumps == "lower":
        after = np.minimum(np.searchsorted(along, wanted, side="left"), along.size - 1)
        before = np.maximum(after - 1, 0)
    else:
        before = np.searchsorted(along, wanted, side="right") - 1
        after = np.minimum(before + 1, along.size - 1)
    width = along[after] - along[before]
    part = np.clip((wanted - along[before]) / np.where(width > 0.0, width, 1.0), 0.0, 1.0)
    return np.where(width > 0.0, across[before] + part * (across[after] - across[before]), across[after])


def weighted_cuts(counts: Counts, *, along_positives: bool, confidence_level: float) -> WeightedCuts:
    """Return the cuts of a table with sampling weights or clusters, along one of its classes."""
    clusters = clusters_of(counts)
    sides = []
    for positive, running, typical in zip((True, False), (counts.tp, counts.fp), counts._typical, strict=True):
        weight = np.append(0.0, running.astype(np.float64))
        total = float(weight[-1])
        share = np.minimum(weight / total, 1.0)
        if clusters is None:
            worth = effective_size(weight, total - weight, typical.above, typical.below)
        else:
            worth = _clustered(clusters, clusters.positive == positive, share, confidence_level)
        sides.append(Side(share, worth))
    return WeightedCuts(sides[0], sides[1]) if along_positives else WeightedCuts(sides[1], sides[0])


def _clustered(clusters: Clusters, mine: BoolArray, share: FloatArray, confidence_level: float) -> FloatArray:
    """Return what the proportion of a class above every cut is worth where rows of a cluster depend on each other."""
    code, cell, weight = clusters.code[mine], clusters.cell[mine], clusters.weight[mine]
    mass = np.bincount(code, weight, clusters.size)
    total, squares = float(mass.sum()), dot(mass, mass)
    # Sums over clusters of a^2 and a m, with a the weight above the cut and m all of it, change with every entry.
    order = np.argsort(cell, kind="stable")
    above = np.zeros(clusters.size)
    first, second = np.zeros(share.size), np.zeros(share.size)
    for one, place, own in zip(code[order].tolist(), cell[order].tolist(), weight[order].tolist(), strict=True):
        first[place + 1] += own * (2.0 * above[one] + own)
        second[place + 1] += own * mass[one]
        above[one] += own
    spread = np.cumsum(first) - 2.0 * share * np.cumsum(second) + share * share * squares
    top = share * (1.0 - share) * total * total
    inner = (top > 0.0) & (spread > 1e-12 * squares)
    number, rows = int(np.count_nonzero(mass)), int(clusters.rows[mine].sum())
    tail = (1.0 - confidence_level) / 2.0
    ratio = 1.0
    if 1 < number < rows:
        ratio = float(scipy.special.stdtrit(rows - 1.0, tail) / scipy.special.stdtrit(number - 1.0, tail)) ** 2
        ratio *= (number - 1.0) * rows / (number * (rows - 1.0))
    out = np.full(share.size, total * total / squares)
    out[inner] = ratio * top[inner] / spread[inner]
    return out
