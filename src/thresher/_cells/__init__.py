"""Metrics of the confusion matrix: values, gradients, intervals, tests, chosen thresholds and gaps between segments."""

from thresher._cells.best import at_thresholds as at_thresholds
from thresher._cells.best import best_thresholds as best_thresholds
from thresher._cells.best import orders as orders
from thresher._cells.best import quotients as quotients
from thresher._cells.catalogue import CATALOGUE as CATALOGUE
from thresher._cells.catalogue import canonical as canonical
from thresher._cells.catalogue import find as find
from thresher._cells.catalogue import options_of as options_of
from thresher._cells.cell_metric import CellMetric as CellMetric
from thresher._cells.cell_metric import from_function as from_function
from thresher._cells.f_beta import f_beta_bounds as f_beta_bounds
from thresher._cells.influence import cell_influence as cell_influence
from thresher._cells.limits import cluster_scale as cluster_scale
from thresher._cells.limits import estimated_scale as estimated_scale
from thresher._cells.limits import limit_methods as limit_methods
from thresher._cells.limits import limits as limits
from thresher._cells.matrix import Matrix as Matrix
from thresher._cells.optimism import chosen_on_resamples as chosen_on_resamples
from thresher._cells.paired import Pairing as Pairing
from thresher._cells.paired import compare_paired as compare_paired
from thresher._cells.paired import compare_unpaired as compare_unpaired
from thresher._cells.paired import mcnemar as mcnemar
from thresher._cells.proportions import ADVERSE as ADVERSE
from thresher._cells.proportions import PROPORTION_METHODS as PROPORTION_METHODS
from thresher._cells.proportions import normal_quantile as normal_quantile
from thresher._cells.proportions import proportion_bounds as proportion_bounds
