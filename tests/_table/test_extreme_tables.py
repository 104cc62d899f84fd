"""The worst and the best data of a table whose rows stand for ranges, against many that it can stand for."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._table import extreme_tables, overlapping


def sample(seed: int, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    return y, (rng.normal(size=n) + y).round(1)


@pytest.mark.parametrize("seed", range(5))
def test_all_data_lie_between(seed):
    rng = np.random.default_rng(seed + 100)
    y, s = sample(seed)
    full = th.Scores(y, s)
    table = full.compress(len(full.roc().hull()) + 1)
    worst, best = extreme_tables(table)
    low, high = (th.Scores.from_counts(each.thresholds, each.pos, each.neg) for each in (worst, best))
    assert (low.n_pos, low.n_neg) == (high.n_pos, high.n_neg) == (full.n_pos, full.n_neg)
    assert th.dominates(full, low)
    assert th.dominates(high, full)
    for _ in range(20):
        # Any other scores inside the ranges of their rows.
        pos, neg = (
            np.concatenate(
                [rng.uniform(a, b, k) for a, b, k in zip(table.thresholds, table._highest_scores, side, strict=True)]
            )
            for side in (table.pos, table.neg)
        )
        other = th.Scores.from_pos_neg(pos, neg)
        assert low.roc_auc().value <= other.roc_auc().value <= high.roc_auc().value
        assert th.dominates(high, other)
        assert th.dominates(other, low)


def test_by_hand():
    """One row from 1 to 3 and a single score 2 inside it: at best its positives stand above, at worst below."""
    wide = th.Scores.from_counts([10, 3, 1], pos=[3, 0, 2], neg=[0, 1, 2]).compress(2)
    assert (wide.thresholds.tolist(), wide._highest_scores.tolist()) == ([10, 1], [10, 3])
    both = wide + th.Scores([1, 0], [2, 2])
    worst, best = extreme_tables(both)
    assert list(zip(worst.pos.tolist(), worst.neg.tolist(), strict=True)) == [(3, 0), (0, 3), (1, 1), (2, 0)]
    assert list(zip(best.pos.tolist(), best.neg.tolist(), strict=True)) == [(3, 0), (2, 0), (1, 1), (0, 3)]


def test_ranges_overlap_in_sums_only():
    y, s = sample(1)
    first, second = (th.Scores(y[part], s[part]).compress(12) for part in (slice(0, 30), slice(30, 60)))
    assert not overlapping(th.Scores(y, s))
    assert not overlapping(first)
    assert overlapping(first + second)
    touching = th.Scores([1, 0, 1, 0], [1, 1, 3, 3]).compress(2)
    assert not overlapping(touching)
