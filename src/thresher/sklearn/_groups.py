"""Figures of each group or query, and their mean with an interval over groups."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.arrays import as_labels, as_scores, as_vector, frozen
from thresher._core.checks import check_choice, check_confidence_level, check_resamples, show
from thresher._core.numeric import Numeric
from thresher._core.presented import Presented, Row
from thresher._core.values import value
from thresher._core.warn import warn
from thresher._facade import Scores
from thresher._inference import ConfidenceInterval, clipped
from thresher.exceptions import InvalidInputError, InvalidTypeError, UndefinedMetricError
from thresher.measures import Measure, as_measure
from thresher.sklearn._group_difference import GroupedDifference, group_difference
from thresher.sklearn._group_gaps import GroupGaps, GroupIntervals, group_gaps, group_intervals
from thresher.typing import ArrayLike, BoolArray, FloatArray

__all__ = ["GroupedEstimate", "by_group"]

_INTERVALS = ("t", "bootstrap")


@value(repr=False)
class GroupRows:
    """The rows of all groups, one group after the other, for what is asked of single groups later."""

    names: NDArray[Any]
    ends: NDArray[Any]
    scores: NDArray[Any]
    positive: NDArray[Any]
    weight: NDArray[Any] | None
    figure: Measure

    def tables(self, groups: NDArray[Any]) -> dict[str, Scores]:
        """Return the Scores of some of the groups by name."""
        starts = np.append(0, self.ends[:-1])
        found = {}
        for i in np.searchsorted(self.names, groups).tolist():
            rows = slice(int(starts[i]), int(self.ends[i]))
            weight = None if self.weight is None else self.weight[rows]
            found[str(self.names[i])] = Scores(self.positive[rows], self.scores[rows], sample_weight=weight)
        return found


@value(repr=False)
class GroupedEstimate(Numeric, Presented):
    """A figure for each group, and their mean.

    Parameters
    ----------
    metric : str
        What was computed.
    groups : ndarray of shape (k,)
        The groups in which it is defined.
    values : ndarray of shape (k,)
        The figure of each.
    skipped : ndarray
        Groups in which a class is missing.

    Examples
    --------
    >>> from thresher.sklearn import by_group
    >>> y = [1, 0, 0, 1, 0, 1, 0, 0, 1]
    >>> score = [0.9, 0.2, 0.6, 0.4, 0.4, 0.7, 0.8, 0.1, 0.3]
    >>> found = by_group(y, score, ["a", "a", "b", "b", "b", "c", "c", "c", "c"])
    >>> dict(zip(found.groups.tolist(), found.values.tolist()))
    {'a': 1.0, 'b': 0.25, 'c': 0.5}
    """

    _records = "by_group"

    metric: str
    groups: NDArray[Any]
    values: FloatArray
    skipped: NDArray[Any]
    _rows: GroupRows | None = field(default=None, repr=False, compare=False)

    @property
    def value(self) -> float:  # type: ignore[override]  # the mean, which is not kept
        """The mean over groups, each counting once."""
        return math.fsum(self.values.tolist()) / self.values.size

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "t", n_resamples: int = 2000, rng: Any = None
    ) -> ConfidenceInterval:
        """Return an interval for the mean over the groups that these were drawn from.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).
        method : {"t", "bootstrap"}
            Student's interval, or percentiles of means of groups drawn again.
        n_resamples, rng
            For "bootstrap".

        Returns
        -------
        ConfidenceInterval
            Inside [0, 1]; unpacks as ``(low, high)``. Groups are the sample: rows within a group add nothing to the
            certainty about other groups.

        Examples
        --------
        >>> from thresher.sklearn import by_group
        >>> y = [1, 0, 0, 1, 0, 1, 0, 0, 1]
        >>> score = [0.9, 0.2, 0.6, 0.4, 0.4, 0.7, 0.8, 0.1, 0.3]
        >>> found = by_group(y, score, ["a", "a", "b", "b", "b", "c", "c", "c", "c"])
        >>> low, high = found.confidence_interval(0.9)
        >>> round(found.value, 3), low < found.value < high
        (0.583, True)
        """
        level = check_confidence_level(confidence_level)
        kind = check_choice(method, "method", _INTERVALS)
        k = self.values.size
        if k < 2:
            raise UndefinedMetricError(f"An interval over groups needs at least 2 of them; got {k}.")
        if kind == "bootstrap":
            draws = check_resamples(n_resamples)
            picks = np.random.default_rng(rng).integers(0, k, (draws, k))
            low, high = np.quantile(self.values[picks].mean(axis=1), [(1 - level) / 2, (1 + level) / 2])
            return ConfidenceInterval(float(low), float(high), level, kind)
        reach = float(scipy.special.stdtrit(k - 1, (1 + level) / 2)) * float(self.values.std(ddof=1)) / math.sqrt(k)
        return clipped(self.value - reach, self.value + reach, level, kind)

    def intervals(
        self, confidence_level: float = 0.95, *, method: str | None = None, adjust: str = "none", rng: Any = 0
    ) -> GroupIntervals:
        """Return the figure of each group with an interval of its own, for groups that are segments and not a sample.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).
        method : str, optional
            As in `Estimate.confidence_interval` of the figure.
        adjust : {"none", "bonferroni"}
            Whether the level holds for each group alone, or for all of them together.
        rng : seed or Generator, optional
            For methods that resample.

        Returns
        -------
        GroupIntervals

        Examples
        --------
        >>> import thresher as th
        >>> from thresher.sklearn import by_group
        >>> data = th.datasets.load_digits_eight()
        >>> by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).intervals(0.9)["odd"].n_neg
        812
        """
        return group_intervals(
            *self._tables(), confidence_level=confidence_level, method=method, adjust=adjust, rng=rng
        )

    def gaps(
        self,
        reference: object = None,
        *,
        confidence_level: float = 0.95,
        method: str | None = None,
        n_resamples: int = 2000,
        rng: Any = 0,
    ) -> GroupGaps:
        """Return the differences between groups with intervals and p values: independent samples of one scorer.

        Parameters
        ----------
        reference : object, optional
            The group against which the others stand; all pairs by default.
        confidence_level : float, default=0.95
            Of each interval.
        method : str, optional
            The test, as in `compare_unpaired`.
        n_resamples, rng
            For methods that resample.

        Returns
        -------
        GroupGaps

        Warns
        -----
        ThresherWarning
            If precision is compared between groups with different shares of positives, which differs for that reason
            alone; give `by_group` the same `prevalence` for all.

        Examples
        --------
        >>> import thresher as th
        >>> from thresher.sklearn import by_group
        >>> data = th.datasets.load_digits_eight()
        >>> by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).gaps("even").widest.a
        'odd'
        """
        return group_gaps(
            *self._tables(),
            reference=reference,
            confidence_level=confidence_level,
            method=method,
            n_resamples=n_resamples,
            rng=rng,
        )

    def _tables(self) -> tuple[dict[str, Scores], Measure]:
        if self._rows is None:
            raise InvalidInputError(
                "Intervals and gaps of groups need their rows, which this result does not have. "
                "Hint: call `by_group` on the rows."
            )
        return self._rows.tables(self.groups), self._rows.figure

    def compare(
        self,
        other: GroupedEstimate,
        *,
        method: str = "t",
        alternative: str = "two-sided",
        confidence_level: float = 0.95,
        n_resamples: int = 9999,
        rng: Any = None,
    ) -> GroupedDifference:
        """Compare with the figures of another scorer in the same groups, as two runs are on the same queries.

        Parameters
        ----------
        other : GroupedEstimate
            The second scorer; groups are matched by name.
        method : {"t", "permutation"}
            Student's paired test, or Fisher's: the two are exchanged within groups, in every way for up to 16 groups.
        alternative : {"two-sided", "greater", "less"}
            "greater": this one is better.
        confidence_level : float, default=0.95
            Of the interval for the mean difference.
        n_resamples, rng
            For "permutation" of more than 16 groups.

        Returns
        -------
        GroupedDifference

        Warns
        -----
        ThresherWarning
            If a group has the figure in one of the two only.

        Examples
        --------
        >>> from thresher.sklearn import by_group
        >>> y, groups = [1, 0, 0, 1, 0, 1, 0, 0, 1], ["a", "a", "b", "b", "b", "c", "c", "c", "c"]
        >>> new = by_group(y, [0.9, 0.2, 0.4, 0.6, 0.4, 0.7, 0.8, 0.1, 0.9], groups)
        >>> old = by_group(y, [0.9, 0.2, 0.6, 0.4, 0.4, 0.7, 0.8, 0.1, 0.3], groups)
        >>> found = new.compare(old, method="permutation")
        >>> found.differences, found.pvalue
        (array([0.  , 0.75, 0.25]), 0.5)
        """
        if not isinstance(other, GroupedEstimate):
            raise InvalidTypeError(f"`other` must be a GroupedEstimate; got {show(other)}.")
        if self.metric != other.metric:
            raise InvalidInputError(
                f"`other` must be of the same metric; got {other.metric!r} where this is {self.metric!r}."
            )
        return group_difference(
            self.metric,
            (self.groups, self.values),
            (other.groups, other.values),
            method=method,
            alternative=alternative,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            rng=rng,
        )

    def _facts(self) -> Row:
        return {"metric": self.metric, "value": self.value, "skipped": self.skipped}

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {"group": self.groups, "value": self.values}

    def __repr__(self) -> str:
        skipped = f", {self.skipped.size:,} skipped" if self.skipped.size else ""
        return f"{self.metric} = {self.value:.6g}, the mean of {self.values.size:,} groups{skipped}"


def by_group(
    y_true: ArrayLike,
    y_score: ArrayLike,
    groups: ArrayLike,
    *,
    metric: str | Measure = "roc_auc",
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    **options: Any,
) -> GroupedEstimate:
    """Return a figure within each group: per patient, per site, per query.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n,)
        As for `Scores`.
    groups : array-like of shape (n,)
        The group of each row.
    metric : str or Measure, default="roc_auc"
        The figure: a name of `thresher.measures.names()`, or an object of `thresher.measures`. Tied pairs count one
        half in the ROC area; "expected_average_precision" is the mean over all orders of ties.
    pos_label : object, optional
        The label of the positive class.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows.
    **options
        Options of the measure.

    Returns
    -------
    GroupedEstimate

    Warns
    -----
    ThresherWarning
        If groups are skipped because a class is missing in them.

    Examples
    --------
    >>> from thresher.sklearn import by_group
    >>> by_group([1, 0, 0, 1, 0], [0.9, 0.2, 0.6, 0.4, 0.4], ["q1", "q1", "q2", "q2", "q2"])
    roc_auc = 0.625, the mean of 2 groups
    """
    figure = as_measure(metric, **options)
    scores = as_scores(y_score)
    keys = as_vector(groups, "groups")
    labels = as_vector(y_true, "y_true")
    for name, column in (("y_true", labels), ("groups", keys)):
        if column.size != scores.size:
            raise InvalidInputError(
                f"`{name}` and `y_score` must have the same length; got {column.size} and {scores.size}. "
                "Hint: they are columns of the same rows."
            )
    weight = None if sample_weight is None else as_vector(sample_weight, "sample_weight")
    names, place = np.unique(keys, return_inverse=True)
    order = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place))
    positive = as_labels(labels, pos_label, scores=scores)
    found = None
    if weight is None and native.available() and native.takes(scores):
        found = _all_at_once(scores[order], positive[order], ends, figure)
    if found is None:
        found = _one_by_one(scores[order], positive[order], None if weight is None else weight[order], ends, figure)
    figures = found
    sorted_weight = None if weight is None else frozen(weight[order])
    rows = GroupRows(frozen(names), frozen(ends), frozen(scores[order]), frozen(positive[order]), sorted_weight, figure)
    kept = np.flatnonzero(~np.isnan(figures))
    if not kept.size:
        raise UndefinedMetricError(
            f"Some group must hold both classes; none of {names.size} does. Hint: check `groups` and the labels."
        )
    left_out = np.setdiff1d(np.arange(names.size), kept)
    if left_out.size:
        warn(f"{left_out.size} of {names.size} groups hold one class only and are left out of the mean.")
    return GroupedEstimate(figure.title, frozen(names[kept]), frozen(figures[kept]), frozen(names[left_out]), rows)


def _one_by_one(
    scores: NDArray[Any], positive: BoolArray, weight: NDArray[Any] | None, ends: NDArray[np.intp], figure: Measure
) -> FloatArray:
    """Return the figure of each group, NaN where a class is missing."""
    figures = np.full(ends.size, np.nan)
    for i, (start, stop) in enumerate(zip(np.append(0, ends[:-1]), ends, strict=True)):
        rows = slice(start, stop)
        table = Scores(positive[rows], scores[rows], sample_weight=None if weight is None else weight[rows])
        if table.n_pos > 0 and table.n_neg > 0:
            figures[i] = figure.of(table)
    return figures


def _all_at_once(
    scores: NDArray[Any], positive: BoolArray, ends: NDArray[np.intp], figure: Measure
) -> FloatArray | None:
    """Return the same by one call of the compiled kernel, which is made for many small problems."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if figure.of_groups(np.zeros((0, 6))) is None:
            return None
        sums = native.batch(scores, positive, ends.astype(np.int64))
        found = np.asarray(figure.of_groups(sums))
        return np.where((sums[:, 1] > 0) & (sums[:, 2] > 0), found, np.nan)
