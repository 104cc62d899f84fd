"""Sums of buckets by an engine's own Python workers, where it has them: Spark, by its exchange of Arrow batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import hyperbola
from thresher._core.checks import require
from thresher._read.sql import spark_workers
from thresher._read.sql.bucket_hull import HullPoints
from thresher._read.sql.bucket_sums import Arithmetic
from thresher._read.sql.session import Session, Task
from thresher._read.sql.spark_workers import COLUMNS, Above, above_hull, limb_columns, partition_sums
from thresher.exceptions import ThresherError
from thresher.typing import IntArray

__all__ = ["Wanted", "known_above", "over_hull", "worker_sums"]

_MANY_ROWS = 2**18  # of fewer, SQL has made the sums before the first worker has started
_MOST_ROWS = 2**21  # of a bucket, which a worker holds in memory
_MOST_BUCKETS = 2**20  # counts above them go to every worker: 24 MB
_TYPES = {"int8": "tinyint", "int16": "smallint", "int32": "int", "int64": "bigint"}
_TYPES |= {"float32": "float", "float64": "double"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of how many `rows`: sums of the buckets that `above` is about, and points above its hulls.

    The `largest` bucket has so many of the rows. Buckets of one group have higher numbers the higher their scores;
    `grouped` says that there are several groups.
    """

    rows: int
    largest: int
    above: Above
    arithmetic: Arithmetic
    grouped: bool


def worker_sums(session: Session, rows: Callable[[], Any], wanted: Wanted) -> Any:
    """Return sums as `bucket_sums` makes them, with the number of the bucket as `id`; None where workers cannot.

    `rows` makes an Ibis table with the columns `id`, `score` and `pos`, one row for each row of the source. Workers
    need NumPy and pyarrow. Whether they have them is tried on two rows, before all rows are sent around.
    """
    unfit = wanted.rows < _MANY_ROWS or wanted.largest > _MOST_ROWS or wanted.above.pos.size > _MOST_BUCKETS
    if unfit or wanted.arithmetic.wide or wanted.arithmetic.weighted:
        return None
    return _asked(session, rows(), wanted) if _tried(session, wanted) else None


def known_above(ends: dict[int, HullPoints], groups: IntArray, pos: IntArray, neg: IntArray) -> Above:
    """Return what workers are sent: `pos` and `neg` above the buckets of `groups`, and the hulls of known points."""
    bases, vertices, base = {}, [], 0
    for n, points in ends.items():
        bases[n] = base
        tp, fp = _vertices(points)
        vertices.append((base + tp + fp, tp, fp))
        base += int(points.tp[-1] + points.fp[-1]) + 1
    calls, tp, fp = (np.concatenate(column) for column in zip(*vertices, strict=True))
    return Above(pos, neg, np.array([bases[n] for n in groups.tolist()], dtype=np.int64), calls, tp, fp)


def over_hull(points: HullPoints, tp: IntArray, fp: IntArray) -> NDArray[np.intp]:
    """Return which points stand above the hull of those that are known."""
    hull_tp, hull_fp = _vertices(points)
    return above_hull(tp, fp, tp + fp, hull_tp + hull_fp, hull_tp, hull_fp)


def _vertices(points: HullPoints) -> tuple[IntArray, IntArray]:
    """Return the vertices of the upper hull, its start among them."""
    kept = points.hull()
    return np.append(0, points.tp[kept]), np.append(0, points.fp[kept])


def _asked(session: Session, rows: Any, wanted: Wanted) -> Any:
    kind = _TYPES[str(rows.score.type().copy(nullable=True)).lower()]
    limbs = wanted.arithmetic.limbs
    types = dict.fromkeys((*COLUMNS, *limb_columns(limbs)), "bigint") | {"score": kind, "after": kind}
    function = partition_sums(wanted.above, limbs, grouped=wanted.grouped)
    return session.by_tasks(rows, Task(function, types, "id", wanted.rows, (spark_workers, hyperbola)))


def _tried(session: Session, wanted: Wanted) -> bool:
    """Return whether the engine's workers find of two rows what is found of them here."""
    pa = require("pyarrow", extra="engines", purpose="Counting in an engine")
    columns = {"id": np.zeros(2, np.int32), "score": np.array([0.25, 0.5]), "pos": np.array([1, 0], np.int8)}
    few = pa.table(columns)
    zero, one = np.zeros(1, np.int64), np.arange(2)
    above = Above(zero, zero, zero, 2 * one, one, one)
    trial = Wanted(2, 2, above, wanted.arithmetic, wanted.grouped)
    function = partition_sums(above, wanted.arithmetic.limbs, grouped=wanted.grouped)
    try:
        found = _asked(session, session.small(few), trial)
    except ThresherError:  # no Python, no pyarrow, another version of it: whatever the engine says
        return False
    expected = pa.Table.from_batches(list(function(iter(few.to_batches()))))
    return found is not None and found.select(expected.column_names).to_pylist() == expected.to_pylist()
