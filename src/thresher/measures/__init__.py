"""Measures: every figure with its options, by one vocabulary that the whole library, the command and the report share.

A measure is what `metric=` names. `thresher.measures.names()` lists them; each is an object too, so that options travel
with it.

>>> import thresher as th
>>> scores = th.Scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1])
>>> scores.measure("recall_at_fpr", fpr=0.5) == scores.measure(th.measures.RecallAtFpr(0.5))
True
"""

from thresher._curves import Curve
from thresher._inference.sampling import Influence
from thresher.measures._at_depth import Bedroc, EnrichmentFactor, PrecisionAtDepth, RecallAtDepth
from thresher.measures._confusion import Confusion, NetBenefit
from thresher.measures._estimate import Estimate
from thresher.measures._hull_measure import (
    Discrimination,
    EqualErrorRate,
    HMeasure,
    KolmogorovSmirnov,
    MinCllr,
    Miscalibration,
)
from thresher.measures._measure import Measure
from thresher.measures._measure import lacks as lacks
from thresher.measures._point_on_curve import FprAtRecall, PrecisionAtRecall, RecallAtFpr, RecallAtPrecision
from thresher.measures._pr_auc import ExpectedAveragePrecision, PrAuc
from thresher.measures._pr_auc import expected_average_precision as expected_average_precision
from thresher.measures._pr_estimators import PR_ESTIMATORS
from thresher.measures._pr_estimators import linear_area as linear_area
from thresher.measures._pr_estimators import pr_auc_value as pr_auc_value
from thresher.measures._registry import as_call as as_call
from thresher.measures._registry import as_measure, names
from thresher.measures._registry import takes as takes
from thresher.measures._roc_auc import Gini, PartialRocAuc, RocAuc
from thresher.measures._roc_auc import roc_auc_value as roc_auc_value
from thresher.measures._row_mean import Brier, Cllr, LogLoss
from thresher.measures._rows_function import RowsFunction

__all__ = [
    "PR_ESTIMATORS",
    "Bedroc",
    "Brier",
    "Cllr",
    "Confusion",
    "Discrimination",
    "EnrichmentFactor",
    "EqualErrorRate",
    "Estimate",
    "ExpectedAveragePrecision",
    "FprAtRecall",
    "Gini",
    "HMeasure",
    "Influence",
    "KolmogorovSmirnov",
    "LogLoss",
    "Measure",
    "MinCllr",
    "Miscalibration",
    "NetBenefit",
    "PartialRocAuc",
    "PrAuc",
    "PrecisionAtDepth",
    "PrecisionAtRecall",
    "RecallAtDepth",
    "RecallAtFpr",
    "RecallAtPrecision",
    "RocAuc",
    "RowsFunction",
    "as_measure",
    "names",
]

Curve.area_measures.update(roc_auc=RocAuc, pr_auc=PrAuc)
