"""Cells of bounded number for streams: neighbouring scores share one where that costs little.

Scores are leaves of a binary tree, by the bits of a key that keeps their order. A cell is a node of that tree, so two
cells are nested or apart, also when they come from different sketches; it stands for the rows of a range of scores,
from the lowest to the highest that it took in. Rows that arrive in a cell which has grown heavy go to finer cells
below it. No answer depends on how cells were chosen: the ranges say what is known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import lossless_common_dtype
from thresher._core.counting import Table, merge_tables
from thresher._core.order import ascending_key
from thresher.exceptions import InvalidTypeError
from thresher.typing import CountArray, FloatArray, ScoreArray

_COARSEST = 2.0  # at this grain everything may share one cell
_FINEST = 1e-12
_CLOSE_ENOUGH = 0.95  # of the rows wanted, when looking for a grain
_MOST_TRIALS = 24

Index = NDArray[np.intp]


class Ranges(NamedTuple):
    """Cells that stand for more than one score: of cell i the lowest, the highest, and its counts; in no order.

    With sampling weights also the sums of their squares, else nothing.
    """

    lowest: ScoreArray
    highest: ScoreArray
    pos: CountArray
    neg: CountArray
    squares: tuple[FloatArray, ...] = ()

    def taken(self, rows: NDArray[Any]) -> Ranges:
        """Return some of the cells."""
        columns = (self.lowest[rows], self.highest[rows], self.pos[rows], self.neg[rows])
        return Ranges(*columns, tuple(column[rows] for column in self.squares))


class SketchCells(NamedTuple):
    """What a sketch keeps: scores known exactly, as a table, and ranges of scores."""

    points: Table
    ranges: Ranges | None
    squares: tuple[FloatArray, ...] = ()
    """Of the points; empty without sampling weights."""

    @property
    def size(self) -> int:
        """How many rows are kept."""
        return int(self.points[0].size) + (0 if self.ranges is None else int(self.ranges.lowest.size))


def cells_of(table: Table, highest: ScoreArray, squares: tuple[FloatArray, ...] = ()) -> SketchCells:
    """Return the rows of a count table as cells."""
    _check_type(table[0].dtype, table[0])
    single = highest == table[0]
    if single.all():
        return SketchCells(table, None, squares)
    points = (table[0][single], table[1][single], table[2][single])
    ranges = Ranges(table[0], highest, table[1], table[2], squares).taken(~single)
    return SketchCells(points, _by_node(ranges), tuple(column[single] for column in squares))


def weighed(cells: SketchCells) -> SketchCells:
    """Return cells with squares, those of rows of weight 1 where there were none."""
    if cells.squares:
        return cells
    ranges = cells.ranges
    if ranges is not None:
        ranges = ranges._replace(squares=(ranges.pos.astype(np.float64), ranges.neg.astype(np.float64)))
    return SketchCells(cells.points, ranges, (cells.points[1].astype(np.float64), cells.points[2].astype(np.float64)))


def joined(a: SketchCells, b: SketchCells) -> SketchCells:
    """Return the cells of both; scores of either type keep their value."""
    columns = [c for cells in (a, b) for c in _score_columns(cells)]
    dtype = lossless_common_dtype(*columns)
    _check_type(dtype, *columns)
    a, b = _cast(a, dtype), _cast(b, dtype)
    if a.squares or b.squares:
        a, b = weighed(a), weighed(b)
    points, squares = _merged((a.points, a.squares), (b.points, b.squares))
    if a.ranges is None or b.ranges is None:
        return SketchCells(points, b.ranges if a.ranges is None else a.ranges, squares)
    columns = [np.concatenate(pair) for pair in zip(a.ranges[:4], b.ranges[:4], strict=True)]
    more = tuple(np.concatenate(pair) for pair in zip(a.ranges.squares, b.ranges.squares, strict=True))
    return SketchCells(points, _by_node(Ranges(columns[0], columns[1], columns[2], columns[3], more)), squares)


def _merged(
    a: tuple[Table, tuple[FloatArray, ...]], b: tuple[Table, tuple[FloatArray, ...]]
) -> tuple[Table, tuple[FloatArray, ...]]:
    """Return the sum of two tables, with that of their squares."""
    table = merge_tables(a[0], b[0])
    if not a[1]:
        return table, ()
    return table, merge_tables((a[0][0], *a[1]), (b[0][0], *b[1]))[1:]  # type: ignore[arg-type]  # of two columns


def _check_type(dtype: np.dtype[Any], *columns: ScoreArray) -> None:
    if dtype.itemsize > 8:
        kinds = " and ".join(sorted({str(column.dtype) for column in columns}))
        raise InvalidTypeError(
            f"The scores of a sketch must fit one type of at most 64 bits; got {kinds}. "
            "Hint: convert all of them to float64."
        )


def _score_columns(cells: SketchCells) -> list[ScoreArray]:
    return [cells.points[0]] if cells.ranges is None else [cells.points[0], cells.ranges.lowest, cells.ranges.highest]


def _cast(cells: SketchCells, dtype: np.dtype[Any]) -> SketchCells:
    points = (cells.points[0].astype(dtype, copy=False), cells.points[1], cells.points[2])
    if cells.ranges is None:
        return SketchCells(points, None, cells.squares)
    lowest, highest = (column.astype(dtype, copy=False) for column in cells.ranges[:2])
    return SketchCells(points, cells.ranges._replace(lowest=lowest, highest=highest), cells.squares)


def owned(cells: SketchCells) -> SketchCells:
    """Return cells in memory of their own, so that no buffer as large as a batch stays behind."""
    points, ranges, squares = cells
    return SketchCells(
        (points[0].copy(), points[1].copy(), points[2].copy()),
        None if ranges is None else ranges.taken(np.arange(ranges.lowest.size)),
        tuple(column.copy() for column in squares),
    )


def table_of(cells: SketchCells) -> tuple[Table, ScoreArray | None, tuple[FloatArray, ...]]:
    """Return the rows as a count table, highest first, with the highest score of each; None if all are exact.

    And the sums of squared weights, if there are weights.
    """
    if cells.ranges is None:
        return cells.points, None, cells.squares
    lowest = np.concatenate((cells.points[0], cells.ranges.lowest))
    highest = np.concatenate((cells.points[0], cells.ranges.highest))
    mine, others = (*cells.points[1:], *cells.squares), (cells.ranges.pos, cells.ranges.neg, *cells.ranges.squares)
    columns = [np.concatenate(pair) for pair in zip(mine, others, strict=True)]
    order = np.argsort(lowest, kind="stable")[::-1]
    lowest = lowest[order]
    # A table has a score once: cells with the same lowest score become one row.
    starts = np.flatnonzero(np.append(True, lowest[1:] != lowest[:-1]))
    pos, neg, *squares = (np.add.reduceat(column[order], starts) for column in columns)
    return (lowest[starts], pos, neg), np.maximum.reduceat(highest[order], starts), tuple(squares)


# Nodes of the tree. They are numbered from left to right: leaves are odd, and of inner nodes the number of trailing
# zeros says how high they stand. The last bit of a key is dropped to have room for inner nodes.


def _leaves(scores: ScoreArray) -> NDArray[np.uint64]:
    return ascending_key(scores) | np.uint64(1)


def _common_node(low: NDArray[np.uint64], high: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the lowest node above both."""
    top = _highest_bit(low ^ high)
    below = top - np.uint64(1)
    node = high & ~below
    # A node that is above the other one is the answer itself.
    return np.where(low & (below | top), node, low)


def _highest_bit(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return each word with its highest bit alone; 1 for 0."""
    for shift in (1, 2, 4, 8, 16, 32):
        words = words | (words >> np.uint64(shift))
    return np.maximum(words ^ (words >> np.uint64(1)), np.uint64(1))


def _nodes(ranges: Ranges) -> NDArray[np.uint64]:
    return _common_node(_leaves(ranges.lowest), _leaves(ranges.highest))


def _by_node(ranges: Ranges) -> Ranges:
    """Return ranges of which no two stand at the same node."""
    nodes = _nodes(ranges)
    order = np.argsort(nodes, kind="stable")
    nodes = nodes[order]
    starts = np.flatnonzero(np.append(True, nodes[1:] != nodes[:-1]))
    return Ranges(
        np.minimum.reduceat(ranges.lowest[order], starts),
        np.maximum.reduceat(ranges.highest[order], starts),
        np.add.reduceat(ranges.pos[order], starts),
        np.add.reduceat(ranges.neg[order], starts),
        tuple(np.add.reduceat(column[order], starts) for column in ranges.squares),
    )


# Fewer cells


class _Row(NamedTuple):
    """Rows by node, from low scores to high, with running sums; element 0 of a sum stands before all rows."""

    nodes: NDArray[np.uint64]
    pos: FloatArray
    neg: FloatArray
    log_called: FloatArray
    free: NDArray[np.int64]  # how many of the rows may share a cell with others
    keep_pos: bool


def shrunk(cells: SketchCells, most: int, grain: float) -> tuple[SketchCells, float]:
    """Return at most `most` rows, and the grain at which they were found; `grain` is where to look first.

    Positives stay exact as long as they and their scores fill no more than half of the rows.
    """
    points, ranges, squares = cells
    if ranges is None:
        nothing = points[0][:0]
        ranges = Ranges(nothing, nothing, points[1][:0], points[2][:0], tuple(column[:0] for column in squares))
    lowest = np.concatenate((points[0][::-1], ranges.lowest))
    highest = np.concatenate((points[0][::-1], ranges.highest))
    pos = np.concatenate((points[1][::-1], ranges.pos))
    neg = np.concatenate((points[2][::-1], ranges.neg))
    nodes = np.concatenate((_leaves(points[0][::-1]), _nodes(ranges)))
    order = np.argsort(nodes, kind="stable")
    nodes, lowest, highest, pos, neg = (column[order] for column in (nodes, lowest, highest, pos, neg))
    more = [np.concatenate((mine[::-1], others))[order] for mine, others in zip(squares, ranges.squares, strict=True)]
    has_pos = pos > 0
    keep_pos = not (ranges.pos > 0).any() and np.count_nonzero(has_pos) <= most // 2
    kept = has_pos & keep_pos
    rows = _running(nodes, pos, neg, kept)
    starts, grain = _search(rows, most - int(np.count_nonzero(kept)), grain)
    free = ~kept
    bounds = rows.free[starts]
    new = Ranges(
        np.minimum.reduceat(lowest[free], bounds),
        np.maximum.reduceat(highest[free], bounds),
        np.add.reduceat(pos[free], bounds),
        np.add.reduceat(neg[free], bounds),
        tuple(np.add.reduceat(column[free], bounds) for column in more),
    )
    single = new.lowest == new.highest
    exact = (new.lowest[single][::-1], new.pos[single][::-1], new.neg[single][::-1])
    own = (lowest[kept][::-1], pos[kept][::-1], neg[kept][::-1])
    wide = new.taken(~single)
    table, squares = _merged(
        (own, tuple(column[kept][::-1] for column in more)),
        (exact, tuple(column[single][::-1] for column in new.squares)),
    )
    return SketchCells(table, wide if wide.lowest.size else None, squares), grain


def _running(nodes: NDArray[np.uint64], pos: CountArray, neg: CountArray, kept: NDArray[np.bool_]) -> _Row:
    def total(column: NDArray[Any]) -> FloatArray:
        sums = np.concatenate(([0.0], np.cumsum(column, dtype=np.float64)))
        return np.asarray(sums / max(sums[-1], 1e-300))

    called = np.concatenate(([0.0], np.cumsum(pos + neg, dtype=np.float64)))
    above = np.log1p(called[-1] - called)
    return _Row(
        nodes,
        total(pos),
        total(np.where(kept, 0, neg)),
        (above[0] - above) / above[0],
        np.concatenate(([0], np.cumsum(~kept))),
        bool(kept.any()),
    )


def _search(rows: _Row, most: int, grain: float) -> tuple[Index, float]:
    """Return where cells start, as many as fit, and the grain that gave them."""
    low, high = 0.0, _COARSEST
    found = _cells_at(rows, high)
    best = high
    trial = min(max(grain, _FINEST), _COARSEST)
    for _ in range(_MOST_TRIALS):
        starts = _cells_at(rows, trial)
        if starts.size <= most:
            found, best, high = starts, trial, trial
            if starts.size >= _CLOSE_ENOUGH * most:
                break
            trial = (low * high) ** 0.5 if low > 0 else trial / 1.5
        else:
            low = trial
            trial = (low * high) ** 0.5 if best < _COARSEST else min(trial * 1.5, _COARSEST)
        if trial < _FINEST or high - low < 1e-3 * high:
            break
    return found, best


def _cells_at(rows: _Row, grain: float) -> Index:
    """Return the first row of every cell: the highest nodes whose rows together are no more than the grain."""
    first, end = np.array([0]), np.array([rows.nodes.size])
    cells: list[Index] = []
    while first.size:
        some = rows.free[end] > rows.free[first]
        first, end = first[some], end[some]
        pos = rows.pos[end] - rows.pos[first]
        neg = rows.neg[end] - rows.neg[first]
        called = rows.log_called[end] - rows.log_called[first]
        light = (neg <= grain) & (called <= grain) & (4.0 * pos * np.maximum(neg, called) <= grain * grain)
        if not rows.keep_pos:
            light &= pos <= grain
        light |= rows.free[end] - rows.free[first] == 1
        cells.append(first[light])
        first, end = first[~light], end[~light]
        if not first.size:
            break
        low, high = rows.nodes[first], rows.nodes[end - 1]
        leaf = low == high
        if leaf.any():
            # Neighbouring numbers that differ in the last bit of their keys: too heavy to share a cell.
            runs = np.concatenate([np.arange(a, b) for a, b in zip(first[leaf], end[leaf], strict=True)])
            cells.append(runs[rows.free[runs + 1] > rows.free[runs]])
            first, end, low, high = first[~leaf], end[~leaf], low[~leaf], high[~leaf]
        node = _common_node(low, high)
        left = np.searchsorted(rows.nodes, node, side="left")
        right = np.searchsorted(rows.nodes, node, side="right")
        cells.append(left[right > left])
        first, end = np.concatenate((first, right)), np.concatenate((left, end))
    return np.sort(np.concatenate(cells))
