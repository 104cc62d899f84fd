"""Logistic fits beside an optimiser of scipy, and profile limits by the likelihood they must have."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
from scipy import special, stats

import thresher as th
from thresher._inference.calibration.logistic import fit_logistic, profile_interval

X = np.array([-2.0, -1.0, 0.0, 0.5, 1.5, 3.0])
DESIGN = np.stack([np.ones(6), X], axis=1)
POS = np.array([1.0, 0, 2, 3, 2.5, 4])
NEG = np.array([6.0, 5, 3, 3, 1.5, 1])
OFFSET = np.array([0.3, -0.2, 0.1, 0.0, -0.4, 0.2])


def likelihood(beta, design=DESIGN, offset=OFFSET):
    p = special.expit(offset + design @ np.atleast_1d(beta))
    return float(POS @ np.log(p) + NEG @ np.log1p(-p))


@pytest.mark.parametrize("offset", [None, OFFSET])
def test_beside_an_optimiser(offset):
    shift = np.zeros(6) if offset is None else offset
    best = scipy.optimize.minimize(lambda b: -likelihood(b, offset=shift), [0, 0], tol=1e-12)
    found = fit_logistic(DESIGN, POS, NEG, offset)
    assert found.coefficients == pytest.approx(best.x, abs=1e-6)
    assert found.log_likelihood == pytest.approx(-best.fun)
    p = special.expit(shift + DESIGN @ found.coefficients)
    # The score equations to the last digits, and the inverse information.
    assert DESIGN.T @ (POS - (POS + NEG) * p) == pytest.approx([0, 0], abs=1e-11)
    information = DESIGN.T @ (((POS + NEG) * p * (1 - p))[:, None] * DESIGN)
    np.testing.assert_allclose(found.covariance @ information, np.eye(2), atol=1e-12)


@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize("which", [0, 1])
def test_profile_limits(which, level):
    others = np.delete(DESIGN, which, axis=1)
    design = np.column_stack((others, DESIGN[:, which]))
    fit = fit_logistic(design, POS, NEG, OFFSET)
    low, high = profile_interval(design, POS, NEG, OFFSET, fit, level)
    assert low < fit.coefficients[-1] < high
    for end in (low, high):
        rest = scipy.optimize.minimize_scalar(
            lambda b, others=others, end=end: -likelihood(b, others, OFFSET + end * DESIGN[:, which])
        )
        assert 2 * (fit.log_likelihood + rest.fun) == pytest.approx(stats.chi2.ppf(level, 1), rel=1e-6)


def test_profile_limits_of_the_only_coefficient():
    one = DESIGN[:, :1]
    fit = fit_logistic(one, POS, NEG, OFFSET)
    for end in profile_interval(one, POS, NEG, OFFSET, fit, 0.9):
        assert 2 * (fit.log_likelihood - likelihood(end, one)) == pytest.approx(stats.chi2.ppf(0.9, 1), rel=1e-8)


def test_a_steep_fit_is_found():
    x = np.linspace(-6, 6, 25)
    truth = special.expit(4 * x)
    found = fit_logistic(np.stack([np.ones(25), x], axis=1), 1e6 * truth, 1e6 * (1 - truth))
    assert found.coefficients == pytest.approx([0, 4], abs=1e-6)


@pytest.mark.parametrize(
    ("pos", "neg", "x"),
    [
        ([0.0, 0, 3], [2.0, 2, 0], [0.0, 1, 2]),  # separated
        ([1.0, 2, 3], [2.0, 2, 1], [1.0, 1, 1]),  # alike
        ([1.0, 2, 3], [0.0, 0, 0], [0.0, 1, 2]),  # one class
    ],
)
def test_data_without_a_finite_fit(pos, neg, x):
    with pytest.raises(th.UndefinedMetricError, match="It needs classes that overlap"):
        fit_logistic(np.stack([np.ones(3), x], axis=1), np.array(pos), np.array(neg), what="It")
