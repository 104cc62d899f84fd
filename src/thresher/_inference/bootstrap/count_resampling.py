"""Resampled count tables: the scores are sorted once, replicates only count again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thresher._core.random_streams import Key, batch_rows
from thresher._core.resampling import Tables
from thresher._inference.bootstrap.measured import Measured
from thresher._inference.bootstrap.table_draw import TableDraw
from thresher.typing import CountArray, FloatArray, IntArray

__all__ = ["CountPlan", "LeftOut", "Plan", "merge_runs", "places"]

_MOST_PLACES = 400


class LeftOut(NamedTuple):
    """Tables with one unit taken out: table i stands for `times[i]` units of its stratum, which has `units`.

    Rows of unequal weight that share a score are worth a number of units that need not be whole.
    """

    pos: FloatArray
    neg: FloatArray
    times: FloatArray
    stratum: int
    units: float


class Plan(Protocol):
    """A way to resample count tables of one scorer."""

    @property
    def at(self) -> NDArray[np.intp]:
        """The columns that can hold positives."""

    @property
    def width(self) -> int:
        """How many columns a table has."""

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of those replicates."""

    def rows_at_once(self, measure: Measured) -> int:
        """Return how many replicates are worked on together where nobody asks for a number."""

    def left_out(self) -> Iterator[LeftOut]:
        """Return tables with one unit taken out, in portions that fit memory, stratum by stratum."""


def merge_runs(pos: CountArray, neg: CountArray, *, path_only: bool) -> tuple[CountArray, CountArray]:
    """Add up neighbouring scores that only negatives have and, for `path_only`, those that only positives have.

    A run of one class is a straight piece of the curve in the data and in every resample, so the area is the same;
    and a sum of multinomial counts is multinomial, so the law is the same too.
    """
    kind = np.where(neg == 0, 1, np.where(pos == 0, 2, 0))
    joins = (kind[1:] == kind[:-1]) & ((kind[1:] == 2) | (path_only & (kind[1:] == 1)))
    starts = np.concatenate(([0], np.flatnonzero(~joins) + 1))
    return np.add.reduceat(pos, starts), np.add.reduceat(neg, starts)


class CountPlan:
    """Resample the cases of a count table, within each class (`stratified`) or from all of them.

    The counts are whole; sampling weights have a draw of their own.
    """

    def __init__(self, pos: CountArray, neg: CountArray, *, stratified: bool, path_only: bool) -> None:
        self._merged = merge_runs(pos.astype(np.int64), neg.astype(np.int64), path_only=path_only)
        self.stratified = stratified

    def _columns(self) -> tuple[CountArray, CountArray]:
        """Return the positives and negatives of each column."""
        return self._merged

    @cached_property
    def _draws(self) -> TableDraw:
        return TableDraw(*self._columns(), stratified=self.stratified)

    @cached_property
    def at(self) -> NDArray[np.intp]:
        """The columns that can hold positives."""
        return np.flatnonzero(self._draws.pos)

    @property
    def width(self) -> int:
        """How many columns a table has."""
        return int(self._draws.pos.size)

    @property
    def units(self) -> tuple[int, int]:
        """How many units are resampled in each class."""
        return self._draws.totals

    @property
    def unit_counts(self) -> tuple[IntArray, IntArray]:
        """How many units of each class stand at each column."""
        return self._draws.pos, self._draws.neg

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        pos, neg = (counts[None].astype(np.float64) for counts in self.unit_counts)
        return pos, neg

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        return self._draws.draw(key, first, count)

    @property
    def _kernel_measures(self) -> bool:
        return self._draws.measurable

    def rows_at_once(self, measure: Measured, *, variances: bool = False) -> int:
        """Return how many replicates are worked on together where nobody asks for a number."""
        known = (measure.variances_wanted() if variances else measure.wanted()) is not None
        return self._draws.rows_at_once if known and self._kernel_measures else batch_rows(self.width)

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of replicates `first` to `first + count - 1`, without tables where the kernel knows it."""
        wanted = measure.wanted() if self._kernel_measures else None
        if wanted is None:
            return measure.of_replicates(*self.draw(key, first, count), self.at)
        return measure.measured(self._draws.measure(wanted, key, first, count))

    def variances(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the analytic variance of the metric in those replicates."""
        wanted = measure.variances_wanted() if self._kernel_measures else None
        if wanted is not None:
            return np.asarray(self._draws.measure(wanted, key, first, count).delong)
        return measure.variances(*self.draw(key, first, count), self.at, stratified=self.stratified)

    def left_out(self) -> Iterator[LeftOut]:
        """Return the tables with one unit taken out, at up to 400 places of each class."""
        sizes = self.units
        for side, counts in enumerate(self.unit_counts):
            if sizes[side] < 2:
                continue
            columns, times = places(counts)
            for part in np.array_split(np.arange(columns.size), -(-columns.size * self.width // 2**21)):
                pos, neg = (np.repeat(count[None].astype(np.float64), part.size, axis=0) for count in self.unit_counts)
                (pos, neg)[side][np.arange(part.size), columns[part]] -= 1.0
                stratum, units = (side, sizes[side]) if self.stratified else (0, sum(sizes))
                yield LeftOut(pos, neg, times[part], stratum, units)


def places(counts: CountArray) -> tuple[NDArray[np.intp], FloatArray]:
    """Return columns where a case is taken out, and how many cases each stands for."""
    columns = np.flatnonzero(counts)
    kept = counts[columns]
    if columns.size <= _MOST_PLACES:
        return columns, kept.astype(np.float64)
    # Neighbours in score have nearly the same influence: cases evenly spread over the class stand for all.
    total = float(kept.sum())
    rank = np.floor((np.arange(_MOST_PLACES) + 0.5) * (total / _MOST_PLACES))
    place = np.searchsorted(np.cumsum(kept), rank, side="right")
    return columns[place], np.full(_MOST_PLACES, total / _MOST_PLACES)
