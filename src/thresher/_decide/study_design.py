"""How many cases a study needs, and what it can detect."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy

from thresher._core.checks import check_choice, check_confidence_level, check_count, show
from thresher._core.values import value
from thresher._inference.delong import ALTERNATIVES
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.measures import Measure, RocAuc, as_measure
from thresher.population import Population
from thresher.typing import FloatArray

__all__ = ["Power", "SampleSize", "SimulatedCheck", "power", "sample_size"]

_DESIGNS = ("random", "fixed")
_MOST_CASES = 20_000_000  # drawn in one simulated check


@value
class SimulatedCheck:
    """What simulated studies of the planned size gave.

    Attributes
    ----------
    n_replicates : int
        Number of simulated studies.
    sd : float
        Standard deviation of their estimates.
    bias : float
        Mean of their estimates minus the population's value.
    within : float
        Share of the estimates that lie within the asked half width of the population's value.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.3)
    >>> check = th.sample_size(population, metric="roc_auc", half_width=0.1, n_replicates=50, rng=0).check
    >>> check.n_replicates, check.within > 0.8
    (50, True)
    """

    n_replicates: int
    sd: float
    bias: float
    within: float


@value
class SampleSize:
    """The number of cases that a study needs.

    Attributes
    ----------
    n : int
        Number of cases, both classes together.
    n_pos, n_neg : float
        Expected numbers of positives and negatives among them.
    metric : str
        What is estimated.
    value : float
        The population's value of it.
    standard_error : float
        Asymptotic standard error of the estimate at `n`.
    half_width, confidence_level : float
        What was asked for.
    check : SimulatedCheck or None
        What simulated studies of that size gave.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.1)
    >>> found = th.sample_size(population, metric="roc_auc", half_width=0.05, n_replicates=0)
    >>> found.n, round(found.n_pos, 1), found.metric
    (648, 64.8, 'roc_auc')
    """

    n: int
    n_pos: float
    n_neg: float
    metric: str
    value: float
    standard_error: float
    half_width: float
    confidence_level: float
    check: SimulatedCheck | None


@value
class Power:
    """The probability that a study detects a difference.

    Attributes
    ----------
    power : float
        Probability of rejecting equality.
    difference : float
        The population difference, a minus b (or minus the null value).
    standard_error : float
        Asymptotic standard error of the estimated difference.
    n : int
        Cases in each study (unpaired), or in the common one (paired).
    significance_level : float
        Level of the test.
    method : str
        How the variance was found.
    simulated : float or None
        Share of simulated studies that reject, for independent samples.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.0), stats.norm(), prevalence=0.5)
    >>> found = th.power(population, n=40)
    >>> found.method, 0.5 < found.power < 1
    ('asymptotic', True)
    """

    power: float
    difference: float
    standard_error: float
    n: int
    significance_level: float
    method: str
    simulated: float | None


def sample_size(
    population: Population,
    *,
    metric: str | Measure = "pr_auc",
    half_width: float,
    confidence_level: float = 0.95,
    recall: float | None = None,
    design: str = "random",
    n_replicates: int = 500,
    rng: Any = None,
) -> SampleSize:
    """Return how many cases are needed to estimate a metric to within a half width.

    Parameters
    ----------
    population : Population
        The supposed score distributions and prevalence.
    metric : str or Measure, default="pr_auc"
        What is to be estimated: "pr_auc", "roc_auc" or "precision_at_recall", by any of their names.
    half_width : float
        Wanted half width of the confidence interval, above 0.
    confidence_level : float
        Level of that interval.
    recall : float, optional
        Recall at which precision is estimated; only, and always, with "precision_at_recall".
    design : {"random", "fixed"}
        Whether the number of positives is left to chance or fixed.
    n_replicates : int
        Number of simulated studies of that size in the check; 0 for none. Fewer are drawn when the size is very large.
    rng : Generator or int, optional
        Source of randomness of the check.

    Returns
    -------
    SampleSize
        By the asymptotic variance; `check` tells what it is worth at that size.

    Examples
    --------
    >>> import thresher as th
    >>> from scipy import stats
    >>> population = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.1)
    >>> th.sample_size(population, metric="roc_auc", half_width=0.05, n_replicates=0).n
    648
    """
    _check_population(population, "population")
    measure = as_measure(metric, recall=recall)
    level, random = check_confidence_level(confidence_level), check_choice(design, "design", _DESIGNS) == "random"
    width = _check_width(half_width)
    replicates = check_count(n_replicates, "n_replicates")
    z = float(scipy.special.ndtri(0.5 + level / 2))
    share = _prevalence(population)
    value, sigma = measure.of_population(population), measure.population_sigma(population, random=random)
    n = max(math.ceil((z * sigma / width) ** 2), math.ceil(1 / min(share, 1 - share)))
    check = _simulate_check(population, measure, n, design, width, value, replicates, rng)
    error = sigma / math.sqrt(n)
    return SampleSize(n, n * share, n * (1 - share), measure.title, value, error, width, level, check)


def power(
    population_a: Population,
    population_b: Population | None = None,
    *,
    n: int,
    metric: str | Measure = "roc_auc",
    recall: float | None = None,
    significance_level: float = 0.05,
    alternative: str = "two-sided",
    correlation: float = 0.0,
    method: str = "asymptotic",
    design: str = "random",
    n_replicates: int = 0,
    rng: Any = None,
) -> Power:
    """Return the power of a test that two scores differ, or that one has an area under the ROC curve other than 1/2.

    Parameters
    ----------
    population_a, population_b : Population
        The supposed populations. Without `population_b` the null hypothesis is an ROC area of 1/2.
    n : int
        Cases in each sample.
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
        Simulated pairs of studies for `simulated`; only with correlation 0 and a second population.
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
    """
    _check_population(population_a, "population_a")
    measure = as_measure(metric, recall=recall)
    size, level = check_count(n, "n", minimum=2), check_confidence_level(significance_level, "significance_level")
    check_choice(alternative, "alternative", ALTERNATIVES)
    random = check_choice(design, "design", _DESIGNS) == "random"
    check_choice(method, "method", ("asymptotic", "obuchowski"))
    rho = _check_correlation(correlation)
    replicates = check_count(n_replicates, "n_replicates")
    if population_b is None:
        if not isinstance(measure, RocAuc):
            raise InvalidInputError(
                f'`population_b` must be given unless metric="roc_auc"; got metric={metric!r}. '
                "Hint: only the ROC area has a null value of its own, 1/2."
            )
        return _one_sample(population_a, size, level, alternative, method)
    _check_population(population_b, "population_b")
    if method == "obuchowski":
        raise InvalidInputError('`method` must be "asymptotic" for two populations; got "obuchowski".')
    pair = (population_a, population_b)
    for population in pair:
        _prevalence(population)
    values = [measure.of_population(population) for population in pair]
    sigmas = [measure.population_sigma(population, random=random) for population in pair]
    difference = values[0] - values[1]
    variance = (sigmas[0] ** 2 + sigmas[1] ** 2 - 2 * rho * sigmas[0] * sigmas[1]) / size
    error = math.sqrt(max(variance, 0.0))
    reached = _rejection(difference, error, error, level, alternative)
    simulated = None
    if replicates and rho == 0:
        generator = np.random.default_rng(rng)
        draws = [measure.simulated(p, size, replicates, generator, design) for p in pair]
        simulated = _share_rejected(draws[0] - draws[1], error, level, alternative)
    return Power(reached, difference, error, size, level, method, simulated)


def _one_sample(population: Population, n: int, level: float, alternative: str, method: str) -> Power:
    auc, share = float(population.roc_auc()), _prevalence(population)
    if method == "obuchowski":
        kappa = (1 - share) / share
        null, actual = (math.sqrt(v / (n * share)) for v in _obuchowski_variances(auc, kappa))
    else:
        # Under the null hypothesis both classes have one law; ties apart, each placement variance is 1/12.
        null = math.sqrt((1 / share + 1 / (1 - share)) / 12 / n)
        actual = population.roc_auc_sigma() / math.sqrt(n)
    return Power(_rejection(auc - 0.5, null, actual, level, alternative), auc - 0.5, actual, n, level, method, None)


def _obuchowski_variances(auc: float, kappa: float) -> tuple[float, float]:
    """Return the published variances per positive under the null hypothesis and at the area; 1.414 is theirs."""
    a = float(scipy.special.ndtri(auc)) * 1.414
    actual = 0.0099 * math.exp(-a * a / 2) * ((5 * a * a + 8) + (a * a + 8) / kappa)
    return 0.0792 * (1 + 1 / kappa), actual


def _rejection(difference: float, null: float, actual: float, level: float, alternative: str) -> float:
    """Return the probability of a significant result; of a two-sided test, on the side of the difference."""
    if actual == 0:
        return 1.0 if difference else level
    if alternative == "two-sided":
        z = float(scipy.special.ndtri(1 - level / 2))
        near, far = ((sign * difference - z * null) / actual for sign in (1.0, -1.0))
        return float(max(scipy.special.ndtr(near), scipy.special.ndtr(far)))
    z = float(scipy.special.ndtri(1 - level))
    sign = 1.0 if alternative == "greater" else -1.0
    return float(scipy.special.ndtr((sign * difference - z * null) / actual))


def _share_rejected(differences: FloatArray, error: float, level: float, alternative: str) -> float:
    seen = differences[np.isfinite(differences)] / error
    if alternative == "two-sided":
        return float(np.mean(np.abs(seen) > scipy.special.ndtri(1 - level / 2)))
    seen = seen if alternative == "greater" else -seen
    return float(np.mean(seen > scipy.special.ndtri(1 - level)))


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
    found = measure.simulated(population, n, replicates, np.random.default_rng(rng), design)
    found = found[np.isfinite(found)]
    if found.size < 2:
        return None
    return SimulatedCheck(
        int(found.size),
        float(found.std(ddof=1)),
        float(found.mean() - value),
        float(np.mean(np.abs(found - value) <= width)),
    )


def _prevalence(population: Population) -> float:
    if population.prevalence is None:
        raise InvalidInputError(
            "the population must have a prevalence to plan a study; got None. "
            "Hint: use population.with_prevalence(...)."
        )
    return population.prevalence


def _check_population(value: object, name: str) -> None:
    if not isinstance(value, Population):
        raise InvalidTypeError(
            f"`{name}` must be a Population; got {show(value)} of type {type(value).__name__}. "
            "Hint: build one from score distributions, or fit one with thresher.Population.fit(scores)."
        )


def _check_width(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise InvalidTypeError(f"`half_width` must be a positive number; got {show(value)}.")
    if not 0 < float(value) < 1:
        raise InvalidInputError(f"`half_width` must be in (0, 1); got {show(value)}.")
    return float(value)


def _check_correlation(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise InvalidTypeError(f"`correlation` must be a number in [-1, 1]; got {show(value)}.")
    if not -1 <= float(value) <= 1:
        raise InvalidInputError(f"`correlation` must be in [-1, 1]; got {show(value)}.")
    return float(value)
