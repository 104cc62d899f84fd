"""Tests between scorers on the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from thresher._compare.cells import paired_cells
from thresher._compare.comparison import Comparison, answered
from thresher._compare.estimation import paired_estimates
from thresher._compare.multiplicity import OmnibusTest, wald_omnibus
from thresher._compare.pair_tests import (
    SMALL,
    ComparisonTerms,
    PairTest,
    UnseenPair,
    ask,
    check_cases,
    milder_pvalue,
    percentile_ends,
    shifted_ends,
    spread,
    wider_level,
    with_one_more,
    without_number,
)
from thresher._compare.paired_rows import FEW, PairedRows, class_moments, difference_variances, read_rows
from thresher._compare.replicates import (
    Exchange,
    at_least,
    bootstrap_pvalue,
    bootstrap_values,
    permutation_pvalue,
    ratio,
)
from thresher._core.checks import OneWarning, warn
from thresher._inference.bootstrap import Resampling
from thresher._inference.delong import DifferenceTest, exact_interval
from thresher._inference.sampling import Moments, check_weights
from thresher._table import Counts, outcome_from
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, as_measure
from thresher.typing import ArrayLike, FloatArray

# From so many cases of the rarer class on the covariance of areas is as good as known.
MANY = 1000


def compare(
    y_true: ArrayLike | None,
    y_scores: Mapping[str, ArrayLike],
    *,
    metric: str | Measure = "roc_auc",
    method: str | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    frequency: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    resampling: Resampling | None = None,
    **options: Any,
) -> Comparison:
    """Compare models on the same rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as for `Scores`.
    y_scores : mapping of str to array-like of shape (n,)
        The scores of each scorer, by its name; row r of all of them is the same case.
    metric : str or Measure, default="roc_auc"
        What is compared: a name of `thresher.measures.names()`, or an object of `thresher.measures`.
    method : str, optional
        One of the tests that the metric has, by default the first of its ``tests``:

        ``"delong"`` (the default for ``"roc_auc"``): normal test with DeLong's covariance; with clusters Obuchowski's,
        and Student's t with one degree of freedom less than clusters.
        ``"delong-t"`` (the default with fewer than 50 cases of the rarer class, if all weigh the same): Student's t
        with degrees of freedom by class, and for several models Hotelling's T-squared.
        ``"normal"`` (the default for means over rows, such as ``"brier"`` and ``"net_benefit"``): normal test with the
        variance of the influence values; every smooth metric has it.
        ``"score"`` (for metrics of the confusion matrix): normal test with the larger of the variance of the
        difference and of that under equality.
        ``"mcnemar"`` (the default for proportions of rows, such as ``"recall"``): McNemar's exact test by mid-p.
        ``"bootstrap"`` (the default for other metrics): rows, or clusters, are resampled; percentile interval and the p
        value that inverts it, with one added to both counts.
        ``"permutation"``: the models' midranks (or their scores, if the metric reads more than ranks) are exchanged
        within rows at random; p value with one added to both counts; the interval holds the differences that this test
        does not reject.
        ``"venkatraman"``: the same exchanges, with the distance of the two ROC paths, summed over ranks. It finds
        curves that cross and have equal areas; the difference and its interval are those of the area.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first of a pair is better than the second.
    confidence_level : float, default=0.95
        Level of the two-sided intervals.
    margin : float, optional
        Test non-inferiority: with ``alternative="greater"`` the null hypothesis is that the first is worse than the
        second by `margin` or more; with ``"less"`` that it is better by `margin` or more.
    pos_label : object, optional
        The label of the positive class.
    resampling : Resampling, optional
        How resamples and permutations are drawn; `n_resamples`, `rng`, `stratified`, `batch_size`, `workers` and
        `progress` may be given as keywords instead.
    **options
        Options of the metric (`recall`, `fpr`, `estimator`, `prevalence`, ...); those of resampling; and of the rows:
        `sample_weight` (sampling weights, of which only ratios count; in the bootstrap and in exchanges a row keeps its
        weight), `frequency` (whole numbers: how many identical independent rows a row stands for) and `cluster` (such
        as the patient of each row: rows of a cluster are resampled together, and exchanged together). For an outcome in
        time, with None for `y_true`: `time`, `event` and `at` (the horizon), and what `Scores.at_time` takes beside.

    Returns
    -------
    Comparison
        `pairs` holds every pair, with p values adjusted by Holm's method; `omnibus` the test that all are equal.

    Warns
    -----
    ThresherWarning
        When DeLong's variance of a difference that is not 0 is 0; when a class has fewer than ten cases; and when one
        case that the sample does not show, a positive that the leader ranks last or a negative that it ranks first,
        would undo what a test finds (up to ten thousand of the rarer class).

    Notes
    -----
    Exchanging within rows is exact when, given its label, the two scores of a row are exchangeable. Scores on different
    scales never are, so ranks are exchanged; what is tested then is that the joint distribution of the two ranks is
    symmetric, which holds for scorers of equal quality with the same noise, and asymptotically is close enough
    otherwise.

    Scorers that rank alike give p = 1 by every method.

    With fewer than 50 cases of the rarer class the percentiles of the bootstrap are taken further out, as Student's t
    is from the normal distribution. The precision at a recall depends on a quantile of few scores, which resampling
    makes rougher than it is: its bootstrap test rejects too rarely. Exchanging ranks tests that both scorers have one
    distribution, not that they have one value: scorers of equal precision and different spread are found to differ. How
    often each test rejects where nothing differs is in the tables of the validation pages.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, Biometrics 44 (1988), 837-845.
       https://doi.org/10.2307/2531595
    .. [2] E. S. Venkatraman and C. B. Begg, "A distribution-free procedure for comparing receiver operating
       characteristic curves from a paired experiment", Biometrika 83 (1996), 835-848.
       https://doi.org/10.1093/biomet/83.4.835
    .. [3] A. I. Bandos, H. E. Rockette and D. Gur, "A permutation test sensitive to differences in areas for comparing
       ROC curves from a paired design", Statistics in Medicine 24 (2005), 2873-2893. https://doi.org/10.1002/sim.2149

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(300) < 0.3
    >>> old, new = rng.normal(size=(2, 300)) + [[0.8], [1.6]] * y
    >>> th.compare(y, {"new": new, "old": old})
    Comparison of roc_auc by delong (two-sided)
      new  0.880
      old  0.706
      new - old: +0.174 [+0.099, +0.249], p = 5.2e-06

    Is the new one not worse by more than 0.02?

    >>> th.compare(y, {"new": new, "old": old}, alternative="greater", margin=0.02).pvalue < 0.001
    True
    """
    with OneWarning() as said:
        how = Resampling._taken_from(options, resampling)
        outcome = outcome_from(options, y_true, sample_weight=sample_weight, cluster=cluster, frequency=frequency)
        measure = as_measure(metric, **options)
        question = ask(
            measure, how, method=method, alternative=alternative, confidence_level=confidence_level, margin=margin
        )
        rows = read_rows(
            y_true,
            y_scores,
            pos_label=pos_label,
            sample_weight=sample_weight,
            frequency=frequency,
            cluster=cluster,
            outcome=outcome,
        )
        counts = [rows.counts(model) for model in range(len(rows.names))]
        if not measure.needs_balance and rows.weight is not None and counts[0]._plain is not None:
            rows = replace(rows, weight=None)  # weights that are the same within each class
        if _one_each(rows):
            question = question.on(_fewest(rows), asked=method is not None)
        elif question.method == "mcnemar":
            question = replace(question, method="score")  # which takes weights and clusters
        _check_rows(rows, question)
        estimates = {name: measure.estimate(table).value for name, table in zip(rows.names, counts, strict=True)}
        values = np.array(list(estimates.values()))
        answer = {
            "delong": _delong,
            "delong-t": _delong,
            "normal": _delong,
            "score": paired_cells,
            "mcnemar": paired_cells,
            "bootstrap": _bootstrap,
            "permutation": _permutation,
            "venkatraman": _venkatraman,
        }[question.method]
        finite = np.flatnonzero(np.isfinite(values)).tolist()
        untested = [without_number(measure, estimates, (rows.names[i], rows.names[j])) for i, j in _pairs(rows)]
        tested: list[PairTest] = []
        omnibus = None
        if len(finite) > 1:
            tested, omnibus = answer(rows.models(finite), question, values[finite], [counts[k] for k in finite])
        if 1 < len(finite) < len(counts):  # Bonferroni's bound is left
            least = min(one.pvalue for one in tested)
            omnibus = OmnibusTest(math.nan, None, min(1.0, len(untested) * least), question.method)
        left = iter(tested)
        figures = [next(left) if one is None else one for one in untested]
        found = paired_estimates(rows, counts, measure, values)
        return said.by(answered(question, found, counts, figures, omnibus, rows))


def _check_rows(rows: PairedRows, question: ComparisonTerms) -> None:
    if question.method == "delong-t" and (rows.weight is not None or rows.cluster is not None):
        raise InvalidInputError(
            "`method='delong-t'` must have independent rows of equal weight; got weights or clusters. "
            "Hint: method='delong' takes both."
        )
    if question.method == "mcnemar" and (question.margin is not None or question.alternative != "two-sided"):
        raise InvalidInputError(
            "`method='mcnemar'` must have the alternative 'two-sided' and no margin. Hint: method='score' has both."
        )
    n_pos = int(np.count_nonzero(rows.positive))
    check_cases(question, n_pos, rows.positive.size - n_pos)
    if question.method in ("delong", "normal") and rows.weight is not None:
        check_weights(rows.counts(0))
    if rows.weight is not None and question.method == "venkatraman":
        raise InvalidInputError(
            "`method='venkatraman'` must have rows of equal weight; got `sample_weight`. "
            "Hint: 'bootstrap' and 'permutation' take weights."
        )


def _pairs(rows: PairedRows) -> list[tuple[int, int]]:
    return list(combinations(range(len(rows.names)), 2))


def _delong(
    rows: PairedRows, question: ComparisonTerms, values: FloatArray, tables: Sequence[Counts]
) -> tuple[list[PairTest], OmnibusTest]:
    variances, df = difference_variances(rows, question.measure, tables)
    fewest = _fewest(rows)
    by_class = question.method == "delong-t"
    # Chi-square is too short for many scorers with some hundred cases still.
    joint = values.size > 2 and fewest < MANY and _one_each(rows)
    moments = class_moments(rows, question.measure, tables) if by_class or joint else None
    warn_few(fewest)
    return analytic(
        rows.names,
        tables,
        values,
        variances,
        question,
        moments.df_between if by_class and moments is not None else lambda i, j: df,
        one_more=_one_each(rows),
        joint_df=None if moments is None else moments.joint_df,
    )


def analytic(
    names: Sequence[str],
    tables: Sequence[Counts],
    values: FloatArray,
    variances: FloatArray,
    question: ComparisonTerms,
    df: Callable[[int, int], float],
    *,
    one_more: bool,
    joint_df: Callable[[FloatArray], float] | None,
) -> tuple[list[PairTest], OmnibusTest]:
    """Test all pairs of models by the variances of their differences, with `df(i, j)` degrees of freedom.

    `one_more` says whether to look for what one more case would undo, `joint_df` is as in `wald_omnibus`.
    """
    figures: list[PairTest] = []
    pairs: list[UnseenPair] = []
    for i, j in combinations(range(values.size), 2):
        test = question.test(float(values[i] - values[j]), float(variances[i, j]), df(i, j))
        both = (names[i], names[j]), (tables[i], tables[j])
        figures.append(from_test(test, *both, question.measure))
        pairs.append(UnseenPair(*both, partial(question.test, variance=test.variance, df=test.df)))
    if one_more:
        figures = with_one_more(pairs, figures, question)
    pvalues = [one.pvalue for one in figures]
    return figures, wald_omnibus(values, variances, question.method, pvalues=pvalues, joint_df=joint_df)


def _one_each(rows: PairedRows) -> bool:
    """Return whether each row is a case of its own that counts as much as any other."""
    return rows.weight is None and rows.cluster is None


def warn_few(fewest: float) -> None:
    """Warn where a class is too small to tell its own spread."""
    if fewest < FEW:
        warn(
            f"The rarer class has {fewest:g} cases: a test that estimates their spread from so few is rough, in "
            f"either direction. Hint: collect at least {FEW}, or give the interval with the p value.",
            weight=0,
        )


def from_test(
    test: DifferenceTest, names: tuple[str, str], tables: tuple[Counts, Counts], measure: Measure
) -> PairTest:
    """Return the figures of an analytic test, warning if its variance says nothing."""
    a, b = names
    if test.variance == 0.0 and measure.test == "delong" and all(separated(table) for table in tables):
        return _of_two_perfect(test, a, b, tables)
    if test.variance == 0.0 and test.difference != test.null:
        warn(
            f"The variance of the difference between {a!r} and {b!r} is 0 although the values differ, as when models "
            "separate the classes completely: do not trust its p-value. Hint: use method='permutation'.",
            weight=2,
        )
    se = math.sqrt(test.variance)
    return PairTest(test.difference, test.low, test.high, test.statistic, test.df, se, test.pvalue)


def separated(table: Counts) -> bool:
    """Return whether every positive stands above every negative."""
    return int(np.flatnonzero(table.pos)[-1]) < int(np.flatnonzero(table.neg)[0])


def _of_two_perfect(test: DifferenceTest, a: str, b: str, tables: tuple[Counts, Counts]) -> PairTest:
    """Return what two scorers without an error tell: that neither is far from perfect."""
    worst = min(
        exact_interval(1.0, float(table.n_pos), float(table.n_neg), test.confidence_level)[0] for table in tables
    )
    warn(
        f"{a!r} and {b!r} both separate the classes completely, so the data show no difference and no variance. The "
        "interval is how far either may be from perfect. Hint: harder cases would tell them apart.",
        weight=2,
    )
    # The p-value at which the limits reach the null hypothesis: they are 1 - tail ** (1 / k).
    gap = test.difference - test.null
    k = min(min(float(table.n_pos), float(table.n_neg)) for table in tables)
    tail = max(1.0 - abs(gap), 0.0) ** k
    if test.alternative == "two-sided":
        pvalue = min(1.0, 2.0 * tail)
    else:
        pvalue = tail if (gap > 0.0) == (test.alternative == "greater") else 1.0
    return PairTest(test.difference, worst - 1.0, 1.0 - worst, test.statistic, test.df, 0.0, pvalue)


def _bootstrap(
    rows: PairedRows, question: ComparisonTerms, values: FloatArray, tables: Sequence[Counts]
) -> tuple[list[PairTest], OmnibusTest]:
    drawn = bootstrap_values(rows, tables, question.measure, question.effort, stratified=question.stratified)
    moments = _by_class(rows, question, tables)
    warn_few(_fewest(rows))
    figures: list[PairTest] = []
    pairs: list[UnseenPair] = []
    variances = np.zeros((values.size, values.size))
    for i, j in _pairs(rows):
        df = small_df(_fewest(rows)) if moments is None else moments.df_between(i, j)
        at = partial(resampled_figures, drawn[:, i] - drawn[:, j], float(values[i] - values[j]), question, df)
        figures.append(at(float(values[i] - values[j])))
        variances[i, j] = variances[j, i] = figures[-1].standard_error ** 2
        pairs.append(UnseenPair((rows.names[i], rows.names[j]), (tables[i], tables[j]), at))
    if _one_each(rows):
        figures = with_one_more(pairs, figures, question)
    pvalues = [figure.pvalue for figure in figures]
    joint = (lambda _: small_df(_fewest(rows))) if moments is None else moments.joint_df
    return figures, wald_omnibus(values, variances, "bootstrap", pvalues=pvalues, joint_df=joint)


def resampled_figures(
    drawn: FloatArray, own: float, question: ComparisonTerms, df: float, difference: float
) -> PairTest:
    """Return the figures of a pair whose difference were another one, with resamples as far around it."""
    return bootstrap_figures(difference, drawn + (difference - own) if difference != own else drawn, question, df)


def _by_class(rows: PairedRows, question: ComparisonTerms, tables: Sequence[Counts]) -> Moments | None:
    """Return the variance by class where there are few cases, each a row, and the measure has influence values."""
    if not _one_each(rows) or not 1 < _fewest(rows) < SMALL:
        return None
    if "normal" not in question.measure.tests and "delong" not in question.measure.tests:
        return None
    if any(question.measure.influence(table) is None for table in tables):
        return None
    return class_moments(rows, question.measure, tables)


def small_df(fewest: float) -> float:
    """Return the degrees of freedom where only the number of cases of the rarer class is known."""
    return max(fewest - 1.0, 1.0) if fewest < SMALL else math.inf


def _fewest(rows: PairedRows) -> float:
    """Return how many independent cases, or groups, the rarer class has."""
    if rows.cluster is None:
        return float(min(rows.positive.sum(), (~rows.positive).sum()))
    return float(min(np.unique(rows.cluster[side]).size for side in (rows.positive, ~rows.positive)))


def bootstrap_figures(difference: float, drawn: FloatArray, question: ComparisonTerms, df: float) -> PairTest:
    """Return the figures of one pair from the replicates of its difference.

    Resamples of few cases vary too little, by (n - 1) / n in variance, and their quantiles take the estimated spread
    for the true one. Percentiles are therefore taken further out, as Student's t with `df` degrees of freedom is from
    the normal, and p values by the same rule, so that both agree.
    """
    se = spread(drawn)
    low, high = percentile_ends(drawn, wider_level(question.confidence_level, df))
    pvalue = milder_pvalue(bootstrap_pvalue(drawn, question.null, question.direction), df, question.direction)
    return PairTest(difference, low, high, ratio(difference - question.null, se), df, se, pvalue)


def _permutation(
    rows: PairedRows, question: ComparisonTerms, values: FloatArray, tables: Sequence[Counts]
) -> tuple[list[PairTest], OmnibusTest]:
    quiet = question.effort.quiet
    drawn = bootstrap_values(rows, tables, question.measure, quiet, stratified=question.stratified)
    figures = []
    for i, j in _pairs(rows):
        dealt = _exchange(rows.models([i, j]), question).values(question.measure, question.effort)
        figures.append(permutation_figures(float(values[i] - values[j]), dealt, drawn[:, i] - drawn[:, j], question))
    observed, exchanged = dealt
    if values.size > 2:
        observed, exchanged = _exchange(rows, question).values(question.measure, quiet)
    scatter = ((exchanged - exchanged.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    own = float(((observed - observed.mean()) ** 2).sum())
    return figures, OmnibusTest(own, None, at_least(scatter, own), "permutation")


def _exchange(rows: PairedRows, question: ComparisonTerms) -> Exchange:
    return Exchange(rows, question.measure.needs, question.measure.cut)


def permutation_figures(
    difference: float, dealt: tuple[FloatArray, FloatArray], drawn: FloatArray, question: ComparisonTerms
) -> PairTest:
    """Return the figures of a pair from its values in new deals; `drawn` are resamples of the difference."""
    (a, b), moved = dealt[0], dealt[1][:, 0] - dealt[1][:, 1]
    pvalue = permutation_pvalue(moved, float(a - b), question.direction)
    low, high = shifted_ends(difference, moved, question)
    return PairTest(difference, low, high, difference, math.nan, spread(drawn), pvalue)


def _venkatraman(
    rows: PairedRows, question: ComparisonTerms, values: FloatArray, tables: Sequence[Counts]
) -> tuple[list[PairTest], OmnibusTest | None]:
    quiet = question.effort.quiet
    drawn = bootstrap_values(rows, tables, question.measure, quiet, stratified=question.stratified)
    figures = []
    for i, j in _pairs(rows):
        found = Exchange(rows.models([i, j])).distances(question.effort)
        figures.append(venkatraman_figures(float(values[i] - values[j]), found, drawn[:, i] - drawn[:, j], question))
    alone = figures[0]
    return figures, OmnibusTest(alone.statistic, None, alone.pvalue, "venkatraman") if len(figures) == 1 else None


def venkatraman_figures(
    difference: float, found: tuple[float, FloatArray], drawn: FloatArray, question: ComparisonTerms
) -> PairTest:
    """Return the figures of a pair from the distance of its curves, and in new deals."""
    low, high = percentile_ends(drawn, question.confidence_level)
    return PairTest(difference, low, high, found[0], math.nan, spread(drawn), at_least(found[1], found[0]))
