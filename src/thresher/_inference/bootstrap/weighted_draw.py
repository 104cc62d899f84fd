"""Draws with replacement from rows that have weights, or that belong together, of which only a table is left.

At each score the rows of a class are taken for nu = W^2 / Q rows of weight r = Q / W each, with W the sum of their
weights and Q that of the squares. Drawn as Poisson numbers, or all together where every nu is whole, the new sums have
mean W and variance Q, as those of redrawn rows have, whatever the unit of the weights is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thresher._core.random_streams import Key, Stream, batch_rows
from thresher._core.resampling import Tables
from thresher._inference.bootstrap.count_resampling import LeftOut, places
from thresher._inference.bootstrap.measured import Measured
from thresher._inference.bootstrap.row_resampling import Units
from thresher._inference.bootstrap.table_draw import TableDraw
from thresher._table import Clusters, Counts, Squares
from thresher.typing import FloatArray

__all__ = ["ClusterDraw", "Draw", "DrawPlan", "WeightedDraw", "draw_of"]

_WHOLE = 1e-9
_NUMBERS_AT_ONCE = 2**21


class Draw(Protocol):
    """Something that draws tables as long as the one it was made from."""

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""

    def left_out(self) -> Iterator[LeftOut]:
        """Return tables with one unit taken out."""


class WeightedDraw:
    """Draws from a table of sampling weights, within each class or from all rows."""

    def __init__(self, counts: Counts, squares: Squares, *, stratified: bool) -> None:
        self._sums = counts.pos.astype(np.float64), counts.neg.astype(np.float64)
        self.units: list[FloatArray] = []
        self._each: list[FloatArray] = []
        for weight, squared in zip(self._sums, (squares.pos, squares.neg), strict=True):
            some = weight > 0.0
            nu = np.divide(weight * weight, squared, out=np.zeros(weight.size), where=some)
            near = np.rint(nu)
            if (np.abs(nu - near) <= _WHOLE * np.maximum(near, 1.0)).all():
                nu = near
            self.units.append(nu)
            self._each.append(np.divide(weight, nu, out=np.zeros(weight.size), where=some))
        self.stratified = stratified
        self._rows: TableDraw | None = None
        if all(bool((nu == np.rint(nu)).all()) for nu in self.units):
            pos, neg = (nu.astype(np.int64) for nu in self.units)
            self._rows = TableDraw(pos, neg, stratified=stratified)

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        if self._rows is not None:
            pos, neg = self._rows.draw(key, first, count)
            return pos * self._each[0], neg * self._each[1]
        stream = Stream(key)
        tables = np.zeros((count, self._sums[0].size)), np.zeros((count, self._sums[0].size))
        columns = [np.flatnonzero(nu) for nu in self.units]
        for row in range(count):
            generator = stream.at(first + row)
            for table, nu, each, at, total in zip(tables, self.units, self._each, columns, self._sums, strict=True):
                drawn = generator.poisson(nu[at])
                while not drawn.any():
                    drawn = generator.poisson(nu[at])
                mass = drawn * each[at]
                # Class totals that are known stay what they are.
                table[row, at] = mass * (float(total.sum()) / float(mass.sum())) if self.stratified else mass
        return tables

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        return self._sums[0][None], self._sums[1][None]

    def left_out(self) -> Iterator[LeftOut]:
        """Return the tables with one row of typical weight taken out, at up to 400 places of each class."""
        width = self._sums[0].size
        sizes = [float(nu.sum()) for nu in self.units]
        for side, (nu, each) in enumerate(zip(self.units, self._each, strict=True)):
            if sizes[side] < 2.0:
                continue
            columns, times = places(nu)
            for part in np.array_split(np.arange(columns.size), -(-columns.size * width // _NUMBERS_AT_ONCE)):
                pos, neg = (np.repeat(own[None], part.size, axis=0) for own in self._sums)
                at = (np.arange(part.size), columns[part])
                (pos, neg)[side][at] = np.maximum((pos, neg)[side][at] - each[columns[part]], 0.0)
                stratum, units = (side, sizes[side]) if self.stratified else (0, sum(sizes))
                yield LeftOut(pos, neg, times[part], stratum, units)


class ClusterDraw:
    """Draws whole clusters: from those of each class where no cluster holds both, else from all of them."""

    def __init__(self, counts: Counts, clusters: Clusters, *, stratified: bool) -> None:
        self._clusters, self._width = clusters, len(counts)
        units = Units(clusters.code, clusters.positive, stratified=False)
        mixed = bool((units.has_pos & units.has_neg).any())
        self._units = Units(clusters.code, clusters.positive, stratified=stratified and not mixed)

    @property
    def numbers(self) -> tuple[int, int]:
        """How many clusters hold positives, and how many negatives."""
        return int(self._units.has_pos.sum()), int(self._units.has_neg.sum())

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        return self._tables(self._units.draw(key, first, count))

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        return self._tables(np.ones((1, self._units.size)))

    def _tables(self, times: FloatArray) -> Tables:
        listed = self._clusters
        out = []
        for mine in (listed.positive, ~listed.positive):
            code, cell, weight = listed.code[mine], listed.cell[mine], listed.weight[mine]
            rows = [np.bincount(cell, weight * row[code], self._width) for row in times]
            out.append(np.array(rows, dtype=np.float64).reshape(times.shape[0], self._width))
        return out[0], out[1]

    def left_out(self) -> Iterator[LeftOut]:
        """Return the tables with one cluster taken out; those whose absence leaves no curve are passed over."""
        units = self._units
        for stratum, members in enumerate(units.strata):
            for part in np.array_split(members, -(-members.size * self._width // _NUMBERS_AT_ONCE)):
                times = np.ones((part.size, units.size))
                times[np.arange(part.size), part] = 0.0
                pos, neg = self._tables(times)
                usable = (pos.sum(axis=1) > 0) & (neg.sum(axis=1) > 0)
                yield LeftOut(pos[usable], neg[usable], np.ones(int(usable.sum())), stratum, members.size)


def draw_of(counts: Counts, *, stratified: bool) -> WeightedDraw | ClusterDraw | None:
    """Return how to draw from a table with weights or clusters; None where its rows are counted and independent."""
    if counts.clusters is not None:
        return ClusterDraw(counts, counts.clusters, stratified=stratified)
    return None if counts.squares is None else WeightedDraw(counts, counts.squares, stratified=stratified)


class DrawPlan:
    """Resample a table by such draws, for one scorer."""

    def __init__(self, counts: Counts, draws: WeightedDraw | ClusterDraw) -> None:
        self._draws = draws
        self.at: NDArray[np.intp] = np.flatnonzero(counts.pos)
        self.width = len(counts)

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        return self._draws.observed()

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        return self._draws.draw(key, first, count)

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of those replicates."""
        return measure.of_replicates(*self.draw(key, first, count), self.at)

    def rows_at_once(self, measure: Measured) -> int:
        """Return how many replicates are worked on together where nobody asks for a number."""
        del measure  # tables are drawn for each
        return batch_rows(self.width)

    def left_out(self) -> Iterator[LeftOut]:
        """Return tables with one unit taken out."""
        return self._draws.left_out()
