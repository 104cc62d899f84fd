"""Asymptotic variances of the areas, against simulation and known special cases."""

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.population import CASES, Discrete
from thresher.population._maps import pr_auc_sigma, roc_auc_sigma


def test_chance_variance_of_the_roc_area():
    # Equal continuous distributions: each placement is uniform, with variance 1/12.
    distribution = CASES["A"].neg
    for share in (0.5, 0.1):
        expected = math.sqrt((1 / share + 1 / (1 - share)) / 12)
        assert roc_auc_sigma(distribution, distribution, share) == pytest.approx(expected, rel=1e-10)


def test_roc_variance_of_exponential_scores():
    # Hanley and McNeil: for exponential scores Q1 = A / (2 - A) and Q2 = 2 A^2 / (1 + A).
    population = th.Population(stats.expon(scale=3), stats.expon())
    a, share = float(population.roc_auc()), 0.3
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    expected = math.sqrt((q2 - a * a) / share + (q1 - a * a) / (1 - share))
    assert roc_auc_sigma(population.pos, population.neg, share) == pytest.approx(expected, rel=1e-9)


def test_tied_scores_have_the_variance_of_midranks():
    population, share = CASES["F"], 0.4
    pos, neg = population.pos.atoms()[0], population.neg.atoms()[0]
    wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    expected = wins.mean(axis=1).var() / share + wins.mean(axis=0).var() / (1 - share)
    assert roc_auc_sigma(population.pos, population.neg, share) == pytest.approx(math.sqrt(expected), rel=1e-12)


@pytest.mark.some(4)
@pytest.mark.parametrize(("case", "share"), [("A", 0.5), ("B", 0.5), ("C", 0.2), ("D", 0.2)])
@pytest.mark.parametrize("design", ["random", "fixed"])
def test_pr_area_variance_against_simulation(case, share, design):
    population, rng = CASES[case].with_prevalence(share), np.random.default_rng(31)
    n, size = 2000, 300
    found = np.empty(size)
    for i in range(size):
        n_pos = int(rng.binomial(n, share)) if design == "random" else round(n * share)
        scores = th.Scores.from_pos_neg(population.pos.draw(n_pos, rng), population.neg.draw(n - n_pos, rng))
        found[i] = scores.pr_auc().value
    sigma = pr_auc_sigma(population.pos, population.neg, share, random=design == "random")
    assert found.std(ddof=1) == pytest.approx(sigma / math.sqrt(n), rel=4 / math.sqrt(2 * size))


def test_perfect_separation_has_no_variance():
    population = th.Population(stats.uniform(2, 1), stats.uniform(0, 1))
    assert pr_auc_sigma(population.pos, population.neg, 0.3, random=True) == pytest.approx(0.0, abs=1e-6)
    assert roc_auc_sigma(population.pos, population.neg, 0.3) == pytest.approx(0.0, abs=1e-7)


INFINITE = {
    "poisson": (stats.poisson(4), stats.poisson(2)),
    "geom": (stats.geom(0.3), stats.geom(0.5)),
    "nbinom": (stats.nbinom(5, 0.3), stats.nbinom(5, 0.5)),
    "reversed": (stats.poisson(2), stats.poisson(4)),
}


def cut(distribution):
    """The same distribution without the tail beyond which all values together have probability 1e-16."""
    values = np.arange(int(distribution.support()[0]), int(distribution.isf(1e-16)) + 1)
    masses = distribution.pmf(values)
    return Discrete(values.astype(float), masses / masses.sum())


@pytest.mark.parametrize("family", INFINITE)
@pytest.mark.parametrize("random", [True, False])
def test_counts_without_an_upper_end(family, random):
    pos, neg = INFINITE[family]
    population = th.Population(pos, neg)
    sigma = pr_auc_sigma(population.pos, population.neg, 0.1, random=random)
    assert sigma == pytest.approx(pr_auc_sigma(cut(pos), cut(neg), 0.1, random=random), rel=1e-9)


def test_counts_without_an_upper_end_against_simulation():
    rng, n, size, share = np.random.default_rng(5), 2000, 300, 0.2
    pos, neg = INFINITE["poisson"]
    found = np.empty(size)
    for i in range(size):
        n_pos = int(rng.binomial(n, share))
        found[i] = th.Scores.from_pos_neg(rng.poisson(4, n_pos), rng.poisson(2, n - n_pos)).pr_auc().value
    population = th.Population(pos, neg)
    sigma = pr_auc_sigma(population.pos, population.neg, share, random=True)
    assert found.std(ddof=1) == pytest.approx(sigma / math.sqrt(n), rel=4 / math.sqrt(2 * size))
