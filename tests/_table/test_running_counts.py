"""What kernels and NumPy say of the same running counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from support.strategies import labelled
from thresher._core.device_ranks import rank_on_device
from thresher._table.columns import device_pr_area, kernels_take, running_counts, shared_ties


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


@given(data=labelled(values=st.integers(0, 9).map(float)))
def test_a_device_is_asked_for_what_it_can_sum(data):
    labels, values = np.array(data[0], dtype=bool), np.array(data[1])
    there = object.__new__(th.Scores)
    there.__dict__.update(_device=rank_on_device(values, labels), _highest=None)
    steps = oracle.counts(*data)
    # Average precision by its definition: the precision at every score, times the positives found there.
    want = sum(
        (Fraction((tp - before) * tp, tp + fp) for (_, before), (fp, tp) in pairwise(steps) if tp > before),
        Fraction(0),
    )
    assert device_pr_area(there, "average_precision") == pytest.approx(float(want), rel=1e-12)
    assert device_pr_area(there, "interpolated") is not None
    assert device_pr_area(there, "trapezoid") is None
    assert device_pr_area(th.Scores(labels, values), "average_precision") is None
    there.thresholds.sum()  # fetched: from now on it is summed here
    assert device_pr_area(there, "average_precision") is None
