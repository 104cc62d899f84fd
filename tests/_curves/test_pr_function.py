"""Hughes-Oliver's estimators against their definitions, row by row."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.strategies import labelled
from thresher._curves.pr import pr_function


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
