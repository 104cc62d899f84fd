"""What rows that stand for ranges of scores leave open: how far rates can be off, the worst and the best data."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher._core.counting import Table
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._table.counts import Counts
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray, ScoreArray


@value
class RateErrorBound(Presented):
    """A guaranteed bound of the error of the rates at a threshold.

    Counts at ``score >= threshold`` leave out a row whose range the threshold cuts, so the rates of the full data are
    never below those of the table, and at most this far above.

    Parameters
    ----------
    tpr, fpr : float
        For the true and the false positive rate; 0 for exact data.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([0, 1, 1], [0.1, 0.4, 0.35]).roc().rate_error_bound
    RateErrorBound(tpr=0.0, fpr=0.0)
    """

    tpr: float
    fpr: float


EXACT = RateErrorBound(0.0, 0.0)


def rate_error_bound(counts: Counts, threshold: object = None) -> RateErrorBound:
    """Return the bound for one threshold, or for all of them at once."""
    if threshold is None and counts._complete:
        return EXACT
    cut = counts._highest_scores > counts.thresholds
    if threshold is not None:
        value = _checked(threshold)
        cut &= (counts.thresholds < value) & (counts._highest_scores >= value)
        return RateErrorBound(_share(counts.pos[cut].sum(), counts.n_pos), _share(counts.neg[cut].sum(), counts.n_neg))
    low, high = counts.thresholds[cut], counts._highest_scores[cut]
    return RateErrorBound(
        _share(_most_cut(low, high, counts.pos[cut]), counts.n_pos),
        _share(_most_cut(low, high, counts.neg[cut]), counts.n_neg),
    )


def _checked(threshold: object) -> float:
    if not isinstance(threshold, int | float | np.number) or threshold != threshold:
        raise InvalidInputError(f"`threshold` must be a number; got {threshold!r}.")
    return threshold  # type: ignore[return-value]  # a number of any type compares


def _share(part: float, total: float) -> float:
    return float(part / total) if total > 0 else 0.0


def _most_cut(low: ScoreArray, high: ScoreArray, counts: CountArray) -> float:
    """Return the most that one threshold cuts: it lies above the low end of a range and not above its high end."""
    if counts.size == 0:
        return 0.0
    # No threshold cuts more than one at the high end of some range.
    return float((_below(low, counts, high) - _below(high, counts, high)).max())


def _below(ends: ScoreArray, counts: CountArray, thresholds: ScoreArray) -> NDArray[np.float64] | NDArray[np.int64]:
    """Return the counts of ranges whose end lies below each threshold."""
    order = np.argsort(ends, kind="stable")
    running = np.concatenate((np.zeros(1, counts.dtype), np.cumsum(counts[order])))
    return np.asarray(running[np.searchsorted(ends[order], thresholds, side="left")])


def extreme_tables(counts: Counts) -> tuple[Counts, Counts]:
    """Return tables between which every curve lies that `counts` can have come from.

    A row that merged several scores knows only their range. At worst its positives stand at the bottom of the range,
    below everything else there, and its negatives at the top, above everything else; at best the other way round.
    Thresholds of the result are ranks.
    """
    merged = counts._highest_scores > counts.thresholds
    return _placed(counts, merged, lucky=False), _placed(counts, merged, lucky=True)


def overlapping(counts: Counts) -> bool:
    """Return whether ranges overlap, as they may in sums of compressed tables and in sketches."""
    return not counts._complete and bool((counts._highest_scores[1:] >= counts.thresholds[:-1]).any())


def _placed(counts: Counts, merged: np.ndarray, *, lucky: bool) -> Counts:
    whole = ~merged
    none = np.zeros(int(merged.sum()), dtype=counts.pos.dtype)
    pos_place, neg_place = (
        (counts._highest_scores, counts.thresholds) if lucky else (counts.thresholds, counts._highest_scores)
    )
    pos_side, neg_side = (1, -1) if lucky else (-1, 1)
    scores = np.concatenate((counts.thresholds[whole], pos_place[merged], neg_place[merged]))
    side = np.concatenate((np.zeros(int(whole.sum())), np.full(none.size, pos_side), np.full(none.size, neg_side)))
    pos = np.concatenate((counts.pos[whole], counts.pos[merged], none))
    neg = np.concatenate((counts.neg[whole], none, counts.neg[merged]))
    kept = (pos > 0) | (neg > 0)
    scores, side, pos, neg = scores[kept], side[kept], pos[kept], neg[kept]
    order = np.lexsort((side, scores))[::-1]
    scores, side = scores[order], side[order]
    new = np.append(True, (scores[1:] != scores[:-1]) | (side[1:] != side[:-1]))
    starts = np.flatnonzero(new)
    table: Table = (
        np.arange(starts.size, 0, -1).astype(np.float64),
        np.add.reduceat(pos[order], starts),
        np.add.reduceat(neg[order], starts),
    )
    return Counts._from_table(table)


def mirrored(counts: Counts) -> Counts:
    """Return the table with classes exchanged and the order of its scores reversed; whole numbers stand for scores.

    Its ROC curve is the mirror image of the other at the falling diagonal; weights and clusters come along.
    """
    squares, clusters, outcome = counts._weight_squares, counts._clusters, counts._outcome
    scores = -np.arange(len(counts))
    return Counts._from_table(
        (scores, counts.neg[::-1], counts.pos[::-1]),
        None,
        None if squares is None else squares.mirrored(),
        None if clusters is None else clusters.mirrored(len(counts)),
        None if outcome is None else outcome.mirrored(scores[::-1][outcome.cells(counts.thresholds)]),
    )
