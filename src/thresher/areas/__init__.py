"""Areas under curves, as estimates that know their method and their error."""

from thresher.areas._estimate import AreaEstimate
from thresher.areas._partial_roc_auc import partial_roc_auc
from thresher.areas._pr_auc import PR_ESTIMATORS, pr_auc
from thresher.areas._roc_auc import roc_auc

__all__ = ["PR_ESTIMATORS", "AreaEstimate", "partial_roc_auc", "pr_auc", "roc_auc"]
