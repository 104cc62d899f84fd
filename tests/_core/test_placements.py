"""Exact sums over placements, and placements row by row, with and without the kernels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from thresher._core import native
from thresher._core.order import placement_sums, placement_sums_numpy, row_placements

ROWS = st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=20).filter(
    lambda rows: 0 < sum(r[0] for r in rows) < len(rows)
)


@given(hnp.arrays(np.int64, (2, 7), elements=st.integers(0, 5)), st.sampled_from([1, 10**6, 2**31, 2**40, 2**56]))
def test_sums_are_exact(table, factor):
    tp, fp = np.cumsum(table * factor, axis=1)
    pos, neg = ([int(x) * factor for x in row] for row in table)
    above_pos = [sum(pos[:i]) * 2 + pos[i] for i in range(7)]
    below_neg = [sum(neg[i + 1 :]) * 2 + neg[i] for i in range(7)]
    expected = (
        sum(p * w**2 for p, w in zip(pos, below_neg, strict=True)),
        sum(q * w**2 for q, w in zip(neg, above_pos, strict=True)),
        sum(q * w for q, w in zip(neg, above_pos, strict=True)),
    )
    assert placement_sums(tp, fp) == expected
    assert placement_sums_numpy(tp, fp) == expected


@pytest.mark.parametrize("numpy_only", [False, True])
@given(rows=ROWS)
def test_row_placements_count_pairs(numpy_only, rows):
    y, score = (np.array(column) for column in zip(*rows, strict=True))
    up, down = score[y], score[~y]
    usual = native.available
    if numpy_only:
        native.available = lambda: False
    try:
        of_pos, of_neg = row_placements(score, y)
    finally:
        native.available = usual
    assert of_pos.tolist() == [int(2 * np.sum(down < s) + np.sum(down == s)) for s in up]
    assert of_neg.tolist() == [int(2 * np.sum(up > s) + np.sum(up == s)) for s in down]
