"""Proper scores: each is the mean cost over thresholds by its weight, and parts of it are never negative."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import integrate, stats
from sklearn.isotonic import IsotonicRegression

import thresher as th
from thresher._curves import BatchBlocks, hull_blocks
from thresher._inference.calibration import proper_scores as module
from thresher._inference.calibration.proper_scores import (
    ProperScore,
    as_score,
    best_and_constant,
    class_weights,
    divergence,
    mean_score,
    parts_of,
)

SCORES = [ProperScore("brier"), ProperScore("log"), ProperScore("theta", 0.3), ProperScore("beta", 2.0, 3.5)]


@pytest.mark.parametrize("x", [0.05, 0.3, 0.62, 0.97])
def test_losses_are_costs_over_thresholds(x):
    """A negative costs theta below its score, a positive 1 - theta from its score on, by the weight of theta."""
    for score, weight in (
        (SCORES[0], lambda t: 2.0),
        (SCORES[1], lambda t: 1 / (t * (1 - t))),
        (SCORES[3], stats.beta(2, 3.5).pdf),
    ):
        negative = integrate.quad(lambda t, weight=weight: t * weight(t), 0, x)[0]
        positive = integrate.quad(lambda t, weight=weight: (1 - t) * weight(t), x, 1)[0]
        assert float(score.of_negative(np.asarray(x))) == pytest.approx(negative)
        assert float(score.of_positive(np.asarray(x))) == pytest.approx(positive)
    theta = SCORES[2]
    assert (float(theta.of_negative(x)), float(theta.of_positive(x))) == (
        (0.3, 0.0) if x > 0.3 else (0.0, pytest.approx(0.7))
    )


@pytest.mark.parametrize("score", SCORES)
def test_the_best_forecast_is_the_truth(score):
    grid = np.linspace(0.001, 0.999, 999)
    for p in (0.2, 0.55):
        loss = p * score.of_positive(grid) + (1 - p) * score.of_negative(grid)
        least = float(score.at_least(np.asarray(p), np.asarray(1 - p)))
        assert least == pytest.approx(float(loss.min()), abs=2e-6)
        assert least <= loss.min() + 1e-12


def test_impossible_things_cost_everything():
    log = SCORES[1]
    assert float(log.of_positive(np.asarray(0.0))) == math.inf
    assert float(log.of_negative(np.asarray(1.0))) == math.inf
    assert mean_score(log, np.array([1.0, 0.0]), np.array([2, 0]), np.array([0, 1])) == 0.0


def test_weights_of_classes_at_another_prevalence():
    w1, w0 = class_weights(3, 12, Fraction(1, 2))
    assert (w1 * 3, w0 * 12) == (Fraction(15, 2), Fraction(15, 2))
    w1, w0 = class_weights(3, 12, Fraction(1, 10))
    assert (w1 * 3, w0 * 12) == (Fraction(3, 2), Fraction(27, 2))
    assert class_weights(3, 12, None) == (1, 1)


X = np.array([0.95, 0.7, 0.55, 0.4, 0.15, 0.05])
TP = np.cumsum([3, 1, 2, 0, 1, 0])
FP = np.cumsum([0, 2, 1, 3, 2, 5])


def slow(score, prevalence):
    """Return the five parts row by row, with blocks pooled by scikit-learn."""
    pos, neg = np.diff(TP, prepend=0), np.diff(FP, prepend=0)
    share = TP[-1] / (TP[-1] + FP[-1]) if prevalence is None else float(prevalence)
    w = np.concatenate((share * pos / TP[-1], (1 - share) * neg / FP[-1]))
    y, x = np.repeat([1, 0], 6), np.tile(X, 2)
    q = IsotonicRegression(y_min=0, y_max=1).fit(x[w > 0], y[w > 0], sample_weight=w[w > 0]).predict(x)

    def mean(x):
        with np.errstate(invalid="ignore"):
            losses = np.where(y == 1, score.of_positive(x), score.of_negative(x))
            return float(np.sum(np.where(w > 0, w * losses, 0.0)))

    here, best, constant = mean(x), mean(q), mean(np.full(12, share))
    return here, here - best, constant - best, constant, best


@pytest.mark.parametrize("few", [0, 2048])
@pytest.mark.parametrize("prevalence", [None, Fraction(1, 20), Fraction(3, 4)])
@pytest.mark.parametrize("score", SCORES, ids=lambda score: score.name)
def test_parts_row_by_row(score, prevalence, few, monkeypatch):
    monkeypatch.setattr(module, "_FEW", few)
    blocks = hull_blocks(TP, FP)
    found = parts_of(score, X, TP, FP, blocks, prevalence)
    got = (found.mean, found.miscalibration, found.discrimination, found.uncertainty, found.recalibrated)
    assert got == pytest.approx(slow(score, prevalence), abs=1e-12)
    floats = parts_of(score, X, TP / 4.0, FP / 4.0, hull_blocks(TP / 4.0, FP / 4.0), prevalence)
    assert (floats.mean, floats.miscalibration) == pytest.approx((got[0], got[1]), abs=1e-12)
    totals = np.array([TP[-1:], FP[-1:]], dtype=float)
    laid_out = BatchBlocks(blocks.pos, blocks.neg, np.zeros(1, dtype=int), *totals)
    best, constant = best_and_constant(score, laid_out, None if prevalence is None else float(prevalence))
    assert (best[0], constant[0]) == pytest.approx((got[4], got[3]), abs=1e-12)


def test_an_infinite_mean_leaves_the_rest_finite():
    x = np.array([0.5, 0.0])
    found = parts_of(
        SCORES[1], x, np.array([1, 2]), np.array([1, 2]), hull_blocks(np.array([1, 2]), np.array([1, 2])), None
    )
    assert (found.mean, found.miscalibration) == (math.inf, math.inf)
    assert (found.discrimination, found.uncertainty) == pytest.approx((0.0, math.log(2)), abs=1e-15)


@pytest.mark.parametrize("gap", [1e-9, -1e-9, 1e-3, -1e-3, 0.02, 0.3, -0.2])
def test_divergence_in_fifty_digits(gap):
    p = 0.25
    x = p + gap
    with mp.workdps(50):
        a, b = mpf(p), mpf(p) + mpf(gap)
        want = float(a * mp.log(a / b) + (1 - a) * mp.log((1 - a) / (1 - b)))
    assert float(divergence(p, 1 - p, gap, x, 1 - x)) == pytest.approx(want, rel=1e-12)


def test_divergence_at_the_ends():
    x = 0.3
    assert float(divergence(np.array(0.0), np.array(1.0), x, x, 1 - x)) == pytest.approx(-math.log(0.7))
    assert float(divergence(np.array(1.0), np.array(0.0), x - 1, x, 1 - x)) == pytest.approx(-math.log(0.3))


def test_requests():
    assert as_score("log") == ProperScore("log")
    assert as_score(0.25) == ProperScore("theta", 0.25)
    assert as_score((2, 5)) == ProperScore("beta", 2.0, 5.0)
    assert [score.name for score in SCORES] == ["brier", "log", "theta=0.3", "beta(2, 3.5)"]
    for bad in (0, 1, True, (0, 1), (1, 2, 3), (1, math.inf), "mse", None):
        with pytest.raises(th.InvalidInputError, match="`score` must be 'brier', 'log'"):
            as_score(bad)
