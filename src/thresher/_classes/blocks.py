"""Classes in blocks, for problems whose values of all cases and classes do not fit into memory at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from thresher._classes.values import ClassValues
from thresher._inference.sampling import Moments, Stratum
from thresher.typing import BoolArray, FloatArray

__all__ = ["MOST_VALUES", "added", "block_moments", "blocks_of"]

MOST_VALUES = 2**27
"""So many values of cases are held at once: a GiB."""

Blocks = Callable[[slice], ClassValues]


def blocks_of(cases: int, classes: int) -> Iterator[slice]:
    """Return parts of the classes whose values fit into half of the memory."""
    step = max(MOST_VALUES // (2 * max(cases, 1)), 1)
    for first in range(0, classes, step):
        yield slice(first, min(first + step, classes))


def added(of: Blocks, cases: int, weights: FloatArray) -> tuple[ClassValues, FloatArray]:
    """Return the values of all classes without columns, and the weighted sum of their columns."""
    total = np.zeros(cases)
    found = []
    for part in blocks_of(cases, weights.size):
        block = of(part)
        total += block.columns @ weights[part]
        found.append((block.values, block.n_pos, block.n_neg))
    values, n_pos, n_neg = (np.concatenate(one) for one in zip(*found, strict=True))
    return ClassValues(values, np.empty((0, values.size)), n_pos, n_neg), total


def block_moments(
    of: Blocks, cases: int, sides: Callable[[int], BoolArray] | None, classes: int
) -> tuple[ClassValues, Moments]:
    """Return the values of all classes and their covariance, block by block of the matrix.

    Degrees of freedom are those of each side of each class, or without `sides` of all cases.
    """
    covariance = np.zeros((classes, classes))
    strata: list[Stratum] = []
    found = []
    parts = list(blocks_of(cases, classes))
    for i, part in enumerate(parts):
        block = of(part)
        found.append((block.values, block.n_pos, block.n_neg))
        covariance[part, part] = block.covariance
        for j in range(part.start, part.stop if sides is not None else part.start):
            column = block.columns[:, j - part.start]
            own = column[sides(j)] if sides is not None else column
            positive = float(own @ own)
            rest = max(float(covariance[j, j]) - positive, 0.0)
            for size, variance in ((block.n_pos[j - part.start], positive), (block.n_neg[j - part.start], rest)):
                strata.append(Stratum(float(size), np.array([j]), np.array([[variance]])))
        for other in parts[i + 1 :]:
            covariance[part, other] = block.columns.T @ of(other).columns
            covariance[other, part] = covariance[part, other].T
    if sides is None:
        strata = [Stratum(float(cases), np.arange(classes), covariance)]
    values, n_pos, n_neg = (np.concatenate(one) for one in zip(*found, strict=True))
    return ClassValues(values, np.empty((0, classes)), n_pos, n_neg), Moments(covariance, tuple(strata))
