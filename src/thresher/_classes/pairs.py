"""Pairs of classes: each class told from each other one by its own column, and averages of all pairs."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._classes.values import Frame, value_of
from thresher._compare.combined_estimate import JointAreas, correlations
from thresher._compare.influences import own_influence
from thresher._table import Counts
from thresher.measures import Measure, RocAuc
from thresher.typing import FloatArray

__all__ = ["PairValues", "pair_values"]

_MOST_CLASSES = 24
"""Up to this number of classes correlations of all pairs are kept, for limits that hold near 1."""


class PairValues(NamedTuple):
    """A metric of every ordered pair of classes: of class a against class b by the column of a."""

    values: FloatArray
    parts: list[FloatArray]
    """Of the rows of class c what they add to c against every other class, then to every other class against c."""
    joint: JointAreas | None
    """Of ROC areas of few classes, with weights that are all 1."""

    def average(self, weights: FloatArray, frame: Frame, rows: list[NDArray[np.intp]]) -> tuple[float, FloatArray]:
        """Return a weighted sum over pairs and what each case adds to it; weights of shape (k, k)."""
        k = len(self.values)
        out = np.zeros(sum(one.size for one in rows))
        total = 0.0
        for c in range(k):
            others = [b for b in range(k) if b != c]
            total += float(weights[c, others] @ self.values[c, others])
            out[rows[c]] = self.parts[c] @ np.append(weights[c, others], weights[others, c])
        return total, frame.summed(out)


def pair_values(
    measure: Measure, frame: Frame, scores: NDArray[Any], code: NDArray[np.intp], labels: tuple[Any, ...]
) -> tuple[PairValues, list[NDArray[np.intp]]]:
    """Return a metric of all ordered pairs, and the rows of each class."""
    k = len(labels)
    rows = [np.flatnonzero(code == c) for c in range(k)]
    sizes = [frame.worth(code == c) for c in range(k)]
    values = np.full((k, k), math.nan)
    parts = [np.empty((one.size, 2 * (k - 1))) for one in rows]
    for a in range(k):
        for b in range(k):
            if a == b:
                continue
            both = np.append(rows[a], rows[b])
            positive = np.arange(both.size) < rows[a].size
            column = np.ascontiguousarray(scores[both, a])
            weight = None if frame.weight is None else frame.weight[both]
            table = Counts(positive, column, sample_weight=weight)
            values[a, b] = value_of(measure, table, f"{labels[a]} against {labels[b]}")
            if min(sizes[a], sizes[b]) <= 1.0:
                added = np.full(both.size, math.nan)
            else:
                influence, odds = own_influence(measure, table, column, positive, plain=weight is None)
                added = _added(influence, odds, positive, weight, sizes[a], sizes[b])
            parts[a][:, b - (b > a)] = added[: rows[a].size]
            parts[b][:, k - 1 + a - (a > b)] = added[rows[a].size :]
    joint = None
    if measure == RocAuc() and k <= _MOST_CLASSES:
        joint = _joint(values, parts, rows, frame, np.array(sizes))
    return PairValues(values, parts, joint), rows


def _added(
    influence: FloatArray,
    odds: float,
    positive: NDArray[np.bool_],
    weight: FloatArray | None,
    n_pos: float,
    n_neg: float,
) -> FloatArray:
    """Return what rows of two classes add, by the numbers of cases that the classes are worth."""
    out = np.empty(influence.size)
    for side, sign, size in ((positive, -1.0, n_pos), (~positive, 1.0, n_neg)):
        own = np.ones(int(np.count_nonzero(side))) if weight is None else weight[side]
        out[side] = own * (math.sqrt(size / (size - 1.0)) * influence[side] + sign * odds) / own.sum()
    return out


def _joint(
    values: FloatArray, parts: list[FloatArray], rows: list[NDArray[np.intp]], frame: Frame, sizes: FloatArray
) -> JointAreas:
    """Return the areas of all pairs with their correlations, from blocks of the rows of one class each."""
    k = len(values)
    pairs = [(a, b) for a in range(k) for b in range(k) if a != b]
    place = {pair: i for i, pair in enumerate(pairs)}
    of_part = [[place[c, b] for b in range(k) if b != c] + [place[b, c] for b in range(k) if b != c] for c in range(k)]
    matrix = np.zeros((len(pairs), len(pairs)))
    if frame.cases.of_row is None:
        for c in range(k):
            matrix[np.ix_(of_part[c], of_part[c])] += parts[c].T @ parts[c]
    else:
        columns = np.zeros((frame.cases.size, len(pairs)))
        for c in range(k):
            np.add.at(columns, (frame.cases.of_row[rows[c]][:, None], np.array(of_part[c])[None]), parts[c])
        matrix = columns.T @ columns
    first, second = np.array(pairs).T
    return JointAreas(np.ones(len(pairs)), values[first, second], sizes[first], sizes[second], correlations(matrix))
