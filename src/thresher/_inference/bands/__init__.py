"""Bands around whole curves."""

from thresher._inference.bands.net_benefit_band import max_t_band as max_t_band
from thresher._inference.bands.net_benefit_band import rate_bounds as rate_bounds
from thresher._inference.bands.net_benefit_band import rectangle_band as rectangle_band
