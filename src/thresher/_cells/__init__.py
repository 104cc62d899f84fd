"""Metrics of the confusion matrix: values, gradients, intervals, tests, chosen thresholds and gaps between segments."""

from thresher._cells.best import at_thresholds, best_thresholds, orders, quotients
from thresher._cells.catalogue import CATALOGUE, CellMetric, canonical, find, from_function, options_of
from thresher._cells.f_beta import f_beta_bounds
from thresher._cells.influence import cell_influence
from thresher._cells.limits import cluster_scale, estimated_scale, limit_methods, limits
from thresher._cells.matrix import Matrix
from thresher._cells.optimism import chosen_on_resamples, corrected, optimism_of
from thresher._cells.paired import Pairing, compare_paired, compare_unpaired, mcnemar
from thresher._cells.proportions import ADVERSE, PROPORTION_METHODS, normal_quantile, proportion_bounds

__all__ = [
    "ADVERSE",
    "CATALOGUE",
    "PROPORTION_METHODS",
    "CellMetric",
    "Matrix",
    "Pairing",
    "at_thresholds",
    "best_thresholds",
    "canonical",
    "cell_influence",
    "chosen_on_resamples",
    "cluster_scale",
    "compare_paired",
    "compare_unpaired",
    "corrected",
    "estimated_scale",
    "f_beta_bounds",
    "find",
    "from_function",
    "limit_methods",
    "limits",
    "mcnemar",
    "normal_quantile",
    "optimism_of",
    "options_of",
    "orders",
    "proportion_bounds",
    "quotients",
]
