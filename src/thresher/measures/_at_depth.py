"""What the first rows of a ranking hold: precision and recall at a depth."""

from __future__ import annotations

import numpy as np

from thresher._core.checks import check_count
from thresher._core.values import value
from thresher._curves import bracket_tp, counts_between
from thresher._inference.influence import check_whole
from thresher._table import Counts, padded_counts
from thresher.measures._measure import Measure
from thresher.measures._registry import measure

__all__ = ["PrecisionAtDepth", "RecallAtDepth"]


def _found(table: Counts, depth: int) -> float:
    """Return the expected positives among the first rows; in a tie that crosses the depth they are spread evenly."""
    check_whole(table, "A depth")
    tp, fp = padded_counts(table)
    place = np.asarray(float(min(depth, tp[-1] + fp[-1])))
    return float(counts_between(tp, bracket_tp(tp + fp, place)))


class _AtDepth(Measure):
    __slots__ = ()

    intervals = ("bootstrap",)
    path_only = False
    example = "for example `depth=10`"


@measure(held={"precision": ("depth",)})
@value
class PrecisionAtDepth(_AtDepth):
    """The share of positives among the first rows; a shorter list is filled up with negatives.

    Parameters
    ----------
    depth : int
        How many rows, at least 1.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).measure("precision", depth=2).value
    0.5
    """

    depth: int

    name = "precision_at_depth"
    aliases = ("precision_at_k",)
    label = "The precision of the first rows"

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", check_count(self.depth, "depth", minimum=1))

    @property
    def needs_balance(self) -> bool:
        """Precision refers to the class balance of the sample."""
        return True

    def of(self, table: Counts) -> float:
        """Return the precision of a table."""
        return _found(table, self.depth) / self.depth

    def of_list(self, table: Counts, unseen: int) -> float:
        """Return the same: what was not returned is not among the first."""
        del unseen
        return self.of(table)


@measure(held={"recall": ("depth",)})
@value
class RecallAtDepth(_AtDepth):
    """The share of the positives that the first rows hold.

    Parameters
    ----------
    depth : int
        How many rows, at least 1.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).measure("recall", depth=3).value
    1.0
    """

    depth: int

    name = "recall_at_depth"
    aliases = ("recall_at_k",)
    label = "The recall of the first rows"

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", check_count(self.depth, "depth", minimum=1))

    def of(self, table: Counts) -> float:
        """Return the recall of a table."""
        return self.of_list(table, 0)

    def of_list(self, table: Counts, unseen: int) -> float:
        """Return the share of all positives, the missing ones among them."""
        return _found(table, self.depth) / (table.n_pos + unseen)
