"""Rankings within rows, of several labels or classes, with scikit-learn's signatures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils._encode import _encode
from sklearn.utils.multiclass import type_of_target

from thresher._core.order import descending_order
from thresher._core.shared_docs import with_texts
from thresher.metrics._checks import accepted, is_multilabel, known_classes, undefined, weighed_sum
from thresher.typing import BoolArray, FloatArray

_NARROW = 64
_SPARSE = """
y_true : array-like or sparse matrix of shape (n, n_labels)
    A table of 0 and 1."""
_SCORES = """
y_score : array-like of shape (n, n_labels)
    Finite scores.
sample_weight : array-like of shape (n,), optional
    Weights of the rows."""


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


def _labelled(y_true: Any, y_score: Any, sample_weight: Any) -> tuple[Any, Any]:
    """Return matrices of one shape, the first of 0 and 1, or raise what scikit-learn raises."""
    check_consistent_length(y_true, y_score, sample_weight)
    y_type = _matrix_type(y_true)
    if y_type != "multilabel-indicator":
        raise ValueError(f"{y_type} format is not supported")
    if y_true.shape != y_score.shape:
        raise ValueError("y_true and y_score have different shape")
    return y_true, y_score


def _of_rows(metric: Callable[[BoolArray, NDArray[Any]], NDArray[Any]], y_true: Any, y_score: Any) -> FloatArray:
    """Return a metric of each row, block by block."""
    out = np.empty(y_true.shape[0])
    for rows in blocks(*y_true.shape):
        out[rows] = metric(_relevant(y_true, rows), y_score[rows])
    return out


@with_texts(sparse=_SPARSE, scores=_SCORES)
def label_ranking_average_precision_score(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the mean, over the labels of each row, of how many labels above it are right.

    Parameters
    ----------
    {sparse}
    {scores}

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
    y_true, y_score, sample_weight = accepted(
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
    values = _of_rows(_average_precision_of_rows, y_true, y_score)
    if sample_weight is None:
        return float(values.sum() / values.size)
    return float(weighed_sum(values, sample_weight) / np.sum(sample_weight))


def _average_precision_of_rows(relevant: BoolArray, score: NDArray[Any]) -> FloatArray:
    ranking = ranked(score)
    right = ranking.sort(relevant)
    end = ranking.group_end()
    hits = np.take_along_axis(np.cumsum(right, axis=1), end, axis=1)
    total = relevant.sum(axis=1)
    mean = np.sum(np.where(right, hits / (end + 1), 0.0), axis=1) / np.maximum(total, 1)
    return np.where((total == 0) | (total == relevant.shape[1]), 1.0, mean)


@with_texts(scores=_SCORES)
def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return how far down the ranking one must go, on average, to meet all labels of a row.

    Parameters
    ----------
    y_true : array-like of shape (n, n_labels)
        A table of 0 and 1.
    {scores}

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
    y_true, y_score, sample_weight = accepted(
        "coverage_error", y_true=y_true, y_score=y_score, sample_weight=sample_weight
    )
    y_true, y_score = _labelled(check_array(y_true), check_array(y_score), sample_weight)
    return float(np.average(_of_rows(_depth_of_rows, y_true, y_score), weights=sample_weight))


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


@with_texts(sparse=_SPARSE, scores=_SCORES)
def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the proportion of pairs of a right and a wrong label that are in the wrong order, averaged over rows.

    Parameters
    ----------
    {sparse}
    {scores}

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
    y_true, y_score, sample_weight = accepted(
        "label_ranking_loss", y_true=y_true, y_score=y_score, sample_weight=sample_weight
    )
    y_true = check_array(y_true, ensure_2d=False, accept_sparse="csr")
    y_true, y_score = _labelled(y_true, check_array(y_score, ensure_2d=False), sample_weight)
    return float(np.average(_of_rows(_loss_of_rows, y_true, y_score), weights=sample_weight))


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


# Rows are taken in blocks of about this many numbers, so that intermediate results stay in cache.
_BLOCK = 1 << 18
_WIDE = 4096
_FEW_COLUMNS = 16


class Ranked(NamedTuple):
    """Columns of each row from the highest score down, and where each group of ties starts."""

    order: NDArray[np.intp]
    starts: BoolArray
    """Whether a place opens a new group of tied scores; the first place always does."""

    def sort(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return a matrix in this order."""
        return np.take_along_axis(values, self.order, axis=1)

    def group_end(self) -> NDArray[np.intp]:
        """Return, for each place, the last place of its group."""
        width = self.starts.shape[1]
        places = np.arange(width)
        closes = np.ones_like(self.starts)
        closes[:, :-1] = self.starts[:, 1:]
        last = np.where(closes, places, width - 1)
        return np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]

    def group_start(self) -> NDArray[np.intp]:
        """Return, for each place, the first place of its group."""
        return np.maximum.accumulate(np.where(self.starts, np.arange(self.starts.shape[1]), 0), axis=1)


def ranked(scores: NDArray[Any]) -> Ranked:
    """Rank the columns of each row by falling score."""
    if scores.shape[1] >= _WIDE:
        order = np.stack([descending_order(row) for row in scores])
    else:
        # Ascending and reversed: the order of ties does not matter to anything that uses groups.
        order = np.argsort(scores, axis=1)[:, ::-1]
    ordered = np.take_along_axis(scores, order, axis=1)
    starts = np.ones(order.shape, dtype=np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=starts[:, 1:])
    return Ranked(order, starts)


def blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Yield slices of rows that are worked on together."""
    step = max(1, _BLOCK // max(n_columns, 1))
    for first in range(0, n_rows, step):
        yield slice(first, first + step)


def falling_rows(values: NDArray[Any]) -> NDArray[Any]:
    """Return the numbers of each row, largest first."""
    width = values.shape[1]
    if width > _FEW_COLUMNS:
        return np.sort(values, axis=1)[:, ::-1]
    # Few columns: neighbours are exchanged where they stand wrong, all rows at once, as often as there are columns.
    columns = [np.ascontiguousarray(values[:, j]) for j in range(width)]
    for turn in range(width):
        for j in range(turn % 2, width - 1, 2):
            a, b = columns[j], columns[j + 1]
            columns[j], columns[j + 1] = np.maximum(a, b), np.minimum(a, b)
    return np.column_stack(columns)


_FEW = (
    "Number of classes in 'y_true' ({}) not equal to the number of classes in 'y_score' ({})."
    "You can provide a list of all known classes by assigning it to the `labels` parameter."
)
_MANY = "Number of given labels ({}) not equal to the number of classes in 'y_score' ({})."


def top_k_accuracy_score(
    y_true: Any, y_score: Any, *, k: int = 2, normalize: bool = True, sample_weight: Any = None, labels: Any = None
) -> float:
    """Return how often the right class is among the `k` that score highest.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Classes.
    y_score : array-like of shape (n,) or (n, n_classes)
        Scores of the class with the larger label, or one column for each class in the order of labels.
    k : int, default=2
        How many guesses are allowed.
    normalize : bool, default=True
        Return the share instead of the number of rows.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    labels : array-like of shape (n_classes,), optional
        The classes of the columns, if not all occur.

    Returns
    -------
    float
        Of tied classes those with larger labels are guessed first.

    Examples
    --------
    >>> from thresher.metrics import top_k_accuracy_score
    >>> top_k_accuracy_score([0, 1, 2, 2], [[0.5, 0.2, 0.2], [0.3, 0.4, 0.2], [0.2, 0.4, 0.3], [0.7, 0.2, 0.1]], k=2)
    0.75
    """
    y_true, y_score, sample_weight = accepted(
        "top_k_accuracy_score",
        y_true=y_true,
        y_score=y_score,
        k=k,
        normalize=normalize,
        sample_weight=sample_weight,
        labels=labels,
    )
    y_true = column_or_1d(check_array(y_true, ensure_2d=False, dtype=None))
    dense = _dense_classes(y_true) if labels is None else None
    y_type = _target_type(y_true, labels, dense)
    y_score = check_array(y_score, ensure_2d=False)
    if y_type == "binary":
        if y_score.ndim == 2 and y_score.shape[1] != 1:
            raise ValueError(
                f"`y_true` is binary while y_score is 2d with {y_score.shape[1]} classes. If `y_true` does not "
                "contain all the labels, `labels` must be provided."
            )
        y_score = column_or_1d(y_score)
    elif y_score.ndim != 2:
        raise ValueError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains multiple classes. Got "
            f"`y_score.shape={y_score.shape}`."
        )
    check_consistent_length(y_true, y_score, sample_weight)
    n_columns = y_score.shape[1] if y_score.ndim == 2 else 2
    classes = known_classes(y_true, labels, n_columns, dense, few=_FEW, many=_MANY, stop=".")
    if k >= len(classes):
        undefined(
            f"'k' ({k}) greater than or equal to 'n_classes' ({len(classes)}) will result in a perfect score and is "
            "therefore meaningless."
        )
    place = y_true if dense is not None else _encode(y_true, uniques=classes)
    hits = _binary_hits(y_score, place, k) if y_type == "binary" else _hits(y_score, place, k)
    if normalize:
        return float(np.average(hits, weights=sample_weight))
    return float(np.sum(hits)) if sample_weight is None else weighed_sum(hits, sample_weight)


def _dense_classes(y_true: NDArray[Any]) -> NDArray[Any] | None:
    """Return the classes if they are plainly 0, 1, 2, ... with few of them, none missing."""
    if y_true.dtype.kind not in "iu" or not 0 <= int(y_true.min()) <= int(y_true.max()) < max(3, y_true.size // 2):
        return None
    seen = np.bincount(y_true)
    return np.arange(seen.size, dtype=y_true.dtype) if seen.all() else None


def _target_type(y_true: NDArray[Any], labels: Any, dense: NDArray[Any] | None) -> str:
    if dense is not None:
        return "binary" if dense.size <= 2 else "multiclass"
    y_type = type_of_target(y_true, input_name="y_true")
    if y_type == "binary" and labels is not None and len(labels) > 2:
        return "multiclass"
    if y_type not in {"binary", "multiclass"}:
        raise ValueError(f"y type must be 'binary' or 'multiclass', got '{y_type}' instead.")
    return str(y_type)


def _binary_hits(y_score: NDArray[Any], place: NDArray[Any], k: int) -> BoolArray:
    if k > 1:
        return np.ones(y_score.shape, dtype=np.bool_)
    cut = 0.5 if y_score.min() >= 0 and y_score.max() <= 1 else 0
    return np.asarray((y_score > cut) == place)


def _hits(y_score: NDArray[Any], place: NDArray[Any], k: int) -> BoolArray:
    """Return whether fewer than `k` classes come before the right one: no sort is needed to know."""
    hits = np.empty(place.size, dtype=np.bool_)
    for rows in blocks(*y_score.shape):
        columns, right = np.ascontiguousarray(y_score[rows].T), place[rows]
        own = columns[right, np.arange(right.size)]
        before = np.zeros(right.size, dtype=np.int64)
        for j, column in enumerate(columns):
            # Of tied classes the one with the larger label comes first.
            before += np.where(right < j, column >= own, column > own)
        hits[rows] = before < k
    return hits
