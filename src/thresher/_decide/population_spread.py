"""How much estimates from samples of a population vary: closed forms, and influence values of the population."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from thresher._inference.sampling import sampling_of
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure, PrAuc, PrecisionAtRecall, RocAuc, population_table
from thresher.population import Population
from thresher.typing import FloatArray

__all__ = ["population_sigma", "simulated_values"]


def population_sigma(measure: Measure, population: Population, *, random: bool) -> float:
    """Return the standard deviation of sqrt(n) times the error of an estimate from n cases.

    In closed form for the areas under whole curves and the precision at a recall; for other measures from their
    influence values on a fine table of the population.
    """
    if measure == RocAuc():
        return float(population.roc_auc_sigma())
    if measure == PrAuc():
        return float(population.pr_auc_sigma(random=random))
    if isinstance(measure, PrecisionAtRecall):
        sigma = float(population.asymptotic_sd(measure.recall, 1, design="random" if random else "fixed"))
        if math.isnan(sigma):
            raise InvalidInputError(
                f"precision at recall {measure.recall:g} must have a density ratio there for a normal approximation; "
                "this population has none. Hint: `population.sampling(recall, n)` gives the exact distribution."
            )
        return sigma
    table = population_table(population, measure)
    influence = measure.influence(table)
    if influence is None:
        raise InvalidInputError(
            f"{measure.title!r} has no asymptotic variance: it is not smooth in the counts. "
            "Hint: `assurance=0.5` plans by simulated studies."
        )
    spread = sampling_of(table).spread(influence, design="random" if random else "fixed")
    return math.sqrt(spread.variance * float(table.n_pos + table.n_neg))


def simulated_values(
    measure: Measure, population: Population, n: int, size: int, rng: np.random.Generator, design: str
) -> FloatArray:
    """Return the values of `size` studies of `n` cases; NaN if a class is missing."""
    if isinstance(measure, PrecisionAtRecall) and measure.prevalence is None:
        # From their distribution, without any scores.
        fixed: Literal["random", "fixed"] = "fixed" if design == "fixed" else "random"
        return np.asarray(population.simulate(n, size, recalls=[measure.recall], rng=rng, design=fixed)[:, 0])
    share = population.prevalence
    if share is None:
        raise InvalidInputError("the population must have a prevalence to draw studies; got None.")
    out = np.full(size, np.nan)
    for i in range(size):
        n_pos = int(rng.binomial(n, share)) if design == "random" else round(n * share)
        if 0 < n_pos < n:
            drawn = population.pos.draw(n_pos, rng), population.neg.draw(n - n_pos, rng)
            out[i] = measure.of(Counts.from_pos_neg(*drawn))
    return out
