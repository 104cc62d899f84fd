"""Intervals, bands and tests: kernels on counts, and the public functions that need published figures only."""

from thresher._inference.auc_moments import AucMoments as AucMoments
from thresher._inference.auc_moments import auc_moments as auc_moments
from thresher._inference.bands.curve_band import pr_band as pr_band
from thresher._inference.bands.curve_band import pr_gain_band as pr_gain_band
from thresher._inference.bands.curve_band import pr_gain_interval as pr_gain_interval
from thresher._inference.bands.curve_band import roc_band as roc_band
from thresher._inference.bootstrap.distribution import BootstrapDistribution as BootstrapDistribution
from thresher._inference.calibration import Calibration as Calibration
from thresher._inference.calibration import CalibrationTest as CalibrationTest
from thresher._inference.calibration import Decomposition as Decomposition
from thresher._inference.calibration import InTheLarge as InTheLarge
from thresher._inference.calibration import LogisticCalibration as LogisticCalibration
from thresher._inference.calibration import MurphyCurve as MurphyCurve
from thresher._inference.calibration import NullMiscalibration as NullMiscalibration
from thresher._inference.calibration import calibration as calibration
from thresher._inference.cortes_mohri import CortesMohriInterval as CortesMohriInterval
from thresher._inference.cortes_mohri import cortes_mohri as cortes_mohri
from thresher._inference.delong.published import roc_auc_interval as roc_auc_interval
from thresher._inference.interval import ConfidenceInterval as ConfidenceInterval
from thresher._inference.interval import CurveBand as CurveBand
from thresher._inference.interval import clipped as clipped
from thresher._inference.interval import normal_quantile as normal_quantile
from thresher._inference.rates.proportion import ProportionInterval as ProportionInterval
from thresher._inference.rates.proportion import proportion_interval as proportion_interval
from thresher._inference.rates.proportion import rate_interval as rate_interval
from thresher._inference.rates.two_rates import CutOffFigure as CutOffFigure
