"""What measures share that are means over rows: a loss for each positive and each negative, by its score."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.sums import dot
from thresher._curves import check_probabilities
from thresher._inference.influence import Spread, check_weights, clusters_of, influence_spread, mean_influence, quantile
from thresher._table import Counts
from thresher.exceptions import UndefinedMetricError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Influence, Measure, Span
from thresher.typing import BoolArray, FloatArray

__all__ = ["RowMean"]


class RowMean(Measure):
    """The mean over rows of a value that depends on the row's score and label; its variance is that of the rows."""

    __slots__ = ()

    intervals: ClassVar[tuple[str, ...]] = ("normal",)
    tests = ("normal",)
    grows = False

    def of_rows(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the value of a positive and of a negative at each score."""
        raise NotImplementedError

    @property
    def needs_balance(self) -> bool:
        """The mean is over rows of both classes."""
        return True

    def _values(self, table: Counts) -> tuple[FloatArray, FloatArray]:
        return self.of_rows(check_probabilities(table, self.label))

    def of(self, table: Counts) -> float:
        """Return the mean of a table."""
        pos, neg = self._values(table)
        return (_dot(table.pos, pos) + _dot(table.neg, neg)) / float(table.n_pos + table.n_neg)

    def influence(self, table: Counts) -> Influence:
        """Return the value of each score less the mean of its class, as shares of all rows."""
        return mean_influence(*self._values(table), table)

    def standard_error(self, estimate: Estimate, method: str, options: IntervalOptions) -> float:
        """Return the standard deviation of the rows over the root of their number."""
        del method, options
        return math.sqrt(self._spread(estimate).variance)

    def _spread(self, estimate: Estimate) -> Spread:
        table = estimate.counts
        if math.isinf(estimate.value):
            raise UndefinedMetricError(f"{self.label} is infinite, so its rows have no variance.")
        if table.weighted or clusters_of(table) is not None:
            check_weights(table)
            return influence_spread(self.influence(table), table, design="random")
        pos, neg = self._values(table)
        total = float(table.n_pos + table.n_neg)
        squares = _dot(table.pos, (pos - estimate.value) ** 2) + _dot(table.neg, (neg - estimate.value) ** 2)
        return Spread(squares / total**2)

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the mean and its normal interval."""
        del method, options
        spread = self._spread(estimate)
        reach = quantile(level, spread.df) * math.sqrt(spread.variance)
        return estimate.value - reach, estimate.value + reach

    def difference_variances(
        self, positive: BoolArray, scores: Any, weight: Any, groups: Any = None
    ) -> tuple[FloatArray, float]:
        """Return the variance of the mean difference between each two scorers on the same rows."""
        del groups  # refused where the rows are read
        rows = np.stack([np.where(positive, *self.of_rows(np.asarray(s, dtype=np.float64))) for s in scores])
        if not np.isfinite(rows).all():
            raise UndefinedMetricError(f"{self.label} is infinite for one of the scorers, so they cannot be compared.")
        w = np.ones(positive.size) if weight is None else np.asarray(weight, dtype=np.float64)
        out = np.zeros((rows.shape[0], rows.shape[0]))
        for i in range(rows.shape[0]):
            for j in range(i):
                gaps = rows[i] - rows[j]
                mean = dot(w, gaps) / float(w.sum())
                out[i, j] = out[j, i] = float(np.square(w * (gaps - mean)).sum()) / float(w.sum()) ** 2
        return out, math.inf


def _dot(counts: NDArray[Any], values: FloatArray) -> float:
    """Return the sum of counts times values, where none of an infinite value is none."""
    with np.errstate(invalid="ignore"):
        terms = np.where(counts == 0, 0.0, counts * values)
    return math.fsum(terms.tolist()) if terms.size <= 4096 else float(terms.sum())
