"""Cases A to F: checks that notice what is wrong, and marks that name crowded thresholds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize

from papers.drawing import panels
from papers.hughes_oliver import cases
from thresher.population import CASES


def test_a_likelihood_ratio_and_a_wrong_one():
    t = np.linspace(-3, 5, 81)
    assert cases._ratio("A", lambda t: np.exp(1.4 * t - 0.98), t, "").agrees
    assert not cases._ratio("A", lambda t: np.exp(1.4 * t - 0.97), t, "").agrees


def test_where_curves_start_and_end():
    assert all(check.agrees for check in cases._ends("C", (0, 1), (1, 0.5), 1 / 11))
    wrong = cases._ends("C", (0.1, 1), (1, 0.5), 1 / 11)
    assert [check.agrees for check in wrong] == [False, True, True, True, True]


@pytest.mark.parametrize("name, roc, pr", [("A", "concave", "nonincreasing"), ("E", "convex", "nondecreasing")])
def test_shapes(name, roc, pr):
    assert cases._shape(name, roc, pr).agrees
    assert not cases._shape(name, "neither", pr).agrees


def test_the_end_of_chance_is_a_crossing():
    case = CASES["B"]
    found = cases._end_of_chance(case, -1.5, 0.0)
    want = optimize.brentq(lambda t: case.at(threshold=t).tpr - case.at(threshold=t).fpr, -1.5, 0.0, xtol=1e-12)
    assert found == pytest.approx(want, abs=1e-9)


@pytest.mark.parametrize("entry", [cases.case_a, cases.case_c, cases.case_d, cases.case_e, cases.case_f])
def test_entries_are_as_expected(entry):
    assert [check.what for check in entry().checks if not check.as_expected] == []


def test_crowded_marks_share_a_name():
    pytest.importorskip("matplotlib")
    ax = panels(1, 1)[1][0, 0]
    cases._mark(ax, [(0.0, 0.0), (0.01, 0.0), (0.02, 0.01), (0.5, 0.5)], "#000000")
    assert [text.get_text() for text in ax.texts] == ["1–3", "4"]
    assert len(ax.lines) == 4
    assert math.isclose(ax.texts[1].xy[0], 0.5)
