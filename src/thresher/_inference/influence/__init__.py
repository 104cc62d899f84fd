"""Variances through what each row adds to a figure: for weights that vary and for rows that belong together."""

from thresher._inference.influence.checks import FEW_EFFECTIVE, check_counted, check_weights, refuse_clusters
from thresher._inference.influence.variance import Influence, Spread, clusters_of, influence_spread, quantile

__all__ = [
    "FEW_EFFECTIVE",
    "Influence",
    "Spread",
    "check_counted",
    "check_weights",
    "clusters_of",
    "influence_spread",
    "quantile",
    "refuse_clusters",
]
