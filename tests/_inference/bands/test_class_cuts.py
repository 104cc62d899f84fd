"""Cuts against their definition, on lists of scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher._inference.bands.cuts import cuts_along_negatives, cuts_along_positives
from thresher._table import Counts

SAMPLES = st.lists(st.integers(0, 6), min_size=1, max_size=12)


@given(SAMPLES, SAMPLES)
def test_fewest_and_most_are_what_their_names_say(pos: list[int], neg: list[int]) -> None:
    cuts = cuts_along_positives(Counts.from_pos_neg(pos, neg))
    ranked = sorted(pos, reverse=True)
    for j in range(len(pos) + 1):
        fewest = 0 if j == 0 else sum(s > ranked[j - 1] for s in neg)
        most = len(neg) if j == len(pos) else sum(s >= ranked[j] for s in neg)
        assert cuts.fewest(np.array(j)) == fewest
        assert cuts.most(np.array(j)) == most


@given(SAMPLES, SAMPLES)
def test_exchanging_the_classes_exchanges_the_axes(pos: list[int], neg: list[int]) -> None:
    one = cuts_along_negatives(Counts.from_pos_neg(pos, neg))
    other = cuts_along_positives(Counts.from_pos_neg(neg, pos))
    assert np.array_equal(one.along, other.along)
    assert np.array_equal(one.across, other.across)


@given(SAMPLES, SAMPLES, st.floats(0.0, 1.0))
def test_the_value_is_that_of_the_curves(pos: list[int], neg: list[int], x: float) -> None:
    import thresher as th

    scores = th.Scores.from_pos_neg(pos, neg)
    at = np.array([x])
    fpr = scores.roc().at(tpr=x).fpr
    assert cuts_along_positives(scores).value(at)[0] == pytest.approx(fpr, abs=1e-12)
    tpr = scores.roc().at(fpr=x).tpr
    assert cuts_along_negatives(scores).value(at, at_jumps="upper")[0] == pytest.approx(tpr, abs=1e-12)


def test_a_share_that_names_a_count_lands_on_it() -> None:
    # 0.29 * 100 is 28.999999999999996.
    counts = Counts.from_pos_neg(np.arange(100, 0, -1.0), np.arange(100, 0, -1.0) - 0.5)
    cuts = cuts_along_positives(counts)
    assert cuts.value(np.array([0.29]))[0] == 0.28
    assert cuts.value(np.array([0.29]), at_jumps="upper")[0] == 0.29


def test_weights_are_rounded_to_whole_rows() -> None:
    counts = Counts.from_counts([3, 2, 1], pos=[0.9, 0.4, 1.3], neg=[0.1, 0.1, 0.1])
    cuts = cuts_along_positives(counts)
    assert (cuts.n_along, cuts.n_across) == (3, 1)
    assert cuts.along.tolist() == [0, 1, 2, 3]
