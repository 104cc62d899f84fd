"""How far rates at a threshold can be off, where rows stand for ranges of scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._table.counts import Counts
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray, ScoreArray

__all__ = ["EXACT", "RateErrorBound", "rate_error_bound"]


@value
class RateErrorBound(Presented):
    """How far the rates at a threshold can be from those of the full data, for certain.

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
