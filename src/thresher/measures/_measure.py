"""What a measure is: a metric with its options, and the little that it says of itself.

A measure says what it needs of a table, its values on a batch of tables, and, if it is smooth, its influence values.
Intervals, standard errors, tests, gaps between groups and resampling follow from these and from the sampling design of
the table; everything else that a measure may define is for exactness or speed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_choice, check_prevalence, warn
from thresher._inference import ConfidenceInterval
from thresher._inference.bootstrap import (
    FEW_UNITS,
    BootstrapDistribution,
    Figure,
    Resampling,
    adverse_limits,
    bootstrap_table,
    cells_of,
    censored_adverse_limits,
    clustered_adverse_limits,
    needs_adverse,
    table_for,
)
from thresher._inference.sampling import (
    Influence,
    Kernel,
    Spread,
    check_weights,
    clusters_of,
    quantile,
    refuse_dependent,
    sampling_of,
)
from thresher._table import Batch, Counts, Needs, check_two_classes, extreme_tables, overlapping
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.typing import FloatArray

_NO_OPTION = object()
Direction = Literal["higher", "lower"]
Span = tuple[float, float]
Classes = Literal["both", "pos", "neg", "either"]


class Measure:
    """A metric with its options.

    Subclasses are frozen dataclasses whose fields are the options. One that defines `values`, or `of`, and nothing else
    works in every function of the library: with resampling. One that defines `influence` too has analytic standard
    errors and tests. For exactness and speed it may define `kernel`, `interval`, `spread`, `error_bound` and `remarks`
    too; nothing else is asked of it. `docs/contributing/add-a-measure.md` shows how one is added.

    Examples
    --------
    >>> import thresher as th
    >>> area = th.measures.as_measure("auc")
    >>> area.name, area.intervals[0], area.bounds, area.better
    ('roc_auc', 'bayes', (0.0, 1.0), 'higher')
    """

    __slots__ = ()

    name: ClassVar[str] = ""
    """The name by which every `metric=` knows it."""
    aliases: ClassVar[tuple[str, ...]] = ()
    label: ClassVar[str] = ""
    """What to call it in a sentence, as the subject."""
    example: ClassVar[str] = ""
    """How the options are given, for messages."""
    needs: ClassVar[Needs] = "scores"
    """What it looks at: "path" (of the ROC curve), "ranks" (positives in a row kept apart), "scores", "threshold"."""
    classes: ClassVar[Classes] = "both"
    """Which classes a table must have."""
    monotone: ClassVar[bool] = False
    """Whether a better ranking never has a worse value."""
    intervals: ClassVar[tuple[str, ...]] = ("bootstrap", "basic")
    """The methods of its intervals, the default first."""
    weighted_interval: ClassVar[str | None] = None
    """The default for sampling weights and clusters, if it is another one."""
    test: ClassVar[str] = "bootstrap"
    """The default test between models."""
    own_tests: ClassVar[tuple[str, ...]] = ()
    """Tests between models that it has beside those that every measure has."""
    optimistic: ClassVar[bool] = False
    """Whether it takes the best points of a sample, so that samples are better than their population on average."""
    exact_spread: ClassVar[bool] = False
    """Whether a table with some of the scores may know the value and the standard error of all of them."""
    where_resampling_fails: ClassVar[str] = "more cases are needed."
    """What answers if no resample differs from the data."""

    def __post_init__(self) -> None:
        """Check the prevalence to which it refers, if it has one."""
        if getattr(self, "prevalence", None) is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))  # type: ignore[attr-defined]

    smooth: ClassVar[bool] = False
    """Whether influence values say how it answers to other weights of the rows: the default interval needs no draws."""

    # What a measure says of itself

    @property
    def better(self) -> Direction:
        """Which values are better: "higher", or "lower" for losses and errors."""
        return "higher"

    @property
    def title(self) -> str:
        """The most specific registered name of this measure with these options."""
        return self.name

    @property
    def options(self) -> dict[str, Any]:
        """The options that differ from their defaults, or have none."""
        own: Any = fields(self) if is_dataclass(self) else ()
        return {one.name: getattr(self, one.name) for one in own if getattr(self, one.name) != one.default}

    @property
    def shown(self) -> dict[str, Any]:
        """The options as results show them beside `title`."""
        return self.options

    @property
    def bounds(self) -> Span:
        """The least and the greatest value that it can have."""
        return (0.0, 1.0)

    @property
    def needs_balance(self) -> bool:
        """Whether the value depends on the prevalence of the sample; if in doubt it does, unless one is given."""
        given = getattr(self, "prevalence", _NO_OPTION)
        return self.needs in ("scores", "threshold") if given is _NO_OPTION else given is None

    @property
    def cut(self) -> float | None:
        """The threshold at which it looks, for measures that need no more than one."""
        return None

    @property
    def tests(self) -> tuple[str, ...]:
        """The methods that compare it between models, the default first."""
        smooth = type(self).influence is not Measure.influence and "delong" not in self.own_tests
        known = (*self.own_tests, "bootstrap", "permutation", *(("normal",) if smooth else ()))
        return (self.test, *(one for one in known if one != self.test))

    # Values

    def values(self, batch: Batch) -> FloatArray:
        """Return the value of each table of a batch; NaN if it is not defined.

        Without code of its own for many tables a measure takes them one by one.
        """
        out = np.full(batch.pos.shape[0], np.nan)
        scores = -np.arange(batch.pos.shape[1], dtype=np.float64) if batch.scores is None else batch.scores
        for row in range(out.size):
            seen = (batch.pos[row] > 0) | (batch.neg[row] > 0)
            table = Counts._from_table((scores[seen], *_whole(batch.pos[row, seen], batch.neg[row, seen])))
            if lacks(self, table) is None:
                out[row] = self.of(table)
        return out

    def of(self, table: Counts) -> float:
        """Return the value of a table that has the classes it needs."""
        pos, neg = (column.astype(np.float64)[None] for column in (table.pos, table.neg))
        return float(self.values(Batch(pos, neg, np.flatnonzero(table.pos), table.thresholds))[0])

    def influence(self, table: Counts) -> Influence | None:
        """Return how the value answers to more weight at each score; None if it is not smooth in the counts."""
        del table
        return None

    @property
    def kernel(self) -> Kernel | None:
        """Compiled code for the same values; None if there is none."""
        return None

    def error_bound(self, table: Counts, found: float) -> float:
        """Return how far the value of the full data can be from that of a table that lacks scores."""
        if self.exact_spread and table._exact:
            return 0.0
        if not self.monotone:
            return float("nan")
        sign = 1.0 if self.better == "higher" else -1.0

        def of(one: Counts) -> float:
            return sign * self.of(one)

        return bounded_by_extremes(table, sign * found, of, of)

    def remarks(self, table: Counts, found: float) -> list[str]:
        """Return what a reader of the value should know."""
        del table, found
        return []

    # Intervals

    def interval(
        self, estimate: Estimate, level: float, method: str, options: IntervalOptions
    ) -> Span | ConfidenceInterval:
        """Return the limits of the interval by a method other than the bootstrap."""
        if method == "bayes":
            return self.adverse_ends(estimate, level)
        if method == "normal":
            spread = self.spread(estimate.counts, options.design)
            reach = quantile(level, spread.df) * math.sqrt(spread.variance)
            return estimate.value - reach, estimate.value + reach
        if method == "basic":
            drawn = self.resampled(estimate.counts, options).replicates
            tail = (1.0 - level) / 2.0
            upper, lower = np.quantile(drawn, (1.0 - tail, tail))
            low, high = 2.0 * estimate.value - float(upper), 2.0 * estimate.value - float(lower)
            return min(low, estimate.value), max(high, estimate.value)
        raise NotImplementedError

    def spread(self, table: Counts, design: str = "random", method: str | None = None, **at: Any) -> Spread:
        """Return the variance of the value with its degrees of freedom, from influence values unless `method` has one.

        `design` says whether the number of positives was left to chance; it matters if the balance does.
        """
        del method, at
        check_weights(table)
        table = table_for(table, self)
        return sampling_of(table).spread(self.needed_influence(table), design=design)

    # What follows

    def needed_influence(self, table: Counts, hint: str = "method='bootstrap'.") -> Influence:
        """Return the influence values; a measure without them is refused with a hint."""
        found = self.influence(table)
        if found is None:
            raise InvalidInputError(
                f"{self.title!r} has no influence values: it is not smooth in the counts. Hint: {hint}"
            )
        return found

    @property
    def sign(self) -> float:
        """1 if higher values are better, else -1."""
        return 1.0 if self.better == "higher" else -1.0

    @property
    def reach(self) -> float:
        """By how much two values can differ."""
        return self.bounds[1] - self.bounds[0]

    def described(self) -> str:
        """Return name and options as a result shows them."""
        parts = [_shown(name, option) for name, option in self.shown.items() if option is not False]
        return f"{self.title} ({', '.join(parts)})" if parts else self.title

    def estimate(self, table: Counts) -> Estimate:
        """Return the value of a table with intervals as methods."""
        missing = lacks(self, table)
        if missing is not None:
            if self.classes == "both":
                check_two_classes(table, self.label)
            raise UndefinedMetricError(f"{self.label} needs {missing}; got none. Hint: check the labels.")
        table = table._even
        found = self.of(table)
        return Estimate(found, self, 0.0 if table._complete else self.error_bound(table, found), table)

    def is_smooth(self, table: Counts) -> bool:
        """Return whether it has a variance without resampling on a table."""
        return type(self).spread is not Measure.spread or self.influence(table_for(table, self)) is not None

    def chosen_interval(self, method: str | None, table: Counts) -> str:
        """Return the method of an interval: the default for such a table, or one that this measure has."""
        if method is not None:
            return check_choice(method, "method", self.intervals)
        # Weights that are the same within a class, and clusters of one row each, do not affect rank statistics.
        of_rows = self.classes == "either" and self.needs == "scores"  # a mean over rows, which they do affect
        even = table._weight_squares is None or (table._weight_squares.constant is not None and not of_rows)
        clusters = clusters_of(table)
        balanced = not of_rows and self.needs_balance and self.intervals[0] == "bayes" and not self.optimistic
        if balanced and needs_adverse(table._outcome):
            return "bayes"
        if self.weighted_interval == "logit" and clusters is not None and table._outcome is None:
            # Logit limits of precision undercover with few clusters: see the page on weights and clusters.
            return "bayes" if clusters.size < FEW_UNITS else "logit"
        plain = even and clusters is None
        return self.intervals[0] if plain or self.weighted_interval is None else self.weighted_interval

    def adverse_ends(self, estimate: Estimate, level: float, *, low: Measure | None = None) -> Span:
        """Return the interval "bayes": weighted tables with part of a case at the adverse end of each class.

        `low` is a measure for the lower limit that is not larger in any population.
        """
        table, sign = estimate.counts, self.sign
        if sign * (estimate.value - self.bounds[1 if sign > 0.0 else 0]) >= -1e-12:
            # Half a case is less than samples without an error need: see "fixed class totals" in the page on areas.
            hint = "method='exact' never covers less" if "exact" in self.intervals else "more cases may show them"
            warn(
                f"This sample has no misranked case that {self.title!r} looks at, so the interval undercovers if a "
                f"small fraction of a class is hard to rank. Hint: {hint}."
            )
        rows, clusters = table._outcome, clusters_of(table)
        if (rows is not None and rows.estimated) or clusters is not None:
            check_weights(table)
            ends = self._ends_of_units(table, level, sign * estimate.value)
            if low is not None:
                ends = low._ends_of_units(table, level, sign * low.of(table))[0], ends[1]
            return min(sign * ends[0], sign * ends[1]), max(sign * ends[0], sign * ends[1])
        pos, neg = cells_of(table)
        sizes = None
        if table._weight_squares is not None:
            each = table._weight_squares.constant
            if each is None:  # worth fewer cases than rows
                sizes = float(table.effective_pos), float(table.effective_neg)
            elif self.needs_balance:
                sizes = round(float(table.n_pos) / each[0]), round(float(table.n_neg) / each[1])
            else:  # the rows themselves
                pos, neg = (
                    np.rint(column / one).astype(np.int64) for column, one in zip((pos, neg), each, strict=True)
                )
        ends = adverse_limits(
            pos,
            neg,
            self.figure,
            level,
            value=sign * estimate.value,
            sizes=sizes,
            low=None if low is None else low.figure,
            optimistic=self.optimistic,
        )
        return min(sign * ends[0], sign * ends[1]), max(sign * ends[0], sign * ends[1])

    @property
    def figure(self) -> Figure:
        """The measure as a figure of weighted cells, higher for better."""
        return figure_of(self)

    def _ends_of_units(self, table: Counts, level: float, value: float) -> Span:
        """Return the limits of tables with weighted clusters, or with weighted rows of an outcome in time."""
        rows, clusters, values = table._outcome, clusters_of(table), partial(_of_cells, self)
        if clusters is not None and rows is not None and rows.estimated:
            refuse_dependent(table, "bayes")
        if clusters is not None:
            return clustered_adverse_limits(table, clusters, values, level, value=value)
        assert rows is not None  # noqa: S101  # for the type checker
        return censored_adverse_limits(table, rows, values, level, value=value)

    def resampled(self, table: Counts, options: IntervalOptions) -> BootstrapDistribution:
        """Return the bootstrap distribution of the measure on a table."""
        stratified = options.stratified
        if stratified is None:
            # If the measure follows the class balance, a balance left to chance is part of what varies.
            stratified = not (self.needs_balance and options.design == "random")
        how = Resampling(options.n_resamples, options.rng, stratified, progress=options.progress)
        check_weights(table)
        return bootstrap_table(table, self, how)


def figure_of(measure: Measure) -> Figure:
    """Return the measure as a figure that makes a table of the cells."""
    return Figure(partial(_of_cells, measure), partial(_influence_of_cells, measure), measure.smooth)


def _influence_of_cells(measure: Measure, pos: FloatArray, neg: FloatArray) -> Influence | None:
    """Return the influence values of a table of cells."""
    found = measure.influence(Counts._from_table((-np.arange(pos.size, dtype=np.float64), pos, neg)))
    return None if found is None else found.scaled(measure.sign)


def _of_cells(measure: Measure, pos: FloatArray, neg: FloatArray, columns: NDArray[np.intp]) -> FloatArray:
    """Return the values of many tables of the same cells, higher for better."""
    found = measure.values(Batch(pos, neg, columns))
    return found if measure.sign > 0.0 else -found


def lacks(measure: Measure, table: Counts) -> str | None:
    """Return which class a measure misses in a table; None if it has what it needs."""
    missing = {"both": ("pos", "neg"), "pos": ("pos",), "neg": ("neg",), "either": ()}[measure.classes]
    names = {"pos": ("a positive", table.n_pos), "neg": ("a negative", table.n_neg)}
    return next((names[side][0] for side in missing if not names[side][1] > 0), None)


def between_extremes(table: Counts, of: Callable[[Counts], float]) -> float:
    """Return a measure of a table, for one that grows with the curve.

    If ranges overlap, the place of a row among those inside its range is unknown: the middle between the worst and
    the best data is then the value whose guaranteed error is smallest.
    """
    if not overlapping(table):
        return of(table)
    worst, best = extreme_tables(table)
    return (of(worst) + of(best)) / 2


def bounded_by_extremes(
    table: Counts, found: float, low: Callable[[Counts], float], high: Callable[[Counts], float]
) -> float:
    """Return how far the full data's value can be from `found`: 0 for tables that have every score.

    `low` is evaluated on the worst data that the table can stand for, `high` on the best.
    """
    if table._complete:
        return 0.0
    worst, best = extreme_tables(table)
    return max(found - low(worst), high(best) - found, 0.0)


def _whole(pos: FloatArray, neg: FloatArray) -> tuple[Any, Any]:
    """Return counts as integers if those of both classes are whole: a table has one kind of numbers."""
    if all((counts == np.floor(counts)).all() for counts in (pos, neg)):
        return pos.astype(np.int64), neg.astype(np.int64)
    return pos, neg


def _shown(name: str, option: object) -> str:
    if isinstance(option, tuple):
        return f"{name} {option[0]:g} to {option[1]:g}"
    if isinstance(option, str) or option is True:
        return f"{name}d" if option is True else str(option)  # "standardized", "normalized"
    return f"{name} {option:g}" if isinstance(option, float) else f"{name} {option}"
