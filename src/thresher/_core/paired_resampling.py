"""Replicates of several tables of the same rows: what is drawn is drawn once, and every table counts it.

Units are drawn (rows, or clusters of rows), as `thresher._core.resampling` draws the rows of a table; or each unit is
put into one of two places with equal probability, which exchanges the scores of two models within rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.order import descending_order
from thresher._core.resampling import Replicates, Requested, Tables, draw_until, fair_coins, resample_tables
from thresher.typing import BoolArray, FloatArray


class TableRows(NamedTuple):
    """The rows of a table in order of score, the highest first, negatives before positives that share a score.

    Attributes
    ----------
    pos, neg : array of int64
        How many rows of each class stand at each column.
    unit : array of uint32
        The unit, or the place, that each row belongs to.
    weight : array of float64 or None
        What each row weighs.
    """

    pos: NDArray[np.int64]
    neg: NDArray[np.int64]
    unit: NDArray[np.uint32]
    weight: FloatArray | None = None


class Together(NamedTuple):
    """What is drawn: `strata` says of each unit whether it is of the first; each stratum keeps its size.

    With `exchange` nothing is drawn: each unit u is dealt the place 2u or 2u + 1.
    """

    strata: NDArray[np.uint8]
    exchange: bool = False


def laid_out(
    positive: BoolArray, column: NDArray[np.intp], unit: NDArray[np.intp], width: int, weight: FloatArray | None = None
) -> TableRows:
    """Return rows, given with the column that each stands in, as a table has them."""
    order = descending_order(-(2 * column.astype(np.int64) + positive))
    pos, neg = (np.bincount(column[side], minlength=width).astype(np.int64) for side in (positive, ~positive))
    weights = None if weight is None else weight[order].astype(np.float64)
    return TableRows(pos, neg, unit[order].astype(np.uint32), weights)


def measure_together(
    together: Together, tables: Sequence[TableRows], requested: Requested, *, seed: int, first: int, n_resamples: int
) -> list[Replicates]:
    """Draw and measure replicates of tables, with their totals as the last point unless they have weights."""
    given = [_given(table, () if table.weight is not None else (table.pos.size - 1,)) for table in tables]
    rates = [
        np.ascontiguousarray(rate, dtype=np.float64) for rate in (requested.spans, requested.fprs, requested.recalls)
    ]
    found = native.paired(together, given, seed, first, n_resamples, requested[:7], rates)
    made = [Replicates(*one) for one in found]
    return [one._replace(points=one.points.reshape(n_resamples, -1, 2)) for one in made]


def tables_together(
    together: Together, tables: Sequence[TableRows], *, seed: int, first: int, n_resamples: int
) -> list[Tables]:
    """Draw replicates of tables: counts, or sums of weights."""
    if native.available():
        given = [_given(table, ()) for table in tables]
        return native.paired_tables(together, given, seed, first, n_resamples)
    return tables_together_numpy(together, tables, seed, first, n_resamples)


def _given(table: TableRows, points: Sequence[int]) -> tuple[NDArray[np.generic], ...]:
    weight = np.empty(0) if table.weight is None else np.ascontiguousarray(table.weight)
    return table.pos, table.neg, table.unit, weight, np.asarray(points, dtype=np.int64)


# The same with NumPy alone: what runs where nothing was compiled, and what the kernels are tested against.


def tables_together_numpy(
    together: Together, tables: Sequence[TableRows], seed: int, first: int, n_resamples: int
) -> list[Tables]:
    """Do what the kernel does."""
    if together.exchange:
        coins = fair_coins(seed, first, n_resamples, together.strata.size)
        times = np.stack((1 - coins, coins), axis=2).reshape(n_resamples, -1)
        return [summed_rows(times, table) for table in tables]
    counts = together.strata.astype(np.int64)
    positive = np.zeros(counts.size, dtype=np.bool_)
    negative = positive.copy()
    of_pos = _is_positive(tables[0])
    positive[tables[0].unit[of_pos]] = True
    negative[tables[0].unit[~of_pos]] = True

    def draw(first: int, count: int, attempt: int) -> Tables:
        return resample_tables(counts, 1 - counts, seed=seed, first=first, n_resamples=count, attempt=attempt)

    def usable(drawn: Tables) -> BoolArray:
        each = drawn[0] + drawn[1]
        both = [each[:, own].any(axis=1) | (not own.any()) for own in (positive, negative)]
        return np.asarray(both[0] & both[1])

    # A sample without one of the classes has no curve: the distribution is that of samples with both.
    drawn = draw_until(usable, draw, first, n_resamples)
    return [summed_rows(drawn[0] + drawn[1], table) for table in tables]


def summed_rows(times: NDArray[np.generic], table: TableRows) -> Tables:
    """Return the tables when unit u is there `times[i, u]` times in table i; weights are added from left to right."""
    of_pos = _is_positive(table)
    out = []
    for side, counts in ((of_pos, table.pos), (~of_pos, table.neg)):
        taken = np.take(times, table.unit[side], axis=1).astype(np.float64)
        summed = np.zeros((times.shape[0], counts.size))
        columns = np.flatnonzero(counts)
        single = columns.size == taken.shape[1]
        if table.weight is not None:
            taken *= table.weight[side]
        if single:
            summed[:, columns] = taken
        elif table.weight is None:
            starts = (np.cumsum(counts) - counts)[columns]
            summed[:, columns] = np.add.reduceat(taken, starts, axis=1)
        else:
            column = np.repeat(np.arange(counts.size), counts)
            for row, weights in zip(summed, taken, strict=True):
                row[:] = np.bincount(column, weights, counts.size)
        out.append(summed)
    return out[0], out[1]


def _is_positive(table: TableRows) -> BoolArray:
    """Return which rows are positives."""
    both = np.stack((table.neg, table.pos), axis=1).ravel()
    return np.asarray(np.repeat(np.arange(both.size) % 2 == 1, both))
