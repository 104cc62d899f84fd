"""Precision at a recall: where the curve first has it, in exact fractions."""

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
from thresher.measures import PrecisionAtRecall


def precision(points, recall, skew):
    at = recall * points[-1][1]
    for (x0, y0), (x1, y1) in pairwise(points):
        if y0 < at <= y1:
            false = x0 + Fraction(x1 - x0) * (at - y0) / (y1 - y0)
            return at / (at + skew * false)
    raise AssertionError


@pytest.mark.parametrize("prevalence", [None, Fraction(1, 20), Fraction(4, 5)])
@given(data=labelled(values=st.integers(0, 9).map(float)), part=st.integers(1, 12))
def test_against_fractions(prevalence, data, part):
    points, scores = oracle.counts(*data), th.Scores(*data)
    n_neg, n_pos = points[-1]
    skew = Fraction(1) if prevalence is None else (1 - prevalence) / prevalence * Fraction(n_pos, n_neg)
    measure = PrecisionAtRecall(part / 12, None if prevalence is None else float(prevalence))
    want = float(precision(points, Fraction(part, 12), skew))
    assert measure.of(scores) == pytest.approx(want, abs=1e-12)
    pos, neg = (np.stack([side, 2 * side]).astype(float) for side in (scores.pos, scores.neg))
    assert values_of(measure, pos, neg) == pytest.approx([want] * 2, abs=1e-12)


def test_a_population_by_the_normal_law():
    population = th.Population(stats.norm(1.3), stats.norm(), prevalence=0.2)
    fpr = stats.norm.sf(stats.norm.isf(0.7) + 1.3)
    assert population.measure(PrecisionAtRecall(0.7)) == pytest.approx(0.14 / (0.14 + 0.8 * fpr))
    assert population.measure(PrecisionAtRecall(0.7, 0.01)) == pytest.approx(0.007 / (0.007 + 0.99 * fpr))
