"""The log-likelihood-ratio cost, as it is and as recalibration would leave it."""

from __future__ import annotations

import math

import numpy as np

from thresher._core.checks import check_prevalence
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._curves import HullBlocks, check_probabilities
from thresher._inference.calibration import ProperScore, best_and_constant
from thresher._inference.sampling import Influence
from thresher._table import Counts
from thresher.exceptions import UndefinedMetricError
from thresher.measures._hull_measure import HullMeasure
from thresher.measures._measure import Measure
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["Cllr", "MinCllr"]


@measure()
@value
class Cllr(Measure):
    """The mean surprise in bits of likelihood ratios at even prior odds; 1 says nothing, smaller is better.

    Parameters
    ----------
    prevalence : float, optional
        The proportion of positives at which the scores are probabilities; that of the data by default.

    Examples
    --------
    >>> import thresher as th
    >>> round(th.Scores([1, 0, 1, 0], [0.8, 0.4, 0.6, 0.1]).measure("cllr").value, 4)
    0.487
    """

    prevalence: float | None = None

    name = "cllr"
    better = "lower"
    label = "The log-likelihood-ratio cost"
    intervals = ("normal", "bootstrap")
    test = "normal"
    bounds = (0.0, float("inf"))

    def __post_init__(self) -> None:
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))

    def _losses(self, table: Counts) -> tuple[FloatArray, FloatArray]:
        x = check_probabilities(table, self.label)
        share = table.prevalence if self.prevalence is None else self.prevalence
        with np.errstate(divide="ignore"):
            log = np.log(x) - np.log1p(-x) + math.log((1.0 - share) / share)
        return np.logaddexp(0.0, -log) / math.log(2.0), np.logaddexp(0.0, log) / math.log(2.0)

    def of(self, table: Counts) -> float:
        """Return the mean of the classes' means."""
        return math.fsum(self._means(table)) / 2.0

    def _means(self, table: Counts) -> list[float]:
        """Return the mean loss in each class."""
        out = []
        for counts, losses in zip((table.pos, table.neg), self._losses(table), strict=True):
            with np.errstate(invalid="ignore"):
                out.append(math.fsum(np.where(counts == 0, 0.0, counts * losses).tolist()) / float(counts.sum()))
        return out

    def influence(self, table: Counts) -> Influence:
        """Return the losses less their mean; with the data's own prevalence also how it moves them."""
        means = self._means(table)
        if not all(map(math.isfinite, means)):
            raise UndefinedMetricError(f"{self.label} is infinite, so its rows have no variance.")
        weights = table.pos, table.neg
        losses = zip(self._losses(table), means, weights, strict=True)
        pos, neg = (np.where(weight > 0, (loss - mean) / 2.0, 0.0) for loss, mean, weight in losses)
        odds = 0.0
        if self.prevalence is None:
            # A loss L in bits has the slope 1 - 2^-L in its log odds.
            slopes = [
                np.where(w > 0, 1.0 - np.exp2(-loss), 0.0) for loss, w in zip(self._losses(table), weights, strict=True)
            ]
            means = [dot(slope, weight) / float(weight.sum()) for slope, weight in zip(slopes, weights, strict=True)]
            odds = (means[1] - means[0]) / (2.0 * math.log(2.0))
        return Influence(pos, neg, odds)


@measure()
@value
class MinCllr(HullMeasure):
    """The least log-likelihood-ratio cost, in bits, that a recalibration of the scores leaves; needs ranks only.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).measure("min_cllr").value
    0.5
    """

    name = "min_cllr"
    better = "lower"
    aliases = ("cllr_min",)
    label = "The least log-likelihood-ratio cost"
    monotone = True

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return the log score of the blocks at even odds."""
        return best_and_constant(ProperScore("log"), blocks, n_pos, n_neg, 0.5)[0] / math.log(2.0)
