"""Brackets of points between confusion matrices, against a walk along the curve."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.strategies import curve_points
from thresher._curves.points import bracket_fp, bracket_tp, counts_between


def first_at(points, target):
    """Return FP where TP first is the target."""
    for (x0, y0), (x1, y1) in pairwise(points):
        if y0 < target <= y1:
            return x0 + (x1 - x0) * (target - y0) / (y1 - y0)
    return Fraction(0)


def last_at(points, target):
    """Return TP where FP last is the target."""
    found = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 <= target <= x1:
            found = Fraction(y1) if x0 == x1 else y0 + (y1 - y0) * (target - x0) / (x1 - x0)
    return found


@given(points=curve_points(), part=st.integers(0, 24))
def test_against_a_walk(points, part):
    fp, tp = (np.array(column) for column in zip(*points, strict=True))
    target = Fraction(part, 24) * points[-1][1]
    found = counts_between(fp, bracket_tp(tp, np.array(float(target))))
    assert float(found) == pytest.approx(float(first_at(points, target)), abs=1e-9)
    target = Fraction(part, 24) * points[-1][0]
    found = counts_between(tp, bracket_fp(fp, np.array(float(target))))
    assert float(found) == pytest.approx(float(last_at(points, target)), abs=1e-9)


def test_ends_are_exact():
    counts = np.array([0, 10**15 + 1, 3 * 10**15])
    for target, want in ((0.0, 0), (float(10**15 + 1), 10**15 + 1), (3e15, 3 * 10**15)):
        assert float(counts_between(counts, bracket_tp(counts, np.array(target)))) == want
    # The first sum of weights and what it lacks to the second do not add up to the second.
    low, high = 0.2, 0.9
    assert low + (high - low) != high
    weights = np.array([0.0, low, high])
    assert counts_between(weights, bracket_tp(weights, weights)).tolist() == weights.tolist()
