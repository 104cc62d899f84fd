"""thresher at home in scikit-learn: scorers, cross-validated curves, and a classifier that plays an operating point.

>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.model_selection import GridSearchCV
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> from thresher.sklearn import achievable_pr_auc
>>> X, y = load_breast_cancer(return_X_y=True)
>>> model = make_pipeline(StandardScaler(), LogisticRegression())
>>> search = GridSearchCV(model, {"logisticregression__C": [0.01, 1.0]}, scoring=achievable_pr_auc, cv=3).fit(X, y)
>>> round(float(search.best_score_), 2)
1.0
"""

from thresher._core.optional import require

require("sklearn", extra="sklearn", purpose="`thresher.sklearn`")

from thresher.measures import expected_average_precision  # noqa: E402
from thresher.sklearn._achievable_classifier import AchievableClassifier  # noqa: E402  # after the check above
from thresher.sklearn._classes import hand_till_auc, label_scores, one_vs_rest  # noqa: E402
from thresher.sklearn._cross_val import CrossValScores, cross_val_scores  # noqa: E402
from thresher.sklearn._cross_val import counted_fold as counted_fold  # noqa: E402
from thresher.sklearn._cross_val_classes import cross_val_scores_by_class  # noqa: E402
from thresher.sklearn._cross_val_figures import CrossValDifference, CrossValEstimate  # noqa: E402
from thresher.sklearn._group_difference import GroupedDifference  # noqa: E402
from thresher.sklearn._group_gaps import Gap, GroupFigure, GroupGaps, GroupIntervals  # noqa: E402
from thresher.sklearn._groups import GroupedEstimate, by_group  # noqa: E402
from thresher.sklearn._nested_cross_val import NestedCrossVal, nested_cross_val  # noqa: E402
from thresher.sklearn._scorers import (  # noqa: E402
    SCORERS,
    achievable_pr_auc,
    average_precision,
    interpolated_pr_auc,
    lower_bound_scorer,
    metric_scorer,
    partial_roc_auc_scorer,
    precision_at_recall_scorer,
    roc_auc,
)
from thresher.sklearn._trec import RankedLists, read_trec  # noqa: E402

__all__ = [
    "SCORERS",
    "AchievableClassifier",
    "CrossValDifference",
    "CrossValEstimate",
    "CrossValScores",
    "Gap",
    "GroupFigure",
    "GroupGaps",
    "GroupIntervals",
    "GroupedDifference",
    "GroupedEstimate",
    "NestedCrossVal",
    "RankedLists",
    "achievable_pr_auc",
    "average_precision",
    "by_group",
    "cross_val_scores",
    "cross_val_scores_by_class",
    "expected_average_precision",
    "hand_till_auc",
    "interpolated_pr_auc",
    "label_scores",
    "lower_bound_scorer",
    "metric_scorer",
    "nested_cross_val",
    "one_vs_rest",
    "partial_roc_auc_scorer",
    "precision_at_recall_scorer",
    "read_trec",
    "roc_auc",
]
