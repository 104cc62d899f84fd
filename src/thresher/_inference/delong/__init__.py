"""DeLong's variances and what stands beside them: the ROC area's intervals from counts and from published figures."""

from thresher._inference.delong.bamber import bamber
from thresher._inference.delong.covariance import DeLongCovariance, delong_covariance
from thresher._inference.delong.delong import check_two_each, delong, delong_of, logit_interval, variance_interval
from thresher._inference.delong.difference import ALTERNATIVES, DifferenceTest, paired_test, unpaired_test
from thresher._inference.delong.interval_methods import (
    COUNT_METHODS,
    interval_from_counts,
    partial_interval_from_counts,
    se_from_counts,
)
from thresher._inference.delong.partial import cut_placements, partial_delong, partial_delong_covariance
from thresher._inference.delong.published import hanley_mcneil_variance, max_variance, roc_auc_interval

__all__ = [
    "ALTERNATIVES",
    "COUNT_METHODS",
    "DeLongCovariance",
    "DifferenceTest",
    "bamber",
    "check_two_each",
    "cut_placements",
    "delong",
    "delong_covariance",
    "delong_of",
    "hanley_mcneil_variance",
    "interval_from_counts",
    "logit_interval",
    "max_variance",
    "paired_test",
    "partial_delong",
    "partial_delong_covariance",
    "partial_interval_from_counts",
    "roc_auc_interval",
    "se_from_counts",
    "unpaired_test",
    "variance_interval",
]
