"""How much estimates from samples of a population vary, against simulated samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._decide.studies import population_sigma, simulated_values

POPULATION = th.Population(stats.norm(1.4), stats.norm(), prevalence=0.3)
MEASURES = [
    th.measures.RocAuc(),
    th.measures.PrAuc(),
    th.measures.PrecisionAtRecall(0.6),
    th.measures.as_measure("f1", threshold=0.8),
    th.measures.as_measure("mcc", threshold=0.8),
    th.measures.as_measure("partial_roc_auc", fpr=(0.0, 0.2)),
    th.measures.as_measure("average_precision"),
]


@pytest.mark.parametrize("design", ["random", "fixed"])
@pytest.mark.parametrize("measure", MEASURES, ids=lambda one: one.title)
def test_against_simulated_samples(measure, design):
    n, size = 1500, 400
    drawn = simulated_values(measure, POPULATION, n, size, np.random.default_rng(1), design)
    sigma = population_sigma(measure, POPULATION, random=design == "random")
    # Four standard errors of a standard deviation, and what is left of the order 1/n.
    assert drawn.std(ddof=1) * math.sqrt(n) == pytest.approx(sigma, rel=4 / math.sqrt(2 * size) + 0.02)
    assert drawn.mean() == pytest.approx(POPULATION.measure(measure), abs=5 * sigma / math.sqrt(n * size) + 2e-3)


def test_a_rate_has_the_binomial_variance():
    measure = th.measures.as_measure("recall", threshold=0.8)
    rate = stats.norm.sf(0.8 - 1.4)
    expected = math.sqrt(rate * (1 - rate) / 0.3)
    assert population_sigma(measure, POPULATION, random=True) == pytest.approx(expected, rel=1e-4)
    assert population_sigma(measure, POPULATION, random=False) == pytest.approx(expected, rel=1e-4)


def test_a_random_number_of_positives_adds_variance_only_if_the_balance_matters():
    for measure in MEASURES:
        random, fixed = (population_sigma(measure, POPULATION, random=one) for one in (True, False))
        assert (random > fixed * (1 + 1e-6)) == measure.needs_balance


def test_measures_that_are_not_smooth_are_simulated_or_refused():
    measure = th.measures.as_measure("recall_at_fpr", fpr=0.1)
    with pytest.raises(th.InvalidInputError, match=r"no asymptotic variance.* Hint: `assurance=0\.5`"):
        population_sigma(measure, POPULATION, random=True)
    found = population_sigma(measure, POPULATION, random=False, n=2000)
    # The recall at an estimated threshold: its own variance, and that of the threshold by the slope of the curve.
    cut = stats.norm.isf(0.1)
    recall, slope = stats.norm.sf(cut - 1.4), stats.norm.pdf(cut - 1.4) / stats.norm.pdf(cut)
    expected = math.sqrt(recall * (1 - recall) / 0.3 + slope**2 * 0.1 * 0.9 / 0.7)
    assert found == pytest.approx(expected, rel=4 / math.sqrt(2 * 200))
