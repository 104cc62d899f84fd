"""Tests between scorers on the same rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from thresher._compare.comparison import Comparison, PairComparison
from thresher._compare.multiplicity import OmnibusTest, holm, wald_omnibus
from thresher._compare.paired_replicates import (
    Effort,
    at_least,
    bootstrap_pvalue,
    bootstrap_values,
    exchange_distances,
    exchange_values,
    permutation_pvalue,
    ratio,
)
from thresher._compare.paired_rows import PairedRows, read_rows
from thresher._compare.request import Figures, Question, ask, one_case, percentile_ends, spread
from thresher._core.random_streams import Key
from thresher._core.warn import warn
from thresher._inference.bootstrap import Resampling, RowTable, Units
from thresher._inference.delong import DifferenceTest, check_two_each, paired_test
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, as_measure
from thresher.typing import ArrayLike, FloatArray

__all__ = ["compare"]


def compare(
    y_true: ArrayLike,
    y_scores: Mapping[str, ArrayLike],
    *,
    metric: str | Measure = "roc_auc",
    method: str | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: float | None = None,
    pos_label: object = None,
    resampling: Resampling | None = None,
    **options: Any,
) -> Comparison:
    """Compare scorers that were applied to the same rows.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels, as for `Scores`.
    y_scores : mapping of str to array-like of shape (n,)
        The scores of each scorer, by its name; row r of all of them is the same case.
    metric : str or Measure, default="roc_auc"
        What is compared: a name of `thresher.measures.names()`, or an object of `thresher.measures`.
    method : {"delong", "normal", "bootstrap", "permutation", "venkatraman"}, optional
        ``"delong"`` (the default for ``"roc_auc"`` without groups): normal test with DeLong's covariance; for
        ``"partial_roc_auc"`` that of placements cut to the range.
        ``"normal"`` (the default for means over rows, such as ``"brier"`` and ``"net_benefit"``): normal test with the
        variance of the rows' differences.
        ``"bootstrap"`` (the default for other areas, and with a margin): rows, or groups, are resampled; percentile
        interval and the p value that inverts it, with one added to both counts.
        ``"permutation"`` (the default for ``"precision_at_recall"``): the scorers' midranks are exchanged within rows
        by fair coins; p value with one added to both counts; the interval is that of the bootstrap.
        ``"venkatraman"``: the same exchanges, with the area between the two ROC curves as the statistic. It finds
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
        `sample_weight` (how many cases each row stands for; in the bootstrap a row carries its weight, and is drawn as
        one) and `groups` (rows of a group are resampled together, and share one coin in exchanges; not for
        ``"delong"``).

    Returns
    -------
    Comparison
        `pairs` holds every pair, with p values adjusted by Holm's method; `omnibus` the test that all are equal.

    Warns
    -----
    ThresherWarning
        When DeLong's variance of a difference that is not 0 is 0.

    Notes
    -----
    Exchanging within rows is exact when, given its label, the two scores of a row are exchangeable. Scores on different
    scales never are, so ranks are exchanged; what is tested then is that the joint law of the two ranks is symmetric,
    which holds for scorers of equal quality with the same noise, and asymptotically is close enough otherwise.

    Scorers that rank alike give p = 1 by every method.

    The bootstrap test of a precision at a recall rejects too seldom in samples of less than some hundred positives
    (about 2 % instead of 5 % with 100 + 200 cases): the precision there hangs on a quantile of few scores, which
    resampling makes rougher than it is. Its interval is too long for the same reason. The permutation test holds its
    level.

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
      new  0.880404
      old  0.706414
      new - old: +0.174 [+0.09915, +0.2488], p = 5.2e-06

    Is the new one not worse by more than 0.02?

    >>> th.compare(y, {"new": new, "old": old}, alternative="greater", margin=0.02).pvalue < 0.001
    True
    """
    weight, groups = options.pop("sample_weight", None), options.pop("groups", None)
    how = Resampling._taken_from(options, resampling)
    measure = as_measure(metric, **options)
    question = ask(
        measure,
        how,
        method=method,
        alternative=alternative,
        confidence_level=confidence_level,
        margin=margin,
        analytic=groups is None,
    )
    rows = read_rows(y_true, y_scores, pos_label=pos_label, sample_weight=weight, groups=groups)
    _check_rows(rows, question)
    counts = [rows.counts(model) for model in range(len(rows.names))]
    estimates = {name: measure.of(table) for name, table in zip(rows.names, counts, strict=True)}
    values = np.array(list(estimates.values()))
    answer = {
        "delong": _delong,
        "normal": _delong,
        "bootstrap": _bootstrap,
        "permutation": _permutation,
        "venkatraman": _venkatraman,
    }[question.method]
    figures, omnibus = answer(rows, question, values)
    adjusted = holm([figure.pvalue for figure in figures])
    pairs = [
        PairComparison(
            rows.names[i],
            rows.names[j],
            figure.difference,
            figure.low,
            figure.high,
            figure.statistic,
            figure.df,
            figure.standard_error,
            figure.pvalue,
            pvalue_adjusted,
            (counts[i], counts[j]),
            _RowSource(rows.pair(i, j), how.stratified),
        )
        for (i, j), figure, pvalue_adjusted in zip(_pairs(rows), figures, adjusted, strict=True)
    ]
    return Comparison(
        estimates,
        tuple(pairs),
        omnibus,
        measure.title,
        question.method,
        question.alternative,
        question.confidence_level,
        question.margin,
    )


def _check_rows(rows: PairedRows, question: Question) -> None:
    if rows.groups is not None and question.method in ("delong", "normal"):
        raise InvalidInputError(
            f"`method={question.method!r}` must have independent rows; got `groups`. "
            "Hint: method='bootstrap' resamples whole groups."
        )
    if question.method == "delong":
        weight = np.ones(rows.positive.size) if rows.weight is None else rows.weight
        check_two_each(float(weight[rows.positive].sum()), float(weight[~rows.positive].sum()), one_case(question))
    if rows.weight is not None and question.method == "venkatraman":
        raise InvalidInputError(
            "`method='venkatraman'` must have rows of equal weight; got `sample_weight`. "
            "Hint: 'bootstrap' and 'permutation' take weights."
        )


def _pairs(rows: PairedRows) -> list[tuple[int, int]]:
    return list(combinations(range(len(rows.names)), 2))


def _delong(rows: PairedRows, question: Question, values: FloatArray) -> tuple[list[Figures], OmnibusTest]:
    variances = question.measure.difference_variances(rows.positive, rows.scores, rows.weight)
    figures = []
    for i, j in _pairs(rows):
        test = paired_test(
            float(values[i] - values[j]),
            float(variances[i, j]),
            null=question.null,
            alternative=question.alternative,
            confidence_level=question.confidence_level,
        )
        figures.append(from_test(test, rows.names[i], rows.names[j]))
    return figures, wald_omnibus(values, variances, question.method)


def from_test(test: DifferenceTest, a: str, b: str) -> Figures:
    """Return the figures of DeLong's test, warning where its variance says nothing."""
    if test.variance == 0.0 and test.difference != test.null:
        warn(
            f"DeLong's variance of the difference between {a!r} and {b!r} is 0 though the areas differ, as when "
            "scorers separate the classes completely: its p value is not to be trusted. Hint: use method='permutation'."
        )
    se = math.sqrt(test.variance)
    return Figures(test.difference, test.low, test.high, test.statistic, test.df, se, test.pvalue)


def _bootstrap(rows: PairedRows, question: Question, values: FloatArray) -> tuple[list[Figures], OmnibusTest]:
    drawn = bootstrap_values(rows, question.measure, question.effort, stratified=question.stratified)
    figures = []
    variances = np.zeros((values.size, values.size))
    for i, j in _pairs(rows):
        figures.append(bootstrap_figures(float(values[i] - values[j]), drawn[:, i] - drawn[:, j], question))
        variances[i, j] = variances[j, i] = figures[-1].standard_error ** 2
    return figures, wald_omnibus(values, variances, "bootstrap")


def bootstrap_figures(difference: float, drawn: FloatArray, question: Question) -> Figures:
    """Return the figures of one pair from the replicates of its difference."""
    se = spread(drawn)
    low, high = percentile_ends(drawn, question.confidence_level)
    pvalue = bootstrap_pvalue(drawn, question.null, question.alternative)
    return Figures(difference, low, high, ratio(difference - question.null, se), math.inf, se, pvalue)


def _permutation(rows: PairedRows, question: Question, values: FloatArray) -> tuple[list[Figures], OmnibusTest]:
    quiet = _without_progress(question.effort)
    drawn = bootstrap_values(rows, question.measure, quiet, stratified=question.stratified)
    figures = []
    for i, j in _pairs(rows):
        observed, exchanged = exchange_values(rows.pair(i, j), question.measure, question.effort)
        pvalue = permutation_pvalue(
            exchanged[:, 0] - exchanged[:, 1], float(observed[0] - observed[1]), question.alternative
        )
        differences = drawn[:, i] - drawn[:, j]
        low, high = percentile_ends(differences, question.confidence_level)
        difference = float(values[i] - values[j])
        figures.append(Figures(difference, low, high, difference, math.nan, spread(differences), pvalue))
    if values.size > 2:
        observed, exchanged = exchange_values(rows, question.measure, quiet)
    scatter = ((exchanged - exchanged.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    own = float(((observed - observed.mean()) ** 2).sum())
    return figures, OmnibusTest(own, None, at_least(scatter, own), "permutation")


def _venkatraman(rows: PairedRows, question: Question, values: FloatArray) -> tuple[list[Figures], OmnibusTest | None]:
    quiet = _without_progress(question.effort)
    drawn = bootstrap_values(rows, question.measure, quiet, stratified=question.stratified)
    figures = []
    for i, j in _pairs(rows):
        distance, exchanged = exchange_distances(rows.pair(i, j), question.effort)
        differences = drawn[:, i] - drawn[:, j]
        low, high = percentile_ends(differences, question.confidence_level)
        figures.append(
            Figures(
                float(values[i] - values[j]),
                low,
                high,
                distance,
                math.nan,
                spread(differences),
                at_least(exchanged, distance),
            )
        )
    alone = figures[0]
    return figures, OmnibusTest(alone.statistic, None, alone.pvalue, "venkatraman") if len(figures) == 1 else None


def _without_progress(effort: Effort) -> Effort:
    return Effort(effort.n_resamples, effort.key, effort.batch_size, effort.workers)


class _RowSource:
    """Resamples of two scorers on the same rows."""

    def __init__(self, rows: PairedRows, stratified: bool) -> None:
        self._rows, self._stratified = rows, stratified
        self.width = rows.positive.size

    @cached_property
    def _sorted(self) -> tuple[Units, tuple[RowTable, RowTable]]:
        units = self._rows.units(stratified=self._stratified)
        return units, (self._rows.table(0, units, path_only=True), self._rows.table(1, units, path_only=True))

    def draw(self, key: Key, first: int, count: int) -> list[tuple[FloatArray, FloatArray]]:
        """Return the count tables of both scorers in some replicates."""
        units, tables = self._sorted
        times = units.draw(key, first, count)
        return [table.tables(times) for table in tables]
