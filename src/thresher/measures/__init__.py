"""Areas under curves, as estimates that know their method and their error."""

from thresher.measures._estimate import AreaEstimate
from thresher.measures._partial_roc_auc import partial_roc_auc
from thresher.measures._pr_auc import PR_ESTIMATORS, pr_auc
from thresher.measures._roc_auc import roc_auc

__all__ = ["PR_ESTIMATORS", "AreaEstimate", "partial_roc_auc", "pr_auc", "roc_auc"]
