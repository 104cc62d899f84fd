"""DeLong's variances of the differences between several models on the same cases, in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thresher._core.order import row_placements
from thresher._core.sums import exact_dot
from thresher._inference.delong.delong import check_two_each
from thresher.typing import BoolArray, FloatArray, ScoreArray

__all__ = ["delong_covariance", "paired_differences"]


def delong_covariance(positive: BoolArray, scores: Sequence[ScoreArray]) -> tuple[FloatArray, FloatArray]:
    """Return DeLong's covariance matrix of the areas of models on the same cases, and the variances of differences.

    Sums of products of placements are whole numbers and are rounded once, at the end. The variance of a difference does
    not cancel: it is 0 for models that rank alike, and keeps its digits if areas are almost perfectly correlated.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, Biometrics 44 (1988), 837-845.
       https://doi.org/10.2307/2531595
    .. [2] X. Sun and W. Xu, "Fast implementation of DeLong's algorithm for comparing the areas under correlated
       receiver operating characteristic curves", IEEE Signal Processing Letters 21 (2014), 1389-1393.
       https://doi.org/10.1109/LSP.2014.2337313
    """
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
    return covariance, of_difference


def paired_differences(positive: BoolArray, scores: Sequence[ScoreArray]) -> FloatArray:
    """Return the variance of the difference between the areas of each two models."""
    return delong_covariance(positive, scores)[1]
