"""ROC and PR side by side."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import thresher as th


def test_marks_are_the_same_confusion_matrices_in_both(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.LinkedDisplay.from_scores(digits, thresholds=[0.5, 0.1])
    for name, scores in digits.items():
        points = [scores.roc().at(threshold=threshold) for threshold in (0.5, 0.1)]
        assert display.points_[name] == points
        roc, pr = display.roc[name], display.pr[name]
        for point, left, right in zip(points, roc.marks_, pr.marks_, strict=True):
            np.testing.assert_allclose(left.get_xydata()[0], (point.fpr, point.tpr), rtol=1e-14)
            np.testing.assert_allclose(right.get_xydata()[0], (point.recall, point.precision), rtol=1e-14)
            assert (left.get_marker(), left.get_color()) == (right.get_marker(), right.get_color())
            # Recall is the height on the left and the place across on the right.
            assert left.get_ydata()[0] == right.get_xdata()[0]
    assert len({line.get_marker() for line in roc.marks_}) == 2


def test_curves_have_one_look_in_both(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.LinkedDisplay.from_scores(digits)
    looks = []
    for name in digits:
        left, right = display.roc[name].line_, display.pr[name].line_
        assert left.get_color() == right.get_color()
        assert left._dash_pattern == right._dash_pattern
        looks.append((left.get_color(), str(left._dash_pattern)))
        assert left.axes is display.ax_roc_
        assert right.axes is display.ax_pr_
    assert len(set(looks)) == 2
    assert display.figure_ is display.ax_pr_.figure


def test_legends_name_models_with_the_area_of_each_space(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.LinkedDisplay.from_scores(digits, achievable=True)
    left, right = (
        [text.get_text() for text in ax.get_legend().get_texts()] for ax in (display.ax_roc_, display.ax_pr_)
    )
    assert left == [
        "logistic (AUC 0.975)", "logistic, convex hull", "tree (AUC 0.879)", "tree, convex hull", "chance",
    ]  # fmt: skip
    assert right == [
        "logistic (PR AUC 0.870)", "logistic, achievable", "tree (PR AUC 0.605)", "tree, achievable",
        "chance (prevalence 0.097)", "unachievable",
    ]  # fmt: skip


def test_one_model_needs_no_name(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.LinkedDisplay.from_scores(digits["logistic"])
    assert list(display.roc) == list(display.pr) == [""]
    assert len(display.points_[""]) == 5
    assert display.roc[""].line_.get_label() == "AUC 0.975"


def test_labels_say_thresholds_in_both(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.LinkedDisplay.from_scores(digits["logistic"], thresholds=[0.5, 0.2])
    assert [label.get_text() for label in display.labels_] == ["≥ 0.5", "≥ 0.2"] * 2


def test_thresholds_at_one_point_share_a_label(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.LinkedDisplay.from_predictions([0, 1, 0, 1], [0.1, 0.9, 0.1, 0.9], thresholds=[0.8, 0.5])
    assert [label.get_text() for label in display.labels_] == ["≥ 0.8, ≥ 0.5"] * 2


def test_thresholds_by_name(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.LinkedDisplay.from_scores(digits, thresholds={"tree": iter([0.06])}, legend=False)
    assert display.points_["logistic"] == []
    assert [point.tp for point in display.points_["tree"]] == [136]


def test_thresholds_may_be_an_iterator(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.LinkedDisplay.from_scores(digits, thresholds=iter([0.5, 0.1]), legend=False)
    assert [len(points) for points in display.points_.values()] == [2, 2]


@pytest.mark.some(2)
@pytest.mark.parametrize("n_marks", [0, 1, 3])
def test_number_of_marks(digits: dict[str, th.Scores], n_marks: int) -> None:
    display = th.plotting.LinkedDisplay.from_scores(digits, n_marks=n_marks, legend=False)
    assert [len(points) for points in display.points_.values()] == [n_marks, n_marks]


def test_guides_lead_to_the_axes_of_recall(digits: dict[str, th.Scores]) -> None:
    display = th.plotting.LinkedDisplay.from_scores(digits["logistic"], thresholds=[0.2], legend=False)
    (point,) = display.points_[""]
    left, right = (
        [line for line in ax.lines if line.get_label() == "_guide"] for ax in (display.ax_roc_, display.ax_pr_)
    )
    assert len(left) == len(right) == 1
    assert left[0].get_ydata().tolist() == [point.tpr, point.tpr]
    assert right[0].get_xdata().tolist() == [point.tpr, point.tpr]
    assert left[0].get_xdata()[1] == point.fpr
    plain = th.plotting.LinkedDisplay.from_scores(digits["logistic"], thresholds=[0.2], guides=False, legend=False)
    assert not [line for line in plain.ax_roc_.lines if line.get_label() == "_guide"]


def test_every_way_in_draws_the_same(digits: dict[str, th.Scores]) -> None:
    data = th.datasets.load_digits_eight()
    drawn = [
        th.plotting.LinkedDisplay.from_scores(digits, prevalence=0.2, legend=False),
        th.plotting.LinkedDisplay.from_predictions(data.y_true, data.models, prevalence=0.2, legend=False),
        th.plotting.LinkedDisplay.from_curve(
            {name: scores.roc() for name, scores in digits.items()}, prevalence=0.2, legend=False
        ),
        th.plotting.LinkedDisplay.from_curve(
            {name: scores.pr(prevalence=0.2) for name, scores in digits.items()}, legend=False
        ),
    ]
    for display in drawn:
        for name in digits:
            for kind in ("roc", "pr"):
                np.testing.assert_array_equal(
                    getattr(display, kind)[name].line_.get_xydata(), getattr(drawn[0], kind)[name].line_.get_xydata()
                )
            assert display.pr[name].pr_auc == pytest.approx(drawn[0].pr[name].pr_auc, rel=1e-12)
            tps = [[point.tp for point in item.points_[name]] for item in (display, drawn[0])]
            assert tps[0] == tps[1]


def test_published_curves_are_drawn_without_marks() -> None:
    display = th.plotting.LinkedDisplay.from_curve(
        th.RocCurve.from_points([0.1], [0.8], n_pos=20, n_neg=200), legend=False
    )
    assert display.points_ == {"": []}
    assert display.pr[""].pr_auc == pytest.approx(th.Scores.from_counts([2, 1], [16, 4], [20, 180]).pr_auc().value)


def test_given_axes_are_used(digits: dict[str, th.Scores]) -> None:
    figure, axes = plt.subplots(1, 2)
    display = th.plotting.LinkedDisplay.from_scores(digits, axes=axes, legend=False, iso_f=[0.5])
    assert (display.ax_roc_, display.ax_pr_) == tuple(axes)
    assert display.figure_ is figure
    assert display.ax_roc_.get_legend() is None
    assert len(display.pr["logistic"].iso_f_) == 1


def test_works_on_a_part_of_a_figure(digits: dict[str, th.Scores]) -> None:
    figure = plt.figure(layout="constrained", figsize=(13, 5))
    part, _ = figure.subfigures(1, 2)
    display = th.plotting.LinkedDisplay.from_scores(digits["tree"], axes=part.subplots(1, 2))
    assert display.figure_ is part
    assert display.labels_


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda scores: th.plotting.LinkedDisplay.from_scores({}),
            "`scores` must hold at least one model; got an empty dict.",
        ),
        (
            lambda scores: th.plotting.LinkedDisplay.from_scores(scores, thresholds=[0.5], n_marks=3),
            (
                "Only one of `thresholds` and `n_marks` may be given; got [0.5] and 3. "
                "Hint: `n_marks` is how many the display chooses."
            ),
        ),
        (
            lambda scores: th.plotting.LinkedDisplay.from_scores(scores, n_marks=-1),
            "`n_marks` must be at least 0; got -1.",
        ),
        (
            lambda scores: th.plotting.LinkedDisplay.from_scores({"a": scores}, thresholds={"b": [0.5]}),
            "`thresholds` must name models that are drawn; got 'b', where there are ['a'].",
        ),
        (
            lambda scores: th.plotting.LinkedDisplay({}, {}),
            "`roc` and `pr` must have the same names; got [] and []. Hint: use `from_scores`, which makes both.",
        ),
        (
            lambda scores: th.plotting.LinkedDisplay.from_scores(scores, axes=7),
            (
                "`axes` must be a pair of matplotlib Axes; got 7. "
                "Hint: `figure, axes = matplotlib.pyplot.subplots(1, 2)`; leave it out for new ones."
            ),
        ),
        (
            lambda scores: th.plotting.LinkedDisplay.from_scores({"a": scores, "b": [1, 2]}),
            (
                "`scores` must be thresher.Scores; got [1, 2] of type list. "
                "Hint: use `from_predictions(y_true, y_score)` for arrays and `from_curve` for a curve."
            ),
        ),
    ],
)
def test_wrong_things_are_refused(digits: dict[str, th.Scores], call: object, message: str) -> None:
    with pytest.raises(th.ThresherError) as error:
        call(digits["tree"])  # type: ignore[operator]
    assert str(error.value) == message
