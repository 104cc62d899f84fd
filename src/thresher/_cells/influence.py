"""What one more case in a cell changes: influence values, and the variances that follow from a gradient."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher._cells.cell_metric import CellMetric
from thresher._cells.matrix import Matrix, as_doubles, centred
from thresher.typing import ArrayLike, FloatArray


class CellInfluence(NamedTuple):
    """The influence of a case in each cell, centred within its class, and the derivative by the log odds of a negative.

    In `tp` and `fn`, P times the derivative by the weight of a case there, less its mean over the class; likewise in
    `fp` and `tn`. `odds` is the part of the class balance, 0 where the metric does not depend on it.
    """

    tp: FloatArray
    fp: FloatArray
    fn: FloatArray
    tn: FloatArray
    odds: FloatArray

    def at_scores(self, n_called: int, n_scores: int) -> tuple[FloatArray, FloatArray]:
        """Return the influence of a positive and of a negative at each distinct score, highest first.

        The first `n_called` of the `n_scores` distinct scores are predicted positive.
        """
        called = np.arange(n_scores) < n_called
        return np.where(called, self.tp, self.fn), np.where(called, self.fp, self.tn)


def cell_influence(metric: CellMetric, cells: Matrix, *, prevalence: float | None = None) -> CellInfluence:
    """Return the influence of each cell; NaN where the metric has no gradient."""
    c = as_doubles(cells)
    g = metric.gradient(*c, prevalence=prevalence)
    with np.errstate(invalid="ignore", divide="ignore"):
        return CellInfluence(*centred(g, c, c.pos, c.neg), c.fp * g.fp + c.tn * g.tn)


def cell_variance(
    metric: CellMetric,
    cells: Matrix,
    *,
    squares: Matrix | None = None,
    clusters: ArrayLike | None = None,
    design: str = "random",
    prevalence: float | None = None,
) -> FloatArray:
    """Return the variance of the metric, without a correction for few rows.

    `squares` holds the sums of squared weights in the four cells, `clusters` the weights of each cluster in them, in an
    array of shape (..., clusters, 4). With design "fixed" the class sizes are not random.
    """
    c = as_doubles(cells)
    g = metric.gradient(*c, prevalence=prevalence)
    if design == "fixed":
        with np.errstate(invalid="ignore", divide="ignore"):
            g = centred(g, c, 1.0, 1.0)
    if clusters is not None:
        each = np.asarray(clusters, dtype=np.float64)
        present = np.where(each != 0.0, np.stack(np.broadcast_arrays(*g), axis=-1)[..., None, :], 0.0)
        return np.asarray(np.square((each * present).sum(axis=-1)).sum(axis=-1))
    weight = c if squares is None else as_doubles(squares)
    # An empty cell adds nothing, whatever its derivative.
    terms = (np.where(w > 0.0, w * slope * slope, 0.0) for w, slope in zip(weight, g, strict=True))
    return np.asarray(sum(terms))
