"""Drawings with matplotlib, which is imported when the first one is drawn."""

from thresher.plotting._calibration import CalibrationDisplay, MurphyDisplay
from thresher.plotting._classes import ClassesDisplay
from thresher.plotting._linked import LinkedDisplay
from thresher.plotting._pr import PrCurveDisplay
from thresher.plotting._readers import ReadersDisplay
from thresher.plotting._roc import RocCurveDisplay
from thresher.plotting._values import ForestDisplay, MetricCurveDisplay, OverTimeDisplay
from thresher.plotting._views import (
    CostCurveDisplay,
    DecisionCurveDisplay,
    DetCurveDisplay,
    GainCurveDisplay,
    LiftCurveDisplay,
    PrGainDisplay,
)

__all__ = [
    "CalibrationDisplay",
    "ClassesDisplay",
    "CostCurveDisplay",
    "DecisionCurveDisplay",
    "DetCurveDisplay",
    "ForestDisplay",
    "GainCurveDisplay",
    "LiftCurveDisplay",
    "LinkedDisplay",
    "MetricCurveDisplay",
    "MurphyDisplay",
    "OverTimeDisplay",
    "PrCurveDisplay",
    "PrGainDisplay",
    "ReadersDisplay",
    "RocCurveDisplay",
]
