"""Figures of label rankings by their definitions, label by label, with ties and weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from thresher.metrics import coverage_error, label_ranking_average_precision_score, label_ranking_loss


@st.composite
def tables(draw):
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(2, 6))
    cells = st.lists(st.integers(0, 1), min_size=columns, max_size=columns)
    scores = st.lists(st.integers(0, 4).map(float), min_size=columns, max_size=columns)
    y = np.array([draw(cells) for _ in range(rows)])
    weight = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=rows, max_size=rows))
    return y, np.array([draw(scores) for _ in range(rows)]), np.array(weight)


def precision(y, s):
    """Of each label that holds: which share of the labels ranked at least as high hold too; ties count in full."""
    own = [np.mean(y[s >= s[j]]) for j in np.flatnonzero(y)]
    return np.mean(own) if 0 < y.sum() < y.size else 1.0


def depth(y, s):
    """How far down the ranking one goes to find all labels that hold."""
    return int((s >= s[y == 1].min()).sum()) if y.any() else 0


def loss(y, s):
    """Which share of pairs stands the wrong way round, ties among them."""
    pairs = [(s[i] <= s[j]) for i in np.flatnonzero(y) for j in np.flatnonzero(1 - y)]
    return np.mean(pairs) if pairs else 0.0


@pytest.mark.parametrize(
    ("function", "slow"),
    [(label_ranking_average_precision_score, precision), (coverage_error, depth), (label_ranking_loss, loss)],
)
@given(data=tables())
def test_row_by_row(function, slow, data):
    y, s, w = data
    own = [slow(a, b) for a, b in zip(y, s, strict=True)]
    assert function(y, s) == pytest.approx(np.mean(own))
    assert function(y, s, sample_weight=w) == pytest.approx(np.average(own, weights=w))


@pytest.mark.parametrize("function", [label_ranking_average_precision_score, label_ranking_loss])
def test_sparse_labels(function):
    rng = np.random.default_rng(0)
    y, s = rng.integers(0, 2, (8, 5)), rng.random((8, 5))
    assert function(csr_array(y), s) == pytest.approx(function(y, s))
