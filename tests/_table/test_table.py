"""The table's figures of itself: rows, effective rows, sums of tables, equality, and what travels."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.strategies import labelled
from thresher._core.device_ranks import rank_on_device

few = labelled(values=st.integers(0, 6).map(float))
ROWS = ([1, 1, 0, 1, 0, 0], [5, 4, 4, 3, 2, 1])


@given(few)
def test_running_counts_and_pairs(data):
    labels, values = data
    scores = th.Scores(labels, values)
    for i, cut in enumerate(scores.thresholds):
        called = [label for label, value in zip(labels, values, strict=True) if value >= cut]
        assert (scores.tp[i], scores.fp[i]) == (sum(called), len(called) - sum(called))
    pairs = [(a > b) * 2 + (a == b) for a, x in zip(values, labels, strict=True) if x
             for b, z in zip(values, labels, strict=True) if not z]  # fmt: skip
    assert scores._twice_u == sum(pairs)
    rebuilt = th.Scores.from_counts(scores.thresholds, scores.pos, scores.neg)
    assert rebuilt._twice_u == sum(pairs)
    assert rebuilt == scores
    assert (scores.prevalence, len(scores)) == (sum(labels) / len(labels), len(set(values)))


@pytest.mark.parametrize("weights", [None, [0.5, 2.0, 1.0, 3.0, 0.25, 1.0]])
def test_effective_rows(weights):
    scores = th.Scores(*ROWS, **({} if weights is None else {"sample_weight": weights}))
    w = np.ones(6) if weights is None else np.array(weights)
    y = np.array(ROWS[0], dtype=bool)
    assert scores.effective_pos == pytest.approx(w[y].sum() ** 2 / (w[y] ** 2).sum())
    assert scores.effective_neg == pytest.approx(w[~y].sum() ** 2 / (w[~y] ** 2).sum())
    assert (scores._rows_pos, scores._rows_neg) == (3, 3)
    assert scores._weighted == (weights is not None)
    assert scores._counted == (weights is None)


@pytest.mark.parametrize("weights", [None, [0.5, 2.0, 1.0, 3.0, 0.25, 1.0]])
def test_typical_weights_of_each_class(weights):
    """Of a whole class, above the last cut or below the first: its sum of squares over its sum."""
    scores = th.Scores(*ROWS, **({} if weights is None else {"sample_weight": weights}))
    w, y = np.ones(6) if weights is None else np.array(weights), np.array(ROWS[0], dtype=bool)
    for found, own in zip(scores._typical, (w[y], w[~y]), strict=True):
        want = pytest.approx((own**2).sum() / own.sum())
        assert (found.above[-1], found.below[0]) == (want, want)


def test_rows_on_a_device_come_over_when_asked_for():
    there = object.__new__(th.Scores)
    labels, values = (np.array(column) for column in ROWS)
    labels[2] = 1  # four positives, two negatives
    there.__dict__.update(_device=rank_on_device(values, labels == 1), _highest=None)
    assert there._on_device
    here = th.Scores.load(bytes(there))
    assert not here._on_device
    assert (here.n_pos, here.n_neg) == (4, 2)
    assert (here.tp.tolist(), here.fp.tolist()) == ([1, 3, 4, 4, 4], [0, 0, 0, 1, 2])
    assert here._twice_u == 16
    assert here == th.Scores(labels, values)


def test_sums_of_weights_have_no_rows():
    sums = th.Scores.from_counts([2, 1], pos=[0.5, 1.0], neg=[1.5, 0.25])
    assert (sums._rows_pos, sums._rows_neg, sums._counted, sums._weighted) == (None, None, False, True)
    whole = th.Scores.from_counts([2, 1], pos=[5.0, 1.0], neg=[1.0, 2.0])
    assert (whole._rows_pos, whole._rows_neg, whole._counted) == (6, 3, True)


def test_even_weights_have_the_table_of_their_rows():
    y = np.array(ROWS[0])
    scores = th.Scores(*ROWS, sample_weight=np.where(y, 0.1, 7.0))
    assert scores._plain == th.Scores(*ROWS)
    assert th.Scores(*ROWS)._plain == th.Scores(*ROWS)
    assert th.Scores(*ROWS, sample_weight=[1, 2, 3, 4, 5, 6.5])._plain is None


def test_a_sum_with_weights_takes_rows_for_weight_one():
    plain, heavy = th.Scores(*ROWS), th.Scores(*ROWS, sample_weight=[1.0, 2.0, 3.0, 1.5, 1.0, 0.5])
    both = plain + heavy
    every = th.Scores(ROWS[0] * 2, ROWS[1] * 2, sample_weight=[1.0] * 6 + [1.0, 2.0, 3.0, 1.5, 1.0, 0.5])
    assert both == every
    assert (both._rows_pos, both._rows_neg) == (6, 6)
    sums = th.Scores.from_counts([2, 1], pos=[0.5, 1.0], neg=[1.5, 0.25])
    assert (heavy + sums)._weight_squares is None


def test_groups_on_one_side_only_are_refused():
    with pytest.raises(th.InvalidInputError, match="Tables must both have `cluster`, or neither"):
        th.Scores(*ROWS) + th.Scores(*ROWS, cluster=range(6))


def test_sums_begin_with_nothing():
    parts = [th.Scores(*ROWS), th.Scores([1, 0], [9, 8])]
    assert sum(parts) == parts[0] + parts[1]
    for other in (1, 0.0, False, "0"):
        with pytest.raises(TypeError):
            other + parts[0]
    with pytest.raises(TypeError):
        parts[0] + 1


@pytest.mark.parametrize(
    "other",
    [
        th.Scores([1, 1, 0, 1, 0, 0], [6, 4, 4, 3, 2, 1]),
        th.Scores([1, 1, 0, 0, 1, 0], ROWS[1]),
        th.Scores(*ROWS, cluster=range(6)),
        th.Scores(*ROWS, sample_weight=[1, 1, 1, 1, 1, 1.5]),
        th.Scores(*ROWS).compress(3),
    ],
)
def test_what_makes_tables_different(other):
    assert th.Scores(*ROWS) != other
    assert other == pickle.loads(pickle.dumps(other))
    assert th.Scores(*ROWS).__eq__(3) is NotImplemented


def test_tables_with_other_groups_are_different():
    one, same, other = (th.Scores(*ROWS, cluster=groups) for groups in map(list, ("aabbcc", "aabbcc", "abbbcc")))
    assert one == same
    assert one != other
    assert other != one
    assert th.Scores(*ROWS) != one != th.Scores(*ROWS, cluster=list("aabbcd"))


def test_tables_with_other_squares_are_different():
    """The same sums of weights from other rows: what an interval is worth differs, and so do the tables."""
    sums = {"pos": [2.0, 4.0], "neg": [4.0, 2.0], "pos_squares": [2.0, 8.0], "neg_squares": [8.0, 2.0]}
    one = th.Scores.from_counts([2, 1], **sums)
    assert one == th.Scores.from_counts([2, 1], **sums)
    for name, other in (("pos_squares", [2.0, 10.0]), ("neg_squares", [10.0, 2.0])):
        assert one != th.Scores.from_counts([2, 1], **(sums | {name: other}))
    # Two rows of half a label each, and four halves of a row: only who stands in both classes differs.
    soft = th.Scores.from_soft_labels([0.5, 0.5], [1, 1])
    hard = th.Scores.from_soft_labels([1, 1, 0, 0], [1, 1, 1, 1], sample_weight=[0.5] * 4)
    assert (soft._pos_squares.tolist(), soft._neg_squares.tolist()) == ([0.5], [0.5])
    assert (hard._pos_squares.tolist(), hard._neg_squares.tolist()) == ([0.5], [0.5])
    assert soft != hard


@pytest.mark.parametrize("extra", [{}, {"cluster": np.arange(500) // 5}, {"sample_weight": np.linspace(0.5, 2, 500)}])
def test_a_smaller_table_keeps_totals_and_says_what_it_lost(extra):
    rng = np.random.default_rng(0)
    y = rng.random(500) < 0.1
    scores = th.Scores(y, rng.normal(y), **extra)
    small = scores.compress(20)
    assert (scores._complete, scores._n_scores) == (True, 500)
    assert (small._complete, len(small) <= 20) == (False, True)
    assert (small.n_pos, small.n_neg) == pytest.approx((scores.n_pos, scores.n_neg))
    # Each point kept has the counts of all scores at or above it.
    for i, cut in enumerate(small.thresholds):
        at = scores.thresholds >= cut
        assert small.tp[i] == pytest.approx(scores.pos[at].sum())
        assert small._highest_scores[i] >= cut
    again = small + small
    assert not again._complete
    assert again._n_scores is None
    if "cluster" in extra:
        found = small._clusters.sums(np.ones(len(small)), np.ones(len(small)))
        want = scores._clusters.sums(np.ones(len(scores)), np.ones(len(scores)))
        np.testing.assert_allclose(np.stack(found), np.stack(want))


def test_weights_next_to_nothing_or_everything_are_refused():
    with pytest.raises(th.InvalidInputError, match="The weights of a class must add up to 0 or to between"):
        th.Scores.from_counts([2, 1], pos=[3e18, 3e18], neg=[0.5, 1.0])
    with pytest.raises(th.InvalidInputError, match="The weights of a class must add up to 0 or to between"):
        th.Scores.from_counts([2, 1], pos=[1.5, 0.5], neg=[4e18, 2e18])
