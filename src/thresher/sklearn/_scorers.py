"""Scorers for scikit-learn's searches and cross-validation, and the scores of the positive class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import make_scorer
from sklearn.utils import _safe_indexing
from sklearn.utils._response import _get_response_values_binary
from sklearn.utils.validation import _check_method_params

from thresher._classes import multiclass
from thresher._core.checks import check_confidence_level, show, warn
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Measure, as_measure
from thresher.typing import ArrayLike

_BY_RANK = ("decision_function", "predict_proba")
_BY_VALUE = ("predict_proba", "decision_function")


def metric_value(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    measure: Measure,
    confidence_level: float | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return a measure of labels and scores, or its confidence bound: the function behind every scorer.

    Losses are negated, so that larger is better. Labels other than 0 and 1, False and True, or -1 and 1 need a
    `pos_label`. For several classes the result is the mean over classes, each against the rest.
    """
    if np.ndim(y_score) == 2:
        problem = multiclass(y_true, y_score, sample_weight=sample_weight)
        return float(np.mean([_worth(problem.scores(one), measure, confidence_level) for one in problem.labels]))
    labels = np.asarray(y_true)
    found = np.unique(labels)
    if found.size > 2 or (found.size < 2 and measure.classes == "both"):
        raise UndefinedMetricError(
            f"`{measure.title}` needs two classes; got {found.size}: {found.tolist()[:5]}. "
            "Hint: use a stratified splitter, so that every fold holds both."
        )
    if found.size == 2:
        remedy = f"make the scorer by `metric_scorer({measure.title!r}, ...)` with {{}}"
        pos_label = positive_class(found, pos_label, remedy=remedy)
    elif pos_label is None:
        pos_label = 1
    values = np.asarray(y_score)
    if measure.cut is not None and values.size and (values.min() < 0.0 or values.max() > 1.0):
        warn(
            f"`{measure.described()}` is applied to scores outside [0, 1], such as those of `decision_function`. "
            "Hint: pass `response_method='predict_proba'`, or a threshold on the scale of the decision function."
        )
    return _worth(Scores(labels == pos_label, values, sample_weight=sample_weight), measure, confidence_level)


def _worth(scores: Scores, measure: Measure, confidence_level: float | None) -> float:
    """Return the value, or its less favourable confidence bound; of losses minus it."""
    estimate = measure.estimate(scores)
    if confidence_level is None:
        return measure.sign * estimate.value
    # A one-sided bound is the limit of the two-sided interval that leaves as much out on that side.
    low, high = estimate.confidence_interval(2 * confidence_level - 1)
    return float(low if measure.better == "higher" else -high)


def metric_scorer(
    metric: str | Measure,
    *,
    confidence_level: float | None = None,
    response_method: str | list[str] | tuple[str, ...] | None = None,
    pos_label: Any = None,
    **options: Any,
) -> Any:
    """Return a scorer for `GridSearchCV`, `cross_validate` and the like.

    Parameters
    ----------
    metric : str or Measure
        What to score by: a name of `thresher.measures.names()`, or an object of `thresher.measures`. Of losses the
        scorer returns the negative value, since scikit-learn maximises.
    confidence_level : float in (0.5, 1), optional
        Score by the less favourable confidence bound at this one-sided level instead of the value, so that a small
        fold or few positives count against a model.
    response_method : str or list of str, optional
        The method of the estimator, or several of which the first that it has is taken, as in scikit-learn. By default
        probabilities come first for measures that look at the values of scores or at a threshold, and
        ``decision_function`` for those that look at ranks.
    pos_label : object, optional
        The positive class; needed unless the classes are 0 and 1, False and True, or -1 and 1.
    **options
        Options of the measure, such as `recall`, `threshold` or `prevalence`.

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
    >>> metric_scorer("brier")(model, X, y) < 0
    True
    """
    measure = as_measure(metric, **options)
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
    if response_method is None:
        usual = {"scores": ("predict_proba",), "threshold": _BY_VALUE}.get(measure.needs, _BY_RANK)
        return make_scorer(metric_value, response_method=usual, **chosen)
    return make_scorer(metric_value, response_method=response_method, **chosen)


SCORERS = {
    ("neg_" if as_measure(name).better == "lower" else "") + name: metric_scorer(name)
    for name in (
        "roc_auc",
        "pr_auc",
        "achievable_pr_auc",
        "average_precision",
        "brier",
        "log_loss",
        "cllr",
        "min_cllr",
        "eer",
        "kolmogorov_smirnov",
        "h_measure",
    )
}
"""The scorers that need no options, by name: ``cross_validate(..., scoring=SCORERS)`` takes all of them."""


METHODS = ("auto", "predict_proba", "decision_function")

SECOND = "classes_[1]"
"""A `pos_label` that asks for what scikit-learn takes by default: of two classes the one that sorts last."""


def positive_class(classes: Any, pos_label: Any = None, *, remedy: str = "pass {}") -> Any:
    """Return which of two classes is positive: the one named, or the 1 or True of classes that are numbers of old."""
    found = np.asarray(classes).tolist()
    if pos_label is not None:
        if pos_label not in found:
            raise InvalidInputError(
                f"`pos_label` must be one of the classes; got {show(pos_label)}. Hint: they are {show(found)}."
            )
        return pos_label
    if found in ([0, 1], [-1, 1]):
        return classes[1]
    said = " or ".join(f"`pos_label={label!r}`" for label in found[:2])
    raise InvalidInputError(
        "The positive class must be named unless the classes are 0 and 1, False and True, or -1 and 1; got the classes "
        f"{show(found)}. Hint: {remedy.format(said)}."
    )


def response_methods(name: str) -> list[str]:
    """Return the methods to try, first things first."""
    return ["predict_proba", "decision_function"] if name == "auto" else [name]


def positive_scores(estimator: Any, X: Any, *, method: str = "auto", pos_label: Any = None) -> tuple[NDArray[Any], Any]:
    """Return scores of the positive class, larger meaning more positive, and that class."""
    classes = getattr(estimator, "classes_", None)
    if pos_label is None and classes is not None and len(classes) == 2:
        pos_label = positive_class(classes)
    scores, label = _get_response_values_binary(estimator, X, response_methods(method), pos_label=pos_label)
    return np.asarray(scores), label


def fitted_on(model: Any, X: Any, y: Any, params: dict[str, Any], rows: Any) -> Any:
    """Return the model fitted to some rows, with those rows of every column among the parameters."""
    own = _check_method_params(X, params, indices=rows)
    return model.fit(_safe_indexing(X, rows), _safe_indexing(y, rows), **own)
