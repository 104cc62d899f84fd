"""Populations and their 20-digit reference values."""

import json
from fractions import Fraction
from math import exp
from pathlib import Path

import pytest
from scipy import stats

import thresher as th
from thresher.population import CASES, Discrete, Mixture

REFERENCE = Path(__file__).parents[1] / "reference" / "population.json"

MAKERS = {
    "Astar": lambda: (CASES["A*"].pos, CASES["A*"].neg),
    "biexp": lambda: (stats.expon(scale=3), stats.expon(scale=1)),
    "bigamma": lambda: (stats.gamma(4), stats.gamma(2)),
    "t3shift": lambda: (stats.t(3, loc=1.5), stats.t(3)),
    "cauchyshift": lambda: (stats.cauchy(2), stats.cauchy(0)),
    "normmix": lambda: (Mixture([stats.norm(2, 1), stats.norm(-1, 0.5)], [0.7, 0.3]), stats.norm()),
    "betaU_pos": lambda: (stats.beta(0.5, 0.5), stats.beta(2, 2)),
    "lognorm_vs_norm": lambda: (stats.lognorm(s=0.75, scale=exp(0.5)), stats.norm()),
    "poisson": lambda: (stats.poisson(4), stats.poisson(2)),
    "point_perfect": lambda: (Discrete([1]), Discrete([0])),
    "point_reverse": lambda: (Discrete([0]), Discrete([1])),
    "point_tied": lambda: (Discrete([0]), Discrete([0])),
    "binorm_wide": lambda: (stats.norm(1, 2), stats.norm()),
    "logistic": lambda: (stats.logistic(1), stats.logistic(0)),
    "gumbel": lambda: (stats.gumbel_r(1), stats.gumbel_r(0)),
    "pareto": lambda: (stats.pareto(1.5), stats.pareto(2.5)),
    "t5_vs_norm": lambda: (stats.t(5, loc=1), stats.norm()),
}


@pytest.fixture(scope="session")
def reference():
    items = json.loads(REFERENCE.read_text())["items"]
    return {item["id"]: item for item in items}


@pytest.fixture(scope="session")
def population_of():
    made = {}

    def get(name):
        if name not in made:
            pos, neg = MAKERS[name]() if name in MAKERS else (CASES[name].pos, CASES[name].neg)
            made[name] = th.Population(pos, neg, prevalence=0.5)
        return made[name]

    return get


@pytest.fixture(scope="session")
def prevalence_of():
    return lambda text: float(Fraction(text))
