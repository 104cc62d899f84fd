"""Deciding: which threshold to use, found on one set of data and judged on another."""

from thresher._decide.calibrator import CALIBRATORS, Calibrator
from thresher._decide.choose import best_points, choose, choose_threshold
from thresher._decide.chosen import Optimism
from thresher._decide.decision_curve import DecisionCurve, decision_curve
from thresher._decide.diagnostic_table import DiagnosticFigure, DiagnosticTable, diagnostic_table
from thresher._decide.guarantee import negatives_needed, positives_needed
from thresher._decide.hull_mix import can_mix
from thresher._decide.metric_curve import MetricCurve, MetricTable, metric_curve, metric_table
from thresher._decide.optimism import corrected_target
from thresher._decide.prevalence_estimate import PrevalenceEstimate, estimate_prevalence
from thresher._decide.promise import Promise, as_promise
from thresher._decide.target import Goal, Target, target_of
from thresher._decide.threshold_interval import ThresholdInterval, threshold_interval
from thresher._decide.tune import Evaluation, Tuned, tune, warn_shared

__all__ = [
    "CALIBRATORS",
    "Calibrator",
    "DecisionCurve",
    "DiagnosticFigure",
    "DiagnosticTable",
    "Evaluation",
    "Goal",
    "MetricCurve",
    "MetricTable",
    "Optimism",
    "PrevalenceEstimate",
    "Promise",
    "Target",
    "ThresholdInterval",
    "Tuned",
    "as_promise",
    "best_points",
    "can_mix",
    "choose",
    "choose_threshold",
    "corrected_target",
    "decision_curve",
    "diagnostic_table",
    "estimate_prevalence",
    "metric_curve",
    "metric_table",
    "negatives_needed",
    "positives_needed",
    "target_of",
    "threshold_interval",
    "tune",
    "warn_shared",
]
