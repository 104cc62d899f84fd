"""Displays of one curve: the same line from scores, curves and predictions, and what stands with it."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import thresher as th

Y, X = [1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]
SCORES = th.Scores(Y, X)


@pytest.mark.parametrize("display", [th.RocCurveDisplay, th.PrCurveDisplay])
def test_one_line_three_ways(display):
    drawn = [
        display.from_scores(SCORES, name="a"),
        display.from_curve(SCORES.roc(), name="a"),
        display.from_curve(SCORES.pr(), name="a"),
        display.from_predictions(np.where(Y, "ill", "well"), X, pos_label="ill", name="a"),
    ]
    for one in drawn[1:]:
        np.testing.assert_allclose(one.line_.get_xydata(), drawn[0].line_.get_xydata())
        assert one.line_.get_label() == drawn[0].line_.get_label()


def test_the_roc_line_is_the_curve():
    line = th.RocCurveDisplay.from_scores(SCORES).line_
    points = {tuple(point) for point in np.round(line.get_xydata(), 9)}
    for fp, tp in ((0, 0), (0, 2), (1, 2), (1, 3), (3, 3)):
        assert (round(fp / 3, 9), round(tp / 3, 9)) in points


def test_parts_are_kept_on_the_display():
    _, ax = plt.subplots()
    band = SCORES.roc_band()
    display = th.RocCurveDisplay.from_scores(SCORES, name="a", ax=ax, marks=[5, 3], band=band)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    places = np.array([(mark.get_xdata()[0], mark.get_ydata()[0]) for mark in display.marks_])
    np.testing.assert_allclose(places, [(0.0, 2 / 3), (1 / 3, 1.0)])
    assert len(display.labels_) == 2
    assert display.band_ is not None
    assert display.legend_ is not None
    assert "AUC 0.889" in display.line_.get_label()
    bare = th.RocCurveDisplay.from_scores(SCORES, legend=False)
    assert (bare.band_, bare.legend_, bare.marks_) == (None, None, [])


def test_weights_and_prevalence_reach_the_line():
    w = [1, 2, 1, 1, 3, 1]
    weighted = th.PrCurveDisplay.from_predictions(Y, X, sample_weight=w)
    assert weighted.curve == th.Scores(Y, X, sample_weight=w).pr()
    assert th.PrCurveDisplay.from_scores(SCORES, prevalence=0.1).curve.prevalence == 0.1


def test_what_is_no_scores_or_axes():
    with pytest.raises(th.InvalidTypeError, match="`scores` must be"):
        th.RocCurveDisplay.from_scores(SCORES.roc())
    with pytest.raises(th.InvalidTypeError, match="`ax` must be matplotlib Axes"):
        th.RocCurveDisplay.from_scores(SCORES, ax="here")
