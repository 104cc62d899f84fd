"""The convex hull of a curve that is too long to fetch: only points above what is known already come back.

The ends of the buckets are known, so the hull of all points lies on or above theirs. A row that is not above the edge
over it is no vertex. What is above is fetched if it is little; otherwise the farthest point of each bucket is, which
lifts the hull, and the rest is asked for again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import require
from thresher._core.hull import upper_hull
from thresher._read.sql.buckets import Buckets, offsets, same_group
from thresher.typing import CountArray, ScoreArray

__all__ = ["HullPoints", "above_edges", "edges_over", "ends_of", "farthest", "thinned", "with_points"]

_ROUNDING = 2.0**-50


@dataclass(frozen=True, slots=True)
class HullPoints:
    """Known points of one group's curve, highest score first: counts at or above `score[i]`.

    `after[i]` is the next lower score of all; at the last point, which has the lowest, it is that score.
    """

    score: ScoreArray
    tp: CountArray
    fp: CountArray
    after: ScoreArray

    def hull(self) -> NDArray[np.intp]:
        """Return which points are vertices of the upper hull; its start, before all points, is not among them."""
        zero = self.tp.dtype.type(0)
        return upper_hull(np.append(zero, self.fp), np.append(zero, self.tp))[1:] - 1


def ends_of(buckets: Buckets) -> HullPoints:
    """Return the points at the lowest score of each bucket."""
    tp_above, fp_above = offsets(buckets)
    tp, fp = (tp_above + buckets.pos)[::-1], (fp_above + buckets.neg)[::-1]
    after = np.append(buckets.high[::-1][1:], buckets.low[:1])
    if tp.dtype.kind == "f":
        tp, fp = np.maximum.accumulate(tp), np.maximum.accumulate(fp)
    return HullPoints(buckets.low[::-1], tp, fp, after)


def with_points(points: HullPoints, score: ScoreArray, tp: CountArray, fp: CountArray, after: ScoreArray) -> HullPoints:
    """Return the points with others added; a score that is known already is left as it is."""
    new = ~np.isin(score, points.score)
    columns = [
        np.concatenate((old, add[new]))
        for old, add in ((points.score, score), (points.tp, tp), (points.fp, fp), (points.after, after))
    ]
    order = np.argsort(columns[0], kind="stable")[::-1]
    score, tp, fp, after = (column[order] for column in columns)
    if tp.dtype.kind == "f":
        tp, fp = np.maximum.accumulate(tp), np.maximum.accumulate(fp)
    return HullPoints(score, tp, fp, after)


def edges_over(buckets: Buckets, points: HullPoints, live: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """Return the hull's edges over each live bucket in which a vertex may hide.

    A row (tp, fp) with `from_calls` < tp + fp < `to_calls` lies under or above the edge from (`x`, `y`) with the steps
    `dx`, `dy`; it may be a vertex where ``dx * (tp - y) - dy * (fp - x) > least``.
    """
    vertices = points.hull()
    zero = points.tp.dtype.type(0)
    x = np.append(zero, points.fp[vertices])
    y = np.append(zero, points.tp[vertices])
    calls = x + y
    tp_above, fp_above = offsets(buckets)
    begin, end = tp_above + fp_above, tp_above + fp_above + buckets.pos + buckets.neg
    first = np.searchsorted(calls, begin, side="right") - 1
    last = np.maximum(np.searchsorted(calls, end, side="left"), first + 1)
    count = np.where(live, last - first, 0)
    owner = np.repeat(np.arange(len(buckets)), count)
    edge = first[owner] + np.arange(owner.size) - np.repeat(np.cumsum(count) - count, count)
    edge = np.minimum(edge, x.size - 2)
    dx, dy = (x[edge + 1] - x[edge]).astype(np.float64), (y[edge + 1] - y[edge]).astype(np.float64)
    rounding = dx * dy * _ROUNDING
    least = -rounding if points.tp.dtype.kind == "f" else 0.5 - rounding
    # The best that a bucket can have on its part of the edge: all its positives before its negatives.
    corner_x = np.maximum(fp_above[owner], x[edge]).astype(np.float64)
    corner_y = np.minimum((tp_above + buckets.pos)[owner], y[edge + 1]).astype(np.float64)
    reach = dx * (corner_y - y[edge]) - dy * (corner_x - x[edge])
    kept = reach > least
    columns = {
        "bucket": buckets.key[owner],
        "from_calls": calls[edge],
        "to_calls": calls[edge + 1],
        "x": x[edge],
        "y": y[edge],
        "dx": dx,
        "dy": dy,
        "least": least,
    }
    return {name: column[kept] for name, column in columns.items()}


def above_edges(rows: Any, above: Any, edges: Any) -> Any:
    """Return the rows that stand above the edge over them, with counts of the whole curve."""
    t = rows.inner_join(above, [*same_group(above, "above_grp"), ("bucket", "above_bucket")])
    t = t.mutate(tp=t.tp_above + t.tp, fp=t.fp_above + t.fp)
    t = t.inner_join(edges, [*same_group(edges, "edge_grp"), ("bucket", "edge_bucket")])
    t = t.filter((t.pos > 0) & (t.tp + t.fp > t.from_calls) & (t.tp + t.fp < t.to_calls))
    rise = (t.tp - t.y).cast("float64")
    run = (t.fp - t.x).cast("float64")
    t = t.mutate(height=t.dx * rise - t.dy * run)
    t = t.filter(t.height > t.least)
    return t.select("grp", "bucket", "from_calls", "score", "tp", "fp", "after", "height")


def farthest(rows: Any) -> Any:
    """Return, for each edge over each bucket, how many rows stand above it and the farthest of them.

    Of several at the same height the last is taken: there `tp` and `fp` are largest and the scores lowest.
    """
    ibis = require("ibis", extra="engines", purpose="Counting in an engine")
    t = rows.mutate(top=rows.height.max().over(ibis.window(group_by=["grp", "bucket", "from_calls"])))
    here = t.height == t.top
    return t.group_by(["grp", "bucket", "from_calls"]).aggregate(
        n_above=t.count(),
        tp=ibis.ifelse(here, t.tp, ibis.null()).max(),
        fp=ibis.ifelse(here, t.fp, ibis.null()).max(),
        score=ibis.ifelse(here, t.score, ibis.null()).min(),
        after=ibis.ifelse(here, t.after, ibis.null()).min(),
    )


def thinned(points: HullPoints, most: int) -> NDArray[np.intp]:
    """Return which points are kept: the hull's vertices and the last point, the others as evenly as there is room."""
    kept = np.union1d(points.hull(), [points.score.size - 1])
    rest = np.setdiff1d(np.arange(points.score.size), kept, assume_unique=True)
    room = min(max(most - kept.size, 0), rest.size)
    if room:
        kept = np.union1d(kept, rest[np.linspace(0, rest.size - 1, room).astype(np.intp)])
    return kept
