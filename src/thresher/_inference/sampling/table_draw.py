"""Draws with replacement from a table of whole counts: case by case, or a binomial for each score."""

from __future__ import annotations

import numpy as np

from thresher._core import native
from thresher._core.random_streams import Key, Stream
from thresher._core.resampling import Replicates, Requested, Tables, draw_until, measure_replicates, resample_tables
from thresher.typing import BoolArray, IntArray

__all__ = ["TableDraw", "drawn_by_case"]

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
