"""DeLong's variances and what stands beside them: the ROC area's intervals from counts and from published figures."""

from thresher._inference.delong.delong import areas_of_sums as areas_of_sums
from thresher._inference.delong.delong import check_two_each as check_two_each
from thresher._inference.delong.delong import delong as delong
from thresher._inference.delong.delong import delong_covariance as delong_covariance
from thresher._inference.delong.delong import delong_of as delong_of
from thresher._inference.delong.delong import logit_interval as logit_interval
from thresher._inference.delong.delong import paired_differences as paired_differences
from thresher._inference.delong.delong import partial_influence as partial_influence
from thresher._inference.delong.delong import partial_spread as partial_spread
from thresher._inference.delong.delong import roc_influence as roc_influence
from thresher._inference.delong.delong import roc_spread as roc_spread
from thresher._inference.delong.delong import rows_of as rows_of
from thresher._inference.delong.delong import variance_interval as variance_interval
from thresher._inference.delong.difference import ALTERNATIVES as ALTERNATIVES
from thresher._inference.delong.difference import AreaOfSample as AreaOfSample
from thresher._inference.delong.difference import DifferenceTest as DifferenceTest
from thresher._inference.delong.difference import mover_test as mover_test
from thresher._inference.delong.difference import paired_test as paired_test
from thresher._inference.delong.difference import unpaired_test as unpaired_test
from thresher._inference.delong.difference import welch_df as welch_df
from thresher._inference.delong.interval_methods import COUNT_METHODS as COUNT_METHODS
from thresher._inference.delong.interval_methods import interval_from_counts as interval_from_counts
from thresher._inference.delong.interval_methods import partial_interval_from_counts as partial_interval_from_counts
from thresher._inference.delong.interval_methods import se_from_counts as se_from_counts
from thresher._inference.delong.published import exact_interval as exact_interval
from thresher._inference.delong.published import hanley_mcneil_variance as hanley_mcneil_variance
