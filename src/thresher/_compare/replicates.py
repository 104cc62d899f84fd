"""Replicates of several models at once: paired bootstrap, exchanges within rows, independent samples dealt anew."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from thresher._compare.pair_tests import Effort
from thresher._compare.paired_rows import PairedRows, doubled_midranks
from thresher._core.order import descending_order
from thresher._core.paired_resampling import Together, laid_out, measure_together, summed_rows, tables_together
from thresher._core.random_streams import Key, Stream, batch_rows
from thresher._core.resampling import Requested, Tables
from thresher._inference.sampling import Draws, asked_of, at_once, cluster_codes, unit_values, units_at_once
from thresher._table import Batch, Counts, Needs, grid_of
from thresher.measures import Measure
from thresher.typing import FloatArray, IntArray

# A hypergeometric draw costs about as much as moving this many cases.
_MARGINAL_COST = 20


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
        return unit_values(units, tables, measure, effort.key, first, count)

    return effort.run(work, units_at_once(units, tables, measure))


def unpaired_bootstrap_values(plans: tuple[Draws, Draws], measure: Measure, effort: Effort) -> FloatArray:
    """Return the metric of two independent samples (columns) in each resample (rows)."""
    keys = split_key(effort.key, 2)

    def work(first: int, count: int) -> FloatArray:
        return np.stack(
            [plan.values(measure, key, first, count) for plan, key in zip(plans, keys, strict=True)], axis=1
        )

    return effort.run(work, min(plan.rows_at_once(measure) for plan in plans))


class Deals:
    """Cases of several models or samples on one grid, dealt anew among them in each replicate."""

    width: int
    scores: FloatArray | None
    at: NDArray[np.intp]
    total: int
    weight: float
    """The prevalence, which is the weight of the TPR in the proportion of cases predicted positive."""
    factor: float
    over: float
    """By what the distance of two paths is multiplied, and then divided."""

    def observed(self) -> list[Tables]:
        """Return the tables as they are, each as one row."""
        raise NotImplementedError

    def draw(self, key: Key, first: int, count: int) -> list[Tables]:
        """Return the tables in replicates `first` to `first + count - 1`."""
        raise NotImplementedError

    def values(self, measure: Measure, effort: Effort) -> tuple[FloatArray, FloatArray]:
        """Return the metric of each table, and in each new deal."""

        def work(first: int, count: int) -> FloatArray:
            return self.drawn(measure, effort.key, first, count)

        drawn = effort.run(work, self.rows_at_once(measure))
        return self.measured(measure, self.observed())[0], drawn

    def distances(self, effort: Effort) -> tuple[float, FloatArray]:
        """Return Venkatraman's statistic, the distance of two ROC paths summed over ranks, and in each new deal."""
        grid = np.arange(1, self.total) / self.total

        def apart(tables: list[Tables]) -> FloatArray:
            a, b = (path(pos, neg, self.weight) for pos, neg in tables)
            return self.factor * paths_apart(a, b, grid) / self.over

        def work(first: int, count: int) -> FloatArray:
            return apart(self.draw(effort.key, first, count))

        drawn = effort.run(work, batch_rows(max(self.width, self.total)))
        return float(apart(self.observed())[0]), drawn

    def drawn(self, measure: Measure, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of each table (columns) in those replicates (rows)."""
        return self.measured(measure, self.draw(key, first, count))

    def measured(self, measure: Measure, tables: list[Tables]) -> FloatArray:
        """Return the metric of each table (columns)."""
        return np.stack([measure.values(Batch(*one, self.at, self.scores)) for one in tables], axis=1)

    def rows_at_once(self, measure: Measure) -> int:
        """Return how many replicates are worked on together by default."""
        del measure
        return batch_rows(self.width)


class Exchange(Deals):
    """Models made comparable, whose scores can be exchanged within rows without sorting again.

    For measures of ranks each model's scores become midranks; all values of all models form one grid. A replicate deals
    those of each row (or of each cluster, with the same deal for all its rows) anew among the models, and counts on the
    grid.
    """

    def __init__(self, rows: PairedRows, needs: Needs = "path", threshold: float | None = None) -> None:
        by_rank = needs in ("path", "ranks")
        values = np.stack([doubled_midranks(column) if by_rank else column for column in rows.scores])
        size, self.models = rows.positive.size, len(rows.names)
        n_pos = int(np.count_nonzero(rows.positive))
        self.total, self.weight = size, n_pos / size
        # Both predict k of n cases positive, so a missed positive is a false alarm too: errors differ by twice as many.
        self.factor, self.over = 2.0 * n_pos, 1.0
        order = descending_order(values.ravel())
        ordered = values.ravel()[order]
        cells = np.empty(order.size, dtype=np.intp)
        cells[order] = np.cumsum(np.append(False, ordered[1:] != ordered[:-1]))
        distinct = ordered[np.append(True, ordered[1:] != ordered[:-1])]
        positive = np.tile(rows.positive, self.models)
        of_pos, of_neg = (np.bincount(cells[side], minlength=distinct.size) for side in (positive, ~positive))
        grid = grid_of(needs, distinct, of_pos, of_neg, threshold)
        self.width, self.scores = grid.width, grid.scores
        self.at: NDArray[np.intp] = np.flatnonzero(grid.summed(of_pos))
        of_row = np.arange(size) if rows.cluster is None else cluster_codes(rows.cluster, size)[1]
        self.units = int(of_row.max()) + 1
        # The values of model m in unit u have a place of their own; what a deal puts there is who they belong to.
        place = (self.models * of_row + np.arange(self.models)[:, None]).ravel()
        weight = None if rows.weight is None else np.tile(rows.weight.astype(np.float64), self.models)
        self.rows = laid_out(positive, grid.column[cells], place, self.width, weight)
        self._swapped = self.rows._replace(unit=self.rows.unit ^ np.uint32(1))
        self._together = Together(np.ones(self.units, dtype=np.uint8), exchange=True)

    def observed(self) -> list[Tables]:
        """Return the tables of the models as they are, each as one row."""
        deal = np.repeat(np.arange(self.models)[:, None], self.units, axis=1)
        return self._dealt(deal[None])

    def draw(self, key: Key, first: int, count: int) -> list[Tables]:
        """Return the tables of each model in replicates `first` to `first + count - 1`."""
        if self.models == 2:
            return tables_together(self._together, [self.rows, self._swapped], **_drawn(key, first, count))
        stream = Stream(key)
        deals = np.empty((count, self.models, self.units), dtype=np.intp)
        for row in range(count):
            deals[row] = np.argsort(stream.at(first + row).random((self.models, self.units)), axis=0)
        return self._dealt(deals)

    def drawn(self, measure: Measure, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of each model, without tables if the compiled kernel knows it."""
        kernel, wanted = measure.kernel, self._asked(measure)
        if kernel is not None and kernel.read is not None and wanted is not None:
            tables = [self.rows, self._swapped]
            found = measure_together(self._together, tables, wanted, **_drawn(key, first, count))
            return np.stack([kernel.read(one) for one in found], axis=1)
        return super().drawn(measure, key, first, count)

    def rows_at_once(self, measure: Measure) -> int:
        """Return how many replicates are worked on together by default."""
        if self._asked(measure) is None:
            return batch_rows(self.width)
        return at_once(self.rows.unit.size)

    def _asked(self, measure: Measure) -> Requested | None:
        return asked_of(measure, [self.rows]) if self.models == 2 else None

    def _dealt(self, deals: NDArray[np.intp]) -> list[Tables]:
        """Count on the grid when model m of table i gets, in unit u, the values of model ``deals[i, m, u]``."""
        out = []
        for model in range(self.models):
            times = deals[:, model, :, None] == np.arange(self.models)
            out.append(summed_rows(times.reshape(deals.shape[0], -1), self.rows))
        return out


class _Drawn(TypedDict):
    seed: int
    first: int
    n_resamples: int


def _drawn(key: Key, first: int, count: int) -> _Drawn:
    return {"seed": int(key[0]), "first": first, "n_resamples": count}


class Pooling(Deals):
    """The cases of two samples on one scale, to be dealt anew within each class.

    For measures of ranks the score of a case is replaced by u = w TPR + (1 - w) FPR of its own sample's curve at that
    score, half way through ties, where w is the prevalence of both samples together. If the two populations have the
    same ROC curve, positives of both samples have the same distribution on this scale, and so have negatives, whatever
    the scales of the scores. Other measures are compared on the scores themselves.
    """

    def __init__(self, a: Counts, b: Counts, needs: Needs = "path", threshold: float | None = None) -> None:
        n_pos, n_neg = int(a.n_pos) + int(b.n_pos), int(a.n_neg) + int(b.n_neg)
        self.weight = n_pos / (n_pos + n_neg)
        self.total = n_pos + n_neg
        self.factor, self.over = 1.0, self.total
        by_rank = needs in ("path", "ranks")
        places = [self._places(counts) if by_rank else counts.thresholds for counts in (a, b)]
        distinct, cell = np.unique(np.concatenate(places), return_inverse=True)
        if not by_rank:  # the highest score comes first
            distinct, cell = distinct[::-1], distinct.size - 1 - cell
        cells = np.split(cell.reshape(-1), [places[0].size])
        tables = []
        for counts, where in zip((a, b), cells, strict=True):
            # Rounding may put two scores of one sample at the same place, so counts are added, not set.
            pos, neg = (
                np.bincount(where, weights=side, minlength=distinct.size).astype(np.int64)
                for side in (counts.pos, counts.neg)
            )
            tables.append((pos, neg))
        together = tables[0][0] + tables[1][0], tables[0][1] + tables[1][1]
        grid = grid_of(needs, distinct, *together, threshold)
        run = grid.column
        self.width, self.scores = grid.width, grid.scores
        self.at: NDArray[np.intp] = np.flatnonzero(grid.summed(together[0]))
        self._observed = [[self._merge(side, run) for side in table] for table in tables]
        self._together = [self._observed[0][side] + self._observed[1][side] for side in (0, 1)]
        self._sizes = [int(self._observed[0][side].sum()) for side in (0, 1)]
        self._cases = [
            np.repeat(np.arange(self.width), count.astype(np.intp))
            if int(count.sum()) < _MARGINAL_COST * self.width
            else None
            for count in self._together
        ]

    def _places(self, counts: Counts) -> FloatArray:
        found = (counts.tp - counts.pos / 2.0) / counts.n_pos
        false = (counts.fp - counts.neg / 2.0) / counts.n_neg
        return np.asarray(self.weight * found + (1.0 - self.weight) * false)

    def _merge(self, count: IntArray, run: NDArray[np.intp]) -> IntArray:
        return np.bincount(run, weights=count, minlength=self.width).astype(np.int64)

    def observed(self) -> list[Tables]:
        """Return the tables of both samples as they are, each as one row."""
        return [(pos[None].astype(np.float64), neg[None].astype(np.float64)) for pos, neg in self._observed]

    def draw(self, key: Key, first: int, count: int) -> list[Tables]:
        """Return the tables of both samples in replicates `first` to `first + count - 1`."""
        stream = Stream(key)
        out = [(np.empty((count, self.width)), np.empty((count, self.width))) for _ in range(2)]
        for row in range(count):
            generator = stream.at(first + row)
            for side, (together, size, cases) in enumerate(zip(self._together, self._sizes, self._cases, strict=True)):
                if cases is None:
                    dealt = generator.multivariate_hypergeometric(together, size, method="marginals")
                else:
                    dealt = np.bincount(generator.permutation(cases)[:size], minlength=self.width)
                out[0][side][row] = dealt
                out[1][side][row] = together - dealt
        return out


def path(pos: FloatArray, neg: FloatArray, weight: float) -> tuple[FloatArray, FloatArray]:
    """Return (u, TPR) after each column, from (0, 0), for tables in rows; `weight` is that of TPR in u."""
    found = np.cumsum(pos, axis=1) / pos.sum(axis=1, keepdims=True)
    false = np.cumsum(neg, axis=1) / neg.sum(axis=1, keepdims=True)
    start = np.zeros((pos.shape[0], 1))
    called = weight * found + (1.0 - weight) * false
    # Rounding must not leave the last point short of 1, where all cases are called.
    called[:, -1] = found[:, -1] = 1.0
    return np.concatenate((start, called), axis=1), np.concatenate((start, found), axis=1)


def paths_apart(a: tuple[FloatArray, FloatArray], b: tuple[FloatArray, FloatArray], grid: FloatArray) -> FloatArray:
    """Return, for each row, the sum over a grid of u of how far the TPRs of the two paths are apart."""
    out = np.empty(a[0].shape[0])
    for row in range(out.size):
        out[row] = np.abs(np.interp(grid, a[0][row], a[1][row]) - np.interp(grid, b[0][row], b[1][row])).sum()
    return out


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
