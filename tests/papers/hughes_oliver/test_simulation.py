"""Simulated empirical precision, against the estimator computed from whole samples."""

import numpy as np
import pytest
from scipy import stats

import thresher as th
from papers.hughes_oliver.exact_precision import order_index
from papers.hughes_oliver.simulation import simulate
from thresher.population import CASES


def test_simulation_of_whole_samples_agrees():
    population = th.Population(stats.poisson(4), stats.poisson(2), prevalence=0.3)
    rng = np.random.default_rng(8)
    recalls = [0.3, 0.65]
    rows = []
    for _ in range(1500):
        y, s = population.sample(40, rng=rng)
        if 0 < y.sum() < 40:
            rows.append(th.Scores(y, s).pr_function(recalls))
    direct = np.array(rows)
    fast = simulate(population, 40, 6000, recalls, rng)
    fast = fast[np.isfinite(fast).all(axis=1)]
    for j in range(2):
        assert stats.ks_2samp(direct[:, j], fast[:, j]).pvalue > 1e-4


def test_samples_without_positives_are_nan():
    drawn = simulate(CASES["A"].with_prevalence(0.05), 20, 4000, [0.5], rng=2)
    assert np.isnan(drawn).mean() == pytest.approx(0.95**20, abs=0.03)


def test_the_cost_of_simulation_does_not_depend_on_n():
    # One draw for ten million cases: only order statistics and binomial counts are drawn.
    drawn = simulate(CASES["A"], 10_000_000, 50, [0.2, 0.8], rng=1)
    np.testing.assert_allclose(drawn.mean(axis=0), CASES["A"].pr([0.2, 0.8]), atol=2e-3)


def test_order_index_snaps_to_integers():
    assert order_index(100, 0.29) == 29  # 0.29 * 100 is 28.999999999999996
    assert order_index(10, 0.3) == 3
    assert order_index(10, 0.35) == 3
