"""Intervals of proportions and of the rates at one operating point."""

from thresher._cells import mcnemar as mcnemar
from thresher._inference.rates.net_benefit import NET_BENEFIT_METHODS as NET_BENEFIT_METHODS
from thresher._inference.rates.net_benefit import effective_calls as effective_calls
from thresher._inference.rates.net_benefit import max_t_band as max_t_band
from thresher._inference.rates.net_benefit import mover_sum as mover_sum
from thresher._inference.rates.net_benefit import net_benefit as net_benefit
from thresher._inference.rates.net_benefit import net_benefit_bounds as net_benefit_bounds
from thresher._inference.rates.net_benefit import net_benefit_variance as net_benefit_variance
from thresher._inference.rates.net_benefit import rate_bounds as rate_bounds
from thresher._inference.rates.net_benefit import rectangle_band as rectangle_band
from thresher._inference.rates.proportion import binomial_cdf as binomial_cdf
from thresher._inference.rates.proportion import most_errors as most_errors
from thresher._inference.rates.proportion import most_errors_expected as most_errors_expected
from thresher._inference.rates.proportion import most_errors_next as most_errors_next
from thresher._inference.rates.proportion import proportion_interval as proportion_interval
from thresher._inference.rates.proportion import rate_interval as rate_interval
from thresher._inference.rates.proportion import trials_needed as trials_needed
from thresher._inference.rates.two_rates import cut_off_figure as cut_off_figure
from thresher._inference.rates.two_rates import log_ratio_difference as log_ratio_difference
from thresher._inference.rates.two_rates import newcombe_paired as newcombe_paired
from thresher._inference.rates.two_rates import predictive_value_test as predictive_value_test
from thresher._inference.rates.two_rates import ratio_bounds as ratio_bounds
from thresher._inference.rates.two_rates import ratio_excluded as ratio_excluded
from thresher._inference.rates.two_rates import score_statistic as score_statistic
from thresher._inference.rates.two_rates import tango as tango
