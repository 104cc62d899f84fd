"""The theorems on a few random curves, and the counting behind them by hand."""

from __future__ import annotations

import numpy as np
import pytest

from papers.davis_goadrich import theorems


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Thirty curves in place of thousands."""
    for name in ("_N_CURVES", "_N_PAIRS", "_N_SETS"):
        monkeypatch.setattr(theorems, name, 30)


def test_matrices_that_share_a_point():
    """One positive, two negatives: calls of one or two negatives and no positive share (0, 0)."""
    shared, total = theorems._collisions(1, 2)
    # Matrices without (0, 0) itself: 3 for one negative, 5 for two.
    assert (shared, total) == ({"positive": 0, "zero": 1}, 8)


def test_all_subsets_of_a_few_points():
    curve = [(0, 0), (1, 0), (2, 3), (4, 5)]
    found = theorems._subsets(np.random.default_rng(0), curve)
    assert found == [[(0, 0), (4, 5)], [(0, 0), (1, 0), (4, 5)], [(0, 0), (2, 3), (4, 5)]]


def test_three_subsets_of_many_points():
    curve = [(i, i) for i in range(9)]
    found = theorems._subsets(np.random.default_rng(0), curve)
    assert len(found) == 3
    assert all(one[0] == (0, 0) and one[-1] == (8, 8) and set(one) < set(curve) for one in found)


@pytest.mark.parametrize("entry", [theorems.theorem_3_1, theorems.theorem_3_2, theorems.corollary_3_1])
def test_entries_come_out(entry):
    assert [check.what for check in entry().checks if not check.as_expected] == []


def test_a_wrong_verdict_is_noticed(monkeypatch):
    monkeypatch.setattr(theorems, "pr_dominates", lambda a, b: False)
    assert not all(check.agrees for check in theorems.theorem_3_2().checks)
    assert not all(check.agrees for check in theorems.corollary_3_1().checks)
