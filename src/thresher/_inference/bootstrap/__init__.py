"""The bootstrap of a measure, from tables and from rows."""

from thresher._inference.bootstrap import replicate_areas as replicate_areas
from thresher._inference.bootstrap.adverse import Figure as Figure
from thresher._inference.bootstrap.adverse import adverse_limits as adverse_limits
from thresher._inference.bootstrap.adverse import cells_of as cells_of
from thresher._inference.bootstrap.distribution import BootstrapDistribution as BootstrapDistribution
from thresher._inference.bootstrap.distribution import bootstrap_rows as bootstrap_rows
from thresher._inference.bootstrap.distribution import bootstrap_table as bootstrap_table
from thresher._inference.bootstrap.distribution import outer_quantiles as outer_quantiles
from thresher._inference.bootstrap.resampling import PATIENCE as PATIENCE
from thresher._inference.bootstrap.resampling import Resampling as Resampling
from thresher._inference.bootstrap.resampling import classes_apart as classes_apart
from thresher._inference.bootstrap.resampling import draws_of as draws_of
from thresher._inference.bootstrap.resampling import resampling_seconds as resampling_seconds
from thresher._inference.bootstrap.resampling import table_for as table_for
from thresher._inference.bootstrap.unit_adverse import FEW_UNITS as FEW_UNITS
from thresher._inference.bootstrap.unit_adverse import censored_adverse_limits as censored_adverse_limits
from thresher._inference.bootstrap.unit_adverse import clustered_adverse_limits as clustered_adverse_limits
from thresher._inference.bootstrap.unit_adverse import needs_adverse as needs_adverse
