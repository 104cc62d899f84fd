"""DeLong's covariance of the areas of several scorers on the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from thresher.inference._delong import check_two_each
from thresher.inference._placements import deviations, row_losses
from thresher.typing import BoolArray, CountArray, FloatArray, ScoreArray

__all__ = ["DeLongCovariance", "delong_covariance"]


@dataclass(frozen=True, slots=True)
class DeLongCovariance:
    """Areas of k scorers on the same cases, with their covariance.

    Attributes
    ----------
    auc : array of float64, shape (k,)
        Element i is the area of scorer i.
    covariance : array of float64, shape (k, k)
        DeLong's estimate of the covariance of areas i and j; the diagonal holds the variances.
    difference_variance : array of float64, shape (k, k)
        Variance of area i minus area j. Computed from the differences of placements, so it is exactly 0 for scorers
        that rank alike and keeps its digits where the two areas are almost perfectly correlated.
    n_pos, n_neg : float
        Class totals, or sums of weights.
    """

    auc: FloatArray
    covariance: FloatArray
    difference_variance: FloatArray
    n_pos: float
    n_neg: float


def delong_covariance(
    positive: BoolArray, scores: Sequence[ScoreArray], *, weight: CountArray | None = None
) -> DeLongCovariance:
    """DeLong's covariance matrix for scorers that were applied to the same cases.

    Parameters
    ----------
    positive : array of bool, shape (n,)
        Whether row r is a positive.
    scores : sequence of arrays, each of shape (n,)
        Scores of each scorer; row r of all of them is the same case.
    weight : array, shape (n,), optional
        Number of cases that each row stands for.

    Returns
    -------
    DeLongCovariance

    Raises
    ------
    UndefinedMetricError
        When a class has not more than one case.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, Biometrics 44 (1988), 837-845.
       https://doi.org/10.2307/2531595
    .. [2] X. Sun and W. Xu, "Fast implementation of DeLong's algorithm for comparing the areas under correlated
       receiver operating characteristic curves", IEEE Signal Processing Letters 21 (2014), 1389-1393.
       https://doi.org/10.1109/LSP.2014.2337313

    Examples
    --------
    >>> import numpy as np
    >>> from thresher.inference._delong_covariance import delong_covariance
    >>> y = np.array([True, True, True, False, False, False])
    >>> a = np.array([0.9, 0.8, 0.4, 0.5, 0.2, 0.1])
    >>> found = delong_covariance(y, [a, -a])
    >>> found.auc.round(4), found.covariance.round(4)
    (array([0.8889, 0.1111]), array([[ 0.0247, -0.0247],
           [-0.0247,  0.0247]]))
    """
    if weight is None:
        weight_pos = np.ones(int(positive.sum()), dtype=np.int64)
        weight_neg = np.ones(positive.size - weight_pos.size, dtype=np.int64)
    else:
        weight_pos, weight_neg = weight[positive], weight[~positive]
    n_pos, n_neg = weight_pos.sum(), weight_neg.sum()
    check_two_each(n_pos, n_neg)
    areas, from_pos, from_neg = [], [], []
    for score in scores:
        lost_pos, lost_neg = row_losses(positive, score, weight)
        loss, deviation = deviations(lost_pos, weight_pos, n_neg)
        areas.append(1.0 - loss)
        from_pos.append(deviation)
        from_neg.append(deviations(lost_neg, weight_neg, n_pos)[1])
    size = len(areas)
    covariance, of_difference = np.empty((size, size)), np.empty((size, size))
    per_pos = weight_pos / (float(n_pos) * (float(n_pos) - 1.0))
    per_neg = weight_neg / (float(n_neg) * (float(n_neg) - 1.0))
    for i in range(size):
        for j in range(i + 1):
            joint = float(per_pos @ (from_pos[i] * from_pos[j]) + per_neg @ (from_neg[i] * from_neg[j]))
            apart = float(per_pos @ (from_pos[i] - from_pos[j]) ** 2 + per_neg @ (from_neg[i] - from_neg[j]) ** 2)
            covariance[i, j] = covariance[j, i] = joint
            of_difference[i, j] = of_difference[j, i] = apart
    return DeLongCovariance(np.array(areas), covariance, of_difference, float(n_pos), float(n_neg))
