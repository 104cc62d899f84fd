"""Deciding: which threshold to use, found on one set of data and judged on another."""

from thresher.decide._choose import best_points, choose_threshold
from thresher.decide._target import RULES, Target
from thresher.decide._threshold_interval import ThresholdInterval, threshold_interval
from thresher.decide._tune import Evaluation, Tuned, tune

__all__ = [
    "RULES",
    "Evaluation",
    "Target",
    "ThresholdInterval",
    "Tuned",
    "best_points",
    "choose_threshold",
    "threshold_interval",
    "tune",
]
