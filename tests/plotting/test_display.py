"""Displays of one curve: the same line from scores, curves and predictions, and what stands with it."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import thresher as th
from thresher.plotting._place import drawn_points, inside

Y, X = [1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]
SCORES = th.Scores(Y, X)


@pytest.mark.parametrize("display", [th.plotting.RocCurveDisplay, th.plotting.PrCurveDisplay])
def test_one_line_three_ways(display):
    drawn = [
        display.from_scores(SCORES, name="a", legend=False),
        display.from_curve(SCORES.roc(), name="a", legend=False),
        display.from_curve(SCORES.pr(), name="a", legend=False),
        display.from_predictions(np.where(Y, "ill", "well"), X, pos_label="ill", name="a", legend=False),
    ]
    for one in drawn[1:]:
        np.testing.assert_allclose(one.line_.get_xydata(), drawn[0].line_.get_xydata())
        assert one.line_.get_label() == drawn[0].line_.get_label()


def test_the_roc_line_is_the_curve():
    line = th.plotting.RocCurveDisplay.from_scores(SCORES).line_
    points = {tuple(point) for point in np.round(line.get_xydata(), 9)}
    for fp, tp in ((0, 0), (0, 2), (1, 2), (1, 3), (3, 3)):
        assert (round(fp / 3, 9), round(tp / 3, 9)) in points


def test_parts_are_kept_on_the_display():
    _, ax = plt.subplots()
    band = SCORES.roc_band()
    display = th.plotting.RocCurveDisplay.from_scores(SCORES, name="a", ax=ax, marks=[5, 3], band=band)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    places = np.array([(mark.get_xdata()[0], mark.get_ydata()[0]) for mark in display.marks_])
    np.testing.assert_allclose(places, [(0.0, 2 / 3), (1 / 3, 1.0)])
    assert len(display.labels_) == 2
    assert display.band_ is not None
    assert display.legend_ is not None
    assert "AUC 0.889" in display.line_.get_label()
    bare = th.plotting.RocCurveDisplay.from_scores(SCORES, legend=False)
    assert (bare.band_, bare.legend_, bare.marks_) == (None, None, [])


def test_weights_and_prevalence_reach_the_line():
    w = [1, 2, 1, 1, 3, 1]
    weighted = th.plotting.PrCurveDisplay.from_predictions(Y, X, sample_weight=w)
    assert weighted.curve == th.Scores(Y, X, sample_weight=w).pr()
    assert th.plotting.PrCurveDisplay.from_scores(SCORES, prevalence=0.1).curve.prevalence == 0.1


def test_what_is_no_scores_or_axes():
    with pytest.raises(th.InvalidTypeError, match="`scores` must be"):
        th.plotting.RocCurveDisplay.from_scores(SCORES.roc())
    with pytest.raises(th.InvalidTypeError, match="`ax` must be matplotlib Axes"):
        th.plotting.RocCurveDisplay.from_scores(SCORES, ax="here")


def many(count: int) -> dict[str, th.Scores]:
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    x = [(1.6 - 0.1 * i) * y + rng.normal(size=y.size) for i in range(count)]
    return {f"model {i + 1}": th.Scores(y, 1.0 / (1.0 + np.exp(1.0 - values))) for i, values in enumerate(x)}


KINDS = [
    getattr(th.plotting, f"{name}Display")
    for name in ("RocCurve", "PrCurve", "PrGain", "DetCurve", "LiftCurve", "GainCurve", "CostCurve")
]
PROBABLE = [th.plotting.DecisionCurveDisplay, th.plotting.CalibrationDisplay, th.plotting.MurphyDisplay]


@pytest.mark.some(5)
@pytest.mark.parametrize("kind", [*KINDS, *PROBABLE])
def test_a_dictionary_of_models_is_drawn_on_one_pair_of_axes(kind, digits):
    made = {"band": False, "consistency": False} if kind is th.plotting.CalibrationDisplay else {}
    display = kind.from_scores(digits, **made)
    assert [one.name for one in display.displays_] == list(digits)
    assert {id(one.ax_) for one in display.displays_} == {id(display.ax_)}
    shown = [text.get_text() for text in display.legend_.get_texts()]
    assert [label.split(" (")[0] for label in shown[:2]] == list(digits)
    for one, scores in zip(display.displays_, digits.values(), strict=True):
        alone = kind.from_scores(scores, legend=False, **made).line_
        np.testing.assert_array_equal(one.line_.get_xydata(), alone.get_xydata())


def test_dictionaries_of_predictions_and_their_mistakes(digits):
    data = th.datasets.load_digits_eight()
    display = th.plotting.RocCurveDisplay.from_predictions(data.y_true, data.models)
    assert [one.name for one in display.displays_] == list(data.models)
    with pytest.raises(th.InvalidInputError, match="`name` must not be given for several models"):
        th.plotting.RocCurveDisplay.from_scores(digits, name="both")
    with pytest.raises(th.InvalidInputError, match="at least one model"):
        th.plotting.RocCurveDisplay.from_scores({})


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("kind", "band", "interval"),
    [
        (th.plotting.RocCurveDisplay, "roc_band", lambda scores: scores.roc_auc().confidence_interval()),
        (th.plotting.PrCurveDisplay, "pr_band", lambda scores: scores.pr_auc().confidence_interval()),
        (th.plotting.PrGainDisplay, "pr_gain_band", lambda scores: scores.pr_gain_interval(rng=0)),
    ],
)
def test_band_and_interval_are_those_of_the_scores(kind, band, interval, digits):
    display = kind.from_scores(digits, band=True, interval=True)
    labels = [text.get_text() for text in display.legend_.get_texts()]
    assert labels.count("95% band") == 1  # one entry for both models
    for one, scores in zip(display.displays_, digits.values(), strict=True):
        low, high = interval(scores)
        assert f", {low:.3f} to {high:.3f})" in one.line_.get_label()
        expected = getattr(scores, band)()
        corners = one.band_.get_paths()[0].vertices
        assert corners[:, 1].min() == pytest.approx(expected.low.min())
        assert corners[:, 1].max() == pytest.approx(expected.high.max())
    grey = display.legend_.legend_handles[labels.index("95% band")].get_facecolor()
    assert tuple(grey[:3]) not in {tuple(one.band_.get_facecolor()[0][:3]) for one in display.displays_}


def test_band_of_a_curve_alone_cannot_be_asked_for(digits):
    with pytest.raises(th.InvalidInputError, match="`band=True` needs the scores"):
        th.plotting.RocCurveDisplay(digits["tree"].roc()).plot(band=True)
    with pytest.raises(th.InvalidInputError, match="`interval=True` needs the scores"):
        th.plotting.PrCurveDisplay.from_curve(digits["tree"].pr(), interval=True)


@pytest.mark.some(2)
@pytest.mark.parametrize("x_axis", ["fpr", "1-specificity", "specificity"])
def test_axes_of_other_fields(x_axis, digits):
    display = th.plotting.RocCurveDisplay.from_scores(digits["tree"], x_axis=x_axis)
    display.figure_.draw_without_rendering()
    ticks = {
        round(at, 9): text.get_text()
        for at, text in zip(display.ax_.get_xticks(), display.ax_.get_xticklabels(), strict=True)
    }
    assert ticks[0.2] == ("0.8" if x_axis == "specificity" else "0.2")
    assert display.ax_.get_ylabel() == ("True positive rate (recall)" if x_axis == "fpr" else "Sensitivity")
    np.testing.assert_array_equal(display.line_.get_xdata(), digits["tree"].roc().fpr)
    with pytest.raises(th.InvalidInputError, match="must not be 'specificity' on a logarithmic axis"):
        th.plotting.RocCurveDisplay.from_scores(digits["tree"], x_axis="specificity", log_x=True)


@pytest.mark.some(6)
@pytest.mark.parametrize(("count", "size"), [(3, (3.3, 3.3)), (12, (3.3, 3.3)), (12, (7.0, 4.0))])
@pytest.mark.parametrize("kind", [*KINDS, *PROBABLE])
def test_journal_widths_cut_and_cover_nothing(kind, count, size):
    figure, ax = plt.subplots(figsize=size, layout="constrained")
    made = {"band": False, "consistency": False} if kind is th.plotting.CalibrationDisplay else {}
    display = kind.from_scores(many(count), ax=ax, **made)
    figure.draw_without_rendering()
    check_nothing_is_cut(ax, display.legend_)
    assert max(ax.patch.get_window_extent().size) > 0.25 * min(size) * figure.dpi  # the curves are still seen


def test_journal_widths_cut_and_cover_nothing_of_linked_curves():
    figure, axes = plt.subplots(1, 2, figsize=(7.0, 4.0), layout="constrained")
    display = th.plotting.LinkedDisplay.from_scores(many(12), axes=axes)
    figure.draw_without_rendering()
    for ax in (display.ax_roc_, display.ax_pr_):
        check_nothing_is_cut(ax, ax.get_legend())
    assert (
        not display.ax_roc_.get_legend().get_window_extent().overlaps(display.ax_pr_.get_legend().get_window_extent())
    )


def check_nothing_is_cut(ax, legend):
    """Words stand within the figure, and the legend on no curve and no word."""
    whole = ax.figure.bbox
    ticks = [
        tick.label1
        for axis, (low, high) in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim()))
        for tick in axis.get_major_ticks()
        if low <= tick.get_loc() <= high
    ]
    box = legend.get_window_extent()
    for text in (ax.xaxis.label, ax.yaxis.label, *ticks, *legend.get_texts()):
        extent = text.get_window_extent()
        assert min(extent.x0, extent.y0) > -1, text
        assert extent.x1 < whole.width + 1, text
        assert extent.y1 < whole.height + 1, text
        assert text in legend.get_texts() or not box.overlaps(extent), text
    points, cost = drawn_points(ax)
    assert cost[inside(points, (box.x0, box.y0, box.x1, box.y1))].sum() <= 20.0


@pytest.mark.parametrize(
    "kind",
    ["RocCurveDisplay", "PrCurveDisplay", "DetCurveDisplay", "LiftCurveDisplay", "GainCurveDisplay", "PrGainDisplay",
     "CostCurveDisplay", "CalibrationDisplay", "DecisionCurveDisplay", "MurphyDisplay"],
)  # fmt: skip
def test_a_colour_is_given_directly(digits, kind):
    display = getattr(th.plotting, kind).from_scores(digits["tree"], name="tree", color="crimson")
    assert display.line_.get_color() == "crimson"
    styled = getattr(th.plotting, kind).from_scores(digits["tree"], color="crimson", curve_kwargs={"linewidth": 4})
    assert (styled.line_.get_color(), styled.line_.get_linewidth()) == ("crimson", 4)


def test_linked_curves_of_one_model_have_its_name(digits):
    display = th.plotting.LinkedDisplay.from_scores(digits["tree"], name="the tree")
    assert list(display.points_) == ["the tree"]
    with pytest.raises(th.InvalidInputError, match="`name` must not be given for several models"):
        th.plotting.LinkedDisplay.from_scores(digits, name="x")
