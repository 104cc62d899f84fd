"""The value of a measure on a table, with its uncertainty as methods."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from thresher._core.checks import OneWarning, check_confidence_level, held_warnings, warn
from thresher._core.digits import beside_interval, bound_text
from thresher._core.json_state import plain
from thresher._core.presented import OfMeasure, Presented, Row
from thresher._core.random_streams import Progress, Rng
from thresher._core.result_bases import Numeric
from thresher._core.values import Value, value
from thresher._inference import ConfidenceInterval
from thresher._inference.bootstrap import PATIENCE, resampling_seconds
from thresher._inference.sampling import sampling_of
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, ThresherError, UndefinedMetricError

if TYPE_CHECKING:
    from thresher.measures._measure import Measure


_MOST_LINES = 8
_USUAL_LEVEL = 0.95
_same_value: Any = Value.__eq__  # the decorator makes a Value of the class


@dataclass(frozen=True, slots=True)
class IntervalOptions:
    """What single interval methods need."""

    threshold: float | None = None
    n_resamples: int = 2000
    rng: Rng = None
    bootstrap: str = "bca"
    stratified: bool | None = None
    design: str = "random"
    progress: Progress | None = None


@value(repr=False)
class Estimate(OfMeasure, Numeric, Presented):
    """The value of a measure on a table, with its uncertainty.

    Attributes
    ----------
    value : float
        The number; `float(estimate)` gives it too, and ``f"{estimate:.3f}"`` writes it. Estimates are ordered among
        each other and against numbers by it.
    measure : Measure
        What was measured, with its options.
    error_bound : float
        0 for exact data. After `Scores.compress` and from a `Sketch`, how far the value of the full data can be from
        `value`, for certain.
    counts : Scores
        The table it was measured on.

    Notes
    -----
    Two estimates are equal if they are the same measure, with the same options, of equal counts.

    Printing an estimate shows its default interval, computed once, unless that takes about 0.2 seconds or more: then it
    says how to get it.

    Examples
    --------
    >>> import thresher as th
    >>> area = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc_auc()
    >>> area.value, float(area), area.metric, area > 0.5
    (0.75, 0.75, 'roc_auc', True)
    """

    value: float
    measure: Measure
    error_bound: float
    counts: Counts = field(repr=False)
    _interval: tuple[ConfidenceInterval | None, tuple[str, ...]] | None = field(default=None, repr=False, compare=False)
    """The default interval at 95%, once it has been computed."""

    @property
    def estimator(self) -> str:
        """The estimator of an area under the PR curve; for other measures their name."""
        return getattr(self.measure, "estimator", self.measure.name)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Real):
            return bool(self.value == other)
        return _same_value(self, other)  # type: ignore[no-any-return]  # or NotImplemented

    __hash__ = None  # type: ignore[assignment]  # its counts hold arrays

    def confidence_interval(
        self,
        confidence_level: float = 0.95,
        *,
        method: str | None = None,
        threshold: float | None = None,
        n_resamples: int = 2000,
        rng: Rng = None,
        bootstrap: str = "bca",
        stratified: bool | None = None,
        design: str = "random",
        progress: Progress | None = None,
    ) -> ConfidenceInterval:
        """Return a confidence interval.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        method : str, optional
            One of ``estimate.measure.intervals``, of which the first is the default. For areas it is ``"bayes"``, the
            Bayesian bootstrap with part of a case at the adverse end of each class: it depends on the data alone and
            has length at 0 and 1. For the ROC area, and the PR area at the sample's prevalence, it needs no random
            numbers; otherwise the weights are simulated from a fixed stream. By name: for the ROC area
            ``"score"``, ``"exact"`` (guaranteed, wide), ``"delong-logit"``, ``"delong"``, ``"bamber"``,
            ``"hanley-mcneil"``, ``"max-variance"``, ``"newcombe"``, ``"cortes-mohri"``, ``"bootstrap"``; for a part of
            it ``"delong-logit"``, ``"delong"``, ``"bootstrap"``; for the PR area ``"logit"`` (with a standard error
            that needs no densities), ``"asymptotic"``, ``"binomial"``, ``"logit-boyd"``, ``"bootstrap"``. For rates at
            a point of a curve: ``"band"``, ``"bootstrap"``. What each covers is in the tables of the validation pages.
        threshold : float, optional
            For ``"cortes-mohri"``, which uses the number of errors at this threshold and nothing else; read its
            warning in `cortes_mohri` first.
        n_resamples, rng : int, optional
            For ``"bootstrap"``: how many resamples (at least 10), and a seed that makes them repeatable.
        bootstrap : {"bca", "percentile", "studentized"}
            Which bootstrap interval.
        stratified : bool, optional
            Whether resamples keep the class totals; by default as `design` says where precision follows the class
            balance of the sample, and yes elsewhere.
        design : {"random", "fixed", "class"}
            For the PR area: whether the number of positives was left to chance or fixed beforehand; "class" where
            classes were drawn apart and the prevalence is estimated from weights that vary within a class.
        progress : callable, optional
            Called with (resamples done, resamples in all).

        Returns
        -------
        ConfidenceInterval
            Unpacks as ``(low, high)``; always inside the range of the measure. After `Scores.compress` it is widened
            by the error bound.

        Examples
        --------
        >>> import thresher as th
        >>> area = th.Scores([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6]).roc_auc()
        >>> low, high = area.confidence_interval(0.9)
        >>> round(low, 3), round(high, 3)
        (0.394, 1.0)
        """
        level = check_confidence_level(confidence_level)
        options = IntervalOptions(threshold, n_resamples, rng, bootstrap, stratified, design, progress)
        chosen = self._method(method, threshold)
        with OneWarning():
            if chosen == "bootstrap":
                found: Any = self._resampled_ends(level, options)
            else:
                warn_of_kept(self.measure, self.counts)
                found = self.measure.interval(self, level, chosen, options)
        if isinstance(found, ConfidenceInterval):  # one that knows more than its ends
            return found
        low, high = found
        least, most = self.measure.bounds
        return ConfidenceInterval(max(low - self.error_bound, least), min(high + self.error_bound, most), level, chosen)

    def standard_error(
        self,
        method: str | None = None,
        *,
        n_resamples: int = 2000,
        rng: Rng = None,
        design: str = "random",
        threshold: float | None = None,
    ) -> float:
        """Return the standard error of the value.

        Parameters
        ----------
        method : str, optional
            As in `confidence_interval`.
        n_resamples, rng : int, optional
            For ``"bootstrap"``.
        design : {"random", "fixed", "class"}
            For the PR area: whether the number of positives was left to chance or fixed beforehand; "class" where
            classes were drawn apart and the prevalence is estimated from weights that vary within a class.
        threshold : float, optional
            For ``"cortes-mohri"``: where the errors are counted.

        Examples
        --------
        >>> import thresher as th
        >>> area = th.Scores([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6]).roc_auc()
        >>> round(area.standard_error(), 4)
        0.1571
        """
        options = IntervalOptions(n_resamples=n_resamples, rng=rng, design=design, threshold=threshold)
        chosen = self._method(method, threshold)
        smooth = chosen not in ("bootstrap", "basic") and self.measure.is_smooth(self.counts)
        if chosen != "bootstrap":
            warn_of_kept(self.measure, self.counts)
        if not smooth:
            return self.measure.resampled(self.counts, options).standard_error
        return math.sqrt(self.measure.spread(self.counts, design, chosen, threshold=threshold).variance)

    def remarks(self) -> list[str]:
        """Return notes for the reader, such as how much ties matter.

        Examples
        --------
        >>> import thresher as th
        >>> scores = th.Scores([1, 1, 0, 1, 0, 0], [3, 2, 2, 1, 1, 0])
        >>> for line in scores.roc_auc().remarks():
        ...     print(line)
        22.22% of the pairs are tied; breaking ties could give 0.667 to 0.889
        """
        return self.measure.remarks(self.counts, self.value)

    def to_dict(self, confidence_level: float = 0.95) -> dict[str, Any]:
        """Return the estimate as plain data, with the default interval; None where there is no interval.

        Examples
        --------
        >>> import thresher as th
        >>> found = th.Scores([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6]).roc_auc().to_dict()
        >>> found["metric"], round(found["value"], 4), round(found["low"], 4), found["n_pos"]
        ('roc_auc', 0.8889, 0.3156, 3)
        """
        return plain(self._described(check_confidence_level(confidence_level)))  # type: ignore[no-any-return]

    def _facts(self) -> Row:
        return self._described(_USUAL_LEVEL)

    def _described(self, confidence_level: float) -> Row:
        interval, notes = self._quiet_interval(confidence_level)
        return {
            "metric": self.measure.title,
            "options": self.options,
            "value": self.value,
            "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
            "confidence_level": confidence_level,
            "method": None if interval is None else interval.method,
            "error_bound": self.error_bound,
            "n_pos": self.counts.n_pos,
            "n_neg": self.counts.n_neg,
            "remarks": self._said(notes),
        }

    def _method(self, method: str | None, threshold: float | None) -> str:
        chosen = self.measure.chosen_interval(method, self.counts)
        if threshold is not None and chosen != "cortes-mohri":
            raise InvalidInputError(
                f"`threshold` belongs to method='cortes-mohri'; got it with {chosen!r}. Hint: leave it out."
            )
        return chosen

    def _resampled_ends(self, level: float, options: IntervalOptions) -> tuple[float, float]:
        resampled = self.measure.resampled(self.counts, options)
        low, high = resampled.confidence_interval(level, method=options.bootstrap)
        if self.counts._figures is not None and self.error_bound == 0.0:
            # Resampled were the scores that are kept; the value is that of all of them.
            moved = self.value - resampled.value
            low, high = low + moved, high + moved
        return low, high

    def _quiet_interval(self, confidence_level: float) -> tuple[ConfidenceInterval | None, tuple[str, ...]]:
        """Return the default interval with what it warns of, which is shown beside it.

        That of the usual level is computed once.
        """
        usual = confidence_level == _USUAL_LEVEL
        if usual and self._interval is not None:
            return self._interval
        with held_warnings() as held:
            try:
                found = self.confidence_interval(confidence_level)
            except (InvalidInputError, UndefinedMetricError):
                return None, ()
        notes = tuple(note for note, _ in held)
        if usual:
            object.__setattr__(self, "_interval", (found, notes))
        return found, notes

    def _takes_long(self) -> bool:
        """Return whether the default interval takes longer than a repr should."""
        if self._interval is not None or self.measure.chosen_interval(None, self.counts) not in ("bootstrap", "basic"):
            return False
        return resampling_seconds(self.counts, self.measure, IntervalOptions().n_resamples) > PATIENCE

    def _said(self, notes: Sequence[str]) -> list[str]:
        """Return what the interval warned of, and the remarks that it does not repeat."""
        return [*notes, *(line for line in self.remarks() if not any(line[1:] in note for note in notes))]

    def __repr__(self) -> str:
        error = self.error_bound
        bound = " ± an unknown error" if math.isnan(error) else f" ± {bound_text(error)} at most" if error else ""
        late = self._takes_long()
        interval, notes = (None, ()) if late else self._quiet_interval(_USUAL_LEVEL)
        half = error if interval is None else max((interval.high - interval.low) / 2.0, error)
        ends = () if interval is None else tuple(interval)
        shown, *limits, _, _ = beside_interval(self.value - half, self.value + half, self.value, *ends)
        spread = f", 95% interval {' to '.join(limits)}" if limits else ""
        spread = "; for an interval call .confidence_interval()" if late else spread
        said = [f"  {line}" for line in self._said(notes)][: _MOST_LINES - 1]
        return "\n".join([f"{self.measure.described()} = {shown}{bound}{spread}", *said])


_SHOWN = 0.02


def warn_of_kept(measure: Measure, table: Counts) -> None:
    """Warn where the standard error depends on which scores were kept, of a table whose areas are those of all."""
    if table._figures is None or measure.exact_spread:
        return
    error = kept_error(measure, table)
    if error > _SHOWN:
        warn(
            f"The standard error of {measure.title!r} is known to about {error:.0%}, as only {len(table):,} of the "
            "scores were kept; its value is not affected. Hint: raise `max_points`."
        )


def kept_error(measure: Measure, table: Counts) -> float:
    """Return by what part the standard error changes if every second kept score is left out too; 0 if unknown.

    What the scores between kept points change falls with their number, so that halving it shows at least as much as has
    been lost already.
    """
    try:
        with held_warnings():
            errors = [_standard_error(measure, one) for one in (_plain(table, 1), _plain(table, 2))]
    except ThresherError:
        return 0.0
    if not all(math.isfinite(error) for error in errors) or errors[0] == 0.0:
        return 0.0
    return abs(errors[1] / errors[0] - 1.0)


def _standard_error(measure: Measure, table: Counts) -> float:
    found = measure.influence(table)
    return math.nan if found is None else math.sqrt(sampling_of(table).spread(found).variance)


def _plain(table: Counts, step: int) -> Counts:
    """Return the counts alone, of every so many of the kept scores and the last."""
    last = len(table) - 1
    rows = np.unique(np.append(np.arange(step - 1, last, step), last))
    pos, neg = (np.diff(np.cumsum(column)[rows], prepend=column.dtype.type(0)) for column in (table.pos, table.neg))
    return Counts._from_table((table.thresholds[rows], pos, neg))
