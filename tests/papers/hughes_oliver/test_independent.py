"""The curves written out by hand: inverse to each other, and their areas in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from papers.hughes_oliver.independent import FPR_AT, ROC, pr, pr_area, roc_area

X = np.array([0.05, 0.3, 0.45, 0.8])


@pytest.mark.parametrize("name", ["A", "B", "C"])
def test_each_curve_is_the_others_inverse(name):
    np.testing.assert_allclose(FPR_AT[name](ROC[name](X)), X, rtol=1e-8)


def test_areas_in_closed_form():
    assert roc_area("A") == pytest.approx(stats.norm.cdf(1.4 / math.sqrt(2)), abs=1e-8)
    assert roc_area("D") == pytest.approx(0.5 * 0.75 + 0.5)
    assert roc_area("E") == pytest.approx(0.125)
    # Case D: precision 1 up to recall 1/2, then x / (x + r (x - 1/2)).
    share, r = 0.25, 3.0
    a, b = 1 + r, -r / 2
    tail = 0.5 / a - b / a**2 * math.log((a + b) / (a / 2 + b))
    assert pr_area("D", share) == pytest.approx(0.5 + tail, abs=1e-8)


def test_case_f_by_counting():
    # Positives 0.2, 0.35, 0.5, 0.75, 0.9: at recall 0.45 the threshold is 0.5, and 0.6 and 0.7 of ten exceed it.
    assert FPR_AT["F"](np.array([0.45]))[0] == pytest.approx(0.2)
    assert ROC["F"](np.array([0.25]))[0] == pytest.approx(0.4)
    assert pr("F", np.array([0.45]), 0.5)[0] == pytest.approx(0.45 / (0.45 + 0.2))
