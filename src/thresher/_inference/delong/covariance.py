"""DeLong's covariance of the areas of several scorers on the same cases."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thresher._core.placements import row_placements
from thresher._core.sums import dot, exact_dot
from thresher._core.values import value
from thresher._inference.delong.delong import check_two_each
from thresher._inference.delong.weighted_placements import deviations, weighted_row_losses
from thresher.typing import BoolArray, CountArray, FloatArray, ScoreArray

__all__ = ["DeLongCovariance", "covariance_of", "delong_covariance"]


@value
class DeLongCovariance:
    """Areas of k scorers on the same cases, with their covariance.

    Attributes
    ----------
    auc : array of float64, shape (k,)
        Element i is the area of scorer i.
    covariance : array of float64, shape (k, k)
        DeLong's estimate of the covariance of areas i and j; the diagonal holds the variances.
    difference_variance : array of float64, shape (k, k)
        Variance of area i minus area j. It does not cancel: exactly 0 for scorers that rank alike, and all its digits
        are kept where the two areas are almost perfectly correlated.
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
    >>> from thresher._inference.delong.covariance import delong_covariance
    >>> y = np.array([True, True, True, False, False, False])
    >>> a = np.array([0.9, 0.8, 0.4, 0.5, 0.2, 0.1])
    >>> found = delong_covariance(y, [a, -a])
    >>> found.auc.round(4), found.covariance.round(4)
    (array([0.8889, 0.1111]), array([[ 0.0247, -0.0247],
           [-0.0247,  0.0247]]))
    """
    if weight is None:
        return _from_whole_numbers(positive, scores)
    weight_pos, weight_neg = weight[positive], weight[~positive]
    n_pos, n_neg = weight_pos.sum().item(), weight_neg.sum().item()
    check_two_each(n_pos, n_neg)
    areas, from_pos, from_neg = [], [], []
    for score in scores:
        lost_pos, lost_neg = weighted_row_losses(positive, score, weight)
        loss, deviation = deviations(lost_pos, weight_pos, n_neg)
        areas.append(1.0 - loss)
        from_pos.append(deviation)
        from_neg.append(deviations(lost_neg, weight_neg, n_pos)[1])
    return covariance_of(np.array(areas), (from_pos, from_neg), (weight_pos, weight_neg))


def _from_whole_numbers(positive: BoolArray, scores: Sequence[ScoreArray]) -> DeLongCovariance:
    """Return the covariance of scorers on single cases: sums of products of placements, rounded once at the end."""
    n_pos = int(np.count_nonzero(positive))
    n_neg = positive.size - n_pos
    check_two_each(n_pos, n_neg)
    placed = [row_placements(score, positive) for score in scores]
    totals = [int(of_pos.sum()) for of_pos, _ in placed]  # twice U
    pairs = 2 * n_pos * n_neg
    size = len(placed)

    def apart(i: int, j: int) -> int:
        """Return n times the sum of products minus the product of sums, both classes on one denominator."""
        product = totals[i] * totals[j]
        of_pos, of_neg = (exact_dot(placed[i][side], placed[j][side]) for side in (0, 1))
        return (n_pos * of_pos - product) * (n_neg - 1) + (n_neg * of_neg - product) * (n_pos - 1)

    joint = [[apart(i, j) for j in range(i + 1)] for i in range(size)]
    whole = pairs**2 * (n_pos - 1) * (n_neg - 1)
    covariance, of_difference = np.empty((size, size)), np.empty((size, size))
    for i in range(size):
        for j in range(i + 1):
            covariance[i, j] = covariance[j, i] = joint[i][j] / whole
            of_difference[i, j] = of_difference[j, i] = (joint[i][i] + joint[j][j] - 2 * joint[i][j]) / whole
    areas = np.array([total / pairs for total in totals])
    return DeLongCovariance(areas, covariance, of_difference, float(n_pos), float(n_neg))


def covariance_of(
    areas: FloatArray,
    deviations: tuple[Sequence[FloatArray], Sequence[FloatArray]],
    weights: tuple[CountArray, CountArray],
) -> DeLongCovariance:
    """Return the covariance of areas from what each case of each class deviates from the mean, scorer by scorer."""
    size = areas.size
    covariance, of_difference = np.zeros((size, size)), np.zeros((size, size))
    totals = [float(weight.sum()) for weight in weights]
    for from_mean, weight, total in zip(deviations, weights, totals, strict=True):
        per_case = weight / (total * (total - 1.0))
        for i in range(size):
            for j in range(i + 1):
                covariance[i, j] += dot(per_case, from_mean[i] * from_mean[j])
                of_difference[i, j] += dot(per_case, (from_mean[i] - from_mean[j]) ** 2)
    for table in (covariance, of_difference):
        table += np.tril(table, -1).T
    return DeLongCovariance(areas, covariance, of_difference, totals[0], totals[1])
