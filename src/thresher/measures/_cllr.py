"""The log-likelihood-ratio cost, as it is and as recalibration would leave it."""

from __future__ import annotations

import math

import numpy as np

from thresher._core.checks import check_prevalence
from thresher._core.values import value
from thresher._curves import HullBlocks, check_probabilities
from thresher._inference import normal_quantile
from thresher._inference.calibration import ProperScore, best_and_constant
from thresher._inference.influence import check_weights, clusters_of, influence_spread
from thresher._table import Counts
from thresher.exceptions import UndefinedMetricError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._hull_figure import HullFigure
from thresher.measures._measure import Influence, Measure, Span
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["Cllr", "MinCllr"]

_CITATION = "N. Bruemmer and J. du Preez (2006), doi:10.1016/j.csl.2005.08.001"


@measure()
@value
class Cllr(Measure):
    """The mean surprise in bits of likelihood ratios at even prior odds; 1 says nothing, smaller is better.

    Parameters
    ----------
    prevalence : float, optional
        The share of positives at which the scores are probabilities; that of the data by default.

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
    citation = _CITATION
    intervals = ("normal",)
    tests = ()
    grows = False

    def __post_init__(self) -> None:
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))

    @property
    def bounds(self) -> Span:
        """From 0 without end."""
        return (0.0, float("inf"))

    def _losses(self, table: Counts) -> tuple[FloatArray, FloatArray]:
        x = check_probabilities(table, self.label)
        share = table.prevalence if self.prevalence is None else self.prevalence
        with np.errstate(divide="ignore"):
            log = np.log(x) - np.log1p(-x) + math.log((1.0 - share) / share)
        return np.logaddexp(0.0, -log) / math.log(2.0), np.logaddexp(0.0, log) / math.log(2.0)

    def of(self, table: Counts) -> float:
        """Return the mean of the classes' means."""
        return sum(mean for mean, _ in self._sides(table)) / 2.0

    def _sides(self, table: Counts) -> list[tuple[float, float]]:
        """Return mean and variance of the losses in each class."""
        out = []
        for counts, losses, total in zip(
            (table.pos, table.neg), self._losses(table), (table.n_pos, table.n_neg), strict=True
        ):
            with np.errstate(invalid="ignore"):
                mean = math.fsum(np.where(counts == 0, 0.0, counts * losses).tolist()) / total
                spread = np.where(counts == 0, 0.0, counts * (losses - mean) ** 2)
            out.append((mean, math.inf if math.isinf(mean) else float(spread.sum()) / total))
        return out

    def standard_error(self, estimate: Estimate, method: str, options: IntervalOptions) -> float:
        """Return the root of the classes' variances, with the prevalence taken as known."""
        del method, options
        if math.isinf(estimate.value):
            raise UndefinedMetricError(f"{self.label} is infinite, so its rows have no variance.")
        table = estimate.counts
        (pos_mean, pos), (neg_mean, neg) = self._sides(table)
        if table.weighted or clusters_of(table) is not None:
            check_weights(table)
            losses = zip(self._losses(table), (pos_mean, neg_mean), (table.pos, table.neg), strict=True)
            above, below = (np.where(weight > 0, (loss - mean) / 2.0, 0.0) for loss, mean, weight in losses)
            return math.sqrt(influence_spread(Influence(above, below), table).variance)
        return math.sqrt(pos / table.n_pos + neg / table.n_neg) / 2.0

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the normal interval."""
        reach = normal_quantile(level) * self.standard_error(estimate, method, options)
        return estimate.value - reach, estimate.value + reach


@measure()
@value
class MinCllr(HullFigure):
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
    citation = _CITATION
    grows = False

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return the log score of the blocks at even odds."""
        return best_and_constant(ProperScore("log"), blocks, n_pos, n_neg, 0.5)[0] / math.log(2.0)
