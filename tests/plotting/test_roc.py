"""The drawn ROC curve."""

from __future__ import annotations

from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

import thresher as th
from support.golden import scores as golden_scores
from thresher.plotting._axes import PALETTE


def legend_of(display: th.plotting.RocCurveDisplay) -> list[str]:
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_line_is_the_curve(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.RocCurveDisplay.from_scores(digits["logistic"], name="logistic")
    curve = digits["logistic"].roc()
    np.testing.assert_array_equal(display.line_.get_xdata(), curve.fpr)
    np.testing.assert_array_equal(display.line_.get_ydata(), curve.tpr)
    np.testing.assert_array_equal(display.fpr, curve.fpr)
    np.testing.assert_array_equal(display.tpr, curve.tpr)
    assert display.roc_auc == digits["logistic"].roc_auc().value
    assert display.figure_ is display.ax_.figure
    assert display.line_ in display.ax_.lines


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "dataset, column",
    [("tiny_mixed_ties", "score"), ("ties_round1_n1000", "score"), ("weighted_soft_ties_n200", "score")],
)
def test_every_way_in_draws_the_same(dataset: str, column: str) -> None:
    scores = golden_scores(dataset, column)
    drawn = [
        th.plotting.RocCurveDisplay.from_scores(scores),
        th.plotting.RocCurveDisplay.from_curve(scores.roc()),
        th.plotting.RocCurveDisplay.from_curve(scores.pr()),
        th.plotting.RocCurveDisplay(scores.roc(), roc_auc=scores.roc_auc().value).plot(),
    ]
    for display in drawn:
        np.testing.assert_array_equal(display.line_.get_xydata(), drawn[0].line_.get_xydata())
        assert display.roc_auc == pytest.approx(scores.roc_auc().value, rel=1e-12)
        assert legend_of(display) == legend_of(drawn[0])


def test_from_predictions_counts_as_scores_do() -> None:
    labels, values, weights = ["a", "b", "a", "b"], [1, 2, 2, 3], [1.0, 2.0, 0.5, 1.0]
    display = th.plotting.RocCurveDisplay.from_predictions(
        labels, values, pos_label="b", sample_weight=weights, name="w"
    )
    scores = th.Scores(labels, values, pos_label="b", sample_weight=weights)
    np.testing.assert_array_equal(display.line_.get_ydata(), scores.roc().tpr)
    assert display.line_.get_label() == f"w (AUC {scores.roc_auc().value:.3f})"


def test_plot_returns_itself_and_can_be_renamed(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.RocCurveDisplay(digits["tree"].roc(), name="tree")
    assert display.plot() is display
    assert display.line_.get_label() == "tree"
    assert display.plot(name="oak").line_.get_label() == "oak"
    assert display.name == "tree"


def test_axes_are_square_and_labelled(digits: dict[str, th.Scores]) -> None:
    ax = th.plotting.RocCurveDisplay.from_scores(digits["tree"]).ax_
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("False positive rate", "True positive rate (recall)")
    assert ax.get_aspect() == 1.0
    assert ax.get_xlim() == ax.get_ylim()


def test_several_curves_share_axes_and_one_chance_line(digits: dict[str, th.Scores]) -> None:
    figure, ax = plt.subplots()
    first = th.plotting.RocCurveDisplay.from_scores(digits["logistic"], name="logistic", ax=ax, hull=True)
    second = th.plotting.RocCurveDisplay.from_scores(digits["tree"], name="tree", ax=ax)
    assert first.figure_ is second.figure_ is figure
    assert [to_hex(display.line_.get_color()) for display in (first, second)] == list(PALETTE[:2])
    assert first.chance_ is not None
    assert second.chance_ is None
    assert legend_of(second) == ["logistic (AUC 0.975)", "logistic, convex hull", "tree (AUC 0.879)", "chance"]


def test_hull_is_the_hull(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.RocCurveDisplay.from_scores(digits["tree"], hull=True)
    hull = digits["tree"].roc().hull()
    np.testing.assert_array_equal(display.hull_.get_xydata(), np.column_stack([hull.fpr, hull.tpr]))
    assert display.hull_.get_label() == "convex hull"
    assert th.plotting.RocCurveDisplay.from_scores(digits["tree"]).hull_ is None


def test_extras_can_be_left_out(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.RocCurveDisplay.from_scores(digits["tree"], chance=False, legend=False)
    assert display.chance_ is None
    assert display.legend_ is None
    assert display.ax_.lines[:] == [display.line_]


def test_marks_stand_on_their_points(digits: dict[str, th.Scores]) -> None:
    curve = digits["logistic"].roc()
    best = curve.at(fpr=0.25)
    display = th.plotting.RocCurveDisplay.from_scores(digits["logistic"], marks=[0.5, 0.1, best])
    expected = [curve.at(threshold=0.5), curve.at(threshold=0.1), best]
    assert [tuple(line.get_xydata()[0]) for line in display.marks_] == [(point.fpr, point.tpr) for point in expected]
    assert [line.get_color() for line in display.marks_] == [display.line_.get_color()] * 3
    assert [label.get_text() for label in display.labels_][:2] == ["≥ 0.5", "≥ 0.1"]


def test_logarithmic_axis(digits: dict[str, th.Scores]) -> None:
    scores = digits["logistic"]
    display = th.plotting.RocCurveDisplay.from_scores(scores, log_x=True, hull=True, marks=[0.5, 0.1])
    ax = display.ax_
    assert ax.get_xscale() == "log"
    assert ax.get_xlim()[0] == pytest.approx(0.5 / scores.n_neg)
    assert np.all(display.line_.get_xdata() > 0)
    at_zero, inside = (line.get_xydata()[0] for line in display.marks_)
    assert scores.roc().at(threshold=0.5).fpr == 0.0
    assert at_zero[0] == ax.get_xlim()[0]
    assert inside[0] == scores.roc().at(threshold=0.1).fpr
    np.testing.assert_array_equal(display.chance_.get_xdata(), display.chance_.get_ydata())


def test_logarithmic_axes_reach_down_to_the_smallest_rate_of_all(digits: dict[str, th.Scores]) -> None:
    ax = th.plotting.RocCurveDisplay.from_scores(digits["logistic"], log_x=True).ax_
    left = ax.get_xlim()[0]
    th.plotting.RocCurveDisplay.from_predictions([0, 1, 0, 1], [1, 2, 3, 4], ax=ax, log_x=True)
    assert ax.get_xlim()[0] == left


def test_band_is_shaded_in_the_colour_of_the_curve(digits: dict[str, th.Scores]) -> None:
    x = np.linspace(0, 1, 11)
    band = SimpleNamespace(x=x, low=x / 2, high=np.sqrt(x), confidence_level=0.9)
    display = th.plotting.RocCurveDisplay.from_scores(digits["tree"], band=band)
    vertices = display.band_.get_paths()[0].vertices
    assert {tuple(point) for point in np.column_stack([x, x / 2])} <= {tuple(point) for point in vertices}
    assert {tuple(point) for point in np.column_stack([x, np.sqrt(x)])} <= {tuple(point) for point in vertices}
    assert "90% band" in legend_of(display)
    unlevelled = SimpleNamespace(x=x, low=x, high=x)
    assert "band" in legend_of(th.plotting.RocCurveDisplay.from_scores(digits["tree"], band=unlevelled))


def test_line_properties_can_be_given_by_any_of_their_names(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.RocCurveDisplay.from_scores(
        digits["tree"], curve_kwargs={"lw": 4, "c": "black", "label": "mine"}
    )
    assert (display.line_.get_linewidth(), display.line_.get_color()) == (4, "black")
    assert legend_of(display)[0] == "mine"


def test_published_points_can_be_drawn() -> None:
    curve = th.RocCurve.from_points([0.1], [0.8], n_pos=20, n_neg=200)
    display = th.plotting.RocCurveDisplay.from_curve(curve, name="paper")
    assert display.line_.get_label() == "paper (AUC 0.850)"
    assert display.line_.get_xydata().tolist() == [[0, 0], [0.1, 0.8], [1, 1]]


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: th.plotting.RocCurveDisplay.from_scores([0, 1]),
            (
                "`scores` must be thresher.Scores; got [0, 1] of type list. "
                "Hint: use `from_predictions(y_true, y_score)` for arrays and `from_curve` for a curve."
            ),
        ),
        (
            lambda: th.plotting.RocCurveDisplay.from_curve("roc"),
            (
                "`curve` must be a RocCurve or a PrCurve; got 'roc' of type str. "
                "Hint: pass what `scores.roc()` or `scores.pr()` returns, or use `from_scores`."
            ),
        ),
        (
            lambda: th.plotting.RocCurveDisplay.from_predictions([0, 1], [1, 2], ax="left"),
            (
                "`ax` must be matplotlib Axes; got 'left' of type str. "
                "Hint: `figure, ax = matplotlib.pyplot.subplots()`; leave it out for new ones."
            ),
        ),
        (
            lambda: th.plotting.RocCurveDisplay.from_predictions([0, 1], [1, 2], band=0.95),
            (
                "`band` must have the arrays `x`, `low` and `high`; got 0.95 of type float. "
                "Hint: pass what `roc_band` or `pr_band` of the scores returns."
            ),
        ),
    ],
)
def test_wrong_things_are_refused(call: object, message: str) -> None:
    with pytest.raises(th.InvalidTypeError) as error:
        call()  # type: ignore[operator]
    assert str(error.value) == message


def test_a_missing_class_is_refused() -> None:
    with pytest.raises(th.UndefinedMetricError):
        th.plotting.RocCurveDisplay.from_predictions([1, 1], [1, 2])
