"""The count table on which everything stands."""

from thresher._table.arrow_form import COUNT_COLUMNS, arrow_of, parts_of
from thresher._table.at_time import OUTCOME_OPTIONS, outcome_from, read_outcome, scored_table, table_at_time
from thresher._table.batch import Batch, Grid, ManyTables, Needs, grid_of, is_at_least, merge_runs, row_columns
from thresher._table.cell_sample import CellSample, cell_sample, mixed_sample
from thresher._table.clusters import Clusters, as_clusters, make_clusters
from thresher._table.columns import (
    check_two_classes,
    device_pr_area,
    empty_threshold,
    kernels_take,
    next_lower,
    no_class_weight,
    padded_counts,
    placement_sums_of,
    running_counts,
    shared_ties,
    with_empty,
    with_infinity,
)
from thresher._table.counts import Counts, as_counts
from thresher._table.exact_figures import Figures
from thresher._table.outcome import Horizon, Outcome
from thresher._table.rate_bound import EXACT, RateErrorBound, extreme_tables, mirrored, overlapping, rate_error_bound
from thresher._table.squares import Squares, all_equal, joined_facts, squares_of_counts
from thresher._table.table_repr import hard_calls

__all__ = [
    "COUNT_COLUMNS",
    "EXACT",
    "OUTCOME_OPTIONS",
    "Batch",
    "CellSample",
    "Clusters",
    "Counts",
    "Figures",
    "Grid",
    "Horizon",
    "ManyTables",
    "Needs",
    "Outcome",
    "RateErrorBound",
    "Squares",
    "all_equal",
    "arrow_of",
    "as_clusters",
    "as_counts",
    "cell_sample",
    "check_two_classes",
    "device_pr_area",
    "empty_threshold",
    "extreme_tables",
    "grid_of",
    "hard_calls",
    "is_at_least",
    "joined_facts",
    "kernels_take",
    "make_clusters",
    "merge_runs",
    "mirrored",
    "mixed_sample",
    "next_lower",
    "no_class_weight",
    "outcome_from",
    "overlapping",
    "padded_counts",
    "parts_of",
    "placement_sums_of",
    "rate_error_bound",
    "read_outcome",
    "row_columns",
    "running_counts",
    "scored_table",
    "shared_ties",
    "squares_of_counts",
    "table_at_time",
    "with_empty",
    "with_infinity",
]
