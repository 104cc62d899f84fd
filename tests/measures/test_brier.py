"""The Brier score in fractions, with weights and ties, and beside scikit-learn's."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss

import thresher as th
from thresher.measures import Brier

rows = st.lists(st.tuples(st.integers(0, 8), st.booleans(), st.integers(1, 5)), min_size=1, max_size=30)


@given(rows)
def test_the_rounded_fraction_of_weighted_rows(cases):
    x, y, w = (np.array(column) for column in zip(*cases, strict=True))
    want = sum(Fraction(int(c)) * (int(b) - Fraction(int(a), 8)) ** 2 for a, b, c in cases) / int(w.sum())
    assert Brier().of(th.Scores(y, x / 8, frequency=w)) == float(want)
    assert Brier().of(th.Scores(y, x / 8, sample_weight=w / 4)) == pytest.approx(float(want), rel=1e-14)


def test_as_scikit_learn():
    rng = np.random.default_rng(0)
    x = rng.random(3000)  # more scores than are added up in fractions
    y = rng.random(3000) < x
    assert Brier().of(th.Scores(y, x)) == pytest.approx(brier_score_loss(y, x), rel=1e-13)


def test_the_losses_of_rows():
    positive, negative = Brier().of_rows(np.array([0.0, 0.25, 1.0]))
    assert positive.tolist() == [1.0, 0.5625, 0.0]
    assert negative.tolist() == [0.0, 0.0625, 1.0]
