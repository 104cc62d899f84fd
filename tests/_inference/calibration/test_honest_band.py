"""The honest band by brute force over all runs of groups."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from thresher._inference.calibration.calibration_tests import grouped, honest_limits


def brute_force(pos, neg, level):
    k = pos.size
    tail = (1 - level) / (k * (k + 1))
    low, high = np.zeros(k), np.ones(k)
    for a in range(k):
        for b in range(a, k):
            s, m = pos[a : b + 1].sum(), (pos + neg)[a : b + 1].sum()
            if s:
                low[b:] = np.maximum(low[b:], scipy.special.betaincinv(s, m - s + 1, tail))
            if s < m:
                high[: a + 1] = np.minimum(high[: a + 1], 1 - scipy.special.betaincinv(m - s, s + 1, tail))
    return low, high


@pytest.mark.parametrize(("k", "most"), [(30, 1), (40, 9), (60, 3)])
def test_pruning_leaves_no_run_out(k, most):
    rng = np.random.default_rng(k)
    rows = rng.integers(1, most + 1, k)
    pos = rng.binomial(rows, np.linspace(0.02, 0.98, k))
    found = honest_limits(pos, rows - pos, 0.95, 1000)
    for ours, theirs in zip(found, brute_force(pos, rows - pos, 0.95), strict=True):
        assert ours == pytest.approx(theirs, abs=1e-14)


def test_groups_keep_ties_and_cover_all():
    rows = np.array([5, 1, 1, 1, 20, 1, 1, 2])
    ends = grouped(rows, np.zeros(8, dtype=np.int64), 4)
    assert ends[-1] == 7
    assert (np.diff(ends) > 0).all()
    assert grouped(rows, rows, 100).tolist() == list(range(8))


def test_within_a_group_the_limits_of_its_neighbours_hold():
    pos, neg = np.repeat(10, 6), np.repeat(10, 6)
    low, high = honest_limits(pos, neg, 0.95, 3)
    # Scores 0,1 | 2,3 | 4,5: inside a group, only groups wholly below bound it from below.
    assert low[0] == 0.0
    assert low[1] == low[2] > 0.0
    assert high[5] == 1.0
    assert high[4] == high[3] < 1.0
