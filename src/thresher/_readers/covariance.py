"""Values of a measure by modality and reader, and their covariance from the cases that they share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher._compare.paired_rows import own_influence
from thresher._core.random_streams import Rng, batch_rows, run_batches, stream_key
from thresher._inference.sampling import Cases, Units, UnitTables
from thresher._readers.readings import Readings
from thresher._table import Batch, Counts, Grid, grid_of, row_columns
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Confusion, Measure, RocAuc
from thresher.typing import FloatArray

COVARIANCES = ("influence", "unbiased", "jackknife", "bootstrap")
_AT_ONCE = 2**22


class ReadingValues(NamedTuple):
    """The values of all cells, their covariance over cases, and how that was found."""

    values: FloatArray
    covariance: FloatArray
    method: str
    bias: FloatArray | None = None
    """By how much values are too high on average, if resampling shows it."""


def measured(
    readings: Readings, measure: Measure, method: str | None, design: str, n_resamples: int, rng: Rng
) -> ReadingValues:
    """Return the values and their covariance; without a method by influence values if the measure has them."""
    tables = [readings.table(cell) for cell in range(readings.modality.size)]
    values = np.array([measure.estimate(table).value for table in tables])
    for cell in np.flatnonzero(~np.isfinite(values)).tolist():
        raise UndefinedMetricError(
            f"{measure.title!r} must be defined for every reader; for {readings.named(cell)} it is {values[cell]}. "
            "Hint: leave that reader out, or choose another threshold."
        )
    smooth = all(measure.influence(table) is not None for table in tables)
    chosen = ("influence" if smooth else "bootstrap") if method is None else method
    if chosen == "influence" and not smooth:
        raise InvalidInputError(
            f"`covariance` must not be 'influence' for {measure.title!r}, which has no influence values; got it. "
            "Hint: pass 'bootstrap'."
        )
    shifts = measure.needs_balance and design == "random"
    bias = None
    if chosen == "influence":
        found = _crossproducts(_influence_columns(readings, measure, tables, shifts))
    elif chosen == "jackknife":
        found = _crossproducts(_jackknife_columns(readings, measure, tables))
    elif chosen == "bootstrap":
        found, centre = _bootstrapped(
            readings, measure, tables, stratified=not shifts, n_resamples=n_resamples, rng=rng
        )
        bias = centre - values
    elif isinstance(measure, RocAuc):
        found = _unbiased_areas(readings)
    elif isinstance(measure, Confusion) and measure.cells.share is not None and measure.cells.free:
        # Of a proportion the usual variance is the unbiased one.
        found = _crossproducts(_influence_columns(readings, measure, tables, shifts))
    else:
        raise InvalidInputError(
            f"`covariance` must not be 'unbiased' for {measure.title!r}: it is known for the ROC area and for "
            "proportions within a class. Hint: leave it out."
        )
    return ReadingValues(values, found, chosen, bias)


def _crossproducts(columns: FloatArray) -> FloatArray:
    """Return the sums of products of each two rows, in an order that depends on their length alone."""
    return np.asarray(np.einsum("in,jn->ij", columns, columns))


def _influence_columns(readings: Readings, measure: Measure, tables: list[Counts], shifts: bool) -> FloatArray:
    """Return what each case adds to the value of each cell; 0 for cases that it has not."""
    cases = Cases(len(readings.cases))
    columns = []
    for cell, table in enumerate(tables):
        rows, positive = readings.rows(cell), readings.positive(cell)
        influence, odds = own_influence(measure, table, readings.rating[rows], positive, plain=True)
        beta = odds if shifts else 0.0
        columns.append(cases.values(influence, positive, odds=beta, rows=readings.case[rows]))
    return np.stack(columns)


def _jackknife_columns(readings: Readings, measure: Measure, tables: list[Counts]) -> FloatArray:
    """Return the same from the values with each case left out; cases of one class and rating share a value."""
    columns = np.zeros((len(tables), len(readings.cases)))
    for cell, table in enumerate(tables):
        rows, positive = readings.rows(cell), readings.positive(cell)
        grid = _grid(measure, table)
        place = row_columns(table.thresholds, readings.rating[rows], grid)
        seen = {"both": np.ones_like(positive), "pos": positive, "neg": ~positive}.get(
            measure.classes, np.ones_like(positive)
        )
        left = np.zeros(positive.size)
        sides = [grid.summed(one).astype(np.float64) for one in (table.pos, table.neg)]
        at = np.flatnonzero(sides[0])
        for side, members in enumerate((positive, ~positive)):
            taken, which = np.unique(place[members], return_inverse=True)
            values = np.empty(taken.size)
            for part in np.array_split(np.arange(taken.size), -(-taken.size * grid.width // _AT_ONCE) or 1):
                both = [np.repeat(one[None], part.size, axis=0) for one in sides]
                both[side][np.arange(part.size), taken[part]] -= 1.0
                values[part] = measure.values(Batch(both[0], both[1], at, grid.scores))
            left[members] = values[which.reshape(-1)]
        n = int(seen.sum())
        away = np.where(seen, left - left[seen].mean(), 0.0)
        columns[cell, readings.case[rows]] = np.sqrt((n - 1.0) / n) * away
    if not np.isfinite(columns).all():
        raise UndefinedMetricError(
            f"{measure.title!r} must be defined with any case left out for covariance='jackknife'; it is not. "
            "Hint: leave `covariance` out."
        )
    return columns


def _grid(measure: Measure, table: Counts) -> Grid:
    """Return the columns on which the measure has the same value."""
    return grid_of(measure.needs, table.thresholds, table.pos, table.neg, measure.cut)


def _bootstrapped(
    readings: Readings, measure: Measure, tables: list[Counts], *, stratified: bool, n_resamples: int, rng: Rng
) -> tuple[FloatArray, FloatArray]:
    """Return the covariance over resamples of cases, the same in all cells, and the mean.

    Resamples in which a cell has no value are left out.
    """
    units = Units(np.arange(len(readings.cases)), readings.truth, stratified=stratified)
    drawn = []
    for cell, table in enumerate(tables):
        rows, positive, grid = readings.rows(cell), readings.positive(cell), _grid(measure, table)
        members = Units(readings.case[rows], positive, stratified=False)
        place = row_columns(table.thresholds, readings.rating[rows], grid)
        drawn.append(UnitTables(positive, place, members, grid))
    key = stream_key(rng)

    def work(first: int, count: int) -> FloatArray:
        times = units.draw(key, first, count)
        return np.stack([measure.values(Batch(*one.tables(times), one.at, one.scores)) for one in drawn], axis=1)

    replicates = run_batches(work, n_resamples, rows=batch_rows(max(units.size, *(one.width for one in drawn))))
    kept = replicates[np.isfinite(replicates).all(axis=1)]
    if kept.shape[0] < n_resamples / 2:
        raise UndefinedMetricError(
            f"{measure.title!r} must be defined in most resamples of cases; it is in {kept.shape[0]:,} of "
            f"{n_resamples:,}. Hint: some cells have too few cases of a class."
        )
    centre = kept.mean(axis=0)
    return np.asarray(_crossproducts((kept - centre).T) / (kept.shape[0] - 1.0)), centre


def _unbiased_areas(readings: Readings) -> FloatArray:
    """Return Gallas' unbiased covariances of ROC areas, from whole numbers: pairs of pairs that share no case.

    References
    ----------
    .. [1] B. D. Gallas, "One-shot estimate of MRMC variance: AUC", Academic Radiology 13 (2006), 353-362.
       https://doi.org/10.1016/j.acra.2005.11.030
    """
    k = readings.modality.size
    pos, neg = np.flatnonzero(readings.truth), np.flatnonzero(~readings.truth)
    ratings = np.full((k, len(readings.cases)), np.nan)
    read = np.zeros(ratings.shape, dtype=np.bool_)
    for cell in range(k):
        case = readings.case[readings.rows(cell)]
        ratings[cell, case] = np.unique(readings.rating[readings.rows(cell)], return_inverse=True)[1].reshape(-1)
        read[cell, case] = True
    up, down = ratings[:, pos], ratings[:, neg]
    of_neg, by_pos, by_pair = np.zeros((k, neg.size)), np.zeros((k, k)), np.zeros((k, k))
    totals = np.zeros(k)
    step = max(_AT_ONCE // max(k * neg.size, 1), 1)
    for first in range(0, pos.size, step):
        # Twice 1, 1/2 or 0 for each pair, so that sums are whole; comparisons with cases not read are false.
        part, below = up[:, first : first + step, None], down[:, None, :]
        twice = 2.0 * (part > below) + (part == below)
        of_pos = twice.sum(axis=2)
        of_neg += twice.sum(axis=1)
        totals += of_pos.sum(axis=1)
        by_pos += of_pos @ of_pos.T
        by_pair += twice.reshape(k, -1) @ twice.reshape(k, -1).T
    apart = np.outer(totals, totals) - by_pos - of_neg @ of_neg.T + by_pair
    n_pos, n_neg = read[:, pos].sum(axis=1), read[:, neg].sum(axis=1)
    shared = [read[:, side].astype(np.int64) @ read[:, side].T.astype(np.int64) for side in (pos, neg)]
    found = np.empty((k, k))
    for a, b in np.ndindex(k, k):
        pairs = int(n_pos[a]) * int(n_neg[a]) * int(n_pos[b]) * int(n_neg[b])
        both_pos, both_neg = int(shared[0][a, b]), int(shared[1][a, b])
        disjoint = (
            pairs - both_pos * int(n_neg[a] * n_neg[b]) - both_neg * int(n_pos[a] * n_pos[b]) + both_pos * both_neg
        )
        found[a, b] = (int(totals[a]) * int(totals[b]) * disjoint - int(apart[a, b]) * pairs) / (4 * pairs * disjoint)
    return found
