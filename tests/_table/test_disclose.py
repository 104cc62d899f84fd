from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th

AREAS = {
    "roc_auc": lambda s: s.roc_auc(),
    "interpolated": lambda s: s.pr_auc(),
    "average_precision": lambda s: s.pr_auc(estimator="average_precision"),
}


def shown(counts, least):
    return bool(((counts == 0) | (counts >= least)).all())


@given(
    seed=st.integers(0, 10_000),
    least=st.integers(2, 12),
    share=st.sampled_from([0.03, 0.3, 0.9]),
    decimals=st.sampled_from([1, 2, 6]),
)
def test_no_small_count_is_shown_and_bounds_hold(seed, least, share, decimals):
    rng = np.random.default_rng(seed)
    y = rng.random(400) < share
    y[: 2 * least] = [True, False] * least
    s = (rng.normal(size=400) + y).round(decimals)
    full = th.Scores(y, s)
    table = full.compress(min_count=least)
    assert shown(table.pos, least)
    assert shown(table.neg, least)
    assert (table.n_pos, table.n_neg) == (full.n_pos, full.n_neg)
    for area in AREAS.values():
        assert abs(area(table).value - area(full).value) <= area(table).error_bound + 1e-14
    # Rows at or above a kept score are the rows that are there: nothing moved.
    place = np.searchsorted(-full.thresholds, -table.thresholds)
    np.testing.assert_array_equal(full.thresholds[place], table.thresholds)
    np.testing.assert_array_equal(full.tp[place], table.tp)
    # Rows end where blocks do, which are cut without regard to labels; and no row could end at an earlier one,
    # neither showing nor leaving a small count.
    blocks = block_ends(full.pos + full.neg, least)
    assert set(place.tolist()) <= blocks
    for first, last in zip(np.append(0, place[:-1] + 1), place, strict=True):
        for cut in blocks & set(range(first, last)):
            above, below = slice(first, cut + 1), slice(cut + 1, None)
            parts = [column[side].sum() for column in (full.pos, full.neg) for side in (above, below)]
            assert not all(part == 0 or part >= least for part in parts)


def block_ends(cases, least):
    """Rows at which at least so many cases have come since the last such row; what is left joins the last block."""
    ends, since = [], 0
    for row, count in enumerate(cases.tolist()):
        since += count
        if since >= least:
            ends.append(row)
            since = 0
    return {*ends[:-1], cases.size - 1}


def test_where_rows_end_does_not_tell_labels():
    """Labels that fit the same blocks alike give the same rows: moving a positive inside its block changes nothing."""
    rng = np.random.default_rng(2)
    y = np.zeros(400, dtype=bool)
    y[rng.choice(400, 60, replace=False)] = True
    s = np.arange(400.0)
    table = th.Scores(y, s).compress(min_count=5)
    for _ in range(20):
        shuffled = np.concatenate([rng.permutation(block) for block in y[::-1].reshape(80, 5)])[::-1]
        assert th.Scores(shuffled, s).compress(min_count=5) == table


def test_sums_of_disclosed_tables_have_bounds():
    rng = np.random.default_rng(1)
    y = rng.random(3000) < 0.2
    s = rng.normal(size=3000) + y
    table = th.Scores(y[:1000], s[:1000]).compress(min_count=5)
    for a, b in pairwise([1000, 2000, 3000]):
        table = table + th.Scores(y[a:b], s[a:b]).compress(min_count=5)
    full = th.Scores(y, s)
    assert shown(table.pos, 5)
    assert shown(table.neg, 5)
    for area in AREAS.values():
        assert abs(area(table).value - area(full).value) <= area(table).error_bound
    assert table.roc_auc().error_bound < 0.02


def test_what_may_be_shown_is_left_as_it_is():
    table = th.Scores.from_counts([3.0, 2.0, 1.0], pos=[7, 5, 0], neg=[0, 6, 9])
    again = table.compress(min_count=5)
    assert again == table
    assert again._exact
    assert not table.compress(min_count=6)._exact


def test_few_cases_at_the_bottom_join_the_rows_above_them():
    table = th.Scores.from_counts([5, 4, 3, 2, 1], pos=[5, 0, 0, 5, 1], neg=[0, 5, 5, 5, 0]).compress(min_count=5)
    np.testing.assert_array_equal(table.thresholds, [5, 4, 3, 1])
    np.testing.assert_array_equal(table._highest_scores, [5, 4, 3, 2])
    np.testing.assert_array_equal(table.pos, [5, 0, 0, 6])
    np.testing.assert_array_equal(table.neg, [0, 5, 5, 5])
    table = th.Scores.from_counts([3, 2, 1], pos=[5, 0, 1], neg=[0, 5, 0]).compress(min_count=5)
    np.testing.assert_array_equal(table.thresholds, [1])
    # ... and the many of the other class below them do not.
    table = th.Scores.from_counts([5, 4, 3, 2, 1], pos=[5, 0, 1, 0, 0], neg=[0, 5, 4, 50, 40]).compress(min_count=5)
    np.testing.assert_array_equal(table.thresholds, [3, 2, 1])


def test_one_class():
    table = th.Scores(np.zeros(11), np.arange(11)).compress(min_count=5)
    np.testing.assert_array_equal(table.neg, [5, 6])


def test_messages():
    scores = th.Scores([0, 1, 1, 0, 0, 0], range(6))
    with pytest.raises(th.InvalidInputError) as caught:
        scores.compress(min_count=3)
    assert str(caught.value) == (
        "`min_count` must not exceed the number of positives, which would be disclosed otherwise; got 3. "
        "Hint: such a table cannot be shared under this rule; pool it with others inside the site first."
    )
    with pytest.raises(th.InvalidInputError, match=r"`min_count` must be at least 2; got 1\."):
        scores.compress(min_count=1)
    with pytest.raises(th.InvalidTypeError, match=r"`min_count` must be an integer; got 2\.5 of type float\."):
        scores.compress(min_count=2.5)
    with pytest.raises(th.InvalidInputError) as caught:
        th.Scores([0, 1], [1, 2], sample_weight=[0.5, 2.0]).compress(min_count=2)
    assert str(caught.value) == (
        "`min_count` needs row counts; this table holds sums of weights. Hint: count the rows without weights."
    )
