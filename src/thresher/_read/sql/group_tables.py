"""Counts of many groups as an engine sends them, in any order, as count tables one after another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher._core.counting import row_order
from thresher._table import ManyTables
from thresher.typing import IntArray, ScoreArray

__all__ = ["tables_of"]


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
