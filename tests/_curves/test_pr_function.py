"""Hughes-Oliver's estimators against their definitions, row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.strategies import labelled


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
