"""Curves: the same list of confusion matrices, seen in different spaces."""

from thresher._curves.area_floors import (
    least_pr_area,
    mcclish,
    min_average_precision,
    min_pr_auc,
    pr_lower_bound,
)
from thresher._curves.calibration import (
    CalibrationBlock,
    CalibrationCurve,
    HullBlocks,
    check_probabilities,
    check_unit_range,
    hull_blocks,
)
from thresher._curves.calibration import block_values as block_values
from thresher._curves.calibration import blocks_of as blocks_of
from thresher._curves.calibration import calibration_curve as calibration_curve
from thresher._curves.calibration import listed_blocks as listed_blocks
from thresher._curves.calibration import odds_factor as odds_factor
from thresher._curves.calibration import shifted as shifted
from thresher._curves.curve import Curve
from thresher._curves.dominance import Crossing, Dominance, Region, dominates
from thresher._curves.guarantee import Guarantee
from thresher._curves.operating_point import Mix, OperatingPoint
from thresher._curves.other_views import (
    CostCurve,
    DetCurve,
    GainCurve,
    LiftCurve,
    PrGainCurve,
    cost_curve,
    det_curve,
    gain_curve,
    lift_curve,
    pr_gain_curve,
)
from thresher._curves.points import bracket_tp, counts_between
from thresher._curves.pr import AchievablePrCurve, PrCurve, achievable_pr, pr_curve, pr_function
from thresher._curves.roc import RocCurve, hull_counts, roc_curve

__all__ = [
    "AchievablePrCurve",
    "CalibrationBlock",
    "CalibrationCurve",
    "CostCurve",
    "Crossing",
    "Curve",
    "DetCurve",
    "Dominance",
    "GainCurve",
    "Guarantee",
    "HullBlocks",
    "LiftCurve",
    "Mix",
    "OperatingPoint",
    "PrCurve",
    "PrGainCurve",
    "Region",
    "RocCurve",
    "achievable_pr",
    "bracket_tp",
    "check_probabilities",
    "check_unit_range",
    "cost_curve",
    "counts_between",
    "det_curve",
    "dominates",
    "gain_curve",
    "hull_blocks",
    "hull_counts",
    "least_pr_area",
    "lift_curve",
    "mcclish",
    "min_average_precision",
    "min_pr_auc",
    "pr_curve",
    "pr_function",
    "pr_gain_curve",
    "pr_lower_bound",
    "roc_curve",
]
