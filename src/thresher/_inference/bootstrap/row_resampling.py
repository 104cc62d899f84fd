"""Resampling rows or groups of rows: needed for clusters, for row weights, and to keep paired scorers together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_vector, unequal
from thresher._core.checks import show
from thresher._core.random_streams import Key, batch_rows
from thresher._core.resampling import Tables, draw_until, resample_tables
from thresher._inference.bootstrap.count_resampling import LeftOut, merge_runs
from thresher._inference.bootstrap.measured import Measured
from thresher.exceptions import InvalidInputError
from thresher.typing import ArrayLike, BoolArray, FloatArray, ScoreArray

__all__ = ["RowPlan", "RowTable", "Units", "as_groups", "make_units"]

_NUMBERS_AT_ONCE = 2**21


class Units:
    """What is drawn: rows, or groups of rows, within strata.

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

    def draw(self, key: Key, first: int, count: int) -> FloatArray:
        """Return how often replicate `first + i` draws each unit, as row i."""
        # The strata are what the classes of a table are: each keeps its size, whatever its units are.
        strata = np.zeros((2, self.size), dtype=np.int64)
        for stratum, units in zip(strata, self.strata, strict=False):
            stratum[units] = 1

        def draw(first: int, count: int, attempt: int) -> Tables:
            return resample_tables(*strata, seed=int(key[0]), first=first, n_resamples=count, attempt=attempt)

        def usable(tables: Tables) -> BoolArray:
            return np.asarray(tables[0][:, self.has_pos].any(axis=1) & tables[0][:, self.has_neg].any(axis=1))

        if len(self.strata) == 2:
            first_stratum, second = draw(first, count, 0)
            return first_stratum + second
        # A sample without one of the classes has no curve: the law is that of samples with both.
        return draw_until(usable, draw, first, count)[0]


class RowTable:
    """The count table of one scorer as a function of how often each unit occurs; sorted once."""

    def __init__(
        self,
        positive: BoolArray,
        scores: ScoreArray,
        units: Units,
        *,
        weight: NDArray[Any] | None = None,
        path_only: bool = True,
    ) -> None:
        distinct, cell = np.unique(scores, return_inverse=True)
        cell = distinct.size - 1 - cell.reshape(-1)
        counts = [np.bincount(cell[rows], minlength=distinct.size) for rows in (positive, ~positive)]
        column = _run_of(counts[0], counts[1], path_only)[cell]
        self.width = int(column.max()) + 1
        self._sides = []
        for rows in (np.flatnonzero(positive), np.flatnonzero(~positive)):
            order = rows[np.argsort(column[rows], kind="stable")]
            starts = np.concatenate(([0], np.flatnonzero(np.diff(column[order])) + 1))
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
            table[:, columns] = taken if starts.size == unit.size else np.add.reduceat(taken, starts, axis=1)
            out.append(table)
        return out[0], out[1]


def _run_of(pos: NDArray[np.intp], neg: NDArray[np.intp], path_only: bool) -> NDArray[np.intp]:
    """Return the merged column of each distinct score."""
    merged = merge_runs(pos, neg, path_only=path_only)
    ends = np.cumsum(merged[0] + merged[1])
    return np.searchsorted(ends, np.cumsum(pos + neg), side="left")


class RowPlan:
    """Resample units of rows for one scorer."""

    def __init__(self, units: Units, table: RowTable) -> None:
        self._units, self._table = units, table
        self.at = table.at
        self.width = max(table.width, units.of_row.size)

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        return self._table.tables(np.ones((1, self._units.size)))

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        return self._table.tables(self._units.draw(key, first, count))

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of those replicates."""
        return measure.of_replicates(*self.draw(key, first, count), self.at)

    def rows_at_once(self, measure: Measured) -> int:
        """Return how many replicates are worked on together where nobody asks for a number."""
        del measure  # tables are drawn for each
        return batch_rows(self.width)

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


def as_groups(groups: ArrayLike, size: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the distinct groups and, for each row, the index of its group."""
    array = as_vector(groups, "groups")
    if array.size != size:
        raise unequal("groups", array.size, "y_true", size)
    names, of_row = np.unique(array, return_inverse=True)
    if names.size < 2:
        raise InvalidInputError(
            f"`groups` must hold at least two groups; got only {show(names.tolist()[0])}. "
            "Hint: leave `groups` out to resample single rows."
        )
    return names, of_row.reshape(-1)


def make_units(positive: BoolArray, groups: ArrayLike | None, *, stratified: bool) -> Units:
    """Return the units that are drawn; strata of groups must each hold one class."""
    if groups is None:
        return Units(np.arange(positive.size), positive, stratified=stratified)
    names, of_row = as_groups(groups, positive.size)
    units = Units(of_row, positive, stratified=stratified)
    mixed = np.flatnonzero(units.has_pos & units.has_neg)
    if stratified and mixed.size:
        raise InvalidInputError(
            f"`groups` must not mix positives and negatives when `stratified=True`; got {mixed.size} of {names.size} "
            f"groups with both, first {show(names[mixed[0]].item())}. "
            "Hint: pass `stratified=False` to draw whole groups whatever their classes."
        )
    return units
