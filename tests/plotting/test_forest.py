import numpy as np
import pytest

import thresher as th

pytest.importorskip("matplotlib")

DATA = th.datasets.load_digits_eight()
GROUPS = th.by_group(DATA.y_true, DATA.tree, ["a", "b", "c"] * 599, metric="recall", threshold=0.5)


@pytest.mark.parametrize("what", ["intervals", "gaps", "fairness"])
def test_a_row_for_each_with_its_interval(what):
    result = getattr(GROUPS, what)()
    display = result.plot(name="title")
    _, rows, zero = result._forest()
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == [row[0] for row in rows]
    segments = display.rows_.lines[2][0].get_segments()
    ends = [end for row in rows for end in row[2:]]
    assert [point[0] for one in segments for point in one] == pytest.approx(ends)
    assert display.rows_.lines[0].get_xdata().tolist() == [row[1] for row in rows]
    assert (zero is None) == (what == "intervals")
    assert display.ax_.get_title() == "title"
    assert display.ax_.yaxis_inverted()


def test_it_draws_where_it_is_told():
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots()
    display = th.plotting.ForestDisplay(GROUPS.gaps("a")).plot(ax, color="black", errorbar_kwargs={"capsize": 0})
    assert display.ax_ is ax
    assert display.figure_ is figure
    with pytest.raises(th.InvalidTypeError, match="must be estimates, or the intervals"):
        th.plotting.ForestDisplay(DATA)


FOUND = th.estimates(DATA.y_true, DATA.models)


def test_estimates_and_contrasts():
    display = FOUND.plot()
    assert display.rows_.lines[0].get_xdata().tolist() == FOUND.values.tolist()
    ends = [list(one[:, 0]) for one in display.rows_.lines[2][0].get_segments()]
    assert ends == [pytest.approx(list(FOUND[name].confidence_interval())) for name in FOUND.names]
    pairs = FOUND.simultaneous().plot()
    assert pairs.ax_.get_xlabel() == "Difference"
    assert [label.get_text() for label in pairs.ax_.get_yticklabels()] == ["logistic - tree"]


def test_an_estimate_without_an_interval_is_a_point():
    y = np.arange(40) < 20
    found = th.estimates(y, {"a": y * 1.0, "b": np.arange(40.0) % 7}, metrics=["average_precision"])
    (first, _), (low, high) = (one[:, 0] for one in found.plot().rows_.lines[2][0].get_segments())
    assert first == found.values[0]
    assert low < found.values[1] < high


def test_long_lists_are_refused():
    names = {f"m{k}": np.arange(40.0) % (k + 2) for k in range(61)}
    with pytest.raises(th.InvalidInputError, match="at most 60"):
        th.estimates(np.arange(40) < 20, names).plot()
