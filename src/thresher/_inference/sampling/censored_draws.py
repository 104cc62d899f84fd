"""Outcomes in time drawn again: rows or clusters, censored ones too, with the weights estimated in each resample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher._core.random_streams import Key
from thresher._core.resampling import Tables, draw_until, resample_tables
from thresher._inference.sampling.draws import Draws, LeftOut, Measured
from thresher._inference.sampling.units import Units, UnitTables
from thresher._table import Grid, Outcome
from thresher.typing import BoolArray, FloatArray

__all__ = ["CensoredDraws", "CensoredTables", "CensoredUnits"]


class CensoredUnits(Units):
    """What is drawn: all rows, or all clusters, whether censored or not."""

    def __init__(self, rows: Outcome) -> None:
        self._rows = rows
        self.size = rows.size if rows.unit is None else int(rows.unit.max()) + 1

    def draw(self, key: Key, first: int, count: int) -> FloatArray:
        """Return how often replicate `first + i` draws each unit, as row i; both classes are in each."""
        rows = self._rows
        everyone, nobody = np.ones(self.size, dtype=np.int64), np.zeros(self.size, dtype=np.int64)

        def draw(first: int, count: int, attempt: int) -> Tables:
            return resample_tables(
                everyone, nobody, seed=int(key[0]), first=first, n_resamples=count, stratified=False, attempt=attempt
            )

        def usable(tables: Tables) -> BoolArray:
            times = _of_rows(rows, tables[0])
            cases, free = rows.positive & rows.kept, rows.free
            return np.asarray((times[:, cases] > 0).any(axis=1) & (times[:, free] > 0).any(axis=1))

        return draw_until(usable, draw, first, count)[0]

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self._rows.size

    def tables(self, tables: Sequence[UnitTables], key: Key, first: int, count: int) -> list[Tables]:
        """Return the tables of each model in replicates `first` to `first + count - 1`."""
        times = self.draw(key, first, count)
        return [table.tables(times) for table in tables]

    def wanted(self, tables: Sequence[UnitTables], measure: Measured) -> None:
        """Return None: the weights are estimated in each replicate, which the compiled kernel does not do."""

    def of_rows(self, times: FloatArray) -> FloatArray:
        """Return how often each row is drawn."""
        return _of_rows(self._rows, times)


def _of_rows(rows: Outcome, times: FloatArray) -> FloatArray:
    """Return how often each row is drawn, from how often its unit is."""
    return times if rows.unit is None else np.take(times, rows.unit, axis=1)


class CensoredTables(UnitTables):
    """The table of one model as a function of how often each unit occurs, with the weights estimated each time."""

    def __init__(self, rows: Outcome, column: NDArray[np.intp], grid: Grid, *, keep: bool) -> None:
        self.width, self.scores = grid.width, grid.scores
        self._rows, self._keep = rows, keep
        kept = rows.mass > 0.0
        self._places = [np.flatnonzero(kept & side) for side in (rows.positive, ~rows.positive)]
        self._column = column
        self._totals = [float(rows.mass[side].sum()) for side in self._places]
        self.at: NDArray[np.intp] = np.unique(column[self._places[0]])

    def tables(self, times: FloatArray) -> Tables:
        """Return the tables when unit u occurs `times[i, u]` times in table i."""
        mass = self._rows.masses(self._rows.v * _of_rows(self._rows, times))
        out = []
        for side, total in zip(self._places, self._totals, strict=True):
            column = self._column[side]
            table = np.stack([np.bincount(column, own, self.width) for own in mass[:, side]]).astype(np.float64)
            if self._keep:  # the prevalence is known
                table *= total / table.sum(axis=1, keepdims=True)
            out.append(table)
        return out[0], out[1]


class CensoredDraws(Draws):
    """Draws of rows or clusters of an outcome in time for one model.

    With `stratified` the odds of the classes stay as they are, as if they were known.
    """

    def __init__(self, rows: Outcome, place: NDArray[np.intp], grid: Grid, *, stratified: bool) -> None:
        self._units = CensoredUnits(rows)
        self._table = CensoredTables(rows, grid.column[place], grid, keep=stratified)
        self.at, self.scores, self.stratified = self._table.at, self._table.scores, stratified
        self.width = max(self._table.width, rows.size)
        self.unit = "case" if rows.unit is None else "cluster"
        cases = rows.positive & rows.kept
        held = (cases, rows.kept & ~cases)
        number = [
            int(np.count_nonzero(side) if rows.unit is None else np.unique(rows.unit[side]).size) for side in held
        ]
        self.units = number[0], number[1]

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        return self._table.tables(np.ones((1, self._units.size)))

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        return self._table.tables(self._units.draw(key, first, count))

    def left_out(self) -> Iterator[LeftOut]:
        """Return the tables with one unit taken out, at up to 400 units that are evenly spread."""
        size = self._units.size
        chosen = np.unique(np.linspace(0, size - 1, min(size, 400)).astype(np.intp))
        for part in np.array_split(chosen, -(-chosen.size * self.width // 2**21)):
            times = np.ones((part.size, size))
            times[np.arange(part.size), part] = 0.0
            pos, neg = self._table.tables(times)
            usable = (pos.sum(axis=1) > 0) & (neg.sum(axis=1) > 0)
            yield LeftOut(pos[usable], neg[usable], np.full(int(usable.sum()), size / chosen.size), 0, size)
