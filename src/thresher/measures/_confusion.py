"""Metrics at a given threshold: every row of the catalogue, functions of four cells, and net benefit."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from thresher._cells import CATALOGUE, CellMetric, Matrix, cell_influence, find, from_function, limit_methods
from thresher._core.checks import show
from thresher._core.values import value
from thresher._curves import check_probabilities
from thresher._inference.bootstrap import table_for
from thresher._inference.rates import effective_calls, net_benefit, net_benefit_bounds
from thresher._inference.sampling import (
    Influence,
    Spread,
    cell_limits,
    check_weights,
    check_whole,
    mean_influence,
    sampling_of,
)
from thresher._table import Batch, Counts, cell_sample, is_at_least, rate_error_bound
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Classes, Direction, Measure, Span
from thresher.measures._registry import measure, registered
from thresher.typing import FloatArray

_CLASSES: dict[str, Classes] = {"": "either", "P": "pos", "N": "neg", "PN": "both"}
_OPTIONS = ("beta", "cost_fp", "cost_fn", "r", "alpha", "utility_tp", "utility_fp", "utility_fn", "utility_tn")


@value(slots=False)
class Confusion(Measure):
    """A metric of the confusion matrix at a threshold: cases with at least that score are predicted positive.

    Parameters
    ----------
    metric : str or callable
        A name of the catalogue, such as "recall", "f1", "mcc" or "balanced_accuracy"; names of other libraries are
        known. Or a function of four arrays ``(tp, fp, fn, tn)``.
    threshold : float
        The threshold.
    prevalence : float, optional
        The prevalence to which the metric refers; that of the data by default. Rates within a class ignore it.
    beta, cost_fp, cost_fn, r, alpha, utility_tp, utility_fp, utility_fn, utility_tn : float, optional
        Options of "f_beta", "cost", "kappa_r", "iba" and "utility".
    direction : {"higher", "lower"}, optional
        Which values are better, for a function.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
    >>> scores.measure("precision", threshold=2).value.__round__(4)
    0.6667
    >>> scores.measure("f_beta", threshold=2, beta=2).value.__round__(4)
    0.9091
    >>> th.measures.Confusion(lambda tp, fp, fn, tn: tp / (tp + fn + fp), threshold=2).of(scores).__round__(4)
    0.6667
    """

    metric: str | Callable[[Any, Any, Any, Any], Any]
    threshold: float
    prevalence: float | None = None
    beta: float | None = None
    cost_fp: float | None = None
    cost_fn: float | None = None
    r: float | None = None
    alpha: float | None = None
    utility_tp: float | None = None
    utility_fp: float | None = None
    utility_fn: float | None = None
    utility_tn: float | None = None
    direction: Direction | None = field(default=None)

    name = "confusion"
    example = "for example `threshold=0.5`"
    needs = "threshold"
    own_tests = ("score",)

    def __post_init__(self) -> None:
        number = isinstance(self.threshold, int | float | np.number) and not isinstance(self.threshold, bool)
        if not number or self.threshold != self.threshold:
            raise InvalidInputError(
                f"`threshold` must be a number; got {show(self.threshold)}. Hint: for example `threshold=0.5`."
            )
        Measure.__post_init__(self)
        if isinstance(self.metric, str):
            found = self.cells  # refuses unknown names and options
            if found.name == "f_beta" and self.beta is None:
                object.__setattr__(self, "beta", found.options["beta"])
            object.__setattr__(self, "metric", found.name)
            if self.direction is not None:
                raise InvalidInputError(
                    f"`direction` belongs to a function of cells; got it with {found.name!r}. Hint: leave it out."
                )

    @cached_property
    def cells(self) -> CellMetric:
        """The row of the catalogue."""
        given = {name: getattr(self, name) for name in _OPTIONS if getattr(self, name) is not None}
        if isinstance(self.metric, str):
            return find(self.metric, **given)
        if given:
            raise InvalidInputError(
                f"`{next(iter(given))}` must not be given with a function of cells. Hint: write it into the function."
            )
        return from_function(self.metric, better=self.direction or "higher")

    @property
    def label(self) -> str:  # type: ignore[override]  # of the metric, not of the class
        """The name of the metric in a sentence."""
        return self.cells.label

    @property
    def title(self) -> str:
        """The name of the metric: "f1" and "f2" for those values of beta."""
        if self.cells.name == "f_beta" and self.beta in (1.0, 2.0):
            return f"f{self.beta:g}"
        return self.cells.name

    @property
    def shown(self) -> dict[str, Any]:
        """The options as results show them beside the name of the metric."""
        hidden = {"metric", "beta"} if self.title in ("f1", "f2") else {"metric"}
        return {name: option for name, option in self.options.items() if name not in hidden}

    @property
    def bounds(self) -> Span:
        """The least and the greatest value that it can have."""
        return self.cells.bounds

    @property
    def cut(self) -> float:
        """The threshold."""
        return self.threshold

    @property
    def classes(self) -> Classes:  # type: ignore[override]  # it depends on the metric
        """Which classes a table must have."""
        if self.prevalence is not None and not self.cells.free:
            return "both"
        return _CLASSES[self.cells.needs]

    @property
    def better(self) -> Direction:
        """Which values are better; "higher" also for metrics of which neither is."""
        return "lower" if self.cells.better == "lower" else "higher"

    @property
    def needs_balance(self) -> bool:
        """Whether the metric mixes the classes in the proportion of the sample."""
        return self.prevalence is None and not self.cells.free

    @property
    def intervals(self) -> tuple[str, ...]:  # type: ignore[override]  # proportions have methods of their own
        """The methods of its intervals, the default first."""
        return (*limit_methods(self.cells, "random", self.known_prevalence), "normal", "bootstrap")

    @property
    def test(self) -> str:  # type: ignore[override]  # it depends on the metric
        """The default test between models: McNemar's for rates within a class."""
        return "mcnemar" if self.cells.share is not None and self.cells.free else "score"

    @property
    def known_prevalence(self) -> float | None:
        """The prevalence to which the metric refers, if that of the sample plays no part."""
        return None if self.cells.free else self.prevalence

    def matrix(self, table: Counts) -> Matrix:
        """Return the four cells of a table.

        Examples
        --------
        >>> import thresher as th
        >>> cells = th.measures.Confusion("recall", threshold=2).matrix(th.Scores([1, 0, 1, 0], [4, 3, 2, 1]))
        >>> cells.tp, cells.fp, cells.fn, cells.tn
        (2, 1, 0, 1)
        """
        tp, fp = (column[0].item() for column in table._counts_at([self.threshold]))
        return Matrix(tp, fp, table.n_pos - tp, table.n_neg - fp)

    def of(self, table: Counts) -> float:
        """Return the metric of a table, rational ones correctly rounded for whole counts."""
        if self.cells.degree and self.known_prevalence is None:
            table = check_whole(table, self.cells.label, instead="use 'phi_square'")
        return float(self.cells.value(*self.matrix(table), prevalence=self.known_prevalence))

    def values(self, batch: Batch) -> FloatArray:
        """Return the metric of each table; NaN if it is not defined."""
        (tp, fp), (n_pos, n_neg) = batch.called(self.threshold), batch.totals
        # What is left of weights may be a rounding error below nothing.
        cells = tp, fp, np.maximum(n_pos - tp, 0.0), np.maximum(n_neg - fp, 0.0)
        return self.cells.value(*cells, prevalence=self.known_prevalence, exact=False)

    def influence(self, table: Counts) -> Influence | None:
        """Return the influence of each cell at the scores that are in it; None at a kink."""
        found = cell_influence(self.cells, self.matrix(table), prevalence=self.known_prevalence)
        called = int(np.count_nonzero(is_at_least(table.thresholds, self.threshold)))
        pos, neg = found.at_scores(called, len(table))
        pos, neg = (np.where(counts > 0, own, 0.0) for counts, own in ((table.pos, pos), (table.neg, neg)))
        odds = float(found.odds) if self.needs_balance else 0.0
        if not (np.isfinite(pos).all() and np.isfinite(neg).all() and math.isfinite(odds)):
            return None
        return Influence(pos, neg, odds)

    def error_bound(self, table: Counts, found: float) -> float:
        """Return how far a rate within one class can be off; for the others no bound is known."""
        del found
        bound = rate_error_bound(table, self.threshold)
        known = {"recall": bound.tpr, "fnr": bound.tpr, "fpr": bound.fpr, "specificity": bound.fpr}
        return known.get(self.cells.name, math.nan)

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Any:
        """Return the limits of the posterior of the four cells, or those of another method."""
        if method == "normal":
            return Measure.interval(self, estimate, level, method, options)
        design = "random" if options.design == "random" else "fixed"
        if method not in limit_methods(self.cells, design, self.known_prevalence):
            method = "bayes"
        table = estimate.counts
        sample = cell_sample(table, self.threshold)
        if sample is not None:
            check_weights(table)
        cells, prevalence = self.matrix(table), self.known_prevalence
        return cell_limits(self.cells, cells, sample, method=method, level=level, design=design, prevalence=prevalence)


for _name in (name for name in CATALOGUE if name != "net_benefit"):
    registered(_name, Confusion, {"metric": _name})
for _name in ("f1", "f2"):
    registered(_name, Confusion, {"metric": "f_beta", "beta": float(_name[1])})


@measure()
@value
class NetBenefit(Measure):
    """True positives per case, less false positives weighed by the odds of the threshold probability.

    Parameters
    ----------
    threshold_probability : float
        The probability in (0, 1) from which one would act; scores are probabilities and called from it on.
    prevalence : float, optional
        The proportion of positives to which it refers.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.Scores(data.y_true, data.logistic).measure("net_benefit", threshold_probability=0.1)
    >>> round(found.value, 4), [round(end, 4) for end in found.confidence_interval()]
    (0.0769, [0.0639, 0.0915])
    """

    threshold_probability: float
    prevalence: float | None = None

    name = "net_benefit"
    label = "Net benefit"
    example = "for example `threshold_probability=0.1`"
    intervals = ("score", "normal", "bootstrap")
    needs = "threshold"
    test = "normal"
    bounds = (-float("inf"), 1.0)

    def __post_init__(self) -> None:
        p = self.threshold_probability
        if isinstance(p, bool) or not isinstance(p, int | float | np.number) or not 0.0 < p < 1.0:
            raise InvalidInputError(
                f"`threshold_probability` must be one number in (0, 1); got {show(p)}. Hint: {self.example}."
            )
        object.__setattr__(self, "threshold_probability", float(p))
        Measure.__post_init__(self)

    @property
    def cut(self) -> float:
        """The threshold probability."""
        return self.threshold_probability

    @property
    def classes(self) -> Classes:  # type: ignore[override]  # at another prevalence both are needed
        """Which classes a table must have."""
        return "either" if self.prevalence is None else "both"

    @property
    def _weight(self) -> float:
        return self.threshold_probability / (1.0 - self.threshold_probability)

    def _cells(self, table: Counts) -> tuple[Any, Any, float, float, float, float | None]:
        called = check_probabilities(table, self.label) >= self.threshold_probability
        found, wrong = table.pos[called].sum(), table.neg[called].sum()
        return found, wrong, float(table.n_pos), float(table.n_neg), self._weight, self.prevalence

    def of(self, table: Counts) -> float:
        """Return the net benefit of a table."""
        found, wrong, n_pos, n_neg, _, prevalence = self._cells(table)
        metric = find("net_benefit", threshold_probability=self.threshold_probability)
        return float(metric.value(found, wrong, n_pos - found, n_neg - wrong, prevalence=prevalence))

    def values(self, batch: Batch) -> FloatArray:
        """Return the net benefit of each table."""
        cells = *batch.called(self.threshold_probability), *batch.totals
        return np.asarray(net_benefit(*cells, self._weight, self.prevalence), dtype=np.float64)

    def influence(self, table: Counts) -> Influence:
        """Return the influence of a mean over rows: 1 for a true positive, minus the weight for a false one."""
        called = np.where(check_probabilities(table, self.label) >= self.threshold_probability, 1.0, 0.0)
        share = table.prevalence if self.prevalence is None else self.prevalence
        found = mean_influence(called, -self._weight * called, table)
        if self.prevalence is None:
            return found
        sides = zip(
            (found.pos, found.neg), (share, 1.0 - share), (table.prevalence, 1.0 - table.prevalence), strict=True
        )
        pos, neg = (own * wanted / seen for own, wanted, seen in sides)
        return Influence(pos, neg)

    def _worth(self, table: Counts, level: float) -> tuple[Any, Any, float, float, float, float | None]:
        """Return the cells, or what weighted or clustered rows are worth."""
        cells = self._cells(table)
        sample = cell_sample(table, self.threshold_probability)
        if sample is None:
            return cells
        tp, fp, n_pos, n_neg = (float(number) for number in cells[:4])
        matrix = {"tp": tp, "fp": fp, "fn": n_pos - tp, "tn": n_neg - fp}
        return *effective_calls(matrix, sample, self._weight, self.prevalence, level), self._weight, self.prevalence

    def spread(self, table: Counts, design: str = "random", method: str | None = None, **at: Any) -> Spread:
        """Return that of a mean over rows, whose own standard error has no factor n / (n - 1)."""
        if method is None:
            return Measure.spread(self, table, design)
        del at
        table = table_for(table, self)
        return sampling_of(table).spread(self.influence(table), design=design, corrected=False)

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return Wilson limits of both shares joined, or the normal interval."""
        del options
        low, high = net_benefit_bounds(*self._worth(estimate.counts, level), level, method)
        return float(low[0]), float(high[0])
