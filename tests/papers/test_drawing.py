"""Axes and lines of the redrawn figures."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from papers import drawing

pytest.importorskip("matplotlib")
SCORES = th.Scores.from_counts([3.0, 2.0, 1.0], [5, 5, 10], [5, 25, 1970])


@pytest.fixture
def ax():
    return drawing.panels(1, 1)[1][0, 0]


def test_no_window_knows_of_a_figure():
    from matplotlib import pyplot as plt

    before = plt.get_fignums()
    figure, axes = drawing.panels(2, 3, width=2.0, height=1.0)
    assert axes.shape == (2, 3)
    assert figure.get_size_inches().tolist() == [6.0, 2.0]
    assert plt.get_fignums() == before


def test_chance_in_both_spaces(ax):
    (chance,) = drawing.roc_axes(ax, "R").lines
    assert chance.get_xydata().tolist() == [[0, 0], [1, 1]]
    other = drawing.pr_axes(drawing.panels(1, 1)[1][0, 0], prevalence=0.2, bound=True)
    level, lowest = other.lines
    assert set(level.get_ydata()) == {0.2}
    x, y = lowest.get_data()
    np.testing.assert_allclose(y, [0.2 * r / (0.2 * r + 0.8) for r in x])
    assert not drawing.pr_axes(drawing.panels(1, 1)[1][0, 0]).lines


def test_curves_can_be_told_apart_without_colour():
    looks = [drawing.style(i) for i in range(len(drawing.PALETTE))]
    assert len({look["color"] for look in looks}) == len(looks)
    assert len({str(look["linestyle"]) for look in looks[:5]}) == 5


def test_a_roc_curve_is_its_points(ax):
    drawn = drawing.draw_roc(ax, SCORES.roc(), 1, label="x", linewidth=9)
    np.testing.assert_array_equal(drawn.get_xdata(), SCORES.roc().fpr)
    assert (drawn.get_linewidth(), drawn.get_label(), drawn.get_color()) == (9, "x", drawing.PALETTE[1])


def test_a_pr_curve_bends_as_it_must(ax):
    x, y = drawing.draw_pr(ax, SCORES.pr(), 0).get_data()
    assert (x[0], y[0]) == (0.0, 0.5)  # the limit at the first group of scores
    # Between five true positives of ten calls and ten of forty: five false positives for each true one.
    inner = (x > 0.25) & (x < 0.5)
    tp = 20 * x[inner]
    assert inner.sum() == 63
    np.testing.assert_allclose(y[inner], tp / (tp + 5 + 5 * (tp - 5)))
    for recall, precision in zip(SCORES.pr().recall[1:], SCORES.pr().precision[1:], strict=True):
        assert precision in y[x == recall]


def test_a_legend_shows_dashes(ax):
    drawing.line(ax, [0, 1], [0, 1], 2, label="dashed")
    drawing.legend(ax, "upper left", fontsize=7)
    assert ax.get_legend().handlelength == 2.8
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["dashed"]
