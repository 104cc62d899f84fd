"""Hughes-Oliver's estimators against their definitions, row by row."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.strategies import labelled
from thresher._curves.pr_function import pr_function


@given(data=labelled(values=st.integers(0, 6).map(float)), inclusive=st.booleans())
def test_points_by_definition(data, inclusive):
    labels, values = data
    points = th.Scores(labels, values).pr_points(inclusive=inclusive)
    assert points.inclusive is inclusive
    assert points.thresholds.tolist() == sorted(set(values), reverse=True)
    for t, recall, precision in zip(points.thresholds, points.recall, points.precision, strict=True):
        called = [y for y, s in zip(labels, values, strict=True) if (s >= t if inclusive else s > t)]
        assert recall == pytest.approx(sum(called) / sum(labels))
        if called:
            assert precision == pytest.approx(sum(called) / len(called))
        else:
            assert math.isnan(precision)


def test_inclusive_points_are_those_of_the_curve():
    scores = th.Scores([1, 0, 1, 1, 0], [5, 4, 4, 2, 1])
    curve, points = scores.pr(), scores.pr_points()
    np.testing.assert_array_equal(points.recall, curve.recall[1:])
    np.testing.assert_array_equal(points.precision, curve.precision[1:])


def test_one_class():
    with pytest.raises(th.UndefinedMetricError, match="A set of PR points"):
        th.Scores([1, 1], [1, 2]).pr_points()


@pytest.mark.parametrize("prevalence", [None, Fraction(1, 10), Fraction(3, 4)])
@given(data=labelled(values=st.integers(0, 9).map(float)), part=st.integers(0, 11))
def test_by_definition(prevalence, data, part):
    labels, values = data
    pos = sorted((v for y, v in zip(labels, values, strict=True) if y), reverse=True)
    neg = [v for y, v in zip(labels, values, strict=True) if not y]
    recall = Fraction(part, 12)
    found = recall * len(pos)
    # The positive that stands where the next one is found; below the last there is none, and recall stays under 1.
    asked = pos[int(found)]
    above = sum(v > asked for v in neg)
    skew = Fraction(1)
    if prevalence is not None:
        skew = (1 - prevalence) / prevalence * Fraction(len(pos), len(neg))
    total = found + skew * above
    want = found / total if total else Fraction(1)
    share = None if prevalence is None else float(prevalence)
    assert float(pr_function(th.Scores(*data), part / 12, prevalence=share)) == pytest.approx(float(want), abs=1e-12)


def test_at_recall_1_it_is_the_prevalence():
    scores = th.Scores([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
    assert float(pr_function(scores, 1.0)) == pytest.approx(0.4)
    assert float(pr_function(scores, 1.0, prevalence=0.05)) == pytest.approx(0.05)


def test_less_than_one_case_is_divided_as_any_number():
    """One of ten negatives stands above five positives: of a weight of 1/18 where nine in ten cases are positive."""
    scores = th.Scores([0, *[1] * 5, *[0] * 9], range(15, 0, -1))
    for recall in (0.01, 0.1, 0.19):
        found, above = 5 * recall, (1 / 9) * (5 / 10)
        assert float(pr_function(scores, recall, prevalence=0.9)) == pytest.approx(found / (found + above))
    # Without a negative above them nothing is lost, however little is asked for.
    clean = th.Scores([1] * 5 + [0] * 10, range(15, 0, -1))
    assert pr_function(clean, [0.0, 0.01, 0.1, 0.19]).tolist() == [1.0] * 4
