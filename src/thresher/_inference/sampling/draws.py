"""Ways to draw a table again: its cases, its weighted rows, and its cases on a device."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.device_bootstrap import DeviceRows, rows_on_device
from thresher._core.paired_resampling import TableRows, Together, laid_out, measure_together, tables_together
from thresher._core.random_streams import Key, Stream, batch_rows
from thresher._core.resampling import Replicates, Requested, Tables, draw_until, measure_replicates, resample_tables
from thresher._table import Batch, Counts, Grid, ManyTables, Needs, grid_of
from thresher.typing import BoolArray, CountArray, FloatArray, IntArray, ScoreArray


class Kernel(NamedTuple):
    """What to ask of the compiled bootstrap, and how to read the answer.

    `asks` is measured of every replicate and `read` makes values of it (of class totals too if `totals`); `variances`
    gives analytic variances, in `delong`; `many` the values of many tables with their default errors, NaN if not
    defined.
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
    """Tables with one unit taken out: table i stands for `times[i]` of the `units` of its stratum, whole or not."""

    pos: FloatArray
    neg: FloatArray
    times: FloatArray
    stratum: int
    units: float


class Draws:
    """A way to draw tables again.

    `at` are the columns that can hold positives, `units` how many units are drawn in each class, if anybody knows.
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
    """Draws from the cases of a table of whole counts, within each class (`stratified`) or from all of them.

    One by one, unless a binomial draw for each score is less work; which way is taken depends on the table only.
    """

    def __init__(self, pos: CountArray, neg: CountArray, scores: ScoreArray | None = None, *, stratified: bool) -> None:
        self._counts = pos.astype(np.int64), neg.astype(np.int64)
        self.scores, self.stratified = scores, stratified

    @cached_property
    def unit_counts(self) -> tuple[IntArray, IntArray]:
        """How many cases of each class stand at each column."""
        return self._counts

    @cached_property
    def at(self) -> NDArray[np.intp]:  # type: ignore[override]  # found when it is asked for
        """The columns that can hold positives."""
        return np.flatnonzero(self.unit_counts[0])

    @property
    def width(self) -> int:  # type: ignore[override]
        """How many columns a table has."""
        return int(self.unit_counts[0].size)

    @property
    def units(self) -> tuple[int, int]:  # type: ignore[override]
        """How many cases are drawn in each class."""
        return int(self.unit_counts[0].sum()), int(self.unit_counts[1].sum())

    @cached_property
    def by_case(self) -> bool:
        """Whether cases are drawn one by one."""
        return drawn_by_case(sum(self.units), self.width)

    @property
    def measurable(self) -> bool:
        """Whether the compiled kernel can measure replicates."""
        return self.by_case and native.available()

    def observed(self) -> Tables:
        """Return the table of the data, as one row."""
        pos, neg = (counts[None].astype(np.float64) for counts in self.unit_counts)
        return pos, neg

    def draw(self, key: Key, first: int, count: int) -> Tables:
        """Return the tables of replicates `first` to `first + count - 1`."""
        if not self.by_case:
            return self._by_column(key, first, count)

        def draw(first: int, count: int, attempt: int) -> Tables:
            seed, stratified = int(key[0]), self.stratified
            return resample_tables(
                *self.unit_counts, seed=seed, first=first, n_resamples=count, stratified=stratified, attempt=attempt
            )

        # A sample without one of the classes has no curve: the distribution is that of samples with both.
        return draw(first, count, 0) if self.stratified else draw_until(_has_both, draw, first, count)

    def _by_column(self, key: Key, first: int, count: int) -> Tables:
        stream = Stream(key)
        tables = np.zeros((count, self.width)), np.zeros((count, self.width))
        totals, everyone = self.units, sum(self.units)
        columns = [np.flatnonzero(counts) for counts in self.unit_counts]
        shares = [counts[at] / total for counts, at, total in zip(self.unit_counts, columns, totals, strict=True)]
        for row in range(count):
            generator = stream.at(first + row)
            sizes = totals
            if not self.stratified:
                positives = 0
                while not 0 < positives < everyone:
                    positives = int(generator.binomial(everyone, totals[0] / everyone))
                sizes = positives, everyone - positives
            for table, at, share, size in zip(tables, columns, shares, sizes, strict=True):
                table[row, at] = generator.multinomial(size, share)
        return tables

    def _wanted(self, measure: Measured) -> Requested | None:
        kernel = measure.kernel if self.measurable else None
        return None if kernel is None else kernel.asks

    def rows_at_once(self, measure: Measured) -> int:
        """Return how many replicates are worked on together by default."""
        asked = self._wanted(measure) is not None
        return max(1, _CASES_AT_ONCE // (sum(self.units) + 64)) if asked else batch_rows(self.width)

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of those replicates, without tables if the compiled kernel knows the measure."""
        wanted, kernel = self._wanted(measure), measure.kernel
        if wanted is None or kernel is None or kernel.read is None:
            return super().values(measure, key, first, count)
        return kernel.read(self.measured(wanted, key, first, count))

    def measured(self, wanted: Requested, key: Key, first: int, count: int) -> Replicates:
        """Return what the compiled kernel measures of those replicates, with their totals as the last point."""
        wanted = wanted._replace(points=(*wanted.points, self.width - 1))
        return measure_replicates(
            *self.unit_counts, wanted, seed=int(key[0]), first=first, n_resamples=count, stratified=self.stratified
        )

    def left_out(self) -> Iterator[LeftOut]:
        """Return the tables with one case taken out, at up to 400 places of each class."""
        sums = self.observed()
        return _left_out((sums[0][0], sums[1][0]), self.unit_counts, (1.0, 1.0), self.units, stratified=self.stratified)


def _left_out(
    sums: Sequence[FloatArray],
    numbers: Sequence[CountArray],
    each: Sequence[Any],
    sizes: tuple[float, float],
    *,
    stratified: bool,
) -> Iterator[LeftOut]:
    """Give tables of these sums with one of so many rows taken out, each of which weighs `each`."""
    width = sums[0].size
    for side, number in enumerate(numbers):
        if sizes[side] < 2:
            continue
        columns, times = places(number)
        weight = np.broadcast_to(each[side], width)[columns]
        for part in np.array_split(np.arange(columns.size), -(-columns.size * width // 2**21)):
            pos, neg = (np.repeat(own[None], part.size, axis=0) for own in sums)
            at = (np.arange(part.size), columns[part])
            (pos, neg)[side][at] = np.maximum((pos, neg)[side][at] - weight[part], 0.0)
            stratum, units = (side, sizes[side]) if stratified else (0, sum(sizes))
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


_WHOLE = 1e-9


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
        self._rows: CountDraws | None = None
        self._single: tuple[Together, TableRows] | None = None
        if all(bool((nu == np.rint(nu)).all()) for nu in self.nu):
            pos, neg = (nu.astype(np.int64) for nu in self.nu)
            self._rows = CountDraws(pos, neg, stratified=stratified)
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
        found = measure_together(together, [rows], wanted, seed=int(key[0]), first=first, n_resamples=count)
        return kernel.read(found[0])

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
        sizes = float(self.nu[0].sum()), float(self.nu[1].sum())
        for part in _left_out(self._sums, self.nu, self._each, sizes, stratified=self.stratified):
            pos, neg = self._summed((part.pos, part.neg))
            yield part._replace(pos=pos, neg=neg)


_AUC, _AVERAGE_PRECISION = Requested(roc_auc=True), Requested(average_precision=True)


class DeviceDraws(CountDraws):
    """Resample the cases of a table on its device; measures it does not know are computed in main memory."""

    def __init__(self, rows: DeviceRows, *, stratified: bool, path_only: bool) -> None:
        self._rows, self._path_only = rows, path_only
        self.stratified, self.scores = stratified, None

    def __reduce__(self) -> tuple[Any, ...]:
        # Results travel between processes; a device does not.
        return partial(CountDraws, stratified=self.stratified), self.unit_counts

    @cached_property
    def unit_counts(self) -> tuple[IntArray, IntArray]:
        """How many cases of each class stand at each column."""
        pos, neg = self._rows.columns_on_host(path_only=self._path_only)
        return pos.astype(np.int64), neg.astype(np.int64)

    @property
    def width(self) -> int:  # type: ignore[override]  # of a table that is not here
        """How many columns a table has."""
        return self._rows.columns[self._path_only]

    @property
    def units(self) -> tuple[int, int]:  # type: ignore[override]
        """How many cases are drawn in each class."""
        return self._rows.n_pos, self._rows.n_neg

    def _asks(self, measure: Measured) -> Requested | None:
        return None if measure.kernel is None else measure.kernel.asks

    def value(self, measure: Measured) -> float:
        """Return the metric of the data."""
        if self._asks(measure) != _AUC:
            return super().value(measure)
        n_pos, n_neg = self.units
        return float(self._read(measure, np.array([self._rows.twice_u / (2.0 * n_pos * n_neg)]), np.array([n_pos]))[0])

    def rows_at_once(self, measure: Measured) -> int:
        """Return how many replicates are worked on together by default."""
        known = self._asks(measure) in (_AUC, _AVERAGE_PRECISION)
        return self._rows.at_once() if known else super().rows_at_once(measure)

    def values(self, measure: Measured, key: Key, first: int, count: int) -> FloatArray:
        """Return the metric of replicates `first` to `first + count - 1`."""
        asks = self._asks(measure)
        if asks not in (_AUC, _AVERAGE_PRECISION):
            return super().values(measure, key, first, count)
        name = "roc_auc" if asks == _AUC else "average_precision"
        areas, pos = self._rows.areas(name, int(key[0]), first, count, stratified=self.stratified)
        return self._read(measure, areas, pos)

    def _read(self, measure: Measured, areas: FloatArray, pos: Any) -> FloatArray:
        totals = np.stack((pos, self._rows.rows - pos), axis=1)[:, np.newaxis]
        none = np.zeros((areas.size, 0))
        kernel = measure.kernel
        if kernel is None or kernel.read is None:
            raise AssertionError("measures on a device have a kernel")
        return kernel.read(Replicates(areas, areas, None, None, none, totals, none, none))


def count_draws(counts: Counts, needs: Needs, threshold: float | None, *, stratified: bool) -> CountDraws:
    """Return how the cases of a table of whole counts are resampled: on their device if that can be."""
    ranks = counts._ranks
    if ranks is not None and needs in ("path", "ranks"):
        rows, path_only = rows_on_device(ranks), needs == "path"
        if rows is not None and drawn_by_case(rows.rows, rows.columns[path_only]):
            return DeviceDraws(rows, stratified=stratified, path_only=path_only)
    grid = grid_of(needs, counts.thresholds, counts.pos, counts.neg, threshold)
    return CountDraws(grid.summed(counts.pos), grid.summed(counts.neg), grid.scores, stratified=stratified)
