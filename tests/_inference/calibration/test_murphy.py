"""Murphy diagrams row by row: costs of calls, the best recalibration, and areas that are proper scores."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

import thresher as th


def rows(seed: int = 0, n: int = 40):
    rng = np.random.default_rng(seed)
    x = rng.integers(1, 12, n) / 12
    return rng.random(n) < x**1.5, x


def cost(y, x, theta, w):
    return float(np.sum(w * np.where(y, (1 - theta) * (x <= theta), theta * (x > theta))))


@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_row_by_row(prevalence):
    y, x = rows()
    share = y.mean() if prevalence is None else prevalence
    w = np.where(y, share / y.sum(), (1 - share) / (~y).sum())
    thetas = np.array([0.05, 0.25, 1 / 3, 0.5, 0.77])
    found = th.Scores(y, x).calibration(prevalence=prevalence).murphy(thetas)
    q = IsotonicRegression().fit(x, y, sample_weight=w).predict(x)
    for i, theta in enumerate(thetas):
        best, constant = cost(y, q, theta, w), min(theta * (1 - share), (1 - theta) * share)
        mean = cost(y, x, theta, w)
        assert found.mean[i] == pytest.approx(mean)
        assert found.recalibrated[i] == pytest.approx(best)
        assert found.uncertainty[i] == pytest.approx(constant)
        assert found.miscalibration[i] == pytest.approx(mean - best, abs=1e-14)
        assert found.discrimination[i] == pytest.approx(constant - best, abs=1e-14)


def test_a_score_at_theta_is_not_above_it():
    found = th.Scores([1, 0], [0.5, 0.5]).calibration().murphy([0.5])
    assert found.mean.tolist() == [0.25]  # the positive is missed, the negative is not called


def test_areas_are_proper_scores():
    y, x = rows()
    theta = (np.arange(60_000) + 0.5) / 60_000
    found = th.Scores(y, x).calibration().murphy(theta)
    assert 2 * found.mean.mean() == pytest.approx(np.mean((y - x) ** 2), abs=1e-4)


def test_the_default_grid_and_order():
    calibration = th.Scores(*rows()).calibration()
    assert len(calibration.murphy()) == 199
    assert calibration.murphy([0.5, 0.25, 0.5]).theta.tolist() == [0.25, 0.5]
    assert repr(calibration.murphy([0.5])).startswith("MurphyCurve: 1 thresholds, mean cost ")
