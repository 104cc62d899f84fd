"""What measures of the ROC convex hull share: only ranks matter, and intervals are reflected."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from thresher._curves import HullBlocks, hull_blocks
from thresher._table import Batch, Counts, Needs, running_counts
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Measure
from thresher.typing import FloatArray

__all__ = ["HullMeasure"]


class HullMeasure(Measure):
    """A measure of the blocks of isotonic regression.

    The hull picks the best points of the sample, so estimates are too good; a percentile interval would double that.
    """

    __slots__ = ()

    needs: ClassVar[Needs] = "path"
    test = "permutation"
    optimistic = True
    intervals: ClassVar[tuple[str, ...]] = ("bayes", "basic", "bootstrap")
    weighted_interval = "basic"

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return the value of blocks of positives and negatives, highest score first."""
        raise NotImplementedError

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Any:
        """Return the limits of weighted tables less the optimism of the hull, or the reflected bootstrap."""
        if method == "bayes":
            return self.adverse_ends(estimate, level)
        return super().interval(estimate, level, method, options)

    def of(self, table: Counts) -> float:
        """Return the value of a table."""
        return self.of_blocks(hull_blocks(*running_counts(table)), float(table.n_pos), float(table.n_neg))

    def values(self, batch: Batch) -> FloatArray:
        """Return the value of each table."""
        out = np.empty(batch.pos.shape[0])
        for i, (pos, neg) in enumerate(zip(batch.pos, batch.neg, strict=True)):
            seen = (pos > 0.0) | (neg > 0.0)
            whole = bool((pos == np.floor(pos)).all() and (neg == np.floor(neg)).all())
            kind = np.int64 if whole else np.float64
            tp, fp = np.cumsum(pos[seen]).astype(kind), np.cumsum(neg[seen]).astype(kind)
            out[i] = self.of_blocks(hull_blocks(tp, fp), float(tp[-1]), float(fp[-1]))
        return out
