"""Stretches of the table, highest scores first, to a count table: complete, or some points with exact figures."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.hull import upper_hull
from thresher._read.stream.stretch_sums import HULL, MARK, UNIT, Marks, Tally, between, marked
from thresher._table import Counts, Figures, Squares

__all__ = ["Collector"]

C = TypeVar("C", bound=Counts)

_SUMS = (
    "scores",
    "twice_u",
    "pos_squares",
    "neg_squares",
    "tied",
    "shared_scores",
    "shared_pos",
    "average_precision",
    "interpolated",
)


class Collector:
    """Takes tallies in order and keeps no more points than asked for (about twice as many on the way)."""

    def __init__(self, marks: Marks, max_points: int) -> None:
        self.marks = marks
        self._max_points = max_points
        self._sums: dict[str, list[Any]] = {name: [] for name in _SUMS}
        self._parts: list[Tally] = []
        self._complete = True
        self.n_scores = 0
        self.before: tuple[int | float, int | float] = (0, 0)

    @property
    def most_points(self) -> int:
        """How many points of the next stretch can be kept if they are all of its scores; 0 when not all will fit."""
        return max(self._max_points - self.n_scores, 0) if self._complete else 0

    def add(self, tally: Tally) -> None:
        """Take the next stretch."""
        if not tally.scores:
            return
        for name in _SUMS:
            value = getattr(tally, name)
            self._sums[name] += value if isinstance(value, tuple) else (value,)
        self.n_scores += tally.scores
        if self._parts:
            # What stood last in the stretch before now has a score below it.
            self._parts[-1].below[-1] = tally.first[0]
        part = replace(tally, below=tally.below.copy())
        self._parts.append(part if self._complete else self._thinned(part, self.before))
        if self._complete and (self.n_scores > self._max_points or tally.thresholds.size < tally.scores):
            self._thin()
        self.before = (self.before[0] + tally.positives, self.before[1] + tally.negatives)

    def _thin(self) -> None:
        """Keep of the stretches so far only the points that pass a mark."""
        self._complete = False
        before: tuple[Any, Any] = (0, 0)
        for k, part in enumerate(self._parts):
            after = (part.tp[-1].item(), part.fp[-1].item())
            self._parts[k] = self._thinned(part, before)
            before = after

    def _thinned(self, part: Tally, before: tuple[int | float, int | float]) -> Tally:
        if part.thresholds.size < part.scores:
            return part  # it was counted when it was known that not all would be kept
        rows, why = marked(part.tp, part.fp, before, self.marks, 0)
        columns = {name: getattr(part, name)[rows] for name in ("thresholds", "below", "tp", "fp")}
        squares = None
        if part.squares is not None:
            squares = between(part.squares[0], rows), between(part.squares[1], rows)
        return replace(part, **columns, why=why, squares=squares)

    def result(self, cls: type[C], weights: Squares | None = None) -> C:
        """Return the count table; `weights` says what is known of sampling weights beyond their sums."""
        columns = {
            name: np.concatenate([getattr(part, name) for part in self._parts])
            for name in ("thresholds", "below", "tp", "fp", "why")
        }
        thresholds, tp, fp = columns["thresholds"], columns["tp"], columns["fp"]
        if self._complete and all(part.counts is not None for part in self._parts):
            pos, neg = (np.concatenate([part.counts[k] for part in self._parts if part.counts]) for k in (0, 1))
            return cls._from_table((thresholds, pos, neg), None, self._squares(weights, np.arange(pos.size)))
        rows = np.arange(thresholds.size) if self._complete else _kept(tp, fp, columns["why"], self._max_points)
        highest = np.concatenate((self._parts[0].first, columns["below"][rows[:-1]]))
        squares = self._squares(weights, rows)
        return cls._from_kept(thresholds[rows], tp[rows], fp[rows], self._figures(), highest, squares)

    def _squares(self, weights: Squares | None, rows: NDArray[np.intp]) -> Squares | None:
        if weights is None:
            return None
        pos, neg = (np.concatenate([part.squares[k] for part in self._parts if part.squares]) for k in (0, 1))
        return weights._replace(pos=between(pos, rows), neg=between(neg, rows))

    def _figures(self) -> Figures:
        whole = isinstance(self._sums["twice_u"][0], int)
        total: dict[str, Any] = {
            name: sum(values) if isinstance(values[0], int) else math.fsum(values)
            for name, values in self._sums.items()
        }
        areas = [total[name] / UNIT if whole else total[name] for name in ("average_precision", "interpolated")]
        return Figures(
            total["scores"],
            total["twice_u"],
            total["pos_squares"],
            total["neg_squares"],
            total["tied"],
            total["shared_scores"],
            total["shared_pos"],
            *areas,
        )


def _kept(tp: NDArray[Any], fp: NDArray[Any], why: NDArray[np.uint8], max_points: int) -> NDArray[np.intp]:
    """Return which points stay: vertices of the hull of all, those that passed a mark, and the last one."""
    corners = np.flatnonzero(why & HULL)
    zero = tp.dtype.type(0)
    vertices = upper_hull(np.append(zero, fp[corners]), np.append(zero, tp[corners]))[1:] - 1
    hull = _spread(corners[vertices], max(max_points // 2, 1))
    keep = np.zeros(tp.size, dtype=np.bool_)
    keep[hull] = True
    passed = np.flatnonzero((why & MARK).astype(np.bool_) & ~keep)
    keep[_spread(passed, max_points - hull.size)] = True
    return np.flatnonzero(keep)


def _spread(rows: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return at most so many of the rows, evenly, with the last of them."""
    if rows.size <= most:
        return rows
    if most < 1:
        return rows[:0]
    return rows[np.linspace(rows.size - 1, 0, most).astype(np.intp)[::-1]]
