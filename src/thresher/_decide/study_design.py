"""How many cases a study needs, and what it can detect."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import scipy

from thresher._core.checks import check_choice, check_confidence_level, check_count, show
from thresher._core.random_streams import random_generator
from thresher._decide.aim import Aim
from thresher._decide.closed_form_power import least_size, rate_power, rate_size, rejection
from thresher._decide.drawn_studies import prevalence_of
from thresher._decide.pilot_study import (
    OneModel,
    assured_size,
    one_model,
    one_model_power,
    one_model_size,
    pilot_power,
    pilot_precision,
    pilot_size,
)
from thresher._decide.planned_calls import calls_power, calls_size, planned_calls
from thresher._decide.population_spread import population_sigma, simulated_values
from thresher._decide.simulated_study import rejects_null, rejects_other
from thresher._decide.study_results import Power, SampleSize, SimulatedCheck
from thresher._decide.supposed_calls import SupposedCalls
from thresher._inference.delong import ALTERNATIVES
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure, RocAuc, as_measure
from thresher.population import Population

__all__ = ["Power", "SampleSize", "SimulatedCheck", "power", "sample_size"]

_DESIGNS = ("random", "fixed")
_SOME, _PER_CLASS = 200, 30
_MOST_CASES = 20_000_000  # drawn in one simulated check


def sample_size(
    population: Population | None = None,
    *,
    metric: str | Measure | None = None,
    half_width: float | None = None,
    assurance: float = 0.5,
    power: float | None = None,
    confidence_level: float = 0.95,
    recall: float | None = None,
    design: str = "random",
    auc: float | tuple[float, float] | None = None,
    rate: float | tuple[float, float] | None = None,
    calls: SupposedCalls | None = None,
    discordant: float | None = None,
    null: float | None = None,
    margin: float | None = None,
    ratio: float = 1.0,
    correlation: float = 0.0,
    pilot: Any = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
    n_replicates: int = 500,
    rng: Any = None,
    **options: Any,
) -> SampleSize:
    """Return how many cases a study needs, for an interval of some width or for the power of a test.

    Parameters
    ----------
    population : Population, optional
        The supposed score distributions and prevalence; with `half_width` either it or a `pilot` is needed.
    metric : str or Measure, optional
        What is to be estimated or compared: any measure. By default "pr_auc" with `half_width`, "roc_auc" with `power`.
    half_width : float, optional
        Wanted half width of the confidence interval, above 0 and below the range of the metric. Exactly one of it and
        `power` is given.
    assurance : float, default=0.5
        In which proportion of studies the default interval is to be that short, found by simulating studies and their
        intervals. 0 takes the asymptotic formula, which is short of what the default interval needs.
    power : float, optional
        Wanted power of a test.
    confidence_level : float
        Level of the interval.
    recall : float, optional
        Recall at which precision is estimated; only, and always, with "precision_at_recall".
    design : {"random", "fixed"}
        Whether the number of positives is left to chance or fixed.
    auc, rate, calls, discordant, null, margin, correlation, pilot, significance_level, alternative
        With `power`: what is tested, as in :func:`power`; with `calls`, `metric` names the figure.
    ratio : float
        With `power`: negatives for each positive.
    n_replicates : int
        Number of simulated studies of that size in the check; 0 for none. Fewer are drawn when the size is very large.
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
    >>> found = th.sample_size(population, metric="roc_auc", half_width=0.05, n_replicates=0)
    >>> round(found.n, -2)
    800
    >>> th.sample_size(population, metric="roc_auc", half_width=0.05, assurance=0, n_replicates=0).n
    648

    An area of 0.85 against 0.75, with three negatives for each positive; and two markers on the same cases:

    >>> found = th.sample_size(auc=0.85, null=0.75, power=0.8, ratio=3)
    >>> found.n_pos, found.n_neg
    (66.0, 198.0)
    >>> th.sample_size(auc=(0.85, 0.80), correlation=0.5, power=0.8).n_pos
    275.0

    A sensitivity of 0.95 against 0.9; two tests with sensitivities of 0.9 and 0.8 on the same positives, of whom they
    call 14% differently; a predictive value against one half:

    >>> th.sample_size(rate=0.95, null=0.9, power=0.8).n
    255
    >>> th.sample_size(rate=(0.9, 0.8), discordant=0.14, power=0.8).n
    99
    >>> test = th.planning.SupposedCalls(tpr=0.9, fpr=0.05, prevalence=0.1)
    >>> th.sample_size(calls=test, metric="precision", null=0.5, power=0.8).n
    553
    """
    if (half_width is None) == (power is None):
        given = "neither" if power is None else "both"
        raise InvalidInputError(
            f"exactly one of `half_width` and `power` must be given; got {given}. "
            "Hint: a half width plans an interval, a power a test."
        )
    metric = ("pr_auc" if power is None else "roc_auc") if metric is None else metric
    if power is not None:
        wanted, per_positive = check_confidence_level(power, "power"), _check_positive(ratio, "ratio")
        planned = planned_calls(
            (auc, pilot, margin), rate, calls, discordant, metric, null, significance_level, alternative
        )
        if planned is not None:
            return calls_size(planned, wanted, per_positive)
        if _general(pilot, measure := as_measure(metric, recall=recall, **options)):
            return pilot_size(
                pilot, measure, wanted, level=significance_level, alternative=alternative, margin=margin, rng=rng
            )
        if measure != RocAuc():
            return one_model_size(_one_model(pilot, measure, null, margin, significance_level, alternative), wanted)
        aim = Aim.checked(auc, rate, null, margin, correlation, pilot, significance_level, alternative)
        return _size_for_power(aim, wanted, per_positive)
    measure = as_measure(metric, recall=recall, **options)
    level, random = check_confidence_level(confidence_level), check_choice(design, "design", _DESIGNS) == "random"
    width = _check_width(half_width, measure)
    sure = _assurance(assurance)
    if population is None and isinstance(pilot, Counts):
        return pilot_precision(pilot, measure, level=level, width=width, design=design, assurance=sure)
    population = _check_population(population, "population")
    replicates = check_count(n_replicates, "n_replicates")
    z = float(scipy.special.ndtri(0.5 + level / 2))
    share = prevalence_of(population)
    # Simulated studies plan with any metric; for those without a formula they say where to start, too.
    several = max(_SOME, math.ceil(_PER_CLASS / min(share, 1 - share))) if sure else None
    sigma = population_sigma(measure, population, random=random, n=several)
    value = measure.of_population(population)
    n = max(math.ceil((z * sigma / width) ** 2), math.ceil(1 / min(share, 1 - share)))
    if sure:
        n = assured_size(population, measure, n, design, level, width, sure)
    check = _simulate_check(population, measure, n, design, width, value, replicates, rng)
    error = sigma / math.sqrt(n)
    kept = sure or None
    return SampleSize(
        n, n * share, n * (1 - share), measure.described(), value, error, width, level, check, assurance=kept
    )


def _assurance(assurance: object) -> float:
    return 0.0 if assurance == 0 else check_confidence_level(assurance, "assurance")


def _size_for_power(aim: Aim, power: float, ratio: float) -> SampleSize:
    if aim.rate is not None:
        wrong = {"greater": aim.rate <= aim.null, "less": aim.rate >= aim.null, "two-sided": aim.rate == aim.null}
        if wrong[aim.alternative]:
            where = {"greater": "above", "less": "below", "two-sided": "apart from"}[aim.alternative]
            raise InvalidInputError(
                f"`rate` must be {where} `null` to have power; got {aim.rate:g} and {aim.null:g} with "
                f"alternative={aim.alternative!r}."
            )
        n = rate_size(aim.null, aim.rate, power, aim.level, aim.alternative)
        reached = rate_power(aim.null, aim.rate, n, aim.level, aim.alternative)
        error = math.sqrt(aim.rate * (1 - aim.rate) / n)
        return SampleSize(n, float(n), 0.0, "rate", aim.rate, error, None, 1 - aim.level, None, reached)

    def reached_at(n_pos: int) -> float:
        return aim.power((n_pos, math.ceil(n_pos * ratio - 1e-9)))

    try:
        n_pos = least_size(lambda size: reached_at(size) >= power)
    except ArithmeticError:
        raise InvalidInputError(
            f"no number of cases has the power {power:g} for a difference of {aim.difference:g}. "
            "Hint: check the areas, the alternative and the margin."
        ) from None
    sizes = n_pos, math.ceil(n_pos * ratio - 1e-9)
    aim.warn_few(sizes)
    error = math.sqrt(aim.variances[1](*sizes))
    return SampleSize(
        sum(sizes),
        float(sizes[0]),
        float(sizes[1]),
        "roc_auc",
        aim.difference,
        error,
        None,
        1 - aim.level,
        None,
        reached_at(n_pos),
    )


def power(
    population_a: Population | None = None,
    population_b: Population | None = None,
    *,
    n: int | None = None,
    n_pos: int | None = None,
    n_neg: int | None = None,
    auc: float | tuple[float, float] | None = None,
    rate: float | tuple[float, float] | None = None,
    calls: SupposedCalls | None = None,
    discordant: float | None = None,
    null: float | None = None,
    margin: float | None = None,
    pilot: Any = None,
    metric: str | Measure = "roc_auc",
    recall: float | None = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
    correlation: float = 0.0,
    method: str = "asymptotic",
    design: str = "random",
    n_replicates: int = 0,
    rng: Any = None,
    **options: Any,
) -> Power:
    """Return the power of a test that two scores differ, or that one has another value than the null hypothesis.

    Parameters
    ----------
    population_a, population_b : Population, optional
        The supposed populations. Without `population_b` the null hypothesis is an ROC area of 1/2. Instead of
        populations one of `auc`, `rate` and `pilot` can be given.
    n : int, optional
        Cases in each sample of populations, or of which the rate is a share.
    n_pos, n_neg : int, optional
        Positives and negatives, with `auc` or `pilot`.
    auc : float or (float, float), optional
        A supposed ROC area, tested against `null`, or those of two markers, with Hanley and McNeil's variances.
    rate : float or (float, float), optional
        A supposed sensitivity or specificity among `n` cases of its class, tested against `null` by the exact binomial
        test, with half of the level on each side if two-sided; or those of two tests on the same `n` cases, which
        McNemar's test compares, by mid-p.
    calls : SupposedCalls, optional
        A supposed test at its cut-off, of which `metric` is tested against `null`: "precision" or "npv" by the exact
        binomial test among those called, "lr_positive", "lr_negative" or `th.measures.NetBenefit(p)` by whether the
        default interval excludes the null value. Predictive values and net benefit take `n` cases, likelihood ratios
        `n_pos` and `n_neg`.
    discordant : float, optional
        With two rates: the proportion of cases on which the tests disagree; by default that of independent tests,
        which is about the most and needs most cases.
    null : float, optional
        The value under the null hypothesis; 1/2 for an area and 0, that of treating none, for net benefit.
    margin : float, optional
        Non-inferiority: the test, one-sided, is that the first is not worse by as much. 0.025 is the usual level.
    pilot : (y_true, mapping of str to array-like) or Scores, optional
        Pilot data: two markers on the same cases, or one. Their components by class give the variance at other sizes
        and class ratios, their difference is the supposed one unless `auc` is given, and `correlation` of the result is
        that of the two areas in the pilot.
    metric : str or Measure, default="roc_auc"
        What is compared: "roc_auc", "pr_auc" or "precision_at_recall", by any of their names.
    recall : float, optional
        Recall at which precision is compared.
    significance_level : float
        Level of the test.
    alternative : {"two-sided", "greater", "less"}
        "greater" looks for a above b.
    correlation : float
        Correlation of the two estimates, in [-1, 1]; 0 for independent samples.
    method : {"asymptotic", "obuchowski"}
        "asymptotic" takes the variances from the populations. "obuchowski" is the one-sample formula of Obuchowski,
        Lieber and Wians (2004), which needs only the area and the class ratio and is what pROC computes.
    design : {"random", "fixed"}
        Whether the number of positives is left to chance or fixed.
    n_replicates : int
        Simulated studies for `simulated`, in each of which the real test is made, with the variance that it shows; only
        for populations, and for two of them with correlation 0. The precision at a recall has no variance of its own in
        a study, and takes that of the populations.
    rng : Generator or int, optional
        Source of randomness of the simulation.

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
    >>> round(th.power(strong, weak, n=400).power, 3)
    0.654
    >>> round(th.power(auc=0.85, null=0.75, n_pos=83, n_neg=83).power, 2)
    0.8
    >>> round(th.power(rate=0.95, null=0.9, n=255).power, 2)
    0.86

    Two tests on 200 positives; and whether a test is of use where one treats at a risk of 10%:

    >>> round(th.power(rate=(0.9, 0.8), discordant=0.14, n=200).power, 2)
    0.98
    >>> test = th.planning.SupposedCalls(tpr=0.8, fpr=0.3, prevalence=0.1)
    >>> round(th.power(calls=test, metric=th.measures.NetBenefit(0.1), n=300).power, 2)
    0.96
    """
    if population_a is None or _any_given(auc, rate, calls, pilot):
        if population_a is not None:
            raise InvalidInputError(
                "exactly one of a population, `auc`, `rate`, `calls` and `pilot` must be given (`auc` may go with "
                "`pilot`); got a population and another."
            )
        planned = planned_calls(
            (auc, pilot, margin), rate, calls, discordant, metric, null, significance_level, alternative
        )
        if planned is not None:
            return calls_power(planned, n, n_pos, n_neg)
        if _general(pilot, measure := as_measure(metric, recall=recall, **options)):
            return pilot_power(
                pilot,
                measure,
                check_count(n, "n", minimum=2),
                level=significance_level,
                alternative=alternative,
                margin=margin,
                rng=rng,
            )
        if measure != RocAuc():
            rows = check_count(n, "n", minimum=2)
            return one_model_power(_one_model(pilot, measure, null, margin, significance_level, alternative), rows)
        aim = Aim.checked(auc, rate, null, margin, correlation, pilot, significance_level, alternative)
        return _power_of(aim, n, n_pos, n_neg)
    _check_population(population_a, "population_a")
    if _any_given(margin, n_pos, n_neg) or null not in (None, 0.5):
        raise InvalidInputError(
            "`margin`, `null`, `n_pos` and `n_neg` must go with `auc`, `rate` or `pilot`. "
            "Hint: of populations the prevalence says how many of `n` are positive."
        )
    measure = as_measure(metric, recall=recall, **options)
    size, level = check_count(n, "n", minimum=2), check_confidence_level(significance_level, "significance_level")
    check_choice(alternative, "alternative", ALTERNATIVES)
    random = check_choice(design, "design", _DESIGNS) == "random"
    check_choice(method, "method", ("asymptotic", "obuchowski"))
    rho = _check_correlation(correlation)
    replicates = check_count(n_replicates, "n_replicates")
    if population_b is None:
        _check_own_null(measure, metric)
        found = _one_sample(population_a, size, level, alternative, method)
        if not replicates:
            return found
        generator = random_generator(rng)
        share = rejects_null(population_a, measure, 0.5, size, design, level, alternative, replicates, generator)
        return replace(found, simulated=share)
    _check_population(population_b, "population_b")
    if method == "obuchowski":
        raise InvalidInputError('`method` must be "asymptotic" for two populations; got "obuchowski".')
    pair = (population_a, population_b)
    found = _two_samples(pair, measure, size, level, alternative, rho, random=random)
    if not replicates or rho != 0:
        return found
    generator = random_generator(rng)
    share = rejects_other(pair, measure, size, design, level, alternative, None, replicates, generator)
    return replace(found, simulated=share)


def _general(pilot: Any, measure: Measure) -> bool:
    """Return whether a pilot of two models is compared by a measure without formulas of its own."""
    return isinstance(pilot, tuple) and measure != RocAuc()


def _one_model(
    pilot: Any, measure: Measure, null: float | None, margin: float | None, level: float, alternative: str
) -> OneModel:
    """Return the test of one model's metric against a value, as a pilot of that model describes it."""
    if pilot is not None and not isinstance(pilot, Counts):
        raise InvalidInputError(
            f"`pilot` must be Scores, or labels with the scores of two models; got {show(pilot)}. "
            "Hint: for example `pilot=(y, {'new': new, 'old': old})`."
        )
    if pilot is None:
        raise InvalidInputError(
            f"`auc` and `rate` do not describe {measure.title!r}; got no pilot. Hint: pilot=Scores(...) with "
            "`null`, or pilot=(y, {'new': new, 'old': old}) for two models."
        )
    if null is None or margin is not None:
        raise InvalidInputError(
            f"`null` must be given with a pilot of one model and {measure.title!r}, and no `margin`; got null={null} "
            f"and margin={margin}. Hint: for non-inferiority give null={measure.title} minus the margin."
        )
    check_choice(alternative, "alternative", ALTERNATIVES)
    return one_model(pilot, measure, float(null), check_confidence_level(level, "significance_level"), alternative)


def _check_own_null(measure: Measure, metric: str | Measure) -> None:
    if not isinstance(measure, RocAuc):
        raise InvalidInputError(
            f'`population_b` must be given unless metric="roc_auc"; got metric={metric!r}. '
            "Hint: only the ROC area has a null value of its own, 1/2."
        )


def _power_of(aim: Aim, n: int | None, n_pos: int | None, n_neg: int | None) -> Power:
    if aim.rate is not None:
        size = check_count(n, "n", minimum=1)
        error = math.sqrt(aim.rate * (1 - aim.rate) / size)
        reached = rate_power(aim.null, aim.rate, size, aim.level, aim.alternative)
        return Power(reached, aim.rate - aim.null, error, size, aim.level, "exact binomial", None)
    if n_pos is None or n_neg is None:
        raise InvalidInputError(
            "`n_pos` and `n_neg` must be given with `auc` or `pilot`. Hint: `n` is for populations."
        )
    sizes = check_count(n_pos, "n_pos", minimum=1), check_count(n_neg, "n_neg", minimum=1)
    aim.warn_few(sizes)
    error = math.sqrt(max(aim.variances[1](*sizes), 0.0))
    return Power(aim.power(sizes), aim.difference, error, sum(sizes), aim.level, aim.method, None, aim.correlation)


def _any_given(*arguments: object) -> bool:
    return any(argument is not None for argument in arguments)


def _two_samples(
    pair: tuple[Population, Population],
    measure: Measure,
    n: int,
    level: float,
    alternative: str,
    correlation: float,
    *,
    random: bool,
) -> Power:
    for population in pair:
        prevalence_of(population)
    values = [measure.of_population(population) for population in pair]
    sigmas = [population_sigma(measure, population, random=random, n=n) for population in pair]
    difference = values[0] - values[1]
    variance = (sigmas[0] ** 2 + sigmas[1] ** 2 - 2 * correlation * sigmas[0] * sigmas[1]) / n
    error = math.sqrt(max(variance, 0.0))
    reached = rejection(difference, error, error, level, alternative)
    return Power(reached, difference, error, n, level, "asymptotic", None, correlation)


def _one_sample(population: Population, n: int, level: float, alternative: str, method: str) -> Power:
    auc, share = float(population.roc_auc()), prevalence_of(population)
    if method == "obuchowski":
        kappa = (1 - share) / share
        null, actual = (math.sqrt(v / (n * share)) for v in _obuchowski_variances(auc, kappa))
    else:
        # Under the null hypothesis both classes have one distribution; ties apart, each placement variance is 1/12.
        null = math.sqrt((1 / share + 1 / (1 - share)) / 12 / n)
        actual = population.roc_auc_sigma() / math.sqrt(n)
    return Power(rejection(auc - 0.5, null, actual, level, alternative), auc - 0.5, actual, n, level, method, None)


def _obuchowski_variances(auc: float, kappa: float) -> tuple[float, float]:
    """Return the published variances per positive under the null hypothesis and at the area; 1.414 is theirs."""
    a = float(scipy.special.ndtri(auc)) * 1.414
    actual = 0.0099 * math.exp(-a * a / 2) * ((5 * a * a + 8) + (a * a + 8) / kappa)
    return 0.0792 * (1 + 1 / kappa), actual


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


def _check_positive(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not float(value) > 0:
        raise InvalidInputError(f"`{name}` must be a number above 0; got {show(value)}.")
    return float(value)


def _check_correlation(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise InvalidTypeError(f"`correlation` must be a number in [-1, 1]; got {show(value)}.")
    if not -1 <= float(value) <= 1:
        raise InvalidInputError(f"`correlation` must be in [-1, 1]; got {show(value)}.")
    return float(value)
