"""Problems of several classes, which exclude each other, and of several labels, which do not."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._classes.averages import ClassAverages
from thresher._classes.read import case_parts, class_columns, label_columns
from thresher._classes.values import ClassValues, PairValues, combined, pair_values, refuse_without, warn_of_classes
from thresher._compare import CombinedEstimate
from thresher._core.checks import check_count
from thresher._core.values import value
from thresher._facade import Scores
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, RocAuc, as_measure
from thresher.typing import ArrayLike, BoolArray, FloatArray

_SUM = 1e-3


@value(slots=False, repr=False)
class Multiclass(ClassAverages):
    """The scores of several classes that exclude each other, with the class of each case.

    Attributes
    ----------
    labels : tuple
        The classes, one for each column.
    code : ndarray of int, shape (n,)
        The class of each case, as its place in `labels`.
    scores_matrix : ndarray of shape (n, k)
        Column j scores class ``labels[j]``.
    sample_weight : ndarray of shape (n,) or None
        Sampling weights.
    cluster : ndarray of int, shape (n,) or None
        Cases of one cluster may depend on each other.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 3, 300)
    >>> th.multiclass(y, rng.normal(size=(300, 3)) + 1.5 * np.eye(3)[y])
    Multiclass: 300 cases of 3 classes
    """

    labels: tuple[Any, ...]
    code: NDArray[np.intp]
    scores_matrix: NDArray[Any]
    sample_weight: FloatArray | None = None
    cluster: NDArray[np.intp] | None = None

    def _positive(self, place: int) -> BoolArray:
        """Return which cases belong to the class in this place."""
        return np.asarray(self.code == place)

    @property
    def _kind(self) -> NDArray[np.intp]:
        return self.code

    _labels_of_rows = _kind

    @property
    def _averages(self) -> tuple[str, ...]:
        return (*super()._averages, "hand_till")

    def pair_scores(self, a: Any, b: Any) -> Scores:
        """Return the Scores of class a against class b by the column of a.

        Parameters
        ----------
        a, b : object
            Two classes; the first is the positive one.

        Returns
        -------
        Scores

        Examples
        --------
        >>> import thresher as th
        >>> data = th.multiclass(["a", "b", "c", "a"], [[3, 2, 1], [1, 3, 2], [2, 2, 3], [2, 1, 0]])
        >>> data.pair_scores("a", "c").roc_auc().value
        0.75
        """
        i, j = self._place(a), self._place(b)
        rows = np.flatnonzero((self.code == i) | (self.code == j))
        if i == j:
            raise InvalidInputError(f"`a` and `b` must be two classes; got {a!r} twice.")
        weight, cluster = (None if one is None else one[rows] for one in (self.sample_weight, self.cluster))
        return Scores(self.code[rows] == i, self.scores_matrix[rows, i], sample_weight=weight, cluster=cluster)

    def hand_till(self) -> CombinedEstimate:
        """Return Hand and Till's M: the mean ROC AUC over pairs of classes, which their sizes do not affect.

        Returns
        -------
        CombinedEstimate
            Of all ordered pairs: one class told from the other by its own column, and the other way round.

        References
        ----------
        .. [1] D. J. Hand and R. J. Till, "A simple generalisation of the area under the ROC curve for multiple class
           classification problems", Machine Learning 45 (2001), 171-186. https://doi.org/10.1023/A:1010920819831

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 3, 300)
        >>> th.multiclass(y, rng.normal(size=(300, 3)) + 1.5 * np.eye(3)[y]).hand_till()
        Hand-Till ROC AUC = 0.834, 95% interval 0.801 to 0.861
        """
        return self._over_pairs(RocAuc(), weighted=False, name="Hand-Till ROC AUC")

    def one_vs_one(
        self, metric: str | Measure = "roc_auc", *, weighted: bool = False, **options: Any
    ) -> CombinedEstimate:
        """Return the mean of a metric over ordered pairs of classes.

        Parameters
        ----------
        metric, **options
            As in `per_class`.
        weighted : bool, default=False
            Whether pairs are weighted by how many cases their two classes have.

        Returns
        -------
        CombinedEstimate
            Of ``"roc_auc"``, unweighted, Hand and Till's M.

        Examples
        --------
        >>> import numpy as np
        >>> import thresher as th
        >>> rng = np.random.default_rng(0)
        >>> y = rng.integers(0, 3, 300)
        >>> th.multiclass(y, rng.normal(size=(300, 3)) + 1.5 * np.eye(3)[y]).one_vs_one(weighted=True)
        weighted one-vs-one roc_auc = 0.835, 95% interval 0.805 to 0.862
        """
        measure = as_measure(metric, **options)
        kind = "weighted one-vs-one" if weighted else "one-vs-one"
        return self._over_pairs(measure, weighted=weighted, name=f"{kind} {measure.described()}")

    def top_k(self, k: int = 1) -> CombinedEstimate:
        """Return the proportion of cases whose class is among the k with the highest scores.

        Parameters
        ----------
        k : int, default=1
            How many classes are predicted; 1 gives the accuracy.

        Returns
        -------
        CombinedEstimate
            Ties across the k-th place count as if broken at random.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.multiclass(["a", "b", "c", "a"], [[3, 2, 1], [1, 3, 2], [2, 2, 3], [2, 5, 0]])
        >>> data.top_k(1).value, data.top_k(2).value
        (0.75, 1.0)
        """
        most = len(self.labels)
        count = check_count(k, "k", minimum=1, below=most + 1)
        own = np.take_along_axis(self.scores_matrix, self.code[:, None], axis=1)
        above = (self.scores_matrix > own).sum(axis=1)
        level = (self.scores_matrix == own).sum(axis=1)
        found = np.clip((count - above) / level, 0.0, 1.0)
        return self._mean(found, f"top-{count} accuracy", (0.0, 1.0))

    def brier(self) -> CombinedEstimate:
        """Return the Brier score of all classes: the mean sum of squared distances from the outcome, in [0, 2].

        Examples
        --------
        >>> import thresher as th
        >>> th.multiclass([0, 1, 2, 0], [[0.5, 0.25, 0.25], [0, 1, 0], [0, 0.5, 0.5], [1, 0, 0]]).brier().value
        0.21875
        """
        proba = self._probabilities("The Brier score")
        own = np.take_along_axis(proba, self.code[:, None], axis=1)[:, 0]
        return self._mean((proba**2).sum(axis=1) - 2.0 * own + 1.0, "Brier score", (0.0, 2.0))

    def log_loss(self) -> CombinedEstimate:
        """Return the log loss: the mean of minus the logarithm of the probability of the true class.

        Examples
        --------
        >>> import thresher as th
        >>> round(th.multiclass([0, 1, 1], [[0.5, 0.5], [0.25, 0.75], [0.5, 0.5]]).log_loss().value, 4)
        0.558
        """
        proba = self._probabilities("The log loss")
        own = np.take_along_axis(proba, self.code[:, None], axis=1)[:, 0]
        with np.errstate(divide="ignore"):
            return self._mean(0.0 - np.log(own), "log loss", (0.0, math.inf))

    def __repr__(self) -> str:
        return f"Multiclass: {self.code.size:,} cases of {len(self.labels):,} classes"

    # How these are made

    def _probabilities(self, what: str) -> FloatArray:
        proba = self.scores_matrix.astype(np.float64, copy=False)
        sums = proba.sum(axis=1)
        if proba.min() < 0.0 or proba.max() > 1.0 or np.abs(sums - 1.0).max() > _SUM:
            row = int(np.argmax(np.abs(sums - 1.0)))
            raise InvalidInputError(
                f"{what} reads scores as probabilities, which must be in [0, 1] and add to 1 in each row; "
                f"row {row} adds to {sums[row]:.6g}. Hint: pass what `predict_proba` returns."
            )
        return proba

    def _mean(self, rows: FloatArray, name: str, bounds: tuple[float, float]) -> CombinedEstimate:
        """Return the mean of a value of each case."""
        frame = self._frame
        each = frame.each * np.ones(rows.size)
        total = float(each.sum())
        found = float(rows @ each) / total if np.isfinite(rows).all() else math.inf
        if math.isinf(found):
            return CombinedEstimate(name, found, math.nan, math.inf, "plain", math.nan, bounds)
        column = frame.summed(each * (rows - found) / total) * math.sqrt(frame.factor)
        whole = frame._replace(kind=None)
        return combined(name, found, column, whole, bounds)

    def _over_pairs(self, measure: Measure, *, weighted: bool, name: str) -> CombinedEstimate:
        found, value, column, weights = self._pairs(measure, weighted=weighted)
        joint = None
        if found.joint is not None and not weighted:
            off = ~np.eye(len(self.labels), dtype=bool)
            joint = replace(found.joint, weights=weights[off])
        areas = self._values(measure)
        warn_of_classes(measure, areas, self.labels, "hand_till", weights.sum(axis=1))
        return combined(name, value, column, self._frame, measure.bounds, joint=joint)

    def _pairs(self, measure: Measure, *, weighted: bool) -> tuple[PairValues, float, FloatArray, FloatArray]:
        """Return pairs, their average, what each case adds to it, and the weights of pairs."""
        k = len(self.labels)
        totals = self._totals
        refuse_without(totals, self.labels, "A mean over pairs of classes")
        frame = self._frame
        found, rows = pair_values(measure, frame, self.scores_matrix, self.code, self.labels)
        part = totals / totals.sum()
        off = ~np.eye(k, dtype=bool)
        weights = off / (k * (k - 1.0))
        if weighted:
            weights = off * (part[:, None] + part[None, :]) / (2.0 * (k - 1.0))
        value, column = found.average(weights, frame, rows)
        if weighted:
            # The proportions of the classes vary with the sample too.
            areas = np.where(off, found.values, 0.0)
            toward = (areas.sum(axis=1) + areas.sum(axis=0)) / (2.0 * (k - 1.0))
            away = toward[self.code] - float(part @ toward)
            column = column + frame.summed(away * frame.each / totals.sum())
        return found, value, column, weights

    def _average(self, measure: Measure, average: str) -> tuple[float, FloatArray, ClassValues | None]:
        if average == "hand_till":
            return *self._pairs(measure, weighted=False)[1:3], None
        return super()._average(measure, average)


def multiclass(
    y_true: ArrayLike,
    proba: Any,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
) -> Multiclass:
    """Return the metrics of a model of several classes: per class, averaged and by pairs, with intervals.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        The class of each case.
    proba : array-like of shape (n, k), or dataframe
        Column j scores class ``labels[j]``; the rows need not add to 1. Columns of a frame are matched by name. An
        array of more than 134 million scores is not copied, so it must not be changed afterwards.
    labels : array-like of shape (k,), optional
        The class of each column, such as ``estimator.classes_``: by default the column names of a frame, the sorted
        classes for an array.
    sample_weight : array-like of shape (n,), optional
        Sampling weights, of which only ratios count.
    cluster : array-like of shape (n,), optional
        Such as the patient of each case: cases of a cluster may depend on each other.

    Returns
    -------
    Multiclass

    See Also
    --------
    multilabel : Labels that do not exclude each other.

    Notes
    -----
    ========================================= =================================
    scikit-learn's ``roc_auc_score``          here
    ========================================= =================================
    ``multi_class="ovr", average=None``       ``.per_class("roc_auc").values``
    ``multi_class="ovr", average="macro"``    ``.macro("roc_auc")``
    ``multi_class="ovr", average="weighted"`` ``.weighted("roc_auc")``
    ``multi_class="ovr", average="micro"``    ``.micro("roc_auc")``
    ``multi_class="ovo", average="macro"``    ``.hand_till()``
    ``multi_class="ovo", average="weighted"`` ``.one_vs_one(weighted=True)``
    ========================================= =================================

    A case adds to every class. Standard errors allow for that: those of tables of single classes that are added, as if
    rows were independent, are 13 to 21% too small for micro-averaged ROC areas in simulations.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> y = rng.choice(["cat", "dog", "owl"], 300)
    >>> proba = rng.normal(size=(300, 3)) + 1.5 * (y[:, None] == ["cat", "dog", "owl"])
    >>> found = th.multiclass(y, proba)
    >>> found.per_class("roc_auc")
    3 estimates of roc_auc, 95% intervals
      cat  0.849 (0.793 to 0.891)
      dog  0.804 (0.744 to 0.852)
      owl  0.854 (0.803 to 0.893)
    >>> found.macro("roc_auc")
    macro roc_auc = 0.836, 95% interval 0.803 to 0.862
    """
    classes, code, scores = class_columns(y_true, proba, labels)
    if len(classes) < 2:
        raise InvalidInputError("`y_true` must have two classes or more; got one.")
    kept, weight, members = case_parts(sample_weight, cluster, code.size)
    if kept is not None:
        code, scores = code[kept], scores[kept]
    return Multiclass(classes, code, scores, weight, members)


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
        The names of the labels: by default those of the columns of a frame, or 0 to k - 1.
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
