"""Rankings within each row of a matrix: all rows at once instead of one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.order import descending_order
from thresher.typing import BoolArray

__all__ = ["Ranked", "blocks", "falling_rows", "ranked"]

# Rows are taken in blocks of about this many numbers, so that intermediate results stay in cache.
_BLOCK = 1 << 18
_WIDE = 4096
_NARROW = 16


class Ranked(NamedTuple):
    """Columns of each row from the highest score down, and where each group of ties starts."""

    order: NDArray[np.intp]
    starts: BoolArray
    """Whether a place opens a new group of tied scores; the first place always does."""

    def sort(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return a matrix in this order."""
        return np.take_along_axis(values, self.order, axis=1)

    def group_end(self) -> NDArray[np.intp]:
        """Return, for each place, the last place of its group."""
        width = self.starts.shape[1]
        places = np.arange(width)
        closes = np.ones_like(self.starts)
        closes[:, :-1] = self.starts[:, 1:]
        last = np.where(closes, places, width - 1)
        return np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]

    def group_start(self) -> NDArray[np.intp]:
        """Return, for each place, the first place of its group."""
        return np.maximum.accumulate(np.where(self.starts, np.arange(self.starts.shape[1]), 0), axis=1)


def ranked(scores: NDArray[Any]) -> Ranked:
    """Rank the columns of each row by falling score."""
    if scores.shape[1] >= _WIDE:
        order = np.stack([descending_order(row) for row in scores])
    else:
        # Ascending and reversed: the order of ties does not matter to anything that uses groups.
        order = np.argsort(scores, axis=1)[:, ::-1]
    ordered = np.take_along_axis(scores, order, axis=1)
    starts = np.ones(order.shape, dtype=np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=starts[:, 1:])
    return Ranked(order, starts)


def blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Yield slices of rows that are worked on together."""
    step = max(1, _BLOCK // max(n_columns, 1))
    for first in range(0, n_rows, step):
        yield slice(first, first + step)


def falling_rows(values: NDArray[Any]) -> NDArray[Any]:
    """Return the numbers of each row, largest first."""
    width = values.shape[1]
    if width > _NARROW:
        return np.sort(values, axis=1)[:, ::-1]
    # Few columns: neighbours are exchanged where they stand wrong, all rows at once, as often as there are columns.
    columns = [np.ascontiguousarray(values[:, j]) for j in range(width)]
    for turn in range(width):
        for j in range(turn % 2, width - 1, 2):
            a, b = columns[j], columns[j + 1]
            columns[j], columns[j + 1] = np.maximum(a, b), np.minimum(a, b)
    return np.column_stack(columns)
