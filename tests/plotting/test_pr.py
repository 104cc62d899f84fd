"""The drawn precision-recall curve."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

import thresher as th
from support.golden import scores as golden_scores
from support.thorough import dear
from thresher.plotting._paths import TOLERANCE


def legend_of(display: th.plotting.PrCurveDisplay) -> list[str]:
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_line_passes_through_every_point_of_the_curve(digits: dict[str, th.Scores]) -> None:
    curve = digits["tree"].pr()
    display = th.plotting.PrCurveDisplay.from_scores(digits["tree"], name="tree")
    drawn = {tuple(point) for point in display.line_.get_xydata()}
    assert set(zip(curve.recall.tolist(), curve.precision.tolist(), strict=True)) <= drawn
    np.testing.assert_array_equal(display.recall, curve.recall)
    np.testing.assert_array_equal(display.precision, curve.precision)
    assert display.pr_auc == digits["tree"].pr_auc().value


def test_area_under_the_drawn_line_is_the_area_in_the_legend(digits: dict[str, th.Scores]) -> None:
    for scores in digits.values():
        display = th.plotting.PrCurveDisplay.from_scores(scores)
        x, y = display.line_.get_data()
        assert np.trapezoid(y, x) == pytest.approx(display.pr_auc, abs=TOLERANCE)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "dataset, column",
    [("tiny_lead_tie_group", "score"), ("ties_round1_n1000", "score"), ("weighted_soft_ties_n200", "score")],
)
@pytest.mark.parametrize("prevalence", dear([0.02, None], 1))
def test_every_way_in_draws_the_same(dataset: str, column: str, prevalence: float | None) -> None:
    scores = golden_scores(dataset, column)
    drawn = [
        th.plotting.PrCurveDisplay.from_scores(scores, prevalence=prevalence),
        th.plotting.PrCurveDisplay.from_curve(scores.pr(prevalence=prevalence)),
        th.plotting.PrCurveDisplay.from_curve(scores.roc(), prevalence=prevalence),
        th.plotting.PrCurveDisplay.from_curve(scores.pr(), prevalence=prevalence),
    ]
    for display in drawn:
        np.testing.assert_array_equal(display.line_.get_xydata(), drawn[0].line_.get_xydata())
        assert display.pr_auc == pytest.approx(scores.pr_auc(prevalence=prevalence).value, rel=1e-12)
        assert display.prevalence == scores.pr(prevalence=prevalence).prevalence
        assert legend_of(display) == legend_of(drawn[0])


def test_from_predictions_counts_as_scores_do() -> None:
    labels, values, weights = ["a", "b", "a", "b"], [1, 2, 2, 3], [1.0, 2.0, 0.5, 1.0]
    display = th.plotting.PrCurveDisplay.from_predictions(
        labels, values, pos_label="b", sample_weight=weights, prevalence=0.1, name="w"
    )
    scores = th.Scores(labels, values, pos_label="b", sample_weight=weights)
    assert display.pr_auc == scores.pr_auc(prevalence=0.1).value
    assert display.line_.get_label() == f"w (PR AUC {display.pr_auc:.3f})"


def test_curve_keeps_its_start_rule() -> None:
    display = th.plotting.PrCurveDisplay.from_curve(th.Scores([0, 1, 1], [3, 2, 1]).pr(start="one"))
    assert display.line_.get_xydata()[:2].tolist() == [[0.0, 1.0], [0.0, 0.0]]


def test_chance_is_the_prevalence(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.PrCurveDisplay.from_scores(digits["tree"], prevalence=0.25)
    assert display.chance_.get_ydata().tolist() == [0.25, 0.25]
    assert "chance (prevalence 0.250)" in legend_of(display)
    other = th.plotting.PrCurveDisplay.from_scores(digits["tree"], ax=display.ax_)
    assert other.chance_.get_ydata().tolist() == [digits["tree"].prevalence] * 2
    assert th.plotting.PrCurveDisplay.from_scores(digits["logistic"], ax=display.ax_).chance_ is None


def test_unachievable_region_lies_below_its_bound(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.PrCurveDisplay.from_scores(digits["tree"], prevalence=0.5)
    vertices = display.unachievable_.get_paths()[0].vertices
    np.testing.assert_array_less(vertices[:, 1], th.pr_lower_bound(vertices[:, 0], 0.5) + 1e-12)
    assert vertices[:, 1].max() == pytest.approx(0.5)
    assert th.plotting.PrCurveDisplay.from_scores(digits["tree"], unachievable=False).unachievable_ is None


def test_lines_of_equal_f(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.PrCurveDisplay.from_scores(digits["tree"], iso_f=True)
    assert len(display.iso_f_) == 5
    for level, line in zip((0.2, 0.4, 0.6, 0.8, 0.9), display.iso_f_, strict=True):
        recall, precision = line.get_data()
        np.testing.assert_allclose(2 * recall * precision / (recall + precision), level, rtol=1e-12)
        assert (recall.max(), precision.max()) == (1.0, 1.0)
    texts = [text.get_text() for text in display.ax_.texts]
    assert texts == ["F1 = 0.2", "0.4", "0.6", "0.8", "0.9"]
    again = th.plotting.PrCurveDisplay.from_scores(digits["logistic"], iso_f=True, ax=display.ax_)
    assert again.iso_f_ == []
    assert len(display.ax_.texts) == 5


def test_crowded_values_of_f_are_not_written_over_each_other(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.PrCurveDisplay.from_scores(digits["tree"], iso_f=np.linspace(0.05, 0.95, 37))
    assert len(display.iso_f_) == 37
    display.figure_.draw_without_rendering()
    boxes = sorted((text.get_window_extent() for text in display.ax_.texts), key=lambda box: box.y0)
    assert len(boxes) > 10
    assert all(low.y1 <= high.y0 for low, high in itertools.pairwise(boxes))


def test_achievable_curve(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.PrCurveDisplay.from_scores(digits["tree"], achievable=True, prevalence=0.3)
    best = digits["tree"].achievable_pr(prevalence=0.3)
    x, y = display.achievable_.get_data()
    grid = np.linspace(0.001, 0.999, 400)
    np.testing.assert_allclose(np.interp(grid, x, y), best.interpolate(grid), atol=2 * TOLERANCE)
    assert "achievable" in legend_of(display)


def test_marks_stand_on_the_curve_of_another_prevalence(digits: dict[str, th.Scores]) -> None:
    scores = digits["logistic"]
    display = th.plotting.PrCurveDisplay.from_scores(
        scores, prevalence=0.02, marks=[0.3, scores.roc().at(threshold=0.1)]
    )
    for line, threshold in zip(display.marks_, (0.3, 0.1), strict=True):
        point = scores.pr(prevalence=0.02).at(threshold=threshold)
        np.testing.assert_allclose(line.get_xydata()[0], (point.recall, point.precision), rtol=1e-12)
    assert [label.get_text() for label in display.labels_] == ["≥ 0.3", "≥ 0.1"]


def test_band_and_line_properties(digits: dict[str, th.Scores]) -> None:
    x = np.linspace(0, 1, 5)
    band = SimpleNamespace(x=x, low=0.1 * x, high=1 - 0.1 * x)
    display = th.plotting.PrCurveDisplay.from_scores(digits["tree"], band=band, curve_kwargs={"color": "black"})
    assert display.line_.get_color() == "black"
    assert display.band_.get_facecolor()[0, :3].tolist() == [0, 0, 0]


def test_plot_returns_itself(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.PrCurveDisplay(digits["tree"].pr(), name="tree")
    assert display.plot(name="oak") is display
    assert display.line_.get_label() == "oak"
    assert display.ax_.get_aspect() == 1.0
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("Recall (true positive rate)", "Precision")


def test_long_curves_draw_few_vertices() -> None:
    rng = np.random.default_rng(0)
    labels = rng.random(300_000) < 0.01
    display = th.plotting.PrCurveDisplay.from_predictions(labels, rng.normal(size=labels.size) + labels)
    assert len(display.line_.get_xdata()) <= 16_384


@pytest.mark.parametrize(
    "iso_f, message",
    [
        ([0.5, 1.0], "`iso_f` must be in (0, 1); got 1.0. Hint: 0.2, 0.4, 0.6 and 0.8 are usual."),
        (0.0, "`iso_f` must be in (0, 1); got 0.0. Hint: 0.2, 0.4, 0.6 and 0.8 are usual."),
        (50, "`iso_f` must be in [0, 1]; got 50.0. Hint: it is a fraction, not a percentage."),
    ],
)
def test_impossible_values_of_f_are_refused(digits: dict[str, th.Scores], iso_f: object, message: str) -> None:
    with pytest.raises(th.InvalidInputError) as error:
        th.plotting.PrCurveDisplay.from_scores(digits["tree"], iso_f=iso_f)
    assert str(error.value) == message


def test_wrong_prevalence_is_refused(digits: dict[str, th.Scores]) -> None:
    with pytest.raises(th.InvalidInputError, match=r"`prevalence` must be in \(0, 1\); got 5"):
        th.plotting.PrCurveDisplay.from_scores(digits["tree"], prevalence=5)
