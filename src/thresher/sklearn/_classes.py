"""Several classes or labels, each as Scores of its own."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_array
from thresher._core.checks import show
from thresher._core.frames import frame_columns
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import ArrayLike

__all__ = ["hand_till_auc", "label_scores", "one_vs_rest"]


def _matrix(y_score: ArrayLike, n_rows: int) -> NDArray[Any]:
    scores = as_array(y_score, "y_score")
    if scores.ndim != 2 or scores.shape[0] != n_rows:
        raise InvalidInputError(
            f"`y_score` must have a row for each of the {n_rows} labels and a column for each class; got shape "
            f"{scores.shape}. Hint: pass what `predict_proba` returns."
        )
    return scores


def _named(y_true: NDArray[Any], y_score: Any) -> list[Any] | None:
    """Return the classes that a frame's column names are; None for an array, whose columns have no names."""
    columns = frame_columns(y_score)
    if columns is None:
        return None
    by_text = {str(label): label for label in np.unique(y_true).tolist()}
    missing = [label for text, label in by_text.items() if text not in columns]
    if missing:
        raise InvalidInputError(
            f"`y_score` must have a column named as each class; got the columns {show(list(columns))}, and none for "
            f"{missing[0]!r}. Hint: name the class of each column by `labels`, for example `estimator.classes_`."
        )
    return [by_text.get(text, text) for text in columns]


def _classes(y_true: NDArray[Any], n_columns: int, labels: ArrayLike | None) -> NDArray[Any]:
    present = np.unique(y_true)
    classes = present if labels is None else as_array(labels, "labels")
    if classes.size != n_columns:
        raise InvalidInputError(
            f"`y_score` must have a column for each class; got {n_columns} columns for {classes.size} classes. "
            "Hint: name the class of each column by `labels`, for example `estimator.classes_`."
        )
    unknown = np.setdiff1d(present, classes)
    if unknown.size:
        raise InvalidInputError(f"`labels` must name every class of `y_true`; {unknown[0]!r} is missing.")
    return classes


def one_vs_rest(
    y_true: ArrayLike, y_score: ArrayLike, *, labels: ArrayLike | None = None, sample_weight: ArrayLike | None = None
) -> dict[Any, Scores]:
    """Return the Scores of each class against all others.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Classes.
    y_score : array-like of shape (n, n_classes)
        Column j scores class ``labels[j]``.
    labels : array-like of shape (n_classes,), optional
        The class of each column; by default the column names of a frame, the sorted classes for an array.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    dict
        From class to Scores, with everything that Scores can tell.

    Examples
    --------
    >>> from thresher.sklearn import one_vs_rest
    >>> classes = one_vs_rest(["a", "b", "c", "a"], [[3, 2, 1], [1, 3, 2], [2, 2, 3], [2, 1, 0]])
    >>> {name: scores.roc_auc().value for name, scores in classes.items()}
    {'a': 0.875, 'b': 1.0, 'c': 1.0}
    """
    labels_of_rows = as_array(y_true, "y_true")
    if labels is None:
        labels = _named(labels_of_rows, y_score)
    scores = _matrix(y_score, labels_of_rows.size)
    classes = _classes(labels_of_rows, scores.shape[1], labels)
    return {
        key: Scores(labels_of_rows == key, scores[:, j], sample_weight=sample_weight)
        for j, key in enumerate(classes.tolist())
    }


def label_scores(
    y_true: ArrayLike, y_score: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> tuple[Scores, ...]:
    """Return the Scores of each label of a multilabel problem.

    Parameters
    ----------
    y_true : array-like of shape (n, n_labels)
        A table of 0 and 1.
    y_score : array-like of shape (n, n_labels)
        Scores of each label.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    tuple of Scores
        One for each column. Their sum (``a + b``) is the micro average's.

    Examples
    --------
    >>> from thresher.sklearn import label_scores
    >>> first, second = label_scores([[1, 0], [0, 1], [1, 1]], [[0.9, 0.2], [0.1, 0.8], [0.4, 0.1]])
    >>> first.roc_auc().value, second.roc_auc().value, (first + second).roc_auc().value
    (1.0, 0.5, 0.8125)
    """
    table = as_array(y_true, "y_true")
    if table.ndim != 2:
        raise InvalidInputError(
            f"`y_true` must be a table with a column for each label; got shape {table.shape}. "
            "Hint: use `one_vs_rest` for classes that exclude each other."
        )
    scores = _matrix(y_score, table.shape[0])
    if scores.shape != table.shape:
        raise InvalidInputError(f"`y_true` and `y_score` must have one shape; got {table.shape} and {scores.shape}.")
    return tuple(Scores(table[:, j], scores[:, j], sample_weight=sample_weight) for j in range(table.shape[1]))


def hand_till_auc(y_true: ArrayLike, y_score: ArrayLike, *, labels: ArrayLike | None = None) -> float:
    """Return Hand and Till's M: the mean AUC over pairs of classes, insensitive to their sizes.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Classes.
    y_score : array-like of shape (n, n_classes)
        Column j scores class ``labels[j]``; the columns need not sum to 1.
    labels : array-like of shape (n_classes,), optional
        The class of each column; by default the column names of a frame, the sorted classes for an array.

    Returns
    -------
    float
        For each pair the mean of two areas: one class told from the other by its own column, and the other way round.

    References
    ----------
    D. J. Hand and R. J. Till (2001), doi:10.1023/A:1010920819831.

    Examples
    --------
    >>> from thresher.sklearn import hand_till_auc
    >>> hand_till_auc([0, 1, 2, 2], [[3, 2, 1], [1, 3, 2], [2, 2, 3], [0, 3, 1]])
    0.8333333333333334
    """
    labels_of_rows = as_array(y_true, "y_true")
    if labels is None:
        labels = _named(labels_of_rows, y_score)
    scores = _matrix(y_score, labels_of_rows.size)
    classes = _classes(labels_of_rows, scores.shape[1], labels)
    areas = []
    for a, b in combinations(range(classes.size), 2):
        rows_a, rows_b = labels_of_rows == classes[a], labels_of_rows == classes[b]
        if not (rows_a.any() and rows_b.any()):
            missing = classes[a] if not rows_a.any() else classes[b]
            raise UndefinedMetricError(
                f"Hand and Till's mean needs rows of every class; {missing!r} has none. Hint: leave its column out."
            )
        for column, own, other in ((a, rows_a, rows_b), (b, rows_b, rows_a)):
            areas.append(Scores.from_pos_neg(scores[own, column], scores[other, column]).roc_auc().value)
    return float(np.mean(areas))
