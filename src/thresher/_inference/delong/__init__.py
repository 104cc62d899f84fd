"""DeLong's variances and what stands beside them: the ROC area's intervals from counts and from published figures."""

from thresher._inference.delong.bamber import bamber
from thresher._inference.delong.delong import (
    areas_of_sums,
    check_two_each,
    delong,
    delong_covariance,
    delong_from_sums,
    delong_of,
    logit_interval,
    paired_differences,
    roc_influence,
    roc_spread,
    rows_of,
    variance_interval,
)
from thresher._inference.delong.difference import (
    ALTERNATIVES,
    AreaOfSample,
    DifferenceTest,
    mover_test,
    paired_test,
    unpaired_test,
    welch_df,
)
from thresher._inference.delong.interval_methods import (
    COUNT_METHODS,
    interval_from_counts,
    partial_interval_from_counts,
    se_from_counts,
)
from thresher._inference.delong.partial import (
    partial_delong,
    partial_influence,
    partial_spread,
)
from thresher._inference.delong.published import exact_interval, hanley_mcneil_variance, max_variance, roc_auc_interval

__all__ = [
    "ALTERNATIVES",
    "COUNT_METHODS",
    "AreaOfSample",
    "DifferenceTest",
    "areas_of_sums",
    "bamber",
    "check_two_each",
    "delong",
    "delong_covariance",
    "delong_from_sums",
    "delong_of",
    "exact_interval",
    "hanley_mcneil_variance",
    "interval_from_counts",
    "logit_interval",
    "max_variance",
    "mover_test",
    "paired_differences",
    "paired_test",
    "partial_delong",
    "partial_influence",
    "partial_interval_from_counts",
    "partial_spread",
    "roc_auc_interval",
    "roc_influence",
    "roc_spread",
    "rows_of",
    "se_from_counts",
    "unpaired_test",
    "variance_interval",
    "welch_df",
]
