"""Theorem 1: the slope of the false positive rate and the standard deviation of the empirical precision."""

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.population import CASES, Mixture


def test_sigma_is_the_delta_method_on_the_logit_scale(population_of):
    # n Var(logit PR-hat) = 1/(pi(1-pi)) + (1-alpha)/((1-pi) alpha) + (alpha'/alpha)^2 x(1-x)/pi.
    population, share = population_of("C"), 0.2
    x = np.array([0.3, 0.6, 0.9])
    alpha, slope, pr = population.fpr_at(x), population.slope(x), population.pr(x, prevalence=share)
    own = (1 - alpha) / ((1 - share) * alpha) + (slope / alpha) ** 2 * x * (1 - x) / share
    for design, label in (("random", 1 / (share * (1 - share))), ("fixed", 0.0)):
        sd = population.asymptotic_sd(x, 400, design=design, prevalence=share)
        np.testing.assert_allclose(sd / (pr * (1 - pr)), np.sqrt((label + own) / 400), rtol=1e-12)


def test_variance_does_not_grow_with_the_skew():
    # The paper says it clearly increases.
    sd = [CASES["A"].asymptotic_sd(0.9, 1, prevalence=1 / (1 + s)) for s in (1, 4, 10, 100)]
    np.testing.assert_allclose(sd, [0.735, 0.965, 0.853, 0.347], atol=6e-4)
    relative = [s / CASES["A"].pr(0.9, prevalence=1 / (1 + k)) for s, k in zip(sd, (1, 4, 10, 100), strict=True)]
    assert (np.diff(relative) > 0).all()


def test_slope_claims():
    assert CASES["A"].slope(0.9) == pytest.approx(2.257, abs=1e-3)
    assert (CASES["A"].slope(np.linspace(0.01, 0.9, 50)) < 5).all()
    assert CASES["C"].fpr_at(0.5) == pytest.approx(0.0060500, abs=1e-7)
    assert CASES["C"].slope(0.9) == pytest.approx(1.13, abs=5e-3)


def test_slope_without_a_density(population_of):
    plain = population_of("A")
    image = plain.transform(np.exp, inverse=np.log)
    x = [0.1, 0.5, 0.9]
    np.testing.assert_allclose(image.slope(x), plain.slope(x), rtol=1e-8)
    np.testing.assert_allclose(image.asymptotic_sd(x, 100), plain.asymptotic_sd(x, 100), rtol=1e-8)


def test_sigma_is_nan_where_there_is_none():
    assert math.isnan(CASES["D"].asymptotic_sd(0.5, 100))
    assert np.isnan(CASES["F"].asymptotic_sd([0.3, 0.4], 100)).all()
    mixed = th.Population(Mixture([stats.norm(1), th.population.Discrete([0.0])]), stats.norm(), prevalence=0.5)
    inside = mixed.pos.sf(0.0) + 0.25
    assert math.isnan(mixed.asymptotic_sd(inside, 100))
    assert mixed.asymptotic_sd(0.1, 100) > 0
