"""Buckets: ranges of scores of about equal mass in each class, found in an engine by a scan or two.

Level 0 rounds a score to a few bits of its mantissa, which keeps order and gives a bounded number of cells. Each level
sends the cells of the one before to buckets: light neighbours together, heavy cells cut into equal widths. Additions,
multiplications, divisions and floors of doubles never change the order of scores, so whatever the cuts, a higher
bucket has higher scores only; and scores that are equal share their bucket.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import require
from thresher._core.sums import cumulative
from thresher.typing import CountArray, FloatArray, IntArray, ScoreArray

_KEPT_BITS = 7
_SPLITTER = 2 ** (53 - _KEPT_BITS) + 1
_LARGEST_ROUNDED = 2.0**960  # the product with the splitter stays finite
_SLACK = 4.0
_LEAST_CASES = 4


@dataclass(frozen=True, slots=True)
class Buckets:
    """Buckets of one group, lowest scores first: element i is bucket `key[i]`.

    `low`, `high` are its least and greatest score, `pos`, `neg` its counts.
    """

    key: NDArray[Any]
    low: ScoreArray
    high: ScoreArray
    pos: CountArray
    neg: CountArray

    def __len__(self) -> int:
        return int(self.key.size)

    @property
    def single(self) -> NDArray[np.bool_]:
        """Which buckets hold one distinct score."""
        return np.asarray(self.low == self.high)


@dataclass(frozen=True, slots=True)
class BucketLevel:
    """Where the cells of one group go: cell `key[i]` to `parts[i]` buckets from number `first[i]` on.

    Scores of the cell are `start[i]` to ``start[i] + width[i]``.
    """

    key: NDArray[Any]
    start: FloatArray
    width: FloatArray
    parts: IntArray
    first: IntArray

    @property
    def splits(self) -> bool:
        """Whether some cell is cut, so that the buckets must be counted anew."""
        return bool((self.parts > 1).any())


def cell_of(score: Any) -> Any:
    """Return the expression of the level 0 cell: the score rounded to a few bits (Veltkamp's splitting)."""
    ibis = require("ibis", extra="engines", purpose="Counting in an engine")
    x = score.cast("float64")
    most = ibis.literal(_LARGEST_ROUNDED)
    inside = ibis.cases((x > most, most), (x < -most, -most), else_=x)
    large = inside * ibis.literal(_SPLITTER).cast("float64")
    rounded = large - (large - inside)
    # Infinities have cells of their own: nothing can be subtracted from them.
    beyond = ibis.literal(np.finfo(np.float64).max.item())
    return ibis.ifelse((x > beyond) | (x < -beyond), x, rounded)


def assigned(table: Any, levels: list[Any], only: Any = None, also: tuple[str, ...] = ()) -> Any:
    """Return the table with its column `bucket`: `levels` are the engine's tables of each level.

    Rows of other buckets than those in the table `only`, whose columns `also` are kept, are left out: by a join, not by
    EXISTS, for which SQLite reads `only` once for each row. Columns of level k end in `_k`: one chain of joins without
    subqueries, of which some parsers take only so many.
    """
    out = table.mutate(cell=cell_of(table.score))
    bucket: Callable[[Any], Any] = _cell
    for k, level in enumerate(levels):
        out = out.inner_join(level, [*same_group(level, f"level_grp_{k}"), (bucket, f"level_key_{k}")])
        bucket = partial(_bucket, k=k)
    if only is not None:
        out = out.inner_join(only, [*same_group(only, "above_grp"), (bucket, "above_bucket")])
    return out.mutate(bucket=bucket).select(*table.columns, "bucket", *also)


def same_group(small: Any, name: str) -> list[tuple[str, str]]:
    """Return what a join to a small table says about groups: nothing where there is only one.

    A constant on both sides tells some optimisers that small tables match each other in all rows, which they then join
    first: millions of pairs before any row is read.
    """
    return [("grp", name)] if name in small.columns else []


def _cell(t: Any) -> Any:
    return t.cell


def _bucket(t: Any, k: int) -> Any:
    """Return the bucket that level k gives, in a table with the columns of that level."""
    ibis = require("ibis", extra="engines", purpose="Counting in an engine")
    zero = ibis.literal(0).cast("float64")
    place = (t.score.cast("float64") - t[f"start_{k}"]) / t[f"width_{k}"] * t[f"parts_{k}"]
    inside = ibis.greatest(ibis.least(place, t[f"parts_{k}"] - 1), zero)
    return t[f"first_{k}"] + inside.floor().cast("int64")


def mass(buckets: Buckets, wanted: int) -> FloatArray:
    """Return the proportion of each bucket: the mean of its proportions of the classes.

    A class with few cases for the buckets that are wanted counts as if it had more: buckets need not be emptier.
    """
    shares = [
        counts / max(counts.sum(), _LEAST_CASES * wanted if counts.dtype.kind == "i" else 0)
        for counts in (buckets.pos, buckets.neg)
        if counts.sum() > 0
    ]
    return np.asarray(sum(shares) / len(shares), dtype=np.float64)


def heavy(buckets: Buckets, wanted: int) -> bool:
    """Return whether some bucket of more than one score holds much more than its share."""
    return bool((mass(buckets, wanted)[~buckets.single] > _SLACK / wanted).any())


def next_level(buckets: Buckets, wanted: int, first: int) -> BucketLevel:
    """Return how to make about `wanted` buckets of equal mass from these: join light neighbours, cut heavy cells."""
    share = mass(buckets, wanted)
    target = 1.0 / wanted
    low, high = buckets.low.astype(np.float64), buckets.high.astype(np.float64)
    cut = (share > target) & (low < high)
    parts = np.where(cut, np.ceil(share / target), 1.0).astype(np.int64)
    number = np.empty(len(buckets), dtype=np.int64)
    at, held = first - 1, np.inf
    for i, (weight, several) in enumerate(zip(share.tolist(), parts.tolist(), strict=True)):
        if several == 1 and held + weight <= target:
            held += weight
        else:
            at += 1
            held = weight if several == 1 else np.inf
        number[i] = at
        at += several - 1
    start = np.where(cut, low, 0.0)
    with np.errstate(over="ignore", invalid="ignore"):
        width = np.where(cut, high - low, 1.0)
    return BucketLevel(buckets.key, start, width, parts, number)


def joined(buckets: Buckets, level: BucketLevel) -> Buckets:
    """Return the buckets of a level that cuts nothing."""
    starts = np.flatnonzero(np.diff(level.first, prepend=-1))
    return Buckets(
        level.first[starts],
        buckets.low[starts],
        np.maximum.reduceat(buckets.high, starts),
        np.add.reduceat(buckets.pos, starts),
        np.add.reduceat(buckets.neg, starts),
    )


def offsets(buckets: Buckets) -> tuple[CountArray, CountArray]:
    """Return the positives and negatives above each bucket."""
    above = []
    for counts in (buckets.pos, buckets.neg):
        running = cumulative(counts[::-1])
        above.append(np.concatenate((running[:1] * 0, running[:-1]))[::-1])
    return above[0], above[1]
