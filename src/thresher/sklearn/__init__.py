"""For scikit-learn: scorers, cross-validated curves, and a classifier that predicts at a tuned operating point.

>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.model_selection import GridSearchCV
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import StandardScaler
>>> from thresher.sklearn import metric_scorer
>>> X, y = load_breast_cancer(return_X_y=True)
>>> model = make_pipeline(StandardScaler(), LogisticRegression())
>>> scorer = metric_scorer("achievable_pr_auc")
>>> search = GridSearchCV(model, {"logisticregression__C": [0.01, 1.0]}, scoring=scorer, cv=3).fit(X, y)
>>> round(float(search.best_score_), 2)
1.0
"""

from thresher._core.checks import require

require("sklearn", extra="sklearn", purpose="`thresher.sklearn`")

from thresher.measures import expected_average_precision  # noqa: E402
from thresher.sklearn._achievable_classifier import AchievableClassifier  # noqa: E402  # after the check above
from thresher.sklearn._cross_val import NestedCrossVal, cross_val_scores, cross_val_scores_by_class, nested_cross_val  # noqa: E402  # noqa: E402
from thresher.sklearn._cross_val import counted_fold as counted_fold  # noqa: E402
from thresher.sklearn._cross_val_figures import CrossValDifference, CrossValEstimate  # noqa: E402
from thresher.sklearn._cross_val_result import CrossValScores  # noqa: E402
from thresher.sklearn._scorers import SCORERS, metric_scorer  # noqa: E402

__all__ = [
    "SCORERS",
    "AchievableClassifier",
    "CrossValDifference",
    "CrossValEstimate",
    "CrossValScores",
    "NestedCrossVal",
    "cross_val_scores",
    "cross_val_scores_by_class",
    "expected_average_precision",
    "metric_scorer",
    "nested_cross_val",
]
