"""Tests between scorers on independent samples."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from thresher._compare.cells import unpaired_cells
from thresher._compare.comparison import Comparison, answered
from thresher._compare.estimation import independent_estimates, separate_moments, share_clusters
from thresher._compare.multiplicity import OmnibusTest
from thresher._compare.pair_tests import (
    SMALL,
    ComparisonTerms,
    PairTest,
    UnseenPair,
    ask,
    check_cases,
    with_one_more,
    without_number,
)
from thresher._compare.paired import (
    from_test,
    permutation_figures,
    resampled_figures,
    separated,
    small_df,
    venkatraman_figures,
    warn_few,
)
from thresher._compare.replicates import Pooling, unpaired_bootstrap_values
from thresher._core.checks import OneWarning, warn
from thresher._inference.bootstrap import Resampling, draws_of, table_for
from thresher._inference.delong import AreaOfSample, DifferenceTest, mover_test, rows_of, unpaired_test
from thresher._inference.sampling import Draws, check_weights, clusters_of
from thresher._table import Counts, as_counts
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, as_measure

_SAME_BALANCE = 0.05


def compare_unpaired(
    scores_a: Counts,
    scores_b: Counts,
    *,
    names: tuple[str, str] = ("a", "b"),
    metric: str | Measure = "roc_auc",
    method: str | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: float | None = None,
    resampling: Resampling | None = None,
    **options: Any,
) -> Comparison:
    """Compare two models, or one model in two populations, on independent samples.

    Parameters
    ----------
    scores_a, scores_b : Scores
        The two samples. If they hold the same cases, use `compare`, which is sharper.
    names : (str, str)
        The names of the two samples.
    metric, alternative, confidence_level, margin
        As in `compare`; the difference is the first minus the second.
    method : str, optional
        One of the tests that the metric has, without McNemar's. ``"mover"`` (the default for the area under the ROC
        curve of independent rows of equal weight): from the limits of both areas, which keeps its level where the
        classes of the samples differ in size; the statistic is a normal score. ``"delong"``: Welch's t with DeLong's
        variances, each with as many degrees of freedom as its sample has cases less one. ``"delong-t"``: each class of
        each sample has degrees of freedom of its own. ``"normal"``: Welch's t with the variances of the influence
        values. ``"score"`` (the default for metrics of the confusion matrix): the larger of the variance of the
        difference and of that under equality; the interval joins those of the samples. ``"bootstrap"``: each sample is
        resampled by itself. ``"permutation"`` and ``"venkatraman"``: each score becomes its place on its own sample's
        curve (the proportion of cases predicted positive down to it, with the class balance of both samples together),
        and the cases of each class are permuted between the samples; Venkatraman's statistic is the distance of the
        two paths, summed over that proportion.
    resampling : Resampling, optional
        How resamples and permutations are drawn; its fields may be given as keywords instead.
    **options
        Options of the metric and of resampling, as in `compare`.

    Returns
    -------
    Comparison
        With one pair, whose figures can be read from it directly.

    Warns
    -----
    ThresherWarning
        If the metric depends on the prevalence, the samples have different ones, and no `prevalence` is given; and as
        in `compare`.

    References
    ----------
    .. [1] E. S. Venkatraman, "A permutation test to compare receiver operating characteristic curves", Biometrics 56
       (2000), 1134-1138. https://doi.org/10.1111/j.0006-341X.2000.01134.x

    Examples
    --------
    >>> import thresher as th
    >>> here = th.Scores.from_counts([3, 2, 1], pos=[30, 15, 5], neg=[10, 30, 60])
    >>> there = th.Scores.from_counts([3, 2, 1], pos=[25, 25, 10], neg=[20, 40, 40])
    >>> th.compare_unpaired(here, there, names=("here", "there"))
    Comparison of roc_auc by mover (two-sided)
      here   0.82
      there  0.66
      here - there: +0.17 [+0.06, +0.27], p = 0.00318
    """
    with OneWarning() as said:
        how = Resampling._taken_from(options, resampling)
        measure = as_measure(metric, **options)
        a, b = (
            table_for(as_counts(own, name)._even, measure)
            for own, name in ((scores_a, "scores_a"), (scores_b, "scores_b"))
        )
        plain = a._independent and b._independent
        question = ask(
            measure,
            how,
            method=method,
            alternative=alternative,
            confidence_level=confidence_level,
            margin=margin,
            usual=_usual(a, b, measure, plain=plain),
            further=("mover",) if measure.test == "delong" else (),
        )
        if plain:
            question = question.on(min(a.n_pos, a.n_neg, b.n_pos, b.n_neg), asked=method is not None)
        _check_samples(a, b, names, question)
        _warn_balance(a, b, measure)
        estimates = {names[0]: measure.estimate(a).value, names[1]: measure.estimate(b).value}
        difference = estimates[names[0]] - estimates[names[1]]
        figures = without_number(measure, estimates, names) or _answer(a, b, names, question, difference)
        for table in (a, b):
            check_weights(table)
        own = independent_estimates(names, (a, b), measure, np.array(list(estimates.values())))
        omnibus = OmnibusTest(figures.statistic, None, figures.pvalue, question.method)
        return said.by(answered(question, own, (a, b), [figures], omnibus))


def _usual(a: Counts, b: Counts, measure: Measure, *, plain: bool) -> str | None:
    """Return the default method of independent samples, if it is not that of the same rows."""
    if measure.test == "permutation" and not plain:
        return "bootstrap"  # permutations deal independent rows of equal weight
    if measure.test == "delong" and plain and not (a._weighted or b._weighted):
        return "mover"
    if measure.test in ("mcnemar", "score"):
        if clusters_of(a) is None and clusters_of(b) is None and not share_clusters((a, b)):
            return "score"
        return "bootstrap" if any(measure.influence(table) is None for table in (a, b)) else "normal"
    return None


def _check_samples(a: Counts, b: Counts, names: tuple[str, str], question: ComparisonTerms) -> None:
    if len(names) != 2 or names[0] == names[1]:
        raise InvalidInputError(f"`names` must be two different names; got {names!r}.")
    if question.method == "mcnemar":
        raise InvalidInputError(
            "`method='mcnemar'` must have two models on the same rows; got independent samples. "
            "Hint: method='score', or `compare` for the same rows."
        )
    if question.method == "score" and (
        any(clusters_of(counts) is not None for counts in (a, b)) or share_clusters((a, b))
    ):
        raise InvalidInputError(
            "`method='score'` must have independent rows in samples of their own; got clusters. "
            "Hint: 'normal' and 'bootstrap' take clusters."
        )
    for counts in (a, b):
        check_cases(question, *rows_of(counts), weighted=a._weighted or b._weighted)
    if question.method in ("permutation", "venkatraman"):
        for counts in (a, b):
            if not counts._plain_rows:
                raise InvalidInputError(
                    f"`method={question.method!r}` must have independent rows of equal weight, which it permutes "
                    f"between the samples; got {'weights' if counts._weighted else 'clusters'}. "
                    "Hint: 'bootstrap' takes both, and so does 'delong' for the area under the ROC curve."
                )


def _warn_balance(a: Counts, b: Counts, measure: Measure) -> None:
    if (
        measure.needs_balance
        and a.n_pos
        and b.n_pos
        and a.n_neg
        and b.n_neg
        and abs(math.log((a.n_pos / a.n_neg) / (b.n_pos / b.n_neg))) > _SAME_BALANCE
    ):
        own = "prevalence" in getattr(measure, "__dataclass_fields__", ())
        hint = "give both the same `prevalence`" if own else "'roc_auc' and other metrics of ranks do not"
        warn(
            f"The samples have different proportions of positives, {a.prevalence:.3g} and {b.prevalence:.3g}, and "
            f"{measure.title!r} depends on them: part of the difference comes from that. Hint: {hint}."
        )


def _answer(a: Counts, b: Counts, names: tuple[str, str], question: ComparisonTerms, difference: float) -> PairTest:
    perfect = question.method == "mover" and separated(a) and separated(b)  # which says neither a spread nor an order
    if question.method in ("delong", "delong-t", "normal") or perfect:
        measure = question.measure
        test = unpaired_test(
            (measure.of(a), measure.of(b)),
            (measure.spread(a).variance, measure.spread(b).variance),
            (_worth(a), _worth(b)),
            covariance=float(separate_moments((a, b), measure).covariance[0, 1]) if share_clusters((a, b)) else 0.0,
            df=separate_moments((a, b), measure).df_between(0, 1) if question.method == "delong-t" else None,
            null=question.null,
            alternative=question.direction,
            confidence_level=question.confidence_level,
            reach=measure.reach,
        )
        warn_few(_fewest(a, b))
        figures = from_test(test, names, (a, b), measure)
        return _with_finding(a, b, names, question, figures, partial(question.test, variance=test.variance, df=test.df))
    if question.method == "mover":
        return _by_limits(a, b, names, question)
    if question.method == "score":
        return unpaired_cells(a, b, question, difference, names)
    resampled = question.method == "bootstrap"
    effort = question.effort
    quiet = effort if resampled else effort.quiet
    plans = _plans(a, b, question.measure, stratified=question.stratified is not False)
    drawn = unpaired_bootstrap_values(plans, question.measure, quiet)
    differences = drawn[:, 0] - drawn[:, 1]
    if resampled:
        warn_few(_fewest(a, b))
        at = partial(resampled_figures, differences, difference, question, _df(a, b, question.measure))
        figures = at(difference)
        return _with_finding(a, b, names, question, figures, at)
    measure = question.measure
    if question.method == "permutation":
        dealt = Pooling(a, b, measure.needs, measure.cut).values(measure, effort)
        return permutation_figures(difference, dealt, differences, question)
    return venkatraman_figures(difference, Pooling(a, b).distances(effort), differences, question)


def _by_limits(a: Counts, b: Counts, names: tuple[str, str], question: ComparisonTerms) -> PairTest:
    """Return the figures of the test by the limits of both areas."""
    measure = question.measure
    areas = [
        AreaOfSample(measure.of(one), measure.spread(one).variance, float(one.n_pos), float(one.n_neg))
        for one in (a, b)
    ]
    few = _fewest(a, b)
    warn_few(few)
    spread_of = math.hypot(*(math.sqrt(one.variance) for one in areas))
    df = separate_moments((a, b), measure).df_between(0, 1) if few < SMALL and spread_of > 0.0 else math.inf
    own = areas[0].area - areas[1].area

    def at(difference: float) -> PairTest:
        # A difference that is smaller by so much is as far from the null hypothesis as this one from one moved by it.
        test = mover_test(
            areas[0],
            areas[1],
            df=df,
            null=question.null + (own - difference),
            alternative=question.direction,
            confidence_level=question.confidence_level,
        )
        moved = difference - own
        return PairTest(difference, test.low + moved, test.high + moved, test.statistic, df, spread_of, test.pvalue)

    return _with_finding(a, b, names, question, at(own), at)


def _with_finding(
    a: Counts,
    b: Counts,
    names: tuple[str, str],
    question: ComparisonTerms,
    figures: PairTest,
    moved: Callable[[float], PairTest | DifferenceTest],
) -> PairTest:
    """Return the figures, and warn if one more case would undo what they find."""
    if any(not one._plain_rows for one in (a, b)):
        return figures
    return with_one_more([UnseenPair(names, (a, b), moved)], [figures], question)[0]


def _fewest(a: Counts, b: Counts) -> float:
    """Return how many rows the rarest class has; a metric may be defined for samples without one of the classes."""
    return min(size for size in (*rows_of(a), *rows_of(b)) if size)


def _worth(counts: Counts) -> float:
    """Return how many independent cases of equal weight a sample is worth, or how many clusters it has."""
    clusters = clusters_of(counts)
    return counts.effective_pos + counts.effective_neg if clusters is None else float(clusters.size)


def _df(a: Counts, b: Counts, measure: Measure) -> float:
    """Return the degrees of freedom of the bootstrap's spread: by class, or those of the smallest class."""
    # Sums of weights are on any scale; what counts is how many rows of equal weight they are worth.
    fewest = min(a.effective_pos, a.effective_neg, b.effective_pos, b.effective_neg)
    if fewest <= 1 or fewest >= SMALL or a._weighted or b._weighted:
        return small_df(fewest)
    if measure.influence(a) is None:
        return small_df(fewest)
    return separate_moments((a, b), measure).df_between(0, 1)


def _plans(a: Counts, b: Counts, measure: Measure, *, stratified: bool) -> tuple[Draws, Draws]:
    found = []
    for counts in (a, b):
        check_weights(counts)
        found.append(draws_of(table_for(counts, measure), measure, stratified=stratified))
    return found[0], found[1]
