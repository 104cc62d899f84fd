"""Draws with replacement from rows that have weights, of which only a table is left.

At each score the rows of a class are taken for nu = W^2 / Q rows of weight r = Q / W each, with W the sum of their
weights and Q that of the squares. Drawn as Poisson numbers, or all together if every nu is whole, the new sums have
mean W and variance Q, as those of redrawn rows have, whatever the unit of the weights is.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thresher._core.paired_resampling import TableRows, Together, laid_out, measure_together, tables_together
from thresher._core.random_streams import Key, Stream
from thresher._core.resampling import Requested, Tables
from thresher._inference.sampling.draws import Draws, LeftOut, Measured, TableDraw, asked_of, at_once, places
from thresher._table import Grid
from thresher.typing import CountArray, FloatArray

__all__ = ["WeightedDraws"]

_WHOLE = 1e-9
_NUMBERS_AT_ONCE = 2**21


class WeightedDraws(Draws):
    """Draws from a table of sampling weights, within each class or from all rows."""

    def __init__(
        self,
        weights: tuple[FloatArray, FloatArray],
        squares: tuple[FloatArray, FloatArray],
        grid: Grid,
        rows: tuple[int, int] | None,
        constant: tuple[float, float] | None = None,
        *,
        stratified: bool,
    ) -> None:
        self._sums, self._grid = weights, grid
        self.nu: list[FloatArray] = []
        self._each: list[FloatArray] = []
        for weight, squared in zip(weights, squares, strict=True):
            some = weight > 0.0
            nu = np.divide(weight * weight, squared, out=np.zeros(weight.size), where=some)
            near = np.rint(nu)
            if (np.abs(nu - near) <= _WHOLE * np.maximum(near, 1.0)).all():
                nu = near
            self.nu.append(nu)
            self._each.append(np.divide(weight, nu, out=np.zeros(weight.size), where=some))
        if constant is not None:
            # Weights of a class have no unit: positives weigh 1, so that recalls of replicates are quotients of counts.
            self._each = [np.full(nu.size, one / constant[0]) for nu, one in zip(self.nu, constant, strict=True)]
            self._sums = self.nu[0] * self._each[0], self.nu[1] * self._each[1]
        self.stratified, self.units = stratified, rows
        self.scores, self.width = grid.scores, weights[0].size
        self.at = np.flatnonzero(grid.summed(weights[0]))
        self._rows: TableDraw | None = None
        self._single: tuple[Together, TableRows] | None = None
        if all(bool((nu == np.rint(nu)).all()) for nu in self.nu):
            pos, neg = (nu.astype(np.int64) for nu in self.nu)
            self._rows = TableDraw(pos, neg, stratified=stratified)
            if self._rows.by_case:
                self._single = self._laid_out(pos, neg)

    def _laid_out(self, pos: CountArray, neg: CountArray) -> tuple[Together, TableRows]:
        """Return the rows as units of their own, those of a class a stratum if classes keep their sizes."""
        both = np.stack((neg, pos), axis=1).ravel()
        of = np.repeat(np.arange(both.size), both)
        positive, column = of % 2 == 1, of // 2
        each = np.where(positive, self._each[0][column], self._each[1][column])
        strata = positive if self.stratified else np.ones_like(positive)
        width = self._grid.width
        rows = laid_out(positive, self._grid.column[column], np.arange(of.size), width, each)
        return Together(strata.astype(np.uint8)), rows

    def _summed(self, tables: Tables) -> Tables:
        return self._grid.summed(tables[0]), self._grid.summed(tables[1])

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        if self._single is not None:
            together, rows = self._single
            return tables_together(together, [rows], seed=int(key[0]), first=first, n_resamples=count)[0]
        if self._rows is not None:
            pos, neg = self._rows.draw(key, first, count)
            return self._summed((pos * self._each[0], neg * self._each[1]))
        stream = Stream(key)
        tables = np.zeros((count, self.width)), np.zeros((count, self.width))
        columns = [np.flatnonzero(nu) for nu in self.nu]
        for row in range(count):
            generator = stream.at(first + row)
            for table, nu, each, at, total in zip(tables, self.nu, self._each, columns, self._sums, strict=True):
                if not at.size:
                    continue
                drawn = generator.poisson(nu[at])
                while not drawn.any():
                    drawn = generator.poisson(nu[at])
                mass = drawn * each[at]
                # Class totals that are known stay what they are.
                table[row, at] = mass * (float(total.sum()) / float(mass.sum())) if self.stratified else mass
        return self._summed(tables)

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of those replicates, without tables if the compiled kernel knows the measure."""
        kernel, wanted = measure.kernel, self._asked(measure)
        if self._single is None or kernel is None or kernel.read is None or wanted is None:
            return super().values(measure, key, first, count)
        together, rows = self._single
        how = {"seed": int(key[0]), "first": first, "n_resamples": count}
        return kernel.read(measure_together(together, [rows], wanted, **how)[0])

    def rows_at_once(self, measure: Measured) -> int:
        """Return how many replicates are worked on together by default."""
        if self._single is None or self._asked(measure) is None:
            return super().rows_at_once(measure)
        return at_once(self._single[1].unit.size)

    def _asked(self, measure: Measured) -> Requested | None:
        return None if self._single is None else asked_of(measure, [self._single[1]])

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        return self._summed((self._sums[0][None], self._sums[1][None]))

    def left_out(self) -> Iterator[LeftOut]:
        """Return the tables with one row of typical weight taken out, at up to 400 places of each class."""
        sizes = [float(nu.sum()) for nu in self.nu]
        for side, (nu, each) in enumerate(zip(self.nu, self._each, strict=True)):
            if sizes[side] < 2.0:
                continue
            columns, times = places(nu)
            for part in np.array_split(np.arange(columns.size), -(-columns.size * self.width // _NUMBERS_AT_ONCE)):
                pos, neg = (np.repeat(own[None], part.size, axis=0) for own in self._sums)
                at = (np.arange(part.size), columns[part])
                (pos, neg)[side][at] = np.maximum((pos, neg)[side][at] - each[columns[part]], 0.0)
                stratum, units = (side, sizes[side]) if self.stratified else (0, sum(sizes))
                yield LeftOut(*self._summed((pos, neg)), times[part], stratum, units)
