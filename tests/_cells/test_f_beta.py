"""Intervals for F-beta."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq, minimize_scalar

from thresher._cells.f_beta import f_beta, f_beta_bounds
from thresher._inference.rates.proportion import PROPORTION_METHODS, proportion_interval

cell = st.integers(0, 60)
betas = st.sampled_from([0.25, 0.5, 1.0, 2.0, 3.0])


@pytest.mark.parametrize("method", PROPORTION_METHODS)
@given(tp=cell, fp=cell, fn=cell, beta=betas, level=st.sampled_from([0.8, 0.95]))
def test_f_beta_properties(method, tp, fp, fn, beta, level):
    if tp + fp + fn == 0:
        tp = 1
    value = f_beta(tp, fp, fn, beta)
    low, high = f_beta_bounds(tp, fp, fn, beta, level, method)
    assert 0.0 <= low <= value <= high <= 1.0
    # Exchanging false positives and false negatives exchanges beta and 1/beta.
    assert f_beta_bounds(tp, fn, fp, 1 / beta, level, method) == pytest.approx((low, high), abs=1e-9)
    wider = f_beta_bounds(tp, fp, fn, beta, 0.99, method)
    assert wider[0] <= low
    assert wider[1] >= high


@pytest.mark.parametrize("method", PROPORTION_METHODS)
@pytest.mark.parametrize("cells", [(40, 10, 20), (3, 1, 9), (0, 3, 4), (5, 0, 0), (0, 0, 5)])
def test_f_beta_is_continuous_at_one(method, cells):
    if method == "clopper-pearson":
        # The joint rectangle of other betas is longer than the single interval of beta = 1.
        at_one, near = f_beta_bounds(*cells, 1.0, 0.95, method), f_beta_bounds(*cells, 1.0 + 1e-9, 0.95, method)
        assert near[0] <= at_one[0] + 1e-9
        assert near[1] >= at_one[1] - 1e-9
        return
    at_one = f_beta_bounds(*cells, 1.0, 0.95, method)
    for beta in (1.0 - 1e-9, 1.0 + 1e-9):
        assert f_beta_bounds(*cells, beta, 0.95, method) == pytest.approx(at_one, abs=1e-7)


@pytest.mark.parametrize("method", ["bayes", "wilson"])
@pytest.mark.parametrize("cells", [(40, 10, 20), (3, 1, 9), (0, 3, 4), (5, 0, 3)])
def test_f_beta_tends_to_precision_and_recall(cells, method):
    tp, fp, fn = cells
    small, large = (f_beta_bounds(*cells, beta, 0.95, method) for beta in (1e-7, 1e7))
    slack = 1e-6 if method == "wilson" else 3e-4  # of the integral over how the errors divide
    assert small == pytest.approx(tuple(proportion_interval(tp, tp + fp, method=method)), abs=slack)
    assert large == pytest.approx(tuple(proportion_interval(tp, tp + fn, method=method)), abs=slack)


@pytest.mark.parametrize("beta", [0.5, 2.0])
@pytest.mark.parametrize("cells", [(40, 10, 20), (3, 1, 9), (8, 0, 1), (4, 2, 0)])
def test_f_beta_default_by_draws(cells, beta):
    # Three quarters of a case more of the dearer error for the lower limit, of what is right for the upper one.
    rng = np.random.default_rng(3)
    tp, fp, fn = cells
    worse = (tp, fp, fn + 0.75) if beta > 1 else (tp, fp + 0.75, fn)
    drawn = [rng.gamma(np.maximum(shapes, 1e-12), size=(200_000, 3)).T for shapes in (worse, (tp + 0.75, fp, fn))]
    square = beta * beta
    low, high = (
        np.quantile((1 + square) * a / ((1 + square) * a + square * c + b), p)
        for (a, b, c), p in zip(drawn, (0.025, 0.975), strict=True)
    )
    assert f_beta_bounds(*cells, beta, 0.95, "bayes") == pytest.approx((low, high), abs=0.004)


@pytest.mark.parametrize("beta", [0.5, 2.0])
@pytest.mark.parametrize("cells", [(40, 10, 20), (3, 1, 9), (8, 2, 1)])
def test_f_beta_score_interval_by_constrained_likelihood(cells, beta):
    # The same score test with the most likely multinomial found by numerical optimisation over r.
    tp, fp, fn = cells
    total, z = tp + fp + fn, stats.norm.isf(0.025)
    b2 = beta**2

    def statistic(f):
        def shares(r):
            cost = b2 * r + 1 - r
            j = f * cost / ((1 + b2) * (1 - f) + f * cost)
            return j, (1 - j) * (1 - r), (1 - j) * r

        def minus_log(r):
            return -sum(count * math.log(p) for count, p in zip(cells, shares(r), strict=True))

        r = minimize_scalar(minus_log, bounds=(1e-9, 1 - 1e-9), method="bounded", options={"xatol": 1e-12}).x
        costs = ((1 + b2) * (1 - f), -f, -f * b2)
        contrast = sum(count * c for count, c in zip(cells, costs, strict=True))
        return contrast / math.sqrt(total * sum(p * c * c for p, c in zip(shares(r), costs, strict=True)))

    value = f_beta(tp, fp, fn, beta)
    expected = (
        brentq(lambda f: statistic(f) - z, 1e-6, value),
        brentq(lambda f: statistic(f) + z, value, 1 - 1e-6),
    )
    assert f_beta_bounds(tp, fp, fn, beta, 0.95, "wilson") == pytest.approx(expected, abs=1e-6)


def test_f_beta_posterior_by_sampling():
    rng = np.random.default_rng(8)
    j, r = rng.beta(12.5, 9.5, 400_000), rng.beta(6.5, 3.5, 400_000)
    sample = 5 * j / (5 * j + (1 - j) * (4 * r + 1 - r))
    expected = np.quantile(sample, [0.025, 0.975])
    assert f_beta_bounds(12, 3, 6, 2.0, 0.95, "jeffreys") == pytest.approx(tuple(expected), abs=2e-3)


def test_value():
    assert f_beta(40, 10, 20, 1.0) == 80 / 110
    assert f_beta(40, 10, 20, 2.0) == 200 / 290
    assert math.isnan(f_beta(0, 0, 0, 1.0))
