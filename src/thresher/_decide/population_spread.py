"""How much estimates from samples of a population vary: closed forms, and influence values of the population."""

from __future__ import annotations

import math
from itertools import islice
from typing import Literal

import numpy as np

from thresher._decide.drawn_studies import studies
from thresher._inference.sampling import sampling_of
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, PrAuc, PrecisionAtRecall, RocAuc, population_table
from thresher.population import Population
from thresher.typing import FloatArray

__all__ = ["population_sigma", "simulated_values"]

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
    measure: Measure, population: Population, n: int, size: int, rng: np.random.Generator, design: str
) -> FloatArray:
    """Return the values of `size` studies of `n` cases that have both classes."""
    return np.array([measure.of(table) for table in islice(studies(population, n, design, rng), size)])
