"""The false positive rate at a recall: the lower edge of the curve, in exact fractions."""

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
from thresher.measures import FprAtRecall, RecallAtFpr


def lowest_fpr(points, recall):
    n_neg, n_pos = points[-1]
    at = recall * n_pos
    best = Fraction(n_neg)
    for (x0, y0), (x1, y1) in pairwise(points):
        if y0 <= at <= y1:
            best = min(best, Fraction(x0) if y0 == y1 else x0 + Fraction(x1 - x0) * (at - y0) / (y1 - y0))
    return best / n_neg


@given(data=labelled(values=st.integers(0, 9).map(float)), part=st.integers(1, 12))
def test_the_leftmost_point_of_the_curve_there(data, part):
    scores, rate = th.Scores(*data), FprAtRecall(part / 12)
    assert rate.of(scores) == pytest.approx(float(lowest_fpr(oracle.counts(*data), Fraction(part, 12))), abs=1e-12)
    pos, neg = (np.stack([side, 2 * side]).astype(float) for side in (scores.pos, scores.neg))
    assert values_of(rate, pos, neg) == pytest.approx([rate.of(scores)] * 2, abs=1e-12)


def test_its_band_is_that_of_recall_with_the_classes_exchanged():
    """Scores and labels turned round: FPR at recall r is 1 - TPR at FPR 1 - r of the mirrored data."""
    rng = np.random.default_rng(2)
    y = np.arange(120) % 3 == 0
    s = (rng.normal(size=120) + y).round(1)
    low, high = th.Scores(y, s).measure("fpr_at_recall", recall=0.8).confidence_interval(0.9)
    other = th.Scores(~y, -s).measure(RecallAtFpr(0.2)).confidence_interval(0.9)
    assert (low, high) == pytest.approx((1 - other.high, 1 - other.low), abs=1e-9)
    assert 0 < low < high < 1


def test_a_population_by_the_normal_law():
    population = th.Population(stats.norm(1.3), stats.norm(), prevalence=0.2)
    assert population.measure(FprAtRecall(0.9)) == pytest.approx(stats.norm.sf(stats.norm.isf(0.9) + 1.3))
