"""Sums of buckets in Spark's Python workers, by NumPy: what `bucket_sums` asks of SQL, without its window.

Spark sends every bucket whole to one task. The functions here go there as they are, with those of `hyperbola`, so that
workers need NumPy and pyarrow but not this library; they may therefore use nothing else of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.hyperbola import NEAR, hyperbola_area

COLUMNS = (
    "id",
    "mark",
    "n_scores",
    "n_shared",
    "shared_pos",
    "sum_pos",
    "sum_neg",
    "last_tp",
    "last_fp",
    "pairs",
    "lost",
    "lost_2",
    "won_2",
)
"""The whole numbers that come back beside `score`, `after` and those of `limb_columns`."""

ABOVE_HULL = -1
"""The `mark` of a point above the known hull: it comes with its score and its counts, and with no sums."""

LIMB = 30
"""Bits of each whole number after the point of a term."""

_ROWS_AT_ONCE = 1 << 16
_SCORES_OF_A_CELL = 1 << 16
_FEW_POINTS = 1 << 12  # above the hull, in rows that are worked on at once
_ROUNDING = 2.0**-50

ColumnsByName = dict[str, NDArray[Any]]
IntCounts = NDArray[np.int64]


class Above(NamedTuple):
    """What is above bucket 0, 1, 2, ...: positives and negatives, and the known vertices of each group's hull.

    Vertices of one group stand after those of another, at `tp`, `fp`, and `calls`, which is their sum and what the
    bucket's group has as its `base`: so that calls ascend over all groups.
    """

    pos: IntCounts
    neg: IntCounts
    base: IntCounts
    calls: IntCounts
    tp: IntCounts
    fp: IntCounts


def limb_columns(limbs: int) -> list[str]:
    """Return the names of the whole numbers that make up the sums of precisions."""
    return [f"{name}_{limb}" for name in ("average", "area") for limb in range(limbs + 1)]


def partition_sums(above: Above, limbs: int, *, grouped: bool) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what a worker does with the rows of a partition: columns `id` of the bucket, `score` and `pos`.

    Without `grouped` a higher `id` has higher scores.
    """

    def counted(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        some = [batch for batch in batches if batch.num_rows]
        if some:
            table = pa.Table.from_batches(some)
            rows = _sorted(*(table[name].to_numpy() for name in ("id", "score", "pos")), grouped=grouped)
            for block in _blocks(*rows):
                for columns in _block_sums(*block, above, limbs):
                    yield pa.RecordBatch.from_pydict(columns)

    return counted


def _sorted(
    bucket: NDArray[Any], score: NDArray[Any], pos: NDArray[Any], *, grouped: bool
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the rows with each bucket in one piece, highest scores first."""
    order = np.lexsort((score, bucket)) if grouped else np.argsort(score)
    order = order[::-1]
    return bucket[order], score[order], pos[order]


def _blocks(
    bucket: NDArray[Any], score: NDArray[Any], pos: NDArray[Any]
) -> Iterator[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
    """Yield whole buckets, as many as a processor's cache holds: what is computed of them is a dozen columns."""
    ends = np.append(np.flatnonzero(bucket[1:] != bucket[:-1]) + 1, bucket.size)
    start = 0
    while start < bucket.size:
        fitting = int(np.searchsorted(ends, start + _ROWS_AT_ONCE, side="right")) - 1
        stop = int(ends[fitting]) if fitting >= 0 and ends[fitting] > start else int(ends[ends > start][0])
        yield bucket[start:stop], score[start:stop], pos[start:stop]
        start = stop


def _block_sums(
    bucket: NDArray[Any], score: NDArray[Any], pos: NDArray[Any], above: Above, limbs: int
) -> Iterator[ColumnsByName]:
    """Yield the sums of each bucket, apart from them each score whose piece of PR curve needs a logarithm; points."""
    other = bucket[1:] != bucket[:-1]
    last = np.append(np.flatnonzero(other | (score[1:] != score[:-1])), bucket.size - 1)  # row of each distinct score
    bucket, score, calls = bucket[last], score[last], last + 1
    tp = np.cumsum(pos, dtype=np.int64)[last]
    fp = calls - tp
    start = np.append(True, bucket[1:] != bucket[:-1])
    after = np.append(score[1:], score[-1:])
    ends = np.append(start[1:], True)
    after[ends] = score[ends]
    pos, neg = np.diff(tp, prepend=0), np.diff(fp, prepend=0)
    # Counts that begin anew in each bucket.
    firsts = np.flatnonzero(start)
    sizes = np.diff(np.append(firsts, bucket.size))
    tp -= np.repeat((tp - pos)[firsts], sizes)
    fp -= np.repeat((fp - neg)[firsts], sizes)
    whole_tp, whole_fp = above.pos[bucket] + tp, above.neg[bucket] + fp
    average, area, mark = _precisions(whole_tp, whole_fp, pos, neg)
    # A score with a mark is a row of its own, so that a bucket may have several without.
    marked = mark > 0
    starts = np.flatnonzero(start | marked | np.append(False, marked[:-1]))
    stops = np.append(starts[1:], bucket.size) - 1
    names = (*COLUMNS, *limb_columns(limbs))
    terms = _terms(tp, fp, pos, neg) | _limbs("average", average, limbs) | _limbs("area", area, limbs)
    found = {name: np.add.reduceat(terms[name], starts) for name in names if name in terms}
    found |= {"mark": mark[stops], "n_scores": stops - starts + 1}

    def chosen(found: ColumnsByName, rows: NDArray[np.intp]) -> ColumnsByName:
        found |= {"id": bucket[rows], "last_tp": whole_tp[rows], "last_fp": whole_fp[rows]}
        return {name: found[name].astype(np.int64) for name in names} | {"score": score[rows], "after": after[rows]}

    yield chosen(found, stops)
    rising = np.flatnonzero(pos > 0)
    points = rising[_over(whole_tp[rising], whole_fp[rising], above, bucket[rising])]
    points = _pruned(points, whole_tp, whole_fp, bucket)
    if points.size:
        none = dict.fromkeys(names, np.zeros(points.size, dtype=np.int64))
        yield chosen(none | {"mark": np.full(points.size, ABOVE_HULL)}, points)


def _terms(tp: IntCounts, fp: IntCounts, pos: IntCounts, neg: IntCounts) -> ColumnsByName:
    """Return what is summed of each score beside precisions."""
    shared = (pos > 0) & (neg > 0)
    losses, wins = 2 * fp - neg, 2 * tp - pos
    return {
        "n_shared": shared.astype(np.int64),
        "shared_pos": np.where(shared, pos, 0),
        "sum_pos": pos,
        "sum_neg": neg,
        "pairs": pos * neg,
        "lost": pos * losses,
        "lost_2": pos * losses * losses,
        "won_2": neg * wins * wins,
    }


def _precisions(
    tp: NDArray[np.int64], fp: NDArray[np.int64], pos: NDArray[np.int64], neg: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Return terms of average precision and of the interpolated area, and the calls where that needs a logarithm."""
    stop, width, run = tp.astype(np.float64), pos.astype(np.float64), neg.astype(np.float64)
    fp_stop = fp.astype(np.float64)
    rising = np.flatnonzero(pos)
    before = ((tp - pos).astype(np.float64) + (fp - neg).astype(np.float64))[rising]
    average, area, mark = np.zeros(tp.size), np.zeros(tp.size), np.zeros(tp.size, dtype=np.int64)
    average[rising] = width[rising] * (stop[rising] / (stop[rising] + fp_stop[rising]))
    far = before <= 0
    far[~far] = (width + run)[rising][~far] / before[~far] >= NEAR
    mark[rising[far]] = (tp + fp)[rising[far]]
    near = rising[~far]
    begin, fp_begin = ((stops - steps)[near].astype(np.float64) for stops, steps in ((tp, pos), (fp, neg)))
    area[near] = hyperbola_area(begin, fp_begin, width[near], run[near])
    return average, area, mark


def _limbs(name: str, terms: NDArray[np.float64], limbs: int) -> ColumnsByName:
    """Return the whole numbers, and then every 30 bits after the point: nothing is rounded."""
    found = {}
    for limb in range(limbs + 1):
        whole = np.floor(terms)
        found[f"{name}_{limb}"] = whole.astype(np.int64)
        terms = (terms - whole) * float(2**LIMB)
    return found


def _over(tp: IntCounts, fp: IntCounts, above: Above, bucket: NDArray[Any]) -> NDArray[np.intp]:
    return above_hull(tp, fp, above.base[bucket] + tp + fp, above.calls, above.tp, above.fp)


def above_hull(
    tp: IntCounts,
    fp: IntCounts,
    calls: IntCounts,
    hull_calls: IntCounts,
    hull_tp: IntCounts,
    hull_fp: IntCounts,
) -> NDArray[np.intp]:
    """Return which points stand above the edge of the hull over them: those that may be vertices of a better one.

    `calls` place points and vertices; the first vertex of a hull is its start, where nothing is called.
    """
    stop = np.minimum(np.searchsorted(hull_calls, calls), hull_calls.size - 1)
    start = np.maximum(stop - 1, 0)
    dx, dy = ((ends[stop] - ends[start]).astype(np.float64) for ends in (hull_fp, hull_tp))
    height = dx * (tp - hull_tp[start]).astype(np.float64) - dy * (fp - hull_fp[start]).astype(np.float64)
    return np.flatnonzero((height > 0.5 - dx * dy * _ROUNDING) & (calls < hull_calls[stop]))


def _pruned(points: NDArray[np.intp], tp: IntCounts, fp: IntCounts, bucket: NDArray[Any]) -> NDArray[np.intp]:
    """Return points without those that neighbours in their bucket prove to be no vertices, until they are few."""
    while points.size > _FEW_POINTS:
        x, y, own = fp[points].astype(np.float64), tp[points].astype(np.float64), bucket[points]
        dx, dy = np.diff(x), np.diff(y)
        under = np.append(np.append(False, dy[:-1] * dx[1:] - dx[:-1] * dy[1:] < 0), False)
        under[1:-1] &= own[2:] == own[:-2]
        if not under.any():
            break
        points = points[~under]
    return points


def packed_rows(batches: Iterator[Any]) -> Iterator[Any]:
    """Yield the rows of a partition as they are, each batch as bytes of an Arrow stream."""
    for batch in batches:
        if batch.num_rows:
            yield _packed(batch.schema, batch)


def _packed(schema: Any, rows: Any) -> Any:
    """Return rows as one cell of bytes, which comes to the driver task by task."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        writer.write(rows)
    return pa.RecordBatch.from_pydict({"data": pa.array([sink.getvalue().to_pybytes()], pa.binary())})


def packed_groups(batches: Iterator[Any]) -> Iterator[Any]:
    """Yield the distinct scores of the groups of a partition with their counts, as bytes of an Arrow stream.

    Columns are `grp`, a number, `score` and `pos`, which is 1 or 0; all rows of a group are in one partition. A
    cell holds few whole groups, as the driver's Java keeps several copies of a cell.
    """
    import pyarrow as pa

    some = [batch for batch in batches if batch.num_rows]
    if not some:
        return
    table = pa.Table.from_batches(some)
    group, score, pos = (table[name].to_numpy() for name in ("grp", "score", "pos"))
    order = np.lexsort((score, group))
    group, score, pos = group[order], score[order], pos[order].astype(np.int64)
    starts = np.flatnonzero(np.append(True, (group[1:] != group[:-1]) | (score[1:] != score[:-1])))
    calls = np.diff(np.append(starts, group.size))
    found = np.add.reduceat(pos, starts)
    group = group[starts]
    whole = pa.table({"grp": group, "score": score[starts], "pos": _narrow(found), "neg": _narrow(calls - found)})
    ends = np.append(np.flatnonzero(group[1:] != group[:-1]) + 1, starts.size)
    start = 0
    while start < starts.size:
        fitting = int(np.searchsorted(ends, start + _SCORES_OF_A_CELL, side="right")) - 1
        stop = int(ends[max(fitting, int(np.searchsorted(ends, start, side="right")))])
        yield _packed(whole.schema, whole[start:stop])
        start = stop


def _narrow(counts: IntCounts) -> NDArray[Any]:
    """Return counts in the narrowest type that holds them: most scores stand for one row."""
    return counts.astype(np.min_scalar_type(counts.max(initial=0)))
