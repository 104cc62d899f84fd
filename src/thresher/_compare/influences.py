"""What single rows add to the values of several models, and the variances of differences that follow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from thresher._compare.paired_rows import PairedRows
from thresher._core.order import row_placements
from thresher._core.sums import dot
from thresher._inference.delong import paired_differences, welch_df
from thresher._inference.sampling import Influence, joint_df
from thresher._table import Counts, Grid, row_columns
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, RocAuc
from thresher.typing import BoolArray, FloatArray, ScoreArray

__all__ = [
    "FEW",
    "Components",
    "difference_variances",
    "own_influence",
    "paired_components",
    "row_influences",
    "unpaired_df",
]

FEW = 10
"""Fewer cases of a class than this do not tell their own spread; a test on them is said to be rough."""


class Components(NamedTuple):
    """Covariances of the values of k models from the cases of each class, and how many cases there are."""

    parts: tuple[FloatArray, FloatArray]
    """From the positives and from the negatives, each of shape (k, k)."""
    sizes: tuple[float, float]

    def df(self, i: int, j: int) -> float:
        """Return Satterthwaite's degrees of freedom of the difference of two models; infinite without spread."""
        spread = [float(part[i, i] + part[j, j] - 2.0 * part[i, j]) for part in self.parts]
        return welch_df([max(each, 0.0) for each in spread], self.sizes)

    def joint_df(self, directions: FloatArray) -> float:
        """Return the degrees of freedom of the covariance of several contrasts, the columns of `directions`."""
        return joint_df([directions.T @ part @ directions for part in self.parts], self.sizes)


def own_influence(
    measure: Measure, table: Counts, scores: ScoreArray, positive: BoolArray, *, plain: bool
) -> tuple[FloatArray, float]:
    """Return the influence value of each row of a table for its own class, and the derivative by the odds.

    `plain` says that rows count alike.
    """
    if plain and measure == RocAuc():
        up, down = row_placements(scores, positive)  # whole numbers, and quicker than a search for each row
        out = np.empty(positive.size)
        out[positive] = up / (2.0 * down.size)
        out[~positive] = down / (2.0 * up.size)
        return out - measure.of(table), 0.0
    found = measure.influence(table)
    if found is None:
        raise InvalidInputError(
            f"{measure.title!r} has no influence values: it is not smooth in the counts. "
            "Hint: its intervals are resampled, `Scores.measure(...).confidence_interval()`."
        )
    place = row_columns(table.thresholds, scores, Grid(np.arange(len(table)), table.thresholds))
    return np.where(positive, found.pos[place], found.neg[place]), found.odds


def row_influences(rows: PairedRows, measure: Measure, tables: Sequence[Counts]) -> list[Influence]:
    """Return the influence of every row on the value of each model, as if each row were a score of its own."""
    out = []
    for scores, table in zip(rows.scores, tables, strict=True):
        found = measure.influence(table)
        if found is None:
            raise InvalidInputError(f"{measure.title!r} has no influence values. Hint: method='bootstrap'.")
        place = row_columns(table.thresholds, scores, Grid(np.arange(len(table)), table.thresholds))
        out.append(Influence(found.pos[place], found.neg[place], found.odds))
    return out


def difference_variances(rows: PairedRows, measure: Measure, tables: Sequence[Counts]) -> tuple[FloatArray, float]:
    """Return the variance of the difference between each two models on the same rows, and its degrees of freedom."""
    if measure == RocAuc() and rows.weight is None and rows.cluster is None:
        # Placements are whole numbers: their sums are exact.
        return paired_differences(rows.positive, rows.scores), math.inf
    design, influences = rows.sampling, row_influences(rows, measure, tables)
    out, df = np.zeros((len(tables), len(tables))), math.inf
    for i, j in combinations(range(len(tables)), 2):
        a, b = influences[i], influences[j]
        out[i, j], df = design.spread(Influence(a.pos - b.pos, a.neg - b.neg, a.odds - b.odds))
        out[j, i] = out[i, j]
    return out, df


def paired_components(rows: PairedRows, measure: Measure, tables: Sequence[Counts]) -> Components:
    """Return the covariances of models on the same rows that the rows of each class make."""
    weight = np.ones(rows.positive.size) if rows.weight is None else rows.weight.astype(np.float64)
    influences = row_influences(rows, measure, tables)
    parts, sizes = [], []
    for side, name in ((rows.positive, "pos"), (~rows.positive, "neg")):
        own = weight[side]
        total = float(own.sum())
        matrix = np.stack([getattr(one, name)[side] for one in influences])
        matrix = matrix - ((matrix * own).sum(axis=1) / total)[:, None]
        parts.append(np.einsum("in,jn->ij", matrix * own, matrix) / (total * max(total - 1.0, 1e-300)))
        sizes.append(total)
    return Components((parts[0], parts[1]), (sizes[0], sizes[1]))


def unpaired_df(tables: tuple[Counts, Counts], measure: Measure) -> float:
    """Return Satterthwaite's degrees of freedom of the difference between two independent samples."""
    variances, sizes = [], []
    for table in tables:
        found = measure.influence(table)
        if found is None:
            raise InvalidInputError(f"{measure.title!r} has no influence values. Hint: method='bootstrap'.")
        for pull, counts, total in ((found.pos, table.pos, table.n_pos), (found.neg, table.neg, table.n_neg)):
            if total > 1:
                variances.append(dot(counts, pull**2) / (total * (total - 1.0)))
                sizes.append(float(total))
    return welch_df(variances, sizes)
