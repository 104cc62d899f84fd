"""The greatest recall with a wanted precision, in exact fractions along every piece of the curve."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from support.strategies import labelled
from thresher.measures import RecallAtPrecision


def greatest_recall(points, precision, skew):
    """Between two points TP and FP are linear, so precision is kept on one side of one place, found by division."""

    def room(x, y):
        return y - precision * (y + skew * x)

    best = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(points):
        first, last = room(x0, y0), room(x1, y1)
        if last >= 0:
            best = max(best, Fraction(y1))
        elif first >= 0:
            best = max(best, y0 + (y1 - y0) * first / (first - last))
    return best / points[-1][1]


@pytest.mark.parametrize("prevalence", [None, Fraction(1, 20), Fraction(4, 5)])
@given(data=labelled(values=st.integers(0, 9).map(float)), part=st.integers(1, 10))
def test_against_fractions(prevalence, data, part):
    points = oracle.counts(*data)
    n_neg, n_pos = points[-1]
    skew = Fraction(1) if prevalence is None else (1 - prevalence) / prevalence * Fraction(n_pos, n_neg)
    measure = RecallAtPrecision(part / 10, None if prevalence is None else float(prevalence))
    want = greatest_recall(points, Fraction(part, 10), skew)
    assert measure.of(th.Scores(*data)) == pytest.approx(float(want), abs=1e-9)


def test_by_hand():
    """TP 4 with FP 0, then 5 of each: precision 2/3 where 4 + 5 t = 2 (4 + 10 t) / 3, at t = 4/5."""
    scores = th.Scores.from_counts([2, 1], pos=[4, 5], neg=[0, 5])
    assert RecallAtPrecision(2 / 3).of(scores) == pytest.approx((4 + 5 * 4 / 5) / 9)
    assert RecallAtPrecision(9 / 14).of(scores) == 1
    assert RecallAtPrecision(1).of(scores) == pytest.approx(4 / 9)
    assert RecallAtPrecision(1).of(th.Scores([0, 1], [2, 1])) == 0
