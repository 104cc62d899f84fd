"""Quadrature against integrals in closed form, with errors that hold."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from thresher.population._areas import _COARSE, _COARSE_WEIGHTS, _FINE, _WEIGHTS, integrate_panels
from thresher.population._families import integrate_tail


def test_the_rules_are_exact_for_polynomials():
    for degree in range(32):
        want = 2 / (degree + 1) if degree % 2 == 0 else 0.0
        assert float(_WEIGHTS @ _FINE**degree) == pytest.approx(want, abs=1e-14)
        if degree < 20:
            assert float(_COARSE_WEIGHTS @ _COARSE**degree) == pytest.approx(want, abs=1e-14)


@pytest.mark.parametrize(
    ("function", "edges", "exact"),
    [
        (np.exp, [0.0, 1.0, 3.0], math.exp(3) - 1),
        (lambda t: 1 / (1 + 25 * t * t), [-1.0, 1.0], 2 * math.atan(5) / 5),
        (np.sqrt, [0.0, 1.0], 2 / 3),
        (lambda t: np.where(t < 1 / 3, 0.0, 1.0), [0.0, 1.0], 2 / 3),
        (lambda t: np.sin(50 * t), [0.0, 1.0], (1 - math.cos(50)) / 50),
    ],
)
def test_panels_are_halved_until_they_converge(function, edges, exact):
    found = integrate_panels(function, np.array(edges))
    assert abs(found.value - exact) <= max(found.error, 1e-15)
    assert found.error < 1e-8


def test_few_rounds_have_a_large_error():
    rough = integrate_panels(np.sqrt, np.array([0.0, 1.0]), max_rounds=0)
    assert rough.error > integrate_panels(np.sqrt, np.array([0.0, 1.0])).error
    assert abs(rough.value - 2 / 3) <= rough.error


def test_no_panels_have_no_integral():
    assert integrate_panels(np.exp, np.array([1.0])) == (0.0, 0.0)


def test_tails_to_infinity_and_to_an_end():
    start = np.array([0.0, 2.0, 8.0])
    found = integrate_tail(stats.norm.pdf, start, math.inf, np.array([1.0, 0.5, 0.12]), step=1 / 16)
    np.testing.assert_allclose(found, stats.norm.sf(start), rtol=1e-11)
    start = np.array([0.1, 0.9, 1 - 1e-6])
    found = integrate_tail(lambda t: 2 * t, start, 1.0, np.ones(3), step=1 / 16)
    np.testing.assert_allclose(found, 1 - start**2, rtol=1e-9)
