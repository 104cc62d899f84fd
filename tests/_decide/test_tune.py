from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import golden
from support import oracle as oracles
from support.strategies import labelled
from thresher._decide import tune
from thresher._decide.tune import _contains
from thresher._table import Counts


def halves(dataset="binormal_n2000_p10"):
    data = golden.columns(dataset)
    label, score = data["label"], data[golden.golden()[dataset]["columns"][0]]
    return th.Scores(label[::2], score[::2]), th.Scores(label[1::2], score[1::2]), (label[1::2], score[1::2])


@given(data=labelled(values=st.integers(0, 30).map(float)))
def test_candidates_are_the_papers(data):
    # class(i) != class(i + 1) and score(i) < score(i + 1), over every order of tied rows.
    labels, values = data
    want = {
        high
        for a, high in zip(labels, values, strict=True)
        for b, low in zip(labels, values, strict=True)
        if a != b and low < high and not any(low < v < high for v in values)
    }
    assert tune(th.Scores(labels, values)).candidates.tolist() == sorted(want, reverse=True)


@given(data=labelled(values=st.integers(0, 30).map(float)))
def test_hull_thresholds_are_candidates(data):
    tuned = tune(th.Scores(*data))
    assert set(tuned.hull.thresholds[1:-1].tolist()) <= set(tuned.candidates.tolist())


def test_test_curve_is_counted_at_tuned_thresholds():
    tuning, test, (label, score) = halves()
    tuned = tune(tuning, min_recall=0.8)
    result = tuned.evaluate(test)
    assert result.roc.thresholds[0] == math.inf
    assert result.roc.thresholds[-1] == -math.inf
    assert result.roc.thresholds[1:-1].tolist() == tuned.hull.thresholds[1:].tolist()
    for threshold, tp, fp in zip(result.roc.thresholds, result.roc.tp, result.roc.fp, strict=True):
        called = label[score >= threshold]
        assert (tp, fp) == (called.sum(), (1 - called).sum())
    assert not result.optimistic
    called = label[score >= tuned.point.threshold]
    assert (result.point.tp, result.point.fp) == (called.sum(), (1 - called).sum())
    points = list(zip(result.roc.fp.tolist(), result.roc.tp.tolist(), strict=True))
    assert result.pr_auc().value == pytest.approx(float(oracles.pr_integral(points)), rel=1e-13)
    assert result.roc_auc().value == pytest.approx(np.trapezoid(result.roc.tpr, result.roc.fpr), rel=1e-13)


def test_coin_is_replayed_on_test_data():
    tuning, test, (label, score) = halves()
    tuned = tune(tuning, min_recall=0.777, mix=True)
    mix = tuned.point.mix
    assert mix is not None
    assert tuned.point.recall == pytest.approx(0.777)
    point = tuned.evaluate(test).point
    high, low = (label[score >= t].sum() for t in mix.thresholds)
    assert point.tp == pytest.approx((1 - mix.probability) * high + mix.probability * low)


def test_a_test_curve_refuses_a_hull():
    tuning, test, _ = halves()
    with pytest.raises(th.InvalidInputError) as caught:
        tune(tuning).evaluate(test).roc.hull()
    assert str(caught.value) == (
        "A hull must be built on tuning data; this curve was drawn on test data. "
        "Hint: its thresholds are a hull's already; use `Tuned.hull` for the hull itself."
    )


def test_the_tuning_data_are_refused_as_test_data():
    tuning, _, _ = halves()
    with pytest.raises(th.InvalidInputError) as caught:
        tune(tuning).evaluate(tuning)
    assert str(caught.value) == (
        "`test_scores` must not be the data that built the hull; got the tuning data themselves. "
        "Hint: keep some rows apart, or pass `allow_same_data=True` for an optimistic answer."
    )
    result = tune(tuning).evaluate(tuning, allow_same_data=True)
    assert result.optimistic
    assert "(optimistic)" in repr(result)
    assert result.roc_auc().value > tuning.roc_auc().value


def test_shared_rows_are_flagged():
    tuning, test, _ = halves()
    with pytest.warns(th.ThresherWarning, match="seem to share rows"):
        assert tune(tuning).evaluate(tuning + test).optimistic
    with pytest.warns(th.ThresherWarning, match="seem to share rows"):
        assert tune(tuning + test).evaluate(test).optimistic


def test_few_distinct_scores_are_no_evidence_of_shared_rows():
    tuning = th.Scores.from_counts([3, 2, 1], pos=[5, 3, 1], neg=[1, 3, 5])
    test = th.Scores.from_counts([3, 2, 1], pos=[6, 3, 1], neg=[1, 4, 7])
    assert not tune(tuning).evaluate(test).optimistic


def test_ten_distinct_scores_are_evidence_of_shared_rows():
    for distinct in (9, 10):
        tuning = th.Scores.from_counts(range(distinct), pos=[1] * distinct, neg=[2] * distinct)
        test = th.Scores.from_counts(range(distinct), pos=[2] * distinct, neg=[2] * distinct)
        assert _contains(test, tuning) == (distinct == 10)
        assert not _contains(tuning, test)


def test_prevalence_is_carried_over():
    tuning, test, _ = halves()
    result = tune(tuning, min_recall=0.5, prevalence=0.01).evaluate(test)
    assert result.point.precision == pytest.approx(
        0.01 * result.point.tpr / (0.01 * result.point.tpr + 0.99 * result.point.fpr)
    )
    assert result.pr.prevalence == 0.01


def test_hull_on_test_data_is_optimistic_on_average():
    # The reason for the protocol: over many draws, a hull's area on its own data exceeds that on fresh data.
    rng = np.random.default_rng(7)
    gaps = []
    for _ in range(60):
        sets = []
        for _ in range(2):
            y = np.arange(120) < 40
            sets.append(th.Scores(y, rng.normal(size=120) + y))
        tuned = tune(sets[0])
        own = tuned.evaluate(sets[0], allow_same_data=True).roc_auc().value
        gaps.append(own - tuned.evaluate(sets[1]).roc_auc().value)
    assert np.mean(gaps) > 3 * np.std(gaps) / math.sqrt(len(gaps))


def test_wrong_type_is_named():
    with pytest.raises(th.InvalidTypeError) as caught:
        tune([1, 2])
    assert str(caught.value) == (
        "`tuning_scores` must be a Scores; got list. Hint: build one with `th.Scores(y_true, y_score)`."
    )


@pytest.mark.parametrize(
    ("pos", "neg", "at", "shared"),
    [
        (0, 0, 0, True),
        (1, 0, 0, True),
        (0, 1, 0, True),
        (-1, 0, 0, False),  # one positive less at one score: not the same rows
        (0, -1, 0, False),
        (0, 0, 1, False),  # one score moved
    ],
)
def test_rows_are_shared_when_every_score_occurs_as_often_with_its_labels(pos, neg, at, shared):
    thresholds = np.arange(20.0)
    part = Counts.from_counts(thresholds, pos=np.full(20, 2), neg=np.full(20, 3))
    for place in (0, 7, 19):
        more_pos, more_neg, moved = np.full(22, 2), np.full(22, 3), np.append(thresholds, [-5.5, 40.25])
        more_pos[place] += pos
        more_neg[place] += neg
        moved[place] += at / 2
        assert _contains(Counts.from_counts(moved, pos=more_pos, neg=more_neg), part) is shared


def test_scores_beyond_those_of_the_other_data_are_not_shared():
    inner = Counts.from_counts(np.arange(20.0), pos=[1] * 20, neg=[1] * 20)
    for beyond in (-1.0, 20.0):
        outer = Counts.from_counts(np.append(np.arange(20.0), beyond), pos=[1] * 21, neg=[1] * 21)
        assert _contains(outer, inner)
        assert not _contains(inner, outer)
