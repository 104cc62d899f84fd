"""Variances of differences between models from sums over rows, or over clusters of them."""

from __future__ import annotations

import math

import numpy as np

from thresher._compare.row_sums import Lookup, RowSums
from thresher._inference.sampling import Influence, Spread, cluster_spread, row_spread
from thresher._table import Counts
from thresher.typing import FloatArray

__all__ = ["class_parts", "fewest", "lookup_of", "placement_slack", "spread_of"]


def lookup_of(table: Counts, influence: Influence) -> Lookup:
    """Return the influence values of a table by rising score."""
    values = np.stack([influence.neg[::-1], influence.pos[::-1]], axis=1)
    return Lookup(np.ascontiguousarray(table.thresholds[::-1]), values)


def spread_of(sums: RowSums, pair: int, odds: float) -> Spread:
    """Return the variance of the difference of a pair of models; `odds` is how it moves with the class balance."""
    totals = float(sums.totals[0]), float(sums.totals[1])
    if sums.clusters is None:
        pos, neg = ((float(s), float(x), float(q)) for s, x, q in sums.sums[:, pair])
        return row_spread((pos, neg), totals, odds)
    found = cluster_spread(sums.products(pair), sums.clusters, totals, odds, "random")
    return found if sums.clusters[2] < int(sums.rows.sum()) else Spread(found.variance)  # each row its own cluster


def class_parts(sums: RowSums, models: int) -> tuple[FloatArray, FloatArray]:
    """Return for each class covariances that give every difference of two models its variance."""
    out = []
    for k in (0, 1):
        total = sums.totals[k]
        variance = np.zeros((models, models))
        for p, (i, j) in enumerate(sums.pairs):
            s, x, _ = sums.sums[k, p]
            variance[i, j] = variance[j, i] = (s - x * x / total) / (total * max(total - 1.0, 1e-300))
        out.append((variance[0] + variance[0][:, None] - variance) / 2.0)
    return out[0], out[1]


def fewest(sums: RowSums) -> float:
    """Return how many independent rows, or clusters, the rarer class has."""
    return float(sums.rows.min()) if sums.clusters is None else float(min(sums.clusters[:2]))


def placement_slack(table: Counts, sums: RowSums) -> float:
    """Return by how much the standard error of the ROC area can change where scores share a kept point.

    The placement of such a row is known to half of the opponents that share the point; the standard error is a norm of
    the placements, so it changes by no more than the norm of what they are off.
    """
    if table._complete:
        return 0.0
    several = table._highest_scores > table.thresholds
    most = [float(counts[several].max(initial=0)) / 2.0 for counts in (table.neg, table.pos)]
    shares = np.array([most[0] / float(table.n_neg), most[1] / float(table.n_pos)])
    if sums.clusters is None:
        return float(np.linalg.norm(shares * np.sqrt(sums.sums[:, 0, 2]) / sums.totals))
    mass = shares / sums.totals
    return math.sqrt(float(mass @ sums.products(0)[2:, 2:] @ mass))
