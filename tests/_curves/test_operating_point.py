"""Every rate of a confusion matrix, in fractions and by scikit-learn on the rows themselves."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.strategies import labelled
from thresher._curves import Mix, OperatingPoint

cells = st.tuples(*[st.integers(0, 30)] * 4)


@given(cells=cells, skew=st.sampled_from([Fraction(1), Fraction(1, 7), Fraction(12)]))
def test_rates_in_fractions(cells, skew):
    tp, fp, fn, tn = cells
    point = OperatingPoint(0.5, tp, fp, fn, tn, float(skew))
    heavy_fp, heavy_tn = skew * fp, skew * tn
    every = tp + fn + heavy_fp + heavy_tn
    want = {
        "tpr": (tp, tp + fn),
        "recall": (tp, tp + fn),
        "sensitivity": (tp, tp + fn),
        "fnr": (fn, tp + fn),
        "fpr": (fp, fp + tn),
        "tnr": (tn, fp + tn),
        "specificity": (tn, fp + tn),
        "precision": (tp, tp + heavy_fp),
        "npv": (heavy_tn, heavy_tn + fn),
        "alert_rate": (tp + heavy_fp, every),
        "accuracy": (tp + heavy_tn, every),
        "prevalence": (tp + fn, every),
        "f1": (2 * tp, 2 * tp + fn + heavy_fp),
        "youden": (tp * (fp + tn) - fp * (tp + fn), (tp + fn) * (fp + tn)),
    }
    for name, (part, whole) in want.items():
        found = point.npv().value if name == "npv" else getattr(point, name)
        if whole == 0:
            assert math.isnan(found), name
        else:
            assert found == pytest.approx(float(Fraction(part) / whole), abs=1e-12), name
    if 0 not in (tp + fn, fp + tn):
        assert point.balanced_accuracy == pytest.approx((tp / (tp + fn) + tn / (fp + tn)) / 2)


@given(cells=cells, beta=st.sampled_from([0.5, 1.0, 2.0, 3.5]))
def test_f_beta_and_mcc_against_scikit_learn(cells, beta):
    metrics = pytest.importorskip("sklearn.metrics", reason="compared with scikit-learn")
    tp, fp, fn, tn = cells
    y = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
    called = np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
    point = OperatingPoint(0.5, tp, fp, fn, tn)
    if tp + fp + fn:
        assert point.f_beta(beta) == pytest.approx(metrics.fbeta_score(y, called, beta=beta, zero_division=0))
    if min(tp + fp, fn + tn, tp + fn, fp + tn) > 0:
        assert point.mcc == pytest.approx(metrics.matthews_corrcoef(y, called), abs=1e-12)
    else:
        assert math.isnan(point.mcc)


@pytest.mark.parametrize("beta", [0, -1.0, math.inf, math.nan])
def test_a_beta_is_positive(beta):
    with pytest.raises(th.InvalidInputError, match="`beta` must be positive and finite"):
        OperatingPoint(0.5, 1, 1, 1, 1).f_beta(beta)


def test_a_mix_names_the_stricter_threshold_first():
    assert Mix(3.0, 1.0, 0.25).thresholds == (3.0, 1.0)


RNG = np.random.default_rng(7)
LABELS = RNG.random(311) < 0.4
VALUES = np.round(RNG.normal(LABELS * 1.0, 1.0), 6)


@given(data=labelled())
def test_printed_thresholds_make_the_same_calls(data):
    y, score = data
    curve = th.Scores(y, score).roc()
    for t in curve.thresholds.tolist():
        point = curve.at(threshold=t)
        typed = float(re.match(r"OperatingPoint\(threshold=([^,]+),", repr(point))[1])
        np.testing.assert_array_equal(np.asarray(score) >= typed, np.asarray(score) >= t)


def test_between_two_thresholds_the_threshold_is_a_number():
    """`at(fpr=0.05)` is a mix; alone, its threshold keeps the rate that was asked for."""
    scores = th.Scores(LABELS, VALUES)
    assert scores.roc().at(fpr=0.05).mix is not None
    for rate in (0.05, 0.123, 0.5):
        point = scores.roc().at(fpr=rate)
        assert (VALUES[~LABELS] >= point.threshold).mean() <= rate
        assert (VALUES[LABELS] >= point.threshold).any()
        point = scores.pr().at(recall=rate)
        assert (VALUES[LABELS] >= point.threshold).mean() >= rate
        point = scores.choose_threshold(max_fpr=rate, mix=True)
        assert (VALUES[~LABELS] >= point.threshold).mean() <= rate
        point = scores.choose_threshold(min_recall=rate, mix=True)
        assert (VALUES[LABELS] >= point.threshold).mean() >= rate


@pytest.mark.parametrize("t", [0.36, 0.4, 5, -3.0, 0.123456789])
def test_the_threshold_asked_for_is_kept(t):
    point = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc().at(threshold=t)
    assert point.threshold == t


def test_predict():
    scores = th.Scores(LABELS, VALUES)
    point = scores.choose_threshold(min_recall=0.9)
    calls = point.predict(VALUES)
    assert (int(calls[LABELS].sum()), int(calls[~LABELS].sum())) == (point.tp, point.fp)
    tuned = th.tune(scores, min_recall=0.9)
    np.testing.assert_array_equal(tuned.predict(VALUES), calls)


def test_predict_plays_the_coin():
    point = th.Scores(LABELS, VALUES).choose_threshold(max_fpr=0.123, mix=True)
    rng = np.random.default_rng(0)
    calls = np.array([point.predict(VALUES, rng=rng) for _ in range(2000)])
    false = calls[:, ~LABELS].mean(axis=1)
    assert abs(false.mean() - 0.123) < 4 * false.std() / np.sqrt(2000)
    np.testing.assert_array_equal(point.predict(VALUES, rng=3), point.predict(VALUES, rng=3))


def test_predict_refuses_what_has_no_rows():
    scores = th.Scores(LABELS, VALUES)
    with pytest.raises(th.InvalidTypeError, match="must be the scores of rows"):
        scores.choose_threshold().predict(scores)
    published = th.RocCurve.from_points([0.1], [0.8], n_pos=10, n_neg=10)
    with pytest.raises(th.InvalidInputError, match="needs a threshold"):
        published.at(fpr=0.1).predict(VALUES)


@pytest.mark.parametrize("share", [0.9, 0.99, 0.999, 0.8, 0.7, 2 / 3])
def test_limits_tolerate_rounding_as_curves_do(share):
    """1 - 0.9 is a little less than 0.1; of thousand negatives a hundred may be called nevertheless."""
    scores = th.Scores.from_pos_neg(np.arange(3000) + 0.5, np.arange(3000))
    limit = 1 - share
    found = scores.choose_threshold(max_fpr=limit)
    assert found.fp == scores.roc().at(fpr=limit).fp == round(3000 * limit)
    assert scores.choose_threshold(min_specificity=share) == found


def test_precision_at_another_prevalence_is_printed_with_it():
    scores = th.Scores([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
    assert "prevalence" not in repr(scores.pr().at(threshold=3))
    assert repr(scores.pr(prevalence=0.01).at(threshold=3)).endswith("precision=0.03 at prevalence 0.01)")
