"""The Gini coefficient: twice the area under the ROC curve, less one."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher._core.resampling import Requested
from thresher._core.values import value
from thresher._inference import ConfidenceInterval
from thresher._inference.sampling import Kernel
from thresher._table import Batch, Counts, ManyTables
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Influence, Measure, Span
from thresher.measures._registry import measure
from thresher.measures._roc_auc import RocAuc, many_roc_areas
from thresher.typing import FloatArray

__all__ = ["Gini"]

_AREA = RocAuc()


@measure()
@value
class Gini(Measure):
    """Somers' D of the labels: 2 AUC - 1; 0 for a useless ranking.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).measure("gini").value
    0.5
    """

    name = "gini"
    aliases = ("somers_d",)
    label = "The Gini coefficient"
    intervals = tuple(name for name in RocAuc.intervals if name != "cortes-mohri")
    weighted_interval = "delong-logit"
    needs = "path"
    exact_spread = True
    monotone = True

    @property
    def bounds(self) -> Span:
        """From always wrong to always right."""
        return (-1.0, 1.0)

    def of(self, table: Counts) -> float:
        """Return the coefficient of a table."""
        return 2.0 * _AREA.of(table) - 1.0

    def error_bound(self, table: Counts, found: float) -> float:
        """Return twice that of the area."""
        return 2.0 * _AREA.error_bound(table, (found + 1.0) / 2.0)

    def influence(self, table: Counts) -> Influence:
        """Return twice that of the area."""
        return _AREA.influence(table).scaled(2.0)

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return that of the area, stretched."""
        found: Any = _AREA.interval(_AREA.estimate(estimate.counts), level, method, options)
        low, high = (found.low, found.high) if isinstance(found, ConfidenceInterval) else found
        return 2.0 * low - 1.0, 2.0 * high - 1.0

    def standard_error(self, estimate: Estimate, method: str, options: IntervalOptions) -> float:
        """Return twice that of the area."""
        return 2.0 * _AREA.standard_error(_AREA.estimate(estimate.counts), method, options)

    def values(self, batch: Batch) -> FloatArray:
        """Return the coefficient of each table."""
        return 2.0 * _AREA.values(batch) - 1.0

    @property
    def kernel(self) -> Kernel:
        """That of the area."""
        return Kernel(Requested(roc_auc=True), lambda found: 2.0 * np.asarray(found.roc_auc) - 1.0, many=_many)

    def of_population(self, population: Any) -> float:
        """Return the population's coefficient."""
        return 2.0 * float(_AREA.of_population(population)) - 1.0


def _many(tables: ManyTables) -> tuple[FloatArray, FloatArray]:
    area, error = many_roc_areas(tables)
    return 2.0 * area - 1.0, 2.0 * error
