"""Intervals of proportions and of the rates at one operating point."""

from thresher._cells import mcnemar
from thresher._inference.rates.binomial_limits import (
    binomial_cdf,
    most_errors,
    most_errors_expected,
    most_errors_next,
    trials_needed,
)
from thresher._inference.rates.effective_counts import (
    CELLS,
    Cells,
    effective_matrix,
    effective_scale,
    effective_share,
    refuse_unknown,
)
from thresher._inference.rates.likelihood_ratios import CutOffFigure, cut_off_figure
from thresher._inference.rates.net_benefit import (
    NET_BENEFIT_METHODS,
    effective_calls,
    gain_over_all_bounds,
    mover_sum,
    net_benefit,
    net_benefit_bounds,
    net_benefit_variance,
    paired_net_benefit,
)
from thresher._inference.rates.proportion import (
    PROPORTION_METHODS,
    RATES,
    ProportionInterval,
    cell_limits,
    proportion_interval,
    rate_interval,
)
from thresher._inference.rates.two_rates import (
    log_ratio_difference,
    newcombe_paired,
    predictive_value_test,
    ratio_bounds,
    ratio_excluded,
    score_statistic,
    tango,
)

__all__ = [
    "CELLS",
    "NET_BENEFIT_METHODS",
    "PROPORTION_METHODS",
    "RATES",
    "Cells",
    "CutOffFigure",
    "ProportionInterval",
    "binomial_cdf",
    "cell_limits",
    "cut_off_figure",
    "effective_calls",
    "effective_matrix",
    "effective_scale",
    "effective_share",
    "gain_over_all_bounds",
    "log_ratio_difference",
    "mcnemar",
    "most_errors",
    "most_errors_expected",
    "most_errors_next",
    "mover_sum",
    "net_benefit",
    "net_benefit_bounds",
    "net_benefit_variance",
    "newcombe_paired",
    "paired_net_benefit",
    "predictive_value_test",
    "proportion_interval",
    "rate_interval",
    "ratio_bounds",
    "ratio_excluded",
    "refuse_unknown",
    "score_statistic",
    "tango",
    "trials_needed",
]
