"""Whether scores are probabilities: proper scores, their decomposition, bands and tests."""

from thresher._inference.calibration.calibration import Calibration, calibration
from thresher._inference.calibration.calibration_tests import CalibrationTest
from thresher._inference.calibration.decomposition import Decomposition, NullMiscalibration
from thresher._inference.calibration.in_the_large import InTheLarge
from thresher._inference.calibration.logistic import LogisticCalibration, fit_logistic
from thresher._inference.calibration.miscalibration_limits import miscalibration_limits
from thresher._inference.calibration.murphy import MurphyCurve
from thresher._inference.calibration.proper_scores import ProperScore, as_score, best_and_constant, mean_score

__all__ = [
    "Calibration",
    "CalibrationTest",
    "Decomposition",
    "InTheLarge",
    "LogisticCalibration",
    "MurphyCurve",
    "NullMiscalibration",
    "ProperScore",
    "as_score",
    "best_and_constant",
    "calibration",
    "fit_logistic",
    "mean_score",
    "miscalibration_limits",
]
