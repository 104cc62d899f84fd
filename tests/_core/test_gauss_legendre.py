"""The stored quadrature rule."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import numpy as np

from thresher._core.gauss_legendre import NODES, WEIGHTS


def test_integrates_polynomials_exactly():
    nodes = [Fraction(x) for x in NODES.tolist()]
    weights = [Fraction(w) for w in WEIGHTS.tolist()]
    assert np.all(np.diff(NODES) > 0)
    for power in range(80):
        total = sum(w * x**power for w, x in zip(weights, nodes, strict=True))
        # Exact for degree 79; what is left is the rounding of 80 stored doubles.
        assert abs(total * (power + 1) - 1) < 80 * 2.0**-53 * (power + 1) / 40


def test_each_number_is_the_nearest_double():
    with mp.workdps(50):
        for node, weight in zip(NODES.tolist(), WEIGHTS.tolist(), strict=True):
            x = mp.findroot(lambda t: mp.legendre(40, t), 2 * mp.mpf(node) - 1)
            slope = mp.diff(lambda t: mp.legendre(40, t), x)
            assert node == float((1 + x) / 2)
            assert weight == float(1 / ((1 - x * x) * slope**2))
