"""Definitions: points counted one by one, and checks that can fail."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from papers.hughes_oliver import definitions
from support.strategies import labelled

POS, NEG = np.array([5, 3, 3]), np.array([4, 3, 1])


@pytest.mark.parametrize("inclusive", [False, True])
def test_points_are_recounted(inclusive):
    points = definitions.points(th.Scores.from_pos_neg(POS, NEG), inclusive=inclusive)
    assert definitions._matches(points, POS, NEG)
    assert not definitions._matches(points, POS, NEG + 1)
    assert not definitions._matches(replace(points, recall=points.recall * 0.9), POS, NEG)


@given(data=labelled(values=st.integers(0, 6).map(float)), inclusive=st.booleans())
def test_points_by_definition(data, inclusive):
    labels, values = data
    points = definitions.points(th.Scores(labels, values), inclusive=inclusive)
    assert points.inclusive is inclusive
    assert points.thresholds.tolist() == sorted(set(values), reverse=True)
    for t, recall, precision in zip(points.thresholds, points.recall, points.precision, strict=True):
        called = [y for y, s in zip(labels, values, strict=True) if (s >= t if inclusive else s > t)]
        assert recall == pytest.approx(sum(called) / sum(labels))
        if called:
            assert precision == pytest.approx(sum(called) / len(called))
        else:
            assert math.isnan(precision)


def test_by_hand():
    scores = th.Scores.from_pos_neg(POS, NEG)
    np.testing.assert_allclose(definitions.points(scores).precision, [1, 1 / 2, 3 / 5, 1 / 2])
    np.testing.assert_allclose(definitions.points(scores, inclusive=False).precision, [np.nan, 1, 1 / 2, 3 / 5])


@pytest.mark.parametrize(
    "entry", [definitions.curve_definitions, definitions.slope_of_precision, definitions.point_estimators]
)
def test_entries_are_as_expected(entry):
    assert [check.what for check in entry().checks if not check.as_expected] == []


def test_a_wrong_formula_is_noticed(monkeypatch):
    wrong = {**definitions.ROC, "C": lambda x: definitions.ROC["A"](x)}
    monkeypatch.setattr(definitions, "ROC", wrong)
    assert not definitions.curve_definitions().checks[0].agrees
