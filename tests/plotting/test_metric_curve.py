import numpy as np
import pytest

import thresher as th

pytest.importorskip("matplotlib")

DATA = th.datasets.load_digits_eight()
SCORES = th.Scores(DATA.y_true, DATA.logistic)


def test_a_line_for_each_metric_with_its_band():
    curve = SCORES.metric_curve("mcc", "f1", "precision")
    display = curve.plot(name="digits", band=True)
    assert [line.get_label() for line in display.lines_] == ["mcc", "f1", "precision"]
    assert len(display.bands_) == 3
    assert (display.ax_.get_xlabel(), display.ax_.get_title()) == ("Threshold", "digits")
    drawn = dict(zip(*display.lines_[0].get_data(), strict=True))
    for threshold, value in zip(curve.thresholds[1::50], curve["mcc"][1::50], strict=True):
        assert drawn[threshold] == value
    assert display.lines_[0].get_drawstyle() == "steps-pre"  # between two scores the higher one decides


def test_undefined_values_have_no_point():
    display = SCORES.metric_curve("precision", x="recall").plot()
    x, y = display.lines_[0].get_data()
    assert np.isfinite(x).all()
    assert np.isfinite(y).all()
    assert display.lines_[0].get_drawstyle() == "default"


def test_curves_only():
    with pytest.raises(th.InvalidTypeError, match=r"Hint: pass `scores\.metric_curve"):
        th.plotting.MetricCurveDisplay(SCORES)


def test_everything_that_has_a_display_draws_itself():
    names = ("roc", "pr", "achievable_pr", "det", "lift", "gain", "cost_curve", "pr_gain", "calibration")
    for name in (*names, "decision_curve", "roc_band", "pr_band", "pr_gain_band"):
        assert getattr(SCORES, name)().plot() is not None
    assert SCORES.plot() is not None
    assert SCORES.roc().hull().plot() is not None
    assert SCORES.calibration().band().plot() is not None
    assert SCORES.decision_curve().band().plot() is not None
