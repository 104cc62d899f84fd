"""Standard errors and intervals of areas under the precision-recall curve."""

from thresher._inference.pr.asymptotic import (
    BOYD_METHODS,
    PR_INTERVAL_METHODS,
    boyd_standard_error,
    pr_auc_influence,
    pr_auc_interval,
    pr_auc_standard_error,
)

__all__ = [
    "BOYD_METHODS",
    "PR_INTERVAL_METHODS",
    "boyd_standard_error",
    "pr_auc_influence",
    "pr_auc_interval",
    "pr_auc_standard_error",
]
