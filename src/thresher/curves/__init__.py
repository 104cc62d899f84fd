"""Curves: the same list of confusion matrices, seen in different spaces."""

from thresher.curves._achievable import AchievablePrCurve, achievable_pr
from thresher.curves._bounds import min_average_precision, min_pr_auc, pr_lower_bound
from thresher.curves._curve import Curve
from thresher.curves._dominance import Crossing, Dominance, Region, dominates
from thresher.curves._function import PrPoints, pr_function, pr_points
from thresher.curves._points import Mix, OperatingPoint
from thresher.curves._pr import PrCurve, pr_curve
from thresher.curves._roc import RocCurve, roc_curve
from thresher.curves._views import (
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

__all__ = [
    "AchievablePrCurve",
    "CostCurve",
    "Crossing",
    "Curve",
    "DetCurve",
    "Dominance",
    "GainCurve",
    "LiftCurve",
    "Mix",
    "OperatingPoint",
    "PrCurve",
    "PrGainCurve",
    "PrPoints",
    "Region",
    "RocCurve",
    "achievable_pr",
    "cost_curve",
    "det_curve",
    "dominates",
    "gain_curve",
    "lift_curve",
    "min_average_precision",
    "min_pr_auc",
    "pr_curve",
    "pr_function",
    "pr_gain_curve",
    "pr_lower_bound",
    "pr_points",
    "roc_curve",
]
