"""Ways to draw tables again, and what the compiled bootstrap knows of a measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.paired_resampling import TableRows
from thresher._core.random_streams import Key, Stream, batch_rows
from thresher._core.resampling import Replicates, Requested, Tables, draw_until, measure_replicates, resample_tables
from thresher._table import Batch, ManyTables
from thresher.typing import BoolArray, CountArray, FloatArray, IntArray, ScoreArray

__all__ = [
    "CountDraws",
    "Draws",
    "Kernel",
    "LeftOut",
    "Measured",
    "TableDraw",
    "asked_of",
    "at_once",
    "drawn_by_case",
    "places",
]


class Kernel(NamedTuple):
    """What to ask of the compiled bootstrap, and how to read the answer.

    Attributes
    ----------
    asks : Wanted
        What is measured of every replicate.
    read : callable
        The values of the measure from what was measured; the last point holds the class totals.
    variances : Wanted or None
        What gives the analytic variance of every replicate, in `delong`.
    totals : bool
        Whether `read` looks at the class totals.
    many : callable or None
        The values of many tables of counts and their default standard errors, the bits of each by itself; NaN if they
        are not defined.
    """

    asks: Requested | None = None
    read: Callable[[Replicates], FloatArray] | None = None
    variances: Requested | None = None
    totals: bool = False
    many: Callable[[ManyTables], tuple[FloatArray, FloatArray]] | None = None

    def asked(self, *, weights: bool) -> Requested | None:
        """Return what to ask, or None if the compiled bootstrap does not know it; of weights it knows whole areas."""
        wanted = self.asks
        if wanted is None or self.read is None or not weights:
            return wanted if self.read is not None else None
        more = wanted.delong or len(wanted.spans) or len(wanted.points) or len(wanted.fprs) or len(wanted.recalls)
        return None if more or self.totals else wanted


# Drawing this many cases one by one costs about as much as a binomial draw for a whole column; few are drawn anyway.
_CASES_A_COLUMN = 128
_FEW_CASES = 2**14
# So many cases of all replicates together are drawn and measured by one call of the kernel: half a second.
_CASES_AT_ONCE = 2**30


class TableDraw:
    """Draws with replacement from the cases of a table of whole counts, within each class or from all of them.

    Cases are drawn one by one, unless there are so many at each score that a binomial draw for it is less work. Which
    way is taken depends on the table only.
    """

    def __init__(self, pos: IntArray, neg: IntArray, *, stratified: bool) -> None:
        self.pos, self.neg, self.stratified = pos.astype(np.int64), neg.astype(np.int64), stratified
        self.totals = int(self.pos.sum()), int(self.neg.sum())
        self.by_case = drawn_by_case(sum(self.totals), pos.size)

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        if not self.by_case:
            return self._by_column(key, first, count)

        def draw(first: int, count: int, attempt: int) -> Tables:
            return resample_tables(
                self.pos,
                self.neg,
                seed=int(key[0]),
                first=first,
                n_resamples=count,
                stratified=self.stratified,
                attempt=attempt,
            )

        # A sample without one of the classes has no curve: the distribution is that of samples with both.
        return draw(first, count, 0) if self.stratified else draw_until(_has_both, draw, first, count)

    def _by_column(self, key: Key, first: int, count: int) -> Tables:
        stream = Stream(key)
        tables = np.zeros((count, self.pos.size)), np.zeros((count, self.pos.size))
        everyone = sum(self.totals)
        columns = [np.flatnonzero(counts) for counts in (self.pos, self.neg)]
        shares = [
            counts[at] / total for counts, at, total in zip((self.pos, self.neg), columns, self.totals, strict=True)
        ]
        for row in range(count):
            generator = stream.at(first + row)
            sizes = self.totals
            if not self.stratified:
                positives = 0
                while not 0 < positives < everyone:
                    positives = int(generator.binomial(everyone, self.totals[0] / everyone))
                sizes = positives, everyone - positives
            for table, at, share, size in zip(tables, columns, shares, sizes, strict=True):
                table[row, at] = generator.multinomial(size, share)
        return tables

    @property
    def measurable(self) -> bool:
        """Whether `measure` can be asked: the cases are drawn one by one, by the compiled kernel."""
        return self.by_case and native.available()

    @property
    def rows_at_once(self) -> int:
        """How many replicates one call of `measure` should be asked for."""
        return max(1, _CASES_AT_ONCE // (sum(self.totals) + 64))

    def measure(self, wanted: Requested, key: Key, first: int, count: int) -> Replicates:
        """Return what the kernel measures of those replicates, with their totals as the last point."""
        wanted = wanted._replace(points=(*wanted.points, self.pos.size - 1))
        return measure_replicates(
            self.pos,
            self.neg,
            wanted,
            seed=int(key[0]),
            first=first,
            n_resamples=count,
            stratified=self.stratified,
        )


def drawn_by_case(cases: int, columns: int) -> bool:
    """Return whether cases are drawn one by one from a table of so many columns."""
    return cases <= _FEW_CASES or cases < min(_CASES_A_COLUMN * columns, 2**32)


def _has_both(tables: Tables) -> BoolArray:
    return np.asarray(tables[0].any(axis=1) & tables[1].any(axis=1))


_MOST_PLACES = 400
_ROWS_AT_ONCE = 2**29


class Measured(Protocol):
    """What resampling asks of a measure; `thresher.measures.Measure` describes it."""

    @property
    def kernel(self) -> Kernel | None: ...
    def values(self, batch: Batch) -> FloatArray: ...


class LeftOut(NamedTuple):
    """Tables with one unit taken out: table i stands for `times[i]` units of its stratum, which has `units`.

    Rows of unequal weight that share a score are worth a number of units that need not be whole.
    """

    pos: FloatArray
    neg: FloatArray
    times: FloatArray
    stratum: int
    units: float


class Draws:
    """A way to draw tables again.

    Attributes
    ----------
    at : array of intp
        The columns that can hold positives.
    width : int
        How many columns a table has.
    scores : array or None
        The scores of the columns.
    units : (int, int) or None
        How many units are drawn in each class; None if nobody knows.
    unit : str
        What a unit is called.
    """

    at: NDArray[np.intp]
    width: int
    scores: ScoreArray | None
    units: tuple[int, int] | None
    unit = "case"
    stratified: bool

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        raise NotImplementedError

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        raise NotImplementedError

    def left_out(self) -> Iterator[LeftOut]:
        """Return tables with one unit taken out, in portions that fit memory, stratum by stratum."""
        raise NotImplementedError

    def batch(self, tables: Tables) -> Batch:
        """Return tables as measures take them."""
        return Batch(tables[0], tables[1], self.at, self.scores)

    def value(self, measure: Measured) -> float:
        """Return the metric of the data."""
        return float(measure.values(self.batch(self.observed()))[0])

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of replicates `first` to `first + count - 1`."""
        return measure.values(self.batch(self.draw(key, first, count)))

    def rows_at_once(self, measure: Measured) -> int:
        """Return how many replicates are worked on together by default."""
        del measure  # tables are drawn for each
        return batch_rows(self.width)


class CountDraws(Draws):
    """Draws from the cases of a table of whole counts, within each class (`stratified`) or from all of them."""

    def __init__(self, pos: CountArray, neg: CountArray, scores: ScoreArray | None, *, stratified: bool) -> None:
        self._counts = pos.astype(np.int64), neg.astype(np.int64)
        self.scores = scores
        self.stratified = stratified

    def _columns(self) -> tuple[CountArray, CountArray]:
        """Return the positives and negatives of each column."""
        return self._counts

    @cached_property
    def _draws(self) -> TableDraw:
        return TableDraw(*self._columns(), stratified=self.stratified)

    @cached_property
    def at(self) -> NDArray[np.intp]:  # type: ignore[override]  # found when it is asked for
        """The columns that can hold positives."""
        return np.flatnonzero(self._draws.pos)

    @property
    def width(self) -> int:  # type: ignore[override]
        """How many columns a table has."""
        return int(self._draws.pos.size)

    @property
    def units(self) -> tuple[int, int]:  # type: ignore[override]
        """How many cases are drawn in each class."""
        return self._draws.totals

    @property
    def unit_counts(self) -> tuple[IntArray, IntArray]:
        """How many cases of each class stand at each column."""
        return self._draws.pos, self._draws.neg

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        pos, neg = (counts[None].astype(np.float64) for counts in self.unit_counts)
        return pos, neg

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        return self._draws.draw(key, first, count)

    @property
    def measurable(self) -> bool:
        """Whether the compiled kernel can measure replicates."""
        return self._draws.measurable

    def _wanted(self, measure: Measured) -> Requested | None:
        kernel = measure.kernel if self.measurable else None
        return None if kernel is None else kernel.asks

    def rows_at_once(self, measure: Measured) -> int:
        """Return how many replicates are worked on together by default."""
        return self._draws.rows_at_once if self._wanted(measure) is not None else batch_rows(self.width)

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of those replicates, without tables if the compiled kernel knows the measure."""
        wanted, kernel = self._wanted(measure), measure.kernel
        if wanted is None or kernel is None or kernel.read is None:
            return super().values(measure, key, first, count)
        return kernel.read(self.measured(wanted, key, first, count))

    def measured(self, wanted: Requested, key: Key, first: int, count: int) -> Replicates:
        """Return what the compiled kernel measures of those replicates."""
        return self._draws.measure(wanted, key, first, count)

    def left_out(self) -> Iterator[LeftOut]:
        """Return the tables with one case taken out, at up to 400 places of each class."""
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


def asked_of(measure: Measured, rows: Sequence[TableRows]) -> Requested | None:
    """Return what to ask the compiled kernel of such rows; None if it does not know the measure."""
    kernel = measure.kernel
    if kernel is None or not native.available() or not all(one.pos.any() and one.neg.any() for one in rows):
        return None
    return kernel.asked(weights=any(one.weight is not None for one in rows))


def at_once(rows: int) -> int:
    """Return how many replicates of so many rows one call of the kernel is asked for: half a second of work."""
    return max(1, _ROWS_AT_ONCE // (rows + 64))
