"""The bootstrap from labels and scores: single rows, weighted rows, or whole groups."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_frequency, as_labels, as_scores, as_weights
from thresher._core.order import canonical_order
from thresher._inference.bootstrap.distribution import (
    BootstrapDistribution,
    Resampled,
    bootstrap_table,
    classes_apart,
    run_bootstrap,
    table_for,
    warn_few,
)
from thresher._inference.bootstrap.resampling import Resampling
from thresher._inference.sampling import UnitDraws, UnitTables, make_units
from thresher._table import Counts, Outcome, all_equal, as_clusters, grid_of, row_columns, scored_table
from thresher.typing import ArrayLike

__all__ = ["bootstrap_rows"]


def bootstrap_rows(
    y_true: ArrayLike | None,
    y_score: ArrayLike,
    measure: Resampled,
    resampling: Resampling,
    *,
    cluster: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    frequency: ArrayLike | None = None,
    pos_label: object = None,
    outcome: Outcome | None = None,
) -> BootstrapDistribution:
    """Resample cases, or whole clusters of cases, and measure each resample."""
    if outcome is not None:
        timed = scored_table(Counts, outcome, y_score)._even
        measure.estimate(timed)  # refuses what the measure cannot be computed on
        by_chance = resampling.stratified is None and measure.needs_balance
        return bootstrap_table(timed, measure, replace(resampling, stratified=False) if by_chance else resampling)
    assert y_true is not None  # noqa: S101  # for the type checker
    counts = Counts(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, frequency=frequency, cluster=cluster
    )._even
    measure.estimate(counts)  # refuses what the measure cannot be computed on
    if cluster is None and table_for(counts, measure)._independent:
        return bootstrap_table(counts, measure, resampling)
    positive, scores = as_labels(y_true, pos_label).copy(), as_scores(y_score).copy()
    weight = None if sample_weight is None else as_weights(sample_weight, scores.size)
    members = None if cluster is None else as_clusters(cluster, scores.size)
    if frequency is not None:
        # A row stands for several, each drawn by itself, or with its cluster.
        times = as_frequency(frequency, scores.size)
        repeated = np.repeat(np.arange(scores.size), times)
        positive, scores = positive[repeated], scores[repeated]
        weight, members = (_taken(column, repeated) for column in (weight, members))
    if weight is not None:  # a row without weight is not there, and rows of one weight have none
        kept = np.flatnonzero(weight > 0)
        positive, scores, members, weight = positive[kept], scores[kept], _taken(members, kept), weight[kept]
        weight = None if all_equal(weight) else weight
    codes = None if members is None else np.unique(members, return_inverse=True)[1].reshape(-1)
    # The same draws for the same rows, however they were stored.
    order = canonical_order([column for column in (scores, positive, weight, codes) if column is not None])
    positive, scores, weight = positive[order], scores[order], _taken(weight, order)
    units = make_units(positive, _taken(members, order), stratified=classes_apart(measure, resampling.stratified))
    unit = "case" if cluster is None else "cluster"
    if len(units.strata) == 2:
        n_pos, n_neg = (stratum.size for stratum in units.strata)
        warn_few(n_pos, n_neg, measure, unit=unit)
    grid = grid_of(measure.needs, counts.thresholds, counts.pos, counts.neg, measure.cut)
    table = UnitTables(positive, row_columns(counts.thresholds, scores, grid), units, grid, weight)
    return run_bootstrap(UnitDraws(units, table, unit=unit), measure, resampling, counts)


def _taken(column: NDArray[Any] | None, rows: NDArray[np.intp]) -> NDArray[Any] | None:
    return None if column is None else column[rows]
