"""Curves in the two spaces: means over seeds, pairs of points, marks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from papers.davis_goadrich import curves
from papers.drawing import panels


def test_the_interval_of_a_mean():
    values = np.array([0.1, 0.4, 0.2, 0.35, -0.1])
    want = stats.t.interval(0.95, 4, values.mean(), stats.sem(values))
    assert curves._mean_interval(values) == pytest.approx(want, rel=1e-12)


def test_points_at_equal_recall():
    strict = curves._drawn_pair("x", curves._CURVE_II, Fraction(12), strict=True)
    assert strict.agrees
    assert strict.ours == "3/11 < 3/8, at recall 3/5"
    assert not curves._drawn_pair("x", curves._TOUCHING, Fraction(12), strict=True).agrees
    assert curves._drawn_pair("x", curves._TOUCHING, Fraction(12), strict=False).agrees


@pytest.mark.parametrize("entry", [curves.figure_3, curves.figure_4, curves.figure_5])
def test_entries_are_as_expected(entry):
    assert [check.what for check in entry().checks if not check.as_expected] == []


def test_four_points_lie_beneath_the_hull():
    found = {check.what: check.ours for check in curves.figure_5().checks}
    assert found["points left out of both"] == "(28, 20), (62, 80), (84, 170), (97, 330)"


def test_two_marks_or_one():
    pytest.importorskip("matplotlib")
    for places, names in (([(0.1, 0.6), (0.3, 0.6)], ["A", "B"]), ([(0.3, 0.6), (0.3, 0.6)], ["A = B"])):
        ax = panels(1, 1)[1][0, 0]
        curves._mark(ax, places, ((6, -13), (-14, 5)), together=(8, -14))
        assert [text.get_text() for text in ax.texts] == names
        assert [tuple(mark.get_xydata()[0]) for mark in ax.lines] == places[: len(names)]
