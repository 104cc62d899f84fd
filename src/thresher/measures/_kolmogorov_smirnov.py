"""The Kolmogorov-Smirnov distance between the scores of the two classes."""

from __future__ import annotations

import numpy as np

from thresher._core.values import value
from thresher._curves import HullBlocks
from thresher._table import Batch
from thresher.measures._hull_measure import HullMeasure
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["KolmogorovSmirnov"]


@measure()
@value
class KolmogorovSmirnov(HullMeasure):
    """The largest TPR - FPR of all thresholds, which is the largest Youden index.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]).measure("ks").value.__round__(4)
    0.6667
    """

    name = "kolmogorov_smirnov"
    monotone = True
    aliases = ("ks",)
    label = "The Kolmogorov-Smirnov distance"

    def values(self, batch: Batch) -> FloatArray:
        """Return the largest difference of each table, over all columns."""
        (tp, fp), (n_pos, n_neg) = (np.cumsum(side, axis=1) for side in (batch.pos, batch.neg)), batch.totals
        gaps = tp / n_pos[:, None] - fp / n_neg[:, None]
        return np.asarray(np.maximum(gaps.max(axis=1), 0.0))

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return the largest difference, which is at a vertex of the hull."""
        gaps = np.cumsum(blocks.pos) / n_pos - np.cumsum(blocks.neg) / n_neg
        return max(float(gaps.max()), 0.0)
