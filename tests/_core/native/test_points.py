"""Counts as rates and as points, against NumPy's divisions: the same bits, whatever the threads."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._core import native
from thresher._core.threads import num_threads

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")

SIZES = [1, 2, 1000, 65_536, 65_537, 140_001]


def running(rng, n, dtype, most=3):
    return np.cumsum(rng.integers(0, most, n), dtype=dtype) + 1


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("n", SIZES)
def test_rates_have_the_bits_of_numpys(n, dtype):
    rng = np.random.default_rng(n)
    tp, fp = running(rng, n, dtype), running(rng, n, dtype)
    for threads in (1, 3):
        with num_threads(threads):
            shares = native.rates(tp, tp[-1].item())
            precision = native.rates(tp, 0.3, fp, first=1.0)
        assert np.array_equal(shares, np.append(0.0, tp / tp[-1].item()))
        assert np.array_equal(precision, np.append(1.0, tp / (tp + 0.3 * fp)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", SIZES)
def test_points_without_the_middle_of_equal_steps(n, dtype):
    rng = np.random.default_rng(n)
    tp, fp = running(rng, n, np.int32, 2), running(rng, n, np.int32, 2)
    thresholds = np.arange(n, 0, -1).astype(dtype)
    kept = np.ones(n, dtype=bool)
    kept[1:-1] = (np.diff(tp, 2) != 0) | (np.diff(fp, 2) != 0)
    for threads in (1, 3):
        with num_threads(threads):
            whole = native.roc_points(thresholds, tp, fp, corners=False)
            short = native.roc_points(thresholds, tp, fp, corners=True)
        for found, chosen in ((whole, np.ones(n, dtype=bool)), (short, kept)):
            assert np.array_equal(found[0], np.append(0.0, (fp / fp[-1])[chosen]))
            assert np.array_equal(found[1], np.append(0.0, (tp / tp[-1])[chosen]))
            assert np.array_equal(found[2], np.append(np.inf, thresholds[chosen]))


def test_a_part_in_which_every_point_is_left_out():
    n = 3 * 65_536
    steps = np.arange(1, n + 1, dtype=np.int32)
    fpr, tpr, at = native.roc_points(-steps.astype(np.float64), steps, steps, corners=True)
    assert fpr.tolist() == tpr.tolist() == [0.0, 1 / n, 1.0]
    assert at.tolist() == [np.inf, -1.0, -float(n)]
