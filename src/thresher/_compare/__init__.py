"""Tests between scorers, on the same rows or on independent samples."""

from thresher._compare.calls import CallComparison as CallComparison
from thresher._compare.calls import CallDifference as CallDifference
from thresher._compare.calls import compare_calls as compare_calls
from thresher._compare.combined_estimate import CombinedEstimate as CombinedEstimate
from thresher._compare.comparison import Comparison as Comparison
from thresher._compare.comparison import PairComparison as PairComparison
from thresher._compare.estimates import Estimates as Estimates
from thresher._compare.estimation import estimates as estimates
from thresher._compare.many_areas import ManyRocAuc as ManyRocAuc
from thresher._compare.many_areas import roc_auc_many as roc_auc_many
from thresher._compare.multiplicity import EstimateRanks as EstimateRanks
from thresher._compare.multiplicity import OmnibusTest as OmnibusTest
from thresher._compare.multiplicity import SimultaneousIntervals as SimultaneousIntervals
from thresher._compare.multiplicity import holm as holm
from thresher._compare.paired import compare as compare
from thresher._compare.replicates import permutation_pvalue as permutation_pvalue
from thresher._compare.source import compare_source as compare_source
from thresher._compare.unpaired import compare_unpaired as compare_unpaired
