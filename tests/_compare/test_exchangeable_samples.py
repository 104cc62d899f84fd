"""Independent samples on one scale: the distance of their paths, and deals against enumeration."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import thresher as th
from thresher._compare.pair_tests import Effort
from thresher._compare.replicates import Pooling
from thresher._core.random_streams import stream_key


def sample(seed: int, n_pos: int, n_neg: int, shift: float) -> th.Scores:
    rng = np.random.default_rng(seed)
    return th.Scores.from_pos_neg((rng.normal(size=n_pos) + shift).round(1), rng.normal(size=n_neg).round(1))


def distance_by_hand(a: th.Scores, b: th.Scores) -> float:
    """Mean distance in TPR where both samples call the same share, classes weighted as in both samples together."""
    n_pos, n_neg = a.n_pos + b.n_pos, a.n_neg + b.n_neg
    total = n_pos + n_neg
    grid = np.arange(1, total) / total
    paths = []
    for table in (a, b):
        roc = table.roc()
        called = (n_pos * roc.tpr + n_neg * roc.fpr) / total
        paths.append(np.interp(grid, called, roc.tpr))
    return float(np.abs(paths[0] - paths[1]).sum() / total)


@pytest.mark.parametrize(
    "sizes", [((40, 40), (40, 40)), ((10, 90), (30, 20)), ((5, 200), (80, 15)), ((7, 13), (90, 200))]
)
def test_the_distance_of_unbalanced_samples(sizes):
    a, b = sample(1, *sizes[0], 1.5), sample(2, *sizes[1], 0.5)
    found, drawn = Pooling(a, b).distances(Effort(20, stream_key(1)))
    assert found == pytest.approx(distance_by_hand(a, b), rel=1e-9)
    assert found > 0.02
    assert drawn.shape == (20,)
    assert th.compare_unpaired(a, b, method="venkatraman", n_resamples=20, rng=0).pairs[0].statistic == pytest.approx(
        found, rel=1e-9
    )


def test_a_sample_is_at_no_distance_from_itself():
    a = sample(3, 12, 40, 1.0)
    assert Pooling(a, a).distances(Effort(10, stream_key(1)))[0] == pytest.approx(0, abs=1e-14)


def test_all_deals_are_equally_likely():
    """Five positives: 2 of 5 positives fall to the first sample."""
    a, b = th.Scores([1, 1, 0, 0], [4, 2, 3, 1]), th.Scores([1, 1, 1, 0], [7, 6, 4, 5])
    pooling = Pooling(a, b, "ranks")
    draws = 4000
    first, second = pooling.draw(stream_key(5), 0, draws)
    assert (first[0].sum(axis=1) == 2).all()
    assert (second[0].sum(axis=1) == 3).all()
    whole = pooling.observed()[0][0] + pooling.observed()[1][0]
    assert (first[0] + second[0] == whole).all()
    cases = np.repeat(np.arange(pooling.width), whole[0].astype(int))
    deals = [tuple(np.bincount(cases[list(two)], minlength=pooling.width)) for two in combinations(range(5), 2)]
    for deal in set(deals):
        share = (first[0] == np.array(deal)).all(axis=1).mean()
        want = deals.count(deal) / len(deals)
        assert share == pytest.approx(want, abs=4.5 * (want * (1 - want) / draws) ** 0.5)
