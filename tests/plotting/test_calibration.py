"""Drawn calibration and Murphy diagrams hold the numbers of their curves."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th


def test_the_curve_is_drawn_with_its_bands(digits):
    display = th.plotting.CalibrationDisplay.from_scores(digits["logistic"], name="logistic", rng=0)
    calibration = digits["logistic"].calibration()
    x, y = display.line_.get_data()
    np.testing.assert_array_equal(x, calibration.scores[::-1])
    np.testing.assert_array_equal(y, calibration.calibrated[::-1])
    np.testing.assert_array_equal(display.band_.get_ydata(), calibration.band().high)
    assert display.consistency_ is not None
    heights = sum(abs(bar.get_height()) for bar in display.ax_histogram_.patches)
    assert heights == pytest.approx(calibration.counts.n_pos + calibration.counts.n_neg)


def test_two_models_share_axes_and_the_diagonal(digits):
    first = th.plotting.CalibrationDisplay.from_scores(digits["logistic"], name="a", band=None, consistency=False)
    second = th.plotting.CalibrationDisplay.from_scores(
        digits["tree"], name="b", ax=first.ax_, band=None, consistency=False
    )
    assert second.ax_ is first.ax_
    assert second.ax_histogram_ is None
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
