"""Population curves by closed forms of the exponential and the uniform distribution, and what a prevalence changes."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.population import Discrete

# P(S > t) = exp(-t / 3) and exp(-t): TPR = FPR^(1/3), FPR = TPR^3.
LEHMANN = th.Population(stats.expon(scale=3), stats.expon(), prevalence=0.2)
X = np.array([[0.0, 0.1], [0.5, 1.0]])


def test_curves_in_closed_form():
    np.testing.assert_allclose(LEHMANN.roc(X), X ** (1 / 3), rtol=1e-12)
    np.testing.assert_allclose(LEHMANN.fpr_at(X), X**3, rtol=1e-12)
    inner = np.array([0.1, 0.5, 1.0])
    np.testing.assert_allclose(LEHMANN.pr(inner), inner / (inner + 4 * inner**3), rtol=1e-12)
    np.testing.assert_allclose(LEHMANN.pr(inner, prevalence=0.5), inner / (inner + inner**3), rtol=1e-12)
    np.testing.assert_allclose(LEHMANN.slope(inner[:2]), 3 * inner[:2] ** 2, rtol=1e-10)
    assert isinstance(LEHMANN.roc(0.5), float)


def test_areas_in_closed_form():
    area = LEHMANN.roc_auc()
    assert area == pytest.approx(3 / 4, rel=1e-13)
    assert LEHMANN.pr_auc() == pytest.approx(math.atan(2) / 2, rel=1e-12)  # the integral of 1 / (1 + 4 x^2)
    assert LEHMANN.pr_auc(prevalence=0.5) == pytest.approx(math.pi / 4, rel=1e-12)
    again = pickle.loads(pickle.dumps(area))
    assert (float(again), again.error, again.value) == (float(area), area.error, float(area))


def test_measures_by_name():
    assert LEHMANN.measure("roc_auc") == pytest.approx(3 / 4)
    assert LEHMANN.measure("recall_at_fpr", fpr=0.125) == pytest.approx(0.5)


def test_points_call_scores_at_the_threshold():
    point = LEHMANN.at(threshold=math.log(8))
    want = (0.2 * 0.5, 0.8 / 8, 0.2 * 0.5, 0.8 * 7 / 8)
    assert (point.tp, point.fp, point.fn, point.tn) == pytest.approx(want)
    atom = th.Population(Discrete([1.0]), stats.uniform(0, 2), prevalence=0.5)
    assert atom.at(threshold=1.0).tp == 0.5
    assert atom.at(threshold=1.0, prevalence=0.1).fp == pytest.approx(0.45)
    for bad in (True, "1", math.nan):
        with pytest.raises(th.InvalidInputError, match="`threshold` must be a number"):
            LEHMANN.at(threshold=bad)


def test_the_curve_at_no_false_positives_begins_at_the_end_of_the_negatives():
    bounded = th.Population(stats.uniform(0.5, 1), stats.uniform(0, 1), prevalence=0.5)
    assert bounded.roc(0.0) == pytest.approx(0.5)
    assert bounded.fpr_at(0.0) == 0.0
    assert bounded.roc(1.0) == 1.0


def test_curves_as_ordinary_objects():
    roc, pr = LEHMANN.curve(n_points=64), LEHMANN.curve("pr", n_points=64)
    assert (type(roc), type(pr)) == (th.RocCurve, th.PrCurve)
    assert (roc.n_pos, roc.n_neg) == pytest.approx((0.2, 0.8))
    inner = np.isfinite(roc.thresholds) & (roc.thresholds > 0)
    np.testing.assert_allclose(roc.fpr[inner], np.exp(-roc.thresholds[inner]), rtol=1e-9)
    without = th.Population(stats.expon(scale=3), stats.expon())
    assert without.curve().n_pos == 0.5
    with pytest.raises(th.InvalidInputError, match="`prevalence` must be given for anything about precision"):
        without.curve("pr")


def test_another_prevalence_and_repr():
    other = LEHMANN.with_prevalence(0.6)
    assert (other.prevalence, other.pos, other.neg) == (0.6, LEHMANN.pos, LEHMANN.neg)
    assert repr(other).endswith(", prevalence=0.6)")
    assert "prevalence" not in repr(th.Population(stats.expon(), stats.expon()))


def test_a_rising_map_of_scores_changes_no_curve():
    image = LEHMANN.transform(np.sqrt, inverse=np.square)
    np.testing.assert_allclose(image.roc(X), LEHMANN.roc(X), rtol=1e-12)
    assert image.prevalence == 0.2


def test_jumps_of_precision():
    steps = th.Population([1.0, 3.0], [2.0, 0.0], prevalence=0.25)
    # Below recall 1/2 only the score 3 is passed; at 1/2 the smallest threshold is 1, which the negative at 2 exceeds.
    (jump,) = steps.pr_jumps()
    low = 0.5 / (0.5 + 3 * 0.5)
    assert jump == pytest.approx((0.5, 1.0, low, low))
    assert LEHMANN.pr_jumps() == ()
