"""All resampling: of counts, of rows, of groups."""

from thresher._inference.bootstrap import replicate_areas as replicate_areas
from thresher._inference.bootstrap.adverse import adverse_limits, cells_of
from thresher._inference.bootstrap.count_resampling import CountPlan, Plan, merge_runs
from thresher._inference.bootstrap.distribution import (
    BootstrapDistribution,
    bootstrap_counts,
    bootstrap_table,
    plan_of,
)
from thresher._inference.bootstrap.from_rows import bootstrap_rows
from thresher._inference.bootstrap.measured import Measured
from thresher._inference.bootstrap.replicate_areas import Columns
from thresher._inference.bootstrap.resampling import Resampling
from thresher._inference.bootstrap.row_resampling import RowTable, Units, as_groups, make_units
from thresher._inference.bootstrap.table_draw import TableDraw
from thresher._inference.bootstrap.weighted_draw import draw_of

__all__ = [
    "BootstrapDistribution",
    "Columns",
    "CountPlan",
    "Measured",
    "Plan",
    "Resampling",
    "RowTable",
    "TableDraw",
    "Units",
    "adverse_limits",
    "as_groups",
    "bootstrap_counts",
    "bootstrap_rows",
    "bootstrap_table",
    "cells_of",
    "draw_of",
    "make_units",
    "merge_runs",
    "plan_of",
]
