"""What kernels and NumPy say of the same running counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.strategies import labelled
from thresher._table.running_counts import kernels_take, running_counts, shared_ties


@given(data=labelled(values=st.integers(0, 9).map(float)))
def test_shared_ties_by_counting(data):
    labels, values = data
    pos = [v for y, v in zip(labels, values, strict=True) if y]
    neg = [v for y, v in zip(labels, values, strict=True) if not y]
    shared = set(pos) & set(neg)
    want = (len(shared), sum(v in shared for v in pos), sum(p == n for p in pos for n in neg))
    assert tuple(shared_ties(th.Scores(labels, values))) == want
    # Sums of weights go through NumPy.
    weighted = th.Scores(labels, values, sample_weight=[0.5] * len(labels))
    assert not kernels_take(weighted)
    found = shared_ties(weighted)
    assert (found[0], found[1], found[2]) == pytest.approx((want[0], want[1] / 2, want[2] / 4))


@given(data=labelled())
def test_running_counts_are_the_columns(data):
    scores = th.Scores(*data)
    tp, fp = running_counts(scores)
    assert np.array_equal(tp, scores.tp)
    assert np.array_equal(fp, scores.fp)
