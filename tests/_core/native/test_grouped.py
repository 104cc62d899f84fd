"""Rows brought into the order of their groups, beside a stable sort."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._core import native
from thresher._core.counting import count_groups, count_groups_numpy

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "uint8"])
@pytest.mark.parametrize(("n", "low", "groups"), [(1, 5, 1), (1000, -3, 7), (100_000, 2, 40_000), (70_000, 0, 300)])
def test_order_is_that_of_a_stable_sort(dtype: str, n: int, low: int, groups: int) -> None:
    rng = np.random.default_rng(n)
    codes = rng.integers(low, low + groups, n).astype(np.int32)
    scores, positive = (rng.random(n) * 200).astype(dtype), rng.random(n) < 0.4
    first, ends, ordered, labels = native.group_rows(codes, scores, positive)
    order = np.argsort(codes, kind="stable")
    assert first == codes.min()
    np.testing.assert_array_equal(ends, np.cumsum(np.bincount(codes - first)))
    np.testing.assert_array_equal(ordered, scores[order])
    np.testing.assert_array_equal(labels, positive[order])
    assert ordered.dtype == scores.dtype


def test_tables_of_groups_are_those_of_numpy() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 900, 30_000).astype(np.int32) * 3
    scores, positive = rng.integers(0, 30, 30_000) / 4.0, rng.random(30_000) < 0.4
    for ours, theirs in zip(
        count_groups(codes, scores, positive)[:2], count_groups_numpy(codes, scores, positive)[:2], strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)
    for ours, theirs in zip(
        count_groups(codes, scores, positive)[2], count_groups_numpy(codes, scores, positive)[2], strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)


def test_wrong_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="same length"):
        native.group_rows(np.zeros(3, dtype=np.int32), np.zeros(2), np.zeros(3, dtype=bool))
    with pytest.raises(ValueError, match="rows"):
        native.group_rows(np.zeros(0, dtype=np.int32), np.zeros(0), np.zeros(0, dtype=bool))
