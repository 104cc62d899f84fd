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

__all__ = [
    "PATIENCE",
    "BootstrapDistribution",
    "Columns",
    "Figure",
    "Resampling",
    "adverse_limits",
    "bootstrap_rows",
    "bootstrap_table",
    "cells_of",
    "classes_apart",
    "draws_of",
    "outer_quantiles",
    "resampling_seconds",
    "table_for",
]
