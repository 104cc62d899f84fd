"""Standard errors and intervals of areas under the precision-recall curve."""

from thresher._inference.pr.asymptotic import BOYD_METHODS as BOYD_METHODS
from thresher._inference.pr.asymptotic import PR_INTERVAL_METHODS as PR_INTERVAL_METHODS
from thresher._inference.pr.asymptotic import boyd_standard_error as boyd_standard_error
from thresher._inference.pr.asymptotic import many_pr_areas as many_pr_areas
from thresher._inference.pr.asymptotic import pr_auc_influence as pr_auc_influence
from thresher._inference.pr.asymptotic import pr_auc_interval as pr_auc_interval
from thresher._inference.pr.asymptotic import pr_auc_spread as pr_auc_spread
from thresher._inference.pr.asymptotic import pr_auc_standard_error as pr_auc_standard_error
