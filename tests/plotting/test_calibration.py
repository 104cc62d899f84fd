"""Drawn calibration and Murphy diagrams hold the numbers of their curves."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex

import thresher as th


def test_the_curve_is_drawn_with_its_bands(digits):
    display = th.plotting.CalibrationDisplay.from_scores(digits["logistic"], name="logistic", rng=0)
    calibration = digits["logistic"].calibration()
    x, y = display.line_.get_data()
    np.testing.assert_array_equal(x, calibration.scores[::-1])
    np.testing.assert_array_equal(y, calibration.calibrated[::-1])
    np.testing.assert_array_equal(display.band_.get_ydata(), calibration.band().high)
    assert display.consistency_ is not None
    steps = [patch.get_data().values for patch in display.ax_histogram_.patches]
    assert (steps[0] >= 0).all()
    assert (steps[1] <= 0).all()
    heights = sum(float(abs(step).sum()) for step in steps)
    assert heights == pytest.approx(calibration.counts.n_pos + calibration.counts.n_neg)


def test_two_models_share_axes_and_the_diagonal(digits):
    first = th.plotting.CalibrationDisplay.from_scores(digits["logistic"], name="a", band=None, consistency=False)
    second = th.plotting.CalibrationDisplay.from_scores(
        digits["tree"], name="b", ax=first.ax_, band=None, consistency=False
    )
    assert second.ax_ is first.ax_
    # The histogram has both: outlines in the colours of the curves.
    assert second.ax_histogram_ is first.ax_histogram_
    steps = first.ax_histogram_.patches
    assert len(steps) == 4
    assert not any(step.get_fill() for step in steps)
    outlines = [to_hex(step.get_edgecolor()) for step in steps]
    assert outlines == [to_hex(one.line_.get_color()) for one in (first, first, second, second)]
    labels = [text.get_text() for text in first.ax_.get_legend().get_texts()]
    assert labels.count("calibrated") == 1
    assert first.line_.get_color() != second.line_.get_color()


def test_another_prevalence_has_no_bands(digits):
    display = th.plotting.CalibrationDisplay.from_scores(digits["logistic"], prevalence=0.01)
    assert display.band_ is None
    assert display.consistency_ is None
    assert display.line_.get_ydata().max() <= 1.0


def test_murphy(digits):
    display = th.plotting.MurphyDisplay.from_scores(digits["logistic"], name="logistic")
    curve = digits["logistic"].calibration().murphy()
    np.testing.assert_array_equal(display.line_.get_ydata(), curve.mean)
    np.testing.assert_array_equal(display.best_.get_ydata(), curve.recalibrated)


def test_many_models_are_drawn_without_bands_that_hide_them():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    models = {f"m{i}": th.Scores(y, 1 / (1 + np.exp(-rng.normal(size=300) - y))) for i in range(5)}
    display = th.plotting.CalibrationDisplay.from_scores(models)
    assert all(one.band_ is None and one.consistency_ is None for one in display.displays_)
    asked = th.plotting.CalibrationDisplay.from_scores(models, band="confidence", consistency=False)
    assert all(one.band_ is not None for one in asked.displays_)
