"""Deciding: which threshold to use, found on one set of data and judged on another."""

from thresher._decide.choose import best_points, choose, choose_threshold
from thresher._decide.optimism import corrected_target
from thresher._decide.target import RULES, Target
from thresher._decide.threshold_interval import ThresholdInterval, threshold_interval
from thresher._decide.tune import Evaluation, Tuned, tune, warn_shared

__all__ = [
    "RULES",
    "Evaluation",
    "Target",
    "ThresholdInterval",
    "Tuned",
    "best_points",
    "choose",
    "choose_threshold",
    "corrected_target",
    "threshold_interval",
    "tune",
    "warn_shared",
]
