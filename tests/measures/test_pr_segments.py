"""Pieces of a PR curve, against quadrature and unit steps one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from thresher._core.hyperbola import hyperbola_area, unit_step_area
from thresher.measures._pr_estimators import linear_area

counts = st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 12), st.integers(0, 15))


@given(piece=counts)
def test_the_hyperbola_against_quadrature(piece):
    tp, fp, p, q = piece

    def precision(v):
        called = tp + v + fp + q * v / p
        return (tp + v) / called if called else p / (p + q)

    want = quad(precision, 0, p, epsabs=1e-12, epsrel=1e-12)[0]
    found = hyperbola_area(*(np.array([float(x)]) for x in piece))
    assert found[0] == pytest.approx(want, rel=1e-8)


@given(pieces=st.lists(counts, min_size=1, max_size=4))
def test_unit_steps_one_by_one(pieces):
    want = 0.0
    for tp, fp, p, q in pieces:
        shares = []
        for v in range(p + 1):
            called = tp + v + fp + q * v / p
            shares.append((tp + v) / called if called else p / (p + q))
        want += sum((a + b) / 2 for a, b in zip(shares, shares[1:], strict=False))
    found = unit_step_area(*(np.array(column, dtype=float) for column in zip(*pieces, strict=True)))
    assert found.sum() == pytest.approx(want)
    assert found.size == len(pieces)


def test_a_trapezoid():
    assert linear_area(np.array([0.5]), np.array([1.0]), np.array([4.0])).tolist() == [3.0]
