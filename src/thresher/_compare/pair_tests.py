"""What a comparison is asked for, the figures of a pair, and whether one unseen case would undo a finding."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy

from thresher._compare.multiplicity import holm
from thresher._core.checks import check_choice, check_confidence_level, show, warn
from thresher._core.random_streams import Key, Progress, run_batches, stream_key
from thresher._inference.bootstrap import Resampling, classes_apart, outer_quantiles
from thresher._inference.delong import ALTERNATIVES, DifferenceTest, check_two_each, paired_test
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.measures import Measure
from thresher.typing import FloatArray

COMPARE_METHODS = (
    *("delong", "delong-t", "mover", "normal", "score"),
    *("mcnemar", "bootstrap", "permutation", "venkatraman"),
)
SMALL = 50
"""With fewer cases of the rarer class, Student's t distribution by class is used instead of the normal one."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How many replicates, and how the work is done; only the first two decide the numbers."""

    n_resamples: int
    key: Key
    batch_size: int | None = None
    workers: int = 1
    progress: Progress | None = None

    @property
    def quiet(self) -> Effort:
        """The same without saying how far it is."""
        return replace(self, progress=None)

    def run(self, work: Callable[[int, int], FloatArray], size: int) -> FloatArray:
        """Return what `work` makes of all replicates, `size` of them at once unless a number was asked for."""
        rows = size if self.batch_size is None else self.batch_size
        return run_batches(work, self.n_resamples, rows=rows, workers=self.workers, progress=self.progress)


def effort_of(how: Resampling) -> Effort:
    """Return the effort that options of resampling ask for."""
    return Effort(how.n_resamples, stream_key(how.rng), how.batch_size, how.workers, how.progress)


@dataclass(frozen=True, slots=True)
class ComparisonTerms:
    """The metric, the test and its options."""

    measure: Measure
    method: str
    alternative: str
    confidence_level: float
    margin: float | None
    effort: Effort
    stratified: bool | None

    @property
    def direction(self) -> str:
        """The alternative in terms of the difference: of losses the better one is smaller."""
        if self.measure.better == "higher" or self.alternative == "two-sided":
            return self.alternative
        return "less" if self.alternative == "greater" else "greater"

    def on(self, fewest: float, *, asked: bool) -> ComparisonTerms:
        """Return the question for data whose rarer class has so many cases: a method not asked for may change."""
        return replace(self, method="delong-t") if self.method == "delong" and not asked and fewest < SMALL else self

    @property
    def null(self) -> float:
        """The difference under the null hypothesis."""
        if self.margin is None:
            return 0.0
        return -self.margin if self.direction == "greater" else self.margin

    def test(self, difference: float, variance: float, df: float = math.inf) -> DifferenceTest:
        """Return the test of a difference with this variance, normal or Student's."""
        return paired_test(
            difference,
            variance,
            df=df,
            null=self.null,
            alternative=self.direction,
            confidence_level=self.confidence_level,
            reach=self.measure.reach,
        )


class PairTest(NamedTuple):
    """The figures of one pair before adjustment."""

    difference: float
    low: float
    high: float
    statistic: float
    df: float
    standard_error: float
    pvalue: float
    pvalue_one_more: float = math.nan
    """The p value with one more case against the leader, if that undoes the finding."""


def ask(
    measure: Measure,
    how: Resampling,
    *,
    method: object,
    alternative: object,
    confidence_level: object,
    margin: object,
    usual: str | None = None,
    further: tuple[str, ...] = (),
) -> ComparisonTerms:
    """Check the options against each other; `usual` is the default method if it is not the measure's own.

    `further` are methods beside those of the measure.
    """
    if method is None:
        method = usual or measure.test
        if margin is not None and method in ("permutation", "venkatraman"):
            method = "bootstrap"  # the others test equality only
        if method == "mcnemar" and (margin is not None or alternative != "two-sided"):
            method = "score"
    kind = check_choice(method, "method", tuple(one for one in COMPARE_METHODS if one != "mover" or one in further))
    side = check_choice(alternative, "alternative", ALTERNATIVES)
    level = check_confidence_level(confidence_level)
    known = (*further, *measure.tests)
    if kind.removesuffix("-t") not in known:
        others = ", ".join(map(repr, known))
        raise InvalidInputError(
            f"`method` must be a test that {measure.title!r} has; got {kind!r}. Hint: it has {others}."
        )
    if kind == "venkatraman" and side != "two-sided":
        raise InvalidInputError(
            f"`method='venkatraman'` must have the alternative 'two-sided'; got {side!r}. "
            "Hint: curves that differ have no direction."
        )
    gap = None if margin is None else _check_margin(margin, kind, side, measure.reach)
    return ComparisonTerms(measure, kind, side, level, gap, effort_of(how), classes_apart(measure, how.stratified))


def check_cases(question: ComparisonTerms, n_pos: float, n_neg: float, *, weighted: bool = False) -> None:
    """Refuse one case of a class for a test whose variance is that of the cases of each class."""
    ranked = question.measure.needs in ("path", "ranks")
    if question.method.startswith(("delong", "mover")) or (question.method == "normal" and ranked):
        what = "The variance" if question.method == "normal" else "DeLong's variance"
        other = "permutation" if question.margin is None and not weighted else "bootstrap"
        check_two_each(n_pos, n_neg, f"method={other!r} answers with one case of a class.", what=what)


def _check_margin(margin: object, method: str, alternative: str, reach: float) -> float:
    if isinstance(margin, bool) or not isinstance(margin, int | float | np.number) or not 0.0 <= margin < reach:
        raise InvalidInputError(
            f"`margin` must be a number in [0, {reach:g}); got {show(margin)}. "
            "Hint: it is the largest loss that is still acceptable, in units of the metric."
        )
    if alternative == "two-sided":
        raise InvalidInputError(
            "`margin` must have a one-sided alternative; got 'two-sided'. "
            "Hint: alternative='greater' asks whether the first scorer is not worse by more than the margin."
        )
    if method in ("permutation", "venkatraman"):
        raise InvalidInputError(
            f"`margin` must not be given with method {method!r}, which tests equality only. "
            "Hint: use 'bootstrap', or 'delong' for the area under the ROC curve."
        )
    return float(margin)


def percentile_ends(differences: FloatArray, confidence_level: float) -> tuple[float, float]:
    """Return the percentile interval of a difference."""
    tail = (1.0 - confidence_level) / 2.0
    return outer_quantiles(differences, tail, 1.0 - tail)


def shifted_ends(difference: float, exchanged: FloatArray, question: ComparisonTerms) -> tuple[float, float]:
    """Return the differences that a permutation test does not reject, if a difference only shifts its distribution."""
    tail = int(np.floor((1.0 - question.confidence_level) * (exchanged.size + 1.0) + 1e-9))
    most = question.measure.reach
    if tail < 1:
        return -most, most
    reach = float(np.sort(np.nan_to_num(np.abs(exchanged), nan=np.inf, posinf=np.inf))[-tail])
    return max(difference - reach, -most), min(difference + reach, most)


def wider_level(confidence_level: float, df: float) -> float:
    """Return the level whose normal quantile is Student's at the level asked for, for a spread with divisor n."""
    if math.isinf(df):
        return confidence_level
    t = float(scipy.special.stdtrit(df, (1.0 - confidence_level) / 2.0))
    return 1.0 - 2.0 * float(scipy.special.ndtr(t * math.sqrt((df + 1.0) / df)))


def milder_pvalue(pvalue: float, df: float, alternative: str) -> float:
    """Return the p value that belongs to `wider_level`."""
    if math.isinf(df):
        return pvalue
    sides = 2.0 if alternative == "two-sided" else 1.0
    z = float(scipy.special.ndtri(min(pvalue / sides, 1.0)))
    return min(sides * float(scipy.special.stdtr(df, z * math.sqrt(df / (df + 1.0)))), 1.0)


def spread(differences: FloatArray) -> float:
    """Return the standard deviation of replicates."""
    return float(differences.std(ddof=1)) if np.isfinite(differences).all() else math.nan


def without_number(measure: Measure, estimates: Mapping[str, float], names: tuple[str, str]) -> PairTest | None:
    """Return the figures of a pair of which a value is infinite, so that no test applies; None if both are finite.

    A value that is not defined is refused.
    """
    a, b = (estimates[name] for name in names)
    for name, own in zip(names, (a, b), strict=True):
        if math.isnan(own):
            raise UndefinedMetricError(
                f"{measure.title!r} must be defined for {names[0]!r} and {names[1]!r}; it is not for {name!r}. "
                "Hint: choose a threshold at which both predict some rows positive and some negative."
            )
    if math.isfinite(a) and math.isfinite(b):
        return None
    bounded = "brier" if measure.needs == "scores" else "youden"
    warn(
        f"{measure.title!r} is infinite for {names[0]!r} or {names[1]!r}, so there is no test. "
        f"Hint: compare a bounded metric, such as {bounded!r}."
    )
    difference = 0.0 if a == b else a - b
    return PairTest(difference, -measure.reach, measure.reach, math.nan, math.nan, math.nan, math.nan)


# Of so many in each class one more hardly matters, and its figure would take as long as the test.
_ENOUGH = 10_000
# A leader whose worst case costs it this part of what the other's worst case costs has shown such cases itself.
_SHOWN = 0.6


class UnseenCase(NamedTuple):
    """A pair whose test finds a difference: who leads, its p value, and that with one more case against the leader."""

    leader: str
    other: str
    pvalue: float
    with_one_more: float
    turned: bool
    """Whether the other one leads with that case."""


def lost_to_one(table: Counts, measure: Measure) -> float:
    """Return by how much one more positive below everything, or one negative above everything, lowers a figure."""
    own = measure.sign * measure.of(table)
    pos, neg = table.pos, table.neg
    more = []
    for at_top, at_bottom in (((0, 0), (1, 0)), ((0, 1), (0, 0))):
        columns = [
            np.concatenate(([top], column, [bottom]))
            for top, column, bottom in zip(at_top, (pos, neg), at_bottom, strict=True)
        ]
        full = columns[0] + columns[1] > 0
        ranks = -np.arange(np.count_nonzero(full), dtype=np.float64)
        more.append(measure.sign * measure.of(Counts._from_table((ranks, columns[0][full], columns[1][full]))))
    return max(own - min(more), 0.0)


class UnseenPair(NamedTuple):
    """Two models whose difference was tested; `moved` tests another difference with the same spread."""

    names: tuple[str, str]
    tables: tuple[Counts, Counts]
    moved: Callable[[float], PairTest | DifferenceTest]


def with_one_more(
    pairs: Sequence[UnseenPair], figures: Sequence[PairTest], question: ComparisonTerms
) -> list[PairTest]:
    """Return the figures with the p value that one more case would give if it undoes a finding, and warn of these.

    A finding has an adjusted p value below the level.
    """
    pvalues = [one.pvalue for one in figures]
    adjusted = holm(pvalues)
    out, found = [], []
    for i, (pair, own) in enumerate(zip(pairs, figures, strict=True)):
        finding = None
        if adjusted[i] < 1.0 - question.confidence_level:
            finding = _undone(pair, own, question, partial(_adjusted_with, pvalues, i))
        out.append(own if finding is None else own._replace(pvalue_one_more=finding.with_one_more))
        found.append(finding)
    _warn_undone(found)
    return out


def _worst_shown(table: Counts, measure: Measure) -> float:
    """Return by how much the worst case of a sample lowers the value; 0 if the measure is not smooth."""
    found = measure.influence(table)
    if found is None:
        return 0.0
    costs = (
        -float((measure.sign * influence[counts > 0]).min()) / float(counts.sum())
        for influence, counts in ((found.pos, table.pos), (found.neg, table.neg))
    )
    return max(*costs, 0.0)


def _adjusted_with(pvalues: list[float], at: int, pvalue: float) -> float:
    """Return the adjusted p value of a pair if its own p value were another one."""
    return holm([*pvalues[:at], pvalue, *pvalues[at + 1 :]])[at]


def _undone(
    pair: UnseenPair, figures: PairTest, question: ComparisonTerms, adjust: Callable[[float], float]
) -> UnseenCase | None:
    """Return the finding of a pair if one more case would undo it; `adjust` adjusts its p value."""
    measure = question.measure
    if not measure.monotone or measure.needs not in ("path", "ranks"):
        return None
    if min(min(table.n_pos, table.n_neg) for table in pair.tables) >= _ENOUGH:
        return None
    lead = measure.sign * (figures.difference - question.null)
    ahead = lead > 0.0
    first, second = pair.tables if ahead else pair.tables[::-1]
    if _worst_shown(first, measure) >= _SHOWN * _worst_shown(second, measure) > 0.0:
        return None
    lost = lost_to_one(first, measure)
    left = pair.moved(figures.difference + measure.sign * (-lost if ahead else lost))
    leader, other = pair.names if ahead else pair.names[::-1]
    # Where a case costs more than the whole lead, the other one leads then, perhaps by so much that this is a finding.
    undoes = adjust(left.pvalue) >= 1.0 - question.confidence_level or lost >= abs(lead)
    return UnseenCase(leader, other, figures.pvalue, left.pvalue, lost >= abs(lead)) if undoes else None


def _warn_undone(found: Sequence[UnseenCase | None]) -> None:
    """Say once which findings depend on what the sample does not show."""
    fragile = [finding for finding in found if finding is not None]
    if not fragile:
        return
    first = fragile[0]
    pairs = "" if len(fragile) == 1 else f" The same holds for {len(fragile)} pairs."
    would = (
        f"{first.other!r} would lead (now p is {first.pvalue:.2g})"
        if first.turned
        else f"p would be {first.with_one_more:.2g} instead of {first.pvalue:.2g}"
    )
    warn(
        f"One case decides between {first.leader!r} and {first.other!r}: with one more positive that {first.leader!r} "
        f"ranks last, or one more negative that it ranks first, {would}.{pairs} Hint: treat the difference as "
        "unproven, and collect more cases.",
        weight=2,
    )
