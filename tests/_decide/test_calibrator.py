"""Calibrators against scikit-learn's, brute force, and their own guarantees."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.optimize
import scipy.special
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

import thresher as th
from thresher._decide.calibrator import CALIBRATORS, venn_abers

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "calibration.json").read_text())["datasets"]


def sample(seed: int = 0, n: int = 600):
    rng = np.random.default_rng(seed)
    x = np.round(rng.uniform(0.01, 0.99, n), 2)
    return rng.random(n) < 0.2 + 0.6 * x**2, x


def test_isotonic_predicts_as_scikit_learn():
    y, x = sample()
    grid = np.linspace(-0.1, 1.1, 301)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(x, y).predict(grid)
    assert th.Calibrator.fit(th.Scores(y, x)).predict(grid) == pytest.approx(theirs, abs=1e-12)
    step = th.Calibrator.fit(th.Scores(y, x), between="step")
    assert step.predict(x) == pytest.approx(IsotonicRegression().fit(x, y).predict(x), abs=1e-15)


def test_platt_predicts_as_scikit_learn():
    y, x = sample()
    theirs = _SigmoidCalibration().fit(x, y)
    ours = th.Calibrator.fit(th.Scores(y, x), method="platt")
    assert ours.predict(x) == pytest.approx(theirs.predict(x), abs=1e-4)

    # Its minimiser stops early; ours is the minimum.
    def loss(a, b):
        p = scipy.special.expit(a * x + b)
        high, low = (y.sum() + 1) / (y.sum() + 2), 1 / ((~y).sum() + 2)
        t = np.where(y, high, low)
        return -(t * np.log(p) + (1 - t) * np.log1p(-p)).sum()

    assert loss(*ours.coefficients) <= loss(-theirs.a_, -theirs.b_) + 1e-12
    separated = th.Calibrator.fit(th.Scores([0, 0, 1, 1], [0, 1, 10, 11]), method="platt")
    assert np.isfinite(separated.coefficients).all()


def test_logistic_is_an_unpenalised_regression():
    y, x = sample()
    z = scipy.special.logit(x)[:, None]
    fit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000).fit(z, y)
    slope, start = th.Calibrator.fit(th.Scores(y, x), method="logistic").coefficients
    assert (slope, start) == pytest.approx((fit.coef_[0, 0], fit.intercept_[0]), rel=1e-5)
    one = th.Calibrator.fit(th.Scores(y, x), method="temperature").coefficients
    best = scipy.optimize.minimize_scalar(lambda t: np.logaddexp(0, np.where(y, -1, 1) * t * z[:, 0]).sum())
    assert one == pytest.approx((best.x, 0.0), abs=1e-6)


def test_beta_has_no_falling_part():
    y, x = sample()
    a, b, c = th.Calibrator.fit(th.Scores(y, x), method="beta").coefficients
    fit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=5000).fit(np.column_stack((np.log(x), -np.log1p(-x))), y)
    assert (a, b, c) == pytest.approx((*fit.coef_[0], fit.intercept_[0]), rel=1e-3)
    turned = th.Calibrator.fit(th.Scores(~y, x), method="beta")
    assert (turned.coefficients[:2] >= 0).all()


def test_venn_abers_by_adding_a_case():
    y, x = sample(1, 60)
    x = np.round(x, 1)
    scores = th.Scores(y, x)
    low, high = venn_abers(scores)
    for i, at in enumerate(scores.thresholds):
        for label, found in ((False, low[i]), (True, high[i])):
            more = th.Scores(np.append(y, label), np.append(x, at)).calibration()
            assert found == pytest.approx(float(more.calibrated[more.scores == at][0]), abs=1e-15)
    data = REFERENCE["drawn_200"]
    low, high = venn_abers(
        th.Scores.from_counts(data["scores"], [int(p) for p in data["pos"]], [int(n) for n in data["neg"]])
    )
    assert (low[0], high[0]) == (float(Fraction(25, 33)), float(Fraction(26, 33)))
    assert high[0] / (1 - low[0] + high[0]) == pytest.approx(0.7647, abs=5e-5)  # as the package venn-abers prints it


def test_prior_moves_the_odds():
    y, x = sample()
    scores = th.Scores(y, x)
    moved = th.Calibrator.fit(scores, method="prior", prevalence=0.01).predict([0.5])
    odds = (1 - scores.prevalence) / scores.prevalence * 0.01 / 0.99
    assert moved[0] == pytest.approx(odds / (1 + odds))


@pytest.mark.parametrize("method", CALIBRATORS)
def test_every_map_rises_and_keeps_or_betters_the_ranking(method):
    y, x = sample()
    options = {"prevalence": 0.05} if method == "prior" else {}
    calibrator = th.Calibrator.fit(th.Scores(y, x), method=method, **options)
    assert (np.diff(calibrator.predict(np.linspace(0.01, 0.99, 200))) >= 0).all()
    other_y, other_x = sample(7)
    test = th.Scores(other_y, other_x)
    after = calibrator.apply(test)
    assert (after.n_pos, after.n_neg) == (test.n_pos, test.n_neg)
    if method not in ("isotonic", "venn-abers"):
        assert after.roc_auc().value == test.roc_auc().value
    if method != "prior":
        assert after.calibration().decomposition().mean < test.calibration().decomposition().mean


def test_isotonic_on_its_own_data_is_perfect_and_flagged():
    y, x = sample()
    tuning = th.Scores(y, x)
    with pytest.warns(th.ThresherWarning, match="applied to the data it was fitted on"):
        same = th.Calibrator.fit(tuning).apply(tuning)
    assert same.calibration().decomposition().miscalibration == pytest.approx(0.0, abs=1e-16)
    assert same.roc().hull().tp.tolist() == same.roc().tp.tolist()


def test_laplace_never_says_never():
    tuning = th.Scores([1, 1, 0, 1, 0, 0, 0], [7, 6, 5, 4, 3, 2, 1])
    exact, gentle = th.Calibrator.fit(tuning), th.Calibrator.fit(tuning, ends="laplace")
    assert exact.predict([7, 1]).tolist() == [1.0, 0.0]
    assert gentle.predict([7, 1]) == pytest.approx([3 / 4, 1 / 5])


def test_messages():
    y, x = sample()
    with pytest.raises(th.InvalidInputError, match="`prevalence` must be given with method='prior'"):
        th.Calibrator.fit(th.Scores(y, x), prevalence=0.1)
    with pytest.raises(th.InvalidInputError, match=r"'beta' reads scores as probabilities in \[0, 1\]; got 9"):
        th.Calibrator.fit(th.Scores([0, 1], [0.5, 9.0]), method="beta")
    with pytest.raises(th.InvalidInputError, match="needs scores strictly between 0 and 1"):
        th.Calibrator.fit(th.Scores([0, 1, 0, 1], [0.0, 0.5, 0.7, 1.0]), method="logistic")
    with pytest.raises(th.UndefinedMetricError, match="needs classes that overlap"):
        th.Calibrator.fit(th.Scores([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8]), method="logistic")


def test_what_it_says_of_itself():
    y, p = np.array([1, 0, 1, 0, 1, 0]), np.array([0.9, 0.8, 0.7, 0.5, 0.4, 0.2])
    scores = th.Scores(y, p)
    table = th.Calibrator.fit(scores, method="isotonic")
    assert repr(table) == f"Calibrator(isotonic, {np.unique(np.r_[p[[0]], p[[1, 4]], p[[5]]]).size} knots)"
    with pytest.raises(th.InvalidInputError, match="'isotonic' has no coefficients; it is a table"):
        _ = table.coefficients
    line = th.Calibrator.fit(scores, method="platt")
    assert repr(line) == f"Calibrator(platt, {line.coefficients[0]:.6g}, {line.coefficients[1]:.6g})"
    with pytest.raises(th.exceptions.InvalidTypeError, match=r"`scores` must be numbers; got \['high'\]\."):
        line.predict(["high"])


def test_clip_moves_what_has_no_logit():
    y = np.array([1, 0, 1, 0, 1, 0])
    p = np.array([1.0, 0.8, 0.7, 0.5, 0.4, 0.0])
    moved = th.Calibrator.fit(th.Scores(y, np.clip(p, 0.01, 0.99)), method="logistic").coefficients
    assert np.array_equal(th.Calibrator.fit(th.Scores(y, p), method="logistic", clip=0.01).coefficients, moved)
    with pytest.raises(th.InvalidInputError, match="'platt' needs finite scores"):
        th.Calibrator.fit(th.Scores(y, [math.inf, 3, 2, 1, 0, -1]), method="platt")
