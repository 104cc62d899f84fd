"""What each class adds to the variance of a difference, and the degrees of freedom that follow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from thresher._compare.paired_rows import PairedRows
from thresher._core.sums import dot
from thresher._inference.delong import welch_df
from thresher._table import Counts
from thresher.measures import Measure
from thresher.typing import FloatArray

__all__ = ["FEW", "Components", "paired_components", "unpaired_df"]

FEW = 10
"""Fewer cases of a class than this do not tell their own spread; a test on them is said to be rough."""


class Components(NamedTuple):
    """Covariances of the values of k scorers from the cases of each class, and how many cases there are."""

    parts: tuple[FloatArray, FloatArray]
    """From the positives and from the negatives, each of shape (k, k)."""
    sizes: tuple[float, float]

    def df(self, i: int, j: int) -> float:
        """Return Satterthwaite's degrees of freedom of the difference of two scorers; infinite without spread."""
        spread = [float(part[i, i] + part[j, j] - 2.0 * part[i, j]) for part in self.parts]
        return welch_df([max(each, 0.0) for each in spread], self.sizes)

    def joint_df(self, directions: FloatArray) -> float:
        """Return the degrees of freedom of the covariance of several contrasts, the columns of `directions`.

        The number whose Wishart law has the spread of the sum of two independent ones, in the scale of that sum.
        Contrasts in which no case differs are left out, as resampling may see a spread that the cases' values have not.
        """
        parts = [directions.T @ part @ directions for part in self.parts]
        size = int(np.linalg.matrix_rank(parts[0] + parts[1], hermitian=True))
        if size == directions.shape[1]:
            whole = np.linalg.inv(parts[0] + parts[1])
        else:
            whole = np.linalg.pinv(parts[0] + parts[1], hermitian=True)
        lower = 0.0
        for part, cases in zip(parts, self.sizes, strict=True):
            share = part @ whole
            lower += (float(np.trace(share @ share)) + float(np.trace(share)) ** 2) / (cases - 1.0)
        return (size + size * size) / lower if lower > 0.0 else math.inf


def paired_components(rows: PairedRows, measure: Measure, tables: Sequence[Counts]) -> Components:
    """Return the covariances of scorers on the same rows from the influence of every row.

    Raises
    ------
    InvalidInputError
        When the measure has no influence values.
    """
    weight = np.ones(rows.positive.size) if rows.weight is None else rows.weight.astype(np.float64)
    sides = rows.positive, ~rows.positive
    pulls: list[list[FloatArray]] = [[], []]
    for scores, table in zip(rows.scores, tables, strict=True):
        found = measure.influence(table)
        place = np.searchsorted(-table.thresholds.astype(np.float64), -scores.astype(np.float64))
        for out, side, each in zip(pulls, sides, (found.pos, found.neg), strict=True):
            out.append(each[place[side]])
    parts, sizes = [], []
    for columns, side in zip(pulls, sides, strict=True):
        own = weight[side]
        total = float(own.sum())
        matrix = np.stack(columns)
        matrix = matrix - ((matrix * own).sum(axis=1) / total)[:, None]
        parts.append(np.einsum("in,jn->ij", matrix * own, matrix) / (total * max(total - 1.0, 1e-300)))
        sizes.append(total)
    return Components((parts[0], parts[1]), (sizes[0], sizes[1]))


def unpaired_df(tables: tuple[Counts, Counts], measure: Measure) -> float:
    """Return Satterthwaite's degrees of freedom of the difference between two independent samples."""
    variances, sizes = [], []
    for table in tables:
        found = measure.influence(table)
        for pull, counts, total in ((found.pos, table.pos, table.n_pos), (found.neg, table.neg, table.n_neg)):
            variances.append(dot(counts, pull**2) / (total * (total - 1.0)))
            sizes.append(float(total))
    return welch_df(variances, sizes)
