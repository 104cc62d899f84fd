from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import thresher as th


@pytest.fixture
def found():
    data = th.datasets.load_digits_eight()
    return th.estimates(data.y_true, data.models)


def test_points_and_intervals_are_those_of_the_estimates(found):
    display = th.plotting.ForestDisplay.from_estimates(found, confidence_level=0.9)
    assert display.points_.get_xdata().tolist() == found.values.tolist()
    ends = [segment[:, 0].tolist() for segment in display.lines_.get_segments()]
    assert ends == [list(found[name].confidence_interval(0.9)) for name in found.names]
    assert display.ax_.get_ylim() == (1.5, -0.5)  # the first at the top
    assert display.null is None
    plt.close(display.figure_)


def test_contrasts_have_a_line_at_no_difference(found):
    figure, ax = plt.subplots()
    display = th.plotting.ForestDisplay.from_estimates(found.simultaneous(), ax=ax)
    assert display.ax_ is ax
    assert ax.get_xlabel() == "Difference"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["logistic - tree"]
    plt.close(figure)


def test_an_estimate_without_an_interval_is_a_point():
    y = np.arange(40) < 20
    found = th.estimates(y, {"a": y * 1.0, "b": np.arange(40.0) % 7}, metrics=["average_precision"])
    display = th.plotting.ForestDisplay.from_estimates(found)
    assert np.isnan(display.low[0])
    assert display.low[1] < display.values[1]
    plt.close(display.figure_)


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(th.InvalidTypeError, match="must be Estimates"):
        th.plotting.ForestDisplay.from_estimates([1, 2])
    with pytest.raises(th.InvalidInputError, match="at most 60"):
        th.plotting.ForestDisplay(range(61), range(61), range(61), range(61))
