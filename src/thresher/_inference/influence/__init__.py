"""Variances through what each row adds to a figure: for weights that vary and for rows that belong together."""

from thresher._inference.influence.checks import (
    FEW_EFFECTIVE,
    check_counted,
    check_weights,
    check_whole,
    refuse_clusters,
    warn_few_heavy_negatives,
    warn_prevalence_is_set,
)
from thresher._inference.influence.variance import (
    Influence,
    Spread,
    clusters_of,
    influence_spread,
    mean_influence,
    quantile,
)

__all__ = [
    "FEW_EFFECTIVE",
    "Influence",
    "Spread",
    "check_counted",
    "check_weights",
    "check_whole",
    "clusters_of",
    "influence_spread",
    "mean_influence",
    "quantile",
    "refuse_clusters",
    "warn_few_heavy_negatives",
    "warn_prevalence_is_set",
]
