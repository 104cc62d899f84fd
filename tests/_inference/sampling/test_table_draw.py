"""Draws from count tables have the multinomial law, whichever way they are made."""

import math

import numpy as np
import pytest

import thresher as th
from thresher._core.random_streams import stream_key
from thresher._inference.bootstrap import Resampling, bootstrap_table
from thresher._inference.sampling import CountDraws
from thresher._inference.sampling import draws as module
from thresher.measures import as_measure

CASES, COLUMNS = [1, 2, 0, 3] * 10, [500_000, 0, 300_000, 10**9]


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("counts", [CASES, COLUMNS])
def test_draws_are_multinomial(counts, stratified):
    pos, neg = np.array(counts), np.array(counts[::-1]) // 2
    draw = CountDraws(pos, neg, stratified=stratified)
    assert draw.by_case is (counts is CASES)
    size = 3000
    tables = draw.draw(stream_key(11), 0, size)
    totals = [table.sum(axis=1) for table in tables]
    assert (totals[0] + totals[1] == pos.sum() + neg.sum()).all()
    if stratified:
        assert (totals[0] == pos.sum()).all()
    cells, counted = np.hstack(tables), np.concatenate((pos, neg))
    of = np.repeat([pos.sum(), neg.sum()], pos.size) if stratified else np.full(counted.size, counted.sum())
    mean = counted.astype(float)
    spread = np.sqrt(mean * (1 - counted / of))
    assert np.abs(cells.mean(axis=0) - mean).max() < 5 * spread.max() / math.sqrt(size)
    assert cells.var(axis=0) == pytest.approx(spread**2, rel=0.2)
    first, second = np.flatnonzero(pos)[:2]
    expected = -mean[first] * mean[second] / of[0]
    slack = 5 * spread[first] * spread[second] / math.sqrt(size)
    assert np.cov(cells[:, first], cells[:, second])[0, 1] == pytest.approx(expected, abs=slack)


def test_a_table_beyond_32_bits_is_drawn_by_column():
    draw = CountDraws(np.array([2**33, 5]), np.array([3, 2**34]), stratified=True)
    pos, neg = draw.draw(stream_key(0), 0, 3)
    assert (pos.sum(axis=1) == 2**33 + 5).all()
    assert (neg.sum(axis=1) == 2**34 + 3).all()


def test_drawing_by_case_or_by_column_is_one_law(monkeypatch):
    """Many cases at few scores switch to binomial draws; the distribution must not notice."""
    pos, neg = np.array([40, 60, 100, 30]), np.array([10, 50, 80, 90])
    table = th.Scores.from_counts([4, 3, 2, 1], pos, neg)
    by_case = bootstrap_table(table, as_measure("pr_auc"), Resampling(n_resamples=6000, rng=1))
    monkeypatch.setattr(module, "_FEW_CASES", 0)
    monkeypatch.setattr(module, "_CASES_A_COLUMN", 1)
    by_column = bootstrap_table(table, as_measure("pr_auc"), Resampling(n_resamples=6000, rng=1))
    y = np.repeat([1, 0], [230, 230])
    score = np.concatenate((np.repeat([4, 3, 2, 1], pos), np.repeat([4, 3, 2, 1], neg)))
    by_row = th.bootstrap(y, score, metric="pr_auc", cluster=np.arange(460), n_resamples=6000, rng=2)
    levels = np.linspace(0.05, 0.95, 10)
    for other in (by_column, by_row):
        assert not np.array_equal(by_case.replicates, other.replicates)
        apart = np.quantile(by_case.replicates, levels) - np.quantile(other.replicates, levels)
        assert np.abs(apart).max() < 0.12 * by_case.standard_error
