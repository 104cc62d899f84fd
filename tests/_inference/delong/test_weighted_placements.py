"""Placements from counts and from rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher._inference.delong.weighted_placements import deviations, sides, weighted_row_losses

ROWS = st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.integers(1, 4)), min_size=2, max_size=20).filter(
    lambda rows: 0 < sum(r[0] for r in rows) < len(rows)
)


@given(ROWS)
def test_weighted_row_losses_count_pairs(rows):
    y, score, weight = (np.array(column) for column in zip(*rows, strict=True))
    up, down = score[y], score[~y]
    of_pos, of_neg = weighted_row_losses(y, score, weight.astype(float))
    weight_pos, weight_neg = weight[y], weight[~y]
    expected = [2 * weight_neg[down > s].sum() + weight_neg[down == s].sum() for s in up]
    assert of_pos == pytest.approx(np.array(expected), abs=1e-12)
    expected = [2 * weight_pos[up < s].sum() + weight_pos[up == s].sum() for s in down]
    assert of_neg == pytest.approx(np.array(expected), abs=1e-12)


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
