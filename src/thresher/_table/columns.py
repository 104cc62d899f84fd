"""Columns of a count table: steps, totals, ranges, and weights that leave a class empty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.device_path import device_delong_sums, device_ties
from thresher._core.device_ranks import has_doubles
from thresher._core.order import placement_sums
from thresher._core.sums import dot
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray, ScoreArray

if TYPE_CHECKING:
    from thresher._table.table import CountTable
import math

from thresher.exceptions import UndefinedMetricError


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


def running_counts(counts: CountTable) -> tuple[CountArray, CountArray]:
    """Return `tp` and `fp`: int32 where the kernel counted so, else as the table has them."""
    if counts._running is not None:
        return counts._running.tp, counts._running.fp
    return counts.tp, counts.fp


def kernels_take(counts: CountTable) -> bool:
    """Return whether the compiled kernels can go over the running counts: they are here, and these are integers."""
    return native.available() and counts._whole


def shared_ties(counts: CountTable) -> native.Ties:
    """Return what the classes share: scores, the positives there, and pairs."""
    if counts._ranks is not None:
        return device_ties(counts._ranks)
    if kernels_take(counts):
        return native.ties(*running_counts(counts))
    shared = (counts.pos > 0) & (counts.neg > 0)
    pos, neg = counts.pos[shared], counts.neg[shared]
    return native.Ties(int(pos.size), pos.sum().item(), dot(pos.astype(np.float64), neg))


def placement_sums_of(counts: CountTable) -> native.DelongSums | None:
    """Return the exact sums over the placements, from where the rows are; None of columns that may be no integers."""
    figures, running = counts._figures, None
    if figures is not None:  # sums over all scores, of a table with some of them
        return native.DelongSums(figures.pos_placement_squares, figures.neg_placement_squares, figures.twice_u)
    on_device = None if counts._ranks is None else device_delong_sums(counts._ranks)
    if on_device is None:
        running = counts._running  # the columns as they were counted; others are made from them
    return on_device if running is None else placement_sums(running.tp, running.fp)


def device_pr_area(counts: CountTable, estimator: str) -> float | None:
    """Return the positives times an area under the PR curve, summed on the device where the rows are.

    None where they are not on one, or where it has no way to compute this area.
    """
    ranks = counts._ranks
    if ranks is None or not has_doubles(ranks.pos):
        return None
    if estimator == "average_precision":
        return ranks.average_precision()
    return ranks.interpolated() if estimator == "interpolated" else None


def check_two_classes(counts: CountTable, what: str) -> None:
    """Refuse data in which a class is missing."""
    for side, total in (("positive", counts.n_pos), ("negative", counts.n_neg)):
        if not total > 0:
            raise UndefinedMetricError(
                f"{what} needs both classes; got {counts.n_pos:,} positives and {counts.n_neg:,} negatives. "
                f"Hint: there is no {side} row; check the labels and `pos_label`."
            )


def with_infinity(thresholds: ScoreArray) -> NDArray[Any]:
    """Return +inf and then the thresholds, in a dtype that keeps every value."""
    if thresholds.dtype.kind == "f":
        return np.concatenate(([np.inf], thresholds)).astype(thresholds.dtype)
    for kind in (np.float64, np.longdouble):
        if max(abs(int(thresholds[0])), abs(int(thresholds[-1]))) <= 2 ** (np.finfo(kind).nmant + 1):
            return np.concatenate((np.array([np.inf], dtype=kind), thresholds.astype(kind)))
    return np.array([math.inf, *thresholds.tolist()], dtype=object)


def empty_threshold(highest: Any) -> float:
    """Return a threshold that no score reaches: +inf, or NaN when +inf is a score, since no number is above it."""
    return math.nan if highest == math.inf else math.inf


def with_empty(thresholds: ScoreArray, highest: Any = None) -> NDArray[Any]:
    """Return the threshold of the empty prediction and then the others, which need not have the highest score."""
    out = with_infinity(thresholds)
    out[0] = empty_threshold(thresholds[0] if highest is None else highest)
    return out


def next_lower(counts: CountTable, threshold: float) -> float | None:
    """Return the highest score below a threshold, which need not be one; None where not all scores are kept."""
    if not counts._complete:
        return None
    called = int(np.searchsorted(counts.thresholds[::-1], threshold, side="left"))
    return float(counts.thresholds[len(counts) - called]) if called else -math.inf


def padded_counts(counts: CountTable) -> tuple[CountArray, CountArray]:
    """Return cumulative true and false positives with the empty call (0, 0) before them."""
    zero = counts.tp.dtype.type(0)
    return np.append(zero, counts.tp), np.append(zero, counts.fp)
