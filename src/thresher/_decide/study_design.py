"""How many cases a study needs, and what it can detect: a function for each question, and two that find it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from typing import Any

import numpy as np
import scipy

from thresher._core.checks import check_choice, check_confidence_level, check_count, check_number, show
from thresher._core.random_streams import random_generator
from thresher._decide.closed_form_power import rejection
from thresher._decide.pilot_study import PilotQuestion, assured_size, pilot_precision
from thresher._decide.planned_calls import PairQuestion, SupposedCalls, at_cutoff
from thresher._decide.question import (
    AreaQuestion,
    Question,
    QuestionCases,
    RateQuestion,
    check_correlation,
    check_share,
    check_test,
)
from thresher._decide.studies import population_sigma, prevalence_of, rejects_null, rejects_other, simulated_values
from thresher._decide.study_results import Power, SampleSize, SimulatedCheck
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure, RocAuc, as_measure
from thresher.population import Population

__all__ = ["area", "cutoff", "pilot", "populations", "power", "precision", "rate", "sample_size"]

_DESIGNS = ("random", "fixed")
_SOME, _PER_CLASS = 200, 30
_MOST_CASES = 20_000_000  # drawn in one simulated check


def precision(
    source: Population | Counts,
    metric: str | Measure = "pr_auc",
    *,
    half_width: float,
    assurance: float = 0.5,
    confidence_level: float = 0.95,
    design: str = "random",
    n_replicates: int = 500,
    rng: Any = None,
    **options: Any,
) -> SampleSize:
    """Return how many cases an interval of some width needs.

    Parameters
    ----------
    source : Population or Scores
        The supposed score distributions with their prevalence, or a pilot study of independent rows.
    metric : str or Measure, default="pr_auc"
        What is to be estimated: any measure.
    half_width : float
        Half of the width of the confidence interval, above 0 and below the range of the metric.
    assurance : float, default=0.5
        In which proportion of studies the default interval is to be that short, found by simulating studies and their
        intervals. 0 takes the asymptotic formula, which is short of what the default interval needs.
    confidence_level : float, default=0.95
        Level of the interval.
    design : {"random", "fixed"}
        Whether the number of positives is left to chance or fixed.
    n_replicates : int, default=500
        Number of simulated studies of that size in the check of a population; 0 for none. Fewer are drawn if the size
        is very large.
    rng : Generator or int, optional
        Source of randomness of the check.
    **options
        Options of the metric, such as `threshold` or `fpr`.

    Returns
    -------
    SampleSize

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.1)
    >>> found = th.planning.precision(population, "roc_auc", half_width=0.05, n_replicates=0)
    >>> round(found.n, -2)
    700
    >>> th.planning.precision(population, "roc_auc", half_width=0.05, assurance=0, n_replicates=0).n
    648
    """
    measure = as_measure(metric, **options)
    level = check_confidence_level(confidence_level)
    check_choice(design, "design", _DESIGNS)
    width = _check_width(half_width, measure)
    sure = 0.0 if assurance == 0 else check_confidence_level(assurance, "assurance")
    if isinstance(source, Counts):
        return pilot_precision(source, measure, level=level, width=width, design=design, assurance=sure)
    population = _check_population(source, "population")
    replicates = check_count(n_replicates, "n_replicates")
    z = float(scipy.special.ndtri(0.5 + level / 2))
    share = prevalence_of(population)
    # Simulated studies plan with any metric; for those without a formula they say where to start, too.
    several = max(_SOME, math.ceil(_PER_CLASS / min(share, 1 - share))) if sure else None
    sigma = population_sigma(measure, population, random=design == "random", n=several)
    value = measure.of_population(population)
    n = max(math.ceil((z * sigma / width) ** 2), math.ceil(1 / min(share, 1 - share)))
    if sure:
        n = assured_size(population, measure, n, design, level, width, sure)
    check = _simulate_check(population, measure, n, design, width, value, replicates, rng)
    error = sigma / math.sqrt(n)
    sizes = n * share, n * (1 - share)
    return SampleSize(n, *sizes, measure.described(), value, error, width, level, check, assurance=sure or None)


def area(
    auc: float | tuple[float, float],
    *,
    null: float | None = None,
    correlation: float = 0.0,
    margin: float | None = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
) -> Question:
    """Return the question whether an ROC area differs from a value, or two areas from each other.

    Parameters
    ----------
    auc : float or (float, float)
        The supposed area, tested against `null`, or those of two markers, with Hanley and McNeil's variances.
    null : float, default=0.5
        The area under the null hypothesis.
    correlation : float, default=0.0
        Of the estimates of two areas, in [-1, 1]; 0 for independent samples.
    margin : float, optional
        Non-inferiority: the test, one-sided, is that the first is not worse by as much. 0.025 is the usual level.
    significance_level : float, default=0.05
        Level of the test.
    alternative : {"two-sided", "greater", "less"}
        "greater" looks for the first above the second, or above the null value.

    Returns
    -------
    Question
        Its `power(n_pos=, n_neg=)` and `size(power, ratio=1)` answer it, the latter with `ratio` negatives for each
        positive.

    Examples
    --------
    An area of 0.85 against 0.75, with three negatives for each positive; and two markers on the same cases:

    >>> import thresher as th
    >>> found = th.planning.area(0.85, null=0.75).size(0.8, ratio=3)
    >>> found.n_pos, found.n_neg
    (66.0, 198.0)
    >>> th.planning.area((0.85, 0.80), correlation=0.5).size(0.8).n_pos
    275.0
    """
    return AreaQuestion.of_areas(auc, null, correlation, margin, significance_level, alternative)


def rate(
    rate: float | tuple[float, float],
    *,
    null: float | None = None,
    discordant: float | None = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
) -> Question:
    """Return the question whether a rate differs from a value, or those of two tests on the same cases.

    Parameters
    ----------
    rate : float or (float, float)
        A supposed sensitivity or specificity among the cases of its class, tested against `null` by the exact binomial
        test, with half of the level on each side if two-sided; or those of two tests on the same cases, which McNemar's
        test compares, by mid-p.
    null : float, optional
        The rate under the null hypothesis; needed with one rate.
    discordant : float, optional
        With two rates: the proportion of cases that the tests predict differently; by default that of independent
        predictions, which is about the most and needs most cases.
    significance_level, alternative
        As in `area`.

    Returns
    -------
    Question
        Its `power(n)` and `size(power)` answer it, in cases of the class.

    Examples
    --------
    >>> import thresher as th
    >>> th.planning.rate(0.95, null=0.9).size(0.8).n
    255
    >>> round(th.planning.rate((0.9, 0.8), discordant=0.14).power(200).power, 2)
    0.98
    """
    if isinstance(rate, tuple | list):
        if null is not None:
            raise InvalidInputError("`null` must be left out with two rates: the test is that they are equal.")
        if len(rate) != 2:
            raise InvalidInputError(f"`rate` must be one number, or two of tests on the same cases; got {show(rate)}.")
        a, b = (check_confidence_level(one, "rate") for one in rate)
        return PairQuestion.of_rates((a, b), discordant, significance_level, alternative)
    if discordant is not None:
        raise InvalidInputError("`discordant` must go with two rates. Hint: `rate=(0.9, 0.8)`.")
    if null is None:
        raise InvalidInputError("`null` must be given with `rate`: the rate under the null hypothesis.")
    share, at = check_share(rate, "rate"), check_share(null, "null")
    return RateQuestion(difference=share - at, rate=share, null=at, **check_test(significance_level, alternative))


def cutoff(
    calls: SupposedCalls,
    metric: str | Measure,
    *,
    null: float | None = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
) -> Question:
    """Return the question whether a metric of a test at its cut-off differs from a value.

    Parameters
    ----------
    calls : SupposedCalls
        The supposed test at its cut-off.
    metric : str or Measure
        "precision" or "npv", by the exact binomial test among the predicted positives or negatives; "lr_positive",
        "lr_negative" or `th.measures.NetBenefit(p)`, by whether the default interval excludes the null value.
    null : float, optional
        The value under the null hypothesis; by default 0, that of treating none, for net benefit.
    significance_level, alternative
        As in `area`.

    Returns
    -------
    Question
        Its `power` takes `n` cases, but likelihood ratios `n_pos` and `n_neg`; `size(power, ratio=1)` answers in both.

    Examples
    --------
    >>> import thresher as th
    >>> test = th.planning.SupposedCalls(tpr=0.9, fpr=0.05, prevalence=0.1)
    >>> th.planning.cutoff(test, "precision", null=0.5).size(0.8).n
    553
    """
    return at_cutoff(calls, metric, null, significance_level, alternative)


def pilot(
    pilot: Any,
    metric: str | Measure = "roc_auc",
    *,
    auc: float | tuple[float, float] | None = None,
    null: float | None = None,
    margin: float | None = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
    rng: Any = None,
    **options: Any,
) -> Question:
    """Return the question of a test whose variances a pilot study shows: of one model, or of two on the same cases.

    Parameters
    ----------
    pilot : (y_true, mapping of str to array-like) or Scores
        Two models on the same cases, or one.
    metric : str or Measure, default="roc_auc"
        What is compared: any measure.
    auc : float or (float, float), optional
        Supposed ROC areas in the place of the pilot's.
    null : float, optional
        With one model: the value under the null hypothesis; by default 0.5 for the ROC area, else needed.
    margin : float, optional
        Non-inferiority: the test, one-sided, is that the first is not worse by as much.
    significance_level, alternative
        As in `area`; for other metrics than the ROC area "greater" looks for a better first model.
    rng : Generator or int, optional
        For metrics whose variance needs resamples.
    **options
        Options of the metric, such as `threshold` or `fpr`.

    Returns
    -------
    Question
        For the ROC area `power(n_pos=, n_neg=)` and `size(power, ratio=1)` answer it, for other metrics `power(n)` and
        `size(power)`, on cases like those of the pilot.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> models = {"logistic": data.logistic, "tree": data.tree}
    >>> th.planning.pilot((data.y_true, models), "f1", threshold=0.2).size(0.8).n > 100
    True
    """
    measure = as_measure(metric, **options)
    if measure == RocAuc():
        return AreaQuestion.of_pilot(pilot, auc, null, margin, significance_level, alternative)
    if auc is not None:
        raise InvalidInputError(f"`auc` is not a supposed value of {measure.title!r}. Hint: leave it out.")
    if isinstance(pilot, tuple):
        return PilotQuestion.of_two(pilot, measure, margin, significance_level, alternative, rng)
    if not isinstance(pilot, Counts):
        raise InvalidInputError(
            f"`pilot` must be Scores, or labels with the scores of two models; got {show(pilot)}. "
            "Hint: for example `pilot=(y, {'new': new, 'old': old})`."
        )
    if null is None or margin is not None:
        raise InvalidInputError(
            f"`null` must be given with a pilot of one model and {measure.title!r}, and no `margin`; got null={null} "
            f"and margin={margin}. Hint: for non-inferiority give null={measure.title} minus the margin."
        )
    return PilotQuestion.of_one(pilot, measure, check_number(null, "null"), significance_level, alternative)


def populations(
    population_a: Population,
    population_b: Population | None = None,
    metric: str | Measure = "roc_auc",
    *,
    correlation: float = 0.0,
    method: str = "asymptotic",
    design: str = "random",
    n_replicates: int = 0,
    rng: Any = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
    **options: Any,
) -> Question:
    """Return the question whether two supposed populations differ, or one has an ROC area other than 1/2.

    Parameters
    ----------
    population_a, population_b : Population
        The supposed score distributions and prevalences. Without the second the null hypothesis is an ROC area of 1/2.
    metric : str or Measure, default="roc_auc"
        What is compared: any measure, for two populations.
    correlation : float, default=0.0
        Correlation of the two estimates, in [-1, 1]; 0 for independent samples.
    method : {"asymptotic", "obuchowski"}
        "asymptotic" takes the variances from the populations. "obuchowski" is the one-sample formula of Obuchowski,
        Lieber and Wians (2004), which needs only the area and the class ratio and is what pROC computes.
    design : {"random", "fixed"}
        Whether the number of positives is left to chance or fixed.
    n_replicates : int, default=0
        Simulated studies for `simulated`, in each of which the real test is made, with the variance that it shows; for
        one population, or two with correlation 0. The precision at a recall has no variance of its own in a study, and
        takes that of the populations.
    rng : Generator or int, optional
        Source of randomness of the simulation.
    significance_level, alternative
        As in `area`.
    **options
        Options of the metric.

    Returns
    -------
    Question
        Its `power(n)` and `size(power)` answer it, in cases of each sample.

    References
    ----------
    .. [1] Obuchowski, N. A., Lieber, M. L. and Wians, F. H. (2004). ROC curves in clinical chemistry. Clin. Chem. 50,
       1118-1125. doi:10.1373/clinchem.2004.031823.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> weak = th.Population(stats.norm(1.0), stats.norm(), prevalence=0.3)
    >>> strong = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.3)
    >>> question = th.planning.populations(strong, weak)
    >>> round(question.power(400).power, 3), question.size(0.8).n
    (0.654, 566)
    """
    _check_population(population_a, "population_a")
    measure = as_measure(metric, **options)
    tested = check_test(significance_level, alternative)
    check_choice(design, "design", _DESIGNS)
    check_choice(method, "method", ("asymptotic", "obuchowski"))
    rho = check_correlation(correlation)
    pair: tuple[Population, ...] = (population_a,)
    if population_b is None:
        if not isinstance(measure, RocAuc):
            raise InvalidInputError(
                f'`population_b` must be given unless metric="roc_auc"; got metric={metric!r}. '
                "Hint: only the ROC area has a null value of its own, 1/2."
            )
    else:
        pair = (population_a, _check_population(population_b, "population_b"))
        if method == "obuchowski":
            raise InvalidInputError('`method` must be "asymptotic" for two populations; got "obuchowski".')
    for population in pair:
        prevalence_of(population)
    values = [float(measure.of_population(population)) for population in pair]
    return PopulationQuestion(
        difference=values[0] - (values[1] if len(values) > 1 else 0.5),
        pair=pair,
        measure=measure,
        metric=measure.described(),
        method=method,
        correlation=rho if len(pair) > 1 else None,
        design=design,
        replicates=check_count(n_replicates, "n_replicates"),
        rng=rng,
        **tested,
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PopulationQuestion(Question):
    """Two supposed populations against each other, or one against an ROC area of 1/2."""

    pair: tuple[Population, ...]
    measure: Measure
    design: str
    replicates: int
    rng: Any

    def _cases(self, size: int, ratio: float = 1.0) -> QuestionCases:
        """Return the expected numbers of both classes in the first sample."""
        del ratio
        share = prevalence_of(self.pair[0])
        return QuestionCases(size, size * share, size * (1 - share))

    def _errors(self, n: int) -> tuple[float, float]:
        """Return the standard error that the test takes, and the one that the estimate has."""
        if len(self.pair) > 1:
            random = self.design == "random"
            a, b = (population_sigma(self.measure, one, random=random, n=n) for one in self.pair)
            variance = (a * a + b * b - 2 * float(self.correlation or 0.0) * a * b) / n
            error = math.sqrt(max(variance, 0.0))
            return error, error
        share = prevalence_of(self.pair[0])
        if self.method == "obuchowski":
            null, actual = _obuchowski_variances(self.difference + 0.5, (1 - share) / share)
            return math.sqrt(null / (n * share)), math.sqrt(actual / (n * share))
        # Under the null hypothesis both classes have one distribution; ties apart, each placement variance is 1/12.
        return math.sqrt((1 / share + 1 / (1 - share)) / 12 / n), self.pair[0].roc_auc_sigma() / math.sqrt(n)

    def _standard_error(self, cases: QuestionCases) -> float:
        """Return that of the difference."""
        return self._errors(cases.n)[1]

    def _reached(self, cases: QuestionCases) -> float:
        """Return the power."""
        return rejection(self.difference, *self._errors(cases.n), self.level, self.alternative)

    def power(self, n: int | None = None, *, n_pos: int | None = None, n_neg: int | None = None) -> Power:
        """Return the power on `n` cases, and how often simulated studies reject."""
        found = Question.power(self, n, n_pos=n_pos, n_neg=n_neg)
        if not self.replicates or self.correlation:
            return found
        given = self.measure, found.n, self.design, self.level, self.alternative, self.replicates
        measure, size, design, level, side, times = given
        rng = random_generator(self.rng)
        if len(self.pair) == 1:
            share = rejects_null(self.pair[0], measure, 0.5, size, design, level, side, times, rng)
        else:
            pair = (self.pair[0], self.pair[1])
            share = rejects_other(pair, measure, size, design, level, side, None, times, rng)
        return replace(found, simulated=share)


def _obuchowski_variances(auc: float, kappa: float) -> tuple[float, float]:
    """Return the published variances per positive under the null hypothesis and at the area; 1.414 is theirs."""
    a = float(scipy.special.ndtri(auc)) * 1.414
    actual = 0.0099 * math.exp(-a * a / 2) * ((5 * a * a + 8) + (a * a + 8) / kappa)
    return 0.0792 * (1 + 1 / kappa), actual


# Which question it is

_FUNCTIONS: dict[str, Callable[..., Question]] = {"calls": cutoff, "rate": rate, "pilot": pilot, "auc": area}


def _question(first: object, second: object, given: dict[str, Any]) -> Question:
    """Return the question that arguments are about, each of which must be part of it."""
    given = {name: value for name, value in given.items() if value is not None}
    kinds = [kind for kind in _FUNCTIONS if kind in given and not (kind == "auc" and "pilot" in given)]
    function: Callable[..., Question]
    subject: tuple[Any, ...]
    if first is not None or second is not None:
        if kinds:
            raise InvalidInputError(
                "exactly one of a population, `auc`, `rate`, `calls` and `pilot` must be given (`auc` may go with "
                "`pilot`); got a population and another."
            )
        function, subject = populations, (first, second)
    elif not kinds:
        if "metric" in given and (measure := as_measure(given["metric"], **_options(given))) != RocAuc():
            raise _undescribed(measure)
        raise InvalidInputError("one of a population, `auc`, `rate`, `calls` and `pilot` must be given; got none.")
    elif len(kinds) > 1:
        raise InvalidInputError(
            f"`{kinds[0]}` must be given alone; got {' and '.join(f'`{kind}`' for kind in kinds[1:])} beside it. "
            "Hint: leave the others out."
        )
    else:
        function, subject = _FUNCTIONS[kinds[0]], (given.pop(kinds[0]),)
    if function is area and "metric" in given:
        measure = as_measure(given.pop("metric"), **_options(given))
        if measure != RocAuc():
            raise _undescribed(measure)
    takes = signature(function).parameters
    others = given.keys() - takes.keys()
    if any(one.kind is Parameter.VAR_KEYWORD for one in takes.values()):
        others &= _known()  # the rest are options of the metric
    for name in others:
        raise InvalidInputError(
            f"`{name}` is no part of this question. Hint: see `th.planning.{function.__name__}`, which asks it."
        )
    return function(*subject, **given)


def _known() -> set[str]:
    """Return the arguments of all questions."""
    return {name for function in (*_FUNCTIONS.values(), populations) for name in signature(function).parameters}


def _options(given: dict[str, Any]) -> dict[str, Any]:
    """Return what only a metric can take."""
    return {name: value for name, value in given.items() if name not in _known()}


def _undescribed(measure: Measure) -> InvalidInputError:
    return InvalidInputError(
        f"`auc` and `rate` do not describe {measure.title!r}; got no pilot. Hint: pilot=Scores(...) with "
        "`null`, or pilot=(y, {'new': new, 'old': old}) for two models."
    )


def sample_size(
    population: Population | None = None,
    *,
    half_width: float | None = None,
    power: float | None = None,
    pilot: Any = None,
    metric: str | Measure | None = None,
    ratio: float = 1.0,
    **question: Any,
) -> SampleSize:
    """Return how many cases a study needs, for an interval of some width or for the power of a test.

    Parameters
    ----------
    population : Population, optional
        The supposed score distributions and prevalence.
    half_width : float, optional
        Half of the width of the confidence interval of a metric. Exactly one of it and `power` is given.
    power : float, optional
        The power of a test.
    pilot : (y_true, mapping of str to array-like) or Scores, optional
        A pilot study, in the place of a population.
    metric : str or Measure, optional
        What is to be estimated or compared: any measure. By default "pr_auc" with `half_width`, "roc_auc" with `power`.
    ratio : float, default=1.0
        With `power`: negatives for each positive.
    **question
        With `half_width` the arguments of `planning.precision`, such as `assurance`; `auc=` with `prevalence=` (0.5)
        stands for normal scores of equal variance with that ROC area. With `power` those of the function
        of `planning` that asks the question, with its first argument by name: `auc=` for `area`, `rate=` for `rate`,
        `calls=` for `cutoff`.

    Returns
    -------
    SampleSize

    See Also
    --------
    planning.precision, planning.area, planning.rate, planning.cutoff, planning.pilot, planning.populations

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.1)
    >>> found = th.sample_size(population, metric="roc_auc", half_width=0.05, n_replicates=0)
    >>> round(found.n, -2)
    700
    >>> th.sample_size(auc=0.85, null=0.75, power=0.8, ratio=3).n_pos
    66.0
    >>> th.sample_size(auc=0.85, prevalence=0.1, half_width=0.05, assurance=0, n_replicates=0).n
    601
    >>> th.sample_size(rate=0.95, null=0.9, power=0.8).n
    255
    """
    if (half_width is None) == (power is None):
        given = "neither" if power is None else "both"
        raise InvalidInputError(
            f"exactly one of `half_width` and `power` must be given; got {given}. "
            "Hint: a half width plans an interval, a power a test."
        )
    if power is not None:
        return _question(population, None, {**question, "pilot": pilot, "metric": metric}).size(power, ratio=ratio)
    if pilot is not None and population is not None:
        raise InvalidInputError("`population` and `pilot` must not both be given. Hint: leave one of them out.")
    if ratio != 1.0:
        raise InvalidInputError("`ratio` must go with `power`. Hint: the prevalence says how many cases are positive.")
    source: Any = population if pilot is None else pilot
    wanted = "pr_auc" if metric is None else metric
    if "auc" in question:
        if source is not None:
            raise InvalidInputError("`auc` must not be given beside a population or a pilot. Hint: leave it out.")
        source = _of_area(question.pop("auc"), question.pop("prevalence", 0.5))
        wanted = "roc_auc" if metric is None else metric
    return precision(source, wanted, half_width=half_width, **question)  # type: ignore[arg-type]  # one was given


def _of_area(auc: Any, prevalence: Any) -> Population:
    """Return normal scores of equal variance with an ROC area."""
    supposed = check_number(auc, "auc")
    if not 0.0 < supposed < 1.0:
        raise InvalidInputError(f"`auc` must be in (0, 1); got {show(auc)}. Hint: for example 0.8.")
    from scipy import stats

    shift = math.sqrt(2.0) * float(scipy.special.ndtri(supposed))
    return Population(stats.norm(shift), stats.norm(), prevalence=prevalence)


def power(
    population_a: Population | None = None,
    population_b: Population | None = None,
    *,
    n: int | None = None,
    n_pos: int | None = None,
    n_neg: int | None = None,
    pilot: Any = None,
    metric: str | Measure | None = None,
    **question: Any,
) -> Power:
    """Return the power of a test that two models differ, or that one has another value than the null hypothesis.

    Parameters
    ----------
    population_a, population_b : Population, optional
        The supposed populations. Without `population_b` the null hypothesis is an ROC area of 1/2.
    n : int, optional
        Cases in each sample of populations, cases like those of a pilot, or those of which a rate is a proportion.
    n_pos, n_neg : int, optional
        Positives and negatives, for ROC areas without populations and for likelihood ratios.
    pilot : (y_true, mapping of str to array-like) or Scores, optional
        A pilot study, in the place of populations.
    metric : str or Measure, default="roc_auc"
        What is compared: any measure.
    **question
        The arguments of the function of `planning` that asks the question, with its first argument by name: `auc=` for
        `area`, `rate=` for `rate`, `calls=` for `cutoff`.

    Returns
    -------
    Power

    See Also
    --------
    planning.area, planning.rate, planning.cutoff, planning.pilot, planning.populations

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> weak = th.Population(stats.norm(1.0), stats.norm(), prevalence=0.3)
    >>> strong = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.3)
    >>> round(th.power(strong, weak, n=400).power, 3)
    0.654
    >>> round(th.power(auc=0.85, null=0.75, n_pos=83, n_neg=83).power, 2)
    0.8
    >>> test = th.planning.SupposedCalls(tpr=0.8, fpr=0.3, prevalence=0.1)
    >>> round(th.power(calls=test, metric=th.measures.NetBenefit(0.1), n=300).power, 2)
    0.96
    """
    asked = _question(population_a, population_b, {**question, "pilot": pilot, "metric": metric})
    return asked.power(n, n_pos=n_pos, n_neg=n_neg)


def _simulate_check(
    population: Population,
    measure: Measure,
    n: int,
    design: str,
    width: float,
    value: float,
    replicates: int,
    rng: Any,
) -> SimulatedCheck | None:
    replicates = min(replicates, _MOST_CASES // n)
    if replicates < 2:
        return None
    found = simulated_values(measure, population, n, replicates, random_generator(rng), design)
    found = found[np.isfinite(found)]
    if found.size < 2:
        return None
    return SimulatedCheck(
        int(found.size),
        float(found.std(ddof=1)),
        float(found.mean() - value),
        float(np.mean(np.abs(found - value) <= width)),
    )


def _check_population(value: object, name: str) -> Population:
    if not isinstance(value, Population):
        raise InvalidTypeError(
            f"`{name}` must be a Population; got {show(value)} of type {type(value).__name__}. "
            "Hint: build one from score distributions, or fit one with thresher.Population.fit(scores)."
        )
    return value


def _check_width(value: object, measure: Measure) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise InvalidTypeError(f"`half_width` must be a positive number; got {show(value)}.")
    if not 0 < float(value) < measure.reach:
        raise InvalidInputError(f"`half_width` must be in (0, {measure.reach:g}); got {show(value)}.")
    return float(value)
