"""Sampling weights in the table: what is kept of them, and how it adds up."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.thorough import at_least
from support.weights import datasets, expected, rows


@pytest.mark.parametrize("name", [name for name in datasets() if "table" in expected(name)])
def test_columns_are_those_of_the_reference(name):
    scores = rows(name).scores()
    table = {key: np.array([float(value) for value in column]) for key, column in expected(name)["table"].items()}
    assert np.array_equal(scores.thresholds, table["threshold"])
    assert scores.pos == pytest.approx(table["W_pos"], rel=1e-15)
    assert scores.neg == pytest.approx(table["W_neg"], rel=1e-15)
    squares = (scores.pos, scores.neg) if scores._weight_squares is None else (scores._pos_squares, scores._neg_squares)
    assert squares[0] == pytest.approx(table["Q_pos"], rel=1e-14)
    assert squares[1] == pytest.approx(table["Q_neg"], rel=1e-14)
    sums = expected(name)["sums"]
    assert (scores._rows_pos, scores._rows_neg) == (sums["pos"]["rows"], sums["neg"]["rows"])
    assert scores.effective_pos == pytest.approx(float(sums["pos"]["nu"]), rel=1e-13)
    assert scores.effective_neg == pytest.approx(float(sums["neg"]["nu"]), rel=1e-13)


def test_weights_of_one_are_no_weights():
    plain = th.Scores([0, 1, 1, 0], [1, 2, 3, 3])
    for ones in (np.ones(4), np.ones(4, dtype=int)):
        assert th.Scores([0, 1, 1, 0], [1, 2, 3, 3], sample_weight=ones) == plain
    assert plain._pos_squares is None
    assert plain._neg_squares is None
    assert (plain._rows_pos, plain._rows_neg, plain.effective_pos) == (2, 2, 2.0)
    doubled = th.Scores([0, 1, 1, 0], [1, 2, 3, 3], sample_weight=np.full(4, 2.0))
    assert doubled._pos_squares.tolist() == [4.0, 4.0, 0.0]
    assert (doubled._rows_pos, doubled.effective_pos) == (2, 2.0)


@at_least(25)
@given(data=st.data())
def test_frequency_times_weight(data):
    size = data.draw(st.integers(2, 12))
    label = data.draw(st.permutations([0, 1, *data.draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))]))
    n = len(label)
    score = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    weight = np.array(data.draw(st.lists(st.sampled_from([0.25, 0.5, 1.0, 3.0]), min_size=n, max_size=n)))
    times = np.array(data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)))
    both = th.Scores(label, score, sample_weight=weight, frequency=times)
    repeated = th.Scores(np.repeat(label, times), np.repeat(score, times), sample_weight=np.repeat(weight, times))
    assert both == repeated
    assert (both._rows_pos, both._rows_neg) == (repeated._rows_pos, repeated._rows_neg)
    counted = th.Scores(label, score, frequency=times)
    assert counted == th.Scores(np.repeat(label, times), np.repeat(score, times))
    assert counted._weight_squares is None


def test_sums_of_tables_add_squares():
    rng = np.random.default_rng(3)
    y, s, w = rng.random(60) < 0.4, rng.integers(0, 9, 60), rng.uniform(0.5, 2.0, 60)
    whole = th.Scores(y, s, sample_weight=w)
    parts = [th.Scores(y[i::3], s[i::3], sample_weight=w[i::3]) for i in range(3)]
    total = sum(parts)
    assert total._pos_squares == pytest.approx(whole._pos_squares, rel=1e-14)
    assert total._neg_squares == pytest.approx(whole._neg_squares, rel=1e-14)
    assert (total._rows_pos, total._rows_neg) == (whole._rows_pos, whole._rows_neg)
    assert total._weight_squares.spans == whole._weight_squares.spans
    # A part without weights has rows of weight 1.
    mixed = parts[0] + th.Scores(y[1::3], s[1::3])
    told = th.Scores(
        np.concatenate((y[::3], y[1::3])),
        np.concatenate((s[::3], s[1::3])),
        sample_weight=np.concatenate((w[::3], np.ones(20))),
    )
    assert mixed._pos_squares == pytest.approx(told._pos_squares, rel=1e-14)
    assert mixed._rows_pos == told._rows_pos


@pytest.mark.parametrize("kind", ["weights", "soft", "counts"])
def test_files_pickles_and_smaller_tables_keep_squares(tmp_path, kind):
    rng = np.random.default_rng(5)
    y, s, w = rng.random(200) < 0.3, rng.normal(size=200).round(1), rng.uniform(0.5, 2.0, 200)
    scores = {
        "weights": lambda: th.Scores(y, s, sample_weight=w),
        "soft": lambda: th.Scores.from_soft_labels(rng.random(200), s, sample_weight=w),
        "counts": lambda: th.Scores.from_counts([2, 1], [3.5, 1.0], [1.0, 2.5], pos_squares=[7, 1], neg_squares=[1, 4]),
    }[kind]()
    path = tmp_path / "a.scores"
    scores.save(path)
    loaded = th.Scores.load(path)
    assert loaded == scores
    assert loaded._weight_squares.rows == scores._weight_squares.rows
    assert loaded._weight_squares.spans == scores._weight_squares.spans
    assert pickle.loads(pickle.dumps(scores)) == scores
    if kind != "counts":
        small = scores.compress(30)
        assert small._pos_squares.sum() == pytest.approx(scores._pos_squares.sum(), rel=1e-14)
        assert small._weight_squares.rows == scores._weight_squares.rows


def test_class_constant_weights_have_a_plain_table():
    y, s = [0, 1, 1, 0, 0], [1, 2, 3, 3, 2]
    balanced = th.Scores(y, s, sample_weight=[1 / 3, 1 / 2, 1 / 2, 1 / 3, 1 / 3])
    assert balanced._plain == th.Scores(y, s)
    assert balanced.roc_auc().value == th.Scores(y, s).roc_auc().value
    assert th.Scores(y, s, sample_weight=[1.0, 2.0, 2.0, 1.0, 3.0])._plain is None


def test_exchanged_classes_have_exchanged_squares():
    """Against the squares of the rows whose labels and scores were turned round before they were counted."""
    y, s = np.array([1, 0, 1, 0, 0], dtype=bool), np.array([1.0, 2, 3, 3, 5])
    w = np.array([1.0, 3.0, 2.0, 5.0, 4.0])
    found = th.Scores(y, s, sample_weight=w)._weight_squares.mirrored()
    want = th.Scores(~y, -s, sample_weight=w)._weight_squares
    assert (found.pos.tolist(), found.neg.tolist()) == (want.pos.tolist(), want.neg.tolist())
    assert (found.rows, found.spans, found.integers) == ((3, 2), ((3.0, 5.0), (1.0, 2.0)), False)
    assert (want.rows, want.spans) == (found.rows, found.spans)


def test_weights_much_smaller_than_others_leave_a_square():
    scores = th.Scores([0, 1, 1], [1, 2, 3], sample_weight=[1.0, 1e-74, 1.0])
    assert (scores._pos_squares[scores.pos > 0] > 0).all()
    assert th.Scores([0, 1], [1, 2], sample_weight=[1e-74, 2e-74])._neg_squares[1] > 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: th.Scores([0, 1], [1, 2], sample_weight=[1.0, 1e200]),
            "`sample_weight` must be 0 or between 1e-75 and 2**62, so that products of sums are numbers; got 1e+200 in "
            "1 of 2 rows, first at row 1. "
            "Hint: beside the largest such a row counts for nothing: give it weight 0 to leave it out.",
        ),
        (
            lambda: th.Scores([0, 1], [1, 2], sample_weight=[2e-80, 3e-80]),
            "`sample_weight` must be 0 or between 1e-75 and 2**62, so that products of sums are numbers; got 2e-80 in "
            "2 of 2 rows, first at rows 0, 1. Hint: weights are relative: divide them all by the largest.",
        ),
        (
            lambda: th.Scores([0, 1], [1, 2], frequency=[1, 0.5]),
            "`frequency` must be whole numbers; got 0.5 in 1 of 2 rows, first at row 1. "
            "Hint: pass weights that are not row counts as `sample_weight`.",
        ),
        (
            lambda: th.Scores.from_counts([1], [2.0], [1.0], pos_squares=[2.0]),
            "`pos_squares` and `neg_squares` must be given both or not at all; got no `neg_squares`.",
        ),
        (
            lambda: th.Scores.from_counts([1], [2.0], [1.0], pos_squares=[5.0], neg_squares=[1.0]),
            "`pos_squares` must be above 0 where `pos` is, and at most its square; got 5.0 beside 2.0 at row 0. "
            "Hint: they are sums of squared weights.",
        ),
    ],
)
def test_messages(make, message):
    with pytest.raises(th.InvalidInputError) as caught:
        make()
    assert str(caught.value) == message
