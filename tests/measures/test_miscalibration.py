"""Miscalibration and discrimination beside isotonic regression of scikit-learn."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

import thresher as th
from thresher._core.random_streams import stream_key
from thresher._inference.bootstrap import draws_of
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


def gain(score, y, x, q, weight=None):
    """How much the mean loss falls with other forecasts."""
    loss = {"brier": lambda p: (y - p) ** 2, "log": lambda p: -np.log(np.where(y, p, 1 - p))}[score]
    with np.errstate(divide="ignore"):
        return np.average(loss(x) - loss(q), weights=weight)


@pytest.mark.parametrize("score", ["brier", "log"])
def test_limits_less_the_optimism_of_recalibration(score):
    """Each resample recalibrated by scikit-learn, and tried on the resample and on the data."""
    y, x = sample(2, 80)
    scores, measure = th.Scores(y, x), Miscalibration(score)
    low, high = measure.estimate(scores).confidence_interval(0.9, method="optimism", n_resamples=30, rng=7)
    pos, neg = draws_of(scores, measure, stratified=False).draw(stream_key(7), 0, 30)
    least = 0.5 / 81
    at = np.searchsorted(-scores.thresholds, -x)
    optimism = []
    for counts in zip(pos, neg, strict=True):
        times = np.concatenate(counts)
        seen = times > 0
        labels, values = np.repeat([1, 0], len(scores))[seen], np.tile(scores.thresholds, 2)[seen]
        fitted = IsotonicRegression(y_min=0, y_max=1).fit(values, labels, sample_weight=times[seen])
        # A score that the resample lacks takes the forecast of the next higher one that it has.
        known = np.unique(values)
        nearest = known[np.minimum(np.searchsorted(known, scores.thresholds), known.size - 1)]
        q = np.clip(fitted.predict(nearest), least, 1 - least)
        there = gain(score, labels, values, q[np.searchsorted(-scores.thresholds, -values)], times[seen])
        optimism.append(there - gain(score, y, x, q[at]))
    q = IsotonicRegression(y_min=0, y_max=1).fit(x, y).predict(x)
    value = gain(score, y, x, q)
    each = np.array([gain(score, y[i : i + 1], x[i : i + 1], q[i : i + 1]) for i in range(y.size)])
    share, apart = y.mean(), each[y].mean() - each[~y].mean()
    variance = share * (1 - share) * apart**2 / y.size
    variance += sum((side.mean()) ** 2 * each[side].var(ddof=1) / side.sum() for side in (y, ~y))
    reach = stats.norm.ppf(0.95) * math.sqrt(variance)
    assert low == pytest.approx(max(value - np.mean(optimism) - reach, 0.0), abs=1e-12)
    assert high == pytest.approx(value + reach)


@pytest.mark.parametrize("rows", [{"sample_weight": np.linspace(0.5, 2, 400)}, {"cluster": np.arange(400) // 4}])
def test_weighted_and_clustered_rows_may_be_calibrated(rows):
    rng = np.random.default_rng(5)
    x = rng.integers(1, 10, 400) / 10
    found = th.Scores(rng.random(400) < x, x, **rows).measure("miscalibration")
    low, high = found.confidence_interval(n_resamples=40, rng=1)
    assert (low, low < found.value < high) == (0.0, True)
    wrong = th.Scores(rng.random(400) < 0.2 * x, x, **rows).measure("miscalibration")
    assert wrong.confidence_interval(n_resamples=40, rng=1).low > 0.0


def test_a_certain_score_that_was_wrong_has_no_interval():
    y, x = np.arange(40) % 2 == 0, np.linspace(0.0, 0.9, 40)
    with pytest.warns(th.ThresherWarning, match="The log loss is infinite"):
        found = th.Scores(y, x, sample_weight=np.linspace(1, 2, 40)).measure("miscalibration", score="log")
    assert found.value == math.inf
    with pytest.raises(th.UndefinedMetricError, match="a certain score was wrong"):
        found.confidence_interval(rng=1)
