"""The bootstrap from labels and scores: single rows, weighted rows, or whole groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_frequency, as_labels, as_scores, as_vector, as_weights
from thresher._core.order import canonical_order
from thresher._inference.bootstrap.distribution import BootstrapDistribution, bootstrap_table, run_bootstrap, warn_few
from thresher._inference.bootstrap.measured import Measured
from thresher._inference.bootstrap.resampling import Resampling
from thresher._inference.bootstrap.row_resampling import RowPlan, RowTable, as_groups, make_units
from thresher._table import Counts, check_two_classes
from thresher.typing import ArrayLike

__all__ = ["bootstrap_rows"]


def bootstrap_rows(
    y_true: ArrayLike,
    y_score: ArrayLike,
    measure: Measured,
    resampling: Resampling,
    *,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    frequency: ArrayLike | None = None,
    pos_label: object = None,
) -> BootstrapDistribution:
    """Resample cases, or whole groups of cases, and measure each resample."""
    counts = Counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, frequency=frequency)
    check_two_classes(counts, "The bootstrap")
    if groups is None and counts.squares is None:
        return bootstrap_table(counts, measure, resampling)
    positive, scores = as_labels(y_true, pos_label).copy(), as_scores(y_score).copy()
    weight = None if sample_weight is None else as_weights(sample_weight, scores.size)
    members, of_row = (
        (None, None) if groups is None else (as_vector(groups, "groups"), as_groups(groups, scores.size)[1])
    )
    if frequency is not None:
        # A row stands for several, each drawn by itself, or with its group.
        times = as_frequency(frequency, scores.size)
        repeated = np.repeat(np.arange(scores.size), times)
        positive, scores = positive[repeated], scores[repeated]
        weight, members, of_row = (_taken(column, repeated) for column in (weight, members, of_row))
    # The same draws for the same rows, however they were stored.
    order = canonical_order([column for column in (scores, positive, weight, of_row) if column is not None])
    if weight is not None:
        order = order[weight[order] > 0]
    positive, scores, weight = positive[order], scores[order], _taken(weight, order)
    units = make_units(positive, _taken(members, order), stratified=resampling.stratified)
    if len(units.strata) == 2:
        n_pos, n_neg = (stratum.size for stratum in units.strata)
        warn_few(n_pos, n_neg, measure, unit="case" if groups is None else "group")
    plan = RowPlan(units, RowTable(positive, scores, units, weight=weight, path_only=measure.path_only))
    return run_bootstrap(plan, measure, resampling)


def _taken(column: NDArray[Any] | None, rows: NDArray[np.intp]) -> NDArray[Any] | None:
    return None if column is None else column[rows]
