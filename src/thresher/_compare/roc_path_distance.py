"""ROC paths laid over each other: which has found more positives at the same proportion of cases called.

Down the scores the alert rate u = w TPR + (1 - w) FPR with any weight w in (0, 1) always grows,
so that a path is a function of u even where the curve is vertical. One path is on or above the other in ROC space (and
then in PR space) exactly when it is as a function of u; their distance, summed over u, is what Venkatraman's test
measures.
"""

from __future__ import annotations

import numpy as np

from thresher.typing import FloatArray

__all__ = ["leads", "path", "paths_apart"]

_SAME = 1e-12


def path(pos: FloatArray, neg: FloatArray, weight: float) -> tuple[FloatArray, FloatArray]:
    """Return (u, TPR) after each column, from (0, 0), for tables in rows; `weight` is that of TPR in u."""
    found = np.cumsum(pos, axis=1) / pos.sum(axis=1, keepdims=True)
    false = np.cumsum(neg, axis=1) / neg.sum(axis=1, keepdims=True)
    start = np.zeros((pos.shape[0], 1))
    called = weight * found + (1.0 - weight) * false
    # Rounding must not leave the last point short of 1, where all cases are called.
    called[:, -1] = found[:, -1] = 1.0
    return np.concatenate((start, called), axis=1), np.concatenate((start, found), axis=1)


def paths_apart(a: tuple[FloatArray, FloatArray], b: tuple[FloatArray, FloatArray], grid: FloatArray) -> FloatArray:
    """Return, for each row, the sum over a grid of u of how far the TPRs of the two paths are apart."""
    out = np.empty(a[0].shape[0])
    for row in range(out.size):
        out[row] = np.abs(np.interp(grid, a[0][row], a[1][row]) - np.interp(grid, b[0][row], b[1][row])).sum()
    return out


def leads(a: tuple[FloatArray, FloatArray], b: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Return, for each row, whether a is somewhere above b and whether it is somewhere below, as two columns."""
    out = np.empty((a[0].shape[0], 2))
    for row in range(out.shape[0]):
        # Both are straight between their own points, so that the points of both decide.
        at_a = a[1][row] - np.interp(a[0][row], b[0][row], b[1][row])
        at_b = np.interp(b[0][row], a[0][row], a[1][row]) - b[1][row]
        out[row, 0] = max(at_a.max(), at_b.max()) > _SAME
        out[row, 1] = min(at_a.min(), at_b.min()) < -_SAME
    return out
