"""Simulated empirical precision, against the estimator computed from whole samples."""

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.population import CASES
from thresher.population._spread import order_index


def test_simulation_of_whole_samples_agrees(population_of):
    # Against the estimator computed from drawn samples, sorted and counted.
    population = population_of("poisson").with_prevalence(0.3)
    rng = np.random.default_rng(8)
    recalls = [0.3, 0.65]
    rows = []
    for _ in range(1500):
        y, s = population.sample(40, rng=rng)
        if 0 < y.sum() < 40:
            rows.append(th.Scores(y, s).pr_function(recalls))
    direct = np.array(rows)
    fast = population.simulate(40, 6000, recalls=recalls, rng=rng)
    fast = fast[np.isfinite(fast).all(axis=1)]
    for j in range(2):
        assert stats.ks_2samp(direct[:, j], fast[:, j]).pvalue > 1e-4


def test_samples_without_positives_are_nan():
    drawn = CASES["A"].simulate(20, 4000, recalls=[0.5], prevalence=0.05, rng=2)
    assert np.isnan(drawn).mean() == pytest.approx(0.95**20, abs=0.03)


def test_the_cost_of_simulation_does_not_depend_on_n():
    # One draw for ten million cases: only order statistics and binomial counts are drawn.
    drawn = CASES["A"].simulate(10_000_000, 50, recalls=[0.2, 0.8], rng=1)
    np.testing.assert_allclose(drawn.mean(axis=0), CASES["A"].pr([0.2, 0.8]), atol=2e-3)


def test_order_index_snaps_to_integers():
    assert order_index(100, 0.29) == 29  # 0.29 * 100 is 28.999999999999996
    assert order_index(10, 0.3) == 3
    assert order_index(10, 0.35) == 3


def test_bad_requests():
    with pytest.raises(th.InvalidInputError) as caught:
        CASES["A"].simulate(10, 5, recalls=[1.5])
    assert str(caught.value) == "`recalls` must be in [0, 1]; got 1.5. Hint: it is a fraction, not a percentage."
    with pytest.raises(th.InvalidInputError) as caught:
        CASES["A"].simulate(10, 5, recalls=[0.0])
    assert str(caught.value) == "`recalls` must be above 0; got [0.0]. Hint: nothing is called at recall 0."
