"""Resampled count tables: the scores are sorted once, replicates only count again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.inference._streams import Key, Stream
from thresher.typing import CountArray, FloatArray, IntArray

__all__ = ["CountPlan", "LeftOut", "Plan", "class_draw", "merge_runs"]

# A binomial draw costs about as much as this many draws of a single case.
_BINOMIAL_COST = 20
_MOST_PLACES = 400


class LeftOut(NamedTuple):
    """Tables with one unit taken out: table i stands for `times[i]` units of its stratum, which has `units`."""

    pos: FloatArray
    neg: FloatArray
    times: FloatArray
    stratum: int
    units: int


class Plan(Protocol):
    """A way to resample count tables of one scorer."""

    @property
    def at(self) -> NDArray[np.intp]:
        """The columns that can hold positives."""

    @property
    def width(self) -> int:
        """How many columns a table has."""

    def observed(self) -> tuple[FloatArray, FloatArray]:
        """Return the table of the data, as one row."""

    def draw(self, key: Key, first: int, count: int) -> tuple[FloatArray, FloatArray]:
        """Return the tables of replicates `first` to `first + count - 1`."""

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


@dataclass(frozen=True)
class _ClassDraw:
    """Draws with replacement from the cases of one class, counted by column."""

    columns: NDArray[np.intp]
    counts: IntArray
    cases: NDArray[np.intp] | None
    shares: FloatArray

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def draw(self, generator: np.random.Generator, size: int) -> IntArray:
        """Return how often each of `columns` is drawn, `size` draws in all."""
        if self.cases is None:
            return generator.multinomial(size, self.shares)
        index = generator.integers(self.cases.size, size=size)
        if self.cases.size > self.columns.size:
            index = self.cases[index]
        return np.bincount(index, minlength=self.columns.size)


def class_draw(counts: IntArray) -> _ClassDraw:
    """Prepare draws from whole counts: case by case, or column by column where that is less work."""
    columns = np.flatnonzero(counts)
    kept = counts[columns].astype(np.int64)
    total = int(kept.sum())
    cases = None
    if total < _BINOMIAL_COST * columns.size:
        cases = np.repeat(np.arange(columns.size), kept)
    return _ClassDraw(columns, kept, cases, kept / total)


class CountPlan:
    """Resample the cases of a count table, within each class (`stratified`) or from all of them.

    Sums of weights cannot be taken apart into cases: then each class at each score is one unit that carries its
    weight.
    """

    def __init__(self, pos: CountArray, neg: CountArray, *, stratified: bool, path_only: bool) -> None:
        self._weights: tuple[FloatArray, FloatArray] | None = None
        if pos.dtype.kind == "f":
            self._weights = pos, neg
            pos, neg = (pos > 0).astype(np.int64), (neg > 0).astype(np.int64)
        else:
            pos, neg = merge_runs(pos, neg, path_only=path_only)
        self._counts = pos, neg
        self._draws = class_draw(pos), class_draw(neg)
        self.stratified = stratified
        self.at: NDArray[np.intp] = self._draws[0].columns
        self.width = int(pos.size)

    @property
    def units(self) -> tuple[int, int]:
        """How many units are resampled in each class."""
        return self._draws[0].total, self._draws[1].total

    @property
    def unit_counts(self) -> tuple[IntArray, IntArray]:
        """How many units of each class stand at each column; they share its weight."""
        return self._counts

    def observed(self) -> tuple[FloatArray, FloatArray]:
        """Return the table of the data, as one row."""
        return self._weighted(self._counts[0][None].astype(np.float64), self._counts[1][None].astype(np.float64))

    def _weighted(self, pos: FloatArray, neg: FloatArray) -> tuple[FloatArray, FloatArray]:
        if self._weights is None:
            return pos, neg
        return pos * self._weights[0], neg * self._weights[1]

    def draw(self, key: Key, first: int, count: int) -> tuple[FloatArray, FloatArray]:
        """Return the tables of replicates `first` to `first + count - 1`."""
        stream = Stream(key)
        tables = np.zeros((count, self.width)), np.zeros((count, self.width))
        sizes = self.units
        everyone = sum(sizes)
        for row in range(count):
            generator = stream.at(first + row)
            drawn = sizes
            if not self.stratified:
                positives = 0
                # A sample without one of the classes has no curve: the law is that of samples with both.
                while not 0 < positives < everyone:
                    positives = int(generator.binomial(everyone, sizes[0] / everyone))
                drawn = positives, everyone - positives
            for table, source, size in zip(tables, self._draws, drawn, strict=True):
                table[row, source.columns] = source.draw(generator, size)
        return self._weighted(*tables)

    def left_out(self) -> Iterator[LeftOut]:
        """Return the tables with one unit taken out, at up to 400 places of each class."""
        sizes = self.units
        for side, source in enumerate(self._draws):
            if source.total < 2:
                continue
            columns, times = _places(source)
            for part in np.array_split(np.arange(columns.size), -(-columns.size * self.width // 2**21)):
                pos, neg = (np.repeat(count[None].astype(np.float64), part.size, axis=0) for count in self._counts)
                (pos, neg)[side][np.arange(part.size), columns[part]] -= 1.0
                pos, neg = self._weighted(pos, neg)
                stratum, units = (side, sizes[side]) if self.stratified else (0, sum(sizes))
                yield LeftOut(pos, neg, times[part], stratum, units)


def _places(source: _ClassDraw) -> tuple[NDArray[np.intp], FloatArray]:
    """Return columns where a case is taken out, and how many cases each stands for."""
    if source.columns.size <= _MOST_PLACES:
        return source.columns, source.counts.astype(np.float64)
    # Neighbours in score have nearly the same influence: cases evenly spread over the class stand for all.
    rank = ((np.arange(_MOST_PLACES) + 0.5) * (source.total / _MOST_PLACES)).astype(np.int64)
    place = np.searchsorted(np.cumsum(source.counts), rank, side="right")
    return source.columns[place], np.full(_MOST_PLACES, source.total / _MOST_PLACES)
