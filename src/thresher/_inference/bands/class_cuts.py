"""How many of one class stand above the place where a given number of the other class stands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher._core.fractions import portion
from thresher._table import Counts
from thresher.typing import CountArray, FloatArray, IntArray

__all__ = ["Cuts", "cuts_along_negatives", "cuts_along_positives"]


class Position(NamedTuple):
    """A place on the curve: at a vertex, a vertical stretch of it, or inside a block of ties.

    `low` and `high` are the members of the other class above it, which differ on a vertical stretch only. Inside a
    block `share` of it stands above, and `rise` members of the other class and `width` of this one are in it.
    """

    low: FloatArray
    high: FloatArray
    share: FloatArray
    rise: IntArray
    width: IntArray


class Cuts(NamedTuple):
    """The count table seen along one class.

    A cut is a place between the j-th and the (j+1)-th highest member of the class along the x axis. Ties leave open
    how many members of the other class stand above it; `fewest` and `most` are the two extremes.

    Attributes
    ----------
    along, across : array of int64
        Cumulative counts of the two classes over the distinct scores, highest first; element 0 is 0.
    n_along, n_across : int
        Class totals, in rows.
    tied : bool
        Whether equal scores are equal: inside a block the curve then is what mixing its two thresholds attains.
        In a compressed table blocks stand for scores that differ, and any path through them is possible.
    """

    along: IntArray
    across: IntArray
    n_along: int
    n_across: int
    tied: bool = True

    def fewest(self, j: IntArray) -> IntArray:
        """Return the members of the other class strictly above the j-th highest; 0 for j = 0."""
        block = np.searchsorted(self.along[1:], j, side="left")
        return np.where(j > 0, self.across[block], 0)

    def most(self, j: IntArray) -> IntArray:
        """Return the members of the other class at or above the (j+1)-th highest; all of them for j = n_along."""
        block = np.searchsorted(self.along[1:], j + 1, side="left")
        return self.across[np.minimum(block + 1, self.across.size - 1)]

    def at(self, position: FloatArray) -> Position:
        """Return where the curve stands at a number of the along class, which need not be whole."""
        block = np.searchsorted(self.along, position, side="right") - 1
        after = np.minimum(block + 1, self.along.size - 1)
        width = self.along[after] - self.along[block]
        share = np.where(width > 0, (position - self.along[block]) / np.where(width > 0, width, 1), 0.0)
        first = self.across[np.searchsorted(self.along, position, side="left")]
        rise = np.where(share > 0.0, self.across[after] - self.across[block], 0)
        inside = self.across[block] + share * rise
        return Position(np.where(share > 0.0, inside, first), inside, share, rise, width)

    def value(self, x: FloatArray, *, at_jumps: str = "lower") -> FloatArray:
        """Return the curve: the proportion of the other class above the cut that holds the share x.

        Between two points of the count table it is linear, as for mixtures of the two thresholds. Where the
        curve jumps, its lower or its upper end is taken.
        """
        wanted = portion(x, self.n_along)
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
