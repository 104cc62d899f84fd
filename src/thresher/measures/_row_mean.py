"""What measures share that are means over rows: a loss for each positive and each negative, by its score."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher._curves import check_probabilities
from thresher._inference.bootstrap import table_for
from thresher._inference.sampling import Influence, Spread, check_weights, mean_influence, sampling_of
from thresher._table import Batch, Counts
from thresher.exceptions import UndefinedMetricError
from thresher.measures._measure import Measure
from thresher.typing import FloatArray

__all__ = ["RowMean"]


class RowMean(Measure):
    """The mean over rows of a value that depends on the row's score and label; its variance is that of the rows."""

    __slots__ = ()

    classes = "either"
    test = "normal"
    intervals: ClassVar[tuple[str, ...]] = ("normal", "bootstrap")

    def of_rows(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the value of a positive and of a negative at each score."""
        raise NotImplementedError

    def _rows_of(self, table: Counts) -> tuple[FloatArray, FloatArray]:
        return self.of_rows(check_probabilities(table, self.label))

    def of(self, table: Counts) -> float:
        """Return the mean of a table."""
        pos, neg = self._rows_of(table)
        return (_dot(table.pos, pos) + _dot(table.neg, neg)) / float(table.n_pos + table.n_neg)

    def values(self, batch: Batch) -> FloatArray:
        """Return the mean of each table."""
        pos, neg = self.of_rows(np.asarray(batch.scores, dtype=np.float64))
        sums = sum(_times(counts, loss) for counts, loss in ((batch.pos, pos), (batch.neg, neg)))
        return np.asarray(sums / sum(batch.totals))

    def influence(self, table: Counts) -> Influence:
        """Return the value of each score less the mean of its class, as parts of all rows."""
        pos, neg = self._rows_of(table)
        own = np.concatenate((pos[table.pos > 0], neg[table.neg > 0]))
        if not np.isfinite(own).all():
            raise UndefinedMetricError(f"{self.label} is infinite, so its rows have no variance.")
        return mean_influence(pos, neg, table)

    def spread(self, table: Counts, design: str = "random") -> Spread:
        """Return the variance of the mean: of independent rows their own, without the factor n / (n - 1)."""
        if design != "random" or not table.independent or not table.counted:
            check_weights(table)
            table = table_for(table, self)
            return sampling_of(table).spread(self.influence(table), design=design, corrected=False)
        check_weights(table)
        value = self.of(table)
        if math.isinf(value):
            raise UndefinedMetricError(f"{self.label} is infinite, so its rows have no variance.")
        pos, neg = self._rows_of(table)
        total = float(table.n_pos + table.n_neg)
        return Spread((_dot(table.pos, (pos - value) ** 2) + _dot(table.neg, (neg - value) ** 2)) / total**2)


def _times(counts: FloatArray, values: FloatArray) -> FloatArray:
    """Return the sums of counts times values of each table; 0 x inf is 0."""
    wild = ~np.isfinite(values)
    found = counts @ np.where(wild, 0.0, values)
    if wild.any():
        found = np.where(counts[:, wild].any(axis=1), np.inf, found)
    return np.asarray(found)


def _dot(counts: NDArray[Any], values: FloatArray) -> float:
    """Return the sum of counts times values; 0 x inf is 0."""
    if np.isfinite(values.max(initial=0.0)):
        terms = np.asarray(counts * values)
    else:
        with np.errstate(invalid="ignore"):
            terms = np.where(counts == 0, 0.0, counts * values)
    return math.fsum(terms.tolist()) if terms.size <= 4096 else float(terms.sum())
