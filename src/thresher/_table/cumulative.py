"""The table as a list of confusion matrices, from predicting nothing positive to calling everything."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._table.counts import Counts
from thresher.exceptions import UndefinedMetricError
from thresher.typing import CountArray, ScoreArray

__all__ = ["check_two_classes", "empty_threshold", "next_lower", "padded_counts", "with_empty", "with_infinity"]


def check_two_classes(counts: Counts, what: str) -> None:
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


def next_lower(counts: Counts, threshold: float) -> float | None:
    """Return the highest score below a threshold, which need not be one; None where not all scores are kept."""
    if not counts._complete:
        return None
    called = int(np.searchsorted(counts.thresholds[::-1], threshold, side="left"))
    return float(counts.thresholds[len(counts) - called]) if called else -math.inf


def padded_counts(counts: Counts) -> tuple[CountArray, CountArray]:
    """Return cumulative true and false positives with the empty call (0, 0) before them."""
    zero = counts.tp.dtype.type(0)
    return np.append(zero, counts.tp), np.append(zero, counts.fp)
