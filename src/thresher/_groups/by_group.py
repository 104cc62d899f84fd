"""A metric in each group, and its mean with an interval over groups."""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._compare import Estimates
from thresher._compare.estimation import independent_estimates
from thresher._core import native
from thresher._core.arrays import as_frequency, as_labels, as_scores, as_vector, as_weights, frozen, unequal
from thresher._core.checks import OneWarning, check_choice, check_confidence_level, check_resamples, show, warn
from thresher._core.factorise import factorised, rows_by_place
from thresher._core.presented import OfMeasure, Presented, Row
from thresher._core.random_streams import random_generator
from thresher._core.result_bases import Numeric
from thresher._core.values import value
from thresher._facade import Scores
from thresher._groups.difference import GroupedDifference, group_difference
from thresher._groups.fairness import CRITERION_NAMES, Fairness, fairness
from thresher._groups.gaps import GroupGaps, GroupIntervals, group_gaps, group_intervals
from thresher._inference import ConfidenceInterval
from thresher._table import Outcome, as_clusters, outcome_from, table_at_time
from thresher.exceptions import InvalidInputError, InvalidTypeError, UndefinedMetricError
from thresher.measures import Measure, PrAuc, RocAuc, as_measure, lacks
from thresher.typing import ArrayLike, BoolArray, FloatArray, ScoreArray


@value(repr=False)
class GroupRows:
    """The rows of all groups, one group after the other, for what is asked of single groups later."""

    names: NDArray[Any]
    ends: NDArray[Any]
    scores: NDArray[Any]
    positive: NDArray[Any]
    weight: NDArray[Any] | None
    cluster: NDArray[Any] | None
    outcome: Outcome | None = None

    def table(self, i: int) -> Scores:
        """Return the Scores of a group."""
        rows = slice(int(self.ends[i - 1]) if i else 0, int(self.ends[i]))
        if self.outcome is not None:
            return table_at_time(Scores, self.outcome.take(np.arange(rows.start, rows.stop)))
        weight, cluster = (None if part is None else part[rows] for part in (self.weight, self.cluster))
        return Scores(self.positive[rows], self.scores[rows], sample_weight=weight, cluster=cluster)._even

    def tables(self, groups: NDArray[Any]) -> dict[str, Scores]:
        """Return the Scores of some of the groups by name."""
        return {str(self.names[i]): self.table(i) for i in np.searchsorted(self.names, groups).tolist()}

    def values(self, measure: Measure) -> FloatArray:
        """Return the value of each group; NaN if it is not defined."""
        out = np.full(self.names.size, math.nan)
        for i in range(out.size):
            try:
                table = self.table(i)._even
            except UndefinedMetricError:  # no cases or no controls at the horizon
                continue
            if lacks(measure, table) is None:
                out[i] = measure.of(table)
        return out


@value(repr=False)
class GroupedEstimate(Numeric, OfMeasure, Presented):
    """A metric in each group, and its mean.

    Parameters
    ----------
    measure : Measure
        What was computed; `metric` and `options` are read from it.
    groups : ndarray of shape (k,)
        The groups in which it is defined.
    values : ndarray of shape (k,)
        The metric of each.
    skipped : ndarray
        Groups in which the metric is not defined.

    Examples
    --------
    >>> import thresher as th
    >>> y = [1, 0, 0, 1, 0, 1, 0, 0, 1]
    >>> score = [0.9, 0.2, 0.6, 0.4, 0.4, 0.7, 0.8, 0.1, 0.3]
    >>> found = th.by_group(y, score, ["a", "a", "b", "b", "b", "c", "c", "c", "c"])
    >>> dict(zip(found.groups.tolist(), found.values.tolist()))
    {'a': 1.0, 'b': 0.25, 'c': 0.5}
    """

    _records = "by_group"

    measure: Measure
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
            Inside the range of the metric; unpacks as ``(low, high)``. Groups are the sample: rows within a group add
            nothing to the certainty about other groups.

        Examples
        --------
        >>> import thresher as th
        >>> y = [1, 0, 0, 1, 0, 1, 0, 0, 1]
        >>> score = [0.9, 0.2, 0.6, 0.4, 0.4, 0.7, 0.8, 0.1, 0.3]
        >>> found = th.by_group(y, score, ["a", "a", "b", "b", "b", "c", "c", "c", "c"])
        >>> low, high = found.confidence_interval(0.9)
        >>> round(found.value, 3), low < found.value < high
        (0.583, True)
        """
        level = check_confidence_level(confidence_level)
        kind = check_choice(method, "method", ("t", "bootstrap"))
        k = self.values.size
        if k < 2:
            raise UndefinedMetricError(f"An interval over groups needs at least 2 of them; got {k}.")
        if kind == "bootstrap":
            draws = check_resamples(n_resamples)
            picks = random_generator(rng).integers(0, k, (draws, k))
            low, high = np.quantile(self.values[picks].mean(axis=1), [(1 - level) / 2, (1 + level) / 2])
            return ConfidenceInterval(float(low), float(high), level, kind)
        reach = float(scipy.special.stdtrit(k - 1, (1 + level) / 2)) * float(self.values.std(ddof=1)) / math.sqrt(k)
        least, most = self.measure.bounds
        return ConfidenceInterval(max(self.value - reach, least), min(self.value + reach, most), level, kind)

    def intervals(
        self, confidence_level: float = 0.95, *, method: str | None = None, adjust: str = "none", rng: Any = 0
    ) -> GroupIntervals:
        """Return the metric of each group with an interval of its own, for groups that are segments and not a sample.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).
        method : str, optional
            As in `Estimate.confidence_interval`.
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
        >>> data = th.datasets.load_digits_eight()
        >>> th.by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).intervals(0.9)["odd"].n_neg
        812
        """
        with OneWarning() as said:
            tables = self._tables()
            how = {"confidence_level": confidence_level, "method": method, "adjust": adjust, "rng": rng}
            return said.by(group_intervals(*tables, **how))

    def estimates(self) -> Estimates:
        """Return the metric of each group with the covariance of the groups, which clusters in several of them make.

        Returns
        -------
        Estimates
            With contrasts, ratios, intervals that hold together, and ranks. Groups that overlap, or a group and all
            rows, are estimates of one model with different rows: `th.estimates(..., seen=...)`.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> found = th.by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).estimates()
        >>> found.ratio("even", "odd")
        even / odd = 1.045, 95% interval 0.969 to 1.127, p = 0.25
        """
        tables, measure = self._tables()
        return independent_estimates(list(tables), list(tables.values()), measure, self.values)

    def gaps(
        self,
        reference: object = None,
        *,
        confidence_level: float = 0.95,
        method: str | None = None,
        n_resamples: int = 2000,
        rng: Any = 0,
    ) -> GroupGaps:
        """Return the differences between groups with intervals and p values.

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
            If the metric depends on the prevalence and the groups have different ones; give `by_group` the same
            `prevalence` for all.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> th.by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).gaps("even").largest.a
        'even'
        """
        how = {"confidence_level": confidence_level, "method": method, "n_resamples": n_resamples, "rng": rng}
        with OneWarning() as said:
            return said.by(group_gaps(*self._tables(), reference=reference, **how))

    def _tables(self) -> tuple[dict[str, Scores], Measure]:
        return self._own_rows().tables(self.groups), self.measure

    def _own_rows(self) -> GroupRows:
        if self._rows is None:
            raise InvalidInputError(
                "Intervals and gaps of groups need their rows, which this result does not have. "
                "Hint: call `th.by_group` on the rows."
            )
        return self._rows

    def fairness(self, threshold: float | None = None, *, confidence_level: float = 0.95, rng: Any = 0) -> Fairness:
        """Return fairness criteria between the groups: the largest gaps of what each requires to be equal.

        Demographic parity (predicted positive rates), equal opportunity (recalls), equalised odds (recalls and false
        positive rates), predictive parity (precisions).

        Parameters
        ----------
        threshold : float, optional
            Rows with at least this score are predicted positive; may be left out if the metric has a threshold.
        confidence_level : float, default=0.95
            Of each interval.
        rng : seed or Generator, optional
            For intervals that resample.

        Returns
        -------
        Fairness

        Notes
        -----
        Groups without the class that a rate needs have no part in it. An interval holds whatever the groups are,
        equal ones included: its upper limit is that of the pair of groups that differ most, and its lower limit holds
        for all pairs at once.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> found = th.by_group(data.y_true, data.tree, ["even", "odd"] * 898 + ["even"]).fairness(0.5)
        >>> odds = found["equalised_odds"]
        >>> f"{odds.value:.3f}, {odds.low:.3f} to {odds.high:.3f}"
        '0.110, 0.000 to 0.246'
        """
        rows = self._own_rows()
        return fairness(
            rows.tables(rows.names), self.measure, threshold=threshold, confidence_level=confidence_level, rng=rng
        )

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
        """Compare with the values of another model in the same groups, as two runs are on the same queries.

        Parameters
        ----------
        other : GroupedEstimate
            The second model; groups are matched by name.
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
            If a group has a value in one of the two only.

        Examples
        --------
        >>> import thresher as th
        >>> y, groups = [1, 0, 0, 1, 0, 1, 0, 0, 1], ["a", "a", "b", "b", "b", "c", "c", "c", "c"]
        >>> new = th.by_group(y, [0.9, 0.2, 0.4, 0.6, 0.4, 0.7, 0.8, 0.1, 0.9], groups)
        >>> old = th.by_group(y, [0.9, 0.2, 0.6, 0.4, 0.4, 0.7, 0.8, 0.1, 0.3], groups)
        >>> found = new.compare(old, method="permutation")
        >>> found.differences, found.pvalue
        (array([0.  , 0.75, 0.25]), 0.5)
        """
        if not isinstance(other, GroupedEstimate):
            raise InvalidTypeError(f"`other` must be a GroupedEstimate; got {show(other)}.")
        if self.measure != other.measure:
            raise InvalidInputError(
                f"`other` must be of the same metric; got {other.measure.described()} where this is "
                f"{self.measure.described()}."
            )
        return group_difference(
            self.measure,
            (self.groups, self.values),
            (other.groups, other.values),
            method=method,
            alternative=alternative,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            rng=rng,
        )

    def _facts(self) -> Row:
        return {"metric": self.metric, "options": self.options, "value": self.value, "skipped": self.skipped}

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {"group": self.groups, "value": self.values}

    def __repr__(self) -> str:
        skipped = f", {self.skipped.size:,} skipped" if self.skipped.size else ""
        return f"{self.measure.described()} = {self.value:.4g}, the mean of {self.values.size:,} groups{skipped}"


def by_group(
    y_true: ArrayLike | None,
    y_score: ArrayLike,
    by: ArrayLike,
    *,
    metric: str | Measure = "roc_auc",
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    frequency: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    **options: Any,
) -> GroupedEstimate:
    """Return a metric within each group: per segment, per site, per query.

    Parameters
    ----------
    y_true, y_score : array-like of shape (n,)
        As for `Scores`.
    by : array-like of shape (n,)
        The group of each row.
    metric : str or Measure, default="roc_auc"
        A name of `thresher.measures.names()`, or an object of `thresher.measures`. Tied pairs count one half in the
        ROC area; "expected_average_precision" is the mean over all orders of ties.
    pos_label : object, optional
        The label of the positive class.
    sample_weight, frequency, cluster : array-like of shape (n,), optional
        Weights, numbers and clusters of the rows, as for `Scores`.
    **options
        Options of the measure. For an outcome in time, with None for `y_true`: `time`, `event` and `at` (the horizon),
        and what `Scores.at_time` takes beside; censoring is estimated within each group.

    Returns
    -------
    GroupedEstimate

    Warns
    -----
    ThresherWarning
        If groups are skipped because the metric is not defined in them, such as a recall without positives.

    Examples
    --------
    >>> import thresher as th
    >>> th.by_group([1, 0, 0, 1, 0], [0.9, 0.2, 0.6, 0.4, 0.4], ["q1", "q1", "q2", "q2", "q2"])
    roc_auc = 0.625, the mean of 2 groups
    """
    if isinstance(metric, str) and metric in CRITERION_NAMES:
        raise InvalidInputError(
            f"`metric` must be a metric; got the fairness criterion {metric!r}. Hint: "
            f"`th.by_group(y_true, y_score, by).fairness(threshold=0.5)[{metric!r}]`."
        )
    outcome = outcome_from(options, y_true, sample_weight=sample_weight, cluster=cluster, frequency=frequency)
    measure = as_measure(metric, **options)
    scores = as_scores(y_score)
    keys = as_vector(by, "by")
    if outcome is not None:
        return _at_time(outcome, scores, keys, measure)
    labels = as_vector(y_true, "y_true")
    for name, column in (("y_true", labels), ("by", keys)):
        if column.size != scores.size:
            raise InvalidInputError(
                f"`{name}` and `y_score` must have the same length; got {column.size} and {scores.size}. "
                "Hint: they are columns of the same rows."
            )
    positive = as_labels(labels, pos_label, scores=scores)
    weight = None if sample_weight is None else as_weights(sample_weight, scores.size)
    members = None if cluster is None else as_clusters(cluster, scores.size)
    if frequency is not None:
        rows = np.repeat(np.arange(scores.size), as_frequency(frequency, scores.size))
        scores, positive, keys = scores[rows], positive[rows], keys[rows]
        weight, members = (None if column is None else column[rows] for column in (weight, members))
    names, place = factorised(keys)
    order = rows_by_place(place)
    ends = np.cumsum(np.bincount(place))
    extra = [None if column is None else frozen(column[order]) for column in (weight, members)]
    ordered, ordered_positive = scores[order], positive[order]
    rows_of = GroupRows(frozen(names), frozen(ends), frozen(ordered), frozen(ordered_positive), extra[0], extra[1])
    found = None
    if weight is None and native.available() and native.takes(scores):
        found = _all_at_once(ordered, ordered_positive, ends, measure)
    return _grouped(rows_of, rows_of.values(measure) if found is None else found, measure)


def _at_time(outcome: Outcome, scores: ScoreArray, keys: NDArray[Any], measure: Measure) -> GroupedEstimate:
    """Return the metric of an outcome in time within each group that has cases and controls at the horizon."""
    for name, column in (("y_score", scores), ("by", keys)):
        if column.size != outcome.before:
            raise unequal(name, column.size, "time", outcome.before)
    names, place = np.unique(outcome.of_given(keys), return_inverse=True)
    order = np.argsort(place, kind="stable")
    ends = np.cumsum(np.bincount(place))
    rows = outcome.scored(outcome.of_given(scores.copy())).take(order)
    ordered = frozen(outcome.of_given(scores)[order])
    found = GroupRows(frozen(names), frozen(ends), ordered, frozen(rows.positive), None, None, rows)
    return _grouped(found, found.values(measure), measure)


def _grouped(rows_of: GroupRows, values: FloatArray, measure: Measure) -> GroupedEstimate:
    """Return the values of the groups in which the metric is defined."""
    names = rows_of.names
    kept = np.flatnonzero(~np.isnan(values))
    if not kept.size:
        raise UndefinedMetricError(
            f"{measure.title!r} must be defined in some group; it is in none of {names.size}. "
            "Hint: check `by` and the labels."
        )
    left_out = np.setdiff1d(np.arange(names.size), kept)
    if left_out.size:
        warn(
            f"{measure.title!r} is not defined in {left_out.size} of {names.size} groups, such as those without "
            "positives or without negatives. They are left out of the mean."
        )
    return GroupedEstimate(measure, frozen(names[kept]), frozen(values[kept]), frozen(names[left_out]), rows_of)


def _all_at_once(
    scores: NDArray[Any], positive: BoolArray, ends: NDArray[np.intp], measure: Measure
) -> FloatArray | None:
    """Return the same by one call of the compiled kernel, which is made for many small problems."""
    quotient = {
        RocAuc(): lambda sums: sums[:, 3] / (2.0 * sums[:, 1] * sums[:, 2]),
        PrAuc("average_precision"): lambda sums: sums[:, 4] / sums[:, 1],
        PrAuc(): lambda sums: sums[:, 5] / sums[:, 1],
    }.get(measure)
    if quotient is None:
        return None
    sums = native.batch(scores, positive, ends.astype(np.int64))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((sums[:, 1] > 0) & (sums[:, 2] > 0), quotient(sums), np.nan)
