"""Whole numbers along the curve of rows on a device: those of the table in main memory."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.devices import LIBRARIES, ranks_of, rows
from thresher._core import device
from thresher._core.device_path import (
    cells_on_device,
    device_delong_sums,
    device_ties,
    distinct_on_device,
    twice_area_to,
)
from thresher._core.device_ranks import Steps, rank_on_device
from thresher._core.order import placement_sums
from thresher._table import shared_ties
from thresher.measures._roc_auc import _exact_area_to

pytestmark = pytest.mark.optional  # torch


def check(ranks, table):
    assert device_delong_sums(ranks) == placement_sums(table.tp, table.fp)
    assert device_ties(ranks) == shared_ties(table)
    assert distinct_on_device(ranks) == len(table)
    for end in (Fraction(0), Fraction(1, 7), Fraction(2, 5), Fraction(1, 2), Fraction(19, 20), Fraction(1)):
        by_fpr, by_tpr = (
            Fraction(*_exact_area_to(x, y, end, total))
            for x, y, total in ((table.fp, table.tp, table.n_neg), (table.tp, table.fp, table.n_pos))
        )
        assert twice_area_to(ranks, "fpr", end * table.n_neg) == by_fpr
        assert twice_area_to(ranks, "tpr", end * table.n_pos) == by_tpr


@pytest.mark.some(18)
@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("kind", ["both signs", "probabilities", "ties", "integers"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_sums(library, kind, share, monkeypatch):
    y, s = rows(kind, share, 1500)
    check(ranks_of(library, y, s), th.Scores(y, s))
    monkeypatch.setattr(device, "_CHUNK", 100)
    check(ranks_of(library, y, s), th.Scores(y, s))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=25))
def test_small_samples(pairs):
    y, s = (np.array(column) for column in zip(*pairs, strict=True))
    if y.all() or not y.any():
        return
    check(rank_on_device(s.astype(np.float64), y), th.Scores(y, s))


def test_large_counts_do_not_overflow(monkeypatch):
    # Squares of placements beyond 2**63, as a billion rows have them.
    pos, neg = np.array([3, 2**29, 1]), np.array([2**30 - 1, 5, 2**20])
    tp, fp = np.cumsum(pos)[::-1], np.cumsum(neg)[::-1]
    ranks = rank_on_device(np.zeros(2), np.array([True, False]))._replace(n_pos=int(tp[0]), n_neg=int(fp[0]))
    steps = [Steps(None, tp, pos[::-1], fp, fp - neg[::-1])]
    monkeypatch.setattr(type(ranks), "steps", lambda self: iter(steps))
    assert device_delong_sums(ranks) == placement_sums(np.cumsum(pos), np.cumsum(neg))


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("kind", ["probabilities", "ties"])
@pytest.mark.parametrize("library", LIBRARIES)
def test_cells(library, kind, share):
    y, s = rows(kind, share, 1500)
    table = th.Scores(y, s)
    which = [np.unique(np.linspace(1, total, 23).astype(np.int64)) for total in (table.n_pos, table.n_neg)]
    tp, fp = cells_on_device(ranks_of(library, y, s), *which)
    # A row is kept where the next one holds one of these cases.
    reached = [np.searchsorted(ranks, side, "right") for ranks, side in zip(which, (table.tp, table.fp), strict=True)]
    kept = np.append((np.diff(reached[0]) > 0) | (np.diff(reached[1]) > 0), True)
    assert tp.tolist() == table.tp[kept].tolist()
    assert fp.tolist() == table.fp[kept].tolist()
