"""Rows and clusters drawn together: tables by counting, strata that keep their sizes."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._core.random_streams import stream_key
from thresher._inference.sampling import UnitDraws, UnitTables, cluster_codes, make_units
from thresher._inference.sampling import units as module
from thresher._table import Grid, grid_of, row_columns

RNG = np.random.default_rng(2)
Y = np.arange(24) % 3 == 0
S = RNG.integers(0, 6, 24).astype(float)
G = np.arange(24) // 2


def tables_of(units, needs="scores", weight=None) -> UnitTables:
    table = th.Scores(Y, S)
    grid: Grid = grid_of(needs, table.thresholds, table.pos, table.neg)
    return UnitTables(Y, row_columns(table.thresholds, S, grid), units, grid, weight)


@pytest.mark.parametrize("weight", [None, RNG.integers(1, 4, 24)])
@pytest.mark.parametrize("needs", ["scores", "ranks", "path"])
def test_tables_are_those_of_repeated_rows(weight, needs):
    units = make_units(Y, G, stratified=False)
    table = tables_of(units, needs, weight)
    times = units.draw(stream_key(1), 0, 8)
    pos, neg = table.tables(times)
    for row in range(8):
        own = (times[row, G] * (1 if weight is None else weight)).astype(int)
        want = th.Scores(Y, S, sample_weight=own)
        assert (pos[row].sum(), neg[row].sum()) == (want.n_pos, want.n_neg)
        kept = (pos[row] + neg[row]) > 0
        found = th.Scores.from_counts(-np.arange(kept.sum()), pos[row, kept].astype(int), neg[row, kept].astype(int))
        assert found.roc_auc().value == pytest.approx(want.roc_auc().value, abs=1e-14)
        if needs == "scores":
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
    (found,) = UnitDraws(units, tables_of(units)).left_out()
    for unit in range(12):
        want = th.Scores(Y[unit != G], S[unit != G])
        assert (found.pos[unit].sum(), found.neg[unit].sum()) == (want.n_pos, want.n_neg)
        assert found.pos[unit][found.pos[unit] > 0].tolist() == want.pos[want.pos > 0].tolist()


@pytest.mark.parametrize("most", [1, 100, 250, 10**6])
def test_units_are_taken_out_in_parts_that_fit_the_memory(most, monkeypatch):
    """The parts together are what one part would be, and none is larger than allowed or than one table."""
    units = make_units(Y, G, stratified=False)
    draws = UnitDraws(units, tables_of(units))
    (whole,) = draws.left_out()
    monkeypatch.setattr(module, "_NUMBERS_AT_ONCE", most)
    parts = list(draws.left_out())
    assert np.array_equal(np.concatenate([part.pos for part in parts]), whole.pos)
    assert np.array_equal(np.concatenate([part.neg for part in parts]), whole.neg)
    assert all(len(part.pos) * draws.width <= max(most, draws.width) for part in parts)


def test_two_clusters_are_enough():
    names, of_row = cluster_codes(["b", "a", "b"], 3)
    assert (names.tolist(), of_row.tolist()) == (["a", "b"], [1, 0, 1])


@pytest.mark.parametrize(
    ("cluster", "stratified", "message"),
    [
        (np.zeros(24), False, "must hold at least two clusters"),
        (G[:5], False, "`cluster` must have the same length"),
        (G, True, "must not mix positives and negatives when `stratified=True`; got 8 of 12"),
    ],
)
def test_clusters_that_are_refused(cluster, stratified, message):
    with pytest.raises(th.ThresherError, match=message):
        make_units(Y, cluster, stratified=stratified)
