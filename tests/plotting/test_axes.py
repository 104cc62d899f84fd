"""What displays do with axes: limits, palette, bands and marks, as the artists say."""

from __future__ import annotations

from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest

import thresher as th
from thresher.plotting._axes import (
    LINE_WIDTH,
    MARGIN,
    MARKERS,
    PALETTE,
    check_axes,
    draw_band,
    draw_curve,
    draw_marks,
    dress,
    is_drawn,
    new_axes,
)


def test_new_axes_stand_side_by_side():
    first, second = new_axes(2)
    assert first.figure is second.figure
    assert first.figure.get_size_inches().tolist() == [10.0, 5.0]


def test_what_can_be_drawn_on():
    (ax,) = new_axes()
    assert check_axes(ax) is ax
    with pytest.raises(th.InvalidTypeError, match=r"`axes` must be matplotlib Axes; got 3 of type int\. Hint:"):
        check_axes(3, "axes")


def test_a_unit_square_with_a_margin():
    (ax,) = new_axes()
    dress(ax, x="FPR", y="TPR")
    assert (ax.get_xlim(), ax.get_ylim()) == ((-MARGIN, 1 + MARGIN), (-MARGIN, 1 + MARGIN))
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_aspect()) == ("FPR", "TPR", 1.0)
    assert not ax.spines["top"].get_visible()
    assert not ax.spines["right"].get_visible()
    assert ax.spines["left"].get_visible()


def test_a_logarithmic_axis_never_loses_what_is_there():
    (ax,) = new_axes()
    dress(ax, x="FPR", y="TPR", log_x_from=1e-4)
    assert (ax.get_xscale(), ax.get_xlim()) == ("log", (1e-4, 1.15))
    ax.plot([1e-4, 1], [0, 1])
    dress(ax, x="FPR", y="TPR", log_x_from=1e-2)
    assert ax.get_xlim()[0] == pytest.approx(1e-4)
    dress(ax, x="FPR", y="TPR", log_x_from=1e-6)
    assert ax.get_xlim()[0] == pytest.approx(1e-6)


def test_the_palette_is_for_empty_axes():
    (ax,) = new_axes()
    dress(ax, x="x", y="y")
    colours = [draw_curve(ax, [0, 1], [0, 1], label=None, kwargs=None).get_color() for _ in range(2)]
    assert colours == list(PALETTE[:2])
    dress(ax, x="x", y="y")
    assert draw_curve(ax, [0, 1], [0, 1], label=None, kwargs=None).get_color() == PALETTE[2]


def test_options_of_a_line_may_be_short():
    (ax,) = new_axes()
    line = draw_curve(ax, [0, 1], [0, 1], label="a", kwargs={"lw": 9, "c": "red"})
    assert (line.get_linewidth(), line.get_color(), line.get_label()) == (9, "red", "a")
    assert draw_curve(ax, [0, 1], [0, 1], label="b", kwargs=None).get_linewidth() == LINE_WIDTH
    assert is_drawn(ax, "a")
    assert not is_drawn(ax, "c")


def test_bands():
    (ax,) = new_axes()
    band = SimpleNamespace(x=[0, 1], low=[0, 0.5], high=[0.2, 0.9], confidence_level=0.95)
    drawn = draw_band(ax, band, colour="blue")
    assert drawn.get_label() == "95% band"
    corners = {tuple(point) for point in np.round(drawn.get_paths()[0].vertices, 9)}
    assert {(0.0, 0.0), (1.0, 0.5), (0.0, 0.2), (1.0, 0.9)} <= corners
    assert is_drawn(ax, "95% band")
    assert draw_band(ax, SimpleNamespace(x=[0], low=[0], high=[1]), colour="blue").get_label() == "band"
    assert draw_band(ax, None, colour="blue") is None
    with pytest.raises(th.InvalidTypeError, match="`band` must have the arrays `x`, `low` and `high`; got 7"):
        draw_band(ax, 7, colour="blue")


def test_marks_take_shapes_in_turn():
    (ax,) = new_axes()
    marks = [SimpleNamespace(text=str(i)) for i in range(len(MARKERS) + 1)]
    places = [(i / 10, i / 20) for i in range(len(marks))]
    lines = draw_marks(ax, marks, places, colour="green")
    assert [line.get_marker() for line in lines] == [*MARKERS, MARKERS[0]]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in lines] == places
    assert lines[1].get_label() == "_mark 1"
    plt.close(ax.figure)
