"""What the first rows of a ranking hold: precision and recall at a depth."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from thresher._core.checks import check_count
from thresher._core.values import value
from thresher._curves import bracket_tp, counts_between
from thresher._inference.rates import proportion_interval
from thresher._inference.sampling import check_whole
from thresher._table import Batch, Counts, Needs, padded_counts
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Classes, Measure, Span
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["PrecisionAtDepth", "RecallAtDepth", "positives_at_depth"]


def positives_at_depth(batch: Batch, depth: FloatArray) -> FloatArray:
    """Return the expected positives among the first rows of each table, spread evenly over a tie."""
    rows = np.cumsum(batch.pos + batch.neg, axis=1)
    tp = np.cumsum(batch.pos, axis=1)
    at = np.minimum((rows < depth[:, None]).sum(axis=1), rows.shape[1] - 1)
    row = np.arange(at.size)
    here = batch.pos[row, at] + batch.neg[row, at]
    missing = rows[row, at] - np.minimum(depth, rows[row, -1])
    part = np.divide(missing, here, out=np.zeros_like(here), where=here > 0)
    return np.asarray(tp[row, at] - part * batch.pos[row, at])


def _found(table: Counts, depth: int) -> float:
    """Return the expected positives among the first rows; in a tie that crosses the depth they are spread evenly."""
    tp, fp = padded_counts(check_whole(table, "A depth"))
    place = np.asarray(float(min(depth, tp[-1] + fp[-1])))
    return float(counts_between(tp, bracket_tp(tp + fp, place)))


class _AtDepth(Measure):
    __slots__ = ()

    intervals: ClassVar[tuple[str, ...]] = ("bootstrap",)
    needs: ClassVar[Needs] = "ranks"
    monotone = True
    example = "for example `depth=10`"

    depth: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", check_count(self.depth, "depth", minimum=1))

    def _first(self, batch: Batch) -> FloatArray:
        return positives_at_depth(batch, np.full(batch.pos.shape[0], float(self.depth)))


@measure(held={"precision": ("depth",)})
@value
class PrecisionAtDepth(_AtDepth):
    """The proportion of positives among the first rows; a shorter list is filled up with negatives.

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
    classes: ClassVar[Classes] = "either"

    intervals = ("bayes", "bootstrap")
    weighted_interval = "bootstrap"

    @property
    def needs_balance(self) -> bool:
        """Precision refers to the class balance of the sample."""
        return True

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the limits of the proportion of positives among as many independent rows."""
        del options
        found = estimate.value * self.depth
        low, high = proportion_interval(found, self.depth, method=method, confidence_level=level)
        return float(low), float(high)

    def of(self, table: Counts) -> float:
        """Return the precision of a table."""
        return _found(table, self.depth) / self.depth

    def values(self, batch: Batch) -> FloatArray:
        """Return the precision of each table."""
        return self._first(batch) / self.depth


@measure(held={"recall": ("depth",)})
@value
class RecallAtDepth(_AtDepth):
    """The proportion of the positives that the first rows hold.

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
    classes: ClassVar[Classes] = "pos"

    @property
    def needs_balance(self) -> bool:
        """How many positives the first rows hold depends on how many there are."""
        return True

    def of(self, table: Counts) -> float:
        """Return the recall of a table."""
        return _found(table, self.depth) / table.n_pos

    def values(self, batch: Batch) -> FloatArray:
        """Return the recall of each table."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self._first(batch) / batch.totals[0])
