"""Whole units drawn again: rows or clusters, with weights that are given or estimated in each resample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_vector, unequal
from thresher._core.checks import show
from thresher._core.factorise import factorised
from thresher._core.paired_resampling import Together, laid_out, measure_together, summed_rows, tables_together
from thresher._core.random_streams import Key, batch_rows
from thresher._core.resampling import Requested, Tables, draw_until, resample_tables
from thresher._inference.sampling.draws import Draws, LeftOut, Measured, asked_of, at_once
from thresher._table import Batch, Clusters, Grid, Outcome
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, BoolArray, FloatArray

_NUMBERS_AT_ONCE = 2**21


class Units:
    """What is drawn: rows, or clusters of rows (`of_row`), as many from each stratum as it has."""

    def __init__(
        self, of_row: NDArray[np.intp], positive: BoolArray, negative: BoolArray | None = None, *, stratified: bool
    ) -> None:
        self.of_row = of_row
        self.size = int(of_row.max()) + 1
        sides = (positive, ~positive if negative is None else negative)
        self.has_pos, self.has_neg = (np.bincount(of_row, weights=side, minlength=self.size) > 0 for side in sides)
        everyone = np.arange(self.size)
        self.strata = (everyone[self.has_pos], everyone[~self.has_pos]) if stratified else (everyone,)

    @property
    def together(self) -> Together:
        """What is drawn, as the kernels take it."""
        first = np.zeros(self.size, dtype=np.uint8)
        first[self.strata[0]] = 1
        return Together(first)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.of_row.size

    @property
    def mixed(self) -> NDArray[np.intp]:
        """The units that hold both classes."""
        return np.flatnonzero(self.has_pos & self.has_neg)

    def draw(self, key: Key, first: int, count: int) -> FloatArray:
        """Return how often replicate `first + i` draws each unit, as row i."""
        # The strata are what the classes of a table are: each keeps its size, whatever its units are.
        strata = np.zeros((2, self.size), dtype=np.int64)
        for stratum, units in zip(strata, self.strata, strict=False):
            stratum[units] = 1

        def draw(first: int, count: int, attempt: int) -> Tables:
            return resample_tables(*strata, seed=int(key[0]), first=first, n_resamples=count, attempt=attempt)

        def usable(tables: Tables) -> BoolArray:
            both = [tables[0][:, has].any(axis=1) | (not has.any()) for has in (self.has_pos, self.has_neg)]
            return np.asarray(both[0] & both[1])

        if len(self.strata) == 2:
            first_stratum, second = draw(first, count, 0)
            return first_stratum + second
        # A sample without one of the classes has no curve: the distribution is that of samples with both.
        return draw_until(usable, draw, first, count)[0]

    def tables(self, tables: Sequence[UnitTables], key: Key, first: int, count: int) -> list[Tables]:
        """Return the tables of each model in replicates `first` to `first + count - 1`, by the compiled kernel."""
        rows = [table.rows for table in tables]
        return tables_together(self.together, rows, seed=int(key[0]), first=first, n_resamples=count)

    def wanted(self, tables: Sequence[UnitTables], measure: Measured) -> Requested | None:
        """Return what the compiled kernel computes for the measure, None if it does not know it."""
        return asked_of(measure, [table.rows for table in tables])


class UnitTables:
    """The table of one model as a function of how often each unit occurs; row r stands in column `column[r]`."""

    def __init__(
        self, positive: BoolArray, column: NDArray[np.intp], units: Units, grid: Grid, weight: FloatArray | None = None
    ) -> None:
        self.width, self.scores = grid.width, grid.scores
        self.rows = laid_out(positive, column, units.of_row, grid.width, weight)
        self.at: NDArray[np.intp] = np.flatnonzero(self.rows.pos)

    def tables(self, times: FloatArray) -> Tables:
        """Return the tables when unit u occurs `times[i, u]` times in table i."""
        return summed_rows(times, self.rows)

    def batch(self, tables: Tables) -> Batch:
        """Return tables as measures take them."""
        return Batch(*tables, self.at, self.scores)


def unit_values(
    units: Units, tables: Sequence[UnitTables], measure: Measured, key: Key, first: int, count: int
) -> FloatArray:
    """Return the metric of each table (columns) in these replicates (rows), by the kernel if it knows the measure."""
    kernel, wanted = measure.kernel, units.wanted(tables, measure)
    if kernel is not None and kernel.read is not None and wanted is not None:
        rows = [table.rows for table in tables]
        found = measure_together(units.together, rows, wanted, seed=int(key[0]), first=first, n_resamples=count)
        return np.stack([kernel.read(one) for one in found], axis=1)
    drawn = units.tables(tables, key, first, count)
    return np.stack([measure.values(table.batch(one)) for table, one in zip(tables, drawn, strict=True)], axis=1)


def units_at_once(units: Units, tables: Sequence[UnitTables], measure: Measured) -> int:
    """Return how many replicates are worked on together by default."""
    size = max(units.n_rows, *(table.width for table in tables))
    return batch_rows(size) if units.wanted(tables, measure) is None else at_once(size)


class UnitDraws(Draws):
    """Draws of whole units for one model."""

    most_left_out = 2**62  # all of them

    def __init__(self, units: Units, table: UnitTables, *, unit: str = "cluster") -> None:
        self._units, self._table = units, table
        self.at, self.scores = table.at, table.scores
        self.width = max(table.width, units.n_rows)
        self.unit = unit
        self.stratified = len(units.strata) == 2
        self.units = int(np.count_nonzero(units.has_pos)), int(np.count_nonzero(units.has_neg))

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        return self._table.tables(np.ones((1, self._units.size)))

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        return self._units.tables([self._table], key, first, count)[0]

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of those replicates, without tables if the compiled kernel knows the measure."""
        return unit_values(self._units, [self._table], measure, key, first, count)[:, 0]

    def rows_at_once(self, measure: Measured) -> int:
        """Return how many replicates are worked on together by default."""
        return units_at_once(self._units, [self._table], measure)

    def left_out(self) -> Iterator[LeftOut]:
        """Return the tables with one unit taken out; units whose absence leaves no curve are passed over."""
        for stratum, members in enumerate(self._units.strata):
            number = min(members.size, self.most_left_out)
            chosen = members[np.unique(np.linspace(0, members.size - 1, number).astype(np.intp))]
            for part in np.array_split(chosen, -(-chosen.size * self.width // _NUMBERS_AT_ONCE)):
                times = np.ones((part.size, self._units.size))
                times[np.arange(part.size), part] = 0.0
                pos, neg = self._table.tables(times)
                usable = (pos.sum(axis=1) > 0) & (neg.sum(axis=1) > 0)
                each = np.full(int(usable.sum()), members.size / chosen.size)
                yield LeftOut(pos[usable], neg[usable], each, stratum, members.size)


class ClusterDraws(UnitDraws):
    """Draws of whole clusters of a table: from those of each class if no cluster holds both, else from all."""

    def __init__(self, clusters: Clusters, grid: Grid, *, stratified: bool) -> None:
        units = Units(clusters.code, clusters.positive, stratified=False)
        units = Units(clusters.code, clusters.positive, stratified=stratified and not units.mixed.size)
        weight: NDArray[Any] | None = clusters.weight
        rows = np.arange(clusters.code.size)
        if _few_each(clusters.weight):  # whole row counts, which the kernel counts
            rows, weight = np.repeat(rows, clusters.weight.astype(np.intp)), None
            units = Units(clusters.code[rows], clusters.positive[rows], stratified=len(units.strata) == 2)
        column = grid.column[clusters.cell[rows]]
        super().__init__(units, UnitTables(clusters.positive[rows], column, units, grid, weight))


def _few_each(weight: NDArray[Any]) -> bool:
    """Return whether weights are whole numbers, of a few rows on average, none of them 0."""
    return bool((weight == np.floor(weight)).all() and weight.min() >= 1 and weight.sum() <= 4 * weight.size)


def cluster_codes(cluster: ArrayLike, size: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the distinct clusters and, for each row, the index of its cluster."""
    array = as_vector(cluster, "cluster")
    if array.size != size:
        raise unequal("cluster", array.size, "y_true", size)
    names, of_row = factorised(array)
    if names.size < 2:
        raise InvalidInputError(
            f"`cluster` must hold at least two clusters; got only {show(names.tolist()[0])}. "
            "Hint: leave `cluster` out to resample single rows."
        )
    return names, of_row


def make_units(positive: BoolArray, cluster: ArrayLike | None, *, stratified: bool | None = None) -> Units:
    """Return the units that are drawn, by class where none holds both; only `stratified=True` insists on that."""
    if cluster is None:
        return Units(np.arange(positive.size), positive, stratified=stratified is not False)
    names, of_row = cluster_codes(cluster, positive.size)
    units = Units(of_row, positive, stratified=stratified is not False)
    if stratified is None and units.mixed.size:
        return Units(of_row, positive, stratified=False)
    if stratified and units.mixed.size:
        raise InvalidInputError(
            "`cluster` must not mix positives and negatives when `stratified=True`; got "
            f"{units.mixed.size} of {names.size} clusters with both, first {show(names[units.mixed[0]].item())}. "
            "Hint: leave `stratified` out to draw whole clusters whatever their classes."
        )
    return units


class CensoredUnits(Units):
    """What is drawn: all rows, or all clusters, whether censored or not."""

    def __init__(self, rows: Outcome) -> None:
        self._rows, cases = rows, rows.positive & rows.kept
        of_row = np.arange(rows.size) if rows.unit is None else rows.unit
        super().__init__(of_row, cases, rows.kept & ~cases, stratified=False)

    def draw(self, key: Key, first: int, count: int) -> FloatArray:
        """Return how often replicate `first + i` draws each unit, as row i; both classes are in each."""
        rows = self._rows
        everyone, nobody = np.ones(self.size, dtype=np.int64), np.zeros(self.size, dtype=np.int64)

        def draw(first: int, count: int, attempt: int) -> Tables:
            return resample_tables(
                everyone, nobody, seed=int(key[0]), first=first, n_resamples=count, stratified=False, attempt=attempt
            )

        def usable(tables: Tables) -> BoolArray:
            times = self.of_rows(tables[0])
            cases, free = rows.positive & rows.kept, rows.free
            return np.asarray((times[:, cases] > 0).any(axis=1) & (times[:, free] > 0).any(axis=1))

        return draw_until(usable, draw, first, count)[0]

    def tables(self, tables: Sequence[UnitTables], key: Key, first: int, count: int) -> list[Tables]:
        """Return the tables of each model in replicates `first` to `first + count - 1`."""
        times = self.draw(key, first, count)
        return [table.tables(times) for table in tables]

    def wanted(self, tables: Sequence[UnitTables], measure: Measured) -> None:
        """Return None: the weights are estimated in each replicate, which the compiled kernel does not do."""

    def of_rows(self, times: FloatArray) -> FloatArray:
        """Return how often each row is drawn."""
        return times if self._rows.unit is None else np.take(times, self.of_row, axis=1)


class CensoredTables(UnitTables):
    """The table of one model as a function of how often each unit occurs, with the weights estimated each time."""

    def __init__(self, rows: Outcome, column: NDArray[np.intp], grid: Grid, *, keep: bool) -> None:
        self.width, self.scores = grid.width, grid.scores
        self._rows, self._keep, self.units = rows, keep, CensoredUnits(rows)
        kept = rows.mass > 0.0
        self._places = [np.flatnonzero(kept & side) for side in (rows.positive, ~rows.positive)]
        self._column = column
        self._totals = [float(rows.mass[side].sum()) for side in self._places]
        self.at: NDArray[np.intp] = np.unique(column[self._places[0]])

    def tables(self, times: FloatArray) -> Tables:
        """Return the tables when unit u occurs `times[i, u]` times in table i."""
        mass = self._rows.masses(self._rows.v * self.units.of_rows(times))
        out = []
        for side, total in zip(self._places, self._totals, strict=True):
            column = self._column[side]
            table = by_cell(mass[:, side], column, self.width)
            if self._keep:  # the prevalence is known
                table *= total / table.sum(axis=1, keepdims=True)
            out.append(table)
        return out[0], out[1]


class CensoredDraws(UnitDraws):
    """Draws of rows or clusters of an outcome in time; `stratified` keeps the odds, as if they were known."""

    most_left_out = 400

    def __init__(self, rows: Outcome, place: NDArray[np.intp], grid: Grid, *, stratified: bool) -> None:
        table = CensoredTables(rows, grid.column[place], grid, keep=stratified)
        super().__init__(table.units, table, unit="case" if rows.unit is None else "cluster")
        self.stratified = stratified


def by_cell(mass: FloatArray, cell: NDArray[np.intp], width: int) -> FloatArray:
    """Return sums of masses by column, one table for each row."""
    return np.stack([np.bincount(cell, own, width) for own in mass]).astype(np.float64)
