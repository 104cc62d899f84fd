"""The drawn precision-recall-gain curve."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th


def test_line_is_the_curve_and_its_area_is_in_the_legend(digits: dict[str, th.Scores]) -> None:
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


def test_two_models_share_the_axes_and_the_baseline(digits: dict[str, th.Scores]) -> None:
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


def test_options() -> None:
    display = th.plotting.PrGainDisplay.from_predictions(
        [1, 0, 1, 0], [4, 3, 2, 1], chance=False, legend=False, curve_kwargs={"color": "black", "lw": 3}
    )
    assert (display.chance_, display.band_, display.legend_) == (None, None, None)
    assert (display.line_.get_color(), display.line_.get_linewidth()) == ("black", 3)


def test_wrong_input() -> None:
    with pytest.raises(th.InvalidTypeError, match="`curve` must be a PrGainCurve; got PrCurve"):
        th.plotting.PrGainDisplay(th.Scores([1, 0], [2, 1]).pr())  # type: ignore[arg-type]
    with pytest.raises(th.InvalidTypeError, match="`ax` must be matplotlib Axes"):
        th.plotting.PrGainDisplay(th.Scores([1, 0], [2, 1]).pr_gain()).plot("here")
