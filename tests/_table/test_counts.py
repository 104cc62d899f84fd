"""Tables made from rows: what is refused with weights and without."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.rows_of_all_kinds import outcome, unusual_rows, usual_rows
from support.strategies import labelled
from thresher._core import native


@pytest.mark.parametrize("weight", [None, [1, 1, 1, 1], [0.5, 1.0, 2.0, 1.0]])
def test_nan_is_refused_with_weights_and_without(weight):
    with pytest.raises(th.InvalidInputError, match="NaN"):
        th.Scores([0, 1, 0, 1], [0.1, float("nan"), 0.3, 0.4], sample_weight=weight)


@given(data=labelled(values=st.integers(0, 9).map(float)), seed=st.integers(0, 1000))
def test_whole_weights_against_a_counter(data, seed):
    labels, values = data
    weight = np.random.default_rng(seed).integers(1, 5, len(labels)).tolist()
    want = {1: Counter(), 0: Counter()}
    for label, value, times in zip(labels, values, weight, strict=True):
        want[int(label)][value] += times
    found = th.Scores(labels, values, sample_weight=weight)
    at = sorted(set(values), reverse=True)
    assert found.thresholds.tolist() == at
    assert found.pos.tolist() == [want[1][value] for value in at]
    assert found.neg.tolist() == [want[0][value] for value in at]
    assert found.tp.tolist() == [sum(want[1][v] for v in at if v >= value) for value in at]
    assert found.fp.tolist() == [sum(want[0][v] for v in at if v >= value) for value in at]
    assert found.prevalence == sum(want[1].values()) / sum(weight)


def test_rows_of_no_weight_leave_no_score():
    found = th.Scores([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[1, 0, 2, 1])
    assert found.thresholds.tolist() == [4, 2, 1]
    assert (found.n_pos, found.n_neg) == (3, 1)


def test_squares_of_nothing_are_nothing():
    found = th.Scores.from_counts(
        [3, 2, 1], [1.5, 0.0, 2.0], [0.0, 3.0, 1.0], pos_squares=[2.25, 0, 2], neg_squares=[0, 5, 1]
    )
    assert found._pos_squares.tolist() == [2.25, 0.0, 2.0]
    assert found._neg_squares.tolist() == [0.0, 5.0, 1.0]
    for squares in ([2.25, 0.1, 2], [0, 0, 2], [2.26, 0, 2]):
        with pytest.raises(th.InvalidInputError, match="`pos_squares` must be above 0 where `pos` is, and at most its"):
            th.Scores.from_counts(
                [3, 2, 1], [1.5, 0.0, 2.0], [0.0, 3.0, 1.0], pos_squares=squares, neg_squares=[0, 5, 1]
            )


def test_rows_of_an_arrow_table_may_repeat_and_stand_in_any_order():
    pa = pytest.importorskip("pyarrow")
    jumbled = pa.table({"score": [1.0, 3.0, 2.0, 3.0], "pos": [1, 2, 0, 1], "neg": [4, 0, 2, 1]})
    found = th.Scores.from_arrow(jumbled)
    assert found.thresholds.tolist() == [3.0, 2.0, 1.0]
    assert (found.pos.tolist(), found.neg.tolist()) == ([3, 0, 1], [1, 2, 4])
    ordered = pa.table({"score": [3.0, 2.0, 1.0], "pos": [3, 0, 1], "neg": [1, 2, 4]})
    assert th.Scores.from_arrow(ordered) == found


def test_a_smaller_table_with_exact_sums_comes_back_from_arrow():
    """Counts at the points kept are those of the rows at or above them, of each class its own."""
    pytest.importorskip("pyarrow")
    y, s = np.tile([True, False, False], 40), np.arange(120.0)[::-1]
    found = th.Scores.from_arrow(th.scan(iter([(y, s)]), max_points=30).to_arrow())
    assert found._figures is not None
    assert found.tp.tolist() == [y[s >= cut].sum() for cut in found.thresholds]
    assert found.fp.tolist() == [(~y)[s >= cut].sum() for cut in found.thresholds]


@pytest.mark.parametrize("kind", ["weight", "frequency"])
def test_two_samples_with_weights_are_rows_with_weights(kind):
    pos, neg, w_pos, w_neg = [3.0, 2.0], [2.0, 1.0, 0.0], [2, 5], [1, 3, 4]
    rows = [1, 1, 0, 0, 0], [*pos, *neg]
    name = {"weight": "sample_weight", "frequency": "frequency"}[kind]
    both = th.Scores.from_pos_neg(pos, neg, **{f"pos_{kind}": w_pos, f"neg_{kind}": w_neg})
    assert both == th.Scores(*rows, **{name: [*w_pos, *w_neg]})
    # A side without any has 1 for each.
    assert th.Scores.from_pos_neg(pos, neg, **{f"neg_{kind}": w_neg}) == th.Scores(*rows, **{name: [1, 1, *w_neg]})
    assert th.Scores.from_pos_neg(pos, neg) == th.Scores(*rows)


def test_certain_labels_leave_nothing_in_the_other_class():
    assert th.Scores.from_soft_labels([1.0, 0.0, 1.0, 0.0], [4, 3, 2, 1]) == th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
    mixed = th.Scores.from_soft_labels([1.0, 0.0, 0.25, 1e-80], [4, 3, 2, 1], sample_weight=[2, 3, 4, 5])
    assert (mixed.pos.tolist(), mixed.neg.tolist()) == ([2, 0, 1, 0], [0, 3, 3, 5])
    assert mixed._pos_squares.tolist() == [4, 0, 1, 0]
    assert mixed._neg_squares.tolist() == [0, 9, 9, 25]
    assert mixed._weight_squares.both.tolist() == [0, 0, 3, 0]
    assert mixed._weight_squares.rows == (2, 3)


def columns(scores):
    return [
        (column.dtype, column.tolist(), column.flags.writeable)
        for column in (scores.thresholds, scores.pos, scores.neg)
    ]


def test_the_short_way_counts_as_the_long_one(monkeypatch):
    cases = [*usual_rows(), *unusual_rows().values()]

    def count(y, s, **options):
        scores = th.Scores(y, s, **options)
        return columns(scores), scores._twice_u, scores.n_pos, scores.n_neg

    calls = [lambda y=y, s=s, o=o: count(y, s, **o) for y, s in cases for o in ({}, {"pos_label": 1})]
    short = [outcome(call) for call in calls]
    monkeypatch.setattr(native, "plain_table", lambda *_: None)
    assert short == [outcome(call) for call in calls]
