"""Resampling rows or clusters of rows: for clusters, for weights of rows, and to keep paired models together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_vector, unequal
from thresher._core.checks import show
from thresher._core.random_streams import Key
from thresher._core.resampling import Tables, draw_until, resample_tables
from thresher._inference.sampling.draws import Draws, LeftOut
from thresher._table import Clusters, Grid
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, BoolArray, FloatArray

__all__ = ["ClusterDraws", "UnitDraws", "UnitTables", "Units", "cluster_codes", "make_units"]

_NUMBERS_AT_ONCE = 2**21


class Units:
    """What is drawn: rows, or clusters of rows, within strata.

    Attributes
    ----------
    of_row : array of shape (n,)
        The unit to which each row belongs.
    strata : tuple of arrays
        The units of each stratum; as many are drawn from it, with replacement, as it has.
    """

    def __init__(self, of_row: NDArray[np.intp], positive: BoolArray, *, stratified: bool) -> None:
        self.of_row = of_row
        self.size = int(of_row.max()) + 1
        self.has_pos = np.bincount(of_row, weights=positive, minlength=self.size) > 0
        self.has_neg = np.bincount(of_row, weights=~positive, minlength=self.size) > 0
        everyone = np.arange(self.size)
        self.strata = (everyone[self.has_pos], everyone[~self.has_pos]) if stratified else (everyone,)

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


class UnitTables:
    """The table of one model as a function of how often each unit occurs; sorted once.

    Entry i stands in column `column[i]` and belongs to `units.of_row[i]`.
    """

    def __init__(
        self, positive: BoolArray, column: NDArray[np.intp], units: Units, grid: Grid, weight: FloatArray | None = None
    ) -> None:
        self.width = grid.width
        self.scores = grid.scores
        self._sides = []
        for rows in (np.flatnonzero(positive), np.flatnonzero(~positive)):
            order = rows[np.argsort(column[rows], kind="stable")]
            new = np.append(np.ones(min(order.size, 1), dtype=np.bool_), np.diff(column[order]) != 0)
            starts = np.flatnonzero(new)
            weights = None if weight is None else weight[order].astype(np.float64)
            self._sides.append((column[order][starts], starts, units.of_row[order], weights))
        self.at: NDArray[np.intp] = self._sides[0][0]

    def tables(self, times: FloatArray) -> Tables:
        """Return the tables when unit u occurs `times[i, u]` times in table i."""
        out = []
        for columns, starts, unit, weights in self._sides:
            taken = np.take(times, unit, axis=1)
            if weights is not None:
                taken *= weights
            table = np.zeros((times.shape[0], self.width))
            if starts.size:
                table[:, columns] = taken if starts.size == unit.size else np.add.reduceat(taken, starts, axis=1)
            out.append(table)
        return out[0], out[1]


class UnitDraws(Draws):
    """Draws of whole units for one model."""

    def __init__(self, units: Units, table: UnitTables, *, unit: str = "cluster") -> None:
        self._units, self._table = units, table
        self.at, self.scores = table.at, table.scores
        self.width = max(table.width, units.of_row.size)
        self.unit = unit
        self.stratified = len(units.strata) == 2
        self.units = int(np.count_nonzero(units.has_pos)), int(np.count_nonzero(units.has_neg))

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        return self._table.tables(np.ones((1, self._units.size)))

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        return self._table.tables(self._units.draw(key, first, count))

    def left_out(self) -> Iterator[LeftOut]:
        """Return the tables with one unit taken out; units whose absence leaves no curve are passed over."""
        units = self._units
        for stratum, members in enumerate(units.strata):
            for part in np.array_split(members, -(-members.size * self.width // _NUMBERS_AT_ONCE)):
                times = np.ones((part.size, units.size))
                times[np.arange(part.size), part] = 0.0
                pos, neg = self._table.tables(times)
                usable = (pos.sum(axis=1) > 0) & (neg.sum(axis=1) > 0)
                yield LeftOut(pos[usable], neg[usable], np.ones(int(usable.sum())), stratum, members.size)


class ClusterDraws(UnitDraws):
    """Draws of whole clusters of a table: from those of each class if no cluster holds both, else from all."""

    def __init__(self, clusters: Clusters, grid: Grid, *, stratified: bool) -> None:
        units = Units(clusters.code, clusters.positive, stratified=False)
        units = Units(clusters.code, clusters.positive, stratified=stratified and not units.mixed.size)
        super().__init__(units, UnitTables(clusters.positive, grid.column[clusters.cell], units, grid, clusters.weight))


def cluster_codes(cluster: ArrayLike, size: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the distinct clusters and, for each row, the index of its cluster."""
    array = as_vector(cluster, "cluster")
    if array.size != size:
        raise unequal("cluster", array.size, "y_true", size)
    names, of_row = np.unique(array, return_inverse=True)
    if names.size < 2:
        raise InvalidInputError(
            f"`cluster` must hold at least two clusters; got only {show(names.tolist()[0])}. "
            "Hint: leave `cluster` out to resample single rows."
        )
    return names, of_row.reshape(-1)


def make_units(positive: BoolArray, cluster: ArrayLike | None, *, stratified: bool | None = None) -> Units:
    """Return the units that are drawn; strata of clusters hold one class each, and are not made if they do not.

    Only `stratified=True` insists on them.
    """
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
