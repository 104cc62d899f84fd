"""Placements from counts."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher._inference.delong.delong import deviations, sides


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 40)), min_size=1, max_size=9))
def test_deviations(rows):
    weight, loss = (np.array(column) for column in zip(*rows, strict=True))
    exact = Fraction(int(weight @ loss), int(weight.sum()) * 40)
    mean, found = deviations(loss.astype(float), weight.astype(float), 20.0)
    assert mean == pytest.approx(float(exact), abs=1e-15)
    assert found == pytest.approx(np.array([float(Fraction(int(v), 40) - exact) for v in loss]), abs=1e-15)


def test_sides():
    table = sides(np.array([2, 0, 2]), np.array([0, 3, 1]))
    assert (table.n_pos, table.n_neg) == (4.0, 4.0)
    assert table.tpr_before.tolist() == [0.0, 0.5, 0.5]
    assert table.tpr_after.tolist() == [0.5, 0.5, 1.0]
    assert table.fpr_before.tolist() == [0.0, 0.0, 0.75]
    assert table.fpr_after.tolist() == [0.0, 0.75, 1.0]
