"""How many of one class stand above the place where a given number of the other class stands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.decimals import portion
from thresher._core.sums import dot
from thresher._inference.rates.effective_counts import effective_size
from thresher._inference.sampling import clusters_of
from thresher._table import Clusters, Counts
from thresher.typing import BoolArray, CountArray, FloatArray, IntArray

__all__ = ["Cuts", "cuts_along_negatives", "cuts_along_positives", "weighted_cuts"]

# So many standard errors a bend of the sample may be from that of the population.
_REACH = 2.0
_SLACK = 1e-12  # sums of weights that are equal on paper


class Position(NamedTuple):
    """A place on the curve: at a vertex, a vertical stretch of it, or inside a block of ties.

    `low` and `high` are the members of the other class above it, which differ on a vertical stretch only, with what one
    of them is worth there. Inside a block `share` of it stands above, and `rise` members of the other class and `width`
    of this one are in it.
    """

    low: FloatArray
    high: FloatArray
    worth: tuple[FloatArray, FloatArray]
    share: FloatArray
    rise: CountArray
    width: CountArray


class Cuts(NamedTuple):
    """The count table seen along one class.

    A cut is a place between the j-th and the (j+1)-th highest member of the class along the x axis. Ties leave open
    how many members of the other class stand above it; `fewest` and `most` are the two extremes.

    Attributes
    ----------
    along, across : array
        Cumulative counts of the two classes over the distinct scores, highest first; element 0 is 0. Of weighted or
        clustered rows the proportions of the class, times its total.
    n_along, n_across : int
        Class totals, in rows; of weighted or clustered rows how many independent ones they are worth.
    tied : bool
        Whether equal scores are equal: inside a block the curve then is what mixing its two thresholds attains.
        In a compressed table blocks stand for scores that differ, and any path through them is possible.
    worth : pair of arrays, optional
        Of weighted or clustered rows: how many independent cases the proportion of the class above each cut is worth.
    """

    along: CountArray
    across: CountArray
    n_along: int
    n_across: int
    tied: bool = True
    worth: tuple[FloatArray, FloatArray] | None = None

    def size(self, x: FloatArray) -> FloatArray:
        """Return how many cases the share x of the along class is worth, whole."""
        if self.worth is None:
            return np.full(x.shape, float(self.n_along))
        return np.maximum(np.rint(np.interp(x, self.along / self.n_along, self.worth[0])), 1.0)

    def fewest(self, j: CountArray) -> CountArray:
        """Return the members of the other class strictly above the j-th highest; 0 for j = 0."""
        block = np.searchsorted(self.along[1:], self._met(j), side="left")
        return np.where(j > 0, self.across[block], 0)

    def most(self, j: CountArray, step: FloatArray | int = 1) -> CountArray:
        """Return the members of the other class at or above the next case after the j-th; all of them at the end.

        A case of weighted rows is worth a `step`.
        """
        block = np.searchsorted(self.along[1:], self._met(j + step), side="left")
        return self.across[np.minimum(block + 1, self.across.size - 1)]

    def at(self, position: FloatArray) -> Position:
        """Return where the curve stands at a number of the along class, which need not be whole."""
        position = self._met(position)
        block = np.searchsorted(self.along, position, side="right") - 1
        after = np.minimum(block + 1, self.along.size - 1)
        width = self.along[after] - self.along[block]
        share = np.where(width > 0, (position - self.along[block]) / np.where(width > 0, width, 1), 0.0)
        first = np.searchsorted(self.along, position, side="left")
        rise = np.where(share > 0.0, self.across[after] - self.across[block], 0)
        inside = self.across[block] + share * rise
        each = np.ones(1), np.ones(1)
        if self.worth is not None:
            worth = self.worth[1] / self.n_across
            within = worth[block] + share * (worth[after] - worth[block])
            each = np.where(share > 0.0, within, worth[first]), within
        return Position(np.where(share > 0.0, inside, self.across[first]), inside, each, share, rise, width)

    def _met(self, position: CountArray) -> CountArray:
        """Return places of the along class; one that equals a sum of weights but for rounding is met."""
        if self.along.dtype.kind != "f":
            return position
        near = np.minimum(np.searchsorted(self.along, position * (1.0 - _SLACK), side="left"), self.along.size - 1)
        return np.where(np.abs(self.along[near] - position) <= _SLACK * self.n_along, self.along[near], position)

    def reflected(self) -> Cuts:
        """Return both classes counted from the other end: the same curve turned by half a turn."""
        along, across = self.n_along - self.along[::-1], self.n_across - self.across[::-1]
        worth = None if self.worth is None else (self.worth[0][::-1], self.worth[1][::-1])
        return self._replace(along=along, across=across, worth=worth)

    def next_bend(self, x: FloatArray) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return which x may be the place of a bend just above, and the cut of that bend.

        At a bend after which the curve rises less, the curve of a sample lies too low on average: if the bend is too
        far right, the place is still on the steep side. That matters if a block of ties is wider than the place of a
        bend is uncertain.
        """
        at = self._met(portion(x, self.n_along))
        size = self.size(x)
        reach = _REACH * np.sqrt(x * (1.0 - x) / size) * self.n_along
        bend = np.clip(np.searchsorted(self.along, at, side="left"), 1, self.along.size - 1)
        top = np.searchsorted(self.along, self.along[bend], side="right") - 1
        after = np.minimum(top + 1, self.along.size - 1)
        width, rise = self.along[bend] - self.along[bend - 1], self.across[top] - self.across[bend - 1]
        then, further = self.along[after] - self.along[top], self.across[after] - self.across[top]
        flatter = rise.astype(np.float64) * then > further.astype(np.float64) * width
        found = np.flatnonzero(
            self.tied
            & (width >= np.maximum(reach, 2.0 * self.n_along / size))
            & (self.along[bend] - at <= reach)
            & flatter
            & (x > 0.0)
        )
        return found, top[found]

    def value(self, x: FloatArray, *, at_jumps: str = "lower") -> FloatArray:
        """Return the curve: the proportion of the other class above the cut that holds the share x.

        Between two points of the count table it is linear, as for mixtures of the two thresholds. Where the
        curve jumps, its lower or its upper end is taken.
        """
        wanted = self._met(portion(x, self.n_along))
        if at_jumps == "lower":
            after = np.minimum(np.searchsorted(self.along, wanted, side="left"), self.along.size - 1)
            before = np.maximum(after - 1, 0)
        else:
            before = np.searchsorted(self.along, wanted, side="right") - 1
            after = np.minimum(before + 1, self.along.size - 1)
        width = self.along[after] - self.along[before]
        share = np.clip((wanted - self.along[before]) / np.where(width > 0, width, 1), 0.0, 1.0)
        rise = self.across[after] - self.across[before]
        return np.where(width > 0, self.across[before] + share * rise, self.across[after]) / self.n_across


def cuts_along_positives(counts: Counts) -> Cuts:
    """Return the cuts of a PR curve: x is recall, across are the false positives."""
    return _cuts(counts.tp, counts.fp, counts._complete)


def cuts_along_negatives(counts: Counts) -> Cuts:
    """Return the cuts of a ROC curve: x is the false positive rate, across are the true positives."""
    return _cuts(counts.fp, counts.tp, counts._complete)


def _cuts(along: CountArray, across: CountArray, tied: bool) -> Cuts:
    first, second = _whole(along), _whole(across)
    return Cuts(np.append(0, first), np.append(0, second), int(first[-1]), int(second[-1]), tied)


def _whole(cumulative: CountArray) -> IntArray:
    """Return cumulative counts as whole rows; sums of weights are rounded so that their total is a number of rows."""
    if cumulative.dtype.kind != "f":
        return np.asarray(cumulative, dtype=np.int64)
    total = max(1.0, float(np.rint(cumulative[-1])))
    return np.asarray(np.rint(cumulative * (total / cumulative[-1])), dtype=np.int64)


def weighted_cuts(counts: Counts, *, along_positives: bool, confidence_level: float) -> Cuts:
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
        size = max(1, round(float(worth[-1])))
        sides.append((share * size, size, worth))
    (along, n_along, first), (across, n_across, second) = sides if along_positives else sides[::-1]
    return Cuts(along, across, n_along, n_across, counts._complete, (first, second))


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
