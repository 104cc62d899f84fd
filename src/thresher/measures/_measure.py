"""What a measure is: a figure with its options, and everything that the rest of the library asks of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, ClassVar, Literal

import numpy as np

from thresher._core.checks import check_choice
from thresher._core.resampling import Replicates, Wanted
from thresher._core.warn import warn
from thresher._inference import ConfidenceInterval
from thresher._inference.bootstrap import (
    BootstrapDistribution,
    Columns,
    Resampling,
    adverse_limits,
    bootstrap_table,
    cells_of,
)
from thresher._inference.influence import (
    Influence,
    Spread,
    check_weights,
    clusters_of,
    influence_spread,
    refuse_clusters,
)
from thresher._table import Counts, ManyTables, check_two_classes, extreme_tables, overlapping
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.typing import BoolArray, FloatArray, IntArray

__all__ = ["Direction", "Influence", "IntervalOptions", "Measure", "Span", "between_extremes", "bounded_by_extremes"]

Span = tuple[float, float]
Direction = Literal["higher", "lower"]


class Measure:
    """A figure with its options: what it is worth on a table, on a population, on many resampled tables.

    Subclasses are frozen dataclasses whose fields are the options. They say what they can do; what a measure cannot do
    it refuses with one sentence. `docs/contributing/add-a-figure.md` shows how one is added.

    Examples
    --------
    >>> import thresher as th
    >>> area = th.measures.as_measure("auc")
    >>> area.name, area.intervals[0], area.bounds
    ('roc_auc', 'bayes', (0.0, 1.0))
    """

    __slots__ = ()

    name: ClassVar[str] = ""
    """The name by which every `metric=` knows it."""
    aliases: ClassVar[tuple[str, ...]] = ()
    label: ClassVar[str] = ""
    """What to call it in a sentence, as the subject."""
    unit: ClassVar[str] = ""
    """What a value of 1 is one of; empty for shares and areas."""
    citation: ClassVar[str] = ""
    example: ClassVar[str] = ""
    """How the options are given, for messages."""
    intervals: ClassVar[tuple[str, ...]] = ()
    """The methods of its intervals, the default first."""
    weighted_interval: ClassVar[str | None] = None
    """The default for sampling weights and clusters, where it is another one."""
    tests: ClassVar[tuple[str, ...]] = ("bootstrap", "permutation")
    """The methods that compare it between scorers, the default first."""
    separated: ClassVar[str | None] = None
    """An interval method that has length where classes do not overlap; None if the default has."""
    path_only: ClassVar[bool] = True
    """Whether only the path of the ROC curve matters, so that positives in a row may be counted together."""
    grows: ClassVar[bool] = True
    """Whether a better ranking never has less of it."""

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
        own = fields(self)  # type: ignore[arg-type]  # subclasses are dataclasses
        return {one.name: getattr(self, one.name) for one in own if getattr(self, one.name) != one.default}

    @property
    def bounds(self) -> Span:
        """The least and the greatest value that it can have."""
        return (0.0, 1.0)

    @property
    def needs_balance(self) -> bool:
        """Whether the value depends on the share of positives in the sample."""
        return False

    def described(self) -> str:
        """Return name and options as a result shows them."""
        parts = [_shown(name, option) for name, option in self.options.items() if option is not False]
        return f"{self.name} ({', '.join(parts)})" if parts else self.name

    def estimate(self, table: Counts) -> Estimate:
        """Return the value of a table with intervals as methods."""
        check_two_classes(table, self.label)
        found = self.of(table)
        return Estimate(found, self, 0.0 if table.complete else self.error_bound(table, found), table)

    # On one table

    def of(self, table: Counts) -> float:
        """Return the value of a table that has both classes."""
        raise NotImplementedError

    def influence(self, table: Counts) -> Influence:
        """Return the influence of each distinct score, from which every analytic variance follows."""
        raise InvalidInputError(
            f"{self.title!r} has no influence values: it is not smooth in the counts. Hint: method='bootstrap'."
        )

    def spread(self, table: Counts, design: str = "random") -> Spread:
        """Return the variance of the value, of weighted and of clustered rows too, with its degrees of freedom.

        `design` says whether the number of positives was left to chance; it matters where the balance does.
        """
        check_weights(table)
        return influence_spread(self.influence(table), table, design=design)

    def error_bound(self, table: Counts, found: float) -> float:
        """Return how far the value of the full data can be from that of a table that lacks scores."""
        return bounded_by_extremes(table, found, self.of, self.of) if self.grows else float("nan")

    def remarks(self, table: Counts, found: float) -> list[str]:
        """Return what a reader of the value should know."""
        del table, found
        return []

    def of_list(self, table: Counts, unseen: int) -> float:
        """Return the value of a returned list that has a positive, of which `unseen` positives are missing."""
        raise InvalidInputError(
            f"{self.title!r} has no value for lists with positives that were not returned. "
            "Hint: 'average_precision', 'expected_average_precision', or 'precision' and 'recall' with `depth`."
        )

    @property
    def needs_negatives(self) -> bool:
        """Whether a returned list must hold negatives to have a value."""
        return False

    def of_groups(self, sums: FloatArray) -> FloatArray | None:
        """Return the values of many small tables from the sums of the compiled kernel; None where it lacks them.

        Columns of `sums`: rows, positives, negatives, twice U, and in positives average precision and the interpolated
        area.
        """
        del sums
        return None

    def of_tables(self, tables: ManyTables) -> tuple[FloatArray, FloatArray] | None:
        """Return the values of many tables of counts and their default standard errors, the bits of each by itself.

        NaN where they are not defined. None where there is no code for many, so that they are measured one by one.
        """
        del tables
        return None

    # With its uncertainty

    def chosen_interval(self, method: str | None, table: Counts) -> str:
        """Return the method of an interval: the default for such a table, or one that this measure has."""
        if method is not None:
            return check_choice(method, "method", self.intervals)
        # Weights that are the same within a class, and clusters of one row each, are none for a figure of ranks.
        even = table.squares is None or table.squares.constant is not None
        plain = even and clusters_of(table) is None
        return self.intervals[0] if plain or self.weighted_interval is None else self.weighted_interval

    def interval(
        self, estimate: Estimate, level: float, method: str, options: IntervalOptions
    ) -> Span | ConfidenceInterval:
        """Return the ends of the interval by a method other than the bootstrap."""
        raise NotImplementedError

    def standard_error(self, estimate: Estimate, method: str, options: IntervalOptions) -> float:
        """Return the standard error by a method other than the bootstrap."""
        raise InvalidInputError(
            f"method {method!r} has no standard error for {self.title!r}. Hint: method='bootstrap' has one."
        )

    def adverse_ends(self, estimate: Estimate, level: float, *, low: Measure | None = None) -> Span:
        """Return the interval "bayes": weighted tables with half a case at the adverse end of each class.

        `low` is a measure for the lower limit that is not larger in any population.
        """
        table = estimate.counts
        if clusters_of(table) is not None:
            refuse_clusters(table, "bayes")
        if estimate.value >= self.bounds[1] - 1e-12:
            # Half a case is less than samples without an error need: see "fixed class totals" in the page on areas.
            hint = "method='exact' never covers less" if "exact" in self.intervals else "more cases may show them"
            warn(
                f"No case that {self.title!r} looks at is out of order in this sample, so nothing is known of those "
                "that are: where a small share of a class is hopeless, the interval covers less than its level. "
                f"Hint: {hint}."
            )
        # Sampling weights are worth fewer cases than rows.
        worth = getattr(table, "effective_pos", None), getattr(table, "effective_neg", None)
        pos, neg = cells_of(table)
        each = None if table.squares is None else table.squares.constant
        if each is not None and not self.needs_balance:  # the rows themselves
            pos, neg = (np.rint(column / one).astype(np.int64) for column, one in zip((pos, neg), each, strict=True))
            worth = (None, None)
        return adverse_limits(
            pos,
            neg,
            self.of_replicates,
            level,
            value=estimate.value,
            sizes=None if worth[0] is None or worth[1] is None else (float(worth[0]), float(worth[1])),
            low_values=None if low is None else low.of_replicates,
        )

    def resampled(self, table: Counts, options: IntervalOptions) -> BootstrapDistribution:
        """Return the bootstrap distribution of the measure on a table."""
        stratified = options.stratified
        if stratified is None:
            # Where precision follows the class balance, a balance left to chance is part of what varies.
            stratified = not (self.needs_balance and options.design == "random")
        how = Resampling(options.n_resamples, options.rng, stratified, progress=options.progress)
        return bootstrap_table(table, self, how)

    @property
    def where_resampling_fails(self) -> str:
        """What answers where no resample differs from the data."""
        return "more cases are needed."

    # On many tables at once

    def of_replicates(self, pos: FloatArray, neg: FloatArray, at: Columns) -> FloatArray:
        """Return the value of each table; row i of `pos` and `neg` is table i, `at` the columns with positives.

        Without code of its own for many tables a measure takes them one by one.
        """
        del at
        out = np.empty(pos.shape[0])
        for row in range(out.size):
            seen = (pos[row] > 0) | (neg[row] > 0)
            columns = (-np.arange(int(seen.sum())), *(_whole(counts[row, seen]) for counts in (pos, neg)))
            out[row] = self.of(Counts._from_table(columns))
        return out

    def wanted(self) -> Wanted | None:
        """Return what the compiled bootstrap has to measure; None where it does not know this measure."""
        return None

    def measured(self, found: Replicates) -> FloatArray:
        """Return the values of replicates from what was measured; the only point holds the class totals."""
        raise NotImplementedError

    @property
    def has_variance(self) -> bool:
        """Whether `variances` gives a standard error for each of many tables."""
        return False

    def variances(self, pos: FloatArray, neg: FloatArray, at: Columns, *, stratified: bool) -> FloatArray:
        """Return the analytic variance of each table's value; NaN where a class has not more than one case."""
        raise NotImplementedError

    def variances_wanted(self) -> Wanted | None:
        """Return what the compiled bootstrap has to measure for variances."""
        return None

    def pulls(self, tables: tuple[FloatArray, FloatArray], units: tuple[IntArray, IntArray]) -> Any:
        """Return (units, influence of each) for both classes in closed form; None where there is none."""
        del tables, units

    @property
    def is_sum(self) -> bool:
        """Whether the measure is a sum over groups of tied scores, which `left_out` needs."""
        return False

    def left_out(self, pos: IntArray, neg: IntArray, *, positive: bool) -> FloatArray:
        """Return the value with one case of a class taken out, at every column that has one."""
        raise NotImplementedError

    # Between scorers

    def difference_variances(
        self, positive: BoolArray, scores: Any, weight: Any, groups: Any = None
    ) -> tuple[FloatArray, float]:
        """Return the analytic variance of the difference between each two of several scorers on the same rows.

        And the degrees of freedom: infinite, or clusters less one.
        """
        raise NotImplementedError

    def value_and_variance(self, table: Counts) -> tuple[float, float]:
        """Return the value with its analytic variance."""
        return self.of(table), self.spread(table).variance

    # On a population

    def of_population(self, population: Any) -> float:
        """Return the value that samples of a population estimate."""
        raise InvalidInputError(
            f"{self.title!r} has no population value here. Hint: `population.sample(n)` gives samples to measure."
        )

    def population_sigma(self, population: Any, *, random: bool) -> float:
        """Return the standard deviation of sqrt(n) times the error of an estimate from n cases."""
        raise InvalidInputError(
            f"{self.title!r} has no asymptotic variance here. Hint: 'roc_auc', 'pr_auc' and 'precision_at_recall' have."
        )

    def simulated(self, population: Any, n: int, size: int, rng: np.random.Generator, design: str) -> FloatArray:
        """Return the values of `size` studies of `n` cases; NaN where a class is missing."""
        out = np.full(size, np.nan)
        share = population.prevalence
        for i in range(size):
            n_pos = int(rng.binomial(n, share)) if design == "random" else round(n * share)
            if 0 < n_pos < n:
                drawn = population.pos.draw(n_pos, rng), population.neg.draw(n - n_pos, rng)
                out[i] = self.of(Counts.from_pos_neg(*drawn))
        return out


def between_extremes(table: Counts, of: Callable[[Counts], float]) -> float:
    """Return a figure of a table, for one that grows with the curve.

    Where ranges overlap, the place of a row among those inside its range is unknown: the middle between the worst and
    the best data is then the value whose guaranteed error is smallest.
    """
    if not overlapping(table):
        return of(table)
    worst, best = extreme_tables(table)
    return (of(worst) + of(best)) / 2


def bounded_by_extremes(
    table: Counts, found: float, low: Callable[[Counts], float], high: Callable[[Counts], float]
) -> float:
    """Return how far the full data's figure can be from `found`: 0 for tables that have every score.

    `low` is evaluated on the worst data that the table can stand for, `high` on the best.
    """
    if table.complete:
        return 0.0
    worst, best = extreme_tables(table)
    return max(found - low(worst), high(best) - found, 0.0)


def _whole(counts: FloatArray) -> Any:
    return counts.astype(np.int64) if (counts == np.floor(counts)).all() else counts


def _shown(name: str, option: object) -> str:
    if isinstance(option, tuple):
        return f"{name} {option[0]:g} to {option[1]:g}"
    if isinstance(option, str) or option is True:
        return name if option is True else str(option)
    return f"{name} {option:g}" if isinstance(option, float) else f"{name} {option}"
