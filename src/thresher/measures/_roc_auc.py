"""The area under the ROC curve, the proportion of pairs in the right order; and the Gini coefficient."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher._core.many_sums import table_sums
from thresher._core.resampling import Requested
from thresher._core.values import value
from thresher._curves import roc_curve
from thresher._inference import ConfidenceInterval, auc_moments, cortes_mohri
from thresher._inference.bootstrap import replicate_areas
from thresher._inference.delong import (
    COUNT_METHODS,
    areas_of_sums,
    interval_from_counts,
    roc_influence,
    roc_spread,
    se_from_counts,
)
from thresher._inference.sampling import Influence, Kernel, Spread
from thresher._table import Batch, Counts, ManyTables, hard_calls, shared_ties
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import (
    Measure,
    Span,
    between_extremes,
    bounded_by_extremes,
)
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["Gini", "RocAuc", "roc_auc_value"]


@measure()
@value
class RocAuc(Measure):
    """The area under the ROC curve; tied pairs count one half.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> th.measures.RocAuc().of(scores)
    0.75
    >>> scores.measure("auc") == scores.roc_auc()
    True
    """

    name = "roc_auc"
    needs = "path"
    monotone = True
    smooth = True
    test = "delong"
    own_tests = ("delong", "venkatraman")
    exact_spread = True
    aliases = ("auc", "auroc", "roc_auc_score")
    label = "The area under the ROC curve"
    intervals = ("bayes", *COUNT_METHODS, "cortes-mohri", "bootstrap")
    weighted_interval = "delong-logit"

    def of(self, table: Counts) -> float:
        """Return the area of a table."""
        return between_extremes(table, roc_auc_value)

    def error_bound(self, table: Counts, found: float) -> float:
        """Return how far the area of the full data can be off."""
        return 0.0 if table._exact else bounded_by_extremes(table, found, roc_auc_value, roc_auc_value)

    def influence(self, table: Counts) -> Influence:
        """Return placements minus their mean: the proportion of the other class that a case beats."""
        return roc_influence(table)

    def spread(self, table: Counts, design: str = "random") -> Spread:
        """Return DeLong's variance, with clusters Obuchowski's; class totals play no part."""
        del design
        return roc_spread(table)

    def remarks(self, table: Counts, found: float) -> list[str]:
        """Return how much ties leave open, and whether the scores point the wrong way."""
        pairs = shared_ties(table).pairs if table._figures is None else table._figures.tied_pairs
        tied = float(pairs) / (table.n_pos * table.n_neg)
        lines = []
        if tied > 0:
            lines.append(
                f"{tied:.2%} of the pairs are tied; "
                f"breaking ties could give {found - tied / 2:.3g} to {found + tied / 2:.3g}"
            )
        if found < 0.5:
            lines.append("below one half: larger scores go with negatives; check `pos_label` and the sign of the score")
        note = hard_calls(table)
        return lines if note is None else [*lines, note]

    def interval(
        self, estimate: Estimate, level: float, method: str, options: IntervalOptions
    ) -> Span | ConfidenceInterval:
        """Return the interval by a method that needs no resampling."""
        if method == "cortes-mohri":
            errors = _errors(estimate.counts, options.threshold)
            return cortes_mohri(*errors, confidence_level=level, observed=estimate.value)
        if method == "bayes":
            return self.adverse_ends(estimate, level)
        low, high = interval_from_counts(estimate.counts, auc=estimate.value, method=method, confidence_level=level)
        return low, high

    def standard_error(self, estimate: Estimate, method: str, options: IntervalOptions) -> float:
        """Return the standard error by a method that needs no resampling."""
        if method == "cortes-mohri":
            return float(auc_moments(*_errors(estimate.counts, options.threshold)).sd)
        # The default interval is not made from a standard error; DeLong's is the spread of the area.
        return se_from_counts(estimate.counts, auc=estimate.value, method="delong" if method == "bayes" else method)

    @property
    def where_resampling_fails(self) -> str:
        """What answers where no resample differs from the data."""
        return "`scores.roc_auc().confidence_interval()` has length."

    def values(self, batch: Batch) -> FloatArray:
        """Return the area of each table."""
        return replicate_areas.roc_auc(batch.pos, batch.neg, batch.at)

    @property
    def kernel(self) -> Kernel:
        """The compiled bootstrap knows the area and DeLong's variance."""
        return Kernel(
            Requested(roc_auc=True),
            lambda found: np.asarray(found.roc_auc),
            Requested(delong=True),
            many=many_roc_areas,
        )

    def of_population(self, population: Any) -> float:
        """Return the population's area."""
        return float(population.roc_auc())


def many_roc_areas(tables: ManyTables) -> tuple[FloatArray, FloatArray]:
    """Return areas and DeLong's errors from exact sums."""
    return areas_of_sums(table_sums(tables.pos, tables.neg, tables.ends))


def roc_auc_value(counts: Counts) -> float:
    """Return U / (n_pos * n_neg): the correctly rounded quotient of integers unless the counts are weights."""
    if counts._figures is not None:
        return float(min(counts._figures.twice_u / (2 * counts.n_pos * counts.n_neg), 1.0))
    if counts._plain is not None:
        counts = counts._plain
    if not counts._whole:
        return float(min(counts._wins / (counts.n_pos * counts.n_neg), 1.0))
    return counts._twice_u / (2 * counts.n_pos * counts.n_neg)


def _errors(table: Counts, threshold: float | None) -> tuple[int, int, int]:
    """Return positives, negatives and errors at a threshold."""
    if threshold is None:
        raise InvalidInputError(
            "method='cortes-mohri' needs `threshold`: it uses the number of errors there and nothing else. "
            "Hint: for example `threshold=0.5`."
        )
    if table._weighted:
        raise InvalidInputError("method='cortes-mohri' must have row counts; got weights. Hint: use 'delong-logit'.")
    point = roc_curve(table).at(threshold=threshold)
    return int(point.n_pos), int(point.n_neg), int(point.fp + point.fn)


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
    bounds = (-1.0, 1.0)

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
