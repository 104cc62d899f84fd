"""Rows and groups drawn together: tables by counting, strata that keep their sizes."""

from __future__ import annotations

import numpy as np
import pytest
from thresher._inference.bootstrap.row_resampling import RowPlan, RowTable, as_groups, make_units

import thresher as th
from thresher._core.random_streams import stream_key
from thresher._inference.bootstrap import row_resampling

RNG = np.random.default_rng(2)
Y = np.arange(24) % 3 == 0
S = RNG.integers(0, 6, 24).astype(float)
G = np.arange(24) // 2


@pytest.mark.parametrize("weight", [None, RNG.integers(1, 4, 24)])
@pytest.mark.parametrize("path_only", [False, True])
def test_tables_are_those_of_repeated_rows(weight, path_only):
    units = make_units(Y, G, stratified=False)
    table = RowTable(Y, S, units, weight=weight, path_only=path_only)
    times = units.draw(stream_key(1), 0, 8)
    pos, neg = table.tables(times)
    for row in range(8):
        own = (times[row, G] * (1 if weight is None else weight)).astype(int)
        want = th.Scores(Y, S, sample_weight=own)
        assert (pos[row].sum(), neg[row].sum()) == (want.n_pos, want.n_neg)
        kept = (pos[row] + neg[row]) > 0
        found = th.Scores.from_counts(-np.arange(kept.sum()), pos[row, kept].astype(int), neg[row, kept].astype(int))
        assert found.roc_auc().value == pytest.approx(want.roc_auc().value, abs=1e-14)
        if not path_only:
            assert (found.pos.tolist(), found.neg.tolist()) == (want.pos.tolist(), want.neg.tolist())


def test_strata_keep_their_sizes_and_whole_samples_theirs():
    rows = make_units(Y, None, stratified=True).draw(stream_key(1), 0, 50)
    assert (rows[:, Y].sum(axis=1) == Y.sum()).all()
    assert (rows[:, ~Y].sum(axis=1) == (~Y).sum()).all()
    free = make_units(Y, None, stratified=False).draw(stream_key(1), 0, 50)
    assert (free.sum(axis=1) == 24).all()
    assert len(set(free[:, Y].sum(axis=1).tolist())) > 3


def test_samples_without_a_class_are_drawn_again():
    y = np.array([True, False, False, False, False, False])
    times = make_units(y, None, stratified=False).draw(stream_key(1), 0, 200)
    assert (times[:, 0] > 0).all()
    assert (times[:, 1:].sum(axis=1) > 0).all()


def test_a_replicate_depends_on_its_number_only():
    units = make_units(Y, G, stratified=False)
    assert units.draw(stream_key(4), 0, 9)[5:].tolist() == units.draw(stream_key(4), 5, 4).tolist()


def test_one_unit_taken_out():
    units = make_units(Y, G, stratified=False)
    (found,) = RowPlan(units, RowTable(Y, S, units, path_only=False)).left_out()
    for unit in range(12):
        want = th.Scores(Y[unit != G], S[unit != G])
        assert (found.pos[unit].sum(), found.neg[unit].sum()) == (want.n_pos, want.n_neg)
        assert found.pos[unit][found.pos[unit] > 0].tolist() == want.pos[want.pos > 0].tolist()


@pytest.mark.parametrize("most", [1, 100, 250, 10**6])
def test_units_are_taken_out_in_parts_that_fit_the_memory(most, monkeypatch):
    """The parts together are what one part would be, and none is larger than allowed or than one table."""
    units = make_units(Y, G, stratified=False)
    plan = RowPlan(units, RowTable(Y, S, units, path_only=False))
    (whole,) = plan.left_out()
    monkeypatch.setattr(row_resampling, "_NUMBERS_AT_ONCE", most)
    parts = list(plan.left_out())
    assert np.array_equal(np.concatenate([part.pos for part in parts]), whole.pos)
    assert np.array_equal(np.concatenate([part.neg for part in parts]), whole.neg)
    assert all(len(part.pos) * plan.width <= max(most, plan.width) for part in parts)


def test_two_groups_are_enough():
    names, of_row = as_groups(["b", "a", "b"], 3)
    assert (names.tolist(), of_row.tolist()) == (["a", "b"], [1, 0, 1])


@pytest.mark.parametrize(
    ("groups", "stratified", "message"),
    [
        (np.zeros(24), False, "must hold at least two groups"),
        (G[:5], False, "groups"),
        (G, True, "must not mix positives and negatives when `stratified=True`; got 8 of 12"),
    ],
)
def test_groups_that_are_refused(groups, stratified, message):
    with pytest.raises(th.ThresherError, match=message):
        make_units(Y, groups, stratified=stratified)
