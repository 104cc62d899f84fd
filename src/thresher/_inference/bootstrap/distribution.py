"""The bootstrap distribution of a metric, from a table or from rows, and the intervals read from it."""

from __future__ import annotations

import math
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.arrays import as_frequency, as_labels, as_scores, as_weights, frozen
from thresher._core.checks import OneWarning, check_choice, check_confidence_level, warn
from thresher._core.digits import near
from thresher._core.order import canonical_order
from thresher._core.random_streams import Key, batch_rows, run_batches, stream_key
from thresher._core.values import StandardError, value
from thresher._inference.bootstrap.resampling import Resampled, Resampling, classes_apart, draws_of, table_for, warn_few
from thresher._inference.interval import ConfidenceInterval
from thresher._inference.sampling import CountDraws, Draws, UnitDraws, UnitTables, acceleration, make_units, sampling_of
from thresher._table import Counts, Outcome, all_equal, as_clusters, grid_of, row_columns, scored_table
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import ArrayLike, FloatArray

BOOTSTRAP_METHODS = ("percentile", "bca", "studentized")
_ROUNDING = 1e-13
"""Values that differ by less than this part of them are equal."""


@value(slots=False, repr=False)
class BootstrapDistribution:
    """The value of a metric in each resample.

    Attributes
    ----------
    value : float
        The metric of the data.
    replicates : array of float64, shape (n_resamples,)
        Element i is the metric of resample i. It depends on the data and on `rng` only: not on the batch size, the
        number of threads, or how many other resamples are drawn.
    metric : str
        Which metric it is.

    Examples
    --------
    >>> import thresher as th
    >>> y = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    >>> score = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    >>> found = th.bootstrap(y, score, n_resamples=500, rng=1)
    >>> found.value, round(found.standard_error, 2)
    (0.72, 0.18)
    >>> found.value in found.confidence_interval(0.9)
    True
    """

    value: float
    replicates: FloatArray
    metric: str
    _measure: Resampled = field(repr=False)
    _draws: Draws = field(repr=False, compare=False)
    _table: Counts | None = field(repr=False, compare=False)
    _key: Key = field(repr=False)
    _batch_size: int | None = field(repr=False, compare=False)
    _workers: int = field(repr=False, compare=False)

    @property
    def standard_error(self) -> StandardError:
        """The standard deviation of the replicates; 0 with a single one. It can also be called as a method."""
        if not np.isfinite(self.replicates).all():
            warn(
                f"{self.metric!r} is infinite or not defined in some resamples, so it has no standard error. "
                "Hint: `confidence_interval(method='percentile')` allows for them."
            )
            return StandardError(math.nan)
        return StandardError(self.replicates.std(ddof=1) if self.replicates.size > 1 else 0.0)

    @property
    def bias(self) -> float:
        """The mean of the replicates minus the value: what resampling adds on average."""
        return float(self.replicates.mean()) - self.value

    @cached_property
    def acceleration(self) -> float:
        """How fast the standard error changes with the value: the constant a of the BCa interval.

        A sixth of the skewness of the influence of single cases (or clusters), in closed form for measures that have
        it; for others from leaving out one case at up to 400 places of each class, or each cluster in turn.
        """
        return _acceleration(self._draws, self._measure, self._columns)

    @cached_property
    def _columns(self) -> Counts | None:
        """The table whose influence values tell of the replicates: of the columns that are drawn, if ranks are enough.

        So a table on a device stays there.
        """
        if not isinstance(self._draws, CountDraws) or self._draws.scores is not None:
            return self._table
        pos, neg = self._draws.unit_counts
        return Counts._from_table((-np.arange(pos.size), pos, neg))

    def confidence_interval(self, confidence_level: float = 0.95, *, method: str = "bca") -> ConfidenceInterval:
        """Return an interval inside the range of the metric.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        method : {"bca", "percentile", "studentized"}
            ``"percentile"`` takes the quantiles of the replicates. ``"bca"`` shifts them for bias and acceleration.
            ``"studentized"`` takes the quantiles of (replicate - value) / standard error of the replicate, on the
            logit scale; it needs a metric with influence values and independent cases without weights, more than one in
            each class.

        Returns
        -------
        ConfidenceInterval

        Warns
        -----
        ThresherWarning
            When no resample differs from the data, as with areas of 0 or 1: the interval is a single point.

        Notes
        -----
        For BCa the rate of replicates below the value counts ties one half and is kept half a replicate away from 0
        and 1. A replicate whose area is 0 or 1, or in which a class has a standard error of 0, counts as infinitely
        far away in the studentised interval, so that many of them push the end to the edge of the range.

        References
        ----------
        .. [1] B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), 171-185.
           https://doi.org/10.1080/01621459.1987.10478410
        .. [2] A. C. Davison and D. V. Hinkley, "Bootstrap methods and their application" (1997), chapters 3 and 5.
           https://doi.org/10.1017/CBO9780511802843

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> found = th.bootstrap(data.y_true, data.tree, n_resamples=500, rng=1)
        >>> low, high = found.confidence_interval(0.9, method="percentile")
        >>> round(low, 3), round(high, 3)
        (0.85, 0.905)
        """
        with OneWarning():
            level = check_confidence_level(confidence_level)
            kind = check_choice(method, "method", BOOTSTRAP_METHODS)
            if kind == "studentized":
                self._check_studentized()
            if np.ptp(self.replicates) == 0.0 and math.isclose(self.replicates[0], self.value, rel_tol=1e-12):
                warn(
                    f"No resample differs from the data: the bootstrap interval of {self.metric} is the single point "
                    f"{self.value:g} and says nothing about other samples. Hint: {self._measure.where_resampling_fails}"
                )
                return ConfidenceInterval(self.value, self.value, level, method)
            tail = (1.0 - level) / 2.0
            if kind == "studentized":
                low, high = self._studentized(tail)
            else:
                ends = (tail, 1.0 - tail) if kind == "percentile" else self._bca_levels(tail)
                low, high = outer_quantiles(self.replicates, *ends)
            least, most = self._measure.bounds
            low, high = (min(max(end, least), most) for end in (low, high))
            return ConfidenceInterval(low, high, level, method)

    def _bca_levels(self, tail: float) -> tuple[float, float]:
        # A resample that is the data again may differ from them in the last digit: sums are taken in another order.
        same = self.replicates == self.value  # infinite values too
        apart = np.subtract(self.replicates, self.value, out=np.zeros(same.size), where=~same)
        apart[np.abs(apart) <= _ROUNDING * abs(self.value)] = 0.0
        below = np.count_nonzero(apart < 0.0) + 0.5 * np.count_nonzero(apart == 0.0)
        size = self.replicates.size
        shift = float(scipy.special.ndtri(min(max(below / size, 0.5 / size), 1.0 - 0.5 / size)))

        def level(z: float) -> float:
            away = shift + z
            room = 1.0 - self.acceleration * away
            # Beyond its pole the correction has no meaning; the end then is the extreme replicate on that side.
            return float(scipy.special.ndtr(shift + away / room)) if room > 0 else float(away > 0)

        return level(float(scipy.special.ndtri(tail))), level(-float(scipy.special.ndtri(tail)))

    def _check_studentized(self) -> CountDraws:
        if not isinstance(self._draws, CountDraws) or self._columns is None:
            raise InvalidInputError(
                "`method='studentized'` must resample single cases without weights; got clusters or weights. "
                "Hint: method='bca' works for them too."
            )
        if self._measure.influence(self._columns) is None or not all(map(math.isfinite, self._measure.bounds)):
            raise InvalidInputError(
                f"`method='studentized'` must have a metric with finite bounds and an analytic standard error; got "
                f"{self.metric!r}. Hint: method='bca' works for every metric."
            )
        return self._draws

    def _studentized(self, tail: float) -> tuple[float, float]:
        draws = self._check_studentized()
        pos, neg = draws.observed()
        own = float(_variances(draws, self._measure, (pos, neg))[0])
        if math.isnan(own):
            raise UndefinedMetricError(
                "`method='studentized'` needs more than one positive and more than one negative. "
                "Hint: method='percentile' answers with one case of a class."
            )

        least, most = self._measure.bounds
        width = most - least
        share = (self.value - least) / width
        if own == 0.0 or not 0.0 < share < 1.0:
            warn(
                f"At {self.value:g} {self.metric} has no standard error on the logit scale; "
                "the percentile interval is given instead of the studentised one."
            )
            return outer_quantiles(self.replicates, tail, 1.0 - tail)

        kernel = self._measure.kernel
        asks = None if kernel is None or not draws.measurable else kernel.variances

        def work(first: int, count: int) -> FloatArray:
            if asks is not None:
                return np.asarray(draws.measured(asks, self._key, first, count).delong)
            return _variances(draws, self._measure, draws.draw(self._key, first, count))

        rows = batch_rows(draws.width) if asks is None else draws.rows_at_once(self._measure)
        rows = rows if self._batch_size is None else self._batch_size
        variances = run_batches(work, self.replicates.size, rows=rows, workers=self._workers)
        t = _studentized_distances((self.replicates - least) / width, variances / width**2, share)
        # The quantiles are order statistics: between a finite and an infinite one there is nothing to interpolate.
        low_t, high_t = np.quantile(t, (tail, 1.0 - tail), method="inverted_cdf")
        scale = math.sqrt(own) / width / (share * (1.0 - share))
        centre = float(scipy.special.logit(share))
        low, high = (float(scipy.special.expit(centre - end * scale)) for end in (high_t, low_t))
        return least + width * low, least + width * high

    def __repr__(self) -> str:
        shown = near(self.value, self.standard_error)
        return (
            f"BootstrapDistribution of {self.metric}: value {shown}, {self.replicates.size:,} resamples, "
            f"standard error {self.standard_error:.3g}"
        )


def outer_quantiles(replicates: FloatArray, low: float, high: float) -> tuple[float, float]:
    """Return two quantiles; between infinite values there is nothing to interpolate, and NaN may be on either side."""
    if np.isfinite(replicates).all():
        ends = np.quantile(replicates, (low, high))
        return float(ends[0]), float(ends[1])
    down, up = (np.where(np.isnan(replicates), worst, replicates) for worst in (-np.inf, np.inf))
    return float(np.quantile(down, low, method="lower")), float(np.quantile(up, high, method="higher"))


def _studentized_distances(replicates: FloatArray, variances: FloatArray, value: float) -> FloatArray:
    """Return (replicate - value) / standard error on the logit scale, infinite where there is no standard error."""
    inside = (replicates > 0) & (replicates < 1) & (variances > 0)
    safe = np.where(inside, replicates, 0.5)
    scale = np.sqrt(np.where(inside, variances, 1.0)) / (safe * (1.0 - safe))
    distance = (scipy.special.logit(safe) - float(scipy.special.logit(value))) / scale
    return np.where(inside, distance, np.copysign(np.inf, replicates - value))


def _variances(draws: CountDraws, measure: Resampled, tables: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Return the analytic variance of each table's value; NaN if a class has not more than one case."""
    pos, neg = tables
    out = np.full(pos.shape[0], np.nan)
    scores = -np.arange(pos.shape[1], dtype=np.float64) if draws.scores is None else draws.scores
    for row in np.flatnonzero((pos.sum(axis=1) > 1) & (neg.sum(axis=1) > 1)).tolist():
        seen = (pos[row] > 0) | (neg[row] > 0)
        table = Counts._from_table((scores[seen], pos[row, seen], neg[row, seen]))
        out[row] = measure.spread(table, "fixed" if draws.stratified else "random").variance
    return out


def _acceleration(draws: Draws, measure: Resampled, table: Counts | None) -> float:
    influence = None if table is None else measure.influence(table)
    if table is not None and influence is not None:
        design = "fixed" if draws.stratified else "random"
        return acceleration(sampling_of(table).pulls(influence, design=design))
    by_stratum: dict[int, list[tuple[FloatArray, FloatArray]]] = {}
    units: dict[int, float] = {}
    for part in draws.left_out():
        by_stratum.setdefault(part.stratum, []).append((part.times, measure.values(draws.batch((part.pos, part.neg)))))
        units[part.stratum] = part.units
    pulls = []
    for stratum, columns in by_stratum.items():
        times, values = (np.concatenate(column) for column in zip(*columns, strict=True))
        mean = float((times * values).sum() / times.sum())
        away = mean - values
        away[np.abs(away) <= _ROUNDING * abs(mean)] = 0.0
        pulls.append((times, (units[stratum] - 1) * away / units[stratum]))
    return acceleration(pulls)


def run_bootstrap(
    draws: Draws, measure: Resampled, how: Resampling, table: Counts | None = None
) -> BootstrapDistribution:
    """Draw the replicates."""
    rows = draws.rows_at_once(measure) if how.batch_size is None else how.batch_size
    key = stream_key(how.rng)

    def work(first: int, count: int) -> FloatArray:
        return draws.values(measure, key, first, count)

    replicates = run_batches(work, how.n_resamples, rows=rows, workers=how.workers, progress=how.progress)
    return BootstrapDistribution(
        draws.value(measure), frozen(replicates), measure.title, measure, draws, table, key, how.batch_size, how.workers
    )


def bootstrap_table(counts: Counts, measure: Resampled, how: Resampling | None = None) -> BootstrapDistribution:
    """Bootstrap a table of counts, of sampling weights or of clusters.

    Clusters are drawn whole: within the classes if none holds both, else from all.
    """
    how = Resampling() if how is None else how
    table = table_for(counts, measure)
    draws = draws_of(table, measure, stratified=classes_apart(measure, how.stratified) is not False)
    if draws.units is not None:
        warn_few(*draws.units, measure, unit=draws.unit)
    return run_bootstrap(draws, measure, how, table)


def bootstrap_rows(
    y_true: ArrayLike | None,
    y_score: ArrayLike,
    measure: Resampled,
    resampling: Resampling,
    *,
    cluster: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    frequency: ArrayLike | None = None,
    pos_label: object = None,
    outcome: Outcome | None = None,
) -> BootstrapDistribution:
    """Resample cases, or whole clusters of cases, and measure each resample."""
    if outcome is not None:
        timed = scored_table(Counts, outcome, y_score)._even
        measure.estimate(timed)  # refuses what the measure cannot be computed on
        by_chance = resampling.stratified is None and measure.needs_balance
        return bootstrap_table(timed, measure, replace(resampling, stratified=False) if by_chance else resampling)
    assert y_true is not None  # noqa: S101  # for the type checker
    counts = Counts(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, frequency=frequency, cluster=cluster
    )._even
    measure.estimate(counts)  # refuses what the measure cannot be computed on
    if cluster is None and table_for(counts, measure)._independent:
        return bootstrap_table(counts, measure, resampling)
    positive, scores = as_labels(y_true, pos_label).copy(), as_scores(y_score).copy()
    weight = None if sample_weight is None else as_weights(sample_weight, scores.size)
    members = None if cluster is None else as_clusters(cluster, scores.size)
    if frequency is not None:
        # A row stands for several, each drawn by itself, or with its cluster.
        times = as_frequency(frequency, scores.size)
        repeated = np.repeat(np.arange(scores.size), times)
        positive, scores = positive[repeated], scores[repeated]
        weight, members = (_taken(column, repeated) for column in (weight, members))
    if weight is not None:  # a row without weight is not there, and rows of one weight have none
        kept = np.flatnonzero(weight > 0)
        positive, scores, members, weight = positive[kept], scores[kept], _taken(members, kept), weight[kept]
        weight = None if all_equal(weight) else weight
    codes = None if members is None else np.unique(members, return_inverse=True)[1].reshape(-1)
    # The same draws for the same rows, however they were stored.
    order = canonical_order([column for column in (scores, positive, weight, codes) if column is not None])
    positive, scores, weight = positive[order], scores[order], _taken(weight, order)
    units = make_units(positive, _taken(members, order), stratified=classes_apart(measure, resampling.stratified))
    unit = "case" if cluster is None else "cluster"
    if len(units.strata) == 2:
        n_pos, n_neg = (stratum.size for stratum in units.strata)
        warn_few(n_pos, n_neg, measure, unit=unit)
    grid = grid_of(measure.needs, counts.thresholds, counts.pos, counts.neg, measure.cut)
    table = UnitTables(positive, row_columns(counts.thresholds, scores, grid), units, grid, weight)
    return run_bootstrap(UnitDraws(units, table, unit=unit), measure, resampling, counts)


def _taken(column: NDArray[Any] | None, rows: NDArray[np.intp]) -> NDArray[Any] | None:
    return None if column is None else column[rows]
