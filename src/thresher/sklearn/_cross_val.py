"""Cross-validation that counts the scores of every part left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils._response import _get_response_values
from sklearn.utils.parallel import Parallel, delayed

from thresher._core.checks import check_choice
from thresher._core.shared_docs import with_texts
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError
from thresher.sklearn._cross_val_figures import DATA_TEXT, FoldRows
from thresher.sklearn._cross_val_result import CrossValScores
from thresher.sklearn._scorers import METHODS, fitted_on, positive_class, positive_scores, response_methods
from thresher.typing import ArrayLike

__all__ = ["CrossValScores", "cross_val_scores", "cross_val_scores_by_class"]


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
