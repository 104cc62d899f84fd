"""DET, lift, gain and cost curves: the library's points on axes that fit them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

import thresher as th

plt = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is needed to draw")

DATA = th.datasets.load_digits_eight()
TREE, LOGISTIC = (th.Scores(DATA.y_true, values) for values in (DATA.tree, DATA.logistic))
DISPLAYS = [th.DetCurveDisplay, th.LiftCurveDisplay, th.GainCurveDisplay, th.CostCurveDisplay]


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_the_lines_are_the_librarys_curves():
    det = th.DetCurveDisplay.from_scores(TREE)
    curve = TREE.det()
    inner = (curve.fpr > 0) & (curve.fpr < 1) & (curve.fnr > 0) & (curve.fnr < 1)
    np.testing.assert_allclose(ndtr(det.line_.get_xdata()), curve.fpr[inner], rtol=1e-12)
    np.testing.assert_allclose(ndtr(det.line_.get_ydata()), curve.fnr[inner], rtol=1e-12)
    for display, x, y in (
        (th.LiftCurveDisplay.from_scores(TREE), TREE.lift().depth, TREE.lift().lift),
        (th.GainCurveDisplay.from_scores(TREE), TREE.gain().depth, TREE.gain().recall),
        (th.CostCurveDisplay.from_scores(TREE), TREE.cost_curve().probability_cost, TREE.cost_curve().expected_cost),
    ):
        np.testing.assert_array_equal(display.line_.get_xdata(), x)
        np.testing.assert_array_equal(display.line_.get_ydata(), y)


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", DISPLAYS)
def test_two_models_share_axes_with_one_line_of_chance(kind):
    first = kind.from_scores(TREE, name="tree")
    second = kind.from_scores(LOGISTIC, name="logistic", ax=first.ax_)
    labels = [text.get_text() for text in first.ax_.get_legend().get_texts()]
    assert labels[:2] == ["tree", "logistic"]
    assert len(labels) == 3
    assert second.chance_ is None
    assert first.line_.get_color() != second.line_.get_color()
    assert first.line_.get_linestyle() != second.line_.get_linestyle()
    # Both lines lie within the axes.
    for line in (first.line_, second.line_):
        low, high = first.ax_.get_ylim()
        assert low <= np.min(line.get_ydata())
        assert np.max(line.get_ydata()) <= high


@pytest.mark.parametrize("kind", DISPLAYS)
def test_wrong_arguments_are_named(kind):
    with pytest.raises(th.ThresherError, match="`prevalence` must not be given for this curve"):
        kind.from_scores(TREE, prevalence=0.1)
    with pytest.raises(th.ThresherError, match="`curve` must be what `scores"):
        kind.from_curve(TREE.roc())


def test_separated_classes_leave_no_point_on_normal_deviates():
    display = th.DetCurveDisplay.from_scores(th.Scores([0, 0, 1, 1], [1, 2, 3, 4]))
    assert len(display.line_.get_xdata()) == 0
