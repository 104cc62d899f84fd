"""The bootstrap of a measure, from tables and from rows."""

from thresher._inference.bootstrap import replicate_areas as replicate_areas
from thresher._inference.bootstrap.adverse import Figure, adverse_limits, cells_of
from thresher._inference.bootstrap.cost import PATIENCE, resampling_seconds
from thresher._inference.bootstrap.distribution import (
    BootstrapDistribution,
    bootstrap_table,
    classes_apart,
    draws_of,
    outer_quantiles,
    table_for,
)
from thresher._inference.bootstrap.from_rows import bootstrap_rows
from thresher._inference.bootstrap.replicate_areas import Columns
from thresher._inference.bootstrap.resampling import Resampling
from thresher._inference.bootstrap.unit_adverse import (
    FEW_UNITS,
    censored_adverse_limits,
    clustered_adverse_limits,
    needs_adverse,
)

__all__ = [
    "FEW_UNITS",
    "PATIENCE",
    "BootstrapDistribution",
    "Columns",
    "Figure",
    "Resampling",
    "adverse_limits",
    "bootstrap_rows",
    "bootstrap_table",
    "cells_of",
    "censored_adverse_limits",
    "classes_apart",
    "clustered_adverse_limits",
    "draws_of",
    "needs_adverse",
    "outer_quantiles",
    "resampling_seconds",
    "table_for",
]
