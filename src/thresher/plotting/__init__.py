"""Drawings of ROC and PR curves with matplotlib, which is imported when the first one is drawn."""

from thresher.plotting._linked import LinkedDisplay
from thresher.plotting._pr import PrCurveDisplay
from thresher.plotting._pr_gain import PrGainDisplay
from thresher.plotting._roc import RocCurveDisplay

__all__ = ["LinkedDisplay", "PrCurveDisplay", "PrGainDisplay", "RocCurveDisplay"]
