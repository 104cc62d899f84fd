from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import det_curve

import thresher as th
from support.strategies import labelled


@given(data=labelled())
def test_det_is_scikit_learns(data):
    labels, values = data
    if not np.isfinite(values).all():
        return
    fpr, fnr, thresholds = det_curve(labels, values)
    curve = th.Scores(labels, values).det()
    got = {(t, x, y) for t, x, y in zip(curve.thresholds.tolist(), curve.fpr.tolist(), curve.fnr.tolist(), strict=True)}
    assert got.issuperset(zip(thresholds.tolist(), fpr.tolist(), fnr.tolist(), strict=True))


@given(data=labelled())
def test_equal_error_rate_is_where_the_curve_meets_the_antidiagonal(data):
    scores = th.Scores(*data)
    rate = scores.det().equal_error_rate(curve="roc")
    heights = scores.roc().tpr
    assert 0 <= rate <= 1
    assert (1 - rate) <= scores.roc().at(fpr=rate).tpr + 1e-12
    assert rate <= 1 - heights[0]


def test_det_deviates():
    fpr, fnr = th.Scores([0, 1, 0, 1], [1, 2, 3, 4]).det().normal_deviates()
    assert fpr[0] == -np.inf
    assert fnr[0] == np.inf
    assert fpr[2] == 0.0


@given(data=labelled())
def test_gain_and_lift(data):
    scores = th.Scores(*data)
    gain, lift, pr = scores.gain(), scores.lift(), scores.pr()
    np.testing.assert_array_equal(gain.recall, pr.recall)
    np.testing.assert_allclose(lift.lift[1:] * scores.prevalence, pr.precision[1:], rtol=1e-14)
    np.testing.assert_allclose(gain.recall[1:], lift.lift[1:] * lift.depth[1:], rtol=1e-13, atol=1e-15)
    assert (gain.depth[0], gain.depth[-1], lift.lift[-1]) == (0, 1, pytest.approx(1))


@given(data=labelled(max_size=30), x=st.floats(0, 1))
def test_cost_curve_is_the_lower_envelope(data, x):
    """Drummond and Holte's lines, one a threshold; the envelope is that of the hull's vertices."""
    scores = th.Scores(*data)
    roc, curve = scores.roc(), scores.cost_curve()
    lines = (1 - roc.tpr) * x + roc.fpr * (1 - x)
    assert float(curve.evaluate(x)) == pytest.approx(lines.min(), abs=1e-12)
    predicted = np.asarray(data[1]) >= curve.best_threshold(x)
    labels = np.asarray(data[0], dtype=bool)
    cost = (1 - predicted[labels].mean()) * x + predicted[~labels].mean() * (1 - x)
    assert cost == pytest.approx(lines.min(), abs=1e-12)
    np.testing.assert_array_equal(curve.thresholds[1:], roc.hull().thresholds[1:])


@given(data=labelled(max_size=20))
def test_pr_gain_by_definition(data):
    scores = th.Scores(*data)
    curve, pr = scores.pr_gain(), scores.pr()
    share = scores.prevalence
    found = pr.tp > 0
    want = (pr.precision[found] - share) / ((1 - share) * pr.precision[found])
    np.testing.assert_allclose(curve.precision_gain, want, atol=1e-12)
    want = (pr.recall[found] - share) / ((1 - share) * pr.recall[found])
    np.testing.assert_allclose(curve.recall_gain, want, atol=1e-12)
    assert (curve.recall_gain[-1], curve.precision_gain[-1]) == (1.0, pytest.approx(0.0, abs=1e-15))
    gains = np.linspace(0, 1, 4001)
    recall = share / (1 - gains * (1 - share))
    precision = pr.interpolate(np.minimum(recall, 1.0))
    heights = (precision - share) / ((1 - share) * precision)
    assert curve.area == pytest.approx(np.trapezoid(heights, gains), abs=2e-2 * max(1, abs(heights).max()))


def test_pr_gain_of_perfect_and_worthless_scores():
    assert th.Scores([1, 1, 0, 0, 0], [5, 4, 3, 2, 1]).pr_gain().area == 1.0
    assert th.Scores.from_counts([0.0], pos=[3], neg=[7]).pr_gain().area == pytest.approx(0.0, abs=1e-15)


@given(data=labelled(max_size=20), recall=st.integers(0, 9240).map(lambda k: k / 9240))
def test_functional_estimator_by_definition(data, recall):
    labels, values = data
    scores = th.Scores(labels, values)
    pos = sorted((v + 0.0 for label, v in zip(labels, values, strict=True) if label), reverse=True)
    neg = [v for label, v in zip(labels, values, strict=True) if not label]
    found = recall * len(pos)
    if abs(found - round(found)) < 1e-9:
        found = float(round(found))
    k = int(found)
    above = len(neg) if k == len(pos) else sum(v > pos[k] for v in neg)
    want = found / (found + above) if found + above else 1.0
    assert float(scores.pr_function(recall)) == pytest.approx(want, rel=1e-9, abs=1e-300)


def test_functional_estimator_lands_on_the_step():
    scores = th.Scores.from_pos_neg(range(100, 0, -1), [71.5])
    assert float(scores.pr_function(0.29)) == 29 / 30
    assert float(scores.pr_function(0.28)) == 1.0
    assert scores.pr_function([0.0, 1.0]).tolist() == [1.0, 100 / 101]
    assert float(th.Scores([0, 1], [2, 1]).pr_function(0.0)) == 0.0
    assert float(scores.pr_function(1.0, prevalence=0.25)) == 0.25


def test_the_small_picture_of_lift_bends_between_points():
    # Of 90 rows with one score any 26 hold 1 / 90 of a positive each: lift at depth 30 / 200 is 4.3 / 30 over 50 / 200.
    curve = th.Scores.from_counts([3.0, 2.0, 1.0], pos=[4, 1, 45], neg=[0, 89, 61]).lift()
    picture = curve._picture()
    exact = (4 + 26 / 90) / 30 * 4
    assert np.interp(0.15, picture.x, picture.y) == pytest.approx(exact, rel=2e-3)
    assert np.interp(0.15, curve.depth, curve.lift) > 2.5 * exact
