"""What the real test or interval makes of studies drawn from supposed populations."""

from __future__ import annotations

import math
import warnings

import numpy as np
import scipy

from thresher._core.sums import dot
from thresher._decide.drawn_studies import chance_of_both, studies
from thresher._decide.population_spread import population_sigma, simulated_values
from thresher._inference.delong import unpaired_test, welch_df
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, ThresherWarning, UndefinedMetricError
from thresher.measures import Measure
from thresher.population import Population

__all__ = ["rejects_null", "rejects_other"]


def rejects_null(
    population: Population,
    measure: Measure,
    null: float,
    n: int,
    design: str,
    level: float,
    alternative: str,
    times: int,
    rng: np.random.Generator,
) -> float:
    """Return in which proportion of studies the default interval excludes a null value, on the side asked for.

    Studies without one of the classes have no interval, and exclude nothing.
    """
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
    n: int,
    design: str,
    level: float,
    alternative: str,
    margin: float | None,
    times: int,
    rng: np.random.Generator,
) -> float:
    """Return in which proportion of pairs of independent studies their test rejects.

    Studies without one of the classes, or with one case of it, have no test, and reject nothing.

    The test is Welch's, with the variance that each pair of studies shows and degrees of freedom by class: that of
    `compare_unpaired` for ROC areas of small classes.
    """
    null = 0.0 if margin is None else (-margin if alternative == "greater" else margin)
    if not _has_influence(measure):
        return _by_known_error(populations, measure, n, design, level, alternative, null, times, rng)
    drawn = [studies(population, n, design, rng) for population in populations]
    hits = counted = 0
    for _ in range(times):
        a, b = (_value_and_parts(next(source), measure, design) for source in drawn)
        pvalue = _welch_pvalue(a, b, n, null, alternative)
        counted += not math.isnan(pvalue)
        hits += pvalue < level
    if not counted:
        raise UndefinedMetricError("no study had two cases of each class. Hint: plan for more cases.")
    both = [chance_of_both(population, n, design) for population in populations]
    return hits / times * both[0] * both[1]


_Measured = tuple[float, list[tuple[float, float]]]
"""A study's value, and the variance that each class adds with the number of its cases."""


def _welch_pvalue(a: _Measured, b: _Measured, n: int, null: float, alternative: str) -> float:
    """Return the p-value of one pair of studies of n cases; NaN if a class has too few cases for a variance."""
    parts = [*a[1], *b[1]]
    spreads, sizes = [part[0] for part in parts], [part[1] for part in parts]
    if any(map(math.isnan, spreads)):
        return math.nan
    variances = (sum(part[0] for part in a[1]), sum(part[0] for part in b[1]))
    degrees = welch_df(spreads, sizes)
    return unpaired_test((a[0], b[0]), variances, (n, n), df=degrees, null=null, alternative=alternative).pvalue


def _has_influence(measure: Measure) -> bool:
    return type(measure).influence is not Measure.influence


def _by_known_error(
    populations: tuple[Population, Population],
    measure: Measure,
    n: int,
    design: str,
    level: float,
    alternative: str,
    null: float,
    times: int,
    rng: np.random.Generator,
) -> float:
    """Return the proportion that rejects when the test takes the populations' own standard error."""
    drawn = [simulated_values(measure, population, n, times, rng, design) for population in populations]
    sigmas = [population_sigma(measure, population, random=design == "random", n=n) for population in populations]
    error = math.sqrt((sigmas[0] ** 2 + sigmas[1] ** 2) / n)
    seen = (drawn[0] - drawn[1] - null) / error
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
