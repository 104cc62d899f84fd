from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from thresher._core import native
from thresher._core.counting import count_groups, count_groups_numpy, count_rows_numpy
from thresher._core.threads import num_threads


def test_half_precision_with_many_infinities():
    """Plain `np.sort` has been seen to leave such arrays out of order; the counts must not notice."""
    rng = np.random.default_rng(0)
    with np.errstate(over="ignore"):
        scores = (rng.normal(size=120_000) * 1e9).astype(np.float16)
    positive = rng.random(scores.size) < 0.3
    thresholds, pos, neg = count_rows_numpy(scores, positive)
    assert thresholds.dtype == np.float16
    for counts, chosen in ((pos, scores[positive]), (neg, scores[~positive])):
        want = Counter((chosen.astype(np.float64) + 0.0).tolist())
        assert {t: c for t, c in zip(thresholds.tolist(), counts.tolist(), strict=True) if c} == dict(want)
    assert thresholds.tolist() == sorted(thresholds.tolist(), reverse=True)


@pytest.mark.skipif(not native.available(), reason="the kernel is what is tested")
@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1"])
@pytest.mark.parametrize("ordered", [True, False])
def test_groups_by_the_kernel_and_by_numpy(kind, ordered):
    rng = np.random.default_rng(4)
    dtype = np.dtype(kind)
    for n, groups in ((1, 1), (7, 3), (5000, 1), (5000, 700), (70_000, 20)):
        scores = (rng.normal(size=n) * 20).round(1)
        scores = scores.astype(dtype) if dtype.kind == "f" else np.abs(scores).astype(dtype)
        if dtype.kind == "f":
            scores[rng.random(n) < 0.2] = -0.0
            scores[rng.random(n) < 0.05] = np.inf
        codes = rng.integers(0, groups, n).astype(np.int32)
        codes = np.sort(codes) if ordered else codes
        positive = rng.random(n) < 0.3
        found = {}
        for threads in (1, 3):
            with num_threads(threads):
                found[threads] = count_groups(codes, scores, positive)
        wanted = count_groups_numpy(codes, scores, positive)
        for answer in found.values():
            for mine, theirs in zip((*answer[:2], *answer[2]), (*wanted[:2], *wanted[2]), strict=True):
                np.testing.assert_array_equal(mine, theirs)
                assert mine.dtype.kind == theirs.dtype.kind
            assert not np.signbit(answer[2][0][answer[2][0] == 0]).any()
