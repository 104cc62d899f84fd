from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import thresher as th

RNG = np.random.default_rng(0)
Y = np.arange(90) % 3
FOUND = th.multiclass(Y, RNG.dirichlet((1, 1, 1), 90) * 0.5 + 0.5 * np.eye(3)[Y], labels=[0, 1, 2])


@pytest.mark.parametrize("curve", ["roc", "pr", "calibration"])
def test_a_panel_for_each_class(curve):
    display = th.plotting.ClassesDisplay.from_classes(FOUND, curve=curve, columns=2)
    assert [ax.get_title() for ax in display.axes_] == ["0", "1", "2"]
    assert len(display.figure_.axes) >= 4
    plt.close(display.figure_)


def test_panels_hold_the_curves_of_one_against_the_rest():
    display = th.plotting.ClassesDisplay.from_classes(FOUND)
    for label, panel in zip(FOUND.labels, display.displays_, strict=True):
        np.testing.assert_array_equal(panel.line_.get_ydata()[-1], FOUND.scores(label).roc().tpr[-1])
        assert f"{FOUND.scores(label).roc_auc().value:.3f}" in panel.line_.get_label()
    plt.close(display.figure_)


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(th.InvalidTypeError, match=r"must be what `th\.multiclass`"):
        th.plotting.ClassesDisplay(FOUND.scores(0))
    with pytest.raises(th.InvalidInputError, match="`curve` must be"):
        th.plotting.ClassesDisplay(FOUND, curve="lift")
    many = th.multilabel(np.eye(31), np.eye(31))
    with pytest.raises(th.InvalidInputError, match="at most 30 classes"):
        th.plotting.ClassesDisplay(many)
