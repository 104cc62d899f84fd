"""Standard errors and intervals of areas under the precision-recall curve."""

from thresher._inference.pr.asymptotic import (
    BOYD_METHODS,
    PR_INTERVAL_METHODS,
    boyd_standard_error,
    pr_auc_influence,
    pr_auc_interval,
    pr_auc_spread,
    pr_auc_standard_error,
)
from thresher._inference.pr.many_areas import many_pr_areas

__all__ = [
    "BOYD_METHODS",
    "PR_INTERVAL_METHODS",
    "boyd_standard_error",
    "many_pr_areas",
    "pr_auc_influence",
    "pr_auc_interval",
    "pr_auc_spread",
    "pr_auc_standard_error",
]
