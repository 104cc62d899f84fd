"""Labels that do not exclude each other: a table of one against the rest for each of them, and averages."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._classes.averages import ClassAverages
from thresher._classes.read import case_parts, label_columns
from thresher._core.values import value
from thresher.typing import ArrayLike, BoolArray, FloatArray

__all__ = ["Multilabel", "multilabel"]


@value(slots=False, repr=False)
class Multilabel(ClassAverages):
    """The scores of several labels, of which a case may have any number.

    Attributes
    ----------
    labels : tuple
        One for each column.
    truth : ndarray of bool, shape (n, k)
        Whether a case has a label.
    scores_matrix : ndarray of shape (n, k)
        Column j scores ``labels[j]``.
    sample_weight : ndarray of shape (n,) or None
        Sampling weights.
    cluster : ndarray of int, shape (n,) or None
        Cases of one cluster may depend on each other.

    Examples
    --------
    >>> import thresher as th
    >>> th.multilabel([[1, 0], [0, 1], [1, 1]], [[0.9, 0.2], [0.1, 0.8], [0.4, 0.1]])
    Multilabel: 3 cases with 2 labels
    """

    labels: tuple[Any, ...]
    truth: NDArray[np.bool_]
    scores_matrix: NDArray[Any]
    sample_weight: FloatArray | None = None
    cluster: NDArray[np.intp] | None = None

    def _positive(self, place: int) -> BoolArray:
        """Return which cases have the label in this place."""
        return np.ascontiguousarray(self.truth[:, place])

    @property
    def _labels_of_rows(self) -> NDArray[np.bool_]:
        return self.truth

    def __repr__(self) -> str:
        return f"Multilabel: {self.truth.shape[0]:,} cases with {len(self.labels):,} labels"


def multilabel(
    y_true: Any,
    proba: Any,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
) -> Multilabel:
    """Return the metrics of a model of several labels: per label and averaged, with intervals.

    Parameters
    ----------
    y_true : array-like of shape (n, k), or dataframe
        A table of 0 and 1.
    proba : array-like of shape (n, k), or dataframe
        Scores of each label. Columns of frames are matched by name.
    labels : array-like of shape (k,), optional
        What the labels are called: by default as the columns of a frame, or 0 to k - 1.
    sample_weight, cluster : array-like of shape (n,), optional
        As in `multiclass`.

    Returns
    -------
    Multilabel

    See Also
    --------
    multiclass : Classes that exclude each other.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random((200, 3)) < [0.2, 0.3, 0.5]
    >>> found = th.multilabel(truth, rng.normal(size=(200, 3)) + truth, labels=["rain", "wind", "fog"])
    >>> found.macro("roc_auc")
    macro roc_auc = 0.771, 95% interval 0.721 to 0.813
    """
    names, truth, scores = label_columns(y_true, proba, labels)
    kept, weight, members = case_parts(sample_weight, cluster, truth.shape[0])
    if kept is not None:
        truth, scores = truth[kept], scores[kept]
    return Multilabel(names, truth, scores, weight, members)
