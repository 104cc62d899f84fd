from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import roc_curve

import thresher as th
from support import oracle
from support.strategies import labelled


@given(data=labelled())
def test_points_are_the_table_with_a_start(data):
    curve = th.Scores(*data).roc()
    want = oracle.table(*data)
    assert curve.thresholds[0] == np.inf
    assert curve.thresholds[1:].tolist() == [row[0] for row in want]
    assert curve.tp.tolist() == [0] + [row[1] for row in want]
    assert curve.fp.tolist() == [0] + [row[2] for row in want]
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    assert curve.thresholds.size == curve.fpr.size == curve.tpr.size == len(curve)


@given(data=labelled(values=None))
def test_same_as_scikit_learn(data):
    labels, values = data
    if not np.isfinite(values).all():
        return
    fpr, tpr, thresholds = roc_curve(labels, values, drop_intermediate=False)
    curve = th.Scores(labels, values).roc()
    assert (curve.fpr.tolist(), curve.tpr.tolist()) == (fpr.tolist(), tpr.tolist())
    assert curve.thresholds.tolist() == thresholds.tolist()


@given(data=labelled(max_size=14))
def test_interpolation_at_any_rate(data):
    points = oracle.counts(*data)
    curve = th.Scores(*data).roc()
    n_neg, n_pos = points[-1]
    for k in range(21):
        x = k / 20
        want = float(oracle.roc_height(points, oracle.Fraction(k, 20) * n_neg, top=True) / n_pos)
        assert curve.interpolate(x) == pytest.approx(want, abs=1e-15)
        assert curve.at(fpr=x).tpr == pytest.approx(want, abs=1e-15)


def test_rates_and_points_at_thresholds():
    curve = th.Scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).roc()
    point = curve.at(threshold=0.36)
    assert (point.tp, point.fp, point.fn, point.tn, point.threshold) == (1, 1, 1, 1, 0.36)
    assert (curve.at(threshold=0.4).fp, curve.at(threshold=np.nextafter(0.4, 1)).fp) == (1, 0)
    assert curve.at(threshold=-np.inf).tp == 2
    assert curve.at(threshold=np.inf).tp == 0
    infinite = th.Scores([1, 0], [np.inf, 0.0]).roc()
    assert infinite.at(threshold=np.inf).tp == 1


@given(data=labelled(max_size=7))
def test_at_a_depth_of_the_ranking(data):
    labels, values = (np.asarray(column).tolist() for column in data)
    curve = th.Scores(*data).pr()
    orders = [
        [label for label, _ in order]
        for order in permutations(list(zip(labels, values, strict=True)))
        if all(a[1] >= b[1] for a, b in pairwise(order))
    ]
    for top in range(1, len(labels) + 1):
        point = curve.at(top=top)
        expected = Fraction(sum(sum(order[:top]) for order in orders), len(orders))
        assert point.tp == pytest.approx(float(expected), rel=1e-15)
        assert point.tp + point.fp == pytest.approx(top, rel=1e-15)
        assert point.precision == pytest.approx(float(expected / top), rel=1e-14)
    assert curve.at(top=0).tp == 0
    assert curve.at(top=len(labels)).fn == 0


def test_operating_point_rates():
    point = th.results.OperatingPoint(0.5, tp=30, fp=10, fn=20, tn=140)
    assert (point.recall, point.sensitivity, point.tpr) == (0.6, 0.6, 0.6)
    assert (point.fpr, point.specificity, point.fnr) == (10 / 150, 140 / 150, 0.4)
    assert (point.precision, point.npv().value, point.accuracy) == (0.75, 140 / 160, 170 / 200)
    assert (point.alert_rate, point.prevalence) == (0.2, 0.25)
    assert point.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)
    assert point.f_beta(2) == pytest.approx(5 * 0.75 * 0.6 / (4 * 0.75 + 0.6))
    assert point.mcc == pytest.approx((30 * 140 - 10 * 20) / np.sqrt(40 * 50 * 150 * 160))
    assert point.youden == pytest.approx(0.6 - 10 / 150)
    assert point.balanced_accuracy == pytest.approx((0.6 + 140 / 150) / 2)
    silent = th.results.OperatingPoint(np.inf, tp=0, fp=0, fn=3, tn=3)
    assert np.isnan([silent.precision, silent.mcc]).all()
    with pytest.raises(th.InvalidInputError, match=r"`beta` must be positive and finite; got 0. Hint: 1 gives F1."):
        point.f_beta(0)


def test_from_points_completes_and_keeps_whole_counts():
    curve = th.RocCurve.from_points([0.0, 0.75], [0.5, 1.0], n_pos=20, n_neg=2000)
    assert curve.fp.tolist() == [0, 0, 1500, 2000]
    assert curve.tp.tolist() == [0, 10, 20, 20]
    assert curve.tp.dtype == np.int64
    assert np.isnan(curve.thresholds[1:]).all()
    known = th.RocCurve.from_points([0.0, 0.75], [0.5, 1.0], n_pos=20, n_neg=2000, thresholds=[0.9, 0.2])
    assert known.at(threshold=0.3).tp == 10
    assert known.thresholds.tolist() == [np.inf, 0.9, 0.2, -np.inf]
    fractional = th.RocCurve.from_points([0.1234], [0.777], n_pos=10, n_neg=10)
    assert fractional.tp.tolist() == pytest.approx([0, 7.77, 10])


@given(data=labelled())
def test_from_points_round_trip(data):
    curve = th.Scores(*data).roc()
    again = th.RocCurve.from_points(curve.fpr, curve.tpr, n_pos=curve.n_pos, n_neg=curve.n_neg)
    assert (again.tp.tolist(), again.fp.tolist()) == (curve.tp.tolist(), curve.fp.tolist())
    down = th.RocCurve.from_points(curve.fpr[::-1], curve.tpr[::-1], n_pos=curve.n_pos, n_neg=curve.n_neg)
    assert (down.tp.tolist(), down.fp.tolist()) == (curve.tp.tolist(), curve.fp.tolist())


MESSAGES = {
    "order": (
        lambda: th.RocCurve.from_points([0.2, 0.5], [0.6, 0.5], n_pos=10, n_neg=10),
        "Points must be in order of the threshold, with counts that never fall; got (tp, fp) = (6, 2) followed by "
        "(5, 5). Hint: sort the points by recall, and among equal recalls by falling precision.",
    ),
    "outside": (
        lambda: th.RocCurve.from_points([0.5, 1.2], [0.5, 0.6], n_pos=10, n_neg=10),
        "`fpr` must be in [0, 1]; got 1.2. Hint: it is a fraction, not a percentage.",
    ),
    "lengths": (
        lambda: th.RocCurve.from_points([0.5], [0.5, 0.6], n_pos=10, n_neg=10),
        "`fpr` and `tpr` must have the same length; got 1 and 2. Hint: they are columns of the same rows.",
    ),
    "total": (
        lambda: th.RocCurve.from_points([0.5], [0.5], n_pos=0, n_neg=10),
        "`n_pos` must be positive and finite; got 0.",
    ),
    "two questions": (
        lambda: th.Scores([0, 1], [0, 1]).roc().at(fpr=0.1, tpr=0.2),
        "`at` takes exactly one of `threshold`, `fpr`, `tpr`, `recall` and `top`; got fpr=0.1, tpr=0.2. "
        "Hint: for example `at(fpr=0.1)`.",
    ),
    "no question": (
        lambda: th.Scores([0, 1], [0, 1]).roc().at(),
        "`at` takes exactly one of `threshold`, `fpr`, `tpr`, `recall` and `top`; got none. "
        "Hint: for example `at(fpr=0.1)`.",
    ),
    "too deep": (
        lambda: th.Scores([0, 1], [0, 1]).roc().at(top=3),
        "`top` must be a number of rows from 0 to 2; got 3.",
    ),
    "no depth": (
        lambda: th.Scores([0, 1], [0, 1]).roc().at(top="all"),
        "`top` must be a number of rows from 0 to 2; got 'all' of type str.",
    ),
    "many answers": (
        lambda: th.Scores([0, 1], [0, 1]).roc().at(fpr=[0.1, 0.2]),
        "`fpr` must be one number; got shape (2,). Hint: use `interpolate`.",
    ),
    "NaN threshold": (
        lambda: th.Scores([0, 1], [0, 1]).roc().at(threshold=float("nan")),
        "`threshold` must be a number; got nan. Hint: for example 0.5.",
    ),
    "unknown thresholds": (
        lambda: th.RocCurve.from_points([0.5], [0.5], n_pos=1, n_neg=10).at(threshold=0.5),
        "`threshold` needs a curve with thresholds; this one was made from published points. "
        "Hint: ask by `fpr`, `tpr` or `recall`.",
    ),
}


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case):
    call, message = MESSAGES[case]
    with pytest.raises((th.InvalidInputError, th.InvalidTypeError)) as caught:
        call()
    assert str(caught.value) == message


def test_curves_are_frozen():
    curve = th.Scores([0, 1], [0, 1]).roc()
    with pytest.raises(AttributeError, match="RocCurve is frozen"):
        curve.fpr = None
    with pytest.raises(ValueError, match="read-only"):
        curve.tpr[0] = 1
