"""What figures of the ROC convex hull share: only ranks matter, and intervals are reflected."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from thresher._curves import HullBlocks, hull_blocks
from thresher._inference.bootstrap import Columns
from thresher._table import Counts, running_counts
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Measure, Span
from thresher.typing import FloatArray

__all__ = ["HullFigure"]


class HullFigure(Measure):
    """A figure of the blocks of isotonic regression.

    The hull picks the best points of the sample, so estimates are too good; a percentile interval would double that.
    """

    __slots__ = ()

    intervals: ClassVar[tuple[str, ...]] = ("basic",)
    tests = ("permutation", "bootstrap")

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return the figure of blocks of positives and negatives, highest score first."""
        raise NotImplementedError

    def of(self, table: Counts) -> float:
        """Return the figure of a table."""
        return self.of_blocks(hull_blocks(*running_counts(table)), float(table.n_pos), float(table.n_neg))

    def of_replicates(self, pos: FloatArray, neg: FloatArray, at: Columns) -> FloatArray:
        """Return the figure of each table."""
        del at
        out = np.empty(pos.shape[0])
        for i in range(out.size):
            seen = (pos[i] > 0.0) | (neg[i] > 0.0)
            whole = bool((pos[i] == np.floor(pos[i])).all() and (neg[i] == np.floor(neg[i])).all())
            kind = np.int64 if whole else np.float64
            tp, fp = np.cumsum(pos[i][seen]).astype(kind), np.cumsum(neg[i][seen]).astype(kind)
            out[i] = self.of_blocks(hull_blocks(tp, fp), float(tp[-1]), float(fp[-1]))
        return out

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return twice the value less the quantiles of resamples."""
        del method
        drawn = self.resampled(estimate.counts, options).replicates
        tail = (1.0 - level) / 2.0
        upper, lower = np.quantile(drawn, (1.0 - tail, tail))
        return 2.0 * estimate.value - float(upper), 2.0 * estimate.value - float(lower)

    def standard_error(self, estimate: Estimate, method: str, options: IntervalOptions) -> float:
        """Return the standard deviation of resamples."""
        del method
        return self.resampled(estimate.counts, options).standard_error
