"""Least and most area by estimators that do not grow with the curve, where rows stand for ranges of scores."""

from __future__ import annotations

import numpy as np

from thresher._core.sums import accurate_sum
from thresher._table import Counts, padded_counts
from thresher.typing import FloatArray

__all__ = ["area_range_by_stretches"]


def area_range_by_stretches(counts: Counts, skew: float, recall: tuple[float, float]) -> tuple[float, float]:
    """Return areas between which those of all data lie that the table can stand for.

    The table falls into stretches: every score of one is above every score of the next, so all data go through the
    points between them. Inside a stretch all points of the curve lie in the rectangle of its ends, and every rule that
    takes precisions from there, or between them, gives each positive one between the least and the highest of that
    rectangle. A stretch of one score goes straight from end to end in counts, along which precision rises or falls.
    """
    reach = np.maximum.accumulate(counts._highest_scores[::-1])[::-1]  # the highest score from here on
    last = np.append(np.flatnonzero(reach[1:] < counts.thresholds[:-1]), counts.thresholds.size - 1)
    tp, fp = (column.astype(np.float64)[np.append(0, last + 1)] for column in padded_counts(counts))
    fp = skew * fp
    start, stop, few, many = tp[:-1], tp[1:], fp[:-1], fp[1:]
    single = (np.diff(last, prepend=-1) == 1) & (counts._highest_scores[last] == counts.thresholds[last])
    one, other = _precision(start, np.where(single, few, many)), _precision(stop, np.where(single, many, few))
    least, most = np.minimum(one, other), np.maximum(one, other)
    width = np.minimum(stop, recall[1] * tp[-1]) - np.maximum(start, recall[0] * tp[-1])
    width = np.where(stop > start, np.maximum(width, 0.0), 0.0)
    return accurate_sum(width * least) / counts.n_pos, accurate_sum(width * most) / counts.n_pos


def _precision(tp: FloatArray, fp: FloatArray) -> FloatArray:
    """Return precision, 1 where nothing is called."""
    called = tp + fp
    return np.where(called > 0, tp / np.where(called > 0, called, 1.0), 1.0)
