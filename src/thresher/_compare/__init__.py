"""Tests between scorers, on the same rows or on independent samples."""

from thresher._compare.calls import CallComparison, CallDifference, compare_calls
from thresher._compare.combined_estimate import CombinedEstimate
from thresher._compare.comparison import Comparison, PairComparison
from thresher._compare.estimates import Estimates
from thresher._compare.estimation import estimates
from thresher._compare.many_areas import ManyRocAuc, roc_auc_many
from thresher._compare.multiplicity import EstimateRanks, OmnibusTest, SimultaneousIntervals, holm
from thresher._compare.pair_tests import COMPARE_METHODS
from thresher._compare.paired import compare
from thresher._compare.replicates import permutation_pvalue
from thresher._compare.source import compare_source
from thresher._compare.unpaired import compare_unpaired

__all__ = [
    "COMPARE_METHODS",
    "CallComparison",
    "CallDifference",
    "CombinedEstimate",
    "Comparison",
    "EstimateRanks",
    "Estimates",
    "ManyRocAuc",
    "OmnibusTest",
    "PairComparison",
    "SimultaneousIntervals",
    "compare",
    "compare_calls",
    "compare_source",
    "compare_unpaired",
    "estimates",
    "holm",
    "permutation_pvalue",
    "roc_auc_many",
]
