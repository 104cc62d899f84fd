"""The area under the ROC curve: the share of pairs in which the positive stands above the negative."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher._core.many_sums import table_sums
from thresher._core.resampling import Replicates, Wanted
from thresher._core.sums import accurate_sum
from thresher._core.values import value
from thresher._curves import roc_curve
from thresher._inference import ConfidenceInterval, auc_moments, cortes_mohri
from thresher._inference.bootstrap import replicate_areas
from thresher._inference.delong import (
    COUNT_METHODS,
    areas_of_sums,
    delong_covariance,
    interval_from_counts,
    roc_influence,
    roc_spread,
    se_from_counts,
)
from thresher._inference.influence import Influence, Spread
from thresher._table import Counts, ManyTables, hard_calls, shared_ties
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import (
    Measure,
    Span,
    between_extremes,
    bounded_by_extremes,
)
from thresher.measures._registry import measure
from thresher.typing import BoolArray, CountArray, FloatArray, IntArray

__all__ = ["RocAuc", "roc_auc_value"]


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
    aliases = ("auc", "auroc")
    label = "The area under the ROC curve"
    citation = "J. A. Hanley and B. J. McNeil (1982), doi:10.1148/radiology.143.1.7063747"
    intervals = ("bayes", *COUNT_METHODS, "cortes-mohri", "bootstrap")
    weighted_interval = "delong-logit"
    tests = ("delong", "bootstrap", "permutation", "venkatraman")

    def of(self, table: Counts) -> float:
        """Return the area of a table."""
        return between_extremes(table, roc_auc_value)

    def error_bound(self, table: Counts, found: float) -> float:
        """Return how far the area of the full data can be off."""
        return 0.0 if table.exact else bounded_by_extremes(table, found, roc_auc_value, roc_auc_value)

    def influence(self, table: Counts) -> Influence:
        """Return placements minus their mean: the share of the other class that a case beats."""
        return roc_influence(table)

    def spread(self, table: Counts, design: str = "random") -> Spread:
        """Return DeLong's variance, with clusters Obuchowski's; class totals play no part."""
        del design
        return roc_spread(table)

    def remarks(self, table: Counts, found: float) -> list[str]:
        """Return how much ties leave open, and whether the scores point the wrong way."""
        pairs = shared_ties(table).pairs if table.figures is None else table.figures.tied_pairs
        tied = float(pairs) / (table.n_pos * table.n_neg)
        lines = []
        if tied > 0:
            lines.append(
                f"{tied:.2%} of the pairs are tied; "
                f"breaking ties could give {found - tied / 2:.6g} to {found + tied / 2:.6g}"
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

    def of_replicates(self, pos: FloatArray, neg: FloatArray, at: replicate_areas.Columns) -> FloatArray:
        """Return the area of each table."""
        return replicate_areas.roc_auc(pos, neg, at)

    def wanted(self) -> Wanted:
        """Return what the compiled bootstrap measures."""
        return Wanted(roc_auc=True)

    def measured(self, found: Replicates) -> FloatArray:
        """Return the areas that it measured."""
        return np.asarray(found.roc_auc)

    @property
    def has_variance(self) -> bool:
        """DeLong's."""
        return True

    def variances(
        self, pos: FloatArray, neg: FloatArray, at: replicate_areas.Columns, *, stratified: bool
    ) -> FloatArray:
        """Return DeLong's variance of each table's area; class totals play no part."""
        del stratified
        enough = (pos.sum(axis=1) > 1) & (neg.sum(axis=1) > 1)
        out = np.full(pos.shape[0], np.nan)
        out[enough] = replicate_areas.delong_variances(pos[enough], neg[enough], at)
        return out

    def variances_wanted(self) -> Wanted:
        """Return what the compiled bootstrap measures for variances."""
        return Wanted(delong=True)

    def pulls(self, tables: tuple[FloatArray, FloatArray], units: tuple[IntArray, IntArray]) -> Any:
        """Return (units, influence of each) by column: placement minus area, over the class total."""
        pos, neg = tables
        beaten = neg.sum() - np.cumsum(neg) + neg / 2.0
        above = np.cumsum(pos) - pos / 2.0
        out = []
        for count, wins, others, unit in ((pos, beaten, neg.sum(), units[0]), (neg, above, pos.sum(), units[1])):
            share = wins / others
            mean = float((count * share).sum() / count.sum())
            each = np.divide(count, unit, out=np.zeros_like(count), where=unit > 0)
            out.append((unit.astype(np.float64), each * (share - mean) / count.sum()))
        return out

    def of_list(self, table: Counts, unseen: int) -> float:
        """Return the area of the documents returned."""
        del unseen
        return self.of(table)

    @property
    def needs_negatives(self) -> bool:
        """A list of positives has no pairs."""
        return True

    def of_groups(self, sums: FloatArray) -> FloatArray:
        """Return the areas from twice U and the totals."""
        return np.asarray(sums[:, 3] / (2.0 * sums[:, 1] * sums[:, 2]))

    def of_tables(self, tables: ManyTables) -> tuple[FloatArray, FloatArray]:
        """Return areas and DeLong's errors from exact sums."""
        return areas_of_sums(table_sums(tables.pos, tables.neg, tables.ends))

    def difference_variances(
        self, positive: BoolArray, scores: Any, weight: Any, groups: Any = None
    ) -> tuple[FloatArray, float]:
        """Return DeLong's variances of differences."""
        found = delong_covariance(positive, scores, weight=weight, groups=groups)
        return found.difference_variance, found.df

    def of_population(self, population: Any) -> float:
        """Return the population's area."""
        return float(population.roc_auc())

    def population_sigma(self, population: Any, *, random: bool) -> float:
        """Return the asymptotic standard deviation; the class totals play no part."""
        del random
        return float(population.roc_auc_sigma())


def roc_auc_value(counts: Counts) -> float:
    """Return U / (n_pos * n_neg): the correctly rounded quotient of integers unless the counts are weights."""
    if counts.figures is not None:
        return float(min(counts.figures.twice_u / (2 * counts.n_pos * counts.n_neg), 1.0))
    if counts.squares is not None and counts.plain is not None:
        return roc_auc_value(counts.plain)
    if not counts.whole:
        below: CountArray = counts.n_neg - counts.fp
        wins = accurate_sum(counts.pos * (below + counts.neg / 2))
        return float(min(wins / (counts.n_pos * counts.n_neg), 1.0))
    return counts.twice_u / (2 * counts.n_pos * counts.n_neg)


def _errors(table: Counts, threshold: float | None) -> tuple[int, int, int]:
    """Return positives, negatives and errors at a threshold."""
    if threshold is None:
        raise InvalidInputError(
            "method='cortes-mohri' needs `threshold`: it uses the number of errors there and nothing else. "
            "Hint: for example `threshold=0.5`."
        )
    if table.weighted:
        raise InvalidInputError(
            "method='cortes-mohri' must have numbers of rows; got weights. Hint: use 'delong-logit'."
        )
    point = roc_curve(table).at(threshold=threshold)
    return int(point.n_pos), int(point.n_neg), int(point.fp + point.fn)
