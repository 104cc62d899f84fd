from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_curve

import thresher as th
from support import golden, oracle
from support.strategies import labelled


@given(data=labelled())
def test_same_as_scikit_learn_with_start_one(data):
    labels, values = data
    if not np.isfinite(values).all():
        return
    precision, recall, thresholds = precision_recall_curve(labels, values)
    curve = th.Scores(labels, values).pr(start="one")
    assert curve.precision.tolist() == precision[::-1].tolist()
    assert curve.recall.tolist() == recall[::-1].tolist()
    assert curve.thresholds[1:].tolist() == thresholds[::-1].tolist()


def test_start_is_the_first_groups_precision():
    assert th.Scores([1, 0, 0], [2, 2, 1]).pr().precision[0] == 0.5
    assert th.Scores([0, 1], [2, 1]).pr().precision[0] == 0.0
    assert th.Scores([0, 1], [2, 1]).pr(start="one").precision[0] == 1.0
    with pytest.raises(th.InvalidInputError, match=r"`start` must be one of 'group', 'one'; got 'zero'."):
        th.Scores([0, 1], [2, 1]).pr(start="zero")


def test_points_without_true_positives_are_kept():
    curve = th.Scores([0, 0, 1, 0], [4, 3, 2, 1]).pr()
    assert curve.recall.tolist() == [0, 0, 0, 1, 1]
    assert curve.precision.tolist() == [0, 0, 0, 1 / 3, 0.25]
    assert curve.to_roc().fp.tolist() == [0, 1, 2, 2, 3]


@given(data=labelled())
def test_theorem_3_1_both_ways(data):
    roc = th.Scores(*data).roc()
    there = roc.to_pr()
    back = there.to_roc()
    assert (back.tp.tolist(), back.fp.tolist()) == (roc.tp.tolist(), roc.fp.tolist())
    np.testing.assert_array_equal(back.thresholds, roc.thresholds)
    np.testing.assert_array_equal(there.precision, th.Scores(*data).pr().precision)


@given(data=labelled())
def test_published_points_round_trip_where_recall_is_not_zero(data):
    """Theorem 3.1 by numbers alone: precision and recall give back every count, except at recall 0."""
    curve = th.Scores(*data).pr()
    again = th.PrCurve.from_points(curve.recall, curve.precision, n_pos=curve.n_pos, n_neg=curve.n_neg)
    found = curve.tp > 0
    want = list(zip(curve.tp[found].tolist(), curve.fp[found].tolist(), strict=True))
    got = list(zip(again.tp.tolist(), again.fp.tolist(), strict=True))
    assert [pair for pair in got if pair[0] > 0] == want
    leads = bool(curve.fp[~found].max() > 0)
    if leads:
        assert again.precision[0] == 0.0


@given(data=labelled(max_size=14), start=st.sampled_from(["group", "one"]))
def test_interpolation_at_any_recall(data, start):
    points = oracle.counts(*data)
    curve = th.Scores(*data).pr(start=start)
    n_pos = points[-1][1]
    for k in range(1, 21):
        tp = oracle.Fraction(k, 20) * n_pos
        want = float(tp / (tp + oracle.fewest_false(points, tp)))
        assert float(curve.interpolate(k / 20)) == pytest.approx(want, rel=1e-14)
        assert curve.at(recall=k / 20).precision == pytest.approx(want, rel=1e-14)
    assert curve.interpolate(0.0) == curve.precision[0]


@given(data=labelled(max_size=14))
def test_step_interpolation_integrates_to_average_precision(data):
    scores = th.Scores(*data)
    curve = scores.pr()
    middles = (np.arange(scores.n_pos) + 0.5) / scores.n_pos
    mean = float(np.mean(curve.interpolate(middles, method="step")))
    assert mean == pytest.approx(scores.pr_auc(estimator="average_precision").value, rel=1e-14)


def test_table_1_of_the_2006_paper():
    want = [0.500, 0.375, 0.318, 0.286, 0.265, 0.250]
    recall = [0.25, 0.30, 0.35, 0.40, 0.45, 0.50]
    given_points = th.PrCurve.from_points([0.25, 0.5], [0.5, 0.25], n_pos=20, n_neg=2000)
    assert given_points.interpolate(recall).round(3).tolist() == want
    counted = golden.scores("dg_table1", "score").pr()
    assert counted.interpolate(recall).round(3).tolist() == want
    assert [counted.at(recall=r).fp for r in recall] == pytest.approx([5, 10, 15, 20, 25, 30], rel=1e-14)


def test_figure_6_of_the_2006_paper():
    """Recall 0.02 at precision 1, 433 positives: the paper prints 0.031; the integral is 0.02866, linear 0.514."""
    curve = th.PrCurve.from_points([0.02], [1.0], n_pos=433, n_neg=56164)
    recall = np.linspace(0, 1, 200_001)
    by_hand = np.trapezoid(curve.interpolate(recall), recall)
    assert by_hand == pytest.approx(0.02866, abs=5e-6)


def test_figure_7_of_the_2006_paper():
    """AUC-ROC prefers curve II, AUC-PR curve I: optimising one does not optimise the other."""
    first = golden.scores("dg_fig7_curve1", "score")
    second = golden.scores("dg_fig7_curve2", "score")
    assert (first.roc_auc().value, second.roc_auc().value) == (0.8125, 0.875)
    assert round(first.pr_auc().value, 5) == 0.51984
    assert second.pr_auc().value == pytest.approx(1 / 26, rel=1e-15)
    assert th.dominates(first, second).verdict == "neither"


def test_published_points_in_falling_order():
    curve = th.PrCurve.from_points([1.0, 0.5, 0.0], [0.25, 0.5, 1.0], n_pos=4, n_neg=12)
    assert (curve.tp.tolist(), curve.fp.tolist()) == ([0, 2, 4], [0, 2, 12])


def test_recall_zero_with_precision_zero_puts_false_positives_first():
    curve = th.PrCurve.from_points([0.0, 0.5, 1.0], [0.0, 0.5, 0.5], n_pos=2, n_neg=2)
    assert (curve.tp.tolist(), curve.fp.tolist()) == ([0, 0, 1, 2], [0, 1, 1, 2])
    assert curve.precision[0] == 0.0


MESSAGES = {
    "recall that is missing": (
        lambda: th.PrCurve.from_points([0.2, np.nan], [0.5, 0.5], n_pos=10, n_neg=100),
        "`recall` must not contain NaN; got NaN in 1 of 2 rows, first at row 1. Hint: leave those points out.",
    ),
    "threshold that is missing": (
        lambda: th.PrCurve.from_points([0.2, 0.4], [0.5, 0.5], n_pos=10, n_neg=100, thresholds=[2, np.nan]),
        "`thresholds` must not contain NaN; got NaN in 1 of 2 rows, first at row 1. "
        "Hint: leave out those points, or `thresholds` altogether.",
    ),
    "prevalence a little above one": (
        lambda: th.Scores([0, 1], [0, 1]).pr(prevalence=1.1),
        "`prevalence` must be in (0, 1); got 1.1. Hint: it is the rate of positives.",
    ),
    "too many false positives": (
        lambda: th.PrCurve.from_points([0.5], [0.01], n_pos=10, n_neg=100),
        "No confusion matrix has recall 0.5 with precision 0.01 (row 0): it needs 495 false positives of 100 "
        "negatives. Hint: check `n_pos` and `n_neg`; see `pr_lower_bound` for the lowest precision possible.",
    ),
    "precision zero": (
        lambda: th.PrCurve.from_points([0.2, 0.5], [0.5, 0.0], n_pos=10, n_neg=100),
        "`precision` must be above 0 where recall is; got precision 0 at recall 0.5 (row 1). "
        "Hint: a found positive makes precision positive.",
    ),
    "order": (
        lambda: th.PrCurve.from_points([0.2, 0.1, 0.5], [0.5, 0.5, 0.5], n_pos=10, n_neg=100),
        "Points must be in order of the threshold, with counts that never fall; got (tp, fp) = (2, 2) followed by "
        "(1, 1). Hint: sort the points by recall, and among equal recalls by falling precision.",
    ),
    "only recall zero": (
        lambda: th.PrCurve.from_points([0.0], [1.0], n_pos=10, n_neg=100),
        "`recall` must have a value above 0; got only points at recall 0.",
    ),
    "recall outside": (
        lambda: th.Scores([0, 1], [0, 1]).pr().interpolate([0.5, -0.1]),
        "`recall` must be in [0, 1]; got -0.1. Hint: it is a fraction, not a percentage.",
    ),
    "recall above one": (
        lambda: th.Scores([0, 1], [0, 1]).pr().at(recall=90),
        "`recall` must be in [0, 1]; got 90.0. Hint: it is a fraction, not a percentage.",
    ),
    "prevalence zero": (
        lambda: th.Scores([0, 1], [0, 1]).pr(prevalence=0),
        "`prevalence` must be in (0, 1); got 0. Hint: it is the rate of positives.",
    ),
    "prevalence percentage": (
        lambda: th.Scores([0, 1], [0, 1]).pr_auc(prevalence=5),
        "`prevalence` must be in (0, 1); got 5. Hint: pass 0.05, not a percentage.",
    ),
    "estimator": (
        lambda: th.Scores([0, 1], [0, 1]).pr_auc(estimator="auc"),
        "`estimator` must be one of 'interpolated', 'average_precision', 'unit_steps', 'trapezoid', 'functional', "
        "'achievable'; got 'auc'.",
    ),
    "method": (
        lambda: th.Scores([0, 1], [0, 1]).pr().interpolate(0.5, method="linear"),
        "`method` must be one of 'davis-goadrich', 'step'; got 'linear'.",
    ),
    "unit steps with weights": (
        lambda: th.Scores([0, 1], [0, 1], sample_weight=[0.5, 1.0]).pr_auc(estimator="unit_steps"),
        "`estimator='unit_steps'` must have whole counts and the whole range of recall; got weights. "
        "Hint: 'interpolated', which is 'pr_auc', is its exact limit.",
    ),
    "neither range": (
        lambda: th.Scores([0, 1], [0, 1]).partial_roc_auc(),
        "`partial_roc_auc` takes exactly one of `fpr` and `tpr`; got neither. Hint: for example `fpr=(0, 0.1)`.",
    ),
    "range reversed": (
        lambda: th.Scores([0, 1], [0, 1]).partial_roc_auc(fpr=(0.2, 0.1)),
        "`fpr` must be a pair with 0 <= low < high <= 1; got (0.2, 0.1). Hint: give fractions, lowest first.",
    ),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case):
    call, message = MESSAGES[case]
    with pytest.raises(th.InvalidInputError) as caught:
        call()
    assert str(caught.value) == message


def test_lower_bound():
    recall = np.linspace(0, 1, 11)
    worst = th.Scores([0] * 90 + [1] * 10, range(100, 0, -1))
    np.testing.assert_allclose(worst.pr().interpolate(recall[1:]), th.pr_lower_bound(recall[1:], 0.1), rtol=1e-14)
    assert worst.pr_auc().value == pytest.approx(th.min_pr_auc(0.1), rel=1e-14)


@given(share=st.floats(1e-100, 0.999999))
def test_min_pr_auc_in_high_precision(share):
    with oracle.mp.workdps(400):
        p = oracle.mpf(share)
        want = float(1 + (1 - p) * oracle.mp.log(1 - p) / p)
    assert th.min_pr_auc(share) == pytest.approx(want, rel=1e-15)


@given(data=labelled(), start=st.sampled_from(["group", "one"]))
def test_precision_where_nothing_is_called_is_the_curves_own(data, start):
    curve = th.Scores(*data).pr(start=start)
    nothing = curve.at(recall=0) if curve.tp[1] > 0 else curve.at(threshold=math.inf)
    if nothing.tp + nothing.fp == 0:
        assert nothing.precision == curve.precision[0]
