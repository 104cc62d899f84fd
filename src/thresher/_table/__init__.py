"""The count table on which everything stands."""

from thresher._table.columns import MOST_COUNTS, no_class_weight, too_many
from thresher._table.counts import Counts, as_counts
from thresher._table.cumulative import check_two_classes, padded_counts, with_infinity
from thresher._table.disclose import disclosed
from thresher._table.exact_figures import Figures
from thresher._table.extreme_tables import extreme_tables, overlapping
from thresher._table.rate_bound import EXACT, RateErrorBound, rate_error_bound
from thresher._table.running_counts import kernels_take, running_counts, shared_ties

__all__ = [
    "EXACT",
    "MOST_COUNTS",
    "Counts",
    "Figures",
    "RateErrorBound",
    "as_counts",
    "check_two_classes",
    "disclosed",
    "extreme_tables",
    "kernels_take",
    "no_class_weight",
    "overlapping",
    "padded_counts",
    "rate_error_bound",
    "running_counts",
    "shared_ties",
    "too_many",
    "with_infinity",
]
