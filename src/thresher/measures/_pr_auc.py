"""Areas under the precision-recall curve, by a named estimator or averaged over all orders of ties."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
import scipy

from thresher._core import native
from thresher._core.checks import check_choice, check_count, check_range, warn
from thresher._core.resampling import Replicates, Requested
from thresher._core.values import value
from thresher._curves import least_pr_area, min_average_precision
from thresher._inference.bootstrap import Figure, replicate_areas
from thresher._inference.pr import (
    BOYD_METHODS,
    PR_INTERVAL_METHODS,
    boyd_standard_error,
    influence_of_cells,
    many_pr_areas,
    pr_auc_influence,
    pr_auc_interval,
    pr_auc_spread,
    pr_auc_standard_error,
)
from thresher._inference.sampling import Influence, Kernel, Spread, check_weights
from thresher._table import Batch, Counts, ManyTables, Needs, hard_calls, overlapping, shared_ties
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Classes, Measure, Span, between_extremes, bounded_by_extremes, figure_of
from thresher.measures._pr_estimators import (
    ALL_RECALLS,
    PR_ESTIMATORS,
    area_range_by_stretches,
    known_area,
    most_average_precision,
    most_partial_average_precision,
    pr_auc_value,
    skew_of,
    tie_range,
    unseen_remark,
)
from thresher.measures._registry import measure
from thresher.typing import FloatArray

_GROWING = ("interpolated", "functional", "achievable")  # with the curve: a better ranking never has less
# Between thresholds these depend on more than the path of the curve, so positives in a row must stay apart.
_STEPWISE = ("average_precision", "unit_steps", "trapezoid")
_TITLES = {"interpolated": "pr_auc", "average_precision": "average_precision"}
_WORTH_SAYING = 1e-9


@measure(
    ("average_precision", ("ap", "average_precision_score"), {"estimator": "average_precision"}),
    ("achievable_pr_auc", ("achievable",), {"estimator": "achievable"}),
    ("functional_pr_auc", ("functional",), {"estimator": "functional"}),
    ("trapezoid_pr_auc", ("trapezoid",), {"estimator": "trapezoid"}),
    ("unit_steps_pr_auc", ("unit_steps",), {"estimator": "unit_steps"}),
)
@value
class PrAuc(Measure):
    """The area under the precision-recall curve.

    Parameters
    ----------
    estimator : {"interpolated", "average_precision", "unit_steps", "trapezoid", "functional", "achievable"}
        How it is computed; `Scores.pr_auc` says what each is.
    prevalence : float, optional
        The proportion of positives to which precision refers; that of the data by default.
    recall : (low, high), optional
        Only this range of recall.
    normalize : bool, default=False
        Whether the least possible area becomes 0 and the greatest 1 (Boyd et al. 2012).

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 1, 0, 1, 0], [5, 4, 3, 2, 1])
    >>> round(th.measures.PrAuc(prevalence=0.1).of(scores), 4)
    0.7187
    >>> round(scores.measure("ap").value, 4)
    0.9167
    """

    estimator: str = "interpolated"
    prevalence: float | None = None
    recall: Span | None = None
    normalize: bool = False

    name = "pr_auc"
    monotone = True
    aliases = ("aupr", "auprc", "aucpr", "interpolated_pr_auc", "interpolated")
    label = "The area under the precision-recall curve"
    intervals = ("bayes", *PR_INTERVAL_METHODS, "bootstrap")
    weighted_interval = "logit"
    where_resampling_fails = "`scores.pr_auc().confidence_interval()` says what these data can tell."

    def __post_init__(self) -> None:
        check_choice(self.estimator, "estimator", PR_ESTIMATORS)
        Measure.__post_init__(self)
        if self.recall is not None:
            object.__setattr__(self, "recall", check_range(self.recall, "recall"))
        if self.estimator == "unit_steps" and self._span != ALL_RECALLS:
            raise InvalidInputError(
                "`estimator='unit_steps'` must have whole counts and the whole range of recall; got "
                f"recall={self.recall}. Hint: 'interpolated' is its exact limit."
            )

    @property
    def title(self) -> str:
        """The name by which this estimator is asked for."""
        return _TITLES.get(self.estimator, f"{self.estimator}_pr_auc")

    @property
    def needs(self) -> Needs:  # type: ignore[override]  # it depends on the estimator
        """Steps between thresholds need the ranks; the others only the path of the curve."""
        return "ranks" if self.estimator in _STEPWISE else "path"

    @property
    def _span(self) -> Span:
        return ALL_RECALLS if self.recall is None else self.recall

    @property
    def smooth(self) -> bool:  # type: ignore[override]  # it depends on the options
        """Whole areas are, but for hulls, straight lines and a prevalence by which one negative can count for many."""
        sums = self.estimator in ("interpolated", "average_precision", "functional")
        return sums and self._span == ALL_RECALLS and self.prevalence is None

    @property
    def bounds(self) -> Span:
        """The least and the greatest area."""
        return (0.0, 1.0 if self.normalize else self._span[1] - self._span[0])

    @property
    def shown(self) -> dict[str, Any]:
        """The options as results show them: the estimator is always named."""
        named = {"estimator": self.estimator} if self.title == self.name else {}
        return named | {name: option for name, option in self.options.items() if name != "estimator"}

    # On one table

    def _unseen(self, table: Counts) -> str | None:
        return None if self.prevalence is None else unseen_remark(table, self.prevalence, self._span)

    def of(self, table: Counts) -> float:
        """Return the area of a table."""
        table = table._even
        if self.estimator == "unit_steps" and table._weighted:
            raise InvalidInputError(
                "`estimator='unit_steps'` must have whole counts and the whole range of recall; got weights. "
                "Hint: 'interpolated', which is 'pr_auc', is its exact limit."
            )
        return self._from_raw(table, self._raw(table))

    def _raw(self, table: Counts) -> float:
        """Return the area before it is normalised."""
        return between_extremes(table, self._area) if self.estimator in _GROWING else self._area(table)

    def _area(self, table: Counts) -> float:
        return pr_auc_value(table, self.estimator, self.prevalence, self._span)

    def _scale(self, table: Counts) -> float:
        """Return by how much normalising stretches the area."""
        return 1.0 / (self._span[1] - self._span[0] - self._floor(table)) if self.normalize else 1.0

    def _floor(self, table: Counts) -> float:
        """Return the smallest area of such data; sums of weights have no smallest number of rows."""
        if table._weighted:
            share = table.prevalence if self.prevalence is None else self.prevalence
            return least_pr_area(share, self._span)
        return self._least(table.n_pos, table.n_neg)

    def _from_raw(self, table: Counts, area: float) -> float:
        if not self.normalize:
            return area
        return (area - self._floor(table)) * self._scale(table)

    def _least(self, n_pos: float, n_neg: float) -> float:
        """Return the smallest area that a ranking of as many cases can have."""
        whole = float(n_pos).is_integer() and float(n_neg).is_integer()
        if self.estimator == "average_precision" and self._span == ALL_RECALLS and self.prevalence is None and whole:
            return min_average_precision(int(n_pos), int(n_neg))
        return least_pr_area(n_pos / (n_pos + n_neg) if self.prevalence is None else self.prevalence, self._span)

    def influence(self, table: Counts) -> Influence:
        """Return how the area answers to more of a class at each score, without a density."""
        found = pr_auc_influence(table, estimator=self.estimator, prevalence=self.prevalence, recall=self.recall)
        return found.scaled(self._scale(table))

    def spread(self, table: Counts, design: str = "random", method: str | None = None, **at: Any) -> Spread:
        """Return the variance of the area by a method; `design` is "random", "fixed" or "class"."""
        del at
        if method in BOYD_METHODS:
            check_weights(table)
            width = self._span[1] - self._span[0]
            error = boyd_standard_error(self._raw(table), table.effective_pos, width) * self._scale(table)
            return Spread(error * error)
        if method is not None:
            error = self._scale(table) * pr_auc_standard_error(
                table, estimator=self.estimator, prevalence=self.prevalence, recall=self.recall, design=design
            )
            return Spread(error * error)
        variance, df = pr_auc_spread(
            table, estimator=self.estimator, prevalence=self.prevalence, recall=self.recall, design=design
        )
        return Spread(variance * self._scale(table) ** 2, df)

    def error_bound(self, table: Counts, found: float) -> float:
        """Return how far the area of the full data can be off."""
        if known_area(table, self.estimator, self.prevalence, self._span) is not None:
            return 0.0
        return self._raw_bound(table, self._raw(table) if self.normalize else found) * self._scale(table)

    def _raw_bound(self, table: Counts, area: float) -> float:
        if self.estimator in ("trapezoid", "unit_steps"):  # which do not grow with the curve
            least, most = area_range_by_stretches(table, skew_of(table, self.prevalence), self._span)
            return max(area - least, most - area, 0.0)
        if self.estimator != "average_precision":
            return bounded_by_extremes(table, area, self._area, self._area)

        # Average precision does not grow with the curve where scores tie. It is never below the area with ties lost,
        # and not above its own value for the best data as long as merged ranges do not overlap, as in sums of tables.
        def low(worst: Counts) -> float:
            return tie_range(worst, self.prevalence, self._span)[0]

        if not overlapping(table):
            return bounded_by_extremes(table, area, low, self._area)
        if self._span != ALL_RECALLS:
            return bounded_by_extremes(
                table, area, low, lambda best: most_partial_average_precision(best, self.prevalence, self._span)
            )
        return bounded_by_extremes(table, area, low, lambda _: most_average_precision(table, self.prevalence))

    def remarks(self, table: Counts, found: float) -> list[str]:
        """Return what the data cannot show at a lower prevalence, and how far ties make estimators differ."""
        unseen = self._unseen(table)
        note = hard_calls(table)
        first, last = ([] if line is None else [line] for line in (unseen, note))
        return [*first, *self._tie_remarks(table, found), *last]

    def _tie_remarks(self, table: Counts, found: float) -> list[str]:
        area = self._raw(table) if self.normalize else found
        if table._figures is not None:
            return self._known_remarks(table, area)
        ties = shared_ties(table)
        if not ties.scores:
            return []
        low, high = tie_range(table, self.prevalence, self._span)
        share = f"{ties.positives / table.n_pos:.1%} of the positives share their score with negatives"
        lines = [f"{share}; breaking ties could give {low:.3g} to {high:.3g}"]
        others = []
        for other in ("interpolated", "average_precision", "trapezoid", "functional"):
            if other != self.estimator:
                difference = pr_auc_value(table, other, self.prevalence, self._span) - area
                if abs(difference) > _WORTH_SAYING:
                    others.append(f"{other} {difference:+.2g}")
        if others:
            lines.append("other estimators differ: " + ", ".join(others))
        return lines

    def _known_remarks(self, table: Counts, area: float) -> list[str]:
        """Return what a table that lacks scores can say about ties among all of them."""
        figures = table._figures
        if figures is None or not figures.shared_scores:
            return []
        lines = [f"{figures.shared_pos / table.n_pos:.1%} of the positives share their score with negatives"]
        for other in ("interpolated", "average_precision"):
            known = known_area(table, other, self.prevalence, self._span)
            if other != self.estimator and known is not None and abs(known - area) > _WORTH_SAYING:
                lines.append(f"other estimators differ: {other} {known - area:+.2g}")
        return lines

    def _many(self, tables: ManyTables) -> tuple[FloatArray, FloatArray]:
        return many_pr_areas(tables, self.estimator, self.prevalence)

    # With its uncertainty

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the interval by a method that needs no resampling."""
        table = estimate.counts
        unseen = self._unseen(table)
        if unseen is not None:
            own = "the lower limit allows for negatives not seen in this sample; more negatives would narrow it"
            hint = own if method == "bayes" else "the default interval says what these data can tell"
            warn(f"{unseen[0].upper()}{unseen[1:]}. Hint: {hint}.")
        if method == "bayes":
            return self._adverse_ends(estimate, level, options.design)
        raw = self._raw(table) if self.normalize else estimate.value
        low, high = pr_auc_interval(
            table,
            raw,
            confidence_level=level,
            method=method,
            estimator=self.estimator,
            prevalence=self.prevalence,
            recall=self.recall,
            design=options.design,
        )
        return self._from_raw(table, low), self._from_raw(table, high)

    def _adverse_ends(self, estimate: Estimate, level: float, design: str) -> Span:
        """Return limits from weighted tables, whose class balance is random unless the design fixes it."""
        known = estimate.counts.prevalence if design == "fixed" and self.prevalence is None else self.prevalence
        # Weights cannot take unit steps, whose limit is the interpolated area.
        taken = "interpolated" if self.estimator == "unit_steps" else self.estimator
        here = replace(self, estimator=taken, prevalence=known)
        # The hull of a sample stands above that of its population; the curve itself does not.
        low = replace(here, estimator="interpolated") if taken == "achievable" else None
        return here.adverse_ends(estimate, level, low=low)

    # On many tables at once

    def values(self, batch: Batch) -> FloatArray:
        """Return the area of each table."""
        area = replicate_areas.pr_area(
            batch.pos, batch.neg, batch.at, estimator=self.estimator, prevalence=self.prevalence, span=self._span
        )
        return self._normalized(area, *batch.totals) if self.normalize else area

    @property
    def figure(self) -> Figure:
        """The area of cells, for most of them straight from their weights."""
        if self.normalize or not self.smooth:
            return figure_of(self)
        values = partial(replicate_areas.pr_area, estimator=self.estimator)
        return Figure(values, partial(influence_of_cells, estimator=self.estimator), smooth=True)

    @property
    def kernel(self) -> Kernel | None:
        """The compiled code knows whole areas: of many tables all but hulls, in the bootstrap those that are sums."""
        if self._span != ALL_RECALLS or self.estimator == "achievable":
            return None
        many = None if self.normalize or not native.available() else self._many
        odds = 0.0 if self.prevalence is None else (1.0 - self.prevalence) / self.prevalence
        asks = {
            "interpolated": Requested(odds, interpolated=True),
            "functional": Requested(odds, interpolated=True, positives_first=True),
            "average_precision": Requested(odds, average_precision=True),
        }.get(self.estimator)
        return Kernel(asks, None if asks is None else self._read, totals=self.normalize, many=many)

    def _read(self, found: Replicates) -> FloatArray:
        area = np.asarray(found.average_precision if found.interpolated is None else found.interpolated)
        if not self.normalize:
            return area
        totals = found.points[:, -1].astype(np.float64)
        return self._normalized(area, totals[:, 0], totals[:, 1])

    def _normalized(self, area: FloatArray, n_pos: FloatArray, n_neg: FloatArray) -> FloatArray:
        if not self.normalize:
            return area
        kinds, which = np.unique(np.stack((n_pos, n_neg), axis=1), axis=0, return_inverse=True)
        least = np.array([self._least(float(some), float(others)) for some, others in kinds])[which.reshape(-1)]
        return np.asarray((area - least) / (self._span[1] - self._span[0] - least))


@measure()
@value
class ExpectedAveragePrecision(Measure):
    """The mean of average precision over all orders of tied rows.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0], [1, 1]).measure("expected_average_precision").value
    0.75
    """

    name = "expected_average_precision"
    aliases = ("expected_ap",)
    label = "Average precision over all orders of ties"
    intervals = ("bootstrap",)
    needs = "ranks"
    classes: ClassVar[Classes] = "pos"
    needs_balance = True

    def of(self, table: Counts) -> float:
        """Return the mean over orders."""
        return expected_average_precision(table)

    def values(self, batch: Batch) -> FloatArray:
        """Return the mean over orders of each table, from differences of harmonic numbers."""
        p, size = batch.pos, batch.pos + batch.neg
        tp, before = np.cumsum(p, axis=1) - p, np.cumsum(size, axis=1) - size
        some = p > 0
        others = np.divide(p - 1.0, size - 1.0, out=np.zeros_like(p), where=size > 1.0)
        harmonic = scipy.special.digamma(before + size + 1.0) - scipy.special.digamma(before + 1.0)
        harmonic = np.where(size == 1.0, 1.0 / (before + 1.0), harmonic)
        terms = (tp + 1.0 - others * (before + 1.0)) * harmonic + others * size
        share = np.divide(p, size, out=np.zeros_like(p), where=some)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray((share * terms).sum(axis=1) / p.sum(axis=1))


def expected_average_precision(scores: Counts, *, n_unseen: int = 0) -> float:
    """Return the mean of average precision over all orders of tied rows.

    Parameters
    ----------
    scores : Scores
        Counts without weights.
    n_unseen : int, default=0
        Positives that were never ranked, as relevant documents that a run did not return; they count 0.

    Returns
    -------
    float
        Between the values of the luckiest and the unluckiest order; without ties it is average precision itself.

    References
    ----------
    F. McSherry and M. Najork (2008), "Computing information retrieval performance measures efficiently in the presence
    of tied scores", doi:10.1007/978-3-540-78646-7_38.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.sklearn import expected_average_precision
    >>> expected_average_precision(th.Scores([1, 0], [0.5, 0.5]))
    0.75
    """
    unseen = check_count(n_unseen, "n_unseen")
    scores = scores._even
    if scores._weighted:
        raise InvalidInputError(
            "`scores` must be counted without weights for a mean over orders; got sums of weights. "
            "Hint: 'average_precision' takes weights."
        )
    n_pos = int(scores.n_pos) + unseen
    if n_pos == 0:
        raise UndefinedMetricError("Average precision needs a positive; got none. Hint: check the labels.")
    # Only groups with positives add anything. Place k of a group of g rows, p of them positive, holds a positive with
    # chance p / g, and (k - 1)(p - 1) / (g - 1) others are expected above it within the group.
    found = np.flatnonzero(scores.pos)
    pos, size = scores.pos[found], (scores.pos + scores.neg)[found]
    before_tp, before = (scores.tp[found] - pos), (scores.tp + scores.fp)[found] - size
    group = np.repeat(np.arange(found.size), size.astype(np.intp))
    place = np.arange(group.size) - (np.cumsum(size) - size)[group]
    others = place * ((pos - 1) / np.maximum(size - 1, 1))[group]
    terms = (pos / size)[group] * (before_tp[group] + 1 + others) / (before[group] + place + 1)
    return math.fsum(terms.tolist()) / n_pos
