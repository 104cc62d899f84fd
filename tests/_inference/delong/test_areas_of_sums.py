"""Areas and errors from exact sums are those of the tables, where numbers outgrow doubles too."""

import math

import numpy as np
import pytest

from thresher._core import native
from thresher._core.many_sums import table_sums
from thresher._core.threads import num_threads
from thresher._inference.delong import areas_of_sums, delong
from thresher._inference.delong.delong import areas_of_sums_numpy


def test_the_bits_of_each_table():
    rng = np.random.default_rng(1)
    parts = [rng.integers(0, most, (2, size)) for size, most in ((1, 2), (3, 2), (9, 5), (300, 9), (40, 10**7))]
    parts += [np.array([[0, 0], [1, 2]]), np.array([[1, 0], [3, 2]])]  # a class is missing, or has one row
    pos, neg = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    area, error = areas_of_sums(table_sums(pos, neg, np.cumsum([part.shape[1] for part in parts])))
    for k, (p, q) in enumerate(parts):
        if min(p.sum(), q.sum()) > 1:
            wanted = delong(p, q)
            assert (area[k], error[k]) == (wanted.auc, math.sqrt(wanted.variance))
        else:
            assert math.isnan(error[k])
    assert math.isnan(area[-2])
    assert area[-1] == pytest.approx((2 + 1.5) / 5)


@pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")
def test_the_bits_with_kernels_and_without():
    """Groups of a few rows, of hundreds, where quotients begin to outgrow doubles, and of a class or none."""
    rng = np.random.default_rng(2)
    sizes = np.append(np.repeat([1, 2, 5, 12], 3000), rng.integers(20, 40, 40))
    most = np.append(np.repeat([2, 2, 3, 4], 3000), rng.integers(2, 60, 40))
    pos, neg = (rng.integers(0, np.repeat(most, sizes)) for _ in range(2))
    sums = table_sums(pos, neg, np.cumsum(sizes))
    wanted = areas_of_sums_numpy(sums)
    assert 0 < wanted[2].size < 40
    for threads in (1, 3):
        with num_threads(threads):
            for found, want in zip(native.many_areas(sums), wanted, strict=True):
                assert found.tobytes() == want.tobytes()
    assert all(column.size == 0 for column in native.many_areas(sums[:0]))


@pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")
def test_tables_that_are_none_are_refused():
    with pytest.raises(TypeError, match="eleven"):
        native._kernels.many_areas(np.zeros((2, 10), dtype=np.uint64), 1)
    with pytest.raises(TypeError, match="eleven"):
        native._kernels.many_null_errors(np.zeros((2, 11)), 1)
