"""All resampling: of counts, of rows, of groups."""

from thresher._inference.bootstrap import replicate_areas as replicate_areas
from thresher._inference.bootstrap.count_resampling import CountPlan, merge_runs
from thresher._inference.bootstrap.distribution import BootstrapDistribution, bootstrap_counts
from thresher._inference.bootstrap.from_rows import bootstrap_rows
from thresher._inference.bootstrap.measured import Measured
from thresher._inference.bootstrap.replicate_areas import Columns
from thresher._inference.bootstrap.resampling import Resampling
from thresher._inference.bootstrap.row_resampling import RowTable, Units, as_groups, make_units
from thresher._inference.bootstrap.table_draw import TableDraw

__all__ = [
    "BootstrapDistribution",
    "Columns",
    "CountPlan",
    "Measured",
    "Resampling",
    "RowTable",
    "TableDraw",
    "Units",
    "as_groups",
    "bootstrap_counts",
    "bootstrap_rows",
    "make_units",
    "merge_runs",
]
