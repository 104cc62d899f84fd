"""Scorers, so that a search can select by what the 2006 paper says to: the area under the achievable PR curve."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.metrics import make_scorer

from thresher._core.checks import check_confidence_level
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Measure, PartialRocAuc, as_measure
from thresher.sklearn._classes import one_vs_rest
from thresher.sklearn._response import positive_class
from thresher.typing import ArrayLike

__all__ = [
    "SCORERS",
    "achievable_pr_auc",
    "average_precision",
    "interpolated_pr_auc",
    "lower_bound_scorer",
    "metric_scorer",
    "metric_value",
    "partial_roc_auc_scorer",
    "precision_at_recall_scorer",
    "roc_auc",
]

_RESPONSES = ("decision_function", "predict_proba")


def metric_value(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    measure: Measure,
    confidence_level: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return a measure of labels and scores, or its lower confidence bound: the function behind every scorer.

    Labels other than 0 and 1, False and True, or -1 and 1 need a `pos_label`. For several classes the result is the
    mean over classes, each against the rest.
    """
    if np.ndim(y_score) == 2:
        per_class = one_vs_rest(y_true, y_score, sample_weight=sample_weight)
        return float(np.mean([_of_scores(scores, measure, confidence_level) for scores in per_class.values()]))
    labels = np.asarray(y_true)
    found = np.unique(labels)
    if found.size != 2:
        raise UndefinedMetricError(
            f"`{measure.title}` needs two classes; got {found.size}: {found.tolist()[:5]}. "
            "Hint: use a stratified splitter, so that every fold holds both."
        )
    remedy = f"make the scorer by `metric_scorer({measure.title!r}, ...)` with {{}}"
    pos_label = positive_class(found, pos_label, remedy=remedy)
    scores = Scores(labels == pos_label, y_score, sample_weight=sample_weight)
    return _of_scores(scores, measure, confidence_level)


def _of_scores(scores: Scores, measure: Measure, confidence_level: float | None) -> float:
    estimate = measure.estimate(scores)
    if confidence_level is None:
        return estimate.value
    # A one-sided bound is the lower end of the two-sided interval that leaves as much out on that side.
    return float(estimate.confidence_interval(2 * confidence_level - 1, method=measure.separated).low)


def metric_scorer(
    metric: str | Measure,
    *,
    confidence_level: float | None = None,
    pos_label: Any = None,
    **options: Any,
) -> Any:
    """Return a scorer for `GridSearchCV`, `cross_validate` and the like.

    Parameters
    ----------
    metric : str or Measure
        What to score by: a name of `thresher.measures.names()`, or an object of `thresher.measures`.
    confidence_level : float in (0.5, 1), optional
        Score by the lower confidence bound at this one-sided level instead of the value, so that a small fold or few
        positives count against a model.
    pos_label : object, optional
        The positive class; needed unless the classes are 0 and 1, False and True, or -1 and 1.
    **options
        Options of the measure, such as `recall` or `prevalence`. Partial areas are standardised.

    Returns
    -------
    scorer
        A scikit-learn scorer; it takes ``sample_weight`` by metadata routing.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from thresher.sklearn import metric_scorer
    >>> X, y = make_classification(random_state=0)
    >>> model = LogisticRegression().fit(X, y)
    >>> value = metric_scorer("roc_auc")(model, X, y)
    >>> metric_scorer("roc_auc", confidence_level=0.95)(model, X, y) < value
    True
    """
    measure = as_measure(metric, **options)
    if isinstance(measure, PartialRocAuc) and not isinstance(metric, Measure):
        measure = replace(measure, standardize=True)
    chosen: dict[str, Any] = {"measure": measure}
    if confidence_level is not None:
        level = check_confidence_level(confidence_level)
        if level <= 0.5:
            raise InvalidInputError(
                f"`confidence_level` must be in (0.5, 1) for a one-sided bound; got {level!r}. Hint: 0.95."
            )
        chosen["confidence_level"] = level
    if pos_label is not None:
        chosen["pos_label"] = pos_label
    return make_scorer(metric_value, response_method=_RESPONSES, **chosen)


def partial_roc_auc_scorer(fpr: tuple[float, float], *, pos_label: Any = None) -> Any:
    """Return a scorer by the standardised area over a range of false positive rates.

    Examples
    --------
    >>> from thresher.sklearn import partial_roc_auc_scorer
    >>> scorer = partial_roc_auc_scorer((0.0, 0.1))
    """
    return metric_scorer("partial_roc_auc", fpr=fpr, pos_label=pos_label)


def precision_at_recall_scorer(recall: float, *, prevalence: float | None = None, pos_label: Any = None) -> Any:
    """Return a scorer by the precision at a recall, interpolated as mixing thresholds achieves it.

    Examples
    --------
    >>> from thresher.sklearn import precision_at_recall_scorer
    >>> scorer = precision_at_recall_scorer(0.9)
    """
    return metric_scorer("precision_at_recall", recall=recall, prevalence=prevalence, pos_label=pos_label)


def lower_bound_scorer(
    metric: str | Measure,
    *,
    confidence_level: float = 0.95,
    pos_label: Any = None,
    **options: Any,
) -> Any:
    """Return a scorer by the one-sided lower confidence bound of a metric.

    Parameters
    ----------
    metric : str or Measure
        As in `metric_scorer`.
    confidence_level : float, default=0.95
        In (0.5, 1).
    pos_label : object, optional
        As in `metric_scorer`.
    **options
        Options of the measure.

    Returns
    -------
    scorer

    Notes
    -----
    For the ROC area Newcombe's interval is used, which has length even when the classes do not overlap.

    Examples
    --------
    >>> from thresher.sklearn import lower_bound_scorer
    >>> scorer = lower_bound_scorer("interpolated_pr_auc", confidence_level=0.9)
    """
    return metric_scorer(metric, confidence_level=confidence_level, pos_label=pos_label, **options)


roc_auc = metric_scorer("roc_auc")
"""Scorer: the area under the ROC curve, correctly rounded."""

interpolated_pr_auc = metric_scorer("interpolated_pr_auc")
"""Scorer: the area under the precision-recall curve, interpolated as the 2006 paper prescribes."""

achievable_pr_auc = metric_scorer("achievable_pr_auc")
"""Scorer: the area under the achievable PR curve, by which section 5 of the 2006 paper says to score classifiers."""

average_precision = metric_scorer("average_precision")
"""Scorer: average precision."""

SCORERS = {
    "roc_auc": roc_auc,
    "interpolated_pr_auc": interpolated_pr_auc,
    "achievable_pr_auc": achievable_pr_auc,
    "average_precision": average_precision,
}
"""The scorers that need no arguments, by name: ``cross_validate(..., scoring=SCORERS)`` takes all of them."""
