"""DET, lift, gain, cost, precision-recall-gain and decision curves: the library's points on axes that fit them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

import thresher as th

plt = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is needed to draw")

DATA = th.datasets.load_digits_eight()
TREE, LOGISTIC = (th.Scores(DATA.y_true, values) for values in (DATA.tree, DATA.logistic))
DISPLAYS = [
    th.plotting.DetCurveDisplay,
    th.plotting.LiftCurveDisplay,
    th.plotting.GainCurveDisplay,
    th.plotting.CostCurveDisplay,
]


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_the_lines_are_the_librarys_curves():
    det = th.plotting.DetCurveDisplay.from_scores(TREE)
    curve = TREE.det()
    inner = (curve.fpr > 0) & (curve.fpr < 1) & (curve.fnr > 0) & (curve.fnr < 1)
    drawn = np.round(ndtr(det.line_.get_xydata()), 12).tolist()
    for point in np.round(np.column_stack([curve.fpr, curve.fnr])[inner], 12).tolist():
        assert point in drawn
    for display, x, y in (
        (th.plotting.GainCurveDisplay.from_scores(TREE), TREE.gain().depth, TREE.gain().recall),
        (
            th.plotting.CostCurveDisplay.from_scores(TREE),
            TREE.cost_curve().probability_cost,
            TREE.cost_curve().expected_cost,
        ),
    ):
        np.testing.assert_array_equal(display.line_.get_xdata(), x)
        np.testing.assert_array_equal(display.line_.get_ydata(), y)


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", DISPLAYS)
def test_two_models_share_axes_with_one_line_of_chance(kind):
    first = kind.from_scores(TREE, name="tree")
    second = kind.from_scores(LOGISTIC, name="logistic", ax=first.ax_)
    labels = [text.get_text() for text in first.ax_.get_legend().get_texts()]
    assert labels[:2] == ["tree", "logistic"]
    assert len(labels) == 3
    assert second.chance_ is None
    assert first.line_.get_color() != second.line_.get_color()
    assert first.line_.get_linestyle() != second.line_.get_linestyle()
    # Both lines lie within the axes.
    for line in (first.line_, second.line_):
        low, high = first.ax_.get_ylim()
        points = line.get_ydata()
        if kind is th.plotting.DetCurveDisplay:  # which leaves its axes where a rate goes to 0
            points = (TREE if line is first.line_ else LOGISTIC).det().normal_deviates()[1]
            points = points[np.isfinite(points)]
        assert low <= np.min(points)
        assert np.max(points) <= high


@pytest.mark.parametrize("kind", DISPLAYS)
def test_wrong_arguments_are_named(kind):
    with pytest.raises(th.ThresherError, match="`prevalence` must not be given for this curve"):
        kind.from_scores(TREE, prevalence=0.1)
    with pytest.raises(th.ThresherError, match=r"`curve` must be a .*Curve; got RocCurve"):
        kind.from_curve(TREE.roc())


def test_lift_between_thresholds_is_that_of_ties_broken_at_random():
    # One score of two for 100 rows, 50 positives among the 10 + 90: a threshold inside would break the tie at random.
    scores = th.Scores.from_counts([3.0, 2.0, 1.0], pos=[4, 1, 45], neg=[0, 89, 61])
    line = th.plotting.LiftCurveDisplay.from_scores(scores).line_
    depth, lift = line.get_data()
    n, n_pos = 200, 50
    for called in (4, 10, 30, 60, 94, 150, 200):
        inside = min(max(called - 4, 0), 90)
        found = 4 + inside * (1 / 90) + max(called - 94, 0) * 45 / 106
        assert np.interp(called / n, depth, lift) == pytest.approx(found / called * n / n_pos, rel=2e-3)
    # A straight line would promise three times as much.
    straight = np.interp(30 / n, scores.lift().depth, scores.lift().lift)
    assert straight > 2.5 * np.interp(30 / n, depth, lift)


def test_sloped_segments_are_bent_on_normal_deviates():
    scores = th.Scores.from_counts([3.0, 2.0, 1.0], pos=[20, 60, 20], neg=[5, 60, 35])
    x, y = (ndtr(column) for column in th.plotting.DetCurveDisplay.from_scores(scores).line_.get_data())
    for share in (0.2, 0.5, 0.8):
        assert np.interp(0.05 + 0.6 * share, x, y) == pytest.approx(0.8 - 0.6 * share, abs=1e-3)
    # Beyond the last point inside, both rates go on towards 0 and 1.
    assert (x.min(), y.min()) < (1e-9, 1e-9)


def test_a_model_off_the_axes_of_normal_deviates_says_so():
    perfect = th.plotting.DetCurveDisplay.from_scores({"perfect": th.Scores([0, 0, 1, 1], [1, 2, 3, 4]), "tree": TREE})
    labels = [text.get_text() for text in perfect.legend_.get_texts()]
    assert labels[:2] == ["perfect (off the axes: one error rate is always 0)", "tree"]


def test_pr_gain_line_is_the_curve_and_its_area_is_in_the_legend(digits: dict[str, th.Scores]) -> None:
    for name, scores in digits.items():
        display = th.plotting.PrGainDisplay.from_scores(scores, name=name)
        curve = scores.pr_gain()
        drawn = {tuple(point) for point in display.line_.get_xydata()}
        inside = curve.recall_gain >= 0
        points = zip(curve.recall_gain[inside].tolist(), curve.precision_gain[inside].tolist(), strict=True)
        assert set(points) <= drawn
        assert display.line_.get_label() == f"{name} (PRG AUC {curve.area:.3f})"
        # Straight lines are right in this space: what is drawn over [0, 1] has the area that is printed.
        x, y = display.line_.get_data()
        start = np.interp(0.0, x, y)
        kept = x >= 0
        area = np.trapezoid(np.append(start, y[kept]), np.append(0.0, x[kept]))
        assert area == pytest.approx(curve.area, abs=1e-6)


def test_pr_gain_two_models_share_the_axes_and_the_baseline(digits: dict[str, th.Scores]) -> None:
    tree, logistic = digits["tree"], digits["logistic"]
    first = th.plotting.PrGainDisplay.from_scores(tree, name="tree")
    second = th.plotting.PrGainDisplay.from_scores(
        logistic, name="logistic", ax=first.ax_, band=logistic.pr_gain_band()
    )
    assert second.chance_ is None
    labels = [text.get_text() for text in second.legend_.get_texts()]
    assert sum("everything" in label for label in labels) == 1
    assert "95% band" in labels
    assert first.line_.get_color() != second.line_.get_color()


def test_pr_gain_options() -> None:
    display = th.plotting.PrGainDisplay.from_predictions(
        [1, 0, 1, 0], [4, 3, 2, 1], chance=False, legend=False, curve_kwargs={"color": "black", "lw": 3}
    )
    assert (display.chance_, display.band_, display.legend_) == (None, None, None)
    assert (display.line_.get_color(), display.line_.get_linewidth()) == ("black", 3)


def test_pr_gain_wrong_input() -> None:
    with pytest.raises(th.InvalidTypeError, match="`curve` must be a PrGainCurve; got PrCurve"):
        th.plotting.PrGainDisplay(th.Scores([1, 0], [2, 1]).pr())  # type: ignore[arg-type]
    with pytest.raises(th.InvalidTypeError, match="`ax` must be matplotlib Axes"):
        th.plotting.PrGainDisplay(th.Scores([1, 0], [2, 1]).pr_gain()).plot("here")


def test_decision_curve_and_references(digits):
    display = th.plotting.DecisionCurveDisplay.from_scores(digits["logistic"], name="logistic", band=True)
    curve = digits["logistic"].decision_curve()
    np.testing.assert_array_equal(display.line_.get_ydata(), curve.net_benefit)
    assert display.band_ is not None
    th.plotting.DecisionCurveDisplay.from_scores(digits["tree"], name="tree", ax=display.ax_)
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["logistic", "tree", "act on all", "act on none", "95% band"]


def test_decision_the_hull_says_what_it_is(digits):
    display = th.plotting.DecisionCurveDisplay.from_scores(digits["tree"], calibrate="hull")
    assert display.line_.get_label() == "act on the score (achievable in sample)"
