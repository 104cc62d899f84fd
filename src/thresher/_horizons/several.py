"""`th.time_dependent`: measures of outcomes in time at several horizons, for one or several models."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import scipy

from thresher._compare import compare, holm
from thresher._core.arrays import frozen
from thresher._core.checks import check_confidence_level, show, warn
from thresher._core.result_bases import Guessed
from thresher._core.values import Frozen
from thresher._facade import Scores
from thresher._horizons.at_horizon import ByScore, HorizonValue, incidence_at, known_rows, logit_ends, roc_at
from thresher._horizons.concordance import concordance_at
from thresher._horizons.given import read_horizons, read_models, score_columns, with_known
from thresher._horizons.over_time import OverTime, OverTimeComparison, TimeSummary
from thresher._inference.interval import normal_quantile
from thresher._inference.sampling import influence_by_row, sampling_of
from thresher._table import Horizon, Outcome, read_outcome, table_at_time
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Measure, RocAuc, as_measure
from thresher.typing import ArrayLike, FloatArray, ScoreArray

_FEW = 10  # cases or controls below which a horizon has no part in a band
_DRAWS = 100_000


def time_dependent(
    time: ArrayLike,
    event: ArrayLike,
    scores: ArrayLike | Mapping[str, ArrayLike],
    times: ArrayLike,
    *,
    cause: int = 1,
    controls: str = "all",
    censoring: str | ArrayLike = "kaplan-meier",
    strata: ArrayLike | None = None,
    entry: ArrayLike | None = None,
    censored_at_t: str = "event-free",
    sample_weight: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
) -> TimeDependent:
    """Evaluate models of an outcome in time at several horizons.

    Parameters
    ----------
    time, event : array-like of shape (n,)
        As for `Scores.at_time`.
    scores : array-like or mapping of str to array-like
        The scores of one model, or of each by name; larger for rows at higher risk. Of shape (n,), or (n, k) with a
        column for each horizon, such as predicted risks.
    times : array-like of shape (k,)
        The horizons, in any order.
    censoring : {"kaplan-meier"} or array-like of shape (n, k)
        As for `Scores.at_time`, with a column for each horizon.
    cause, controls, strata, entry, censored_at_t, sample_weight, cluster
        As for `Scores.at_time`.

    Returns
    -------
    TimeDependent
        Rows are sorted once; each horizon of the ROC AUC is a few passes over them.

    See Also
    --------
    Scores.at_time : One model at one horizon.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_trial()
    >>> found = th.time_dependent(data.time, data.event, data.models, [365, 730, 1095])
    >>> found
    TimeDependent of 800 rows: index, marker at t = 365, 730, 1,095
    >>> found.mean_roc_auc()
    mean_roc_auc until 1,095, 95% intervals
      index   0.757 (0.720 to 0.792)
      marker  0.682 (0.640 to 0.721)
    """
    horizons = read_horizons(times)
    several = not isinstance(censoring, str)
    rows = read_outcome(
        time,
        event,
        float(horizons[0]),
        cause=cause,
        controls=controls,
        censoring="kaplan-meier" if several else censoring,
        strata=strata,
        entry=entry,
        censored_at_t=censored_at_t,
        sample_weight=sample_weight,
        cluster=cluster,
    )
    _ = rows.v, rows.happened, rows.followed, rows.unit  # shared by all horizons
    order = np.argsort(horizons)
    models = {name: score_columns(values, name, rows, order) for name, values in read_models(scores).items()}
    at = [rows.at(Horizon(float(t), cause, controls, censored_at_t)) for t in horizons[order]]
    if several:
        at = with_known(at, censoring, rows, order)
    return TimeDependent([one.checked().settled() for one in at], models)


class TimeDependent(Guessed, Frozen):
    """Models of an outcome in time, evaluated at several horizons.

    Attributes
    ----------
    times : array of float64
        The horizons, earliest first.
    models : tuple of str
        The models, in the order they were given.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_trial()
    >>> found = th.time_dependent(data.time, data.event, data.index, [365, 1095])
    >>> found.measure("average_precision")
    average_precision over time, 95% intervals at each horizon
      t = 365    score  0.426 (0.341 to 0.516)  128 cases
      t = 1,095  score  0.665 (0.601 to 0.723)  269 cases
    >>> found.at(365).choose_threshold(maximize="youden").recall.__round__(2)
    0.74
    """

    times: FloatArray
    models: tuple[str, ...]

    def __init__(self, at: list[Outcome], models: Mapping[str, tuple[ScoreArray, ...]]) -> None:
        times = frozen(np.array([one.horizon.t for one in at]))
        self.__dict__.update(_at=tuple(at), _scores=dict(models), times=times, models=tuple(models))

    def _score(self, model: str, k: int) -> ScoreArray:
        columns: tuple[ScoreArray, ...] = self.__dict__["_scores"][model]
        return columns[k] if len(columns) > 1 else columns[0]

    @property
    def _rows(self) -> tuple[Outcome, ...]:
        rows: tuple[Outcome, ...] = self.__dict__["_at"]
        return rows

    def at(self, t: float, model: str | None = None) -> Scores:
        """Return the Scores of a model at one of the horizons.

        Parameters
        ----------
        t : float
            One of `times`.
        model : str, optional
            The model; needed if there are several.

        Returns
        -------
        Scores

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_trial()
        >>> found = th.time_dependent(data.time, data.event, data.models, [365, 1095])
        >>> round(found.at(1095, "index").roc_auc(), 4)
        0.7528
        """
        place = np.flatnonzero(self.times == t)
        if not place.size:
            raise InvalidInputError(f"`t` must be one of the horizons; got {show(t)}. Hint: {self.times.tolist()}.")
        return self._table(self._one(model), int(place[0]))

    def _one(self, model: str | None) -> str:
        if model is None and len(self.models) == 1:
            return self.models[0]
        if model not in self.models or model is None:
            raise InvalidInputError(
                f"`model` must be one of {', '.join(map(repr, self.models))}; got {show(model)}. "
                f"Hint: `.at({self.times[0]:g}, model={self.models[0]!r})`."
            )
        return model

    def _table(self, model: str, k: int) -> Scores:
        return table_at_time(Scores, self._rows[k].scored(self._score(model, k)))

    @cached_property
    def _by_score(self) -> dict[int, ByScore]:
        return {}

    def _order(self, score: ScoreArray) -> ByScore:
        return self._by_score.setdefault(id(score), ByScore(score))  # the scores live as long as this object

    def _value(self, measure: Measure, model: str, k: int) -> HorizonValue:
        """Return the value of a measure at a horizon; without influence values its variance is NaN."""
        if measure == RocAuc():
            return roc_at(self._rows[k], self._order(self._score(model, k)))
        table = self._table(model, k)
        rows, influence = self._rows[k].scored(self._score(model, k)), measure.influence(table)
        found = measure.estimate(table).value
        if influence is None:
            return HorizonValue(found, np.full(1, math.nan), math.nan)
        u = influence_by_row(rows, sampling_of(table), influence, rows.cells(table.thresholds))
        return HorizonValue(found, rows.by_unit(rows.chained(u)), measure.spread(table).variance)

    def measure(self, metric: str | Measure = "roc_auc", *, confidence_level: float = 0.95, **options: Any) -> OverTime:
        """Return a measure of each model at each horizon, with pointwise intervals.

        Parameters
        ----------
        metric : str or Measure, default="roc_auc"
            A name of `thresher.measures.names()`, or an object of `thresher.measures`.
        confidence_level : float, default=0.95
            Of each interval.
        **options
            The options of the measure.

        Returns
        -------
        OverTime
            Areas under the ROC curve have intervals on the logit scale; other measures the default interval that
            they have at a single horizon.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_trial()
        >>> found = th.time_dependent(data.time, data.event, data.index, [365, 1095])
        >>> found.measure("recall_at_fpr", fpr=0.2).value.round(3)
        array([0.584, 0.574])
        """
        asked, level = as_measure(metric, **options), check_confidence_level(confidence_level)

        def ends(model: str, k: int, found: HorizonValue) -> tuple[float, float]:
            if asked == RocAuc():
                return logit_ends(found, asked, normal_quantile(level))
            return tuple(asked.estimate(self._table(model, k)).confidence_interval(level))  # type: ignore[return-value]

        return self._over_time(asked, level, ends, simultaneous=False)

    def band(self, metric: str | Measure = "roc_auc", *, confidence_level: float = 0.95, **options: Any) -> OverTime:
        """Return a measure of each model with a band that covers all horizons together.

        Horizons with fewer than ten cases or ten controls have no part in it, and no limits: single rows decide there.

        Parameters
        ----------
        metric, **options
            As in `measure`; the metric must have influence values.
        confidence_level : float, default=0.95
            Of all horizons of a model together.

        Returns
        -------
        OverTime

        Warns
        -----
        ThresherWarning
            If horizons are left out.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_trial()
        >>> found = th.time_dependent(data.time, data.event, data.index, [365, 730, 1095])
        >>> found.band("roc_auc").low.round(3)
        array([0.718, 0.686, 0.706])
        """
        asked, level = as_measure(metric, **options), check_confidence_level(confidence_level)
        sizes = [known_rows(rows) for rows in self._rows]
        used = [k for k, size in enumerate(sizes) if min(size) >= _FEW]
        if len(used) < len(sizes):
            left = ", ".join(f"{self.times[k]:g}" for k in range(len(sizes)) if k not in used)
            warn(
                f"The band leaves out t = {left}, with fewer than {_FEW} cases or controls, at which no band covers. "
                f"Hint: choose horizons with at least {_FEW} of both."
            )
        if not used:
            raise UndefinedMetricError(
                f"A band needs a horizon with at least {_FEW} cases and {_FEW} controls; there is none. "
                "Hint: `measure` has intervals at each horizon."
            )
        reach: dict[str, float] = {}

        def ends(model: str, k: int, found: HorizonValue) -> tuple[float, float]:
            if math.isnan(found.variance):
                raise InvalidInputError(
                    f"{asked.title!r} has no influence values, which a band needs. Hint: `measure` has intervals at "
                    "each horizon."
                )
            if k not in used:
                return math.nan, math.nan
            if model not in reach:
                reach[model] = self._critical(asked, model, used, level)
            return logit_ends(found, asked, reach[model])

        return self._over_time(asked, level, ends, simultaneous=True)

    def _critical(self, measure: Measure, model: str, used: list[int], level: float) -> float:
        """Return the quantile of the largest of the standardised errors at the horizons."""
        if len(used) == 1:
            return normal_quantile(level)
        u = [self._value(measure, model, k).influence for k in used]
        gram = np.array([[float((a * b).sum()) for b in u] for a in u])
        scale = np.sqrt(np.maximum(np.diag(gram), 1e-300))
        correlation = gram / scale / scale[:, None]
        values, vectors = np.linalg.eigh((correlation + correlation.T) / 2.0)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        drawn = np.random.default_rng(0).standard_normal((_DRAWS, len(used)))
        largest = np.abs(np.stack([(drawn * row).sum(axis=1) for row in root])).max(axis=0)
        return float(np.quantile(largest, level))

    def _over_time(
        self,
        measure: Measure,
        level: float,
        ends: Callable[[str, int, HorizonValue], tuple[float, float]],
        *,
        simultaneous: bool,
    ) -> OverTime:
        columns: list[tuple[Any, ...]] = []
        for model in self.models:
            for k, t in enumerate(self.times.tolist()):
                found = self._value(measure, model, k)
                low, high = ends(model, k, found)
                columns.append(
                    (model, t, found.value, math.sqrt(found.variance), low, high, *known_rows(self._rows[k]))
                )
        arrays: tuple[Any, ...] = tuple(np.array(column) for column in zip(*columns, strict=True))
        return OverTime(measure.described(), *arrays, confidence_level=level, simultaneous=simultaneous)  # type: ignore[misc]  # the rest are given

    # One number for the whole time

    def mean_roc_auc(self, *, confidence_level: float = 0.95) -> TimeSummary:
        """Return the mean of the ROC areas over the horizons, each weighted by the events that come since the last.

        It is the integrated area of scikit-survival and timeROC.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Of each interval.

        Returns
        -------
        TimeSummary

        Notes
        -----
        The variance accounts for the censoring weights, and for the weights of the horizons, which are estimated too.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_trial()
        >>> th.time_dependent(data.time, data.event, data.index, [365, 730, 1095]).mean_roc_auc().value.round(4)
        array([0.7575])
        """
        return self._summary("mean_roc_auc", self._mean, float(self.times[-1]), confidence_level)

    def concordance(self, tau: float | None = None, *, confidence_level: float = 0.95) -> TimeSummary:
        """Return Uno's concordance index: how often the earlier of two events before `tau` had the higher score.

        Parameters
        ----------
        tau : float, optional
            Events from then on do not count; the last horizon by default.
        confidence_level : float, default=0.95
            Of each interval.

        Returns
        -------
        TimeSummary

        References
        ----------
        .. [1] H. Uno, T. Cai, M. J. Pencina, R. B. D'Agostino and L. J. Wei, "On the C-statistics for evaluating
           overall adequacy of risk prediction procedures with censored survival data", Statistics in Medicine 30
           (2011), 1105-1117. https://doi.org/10.1002/sim.4154

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_trial()
        >>> found = th.time_dependent(data.time, data.event > 0, data.index, [1095])
        >>> found.concordance().value.round(4)
        array([0.6914])
        """
        until = float(self.times[-1]) if tau is None else float(tau)
        return self._summary("concordance", lambda model: self._concordance(model, until), until, confidence_level)

    def _concordance(self, model: str, tau: float) -> HorizonValue:
        return concordance_at(self._rows[-1], self._score(model, len(self._rows) - 1), tau)

    def _mean(self, model: str, until: float | None = None) -> HorizonValue:
        """Return the mean area up to the last horizon, with its influence values."""
        del until
        incidence = [incidence_at(rows) for rows in self._rows]
        total, total_u = incidence[-1]
        value, u, last, last_u = 0.0, np.zeros(total_u.size), 0.0, np.zeros(total_u.size)
        for k, (share, share_u) in enumerate(incidence):
            found = self._value(RocAuc(), model, k)
            value += found.value * (share - last)
            u += (share - last) * found.influence + found.value * (share_u - last_u)
            last, last_u = share, share_u
        u = (u - value / total * total_u) / total
        return HorizonValue(value / total, u, float((u * u).sum()) * u.size / (u.size - 1.0))

    def _summary(
        self, metric: str, of: Callable[[str], HorizonValue], until: float, confidence_level: float
    ) -> TimeSummary:
        level = check_confidence_level(confidence_level)
        found = [of(model) for model in self.models]
        ends = np.array([logit_ends(one, RocAuc(), normal_quantile(level)) for one in found])
        values, errors = np.array([one.value for one in found]), np.sqrt([one.variance for one in found])
        return TimeSummary(metric, np.array(self.models), values, errors, ends[:, 0], ends[:, 1], until, level)

    def compare(
        self, metric: str | Measure = "roc_auc", *, confidence_level: float = 0.95, **options: Any
    ) -> OverTimeComparison:
        """Compare all pairs of models on the same rows.

        Parameters
        ----------
        metric : str or Measure, default="roc_auc"
            A measure, which is compared at each horizon as `thresher.compare` does, from influence values if the
            measure has them; or a number for the whole time, "mean_roc_auc" or "concordance".
        confidence_level : float, default=0.95
            Of each interval.
        **options
            The options of the measure; for "concordance" `tau`.

        Returns
        -------
        OverTimeComparison

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_trial()
        >>> found = th.time_dependent(data.time, data.event, data.models, [365, 730, 1095])
        >>> found.compare("mean_roc_auc")
        Differences of mean_roc_auc, 95% intervals
          t = 1,095  index - marker: +0.076 (+0.044 to +0.108), p = 3.39e-06
        """
        level = check_confidence_level(confidence_level)
        if len(self.models) < 2:
            raise InvalidInputError(
                "A comparison needs at least two models; got one. Hint: give `scores` as a mapping."
            )
        whole_time: dict[str, Callable[[str, float], HorizonValue]] = {
            "mean_roc_auc": self._mean,
            "concordance": self._concordance,
        }
        of = whole_time.get(metric) if isinstance(metric, str) else None
        if of is not None:
            tau = options.pop("tau", None)
            until = float(self.times[-1]) if tau is None else float(tau)
            if options:
                raise InvalidInputError(f"`{next(iter(options))}` is no option of {metric!r}. Hint: leave it out.")
            rows = self._of_whole_time({model: of(model, until) for model in self.models}, until, level)
            title = str(metric)
        else:
            measure = as_measure(metric, **options)
            rows, title = self._at_each(measure, level), measure.described()
        a, b, *numbers = (np.array(column) for column in zip(*rows, strict=True))
        t, difference, low, high, pvalue = numbers
        adjusted = np.array(holm(pvalue.tolist()))
        return OverTimeComparison(title, a, b, t, difference, low, high, pvalue, adjusted, level)

    def _at_each(self, measure: Measure, level: float) -> list[tuple[Any, ...]]:
        out: list[tuple[Any, ...]] = []
        how: dict[str, Any] = {"metric": measure, "confidence_level": level, "rng": 0}
        if measure.test == "bootstrap" and "normal" in measure.tests:
            how["method"] = "normal"
        for k, rows in enumerate(self._rows):
            scores = {model: self._score(model, k) for model in self.models}
            labels: Any = rows  # they stand for labels
            found = compare(labels, scores, **how)
            out += [(p.a, p.b, rows.horizon.t, p.difference, p.low, p.high, p.pvalue) for p in found.pairs]
        return out

    def _of_whole_time(self, found: dict[str, HorizonValue], until: float, level: float) -> list[tuple[Any, ...]]:
        out: list[tuple[Any, ...]] = []
        for a, b in combinations(self.models, 2):
            u = found[a].influence - found[b].influence
            error = math.sqrt(float((u * u).sum()) * u.size / (u.size - 1.0))
            difference = found[a].value - found[b].value
            reach = normal_quantile(level) * error
            chance = 1.0 if difference == 0.0 else 2.0 * float(scipy.special.ndtr(-abs(difference) / error))
            out.append((a, b, until, difference, difference - reach, difference + reach, chance))
        return out

    def __repr__(self) -> str:
        horizons = ", ".join(f"{t:,g}" for t in self.times[:10].tolist()) + (", ..." if self.times.size > 10 else "")
        return f"TimeDependent of {self._rows[0].size:,} rows: {', '.join(self.models)} at t = {horizons}"
