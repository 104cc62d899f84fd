"""A legend stands off the curves, within the axes or beside them, and says no more than there is room for."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import thresher as th
from thresher.plotting._place import add_legend, fit_labels, settle


def test_legend_goes_where_no_curve_is() -> None:
    _, ax = plt.subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.plot([0.5, 1.0], [0.05, 0.05], label="low on the right")
    settle(ax)
    legend = add_legend(ax, ("lower right", "upper left"))
    box = legend.get_window_extent().transformed(ax.transAxes.inverted())
    assert box.x1 < 0.5
    assert box.y0 > 0.5


def test_legend_leaves_the_axes_when_they_are_full() -> None:
    x = np.linspace(0, 1, 400)
    for layout in ("constrained", None):
        figure, ax = plt.subplots(layout=layout)
        ax.set(xlim=(0, 1), ylim=(0, 1))
        ax.plot(x, 0.5 + 0.5 * np.sin(300 * x), label="everywhere")
        settle(ax)
        legend = add_legend(ax, ("lower right", "upper left"))
        figure.draw_without_rendering()
        assert legend.get_window_extent().y1 < ax.patch.get_window_extent().y0
        assert legend.get_window_extent().y0 >= 0


@pytest.mark.parametrize("size", [4.0, 5.0])
@pytest.mark.parametrize("kind", ["RocCurveDisplay", "PrCurveDisplay", "CalibrationDisplay"])
def test_no_legend_hides_a_curve_on_axes_that_are_given(size, kind) -> None:
    rng = np.random.default_rng(0)
    y = rng.random(800) < 0.3
    models = {
        f"model {i}": th.Scores(y, 1 / (1 + np.exp(-(1.8 - 0.2 * i) * y - rng.normal(size=800)))) for i in range(8)
    }
    figure, ax = plt.subplots(figsize=(size, size))
    _, alone = plt.subplots(figsize=(size, size))
    before = getattr(th.plotting, kind).from_scores(models, ax=alone, legend=False).ax_.get_tightbbox()
    display = getattr(th.plotting, kind).from_scores(models, ax=ax)
    figure.draw_without_rendering()
    legend = display.legend_.get_window_extent()
    for line in (one.line_ for one in display.displays_):
        points = ax.transData.transform(np.column_stack(line.get_data()))
        hidden = (abs(points - legend.min - (legend.max - legend.min) / 2) < (legend.max - legend.min) / 2).all(axis=1)
        assert hidden.mean() < 0.02
    # It takes no room from its neighbours: both stand where the axes stood alone.
    assert legend.y0 >= before.y0 - 4
    assert ax.get_window_extent().height > 60


def test_nothing_to_say_is_no_legend() -> None:
    _, ax = plt.subplots()
    assert add_legend(ax, ("lower right",)) is None


def test_where_there_is_little_room_the_area_is_named_once() -> None:
    x = np.linspace(0, 1, 400)
    figure, ax = plt.subplots(figsize=(3.3, 3.3), layout="constrained")
    ax.set(xlim=(0, 1), ylim=(0, 1))
    for i in range(12):
        ax.plot(x, 0.5 + 0.5 * np.sin((200 + i) * x), label=f"gradient boosting {i} (AUC 0.{i + 10})")
    ax.plot([0, 1], [0, 1], label="chance (prevalence 0.2)", zorder=1)
    settle(ax)
    legend = add_legend(ax, ("lower right",))
    figure.draw_without_rendering()
    assert legend.get_title().get_text() == "AUC"
    said = [text.get_text() for text in legend.get_texts()]
    assert (said[0], said[-1]) == ("gradient boosting 0  0.10", "chance (prevalence 0.2)")
    assert legend.get_texts()[0].get_fontsize() >= 6.0
    assert legend.get_window_extent().y1 < ax.patch.get_window_extent().y0


def test_a_long_label_is_broken_or_smaller() -> None:
    figure, ax = plt.subplots(figsize=(3.3, 1.2), layout="constrained")
    ax.set(ylabel="Miss rate (false negative rate)", xlabel="short")
    settle(ax)
    fit_labels(ax)
    figure.draw_without_rendering()
    assert ax.get_ylabel() == "Miss rate\n(false negative rate)"
    extent = ax.yaxis.label.get_window_extent()
    assert extent.y0 >= -1
    assert extent.y1 <= figure.bbox.height + 2  # pixels, of which releases of Matplotlib place it differently
    assert ax.get_xlabel() == "short"


def test_parts_of_one_kind_have_one_entry() -> None:
    data = th.datasets.load_digits_eight()
    models = {name: th.Scores(data.y_true, values) for name, values in data.models.items()}
    display = th.plotting.MurphyDisplay.from_scores(models)
    said = [text.get_text() for text in display.legend_.get_texts()]
    assert said.count("recalibrated") == 1
    colours = [one.best_.get_color() for one in display.displays_]
    assert display.legend_.legend_handles[said.index("recalibrated")].get_color() not in colours
