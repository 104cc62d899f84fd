"""The short way with rows says what scikit-learn's checks say, or nothing; running counts by counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.metrics._binary_rows import checked_rows, plain_rows, running

rows = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 4), st.sampled_from([0.0, 0.5, 1.0, 2.0])), min_size=2, max_size=20
)


@given(rows, st.booleans())
def test_both_ways_give_the_same_rows_and_counts(cases, weighted):
    y, x, w = (np.array(column) for column in zip(*cases, strict=True))
    x, weight = x / 4, w if weighted and w.any() else None
    short, long = (way(y, x, 1, weight) for way in (plain_rows, checked_rows))
    for a, b in zip(short, long, strict=True):
        np.testing.assert_array_equal(a, b)
    own = np.ones(y.size) if weight is None else w
    kept = own > 0
    found = running(short)
    assert found.thresholds.tolist() == sorted(set(x[kept]), reverse=True)
    for cut, tp, fp in zip(found.thresholds, found.tps, found.fps, strict=True):
        assert (tp, fp) == (own[(x >= cut) & (y == 1)].sum(), own[(x >= cut) & (y == 0)].sum())


X = np.array([0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("y", "label", "positive"),
    [
        (np.array([0, 1, 1]), None, [False, True, True]),
        (np.array([-1, 1, 1]), None, [False, True, True]),
        (np.array([0.0, 1.0, 1.0]), 1, [False, True, True]),
        (np.array([False, True, True]), True, [False, True, True]),
        (np.array([False, True, True]), 0, None),
        (np.array([0, 1, -1]), None, None),
        (np.array([0, 2, 1]), None, None),
        (np.array([0, 1, 1]), 0, None),
        (np.array(["a", "b", "b"]), "b", None),
        ([0, 1, 1], None, None),
    ],
)
def test_what_is_plain(y, label, positive):
    found = plain_rows(y, X, label)
    assert (None if found is None else found.positive.tolist()) == positive


def test_what_is_not():
    y = np.array([0, 1, 1])
    assert plain_rows(y, np.array([0.1, np.nan, 0.2])) is None
    assert plain_rows(y, np.array([0.1, np.inf, 0.2])) is None
    assert plain_rows(y, X[:2]) is None
    assert plain_rows(y, X, None, np.array([1.0, np.nan, 1.0])) is None
    assert plain_rows(y, X, None, np.zeros(3)) is None
    assert plain_rows(y, np.array([1e308, 1e308, 1e308])) is not None  # finite, though their sum is not


def test_other_labels_by_the_long_way():
    found = checked_rows(["a", "b", "c"], X, "b")
    assert found.positive.tolist() == [False, True, False]
    with pytest.raises(ValueError, match="multiclass format is not supported"):
        checked_rows(["a", "b", "c"], X)
