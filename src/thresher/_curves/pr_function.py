"""Hughes-Oliver's estimators of the PR curve: the function, and the two sets of points."""

from __future__ import annotations

import numpy as np

from thresher._core.arrays import frozen
from thresher._core.checks import check_fractions, check_prevalence
from thresher._core.fractions import portion
from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._table import Counts, check_two_classes, padded_counts
from thresher.typing import ArrayLike, FloatArray, ScoreArray

__all__ = ["PrPoints", "pr_function", "pr_points"]


@value
class PrPoints(Presented):
    """Recall and precision at each distinct score, and nothing between them.

    Attributes
    ----------
    thresholds : ndarray
        The distinct scores, highest first.
    recall, precision : ndarray
        Element i: of the cases whose score is at least ``thresholds[i]`` (PR⁰), or above it (PR*). Above the highest
        score there is no case, and its precision is NaN.
    inclusive : bool
        Whether a case at the threshold is predicted positive.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores.from_pos_neg([5, 3], [4, 1])
    >>> scores.pr_points(inclusive=False).precision.round(3)
    array([  nan, 1.   , 0.5  , 0.667])
    """

    thresholds: ScoreArray
    recall: FloatArray
    precision: FloatArray
    inclusive: bool


def pr_points(counts: Counts, *, inclusive: bool = True) -> PrPoints:
    """Return recall and precision at each distinct score, with `score >= t` or with `score > t`."""
    check_two_classes(counts, "A set of PR points")
    tp, fp = padded_counts(counts)
    tp, fp = (tp[1:], fp[1:]) if inclusive else (tp[:-1], fp[:-1])
    called = tp + fp
    precision = np.full(tp.size, np.nan)
    np.divide(tp, called, out=precision, where=called > 0)
    return PrPoints(frozen(counts.thresholds), frozen(tp / counts.n_pos), frozen(precision), bool(inclusive))


def pr_function(counts: Counts, recall: ArrayLike, *, prevalence: float | None = None) -> FloatArray:
    """Return n₊x / (n₊x + c), where c counts the negatives strictly above the positive that recall x asks for.

    Positives win every tie, so on data with ties across classes the curve lies above what any threshold achieves.
    At recall 1 the value is the prevalence; at recall 0 the limit, 1 or 0.
    """
    check_two_classes(counts, "The functional PR estimator")
    x = check_fractions(recall, "recall")
    tp, fp = padded_counts(counts)
    skew = 1.0
    if prevalence is not None:
        share = check_prevalence(prevalence)
        skew = (1.0 - share) / share * counts.n_pos / counts.n_neg
    found = portion(x, counts.n_pos)
    # The positive asked for lies in the group after the last point with no more than `found`; c is counted before it.
    above = fp[np.searchsorted(tp, found, side="right") - 1] * skew
    total = found + above
    return np.asarray(np.where(total > 0, found / np.where(total > 0, total, 1.0), 1.0))
