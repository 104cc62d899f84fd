"""What single rows add to the values of several models, and the variances of differences that follow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from thresher._compare.paired_rows import PairedRows
from thresher._core.order import row_placements
from thresher._inference.delong import paired_differences
from thresher._inference.sampling import Influence, Moments
from thresher._table import Counts, Grid, row_columns
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, RocAuc
from thresher.typing import BoolArray, FloatArray, ScoreArray

__all__ = ["FEW", "class_moments", "difference_variances", "own_influence", "row_influences"]

FEW = 10
"""Fewer cases of a class than this do not tell their own spread; a test on them is said to be rough."""


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


def class_moments(rows: PairedRows, measure: Measure, tables: Sequence[Counts]) -> Moments:
    """Return the covariance of models on the same rows of each class, and the part of each class in it."""
    return rows.sampling.moments(row_influences(rows, measure, tables), design="fixed")
