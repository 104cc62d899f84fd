"""The drawn decision curve holds the numbers of its curve."""

from __future__ import annotations

import numpy as np

import thresher as th


def test_curve_and_references(digits):
    display = th.plotting.DecisionCurveDisplay.from_scores(digits["logistic"], name="logistic", band=True)
    curve = digits["logistic"].decision_curve()
    np.testing.assert_array_equal(display.line_.get_ydata(), curve.net_benefit)
    assert display.band_ is not None
    th.plotting.DecisionCurveDisplay.from_scores(digits["tree"], name="tree", ax=display.ax_)
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["logistic", "tree", "act on all", "act on none", "95% band"]


def test_the_hull_says_what_it_is(digits):
    display = th.plotting.DecisionCurveDisplay.from_scores(digits["tree"], calibrate="hull")
    assert display.line_.get_label() == "act on the score (achievable in sample)"
