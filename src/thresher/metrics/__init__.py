"""scikit-learn's ranking metrics and displays, name for name, on thresher's counting.

Signatures, defaults, return values, dtypes, warnings and errors are scikit-learn's; use it as a drop-in:

>>> import thresher.metrics as skm
>>> skm.roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75

Every other name of `sklearn.metrics` is passed through as it is, so that changing the import is enough:

>>> skm.f1_score([0, 1, 1], [0, 1, 1])
1.0

What thresher itself offers beyond these (intervals, interpolated areas, other prevalences) starts at `thresher.Scores`.
"""

from typing import Any

from thresher._core.checks import require

require("sklearn", extra="sklearn", purpose="`thresher.metrics`")

from thresher.metrics._area_scores import auc, average_precision_score, roc_auc_score  # noqa: E402  # after the check above
from thresher.metrics._curve_functions import (  # noqa: E402
    confusion_matrix_at_thresholds,
    det_curve,
    precision_recall_curve,
    roc_curve,
)
from thresher.metrics._displays import DetCurveDisplay, PrecisionRecallDisplay, RocCurveDisplay  # noqa: E402
from thresher.metrics._gains import dcg_score, ndcg_score  # noqa: E402
from thresher.metrics._labels import (  # noqa: E402
    coverage_error,
    label_ranking_average_precision_score,
    label_ranking_loss,
    top_k_accuracy_score,
)

__all__ = [
    "DetCurveDisplay",
    "PrecisionRecallDisplay",
    "RocCurveDisplay",
    "auc",
    "average_precision_score",
    "confusion_matrix_at_thresholds",
    "coverage_error",
    "dcg_score",
    "det_curve",
    "label_ranking_average_precision_score",
    "label_ranking_loss",
    "ndcg_score",
    "precision_recall_curve",
    "roc_auc_score",
    "roc_curve",
    "top_k_accuracy_score",
]


def __getattr__(name: str) -> Any:
    from sklearn import metrics

    if name in metrics.__all__:
        return getattr(metrics, name)
    raise AttributeError(f"module 'thresher.metrics' has no attribute {name!r}, nor has 'sklearn.metrics'")


def __dir__() -> list[str]:
    from sklearn import metrics

    return sorted({*__all__, *metrics.__all__})
