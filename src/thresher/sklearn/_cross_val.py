"""Cross-validation that counts the scores of every part left out, and nested cross-validation of a method."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils._response import _get_response_values
from sklearn.utils.parallel import Parallel, delayed

from thresher._core.checks import check_choice, check_confidence_level, check_count
from thresher._core.digits import beside_interval
from thresher._core.presented import Presented, Row
from thresher._core.random_streams import random_generator
from thresher._core.result_bases import Numeric
from thresher._core.shared_docs import with_texts
from thresher._core.values import value
from thresher._facade import Scores
from thresher._inference import ConfidenceInterval
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, as_measure
from thresher.sklearn._cross_val_figures import DATA_TEXT, FoldRows, interval_of_mean
from thresher.sklearn._cross_val_result import CrossValScores
from thresher.sklearn._scorers import METHODS, fitted_on, positive_class, positive_scores, response_methods
from thresher.typing import ArrayLike


@with_texts(data=DATA_TEXT)
def cross_val_scores(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    groups: Any = None,
    sample_weight: ArrayLike | None = None,
    response_method: str = "auto",
    pos_label: Any = None,
    params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
) -> CrossValScores:
    """Fit on each training part and count the scores of each part left out.

    Parameters
    ----------
    estimator : estimator
        A binary classifier with `predict_proba` or `decision_function`; it is cloned.
    X : array-like of shape (n, n_features)
        Rows.
    y : array-like of shape (n,)
        Labels of two classes.
    cv : int, splitter or iterable, optional
        5 stratified folds by default.
    groups : array-like of shape (n,), optional
        For splitters that keep groups together.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows in the counts; give them to `params` too if the estimator is to use them.
    response_method : {"auto", "predict_proba", "decision_function"}
        Where scores come from.
    pos_label : object, optional
        The positive class; needed unless the classes are 0 and 1, False and True, or -1 and 1.
    params : dict, optional
        For the estimator's `fit`; columns of n values are split with the rows.
    n_jobs : int, optional
        Folds at a time.

    Returns
    -------
    CrossValScores

    Examples
    --------
    {data}
    >>> result = cross_val_scores(GaussianNB(), X, y, cv=5)
    >>> result
    CrossValScores: 5 folds, 357 positives, 212 negatives
    >>> result.roc_auc().value in result.roc_auc().confidence_interval()
    True
    """
    method = check_choice(response_method, "response_method", METHODS)
    X, y, groups = indexable(X, y, groups)
    classes = np.unique(np.asarray(y))
    if pos_label is None and classes.size == 2:
        pos_label = positive_class(classes)  # before anything is fitted
    splits = check_cv(cv, y, classifier=True).split(X, y, groups)
    parts = _parts(_fold, estimator, X, y, splits, params, sample_weight, method, pos_label, n_jobs=n_jobs)
    return CrossValScores(tuple(rows.counted() for rows, _ in parts), parts[0][1], tuple(rows for rows, _ in parts))


def _parts(work: Any, estimator: Any, X: Any, y: Any, splits: Any, params: Any, *how: Any, n_jobs: Any) -> list[Any]:
    """Return what is done with each split and an estimator of its own."""
    done: list[Any] = Parallel(n_jobs=n_jobs)(
        delayed(work)(clone(estimator), X, y, split, params or {}, *how) for split in splits
    )
    return done


def _fold(
    model: Any, X: Any, y: Any, split: Any, params: dict[str, Any], weight: Any, method: str, pos_label: Any
) -> tuple[FoldRows, Any]:
    """Return the rows left out with their scores by a model fitted to the others, and the positive class."""
    train, test = split
    fitted_on(model, X, y, params, train)
    rows, label = _scored(model, X, y, test, weight, method, pos_label)
    return replace(rows, n_train=int(np.arange(len(y))[train].size)), label


def _scored(model: Any, X: Any, y: Any, test: Any, weight: Any, method: str, pos_label: Any) -> tuple[FoldRows, Any]:
    scores, label = positive_scores(model, _safe_indexing(X, test), method=method, pos_label=pos_label)
    own = None if weight is None else np.asarray(_safe_indexing(weight, test))
    rows = np.arange(len(y))[test]
    return FoldRows(rows, np.asarray(_safe_indexing(y, test)) == label, scores, own), label


def counted_fold(model: Any, X: Any, y: Any, test: Any, weight: Any, method: str, pos_label: Any) -> tuple[Scores, Any]:
    """Return the Scores of the rows left out, by a fitted model, and the positive class."""
    rows, label = _scored(model, X, y, test, weight, method, pos_label)
    return rows.counted(), label


def cross_val_scores_by_class(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = None,
    groups: Any = None,
    sample_weight: ArrayLike | None = None,
    response_method: str = "auto",
    params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
) -> dict[Any, CrossValScores]:
    """Fit on each training part and count the scores of each class against the rest in each part left out.

    Parameters
    ----------
    estimator : estimator
        A classifier of three classes or more, with a column of scores for each; it is cloned.
    X, y, cv, groups, sample_weight, response_method, params, n_jobs
        As in `cross_val_scores`; every training part must hold every class.

    Returns
    -------
    dict
        The `CrossValScores` of each class, in the order of the classes.

    See Also
    --------
    thresher.multiclass : The same for scores that are there already.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from thresher.sklearn import cross_val_scores_by_class
    >>> X, y = load_wine(return_X_y=True)
    >>> found = cross_val_scores_by_class(GaussianNB(), X[:, :2], y, cv=5)
    >>> {label: round(scores.roc_auc(), 2) for label, scores in found.items()}
    {0: 0.89, 1: 0.92, 2: 0.86}
    """
    method = check_choice(response_method, "response_method", METHODS)
    X, y, groups = indexable(X, y, groups)
    classes = np.unique(np.asarray(y))
    if classes.size < 3:
        raise InvalidInputError(
            f"`y` must have three classes or more; got {classes.size}. Hint: two are for `cross_val_scores`."
        )
    splits = check_cv(cv, y, classifier=True).split(X, y, groups)
    parts = _parts(_class_fold, estimator, X, y, splits, params, sample_weight, method, classes, n_jobs=n_jobs)
    out = {}
    for label in classes.tolist():
        rows = tuple(part[label] for part in parts)
        out[label] = CrossValScores(tuple(one.counted() for one in rows), label, rows)
    return out


def _class_fold(
    model: Any, X: Any, y: Any, split: Any, params: dict[str, Any], weight: Any, method: str, classes: Any
) -> dict[Any, FoldRows]:
    train, test = split
    fitted_on(model, X, y, params, train)
    scores, _ = _get_response_values(model, _safe_indexing(X, test), response_methods(method))[:2]
    matrix = np.asarray(scores)
    if not np.array_equal(model.classes_, classes) or matrix.ndim != 2 or matrix.shape[1] != classes.size:
        raise InvalidInputError(
            f"Every training part must hold every class; one has {len(model.classes_)} of {classes.size}. "
            "Hint: use a stratified splitter."
        )
    labels = np.asarray(_safe_indexing(y, test))
    own = None if weight is None else np.asarray(_safe_indexing(weight, test))
    return {
        label: FoldRows(np.asarray(test), labels == label, matrix[:, j], own)
        for j, label in enumerate(classes.tolist())
    }


_FOUND = """
>>> from sklearn.datasets import load_breast_cancer
>>> from sklearn.naive_bayes import GaussianNB
>>> from thresher.sklearn import nested_cross_val
>>> X, y = load_breast_cancer(return_X_y=True)
>>> found = nested_cross_val(GaussianNB(), X[:100, :3], y[:100], n_repeats=3, rng=0, pos_label=1)"""


@with_texts(found=_FOUND)
@value(repr=False)
class NestedCrossVal(Numeric, Presented):
    """The metric of a method, corrected for bias, with a standard error that accounts for shared training rows.

    Attributes
    ----------
    value : float
        The metric of the method, corrected for training parts that are smaller than the data.
    standard_error : float
        Of the value: that of one cross-validation times the inflation.
    inflation : float
        By how much the standard error of one cross-validation is too small, at least 1 and at most the root of the
        number of folds.
    naive_value, naive_standard_error : float
        The mean over folds, and the standard error that one cross-validation would give.
    metric : str
        What was computed.
    n_splits, n_repeats : int
        How often the rows were split.

    Examples
    --------
    {found}
    >>> found.standard_error >= found.naive_standard_error
    True
    """

    value: float
    standard_error: float
    inflation: float
    naive_value: float
    naive_standard_error: float
    metric: str
    n_splits: int
    n_repeats: int

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return an interval, inside [0, 1], for the metric of models that the method fits to data of this size.

        Examples
        --------
        {found}
        >>> found.value in found.confidence_interval(0.9)
        True
        """
        level = check_confidence_level(confidence_level)
        names = ("nested-cross-validation",) * 2
        return interval_of_mean(self.value, self.standard_error, level, (0.0, 1.0), names)

    def _facts(self) -> Row:
        low, high = self.confidence_interval()
        return {**Presented._facts(self), "low": low, "high": high, "confidence_level": 0.95}

    def __repr__(self) -> str:
        shown, low, high = beside_interval(*self.confidence_interval(), self.value)
        return (
            f"{self.metric} = {shown} for the method, 95% interval {low} to {high}\n"
            f"  {self.n_repeats} times {self.n_splits} folds; standard error {self.standard_error:.4g}, "
            f"{self.inflation:.3g} times that of one cross-validation"
        )


@with_texts(found=_FOUND)
def nested_cross_val(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    metric: str | Measure = "roc_auc",
    n_splits: int = 5,
    n_repeats: int = 20,
    response_method: str = "auto",
    pos_label: Any = None,
    rng: int | None = None,
    n_jobs: int | None = None,
    **options: Any,
) -> NestedCrossVal:
    """Estimate how good a method is when fitted to data of this size, by cross-validation within training parts.

    Parameters
    ----------
    estimator : estimator
        A binary classifier with `predict_proba` or `decision_function`; it is cloned.
    X, y : array-like
        Rows and labels of two classes.
    metric : str or Measure, default="roc_auc"
        A metric in [0, 1] with an analytic variance: both areas and their parts.
    n_splits : int, default=5
        Folds; each repeat takes ``n_splits * (n_splits + 1) / 2`` fits.
    n_repeats : int, default=20
        How often the rows are split anew. More make the inflation steadier.
    response_method : {"auto", "predict_proba", "decision_function"}
        Where scores come from.
    pos_label : object, optional
        The positive class, as in `cross_val_scores`.
    rng : int, optional
        A seed makes the splits repeatable.
    n_jobs : int, optional
        Repeats at a time.
    **options
        Options of the measure.

    Returns
    -------
    NestedCrossVal

    Notes
    -----
    One cross-validation gives an interval for the models it fitted. As an interval for the method it is too short,
    because its folds share training rows. Here each fold k is compared with a cross-validation of all other rows: the
    mean square of what separates them, less the variance of fold k itself, is the mean squared error of such a
    cross-validation, and says by how much to lengthen its interval [1]_. Losses of rows in that paper are figures of
    folds here, with the analytic variance of each.

    References
    ----------
    .. [1] S. Bates, T. Hastie and R. Tibshirani, "Cross-validation: what does it estimate and how well does it do it?",
       Journal of the American Statistical Association 119 (2024), 1434-1445, doi:10.1080/01621459.2023.2197686

    Examples
    --------
    {found}
    >>> 1 <= found.inflation <= 5 ** 0.5
    True
    """
    measure = as_measure(metric, **options)
    if measure.bounds != (0.0, 1.0):
        raise InvalidInputError(f"`metric` must be a metric in [0, 1]; {measure.title!r} is not. Hint: 'roc_auc'.")
    method = check_choice(response_method, "response_method", METHODS)
    k = check_count(n_splits, "n_splits", minimum=3)
    repeats = check_count(n_repeats, "n_repeats", minimum=1)
    X, y = indexable(X, y)
    seeds = random_generator(rng).integers(0, 2**31, repeats).tolist()
    found = Parallel(n_jobs=n_jobs)(
        delayed(_repeat)(estimator, X, y, measure, k, seed, method, pos_label) for seed in seeds
    )
    outer, variances, inner = (np.array(part) for part in zip(*found, strict=True))
    naive = math.sqrt(float(variances.mean()) / k)
    squared = float(((inner - outer) ** 2).mean() - variances.mean()) * (k - 1) / k
    inflation = 1.0
    if naive > 0.0:
        inflation = min(max(math.sqrt(max(squared, 0.0)) / naive, 1.0), math.sqrt(k))
    cv, ncv = float(outer.mean()), float(inner.mean())
    # Models within have seen two folds less than all rows, those of `cv` one: the difference says what a fold is worth.
    corrected = ncv - (1.0 + ((k - 2) / k) ** 1.5) * (ncv - cv)
    shown = min(max(corrected, 0.0), 1.0)
    return NestedCrossVal(shown, naive * inflation, inflation, cv, naive, measure.title, k, repeats)


def _repeat(
    estimator: Any, X: Any, y: Any, measure: Measure, k: int, seed: int, method: str, pos_label: Any
) -> tuple[list[float], list[float], list[float]]:
    """Return for each fold its metric, the variance of that, and the mean metric of a cross-validation without it."""
    labels = np.asarray(y)
    folds = [test for _, test in StratifiedKFold(k, shuffle=True, random_state=seed).split(labels, labels)]

    def judged(left_out: tuple[int, ...]) -> list[Scores]:
        train = np.concatenate([rows for i, rows in enumerate(folds) if i not in left_out])
        model = clone(estimator).fit(_safe_indexing(X, train), _safe_indexing(y, train))
        out = []
        for i in left_out:
            scores, label = positive_scores(model, _safe_indexing(X, folds[i]), method=method, pos_label=pos_label)
            out.append(Scores(labels[folds[i]] == label, scores))
        return out

    tables = [judged((i,))[0] for i in range(k)]
    within = np.zeros(k)
    for i, j in combinations(range(k), 2):
        # The model that saw neither judges each as part of a cross-validation without the other.
        on_i, on_j = judged((i, j))
        within[i] += measure.of(on_j) / (k - 1)
        within[j] += measure.of(on_i) / (k - 1)
    return [measure.of(one) for one in tables], [measure.spread(one).variance for one in tables], within.tolist()
