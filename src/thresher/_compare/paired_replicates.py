"""Replicates of several models at once: paired bootstrap, exchanges within rows, samples that are independent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher._compare.paired_rows import PairedRows, doubled_midranks
from thresher._compare.roc_path_distance import path, paths_apart
from thresher._core.random_streams import Key, Progress, Stream, batch_rows, run_batches
from thresher._inference.sampling import Draws, cluster_codes
from thresher._table import Batch, Counts, Needs, grid_of
from thresher.measures import Measure
from thresher.typing import FloatArray

__all__ = ["Effort", "bootstrap_values", "exchange_values", "split_key", "unpaired_bootstrap_values"]


@dataclass(frozen=True, slots=True)
class Effort:
    """How many replicates, and how the work is done; only the first two decide the numbers."""

    n_resamples: int
    key: Key
    batch_size: int | None = None
    workers: int = 1
    progress: Progress | None = None

    def rows(self, width: int) -> int:
        """Return how many replicates are worked on at once."""
        return batch_rows(width) if self.batch_size is None else self.batch_size


def split_key(key: Key, parts: int) -> list[Key]:
    """Return keys of independent streams."""
    words = np.random.SeedSequence([int(word) for word in key]).generate_state(2 * parts, np.uint64)
    return [words[2 * i : 2 * i + 2].astype(np.uint64) for i in range(parts)]


def bootstrap_values(
    rows: PairedRows, counted: Sequence[Counts], measure: Measure, effort: Effort, *, stratified: bool | None
) -> FloatArray:
    """Return the metric of each model (columns) in each resample of the rows or clusters (rows)."""
    units = rows.units(stratified=stratified)
    tables = [rows.table(model, own, units, measure) for model, own in enumerate(counted)]

    def work(first: int, count: int) -> FloatArray:
        times = units.draw(effort.key, first, count)
        batches = [Batch(*table.tables(times), table.at, table.scores) for table in tables]
        return np.stack([measure.values(batch) for batch in batches], axis=1)

    size = effort.rows(rows.positive.size)
    return run_batches(work, effort.n_resamples, rows=size, workers=effort.workers, progress=effort.progress)


def unpaired_bootstrap_values(plans: tuple[Draws, Draws], measure: Measure, effort: Effort) -> FloatArray:
    """Return the metric of two independent samples (columns) in each resample (rows)."""
    keys = split_key(effort.key, 2)

    def work(first: int, count: int) -> FloatArray:
        return np.stack(
            [plan.values(measure, key, first, count) for plan, key in zip(plans, keys, strict=True)], axis=1
        )

    size = min(plan.rows_at_once(measure) for plan in plans) if effort.batch_size is None else effort.batch_size
    return run_batches(work, effort.n_resamples, rows=size, workers=effort.workers, progress=effort.progress)


class Exchange:
    """Models made comparable, whose scores can be exchanged within rows without sorting again.

    For measures of ranks each model's scores become midranks; all values of all models form one grid. A replicate deals
    those of each row (or of each cluster, with the same deal for all its rows) anew among the models, and counts on the
    grid.
    """

    def __init__(self, rows: PairedRows, needs: Needs = "path", threshold: float | None = None) -> None:
        by_rank = needs in ("path", "ranks")
        values = np.stack([doubled_midranks(column) if by_rank else column for column in rows.scores])
        distinct, cells = np.unique(values, return_inverse=True)
        cells = distinct.size - 1 - cells.reshape(values.shape)
        of_pos, of_neg = (
            np.bincount(cells[:, side].ravel(), minlength=distinct.size) for side in (rows.positive, ~rows.positive)
        )
        grid = grid_of(needs, distinct[::-1], of_pos, of_neg, threshold)
        run = grid.column
        self.models = len(rows.names)
        self.width, self.scores = grid.width, grid.scores
        self.at: NDArray[np.intp] = np.flatnonzero(grid.summed(of_pos))
        self._sides = []
        size = rows.positive.size
        of_row = np.arange(size) if rows.cluster is None else cluster_codes(rows.cluster, size)[1]
        self.units = int(of_row.max()) + 1
        for side in (rows.positive, ~rows.positive):
            weight = None if rows.weight is None else rows.weight[side].astype(np.float64)
            self._sides.append((run[cells[:, side]], of_row[side], weight))

    def observed(self) -> list[tuple[FloatArray, FloatArray]]:
        """Return the tables of the models as they are, each as one row."""
        deal = np.repeat(np.arange(self.models)[:, None], self.units, axis=1)
        return self._tables(deal[None])

    def draw(self, key: Key, first: int, count: int) -> list[tuple[FloatArray, FloatArray]]:
        """Return the tables of each model in replicates `first` to `first + count - 1`."""
        stream = Stream(key)
        deals = np.empty((count, self.models, self.units), dtype=np.intp)
        for row in range(count):
            generator = stream.at(first + row)
            if self.models == 2:
                deals[row, 0] = generator.integers(2, size=self.units, dtype=np.int8)
            else:
                deals[row] = np.argsort(generator.random((self.models, self.units)), axis=0)
        if self.models == 2:
            np.subtract(1, deals[:, 0], out=deals[:, 1])
        return self._tables(deals)

    def _tables(self, deals: NDArray[np.intp]) -> list[tuple[FloatArray, FloatArray]]:
        """Count on the grid when model m of table i gets, in unit u, the ranks of model ``deals[i, m, u]``."""
        rows = deals.shape[0]
        shape = (rows, self.width)
        first = np.arange(rows)[:, None] * self.width
        out = []
        for model in range(self.models):
            tables = []
            for cells, unit, weight in self._sides:
                dealt = (cells[np.take(deals[:, model], unit, axis=1), np.arange(unit.size)] + first).ravel()
                weights = None if weight is None else np.tile(weight, rows)
                tables.append(np.bincount(dealt, weights, rows * self.width).reshape(shape).astype(np.float64))
            out.append((tables[0], tables[1]))
        return out


def exchange_values(rows: PairedRows, measure: Measure, effort: Effort) -> tuple[FloatArray, FloatArray]:
    """Return the metric of each model, and in each replicate that exchanges ranks or scores within rows."""
    exchange = Exchange(rows, measure.needs, measure.cut)

    def values(tables: list[tuple[FloatArray, FloatArray]]) -> FloatArray:
        batches = [Batch(pos, neg, exchange.at, exchange.scores) for pos, neg in tables]
        return np.stack([measure.values(batch) for batch in batches], axis=1)

    def work(first: int, count: int) -> FloatArray:
        return values(exchange.draw(effort.key, first, count))

    size = effort.rows(exchange.width)
    drawn = run_batches(work, effort.n_resamples, rows=size, workers=effort.workers, progress=effort.progress)
    return values(exchange.observed())[0], drawn


def exchange_distances(rows: PairedRows, effort: Effort) -> tuple[float, FloatArray]:
    """Return Venkatraman's statistic of two models on the same rows, and in each exchange of their ranks."""
    exchange = Exchange(rows)
    n, n_pos = rows.positive.size, int(rows.positive.sum())
    grid = np.arange(1, n) / n

    def distances(tables: list[tuple[FloatArray, FloatArray]]) -> FloatArray:
        a, b = (path(pos, neg, n_pos / n) for pos, neg in tables)
        # Both call k of n cases, so a missed positive is a false alarm too: errors differ by twice the positives.
        return 2.0 * n_pos * paths_apart(a, b, grid)

    def work(first: int, count: int) -> FloatArray:
        return distances(exchange.draw(effort.key, first, count))

    size = effort.rows(max(exchange.width, n))
    drawn = run_batches(work, effort.n_resamples, rows=size, workers=effort.workers, progress=effort.progress)
    return float(distances(exchange.observed())[0]), drawn


def at_least(drawn: FloatArray, observed: float) -> float:
    """Return the p value (1 + how many replicates reach the observed value) / (1 + replicates)."""
    # Sums that are equal on paper may differ in the last digits.
    slack = 1e-10 * max(abs(observed), 1e-3)
    # A replicate without a value counts against the finding.
    return (1.0 + float(np.count_nonzero(~(drawn < observed - slack)))) / (1.0 + drawn.size)


def permutation_pvalue(drawn: FloatArray, observed: float, alternative: str) -> float:
    """Return the p value of a difference among its values in permutations."""
    if alternative == "two-sided":
        return at_least(np.abs(drawn), abs(observed))
    return at_least(drawn, observed) if alternative == "greater" else at_least(-drawn, -observed)


def bootstrap_pvalue(drawn: FloatArray, null: float, alternative: str) -> float:
    """Return the p value that inverts percentile intervals: how far the null lies in the tail of the replicates."""
    size = drawn.size + 1.0
    # A replicate without a value counts against the finding.
    below = (1.0 + np.count_nonzero(~(drawn > null + 1e-12))) / size
    above = (1.0 + np.count_nonzero(~(drawn < null - 1e-12))) / size
    if alternative == "two-sided":
        return float(min(1.0, 2.0 * min(below, above)))
    return float(below if alternative == "greater" else above)


def ratio(difference: float, se: float) -> float:
    """Return difference / standard error, 0 where both are 0 and infinite where only the latter is."""
    if se > 0.0:
        return difference / se
    return 0.0 if difference == 0.0 else math.copysign(math.inf, difference)
