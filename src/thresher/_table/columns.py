"""Columns of a count table: steps, totals, ranges, and weights that leave a class empty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray, ScoreArray

__all__ = ["check_class_weight", "merged_highest", "no_class_weight", "steps"]


def steps(running: CountArray) -> CountArray:
    """Return what each row adds to a running count."""
    steps: CountArray = np.array(running, dtype=np.float64 if running.dtype.kind == "f" else np.int64)
    steps[1:] -= running[:-1]
    return steps


def check_class_weight(weight: NDArray[Any], positive: NDArray[np.bool_], name: str) -> None:
    """Refuse weights that silently remove a class which has rows."""
    for side, rows in (("positive", positive), ("negative", ~positive)):
        if rows.any() and not (weight[rows] > 0).any():
            raise no_class_weight(name, int(rows.sum()), side)


def no_class_weight(name: str, rows: int, side: str) -> InvalidInputError:
    """Return the error for weights that are all 0 in a class."""
    return InvalidInputError(
        f"`{name}` must leave some weight in each class; got only zeros for the {rows} {side} rows. "
        "Hint: give them a weight above 0, or leave those rows out."
    )


def merged_highest(thresholds: ScoreArray, ranges: Iterable[tuple[ScoreArray, ScoreArray]]) -> ScoreArray:
    """Return the highest score that each row of a sum stands for, from the (thresholds, highest) of its parts."""
    highest = thresholds.copy()
    for lowest, top in ranges:
        place = highest.size - 1 - np.searchsorted(thresholds[::-1], lowest.astype(thresholds.dtype, copy=False))
        highest[place] = np.maximum(highest[place], top.astype(thresholds.dtype, copy=False))
    return highest
