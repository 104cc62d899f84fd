"""Curves, scores and bands draw themselves."""

import matplotlib.pyplot as plt
import pytest

import thresher as th

SCORES = th.Scores([0, 1, 0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.9, 0.5])


@pytest.mark.parametrize("kind", ["roc", "pr", "det", "lift", "gain", "cost_curve", "pr_gain", "achievable_pr"])
def test_a_curve_draws_itself_with_the_display_of_its_name(kind):
    display = getattr(SCORES, kind)().plot()
    assert type(display).__module__.startswith("thresher.plotting")
    assert display.ax_.lines
    plt.close(display.figure_)


def test_scores_draw_both_curves():
    display = SCORES.plot()
    assert display.ax_roc_.lines
    assert display.ax_pr_.lines
    plt.close(display.figure_)


@pytest.mark.parametrize("kind", ["roc_band", "pr_band", "pr_gain_band"])
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
def test_a_band_draws_itself(kind):
    ax = getattr(SCORES, kind)().plot()
    assert ax.collections
    plt.close(ax.figure)


def test_a_metric_by_another_is_named_on_the_axes():
    ax = SCORES.metric_curve("f1", x="recall").band().plot()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Recall", "F1")
    plt.close(ax.figure)
