"""Rankings within rows, by sorting each row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from thresher.metrics import _labels as module
from thresher.metrics._labels import blocks, falling_rows, ranked

matrices = st.tuples(st.integers(1, 5), st.integers(1, 20)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-3, 3).map(float))
)


@pytest.mark.parametrize("wide", [2, 4096])
@given(scores=matrices)
def test_groups_of_ties(wide, scores):
    kept, module._WIDE = module._WIDE, wide
    try:
        found = ranked(scores)
    finally:
        module._WIDE = kept
    for row, order, starts, first, last in zip(
        scores, found.order, found.starts, found.group_start(), found.group_end(), strict=True
    ):
        falling = sorted(row, reverse=True)
        assert row[order].tolist() == falling
        for place, value in enumerate(falling):
            assert starts[place] == (place == 0 or falling[place - 1] != value)
            assert first[place] == falling.index(value)
            assert last[place] == len(falling) - 1 - falling[::-1].index(value)
    assert found.sort(scores).tolist() == [sorted(row, reverse=True) for row in scores.tolist()]


@given(matrices)
def test_falling_rows(values):
    assert falling_rows(values).tolist() == [sorted(row, reverse=True) for row in values.tolist()]


def test_blocks_cover_all_rows_once():
    for n_rows, n_columns in ((10, 3), (7, 1 << 17), (5, 1 << 19), (0, 4), (3, 0)):
        covered = [i for part in blocks(n_rows, n_columns) for i in range(n_rows)[part]]
        assert covered == list(range(n_rows))
    assert len(list(blocks(7, 1 << 17))) == 4
