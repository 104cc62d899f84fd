"""P values of replicates by counting, and exchanges against enumeration."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from thresher._compare.pair_tests import Effort
from thresher._compare.paired_rows import read_rows
from thresher._compare.replicates import (
    Exchange,
    at_least,
    bootstrap_pvalue,
    permutation_pvalue,
    split_key,
)
from thresher._core.random_streams import stream_key
from thresher.measures import RocAuc

DRAWN = np.array([-3.0, -1.0, 0.0, 1.0, 2.0, 2.0, 5.0])


def test_p_values_by_counting():
    assert at_least(DRAWN, 2.0) == (1 + 3) / 8
    assert at_least(DRAWN, 2.0 + 1e-12) == (1 + 3) / 8  # rounding is not a difference
    assert at_least(DRAWN, 2.1) == (1 + 1) / 8
    assert permutation_pvalue(DRAWN, -2.0, "two-sided") == (1 + 4) / 8
    assert permutation_pvalue(DRAWN, 1.0, "greater") == (1 + 4) / 8
    assert permutation_pvalue(DRAWN, -1.0, "less") == (1 + 2) / 8


def test_bootstrap_p_values_by_counting():
    """Three of seven are at or below the null 0, five at or above it."""
    assert bootstrap_pvalue(DRAWN, 0.0, "greater") == (1 + 3) / 8
    assert bootstrap_pvalue(DRAWN, 0.0, "less") == (1 + 5) / 8
    assert bootstrap_pvalue(DRAWN, 0.0, "two-sided") == 1.0
    assert bootstrap_pvalue(DRAWN, -2.0, "two-sided") == 2 * (1 + 1) / 8


def test_exchanges_have_the_values_of_all_swaps():
    """Three rows have 8 swaps of ranks; each pair of areas occurs as often as swaps give it."""
    y = [1, 0, 0]
    rows = read_rows(y, {"a": [3.0, 2.0, 1.0], "b": [1.0, 3.0, 2.0]})
    observed, drawn = Exchange(rows).values(RocAuc(), Effort(4000, stream_key(3)))
    assert observed.tolist() == [1.0, 0.0]
    ranks = np.array([[3, 2, 1], [1, 3, 2]])

    def area(r):
        return sum((r[0] > x) + (r[0] == x) / 2 for x in r[1:]) / 2

    want = Counter()
    for swap in np.ndindex(2, 2, 2):
        order = np.array(swap)
        want[area(ranks[order, range(3)]), area(ranks[1 - order, range(3)])] += 1 / 8
    found = Counter(map(tuple, drawn.tolist()))
    assert set(found) == set(want)
    for values, share in want.items():
        assert found[values] / 4000 == pytest.approx(share, abs=4.5 * (share * (1 - share) / 4000) ** 0.5)


def test_venkatramans_distance_by_hand():
    """Calling 1, 2, 3 of 4 rows finds 1, 2, 2 positives by a and 0, 1, 1 by b: twice the sum of the differences."""
    rows = read_rows([1, 1, 0, 0], {"a": [4, 3, 2, 1], "b": [3, 1, 4, 2]})
    found, drawn = Exchange(rows).distances(Effort(30, stream_key(1)))
    assert found == pytest.approx(2 * (1 + 1 + 1))
    assert (drawn >= 0).all()


def test_split_keys_differ_and_repeat():
    keys = [tuple(key.tolist()) for key in split_key(stream_key(5), 4)]
    assert len(set(keys)) == 4
    assert keys == [tuple(key.tolist()) for key in split_key(stream_key(5), 4)]
