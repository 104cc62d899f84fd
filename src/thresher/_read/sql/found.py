"""What is found of the groups of a table in an engine: their count tables, or the figures of each."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.counting import row_order
from thresher._read.stream.group_codes import group_keys
from thresher._read.stream.groups import GroupMeasures, array_order, in_order
from thresher._table import Counts, ManyTables
from thresher.typing import FloatArray, IntArray, ScoreArray

C = TypeVar("C", bound=Counts)


class Found(Generic[C]):
    """Collects groups by their numbers; `keys` has their names, an Arrow array."""

    def __init__(self, cls: type[C], figures: GroupMeasures[C] | None = None) -> None:
        self._cls, self._figures = cls, figures
        self._numbers: list[IntArray] = []
        self._rows: list[FloatArray] = []
        self.keys: Any = None
        self.tables: dict[int, C] = {}

    def add(self, number: int, table: C) -> None:
        """Take the table of one group."""
        if self._figures is None:
            self.tables[number] = table
        else:
            self._numbers.append(np.array([number]))
            self._rows.append(np.array([self._figures.one(table)]))

    def add_many(self, numbers: IntArray, tables: ManyTables) -> None:
        """Take the tables of many."""
        if self._figures is None:
            self.tables.update(zip(numbers.tolist(), tables.each(self._cls), strict=True))
        else:
            self._numbers.append(numbers)
            self._rows.append(self._figures.many(tables))

    def named(self) -> dict[Hashable, C]:
        """Return the tables by the names of their groups, in their order if they have one."""
        names = group_keys(self.keys)
        found = {names[number]: table for number, table in self.tables.items()}
        return {key: found[key] for key in in_order(list(found))}

    def measured(self) -> tuple[Any, FloatArray]:
        """Return the names of the groups as an Arrow array in the same order, and the row of each."""
        names = self.keys.take(np.concatenate(self._numbers))
        order = array_order(names)
        return names.take(order), np.concatenate(self._rows)[order]


def tables_of(
    number: NDArray[np.integer], score: ScoreArray, pos: IntArray, neg: IntArray
) -> tuple[IntArray, ManyTables]:
    """Return the numbers of the groups that occur, ascending, and their tables.

    Element i of the columns is a score of group ``number[i]``, with how many rows of each class have it; there is at
    least one. Equal scores of a group are added up: some engines tell -0.0 from 0.0.
    """
    order = row_order(score)[::-1]
    order = order[row_order(number[order])]
    number, score, pos, neg = number[order], score[order], pos[order], neg[order]
    new = (number[1:] != number[:-1]) | (score[1:] != score[:-1])
    if not new.all():
        starts = np.append(0, np.flatnonzero(new) + 1)
        number, score = number[starts], score[starts]
        pos, neg = (np.add.reduceat(column, starts) for column in (pos, neg))
    ends = np.append(np.flatnonzero(number[1:] != number[:-1]) + 1, number.size).astype(np.int64)
    return number[ends - 1].astype(np.int64), ManyTables(score, pos, neg, ends)
