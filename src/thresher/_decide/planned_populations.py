"""Planning from supposed populations: two against each other, or the ROC area of one against 1/2."""

from __future__ import annotations

import math
from typing import Any

import scipy

from thresher._core.checks import check_choice, check_count
from thresher._core.random_streams import random_generator
from thresher._decide.question import Question, StudyCases, by_share, check_correlation, check_test, rejection
from thresher._decide.studies import (
    DESIGNS,
    SimulatedTest,
    check_population,
    population_sigma,
    prevalence_of,
    rejects_null,
    rejects_other,
)
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, RocAuc, as_measure
from thresher.population import Population


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
    check_population(population_a, "population_a")
    measure = as_measure(metric, **options)
    tested = check_test(significance_level, alternative)
    check_choice(design, "design", DESIGNS)
    check_choice(method, "method", ("asymptotic", "obuchowski"))
    rho = check_correlation(correlation)
    pair: tuple[Population, ...] = (population_a,)
    if population_b is not None:
        pair = (population_a, check_population(population_b, "population_b"))
        if method == "obuchowski":
            raise InvalidInputError('`method` must be "asymptotic" for two populations; got "obuchowski".')
    elif not isinstance(measure, RocAuc):
        raise InvalidInputError(
            f'`population_b` must be given unless metric="roc_auc"; got metric={metric!r}. '
            "Hint: only the ROC area has a null value of its own, 1/2."
        )
    share, *_ = (prevalence_of(population) for population in pair)
    replicates = check_count(n_replicates, "n_replicates")
    values = [float(population.measure(measure)) for population in pair]
    difference = values[0] - (values[1] if len(values) > 1 else 0.5)

    def errors(n: int) -> tuple[float, float]:
        """Return the standard error that the test takes, and the one that the estimate has."""
        if len(pair) > 1:
            a, b = (population_sigma(measure, one, random=design == "random", n=n) for one in pair)
            error = math.sqrt(max((a * a + b * b - 2 * rho * a * b) / n, 0.0))
            return error, error
        if method == "obuchowski":
            null, actual = _obuchowski_variances(difference + 0.5, (1 - share) / share)
            return math.sqrt(null / (n * share)), math.sqrt(actual / (n * share))
        # Under the null hypothesis both classes have one distribution; ties apart, each placement variance is 1/12.
        return math.sqrt((1 / share + 1 / (1 - share)) / 12 / n), population_a.roc_auc_sigma() / math.sqrt(n)

    def power(cases: StudyCases) -> float:
        return rejection(difference, *errors(cases.n), tested["level"], alternative)

    def simulated(n: int) -> float | None:
        if not replicates or (rho and population_b is not None):
            return None
        test = SimulatedTest(n, design, tested["level"], alternative, replicates)
        if population_b is None:
            return rejects_null(population_a, measure, 0.5, test, random_generator(rng))
        return rejects_other((population_a, population_b), measure, test, random_generator(rng))

    return Question(
        difference=difference,
        metric=measure.described(),
        method=method,
        null=0.0 if population_b is not None else 0.5,
        correlation=rho if population_b is not None else None,
        _power=power,
        _error=lambda cases: errors(cases.n)[1],
        _cases=by_share(share),
        _simulated=simulated,
        **tested,
    )


def _obuchowski_variances(auc: float, kappa: float) -> tuple[float, float]:
    """Return the published variances per positive under the null hypothesis and at the area; 1.414 is theirs."""
    a = float(scipy.special.ndtri(auc)) * 1.414
    actual = 0.0099 * math.exp(-a * a / 2) * ((5 * a * a + 8) + (a * a + 8) / kappa)
    return 0.0792 * (1 + 1 / kappa), actual
