"""Figures of all distinct scores, and points of the curve, from the sums that an engine's Python tasks made of buckets.

Within a bucket, running counts start from 0. What depends on the counts above the bucket as a polynomial (pairs,
placements) is moved there afterwards, in Python integers. Precisions do not move, so the tasks know the counts above.
Each of their terms is a double made by the same operations as in memory; it is cut into whole numbers of 30 bits, which
add up without rounding in whatever order, so that the sum is the exact sum of the terms, rounded once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import hyperbola
from thresher._core.hull import upper_hull
from thresher._core.hyperbola import hyperbola_area
from thresher._read.sql import spark_workers
from thresher._read.sql.buckets import Buckets, offsets
from thresher._read.sql.session import Task
from thresher._read.sql.spark_workers import COLUMNS, LIMB, Above, above_hull, limb_columns, partition_sums
from thresher._read.stream.collect import UNIT, exact_sum
from thresher._table import Figures
from thresher.exceptions import ThresherError
from thresher.typing import CountArray, FloatArray, IntArray, ScoreArray

MOST_ROWS = 2**21
"""Of a bucket: a task holds them in memory, and products of their counts are 64-bit integers."""

_TYPES = {"int8": "tinyint", "int16": "smallint", "int32": "int", "int64": "bigint"}
_TYPES |= {"float32": "float", "float64": "double"}

Sums = dict[str, list[Any]]


def sums_task(above: Above, limbs: int, score: Any, rows: int, *, grouped: bool) -> Task:
    """Return the task that sums `rows` with the columns `id` of the bucket, `score` of an Ibis type, and `pos`."""
    kind = str(score.copy(nullable=True)).lower()
    types = dict.fromkeys((*COLUMNS, *limb_columns(limbs)), "bigint")
    types |= dict.fromkeys(("score", "after"), _TYPES.get(kind, kind))
    return Task(partition_sums(above, limbs, grouped=grouped), types, "id", rows, (spark_workers, hyperbola))


def limbs_for(groups: Iterable[Buckets]) -> int:
    """Return how many pieces of 30 bits hold the digits after the point of any term."""
    total: int = max(sum(buckets.pos.tolist()) + sum(buckets.neg.tolist()) for buckets in groups)
    # A term is not below 1 / (2 * total), and its last bit stands 53 places after its first.
    return -(-(total.bit_length() + 2 + 53) // LIMB)


def check_counts(counted: list[int], again: list[int]) -> None:
    """Refuse positives and negatives that were others when they were read again."""
    if counted != again:
        raise ThresherError(
            f"The table must stay as it is while it is counted; got {sum(counted)} rows in some range of scores, and "
            f"{sum(again)} when they were read again. Hint: count a snapshot, or persist a table that is made anew "
            "each time it is read."
        )


def figures_of(buckets: Buckets, sums: Sums) -> Figures:
    """Return the figures of one group from the sums of its buckets; buckets of one score have none and need none."""
    alone = buckets.single
    shared = alone & (buckets.pos > 0) & (buckets.neg > 0)
    twice_u, pos_squares, neg_squares, tied = _moved(buckets, sums)
    average, area = _precisions(buckets, sums)
    return Figures(
        n_scores=sum(sums["n_scores"]) + int(alone.sum()),
        twice_u=twice_u,
        pos_placement_squares=pos_squares,
        neg_placement_squares=neg_squares,
        tied_pairs=tied,
        shared_scores=sum(sums["n_shared"]) + int(shared.sum()),
        shared_pos=sum(sums["shared_pos"]) + sum(buckets.pos[shared].tolist()),
        average_precision=average,
        interpolated=area,
    )


def _moved(buckets: Buckets, sums: Sums) -> tuple[int, int, int, int]:
    """Return twice U, both sums of squared placements and the tied pairs: sums in buckets, moved to their places."""
    place = {key: i for i, key in enumerate(buckets.key.tolist())}
    inside = [[0, 0, 0, 0] for _ in range(len(buckets))]
    moments = (sums[name] for name in ("pairs", "lost", "lost_2", "won_2"))
    for key, *values in zip(sums["bucket"], *moments, strict=True):
        here = inside[place[key]]
        for k, value in enumerate(values):
            here[k] += value
    n_neg = sum(buckets.neg.tolist())
    above = [column.tolist() for column in offsets(buckets)]
    counts = (buckets.pos.tolist(), buckets.neg.tolist())
    twice_u = pos_squares = neg_squares = tied = 0
    for alone, own, tp, fp, pos, neg in zip(buckets.single.tolist(), inside, *above, *counts, strict=True):
        pairs, lost, lost_2, won_2 = (pos * neg, pos * neg, pos * neg * neg, neg * pos * pos) if alone else own
        won = 2 * pos * neg - lost
        rest = 2 * (n_neg - fp)
        tied += pairs
        twice_u += 2 * tp * neg + won
        pos_squares += rest * rest * pos - 2 * rest * lost + lost_2
        neg_squares += 4 * tp * tp * neg + 4 * tp * won + won_2
    return twice_u, pos_squares, neg_squares, tied


def _precisions(buckets: Buckets, sums: Sums) -> tuple[float, float]:
    """Return average precision and the interpolated area, both times the positives."""
    totals = [
        sum(sum(sums[f"{name}_{limb}"]) * UNIT >> (LIMB * limb) for limb in range(10) if f"{name}_{limb}" in sums)
        for name in ("average", "area")
    ]
    marked = [i for i, mark in enumerate(sums["mark"]) if mark]
    last_tp, last_fp, pos, neg = (
        np.array([sums[name][i] for i in marked], dtype=np.int64)
        for name in ("last_tp", "last_fp", "sum_pos", "sum_neg")
    )
    totals[1] += exact_sum(_terms(last_tp - pos, last_fp - neg, pos, neg)[1])
    alone = buckets.single
    tp_above, fp_above = offsets(buckets)
    own = _terms(tp_above[alone], fp_above[alone], buckets.pos[alone], buckets.neg[alone])
    average, area = (total + exact_sum(terms) for total, terms in zip(totals, own, strict=True))
    return average / UNIT, area / UNIT


def _terms(tp0: CountArray, fp0: CountArray, pos: CountArray, neg: CountArray) -> tuple[FloatArray, FloatArray]:
    """Return average precision's and the interpolated terms of rows, as they are made in memory."""
    rising = pos > 0
    start, low = tp0[rising].astype(np.float64), fp0[rising].astype(np.float64)
    stop, high = (tp0 + pos)[rising].astype(np.float64), (fp0 + neg)[rising].astype(np.float64)
    width, run = pos[rising].astype(np.float64), neg[rising].astype(np.float64)
    return width * (stop / (stop + high)), hyperbola_area(start, low, width, run)


# Points of the curve


@dataclass(frozen=True, slots=True)
class HullPoints:
    """Known points of one group's curve, highest score first: counts at or above `score[i]`.

    `after[i]` is the next lower score of all; at the last point, which has the lowest, it is that score.
    """

    score: ScoreArray
    tp: IntArray
    fp: IntArray
    after: ScoreArray

    def hull(self) -> NDArray[np.intp]:
        """Return which points are vertices of the upper hull; its start, before all points, is not among them."""
        return upper_hull(np.append(0, self.fp), np.append(0, self.tp))[1:] - 1

    def vertices(self) -> tuple[IntArray, IntArray]:
        """Return the vertices of the upper hull, its start among them."""
        kept = self.hull()
        return np.append(0, self.tp[kept]), np.append(0, self.fp[kept])


def ends_of(buckets: Buckets) -> HullPoints:
    """Return the points at the lowest score of each bucket."""
    tp_above, fp_above = offsets(buckets)
    after = np.append(buckets.high[::-1][1:], buckets.low[:1])
    return HullPoints(buckets.low[::-1], (tp_above + buckets.pos)[::-1], (fp_above + buckets.neg)[::-1], after)


def with_points(points: HullPoints, score: ScoreArray, tp: IntArray, fp: IntArray, after: ScoreArray) -> HullPoints:
    """Return the points with others added; a score that is known already is left as it is."""
    new = ~np.isin(score, points.score)
    columns = [
        np.concatenate((old, add[new]))
        for old, add in ((points.score, score), (points.tp, tp), (points.fp, fp), (points.after, after))
    ]
    order = np.argsort(columns[0], kind="stable")[::-1]
    return HullPoints(*(column[order] for column in columns))


def known_above(points: dict[int, HullPoints], groups: IntArray, pos: IntArray, neg: IntArray) -> Above:
    """Return what tasks are sent: `pos` and `neg` above the buckets of `groups`, and the hulls of known points."""
    bases, vertices, base = {}, [], 0
    for n, known in points.items():
        bases[n] = base
        tp, fp = known.vertices()
        vertices.append((base + tp + fp, tp, fp))
        base += int(known.tp[-1] + known.fp[-1]) + 1
    calls, tp, fp = (np.concatenate(column) for column in zip(*vertices, strict=True))
    return Above(pos, neg, np.array([bases[n] for n in groups.tolist()], dtype=np.int64), calls, tp, fp)


def over_hull(points: HullPoints, tp: IntArray, fp: IntArray) -> NDArray[np.intp]:
    """Return which points stand above the hull of those that are known."""
    hull_tp, hull_fp = points.vertices()
    return above_hull(tp, fp, tp + fp, hull_tp + hull_fp, hull_tp, hull_fp)


def thinned(points: HullPoints, most: int) -> NDArray[np.intp]:
    """Return which points are kept: the hull's vertices and the last point, the others as evenly as there is room."""
    kept = np.union1d(points.hull(), [points.score.size - 1])
    rest = np.setdiff1d(np.arange(points.score.size), kept, assume_unique=True)
    room = min(max(most - kept.size, 0), rest.size)
    if room:
        kept = np.union1d(kept, rest[np.linspace(0, rest.size - 1, room).astype(np.intp)])
    return kept
