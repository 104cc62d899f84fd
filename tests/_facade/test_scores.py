"""What can be asked of scores, on six cases that are worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import thresher as th

# Points (FP, TP): (0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (3, 3).
Y, X = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.3, 0.1]
SCORES = th.Scores(Y, X)


def test_curves():
    roc = SCORES.roc()
    assert (roc.fp.tolist(), roc.tp.tolist()) == ([0, 0, 0, 1, 1, 2, 3], [0, 1, 2, 2, 3, 3, 3])
    assert SCORES.pr().precision.tolist()[1:] == pytest.approx([1, 1, 2 / 3, 3 / 4, 3 / 5, 1 / 2])
    assert SCORES.pr(start="one").precision[0] == 1.0
    other = SCORES.pr(prevalence=0.1).precision[4]  # recall 1 and FPR 1/3
    assert other == pytest.approx(0.1 / (0.1 + 0.9 / 3))


def test_areas():
    assert SCORES.roc_auc().value == pytest.approx(8 / 9)
    assert SCORES.pr_auc(estimator="average_precision").value == pytest.approx((1 + 1 + 3 / 4) / 3)
    # Between two and three true positives one false one: x / (x + 1) in counts.
    assert SCORES.pr_auc().value == pytest.approx((2 + 1 - math.log(4 / 3)) / 3)
    assert SCORES.partial_roc_auc(fpr=(0, 1 / 3)).value == pytest.approx(2 / 9)
    assert SCORES.partial_roc_auc(tpr=(0.5, 1)).value == pytest.approx(0.5 - 1 / 9)
    assert SCORES.measure("gini").value == pytest.approx(7 / 9)
    assert SCORES.measure("pr_auc", recall=(0, 2 / 3)).value == SCORES.pr_auc(recall=(0, 2 / 3)).value


def test_other_views():
    assert SCORES.det().equal_error_rate(curve="roc") == pytest.approx(1 / 3)
    assert SCORES.det().equal_error_rate() == pytest.approx(SCORES.measure("eer").value)
    # Recall 0.9 is reached at the threshold 0.5, which one negative of three exceeds.
    assert SCORES.pr_function([1 / 3, 0.9]).tolist() == pytest.approx([1.0, 0.9 / (0.9 + 1 / 3)])
    assert SCORES.achievable_pr().tp.tolist() == [0, 2, 3, 3]


def test_thresholds():
    assert SCORES.choose_threshold("youden").threshold == 0.8  # 0.5 is as good: the higher one
    assert SCORES.choose_threshold(max_fpr=0).threshold == 0.8
    assert SCORES.choose_threshold(min_recall=1).threshold == 0.5
    cheap = SCORES.choose_threshold(minimize="cost", cost_fp=1, cost_fn=10)
    assert cheap.threshold == 0.5


def test_probabilities():
    assert SCORES.calibration().decomposition().mean == pytest.approx(np.mean((np.array(Y) - np.array(X)) ** 2))
    assert SCORES.decision_curve([0.5]).net_benefit.tolist() == pytest.approx([(3 - 1) / 6])


def test_bands_hold_the_curve():
    band = SCORES.roc_band()
    for x, low, high in zip(band.x, band.low, band.high, strict=True):
        assert low <= SCORES.roc().at(fpr=float(x)).tpr <= high
    assert (SCORES.pr_band().low <= SCORES.pr_band().high).all()


def test_bounds_and_disclosure():
    assert SCORES.roc().rate_error_bound.tpr == 0.0
    hidden = th.Scores(np.tile(Y, 20), np.tile(X, 20)).compress(min_count=30)
    assert (hidden.n_pos, hidden.n_neg) == (60, 60)
    assert all(count == 0 or count >= 30 for count in (*hidden.pos, *hidden.neg))
