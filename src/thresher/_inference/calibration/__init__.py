"""Whether scores are probabilities: proper scores, their decomposition, bands and tests."""

from thresher._inference.calibration.calibration import Calibration as Calibration
from thresher._inference.calibration.calibration import calibration as calibration
from thresher._inference.calibration.calibration_tests import CalibrationTest as CalibrationTest
from thresher._inference.calibration.decomposition import Decomposition as Decomposition
from thresher._inference.calibration.decomposition import NullMiscalibration as NullMiscalibration
from thresher._inference.calibration.decomposition import miscalibration_limits as miscalibration_limits
from thresher._inference.calibration.logistic import InTheLarge as InTheLarge
from thresher._inference.calibration.logistic import LogisticCalibration as LogisticCalibration
from thresher._inference.calibration.logistic import fit_logistic as fit_logistic
from thresher._inference.calibration.proper_scores import MurphyCurve as MurphyCurve
from thresher._inference.calibration.proper_scores import ProperScore as ProperScore
from thresher._inference.calibration.proper_scores import as_score as as_score
from thresher._inference.calibration.proper_scores import best_and_constant as best_and_constant
from thresher._inference.calibration.proper_scores import mean_score as mean_score
