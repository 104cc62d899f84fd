"""Areas and errors from exact sums are those of the tables, where numbers outgrow doubles too."""

import math

import numpy as np
import pytest

from thresher._core.many_sums import table_sums
from thresher._inference.delong import areas_of_sums, delong


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
