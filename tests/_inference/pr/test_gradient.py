"""Derivatives of PR areas by the counts: differences, and Euler's rule for functions that scale with them."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._inference.pr import _weighted, area_gradient

ESTIMATORS = ("interpolated", "functional", "average_precision", "trapezoid")


def precision(estimator: str, t0: float, t1: float, f0: float, f1: float, u: np.ndarray) -> np.ndarray:
    """Precision along one piece, each estimator by its definition."""
    if estimator == "average_precision":
        return np.full(u.size, t1 / (t1 + f1))
    if estimator == "functional":
        return u / (u + f0)
    share = (u - t0) / (t1 - t0)
    if estimator == "interpolated":
        return u / (u + f0 + share * (f1 - f0))
    first = t0 / (t0 + f0) if t0 + f0 > 0 else 1.0
    return first + share * (t1 / (t1 + f1) - first)


def integral(estimator: str, pos: np.ndarray, neg: np.ndarray) -> float:
    nodes, weights = np.polynomial.legendre.leggauss(60)
    tp, fp = np.append(0.0, np.cumsum(pos)), np.append(0.0, np.cumsum(neg))
    total = 0.0
    for i in np.flatnonzero(pos):
        u = tp[i] + (nodes + 1) / 2 * pos[i]
        total += pos[i] / 2 * weights @ precision(estimator, tp[i], tp[i + 1], fp[i], fp[i + 1], u)
    return total


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_differences(estimator: str) -> None:
    rng = np.random.default_rng(1)
    # From a first group of positives only, of both, and of negatives only; sparse and dense pieces after it.
    for first in ((2.0, 0.0), (1.0, 3.0), (0.0, 2.0)):
        pos = np.append(first[0], rng.integers(0, 3, 8) * rng.choice([1.0, 20.0], 8))
        neg = np.append(first[1], rng.integers(0, 3, 8) * rng.choice([1.0, 20.0], 8))
        tp, fp = np.append(0.0, np.cumsum(pos)), np.append(0.0, np.cumsum(neg))
        got = area_gradient(tp, fp, estimator, (0.0, 1.0))
        step = 1e-5
        for i in range(pos.size):
            for mine, column in ((pos, got.positive), (neg, got.negative)):
                # Where a class has none at a score the area need not have two equal one-sided derivatives.
                if mine[i] == 0:
                    continue
                ends = []
                for sign in (1, -1):
                    moved = mine.copy()
                    moved[i] += sign * step
                    pair = (moved, neg) if mine is pos else (pos, moved)
                    ends.append(integral(estimator, *pair))
                assert column[i] == pytest.approx((ends[0] - ends[1]) / (2 * step), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_area_is_what_its_derivatives_add_up_to(estimator: str) -> None:
    rng = np.random.default_rng(2)
    pos, neg = rng.uniform(0.1, 5, 30), rng.uniform(0.1, 5, 30)
    tp, fp = np.append(0.0, np.cumsum(pos)), np.append(0.0, np.cumsum(neg))
    got = area_gradient(tp, fp, estimator, (0.0, 1.0))
    # The integral over true positives doubles when all counts double (Euler).
    assert pos @ got.positive + neg @ got.negative == pytest.approx(integral(estimator, pos, neg), rel=1e-9)


def test_quadrature_and_closed_form_meet() -> None:
    # A growth just below and just above the limit is integrated in two ways.
    t, f = np.array([3.0, 3.0]), np.array([2.0, 2.0])
    p = np.array([4.0, 4.0])
    q = np.array([6.0 - 1e-9, 6.0 + 1e-9])
    rising, falling = _weighted(t, f, p, q)
    assert rising[0] == pytest.approx(rising[1], rel=1e-8)
    assert falling[0] == pytest.approx(falling[1], rel=1e-8)
