"""Intervals, bands and tests: kernels on counts, and the public functions that need published figures only."""

from thresher.inference._auc_moments import AucMoments, auc_moments
from thresher.inference._bands import CurveBand, pr_band, roc_band
from thresher.inference._bootstrap import BootstrapDistribution
from thresher.inference._bootstrap_rows import bootstrap
from thresher.inference._cortes_mohri import CortesMohriInterval, cortes_mohri
from thresher.inference._interval import ConfidenceInterval
from thresher.inference._pr_gain import pr_gain_band, pr_gain_interval
from thresher.inference._proportion import ProportionInterval, proportion_interval
from thresher.inference._rates import rate_interval
from thresher.inference._summary import roc_auc_interval

__all__ = [
    "AucMoments",
    "BootstrapDistribution",
    "ConfidenceInterval",
    "CortesMohriInterval",
    "CurveBand",
    "ProportionInterval",
    "auc_moments",
    "bootstrap",
    "cortes_mohri",
    "pr_band",
    "pr_gain_band",
    "pr_gain_interval",
    "proportion_interval",
    "rate_interval",
    "roc_auc_interval",
    "roc_band",
]
