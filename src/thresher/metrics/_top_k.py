"""Top-k accuracy with scikit-learn's signature."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils._encode import _encode
from sklearn.utils.multiclass import type_of_target

from thresher.metrics._checks import accepted, known_classes, undefined, weighed_sum
from thresher.metrics._labels import blocks
from thresher.typing import BoolArray

__all__ = ["top_k_accuracy_score"]

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
