"""Rankings of several labels for each row, with scikit-learn's signatures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import check_array, check_consistent_length
from sklearn.utils.multiclass import type_of_target

from thresher._core.at_home import at_home
from thresher.metrics._by_row import blocks, ranked
from thresher.metrics._checks import check_parameters, is_multilabel, weighed_sum
from thresher.typing import BoolArray, FloatArray

__all__ = ["coverage_error", "label_ranking_average_precision_score", "label_ranking_loss"]

_NARROW = 64


def _relevant(y_true: Any, rows: slice) -> BoolArray:
    """Return which labels apply to a block of rows; of a sparse matrix all that it stores."""
    if not issparse(y_true):
        return np.asarray(y_true[rows] != 0)
    part = y_true[rows]
    mask = np.zeros(part.shape, dtype=np.bool_)
    mask[np.repeat(np.arange(part.shape[0]), np.diff(part.indptr)), part.indices] = True
    return mask


def _matrix_type(y_true: Any) -> str:
    return "multilabel-indicator" if is_multilabel(y_true) else type_of_target(y_true, input_name="y_true")


def label_ranking_average_precision_score(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the mean, over the labels of each row, of how many labels above it are right.

    Parameters
    ----------
    y_true : array-like or sparse matrix of shape (n, n_labels)
        A table of 0 and 1.
    y_score : array-like of shape (n, n_labels)
        Finite scores.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float
        In (0, 1]; rows whose labels all apply, or none, count 1.

    Examples
    --------
    >>> from thresher.metrics import label_ranking_average_precision_score
    >>> round(label_ranking_average_precision_score([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]]), 4)
    0.4167
    """
    y_true, y_score, sample_weight = at_home(
        "label_ranking_average_precision_score", y_true=y_true, y_score=y_score, sample_weight=sample_weight
    )
    check_parameters(
        "label_ranking_average_precision_score", y_true=y_true, y_score=y_score, sample_weight=sample_weight
    )
    check_consistent_length(y_true, y_score, sample_weight)
    y_true = check_array(y_true, ensure_2d=False, accept_sparse="csr")
    y_score = check_array(y_score, ensure_2d=False)
    if y_true.shape != y_score.shape:
        raise ValueError("y_true and y_score have different shape")
    y_type = _matrix_type(y_true)
    if y_type != "multilabel-indicator" and not (y_type == "binary" and y_true.ndim == 2):
        raise ValueError(f"{y_type} format is not supported")
    figures = np.empty(y_true.shape[0])
    for rows in blocks(*y_true.shape):
        figures[rows] = _average_precision_of_rows(_relevant(y_true, rows), y_score[rows])
    if sample_weight is None:
        return float(figures.sum() / figures.size)
    return float(weighed_sum(figures, sample_weight) / np.sum(sample_weight))


def _average_precision_of_rows(relevant: BoolArray, score: NDArray[Any]) -> FloatArray:
    ranking = ranked(score)
    right = ranking.sort(relevant)
    end = ranking.group_end()
    hits = np.take_along_axis(np.cumsum(right, axis=1), end, axis=1)
    total = relevant.sum(axis=1)
    mean = np.sum(np.where(right, hits / (end + 1), 0.0), axis=1) / np.maximum(total, 1)
    return np.where((total == 0) | (total == relevant.shape[1]), 1.0, mean)


def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return how far down the ranking one must go, on average, to meet all labels of a row.

    Parameters
    ----------
    y_true : array-like of shape (n, n_labels)
        A table of 0 and 1.
    y_score : array-like of shape (n, n_labels)
        Finite scores.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float
        At least the mean number of labels of a row; a row without labels counts 0.

    Examples
    --------
    >>> from thresher.metrics import coverage_error
    >>> coverage_error([[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 1]])
    1.5
    """
    y_true, y_score, sample_weight = at_home(
        "coverage_error", y_true=y_true, y_score=y_score, sample_weight=sample_weight
    )
    check_parameters("coverage_error", y_true=y_true, y_score=y_score, sample_weight=sample_weight)
    y_true = check_array(y_true, ensure_2d=True)
    y_score = check_array(y_score, ensure_2d=True)
    check_consistent_length(y_true, y_score, sample_weight)
    y_type = _matrix_type(y_true)
    if y_type != "multilabel-indicator":
        raise ValueError(f"{y_type} format is not supported")
    if y_true.shape != y_score.shape:
        raise ValueError("y_true and y_score have different shape")
    depth = np.empty(y_true.shape[0])
    for rows in blocks(*y_true.shape):
        depth[rows] = _depth_of_rows(_relevant(y_true, rows), y_score[rows])
    return float(np.average(depth, weights=sample_weight))


def _depth_of_rows(relevant: BoolArray, score: NDArray[Any]) -> NDArray[Any]:
    """Return how many labels score at least as much as the lowest that applies; 0 where none does."""
    if score.shape[1] > _NARROW:
        lowest = np.where(relevant, score, np.inf).min(axis=1, keepdims=True)
        return np.asarray(np.count_nonzero(score >= lowest, axis=1))
    # Few columns and many rows: a pass over columns is much quicker than a reduction within rows.
    columns = np.ascontiguousarray(score.T)
    least = np.full(score.shape[0], np.inf)
    for applies, column in zip(relevant.T, columns, strict=True):
        np.minimum(least, column, out=least, where=applies)
    depth = np.zeros(score.shape[0], dtype=np.int64)
    for column in columns:
        depth += column >= least
    return depth


def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the proportion of pairs of a right and a wrong label that are in the wrong order, averaged over rows.

    Parameters
    ----------
    y_true : array-like or sparse matrix of shape (n, n_labels)
        A table of 0 and 1.
    y_score : array-like of shape (n, n_labels)
        Finite scores.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float
        In [0, 1]. Ties count as wrong; rows whose labels all apply, or none, count 0.

    Examples
    --------
    >>> from thresher.metrics import label_ranking_loss
    >>> label_ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1], [1, 0.2, 0.1]])
    0.75
    """
    y_true, y_score, sample_weight = at_home(
        "label_ranking_loss", y_true=y_true, y_score=y_score, sample_weight=sample_weight
    )
    check_parameters("label_ranking_loss", y_true=y_true, y_score=y_score, sample_weight=sample_weight)
    y_true = check_array(y_true, ensure_2d=False, accept_sparse="csr")
    y_score = check_array(y_score, ensure_2d=False)
    check_consistent_length(y_true, y_score, sample_weight)
    y_type = _matrix_type(y_true)
    if y_type != "multilabel-indicator":
        raise ValueError(f"{y_type} format is not supported")
    if y_true.shape != y_score.shape:
        raise ValueError("y_true and y_score have different shape")
    loss = np.empty(y_true.shape[0])
    for rows in blocks(*y_true.shape):
        loss[rows] = _loss_of_rows(_relevant(y_true, rows), y_score[rows])
    return float(np.average(loss, weights=sample_weight))


def _loss_of_rows(relevant: BoolArray, score: NDArray[Any]) -> FloatArray:
    ranking = ranked(score)
    right = ranking.sort(relevant)
    total = relevant.sum(axis=1, keepdims=True)
    above = np.cumsum(right, axis=1) - right
    # Of a wrong label: the right ones that do not stand strictly above it.
    not_above = total - np.take_along_axis(above, ranking.group_start(), axis=1)
    wrong_pairs = np.sum(np.where(right, 0, not_above), axis=1)
    pairs = (total * (relevant.shape[1] - total))[:, 0]
    return np.asarray(wrong_pairs / np.maximum(pairs, 1))
