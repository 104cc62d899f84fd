"""Intervals, bands and tests: kernels on counts, and the public functions that need published figures only."""

from thresher._inference.bands.curve_band import CurveBand, pr_band, roc_band
from thresher._inference.bands.pr_gain import pr_gain_band, pr_gain_interval
from thresher._inference.bootstrap.distribution import BootstrapDistribution
from thresher._inference.calibration import (
    Calibration,
    CalibrationTest,
    Decomposition,
    InTheLarge,
    LogisticCalibration,
    MurphyCurve,
    NullMiscalibration,
    calibration,
)
from thresher._inference.cortes_mohri.auc_moments import AucMoments, auc_moments
from thresher._inference.cortes_mohri.error_count_interval import CortesMohriInterval, cortes_mohri
from thresher._inference.delong.published import roc_auc_interval
from thresher._inference.interval import ConfidenceInterval, clipped, normal_quantile
from thresher._inference.rates.likelihood_ratios import CutOffFigure
from thresher._inference.rates.proportion import (
    PROPORTION_METHODS,
    RATES,
    ProportionInterval,
    proportion_interval,
    rate_interval,
)

__all__ = [
    "PROPORTION_METHODS",
    "RATES",
    "AucMoments",
    "BootstrapDistribution",
    "Calibration",
    "CalibrationTest",
    "ConfidenceInterval",
    "CortesMohriInterval",
    "CurveBand",
    "CutOffFigure",
    "Decomposition",
    "InTheLarge",
    "LogisticCalibration",
    "MurphyCurve",
    "NullMiscalibration",
    "ProportionInterval",
    "auc_moments",
    "calibration",
    "clipped",
    "cortes_mohri",
    "normal_quantile",
    "pr_band",
    "pr_gain_band",
    "pr_gain_interval",
    "proportion_interval",
    "rate_interval",
    "roc_auc_interval",
    "roc_band",
]
