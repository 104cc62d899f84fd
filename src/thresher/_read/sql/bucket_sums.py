"""Sums over all distinct scores, made in an engine bucket by bucket and put together here.

Within a bucket, running counts start from 0: a window per bucket, none over the table. What depends on the counts above
the bucket as a polynomial (pairs, placements) is moved there afterwards, in Python integers. Precisions do not move, so
the counts above are joined to the rows for them. Each of their terms is a double made by the same operations as in
memory; it is cut into whole numbers of 30 bits, which add up without rounding in whatever order, so that the sum is the
exact sum of the terms, rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from thresher._core.checks import require
from thresher._core.hyperbola import NEAR, SERIES, hyperbola_area
from thresher._read.sql.buckets import Buckets, offsets, same_group
from thresher._read.sql.session import ROWS_INSTEAD, Session
from thresher._read.sql.typed_columns import whole
from thresher._table import Figures
from thresher.exceptions import ThresherError
from thresher.typing import CountArray, FloatArray

__all__ = [
    "Arithmetic",
    "arithmetic_for",
    "bucket_sums",
    "check_counts",
    "check_same",
    "check_wide",
    "figures_of",
    "running_rows",
]

_LIMB = 30
_HALF = 31
_SCALE = 120
_WIDE = "decimal(38, 0)"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """Which numbers hold the sums of a bucket.

    `weighted`: doubles. `wide`: decimals, with one factor cut in two, good for counts up to 2**62. Otherwise 64-bit
    integers. `limbs` is how many pieces of 30 bits hold the digits after the point of a term.
    """

    weighted: bool
    wide: bool
    limbs: int


def arithmetic_for(groups: Iterable[Buckets], *, weighted: bool) -> Arithmetic:
    """Return the cheapest arithmetic in which no sum can overflow."""
    most, total = 0, 1
    for buckets in groups:
        if weighted:
            break
        several = ~buckets.single
        for pos, neg in zip(buckets.pos[several].tolist(), buckets.neg[several].tolist(), strict=True):
            most = max(most, 4 * pos * neg * max(pos, neg))
        total = max(total, sum(buckets.pos.tolist()) + sum(buckets.neg.tolist()))
    # A term is not below 1 / (2 * total), and its last bit stands 53 places after its first.
    return Arithmetic(weighted, most >= 2**63, math.ceil((total.bit_length() + 2 + 53) / _LIMB))


def running_rows(table: Any, *, distinct: bool = False) -> Any:
    """Return one row per distinct score with the running counts of its bucket: `tp`, `fp` down to this score.

    `after` is the next lower score of the bucket, this score at its end. `distinct` says that most rows have a score of
    their own: counts then run over the rows as they are, and of those with the same score the last one stays. That
    saves a grouping of all rows, and with it one of two exchanges between machines.
    """
    ibis = require("ibis", extra="engines", purpose="Counting in an engine")
    total = whole if table.pos.type().is_integer() else _as_it_is
    down = ibis.window(group_by=["grp", "bucket"], order_by=ibis.desc("score"), preceding=None, following=0)
    order = ibis.window(group_by=["grp", "bucket"], order_by=ibis.desc("score"))
    if distinct:
        run = table.mutate(
            tp=total(table.pos.sum().over(down)),
            fp=total(table.neg.sum().over(down)),
            after=table.score.lead().over(order),
        )
        last = run.filter(run.after.isnull() | (run.after < run.score))
        none = ibis.literal(0, type="int64")
        return last.mutate(
            pos=last.tp - last.tp.lag().over(order).coalesce(none),
            neg=last.fp - last.fp.lag().over(order).coalesce(none),
            after=last.after.coalesce(last.score),
        )
    counted = table.group_by(["grp", "bucket", "score"]).aggregate(
        pos=total(table.pos.sum()), neg=total(table.neg.sum())
    )
    return counted.mutate(
        tp=total(counted.pos.sum().over(down)),
        fp=total(counted.neg.sum().over(down)),
        after=counted.score.lead().over(order).coalesce(counted.score),
    )


def _as_it_is(value: Any) -> Any:
    return value


def bucket_sums(rows: Any, above: Any, arithmetic: Arithmetic) -> Any:
    """Return the sums of each bucket, and apart from them each row whose piece of PR curve needs a logarithm.

    `above` has the columns `above_grp`, `above_bucket`, `tp_above`, `fp_above`. The result has one row per bucket with
    `mark` 0, and one for each such row, with its calls as `mark`, its `score` and the next one `after` it. Those rows
    stand ever farther apart from the top of the curve on, which makes them points worth keeping.
    """
    ibis = require("ibis", extra="engines", purpose="Counting in an engine")
    t = rows.inner_join(above, [*same_group(above, "above_grp"), ("bucket", "above_bucket")])
    # Doubles of the counts, in the same order of operations as `hyperbola_area` and average precision in memory.
    # Every `mutate` is a subquery, and a formula in one of them goes deeper still: parsers take only so much of both.
    begin, fp_begin = (t.tp_above + t.tp - t.pos).cast("float64"), (t.fp_above + t.fp - t.neg).cast("float64")
    t = t.select(
        "grp",
        "bucket",
        "score",
        "after",
        "pos",
        "neg",
        "tp",
        "fp",
        "tp_above",
        "fp_above",
        stop=(t.tp_above + t.tp).cast("float64"),
        fp_stop=(t.fp_above + t.fp).cast("float64"),
        begin=begin,
        before=begin + fp_begin,
        width=t.pos.cast("float64"),
        run=t.neg.cast("float64"),
        losses=2 * t.fp - t.neg,
        wins=2 * t.tp - t.pos,
    )
    one, two = ibis.literal(1).cast("float64"), ibis.literal(2).cast("float64")
    growth = (t.width + t.run) / ibis.ifelse(t.before > 0, t.before, one)
    t = t.mutate(growth=growth, y=growth / (two + growth))
    rising = t.pos > 0
    far = rising & ((t.before <= 0) | (t.growth >= NEAR))
    zero = ibis.literal(0).cast("float64")
    called = t.tp_above + t.tp + t.fp_above + t.fp
    t = t.mutate(
        mark=ibis.ifelse(far, called, 0),
        average=ibis.ifelse(rising, t.width * (t.stop / (t.stop + t.fp_stop)), zero),
        area=ibis.ifelse(rising & ~far, _near_area(ibis, t), zero),
    )
    t = _with_pieces(t, ("average", "area"), arithmetic)
    shared = (t.pos > 0) & (t.neg > 0)
    sums = {
        "n_scores": t.count(),
        "n_shared": ibis.ifelse(shared, 1, 0).cast("int64").sum(),
        "shared_pos": ibis.ifelse(shared, t.pos, 0).sum(),
        "sum_pos": t.pos.sum(),
        "sum_neg": t.neg.sum(),
        "last_tp": (t.tp_above + t.tp).max(),
        "last_fp": (t.fp_above + t.fp).max(),
        "score": t.score.min(),
        "after": t.after.min(),
    }
    sums |= _moments(t, arithmetic)
    sums |= {name: value.sum() for name, value in _pieces_of(t, ("average", "area"), arithmetic).items()}
    return t.group_by(["grp", "bucket", "mark"]).aggregate(**sums)


def _near_area(ibis: Any, t: Any) -> Any:
    """Return the area of a piece that adds little to the calls before it: `hyperbola_area` without logarithm."""
    one = ibis.literal(1).cast("float64")
    before = ibis.ifelse(t.before > 0, t.before, one)
    added = ibis.ifelse(t.width + t.run > 0, t.width + t.run, one)
    square = t.y * t.y
    tail = None
    for k in SERIES:
        # A quotient, not a decimal fraction: engines read those as decimals.
        share = one / ibis.literal(k).cast("float64")
        tail = (share if tail is None else tail + share) * square
    inner = t.y - (one - t.y) * tail
    return t.width * ((one - inner) * (t.begin / before) + inner * (t.width / added))


def _moments(t: Any, arithmetic: Arithmetic) -> dict[str, Any]:
    """Return sums of products of counts; a row's `losses` and `wins` are twice what the others have in its bucket."""
    if not arithmetic.wide:
        return {
            "pairs": (t.pos * t.neg).sum(),
            "lost": (t.pos * t.losses).sum(),
            "lost_2": (t.pos * t.losses * t.losses).sum(),
            "won_2": (t.neg * t.wins * t.wins).sum(),
        }

    def wide(value: Any) -> Any:
        return value.cast(_WIDE)

    sums = {"pairs": wide(t.pos) * wide(t.neg), "lost": wide(t.pos) * wide(t.losses)}
    for name, times, factor in (("lost", t.pos, t.losses), ("won", t.neg, t.wins)):
        high = factor >> _HALF
        low = factor & (2**_HALF - 1)
        sums[f"{name}_hh"] = wide(times) * wide(high) * wide(high)
        sums[f"{name}_hl"] = wide(times) * wide(high) * wide(low)
        sums[f"{name}_ll"] = wide(times) * wide(low) * wide(low)
    # As text: Ibis would read the sum of decimals with two digits after the point, and room for fewer before it.
    return {name: value.sum().cast("string") for name, value in sums.items()}


def _with_pieces(t: Any, names: tuple[str, ...], arithmetic: Arithmetic) -> Any:
    """Return the table with each column of doubles as `name_0`, and what is after its point times 2**30 as `name_1`...

    Nothing is rounded: what a floor takes away leaves fewer bits, and a product with a power of two moves them.
    """
    if arithmetic.weighted:
        return t.mutate(**{f"{name}_0": t[name] for name in names})
    t = t.mutate(**{f"{name}_0": t[name] for name in names})
    for limb in range(arithmetic.limbs):
        rest = {name: t[f"{name}_{limb}"] - t[f"{name}_{limb}"].floor() for name in names}
        t = t.mutate(**{f"{name}_{limb + 1}": rest[name] * float(2**_LIMB) for name in names})
    return t


def _pieces_of(t: Any, names: tuple[str, ...], arithmetic: Arithmetic) -> dict[str, Any]:
    """Return the whole numbers that make up each column: `name_0`, and `name_1`... of 30 bits each."""
    if arithmetic.weighted:
        return {f"{name}_0": t[f"{name}_0"] for name in names}
    pieces = [f"{name}_{limb}" for name in names for limb in range(arithmetic.limbs + 1)]
    return {piece: t[piece].floor().cast("int64") for piece in pieces}


def check_wide(session: Session, groups: Iterable[Buckets], arithmetic: Arithmetic) -> None:
    """Refuse an engine whose decimals do not hold the sums: it is asked for some whose answers are known."""
    pa = require("pyarrow", extra="engines", purpose="Counting in an engine")
    most = 2**61 - 1
    columns = {"pos": [most, 3], "neg": [5, most], "losses": [2 * most - 1, 7], "wins": [11, 2 * most - 3]}
    rows = list(zip(*columns.values(), strict=True))
    expected = [sum(pos * neg for pos, neg, _, _ in rows), sum(pos * losses for pos, _, losses, _ in rows)]
    expected += [sum(pos * losses**2 for pos, _, losses, _ in rows), sum(neg * wins**2 for _, neg, _, wins in rows)]
    t = session.small(pa.table({name: pa.array(values, pa.int64()) for name, values in columns.items()}))
    try:
        got = session.fetch(t.aggregate(**_moments(t, arithmetic)))
        answers = _whole_moments({name: got[name].to_pylist() for name in got.column_names}, arithmetic)
        if [answer[0] for answer in answers] == expected:
            return
    except (ThresherError, ValueError, TypeError):  # refused by the engine, or text that is no whole number
        pass
    largest = max(int((b.pos + b.neg)[~b.single].max(initial=0)) for b in groups)
    raise ThresherError(
        "Products of the counts in a range of scores must fit into 64 bits where an engine has no exact decimals of 38 "
        f"digits; got {largest} cases in a range, and {session.name}. Hint: {ROWS_INSTEAD}."
    )


def check_same(buckets: Buckets, sums: dict[str, list[Any]]) -> None:
    """Refuse a table whose rows were others when they were read again."""
    several = ~buckets.single
    counted = [sum(column[several].tolist()) for column in (buckets.pos, buckets.neg)]
    check_counts(counted, [sum(sums[name]) for name in ("sum_pos", "sum_neg")])


def check_counts(counted: list[int], again: list[int]) -> None:
    """Refuse positives and negatives that were others when they were read again."""
    if counted != again:
        raise ThresherError(
            f"The table must stay as it is while it is counted; got {sum(counted)} rows in some range of scores, and "
            f"{sum(again)} when they were read again. Hint: count a snapshot, or persist a table that is made anew "
            "each time it is read."
        )


class _Total:
    """A sum of doubles: exact for terms of whole counts, `math.fsum` of what there is for weights."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._arithmetic = arithmetic
        self._whole = 0
        self._floats: list[float] = []

    def add(self, terms: FloatArray) -> None:
        if self._arithmetic.weighted:
            self._floats.extend(terms.tolist())
        else:
            self._whole += sum(int(math.ldexp(term, _SCALE)) for term in terms.tolist())

    def add_pieces(self, sums: dict[str, list[Any]], name: str) -> None:
        if self._arithmetic.weighted:
            self._floats.extend(sums[f"{name}_0"])
            return
        for limb in range(self._arithmetic.limbs + 1):
            self._whole += sum(sums[f"{name}_{limb}"]) << (_SCALE - _LIMB * limb)

    def value(self) -> float:
        return math.fsum(self._floats) if self._arithmetic.weighted else self._whole / (1 << _SCALE)


def figures_of(buckets: Buckets, sums: dict[str, list[Any]], arithmetic: Arithmetic) -> Figures:
    """Return the figures of one group from the sums of its buckets; buckets of one score have none and need none."""
    alone = buckets.single
    shared = alone & (buckets.pos > 0) & (buckets.neg > 0)
    twice_u, pos_squares, neg_squares, tied = _moved(buckets, sums, arithmetic)
    average, area = _precisions(buckets, sums, arithmetic)
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


def _moved(buckets: Buckets, sums: dict[str, list[Any]], arithmetic: Arithmetic) -> tuple[Any, Any, Any, Any]:
    """Return twice U, both sums of squared placements and the tied pairs: sums in buckets, moved to their places."""
    place = {key: i for i, key in enumerate(buckets.key.tolist())}
    inside: list[list[Any]] = [[0, 0, 0, 0] for _ in range(len(buckets))]
    for key, values in zip(sums["bucket"], zip(*_whole_moments(sums, arithmetic), strict=True), strict=True):
        here = inside[place[key]]
        for k, value in enumerate(values):
            here[k] += value
    n_neg = sum(buckets.neg.tolist())
    above = [column.tolist() for column in offsets(buckets)]
    counts = (buckets.pos.tolist(), buckets.neg.tolist())
    twice_u: Any = 0
    pos_squares: Any = 0
    neg_squares: Any = 0
    tied: Any = 0
    for alone, moments, tp, fp, pos, neg in zip(buckets.single.tolist(), inside, *above, *counts, strict=True):
        pairs, lost, lost_2, won_2 = (pos * neg, pos * neg, pos * neg * neg, neg * pos * pos) if alone else moments
        won = 2 * pos * neg - lost
        rest = 2 * (n_neg - fp)
        tied += pairs
        twice_u += 2 * tp * neg + won
        pos_squares += rest * rest * pos - 2 * rest * lost + lost_2
        neg_squares += 4 * tp * tp * neg + 4 * tp * won + won_2
    return twice_u, pos_squares, neg_squares, tied


def _precisions(buckets: Buckets, sums: dict[str, list[Any]], arithmetic: Arithmetic) -> tuple[float, float]:
    """Return average precision and the interpolated area, both times the positives."""
    average, area = _Total(arithmetic), _Total(arithmetic)
    average.add_pieces(sums, "average")
    area.add_pieces(sums, "area")
    marked = [i for i, mark in enumerate(sums["mark"]) if mark]
    last_tp, last_fp, pos, neg = (
        np.array([sums[name][i] for i in marked], dtype=buckets.pos.dtype)
        for name in ("last_tp", "last_fp", "sum_pos", "sum_neg")
    )
    area.add(_pieces(last_tp - pos, last_fp - neg, pos, neg)[1])
    alone = buckets.single
    tp_above, fp_above = offsets(buckets)
    averages, areas = _pieces(tp_above[alone], fp_above[alone], buckets.pos[alone], buckets.neg[alone])
    average.add(averages)
    area.add(areas)
    return average.value(), area.value()


def _whole_moments(sums: dict[str, list[Any]], arithmetic: Arithmetic) -> tuple[list[Any], ...]:
    if not arithmetic.wide:
        return sums["pairs"], sums["lost"], sums["lost_2"], sums["won_2"]
    squares = []
    for name in ("lost", "won"):
        parts = zip(*([int(x) for x in sums[f"{name}_{part}"]] for part in ("hh", "hl", "ll")), strict=True)
        squares.append([(hh << 2 * _HALF) + (hl << (_HALF + 1)) + ll for hh, hl, ll in parts])
    return [int(x) for x in sums["pairs"]], [int(x) for x in sums["lost"]], *squares


def _pieces(tp0: CountArray, fp0: CountArray, pos: CountArray, neg: CountArray) -> tuple[FloatArray, FloatArray]:
    """Return average precision's and the interpolated terms of rows, as they are made in memory."""
    rising = pos > 0
    start, low = tp0[rising].astype(np.float64), fp0[rising].astype(np.float64)
    stop, high = (tp0 + pos)[rising].astype(np.float64), (fp0 + neg)[rising].astype(np.float64)
    width, run = pos[rising].astype(np.float64), neg[rising].astype(np.float64)
    return width * (stop / (stop + high)), hyperbola_area(start, low, width, run)
