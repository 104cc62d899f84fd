"""DeLong's covariance of the areas of several scorers on the same cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.placements import row_placements
from thresher._core.sums import dot, exact_dot
from thresher._core.values import value
from thresher._core.warn import warn
from thresher._inference.delong.delong import check_two_each
from thresher._inference.delong.weighted_placements import deviations, weighted_row_losses
from thresher._inference.influence.variance import FEW_CLUSTERS
from thresher.exceptions import UndefinedMetricError
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
    df : float
        Degrees of freedom of its t distribution: clusters less one; infinite without clusters.
    """

    auc: FloatArray
    covariance: FloatArray
    difference_variance: FloatArray
    n_pos: float
    n_neg: float
    df: float = math.inf


def delong_covariance(
    positive: BoolArray,
    scores: Sequence[ScoreArray],
    *,
    weight: CountArray | None = None,
    groups: NDArray[Any] | None = None,
) -> DeLongCovariance:
    """DeLong's covariance matrix for scorers that were applied to the same cases.

    Parameters
    ----------
    positive : array of bool, shape (n,)
        Whether row r is a positive.
    scores : sequence of arrays, each of shape (n,)
        Scores of each scorer; row r of all of them is the same case.
    weight : array, shape (n,), optional
        Sampling weights of the rows, above 0.
    groups : array, shape (n,), optional
        The cluster of each row; what rows of a cluster deviate is added up before it is squared (Obuchowski 1997).

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
    rows_pos = int(np.count_nonzero(positive))
    check_two_each(rows_pos, positive.size - rows_pos)
    if groups is None and (weight is None or (_constant(weight[positive]) and _constant(weight[~positive]))):
        return _from_whole_numbers(positive, scores)
    own = np.ones(positive.size) if weight is None else weight.astype(np.float64)
    weight_pos, weight_neg = own[positive], own[~positive]
    n_pos, n_neg = float(weight_pos.sum()), float(weight_neg.sum())
    areas, from_pos, from_neg = [], [], []
    for score in scores:
        lost_pos, lost_neg = weighted_row_losses(positive, score, own)
        loss, deviation = deviations(lost_pos, weight_pos, n_neg)
        areas.append(1.0 - loss)
        from_pos.append(deviation)
        from_neg.append(deviations(lost_neg, weight_neg, n_pos)[1])
    clusters = None if groups is None else (groups[positive], groups[~positive])
    return covariance_of(np.array(areas), (from_pos, from_neg), (weight_pos, weight_neg), clusters)


def _constant(weight: CountArray) -> bool:
    return bool((weight == weight[0]).all())


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
    clusters: tuple[NDArray[Any], NDArray[Any]] | None = None,
) -> DeLongCovariance:
    """Return the covariance of areas from what each case of each class deviates from the mean, scorer by scorer.

    Deviations of both classes have one sign: what lowers the area is positive, or what raises it.
    """
    if clusters is not None:
        return _over_clusters(areas, deviations, weights, clusters)
    size = areas.size
    covariance, of_difference = np.zeros((size, size)), np.zeros((size, size))
    totals = [float(weight.sum()) for weight in weights]
    for from_mean, weight, total in zip(deviations, weights, totals, strict=True):
        squared = np.square(weight.astype(np.float64))
        per_case = squared / (total * total - float(squared.sum()))
        for i in range(size):
            for j in range(i + 1):
                covariance[i, j] += dot(per_case, from_mean[i] * from_mean[j])
                of_difference[i, j] += dot(per_case, (from_mean[i] - from_mean[j]) ** 2)
    for table in (covariance, of_difference):
        table += np.tril(table, -1).T
    return DeLongCovariance(areas, covariance, of_difference, totals[0], totals[1])


def _over_clusters(
    areas: FloatArray,
    deviations: tuple[Sequence[FloatArray], Sequence[FloatArray]],
    weights: tuple[CountArray, CountArray],
    clusters: tuple[NDArray[Any], NDArray[Any]],
) -> DeLongCovariance:
    """Return Obuchowski's covariance: deviations are added up in each cluster before they are multiplied."""
    names, code = np.unique(np.concatenate(clusters), return_inverse=True)
    codes = np.split(code.reshape(-1), [clusters[0].size])
    totals = [float(weight.sum()) for weight in weights]
    numbers = [np.unique(own).size for own in codes]
    for number, side in zip(numbers, ("positives", "negatives"), strict=True):
        if number < 2:
            raise UndefinedMetricError(f"The {side} must come from at least two clusters; got {number}.")
    if names.size < FEW_CLUSTERS:
        warn(f"There are only {names.size} clusters; intervals are rough with fewer than {FEW_CLUSTERS}.")
    sums = [
        [np.bincount(own, weight * each / total, names.size).astype(np.float64) for each in side]
        for side, own, weight, total in zip(deviations, codes, weights, totals, strict=True)
    ]
    factors = [number / (number - 1.0) for number in (*numbers, names.size)]

    def joint(a: tuple[FloatArray, FloatArray], b: tuple[FloatArray, FloatArray]) -> float:
        within = factors[0] * dot(a[0], b[0]) + factors[1] * dot(a[1], b[1])
        return within + factors[2] * (dot(a[0], b[1]) + dot(a[1], b[0]))

    size = areas.size
    covariance, of_difference = np.zeros((size, size)), np.zeros((size, size))
    for i in range(size):
        for j in range(i + 1):
            first, second = (sums[0][i], sums[1][i]), (sums[0][j], sums[1][j])
            covariance[i, j] = covariance[j, i] = joint(first, second)
            apart = first[0] - second[0], first[1] - second[1]
            both = apart[0] + apart[1]
            found = joint(apart, apart)
            # The unequal factors of the classes may leave less than nothing; one factor for all never does.
            of_difference[i, j] = of_difference[j, i] = found if found > 0.0 else factors[2] * dot(both, both)
    return DeLongCovariance(areas, covariance, of_difference, totals[0], totals[1], names.size - 1.0)
