"""Points of a curve by threshold, rate and depth, by counting; and what equality and refusals are."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from support.strategies import labelled
from thresher._core.device_ranks import rank_on_device

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
    assert point.mix == th.results.Mix(2.0, 1.0, 0.5)
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
    assert th.Scores(*rows, cluster=[0, 0, 1, 1]).roc()._sample is not None


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


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.5, 1.0, 3.0]])
def test_columns_that_are_made_when_asked_for_are_those_that_were_given(weights):
    scores = th.Scores([0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.4, 0.8], sample_weight=weights)
    for make, kind, rates in (
        (scores.roc, th.RocCurve, ("fpr", "tpr")),
        (scores.pr, th.PrCurve, ("recall", "precision")),
    ):
        lazy = make()
        tp, fp = (np.append(column.dtype.type(0), column) for column in (scores.tp, scores.fp))
        given = kind(np.append(np.inf, scores.thresholds), tp, fp, sample=scores, every_score=True)
        for name in (*rates, "n_pos", "n_neg", "tp", "fp", "thresholds"):
            assert np.array_equal(getattr(make(), name), getattr(given, name))
            assert not isinstance(getattr(lazy, name), np.ndarray) or not getattr(lazy, name).flags.writeable
        assert len(make()) == len(given)
        assert make() == given
        assert pickle.loads(pickle.dumps(make())) == given
        assert repr(make()) == repr(given)


def test_long_rates_are_the_counts_over_their_totals():
    rng = np.random.default_rng(0)
    y = rng.random(300_000) < 0.2
    scores = th.Scores(y, rng.normal(size=y.size).astype(np.float32) + y)
    roc, pr, other = scores.roc(), scores.pr(start="one"), scores.pr(prevalence=0.01)
    assert np.array_equal(roc.fpr, roc.fp / scores.n_neg)
    assert np.array_equal(roc.tpr, roc.tp / scores.n_pos)
    assert np.array_equal(pr.recall, pr.tp / scores.n_pos)
    assert np.array_equal(pr.precision[1:], pr.tp[1:] / (pr.tp + pr.fp)[1:])
    assert pr.precision[0] == 1.0
    assert np.array_equal(other.precision[1:], other.tp[1:] / (other.tp + other.skew * other.fp)[1:])
    assert other.precision[0] == other.precision[1]


@pytest.mark.parametrize("kind", ["roc", "pr"])
def test_a_point_of_a_curve_on_a_device_is_read_there(kind):
    """Only the rows around it come over; what is refused is refused in the same words."""
    rng = np.random.default_rng(0)
    y, s = rng.random(60) < 0.4, rng.normal(size=60).round(1)
    there = object.__new__(th.Scores)
    there.__dict__.update(_device=rank_on_device(s, y), _highest=None)
    here, far = getattr(th.Scores(y, s), kind)(), getattr(there, kind)()
    names = ("threshold", "tp", "fp", "fn", "tn", "mix")
    for asked in ({"threshold": 0.33}, {"threshold": -9.0}, {"fpr": 0.25}, {"recall": 0.7}):
        mine, wanted = far.at(**asked), here.at(**asked)
        assert [getattr(mine, name) for name in names] == [getattr(wanted, name) for name in names]
        assert there._on_device
        assert "_thresholds" not in there.__dict__
    for value in (math.nan, [0.1, 0.2], "high"):
        messages = []
        for curve in (here, far):
            with pytest.raises(th.InvalidInputError, match="`threshold` must be a number") as caught:
                curve.at(threshold=value)
            messages.append(str(caught.value))
        assert messages[0] == messages[1]


@pytest.mark.parametrize("large", [10**15 + 1, 2**53 + 1, 10**16 + 3, 2**60])
def test_no_case_is_lost_among_very_many(large):
    table = th.Scores.from_counts([3, 2, 1], pos=[large, 3, 1], neg=[5, large, 7])
    for curve in (table.roc(), table.pr(), table.roc().hull(), table.achievable_pr()):
        everything, nothing = curve.at(recall=1.0), curve.at(fpr=0.0)
        assert (everything.tp, everything.fn, everything.threshold) == (large + 4, 0, 1)
        assert (curve.at(tpr=1.0).fn, curve.at(fpr=1.0).tn, nothing.fp) == (0, 0, 0)
