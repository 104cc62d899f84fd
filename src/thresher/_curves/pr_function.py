"""Hughes-Oliver's functional estimator of the PR curve."""

from __future__ import annotations

import numpy as np

from thresher._core.checks import check_fractions, check_prevalence
from thresher._core.fractions import portion
from thresher._table import Counts, check_two_classes, padded_counts
from thresher.typing import ArrayLike, FloatArray

__all__ = ["pr_function"]


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
