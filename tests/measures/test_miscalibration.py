"""Miscalibration and discrimination beside isotonic regression of scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

import thresher as th
from thresher.measures import Discrimination, Miscalibration


def sample(seed: int = 0, n: int = 120):
    rng = np.random.default_rng(seed)
    x = rng.integers(1, 20, n) / 20
    return rng.random(n) < x**2, x


@pytest.mark.parametrize(("score", "loss"), [("brier", brier_score_loss), ("log", log_loss)])
def test_beside_isotonic_regression(score, loss):
    y, x = sample()
    q = IsotonicRegression(y_min=0, y_max=1).fit(x, y).predict(x)
    best, constant = loss(y, q), loss(y, np.full(y.size, y.mean()))
    scores = th.Scores(y, x)
    assert Miscalibration(score).of(scores) == pytest.approx(loss(y, x) - best, abs=1e-12)
    assert Discrimination(score).of(scores) == pytest.approx(constant - best, abs=1e-12)


def test_one_threshold():
    y, x = sample()
    # At 0.3 a call of a negative costs 0.3, a positive not called 0.7: isotonic scores cost the least.
    cost = min(0.3 * (x[~y] > cut).sum() + 0.7 * (x[y] <= cut).sum() for cut in [-1, *np.unique(x)]) / y.size
    here = (0.3 * (x[~y] > 0.3).sum() + 0.7 * (x[y] <= 0.3).sum()) / y.size
    constant = min(0.3 * (~y).mean(), 0.7 * y.mean())
    assert Miscalibration(0.3).of(th.Scores(y, x)) == pytest.approx(here - cost, abs=1e-14)
    assert Discrimination(0.3).of(th.Scores(y, x)) == pytest.approx(constant - cost, abs=1e-14)


def test_nothing_to_discriminate():
    assert Discrimination().of(th.Scores([0, 1, 0, 1], [0.5] * 4)) == 0.0
    assert Miscalibration().of(th.Scores([0, 1, 0, 1], [0.5] * 4)) == 0.0


def test_the_interval_holds_the_value_and_zero_when_calibrated():
    rng = np.random.default_rng(5)
    x = rng.integers(1, 10, 400) / 10
    found = th.Scores(rng.random(400) < x, x).measure("miscalibration")
    low, high = found.confidence_interval()
    assert (low, low <= found.value <= high) == (0.0, True)
    wrong = th.Scores(rng.random(400) < 0.2 * x, x).measure("miscalibration").confidence_interval()
    assert wrong.low > 0.0


def test_names_and_refusals():
    assert Miscalibration("log").described() == "miscalibration (log)"
    assert Discrimination((2, 3)).described() == "discrimination (beta(2, 3))"
    assert Miscalibration().bounds == (0.0, math.inf)
    assert Miscalibration().needs_balance
    assert Discrimination().needs_balance
    for kind in (Miscalibration, Discrimination):
        with pytest.raises(th.InvalidInputError, match="`score` must be 'brier', 'log'"):
            kind("mse")
