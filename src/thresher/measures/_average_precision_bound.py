"""The most that average precision can be, where rows stand for ranges of scores that may overlap.

Average precision does not grow with the curve where scores tie: a positive is given the precision at the end of its
tie, which others that join it can raise.
"""

from __future__ import annotations

import numpy as np

from thresher._core.sums import accurate_sum
from thresher._table import Counts, padded_counts
from thresher.typing import FloatArray, ScoreArray

__all__ = ["most_average_precision", "most_partial_average_precision"]


def most_average_precision(counts: Counts, prevalence: float | None) -> float:
    """Return an average precision that no data exceed which the table can stand for.

    A positive of a row stands at some score s of its range, where at most the positives of all ranges that reach up to
    s are called, and at least the negatives of all that do not reach below it.
    """
    tops = np.unique(counts._highest_scores)
    # Going down, the best precision rises where a range begins and falls where one ends: its peaks are at the tops.
    tp = _at_least(counts._highest_scores, counts.pos.astype(np.float64), tops)
    fp = _at_least(counts.thresholds, counts.neg.astype(np.float64), tops)
    precision = tp / np.maximum(tp + _skew(counts, prevalence) * fp, 1e-300)
    first = np.searchsorted(tops, counts.thresholds, side="left")
    end = np.searchsorted(tops, counts._highest_scores, side="right")
    return accurate_sum(counts.pos * _range_max(precision, first, end)) / counts.n_pos


def most_partial_average_precision(best: Counts, prevalence: float | None, recall: tuple[float, float]) -> float:
    """Return the same for a range of recall, from the best data that the table can stand for.

    Which positives belong to the range is unknown, so a positive is given the best precision from its place on.
    """
    tp, fp = (column.astype(np.float64) for column in padded_counts(best))
    rising = np.flatnonzero(np.diff(tp) > 0)
    start, stop = tp[rising], tp[rising + 1]
    ahead = np.maximum.accumulate((stop / (stop + _skew(best, prevalence) * fp[rising + 1]))[::-1])[::-1]
    width = np.maximum(np.minimum(stop, recall[1] * tp[-1]) - np.maximum(start, recall[0] * tp[-1]), 0.0)
    return accurate_sum(width * ahead) / best.n_pos


def _skew(counts: Counts, prevalence: float | None) -> float:
    """Return by how much a false positive counts where the proportion of positives is another one."""
    return 1.0 if prevalence is None else (1.0 - prevalence) / prevalence * (counts.n_pos / counts.n_neg)


def _at_least(scores: ScoreArray, counts: FloatArray, cuts: ScoreArray) -> FloatArray:
    """Return the counts at scores not below each cut."""
    order = np.argsort(scores, kind="stable")
    running = np.concatenate((np.cumsum(counts[order][::-1])[::-1], [0.0]))
    return np.asarray(running[np.searchsorted(scores[order], cuts, side="left")])


def _range_max(values: FloatArray, first: np.ndarray, end: np.ndarray) -> FloatArray:
    """Return the largest of ``values[first[i]:end[i]]``, none of them empty."""
    level = np.frexp((end - first).astype(np.float64))[1] - 1
    out = np.empty(first.size)
    spans = values
    for power in range(int(level.max(initial=0)) + 1):
        here = level == power
        out[here] = np.maximum(spans[first[here]], spans[end[here] - (1 << power)])
        width = 1 << power
        if spans.size > width:
            spans = np.maximum(spans[:-width], spans[width:])
    return out
