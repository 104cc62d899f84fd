"""One figure out of several labels, averaged as scikit-learn averages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics._base import _average_binary_score

from thresher._core.sums import dots
from thresher.metrics._checks import is_multilabel

__all__ = ["averaged", "indicators"]


def averaged(
    figure: Callable[..., float], y_true: Any, y_score: Any, average: str | None, sample_weight: Any = None
) -> Any:
    """Return the average of a two-class figure over labels, or the figure itself for two classes.

    What plainly is a table of labels with a table of scores is averaged here, column by column; all else, and averages
    over rows, go to scikit-learn, which says what is wrong with them.
    """
    if not _plain(y_true, y_score, average, sample_weight) or not np.isfinite(y_score).all():
        return _average_binary_score(figure, y_true, y_score, average, sample_weight=sample_weight)
    labels = y_true.astype(np.bool_, copy=False)
    if average == "micro":
        weight = None if sample_weight is None else np.repeat(sample_weight, labels.shape[1])
        return figure(labels.ravel(), y_score.ravel(), sample_weight=weight)
    support = _support(labels, sample_weight) if average == "weighted" else None
    if support is not None and np.isclose(support.sum(), 0):
        return 0
    columns = zip(np.ascontiguousarray(labels.T), np.ascontiguousarray(y_score.T), strict=True)
    figures = np.array([figure(label, score, sample_weight=sample_weight) for label, score in columns])
    if average is None:
        return figures
    if support is not None:
        figures[support == 0] = 0
    return float(np.average(figures, weights=support))


def _plain(y_true: Any, y_score: Any, average: str | None, sample_weight: Any) -> bool:
    """Return whether this plainly is a table of labels with a table of scores, averaged over columns."""
    return (
        average != "samples"
        and is_multilabel(y_true)
        and type(y_score) is np.ndarray
        and y_score.shape == y_true.shape
        and y_score.dtype.char in "fd"
        and (sample_weight is None or (type(sample_weight) is np.ndarray and sample_weight.shape == y_true.shape[:1]))
    )


def _support(labels: NDArray[np.bool_], sample_weight: Any) -> NDArray[Any]:
    """Return the positives of each label, or the sum of their weights."""
    return labels.sum(axis=0) if sample_weight is None else dots(labels.T, sample_weight)


def indicators(y_true: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a column for each of three or more classes that says which rows are of it."""
    return np.asarray(y_true.reshape(-1, 1) == classes.reshape(1, -1))
