"""Studies drawn from supposed populations or a pilot: their tables, estimates and tests."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher._core.sums import dot
from thresher._inference.delong import unpaired_test, welch_df
from thresher._inference.sampling import sampling_of
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning, UndefinedMetricError
from thresher.measures import Measure, PrAuc, PrecisionAtRecall, RocAuc
from thresher.population import Population
from thresher.population._value import population_table
from thresher.typing import FloatArray

DESIGNS = ("random", "fixed")


def check_population(value: object, name: str) -> Population:
    """Refuse what is no population."""
    if not isinstance(value, Population):
        raise InvalidTypeError(
            f"`{name}` must be a Population; got {show(value)} of type {type(value).__name__}. "
            "Hint: build one from score distributions, or fit one with thresher.Population.fit(scores)."
        )
    return value


def prevalence_of(source: Population | Counts) -> float:
    """Return the prevalence of studies."""
    if source.prevalence is None:
        raise InvalidInputError(
            "the population must have a prevalence to plan a study; got None. "
            "Hint: use population.with_prevalence(...)."
        )
    return source.prevalence


def chance_of_both(source: Population | Counts, n: int, design: str) -> float:
    """Return the probability that a study of n cases has both classes."""
    share = prevalence_of(source)
    if n < 2 or design != "random":
        return float(0 < round(n * share) < n)
    return -math.expm1(n * math.log1p(-share)) - share**n


def drawn_positives(
    n: int, share: float, rng: np.random.Generator, size: int | None = None
) -> np.int64 | NDArray[np.int64]:
    """Return how many of n independent cases are positive, given that both classes are among them.

    The class of the first case and the place of the first of the other class are drawn by their inverse distribution
    functions, so that nothing is drawn again however rare a class is.
    """
    rest = n - 1
    # The first case is a positive (negative), and not all the others are.
    pos, neg = share * -np.expm1(rest * np.log(share)), (1.0 - share) * -np.expm1(rest * np.log1p(-share))
    positive = rng.random(size) * (pos + neg) < pos
    other = np.log1p(-np.where(positive, 1.0 - share, share))
    place = np.ceil(np.log1p(rng.random(size) * np.expm1(rest * other)) / other).clip(1, rest).astype(np.int64)
    out: np.int64 | NDArray[np.int64] = np.where(positive, place, 1) + rng.binomial(rest - place, share)
    return out


def studies(source: Population | Counts, n: int, design: str, rng: np.random.Generator) -> Iterator[Counts]:
    """Yield the tables of studies of n cases that have both classes, without end.

    They are samples of a population, or rows of a pilot drawn again.
    """
    share = prevalence_of(source)
    if not chance_of_both(source, n, design):
        raise InvalidInputError(
            f"a study must have at least one case of each class; at prevalence {share:g} one of n={n} has not. "
            f"Hint: plan for {math.ceil(1.0 / min(share, 1.0 - share)):,} cases or more."
        )
    columns = (source.pos, source.neg) if isinstance(source, Counts) else ()
    shares = [np.asarray(column, dtype=np.float64) / float(column.sum()) for column in columns]
    while True:
        n_pos = int(drawn_positives(n, share, rng)) if design == "random" else round(n * share)
        if isinstance(source, Counts):
            pos, neg = rng.multinomial(n_pos, shares[0]), rng.multinomial(n - n_pos, shares[1])
            some = pos + neg > 0
            yield Counts._from_table((source.thresholds[some], pos[some], neg[some]))
        else:
            yield Counts.from_pos_neg(source.pos.draw(n_pos, rng), source.neg.draw(n - n_pos, rng))


class SimulatedTest(NamedTuple):
    """A test that is made in so many simulated studies of n cases."""

    n: int
    design: str
    level: float
    alternative: str
    times: int


_STUDIES, _SEED = 200, 20261117


def population_sigma(measure: Measure, population: Population, *, random: bool, n: int | None = None) -> float:
    """Return the standard deviation of sqrt(n) times the error of an estimate from n cases.

    In closed form for the areas under whole curves and the precision at a recall; for other measures from their
    influence values on a fine table of the population, or, if they have none, from simulated studies of n cases.
    """
    design: Literal["random", "fixed"] = "random" if random else "fixed"
    if measure == RocAuc():
        return float(population.roc_auc_sigma())
    if measure == PrAuc():
        return float(population.pr_auc_sigma(random=random))
    if isinstance(measure, PrecisionAtRecall):
        sigma = float(population.asymptotic_sd(measure.recall, 1, design=design))
        if math.isnan(sigma):
            raise InvalidInputError(
                f"precision at recall {measure.recall:g} must have a density ratio there for a normal approximation; "
                "this population has none. Hint: another recall."
            )
        return sigma
    table = population_table(population, measure)
    influence = measure.influence(table)
    if influence is None and n is not None:
        drawn = simulated_values(measure, population, n, _STUDIES, np.random.default_rng([_SEED, n]), design)
        return float(np.std(drawn, ddof=1)) * math.sqrt(n)
    if influence is None:
        raise InvalidInputError(
            f"{measure.title!r} has no asymptotic variance: it is not smooth in the counts. "
            "Hint: `assurance=0.5` plans by simulated studies."
        )
    spread = sampling_of(table).spread(influence, design=design)
    return math.sqrt(spread.variance * float(table.n_pos + table.n_neg))


def simulated_values(
    measure: Measure, population: Population | Counts, n: int, size: int, rng: np.random.Generator, design: str
) -> FloatArray:
    """Return the values of `size` studies of `n` cases that have both classes."""
    return np.array([measure.of(table) for table in islice(studies(population, n, design, rng), size)])


def rejects_null(
    population: Population,
    measure: Measure,
    null: float,
    test: SimulatedTest,
    rng: np.random.Generator,
) -> float:
    """Return in which proportion of studies the default interval excludes a null value, on the side asked for.

    Studies without one of the classes have no interval, and exclude nothing.
    """
    n, design, level, alternative, times = test
    drawn = studies(population, n, design, rng)
    within = 1.0 - (level if alternative == "two-sided" else 2.0 * level)
    hits = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ThresherWarning)
        for _ in range(times):
            low, high = measure.estimate(next(drawn)).confidence_interval(within, design=design)
            hits += (low > null and alternative != "less") or (high < null and alternative != "greater")
    return hits / times * chance_of_both(population, n, design)


def rejects_other(
    populations: tuple[Population, Population],
    measure: Measure,
    test: SimulatedTest,
    rng: np.random.Generator,
) -> float:
    """Return in which proportion of pairs of independent studies their test rejects.

    Studies without one of the classes, or with one case of it, have no test, and reject nothing.

    The test is Welch's, with the variance that each pair of studies shows and degrees of freedom by class: that of
    `compare_unpaired` for ROC areas of small classes.
    """
    if type(measure).influence is Measure.influence:
        return _by_known_error(populations, measure, test, rng)
    n, design, level, alternative, times = test
    drawn = [studies(population, n, design, rng) for population in populations]
    hits = counted = 0
    for _ in range(times):
        a, b = (_value_and_parts(next(source), measure, design) for source in drawn)
        pvalue = _welch_pvalue(a, b, n, alternative)
        counted += not math.isnan(pvalue)
        hits += pvalue < level
    if not counted:
        raise UndefinedMetricError("no study had two cases of each class. Hint: plan for more cases.")
    both = [chance_of_both(population, n, design) for population in populations]
    return hits / times * both[0] * both[1]


_Measured = tuple[float, list[tuple[float, float]]]
"""A study's value, and the variance that each class adds with the number of its cases."""


def _welch_pvalue(a: _Measured, b: _Measured, n: int, alternative: str) -> float:
    """Return the p-value of one pair of studies of n cases; NaN if a class has too few cases for a variance."""
    parts = [*a[1], *b[1]]
    spreads, sizes = [part[0] for part in parts], [part[1] for part in parts]
    if any(map(math.isnan, spreads)):
        return math.nan
    variances = (sum(part[0] for part in a[1]), sum(part[0] for part in b[1]))
    degrees = welch_df(spreads, sizes)
    return unpaired_test((a[0], b[0]), variances, (n, n), df=degrees, alternative=alternative).pvalue


def _by_known_error(
    populations: tuple[Population, Population],
    measure: Measure,
    test: SimulatedTest,
    rng: np.random.Generator,
) -> float:
    """Return the proportion that rejects when the test takes the populations' own standard error."""
    n, design, level, alternative, times = test
    drawn = [simulated_values(measure, population, n, times, rng, design) for population in populations]
    sigmas = [population_sigma(measure, population, random=design == "random", n=n) for population in populations]
    error = math.sqrt((sigmas[0] ** 2 + sigmas[1] ** 2) / n)
    seen = (drawn[0] - drawn[1]) / error
    seen = seen[np.isfinite(seen)]
    seen = np.abs(seen) if alternative == "two-sided" else seen if alternative == "greater" else -seen
    tail = level / 2.0 if alternative == "two-sided" else level
    both = [chance_of_both(population, n, design) for population in populations]
    return float(np.mean(seen > -scipy.special.ndtri(tail))) * both[0] * both[1]


def _value_and_parts(table: Counts, measure: Measure, design: str) -> _Measured:
    """Return the value, and the variance that each class adds with the number of its cases."""
    pull = measure.influence(table)
    if pull is None:
        raise InvalidInputError(f"{measure.title!r} has no influence values.")
    parts = []
    for each, counts, total in ((pull.pos, table.pos, table.n_pos), (pull.neg, table.neg, table.n_neg)):
        spread = dot(counts, each**2) / (total * (total - 1.0)) if total > 1 else math.nan
        parts.append((spread, float(total)))
    if design == "random" and pull.odds:
        parts.append((pull.odds**2 * (1.0 / table.n_pos + 1.0 / table.n_neg), float(table.n_pos + table.n_neg)))
    return measure.of(table), parts
