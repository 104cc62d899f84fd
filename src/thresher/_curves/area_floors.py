"""What areas are measured against: the part of PR space that no classifier can enter, and chance in ROC space."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from thresher._core.checks import check_count, check_fractions, check_prevalence
from thresher._core.hyperbola import unit_step_area
from thresher.typing import ArrayLike, FloatArray


def pr_lower_bound(recall: ArrayLike, prevalence: float) -> FloatArray:
    """Return the lowest precision that any classifier can have at a recall.

    Parameters
    ----------
    recall : array-like
        Values in [0, 1].
    prevalence : float
        The proportion of positives, in (0, 1).

    Returns
    -------
    ndarray
        prevalence * recall / (prevalence * recall + 1 - prevalence): all negatives ranked before any positive.

    References
    ----------
    K. Boyd et al. (2012), "Unachievable region in precision-recall space and its effect on empirical evaluation".

    Examples
    --------
    >>> import thresher as th
    >>> th.pr_lower_bound([0.0, 0.5, 1.0], 0.5).round(3)
    array([0.   , 0.333, 0.5  ])
    """
    x = check_fractions(recall, "recall")
    share = check_prevalence(prevalence)
    return np.asarray(share * x / (share * x + (1.0 - share)))


def min_pr_auc(prevalence: float) -> float:
    """Return the smallest area under a PR curve: 1 + (1 - p) log(1 - p) / p.

    Parameters
    ----------
    prevalence : float
        The proportion of positives p, in (0, 1).

    Returns
    -------
    float
        About p / 2 for rare positives; computed without cancellation there.

    Examples
    --------
    >>> import thresher as th
    >>> round(th.min_pr_auc(0.5), 6), th.min_pr_auc(1e-20)
    (0.306853, 5e-21)
    """
    share = check_prevalence(prevalence)
    if share > 0.5:
        return 1.0 + (1.0 - share) * math.log1p(-share) / share
    # The same function as a series without cancellation: the sum of p^k / (k (k + 1)).
    return math.fsum(share**k / (k * (k + 1)) for k in range(1, 60))


def least_pr_area(prevalence: float, recall: tuple[float, float] = (0.0, 1.0)) -> float:
    """Return the smallest area over a range of recall; arguments are trusted."""
    low, high = recall
    if (low, high) == (0.0, 1.0):
        return min_pr_auc(prevalence)
    odds = (1.0 - prevalence) / prevalence
    return (high - low) - odds * math.log1p((high - low) / (odds + low))


_FEW = 2**16


def min_average_precision(n_pos: int, n_neg: int) -> float:
    """Return the smallest average precision: the mean of i / (i + n_neg), with every negative above every positive."""
    positives, negatives = check_count(n_pos, "n_pos", minimum=1), check_count(n_neg, "n_neg")
    if positives > _FEW:
        # The same sum as that of trapezoids at every positive, of which the last counts half; no longer for billions.
        piece = (np.array([float(x)]) for x in (0, negatives, positives, 0))
        return (
            (float(unit_step_area(*piece)[0]) + positives / (positives + negatives) / 2.0) / positives
            if negatives
            else 1.0
        )
    rank = np.arange(1, positives + 1, dtype=np.float64)
    return math.fsum((rank / (rank + negatives)).tolist()) / positives


def mcclish(area: Any, along: str, span: tuple[Any, Any]) -> Any:
    """Return a partial area under the ROC curve on McClish's scale: 1/2 for a worthless score, 1 for a perfect one.

    A score below chance has less than 1/2. `span` is the range of `along`, the false or the true positive rate; over a
    range of the latter, `area` is that of specificity (McClish 1989, doi:10.1177/0272989X8900900307).
    """
    low, high = span if along == "fpr" else (1 - span[1], 1 - span[0])
    least, most = (high - low) * (high + low) / 2, high - low
    return (1 + (area - least) / (most - least)) / 2
