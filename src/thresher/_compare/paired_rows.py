"""Several models on the same rows, checked, and what single rows add to their values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_frequency, as_labels, as_scores, as_vector, as_weights, unequal, warn_of_order
from thresher._core.checks import show
from thresher._core.factorise import factorised
from thresher._core.frames import frame_columns
from thresher._core.order import canonical_order, row_placements
from thresher._core.sums import refuse_sum
from thresher._inference.delong import paired_differences
from thresher._inference.sampling import (
    CensoredTables,
    CensoredUnits,
    Influence,
    Moments,
    Sampling,
    Units,
    UnitTables,
    make_units,
    rows_sampling,
)
from thresher._table import (
    Counts,
    Grid,
    Outcome,
    all_equal,
    as_clusters,
    check_two_classes,
    grid_of,
    row_columns,
    table_at_time,
)
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure, RocAuc
from thresher.typing import ArrayLike, BoolArray, FloatArray, ScoreArray


@dataclass(frozen=True)
class PairedRows:
    """Labels, the scores of each model, weights and clusters, row by row; None for equal weights and no clusters."""

    positive: BoolArray
    names: tuple[str, ...]
    scores: tuple[ScoreArray, ...]
    weight: NDArray[Any] | None = None
    cluster: NDArray[Any] | None = None
    outcomes: tuple[Outcome, ...] | None = None
    """Of an outcome in time whose weights are estimated: all its rows, with the scores of each model."""
    place: NDArray[np.intp] | None = None
    """Where row r stands among them."""
    seen: tuple[BoolArray | None, ...] | None = None
    """Which rows each model scored, of models that did not all score all rows; None for all rows."""

    def counts(self, model: int) -> Counts:
        """Return the count table of one model."""
        if self.outcomes is not None:
            return table_at_time(Counts, self.outcomes[model])
        seen = None if self.seen is None else self.seen[model]
        rows = self if seen is None else self.take(np.flatnonzero(seen))
        return Counts(rows.positive, rows.scores[model], sample_weight=rows.weight, cluster=rows.cluster)

    def models(self, chosen: Sequence[int]) -> PairedRows:
        """Return the rows with these of the models."""
        names, scores = tuple(self.names[k] for k in chosen), tuple(self.scores[k] for k in chosen)
        outcomes = None if self.outcomes is None else tuple(self.outcomes[k] for k in chosen)
        seen = None if self.seen is None else tuple(self.seen[k] for k in chosen)
        return replace(self, names=names, scores=scores, outcomes=outcomes, seen=seen)

    def take(self, rows: NDArray[np.intp]) -> PairedRows:
        """Return the rows with these numbers, in their order."""
        return PairedRows(
            self.positive[rows],
            self.names,
            tuple(column[rows] for column in self.scores),
            None if self.weight is None else self.weight[rows],
            None if self.cluster is None else self.cluster[rows],
            self.outcomes,
            None if self.place is None else self.place[rows],
            None if self.seen is None else tuple(None if one is None else one[rows] for one in self.seen),
        )

    @property
    def sampling(self) -> Sampling:
        """How the rows were drawn, each a score of its own."""
        weight = None if self.weight is None else self.weight.astype(np.float64)
        rows = None if self.outcomes is None else self.outcomes[0]
        return rows_sampling(self.positive, weight, self.cluster, rows, self.place)

    def units(self, *, stratified: bool | None) -> Units:
        """Return what is drawn together: rows, or clusters of them."""
        if self.outcomes is not None:
            return CensoredUnits(self.outcomes[0])
        return make_units(self.positive, self.cluster, stratified=stratified)

    def table(self, model: int, counted: Counts, units: Units, measure: Measure) -> UnitTables:
        """Return the table of one model, counted already, as a function of how often each unit occurs."""
        grid = grid_of(measure.needs, counted.thresholds, counted.pos, counted.neg, measure.cut)
        if self.outcomes is not None:
            rows = self.outcomes[model]
            return CensoredTables(rows, grid.column[rows.cells(counted.thresholds)], grid, keep=False)
        column = row_columns(counted.thresholds, self.scores[model], grid)
        weight = None if self.weight is None else self.weight.astype(np.float64)
        return UnitTables(self.positive, column, units, grid, weight)


def read_rows(
    y_true: ArrayLike,
    y_scores: Any,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    frequency: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    outcome: Outcome | None = None,
    seen: Mapping[str, ArrayLike] | None = None,
    several: bool = True,
) -> PairedRows:
    """Check labels, models, weights and clusters; rows of weight 0 are left out, rows for several are repeated.

    An `outcome` in time stands for the labels, the weights and the clusters; `seen` says which rows models scored.
    `several` demands two models and both classes, which a comparison has.
    """
    y_scores = as_models(y_scores, least=2 if several else 1)
    if outcome is not None:
        return _rows_at_time(outcome, y_scores)
    positive = as_labels(y_true, pos_label).copy()  # someone may change theirs meanwhile
    scores, masks = [], []
    for name, values in y_scores.items():
        mask, column = _seen(name, values, positive.size, seen)
        scores.append(score_column(name, column, y_true, positive.size))
        masks.append(mask)
    weight = None if sample_weight is None else as_weights(sample_weight, positive.size, beside="y_true").copy()
    members = None if cluster is None else as_clusters(cluster, positive.size)
    rows = PairedRows(positive, tuple(y_scores), tuple(scores), weight, members, seen=tuple(masks) if seen else None)
    if frequency is not None:
        times = as_frequency(frequency, positive.size, beside="y_true").astype(np.intp)
        rows = rows.take(np.repeat(np.arange(times.size), times))
    return _in_order(rows, both=several)


def _seen(
    name: str, given: ArrayLike, size: int, seen: Mapping[str, ArrayLike] | None
) -> tuple[BoolArray | None, ArrayLike]:
    """Return which rows a model scored, None for all, and its scores, of which those of other rows do not count."""
    if seen is None or name not in seen:
        return None, given
    mask = as_vector(seen[name], f"seen[{name!r}]")
    if mask.size != size:
        raise unequal(f"seen[{name!r}]", mask.size, "y_true", size)
    if mask.dtype.kind not in "biuf" or not np.isin(mask, (0, 1)).all():
        raise InvalidInputError(f"`seen[{name!r}]` must hold True and False; got dtype {mask.dtype}.")
    rows, column = mask.astype(np.bool_), np.array(given)
    if column.shape != (size,):
        raise unequal(f"y_scores[{name!r}]", len(column), "y_true", size)
    if not rows.any():
        raise InvalidInputError(f"`seen[{name!r}]` must hold a row; got none.")
    column[~rows] = column[rows][0]
    return rows, column


def _in_order(rows: PairedRows, *, both: bool = True) -> PairedRows:
    """Return the rows in an order of their own, and refuse them if a class is missing."""
    rows = rows.take(_canonical(rows))
    if rows.outcomes is None and rows.weight is not None and rows.weight.size and all_equal(rows.weight):
        rows = replace(rows, weight=None)
    if rows.outcomes is None and rows.cluster is not None and np.unique(rows.cluster).size == rows.cluster.size:
        rows = replace(rows, cluster=None)  # each row is a cluster of its own
    if not rows.positive.size:
        raise InvalidInputError("`sample_weight` and `frequency` must leave some rows; got only zeros.")
    if both:
        _check_sums(rows.positive, rows.weight)
    return rows


def _rows_at_time(outcome: Outcome, y_scores: Mapping[str, ArrayLike]) -> PairedRows:
    """Return the rows whose status at the horizon is known, with those behind their weights."""
    columns = tuple(
        score_column(name, values, outcome.time, outcome.before, beside="time") for name, values in y_scores.items()
    )
    columns = tuple(outcome.of_given(column) for column in columns)
    kept = np.flatnonzero(outcome.checked().kept)
    positive, scores = outcome.positive[kept], tuple(column[kept] for column in columns)
    weight = outcome.weight if outcome.plain else outcome.mass
    members = None if outcome.unit is None else outcome.unit[kept]
    rows = PairedRows(positive, tuple(y_scores), scores, None if weight is None else weight[kept], members)
    if not outcome.estimated:
        return _in_order(rows)
    outcomes = tuple(outcome.scored(column) for column in columns)
    return _in_order(replace(rows, outcomes=outcomes, place=kept))


def as_models(y_scores: object, *, least: int = 2) -> Mapping[str, ArrayLike]:
    """Return the scores of models by name, of a mapping or a frame."""
    if not isinstance(y_scores, Mapping):
        columns = frame_columns(y_scores)
        if columns is None:
            raise InvalidTypeError(
                f"`y_scores` must map names to scores, or be a frame with a column for each; got "
                f'{type(y_scores).__name__}. Hint: for example `{{"old": old_scores, "new": new_scores}}`.'
            )
        y_scores = columns
    if len(y_scores) < least:
        raise InvalidInputError(
            f"`y_scores` must hold at least {('no', 'one model', 'two models')[least]}; got {len(y_scores)}. "
            "Hint: an interval for one model comes from `Scores.roc_auc().confidence_interval()`."
        )
    for name in y_scores:
        if not isinstance(name, str):
            raise InvalidTypeError(
                f"`y_scores` must have names that are text; got {show(name)}. Hint: for example {str(name)!r}."
            )
    return y_scores


def score_column(name: str, values: ArrayLike, y_true: ArrayLike, size: int, *, beside: str = "y_true") -> ScoreArray:
    """Return the scores of one model, checked."""
    label = f"y_scores[{name!r}]"
    if isinstance(values, Counts):
        raise InvalidTypeError(
            f"`{label}` must be the scores of rows, in the order of `y_true`; got a Scores, which has no rows. "
            "Hint: pass the array that it was made from; tables of independent samples go to "
            "`compare_unpaired(a, b)`."
        )
    column = as_scores(values, label)
    if column.size != size:
        raise unequal(label, column.size, beside, size)
    warn_of_order(y_true, values, label)
    # -0.0 and 0.0 are one score; adding 0 writes both alike.
    return column + column.dtype.type(0) if column.dtype.kind == "f" else column.copy()


def _canonical(rows: PairedRows) -> NDArray[np.intp]:
    """Return the rows that have a weight, in an order that does not depend on how they were stored."""
    # By name, so that it does not matter which model was given first.
    keys: list[NDArray[Any]] = [
        column for _, column in sorted(zip(rows.names, rows.scores, strict=True), key=itemgetter(0))
    ]
    keys += [rows.positive, *(one for one in rows.seen or () if one is not None)]
    if rows.weight is not None:
        keys.append(rows.weight)
    if rows.cluster is not None:
        keys.append(factorised(rows.cluster)[1])
    order = canonical_order(keys)
    return order if rows.weight is None else order[rows.weight[order] > 0]


def _check_sums(positive: BoolArray, weight: NDArray[Any] | None) -> None:
    """Refuse rows in which a class is missing or too heavy, without sorting any scores."""
    each = np.ones(positive.size, dtype=np.int64) if weight is None else weight
    if each.dtype.kind != "f":
        refuse_sum(each[positive], "positive")
        refuse_sum(each[~positive], "negative")
    totals = np.array([each[positive].sum()]), np.array([each[~positive].sum()])
    check_two_classes(Counts._from_table((np.zeros(1), *totals)), "A comparison")


def doubled_midranks(scores: ScoreArray) -> NDArray[np.int64]:
    """Return twice the rank of each row, lowest first; tied rows share the mean of their ranks."""
    _, cell, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    doubled: NDArray[np.int64] = (2 * ends - counts + 1)[cell.reshape(-1)]
    return doubled


FEW = 10
"""Fewer cases of a class than this do not tell their own spread; a test on them is said to be rough."""

_RESAMPLED = "its intervals are resampled, `Scores.measure(...).confidence_interval()`."


def own_influence(
    measure: Measure, table: Counts, scores: ScoreArray, positive: BoolArray, *, plain: bool
) -> tuple[FloatArray, float]:
    """Return the influence value of each row of a table for its own class, and the derivative by the odds.

    `plain` says that rows count alike.
    """
    if plain and measure == RocAuc():
        up, down = row_placements(scores, positive)  # whole numbers, and quicker than a search for each row
        out = np.empty(positive.size)
        out[positive] = up / (2.0 * down.size)
        out[~positive] = down / (2.0 * up.size)
        return out - measure.of(table), 0.0
    found = measure.needed_influence(table, _RESAMPLED)
    place = row_columns(table.thresholds, scores, Grid(np.arange(len(table)), table.thresholds))
    return np.where(positive, found.pos[place], found.neg[place]), found.odds


def row_influences(rows: PairedRows, measure: Measure, tables: Sequence[Counts]) -> list[Influence]:
    """Return the influence of every row on the value of each model, as if each row were a score of its own."""
    out = []
    for scores, table in zip(rows.scores, tables, strict=True):
        found = measure.needed_influence(table)
        place = row_columns(table.thresholds, scores, Grid(np.arange(len(table)), table.thresholds))
        out.append(Influence(found.pos[place], found.neg[place], found.odds))
    return out


def difference_variances(rows: PairedRows, measure: Measure, tables: Sequence[Counts]) -> tuple[FloatArray, float]:
    """Return the variance of the difference between each two models on the same rows, and its degrees of freedom."""
    if measure == RocAuc() and rows.weight is None and rows.cluster is None:
        # Placements are whole numbers: their sums are exact.
        return paired_differences(rows.positive, rows.scores), math.inf
    design, influences = rows.sampling, row_influences(rows, measure, tables)
    out, df = np.zeros((len(tables), len(tables))), math.inf
    for i, j in combinations(range(len(tables)), 2):
        a, b = influences[i], influences[j]
        out[i, j], df = design.spread(Influence(a.pos - b.pos, a.neg - b.neg, a.odds - b.odds))
        out[j, i] = out[i, j]
    return out, df


def class_moments(rows: PairedRows, measure: Measure, tables: Sequence[Counts]) -> Moments:
    """Return the covariance of models on the same rows of each class, and the part of each class in it."""
    return rows.sampling.moments(row_influences(rows, measure, tables), design="fixed")
