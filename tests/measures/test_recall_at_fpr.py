"""Recall at a false positive rate: the upper edge of the curve, in exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from support import oracle
from support.measures import values_of
from support.strategies import labelled
from thresher.measures import RecallAtFpr


def highest_recall(points, fpr):
    """Return the highest recall of any point of the polygon with this false positive rate."""
    n_neg, n_pos = points[-1]
    at = fpr * n_neg
    best = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 <= at <= x1:
            best = max(best, Fraction(y1) if x0 == x1 else y0 + Fraction(y1 - y0) * (at - x0) / (x1 - x0))
    return best / n_pos


@given(data=labelled(values=st.integers(0, 9).map(float)), part=st.integers(1, 12))
def test_the_highest_point_of_the_curve_there(data, part):
    want = highest_recall(oracle.counts(*data), Fraction(part, 12))
    assert RecallAtFpr(part / 12).of(th.Scores(*data)) == pytest.approx(float(want), abs=1e-12)


@given(data=labelled(values=st.integers(0, 9).map(float)), part=st.integers(1, 12))
def test_many_tables_are_as_one(data, part):
    scores, rate = th.Scores(*data), RecallAtFpr(part / 12)
    pos, neg = (np.stack([side, 3 * side]).astype(float) for side in (scores.pos, scores.neg))
    found = values_of(rate, pos, neg)
    assert found == pytest.approx([rate.of(scores)] * 2, abs=1e-12)


def test_a_population_by_the_normal_law():
    population = th.Population(stats.norm(1.3), stats.norm(), prevalence=0.2)
    assert population.measure(RecallAtFpr(0.1)) == pytest.approx(stats.norm.sf(stats.norm.isf(0.1) - 1.3))
