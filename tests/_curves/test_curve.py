"""Points of a curve by threshold, rate and depth, by counting; and what equality and refusals are."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from support.strategies import labelled

few = labelled(values=st.integers(0, 8).map(float))


@given(data=few, cut=st.integers(-2, 20).map(lambda i: i / 2))
def test_a_threshold_calls_scores_at_or_above_it(data, cut):
    labels, values = data
    called = [label for label, value in zip(labels, values, strict=True) if value >= cut]
    for curve in (th.Scores(*data).roc(), th.Scores(*data).pr()):
        point = curve.at(threshold=cut)
        assert (point.tp, point.fp) == (sum(called), len(called) - sum(called))
        assert (point.tp + point.fn, point.fp + point.tn) == (sum(labels), len(labels) - sum(labels))
        assert point.mix is None


@given(data=few, part=st.integers(0, 12))
def test_rates_take_the_best_of_the_other(data, part):
    points = oracle.counts(*data)
    n_neg, n_pos = points[-1]
    curve = th.Scores(*data).roc()
    at = curve.at(fpr=part / 12)
    want = oracle.roc_height(points, Fraction(part, 12) * n_neg, top=True)
    assert (at.fp, at.tp) == pytest.approx((part / 12 * n_neg, float(want)), abs=1e-9)
    for name in ("tpr", "recall"):
        at = curve.at(**{name: part / 12})
        want = oracle.fewest_false(points, Fraction(part, 12) * n_pos)
        assert (at.tp, at.fp) == pytest.approx((part / 12 * n_pos, float(want)), abs=1e-9)


@given(data=few, part=st.integers(0, 24))
def test_depth_counts_cases_with_ties_spread_evenly(data, part):
    labels, values = data
    top = part * len(labels) / 24
    left, tp = Fraction(part * len(labels), 24), Fraction(0)
    for cut in sorted(set(values), reverse=True):
        group = [label for label, value in zip(labels, values, strict=True) if value == cut]
        taken = min(left, Fraction(len(group)))
        tp += taken * Fraction(sum(group), len(group))
        left -= taken
    point = th.Scores(*data).roc().at(top=top)
    assert (point.tp, point.tp + point.fp) == pytest.approx((float(tp), top), abs=1e-9)


def test_between_two_points_a_coin():
    point = th.Scores([1, 1, 0, 0], [2, 1, 1, 0]).roc().at(recall=0.75)
    assert point.threshold == 1.0  # the lower one: who is called by either
    assert point.mix == th.Mix(2.0, 1.0, 0.5)
    assert (point.tp, point.fp, point.fn, point.tn) == (1.5, 0.5, 0.5, 1.5)


def test_prevalence_and_skew():
    scores = th.Scores([1, 0, 0, 0, 1, 0], [6, 5, 4, 3, 2, 1])
    own, other = scores.pr(), scores.pr(prevalence=0.1)
    assert (own.prevalence, own.skew) == (pytest.approx(1 / 3), 1.0)
    # A false positive stands for 9 times the odds 2 / 4.
    assert (other.prevalence, other.skew) == (0.1, pytest.approx(9 * 2 / 4))
    assert other.at(threshold=2).precision == pytest.approx(2 / (2 + 4.5 * 3))


def test_equal_curves():
    scores = th.Scores([1, 0, 1], [3, 2, 1])
    assert scores.roc() == th.Scores([1, 0, 1], [3, 2, 1]).roc()
    assert scores.roc() != scores.pr()
    assert scores.roc() != th.Scores([1, 0, 1], [4, 2, 1]).roc()
    assert scores.pr() != scores.pr(prevalence=0.5)
    assert len(scores.roc()) == 4


def test_weights_are_carried_and_counts_are_not():
    rows = ([1, 0, 1, 0], [4, 3, 2, 1])
    assert th.Scores(*rows).roc()._sample is None
    assert th.Scores(*rows, sample_weight=[1.0, 2.0, 0.5, 1.5]).roc()._sample is not None
    assert th.Scores(*rows, groups=[0, 0, 1, 1]).roc()._sample is not None


def test_float32_thresholds_are_plain_numbers():
    point = th.Scores([1, 0], np.array([0.5, 0.25], dtype=np.float32)).roc().at(fpr=0.0)
    assert type(point.threshold) is float


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {},
            "`at` takes exactly one of `threshold`, `fpr`, `tpr`, `recall` and `top`; got none. "
            "Hint: for example `at(fpr=0.1)`.",
        ),
        (
            {"fpr": 0.1, "tpr": 0.2},
            "`at` takes exactly one of `threshold`, `fpr`, `tpr`, `recall` and `top`; got fpr=0.1, tpr=0.2. "
            "Hint: for example `at(fpr=0.1)`.",
        ),
        ({"fpr": [0.1, 0.2]}, "`fpr` must be one number; got shape (2,). Hint: use `interpolate`."),
        ({"top": 5}, "`top` must be a number of rows from 0 to 4; got 5."),
        ({"top": -1}, "`top` must be a number of rows from 0 to 4; got -1."),
        ({"threshold": math.nan}, "`threshold` must be a number; got nan. Hint: for example 0.5."),
        ({"threshold": "a"}, "`threshold` must be a number; got 'a'. Hint: for example 0.5."),
    ],
)
def test_messages(given, message):
    with pytest.raises(th.InvalidInputError) as caught:
        th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).roc().at(**given)
    assert str(caught.value) == message
