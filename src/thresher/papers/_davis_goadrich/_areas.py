"""Table 1, Figure 6 and Figure 7: interpolation and area in PR space."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from thresher._curves import PrCurve
from thresher._facade import Scores
from thresher.papers._drawing import draw_pr, draw_roc, legend, line, panels, pr_axes, roc_axes
from thresher.papers._entry import Found, Picture, Table, claim, number

__all__ = ["figure_6", "figure_7", "table_1"]

# True positives, false positives, recall and precision as printed.
TABLE_1 = (
    (5, 5, 0.25, 0.500),
    (6, 10, 0.30, 0.375),
    (7, 15, 0.35, 0.318),
    (8, 20, 0.40, 0.286),
    (9, 25, 0.45, 0.265),
    (10, 30, 0.50, 0.250),
)


def table_1() -> Found:
    """Between two points precision is not linear.

    With 20 positives and 2,000 negatives, A has 5 true and 5 false positives, B has 10 and 30: five negatives for each
    positive between them.

    >>> import thresher as th
    >>> curve = th.PrCurve.from_points([0.25, 0.5], [0.5, 0.25], n_pos=20, n_neg=2000)
    >>> curve.interpolate([0.25, 0.3, 0.35, 0.4, 0.45, 0.5]).round(3).tolist()
    [0.5, 0.375, 0.318, 0.286, 0.265, 0.25]
    """
    curve = PrCurve.from_points([0.25, 0.5], [0.5, 0.25], n_pos=20, n_neg=2000)
    checks = [
        claim(
            "local skew between A and B",
            published="5",
            ours=str(Fraction(30 - 5, 10 - 5)),
            holds=Fraction(30 - 5, 10 - 5) == 5,
        )
    ]
    for tp, fp, recall, printed in TABLE_1:
        point = curve.at(recall=recall)
        checks += [
            number(f"TP {tp}: FP", fp, point.fp, digits=0),
            number(f"TP {tp}: recall", recall, tp / 20, digits=2),
            number(f"TP {tp}: precision", printed, float(curve.interpolate(recall)), digits=3),
        ]
    return Found(tuple(checks), pictures=(Picture("davis-goadrich-table-1", _CAPTION_1, _draw_table_1),))


_CAPTION_1 = (
    "Table 1 as a picture: the points of the paper lie on the curve that mixing A and B achieves; the straight line "
    "between A and B is above it and cannot be reached."
)


def _draw_table_1() -> Any:
    curve = PrCurve.from_points([0.25, 0.5], [0.5, 0.25], n_pos=20, n_neg=2000)
    figure, axes = panels(1, 1, width=5.6, height=4.2)
    ax = axes[0, 0]
    recall = np.linspace(0.25, 0.5, 101)
    line(ax, recall, curve.interpolate(recall), 0, label="correct interpolation")
    line(ax, [0.25, 0.5], [0.5, 0.25], 1, label="straight line")
    rows = np.array(TABLE_1)
    ax.plot(rows[:, 2], rows[:, 3], "o", color="#000000", markersize=6, zorder=4, label="Table 1, as printed")
    ax.annotate("A", (0.25, 0.5), xytext=(8, 4), textcoords="offset points", fontsize=12, weight="bold")
    ax.annotate("B", (0.5, 0.25), xytext=(-4, 8), textcoords="offset points", fontsize=12, weight="bold")
    ax.set(xlabel="Recall", ylabel="Precision", xlim=(0.24, 0.51), ylim=(0.2, 0.54))
    ax.grid(alpha=0.2)
    ax.spines[["top", "right"]].set_visible(False)
    legend(ax, "upper right")
    return figure


def _point_curve(tp: float) -> Scores:
    """Return the scores of Figure 6: one point without false positives, then everything."""
    return Scores.from_counts([2.0, 1.0], [tp, 433 - tp], [0 * tp, 56164 + 0 * tp])


def figure_6() -> Found:
    """A straight line from one good point overstates the area wildly.

    One point at recall 0.02 and precision 1, among 433 positives and 56,164 negatives. Between it and the end precision
    is t / (t + h (t - t0)), whose integral is known; no approximation is needed.

    >>> import math
    >>> P, N, t0 = 433, 56164, 0.02 * 433
    >>> h = N / (P - t0)
    >>> a, b = 1 + h, -h * t0
    >>> tail = ((P - t0) / a - b / a**2 * math.log((P + N) / t0)) / P
    >>> round(0.02 + tail, 5)
    0.02866
    """
    exact = _point_curve(0.02 * 433)
    area = exact.pr_auc().value
    linear = exact.pr_auc(estimator="trapezoid").value
    rows = []
    for tp in (7, 8, 9, 10):
        scores = _point_curve(tp)
        rows.append(
            (
                str(tp),
                f"{tp / 433:.4f}",
                f"{scores.pr_auc().value:.5f}",
                f"{scores.pr_auc(estimator='unit_steps').value:.5f}",
                f"{scores.pr_auc(estimator='trapezoid').value:.4f}",
            )
        )
    return Found(
        (
            number("precision at recall 1", 0.008, 433 / (433 + 56164), digits=3),
            number(
                "AUC-PR, interpolated",
                0.031,
                area,
                digits=3,
                why=(
                    "Recall 0.02 of 433 positives is 8.66 true positives, which is no whole number. The integral is "
                    "0.0287; with the four whole numbers whose recall prints as 0.02 it is 0.025 to 0.032, and the "
                    "paper's own trapezoids at whole true positives give 0.026, 0.028, 0.030 and 0.033 (table below): "
                    "none prints as 0.031."
                ),
            ),
            number(
                "AUC-PR, linear",
                0.50,
                linear,
                digits=2,
                why=(
                    "The straight line from (0.02, 1) to (1, 0.00765), with the rectangle before it, has the area "
                    "0.02 + 0.98 · 1.00765 / 2 = 0.514. The conclusion stands: a straight line makes 0.03 look like "
                    "one half."
                ),
            ),
            claim(
                "the linear area is a severe overestimate",
                published="0.50 against 0.031",
                ours=f"{linear / area:.0f} times the right area",
                holds=linear / area > 15,
            ),
        ),
        tables=(
            Table(
                "The whole numbers of true positives that print as recall 0.02",
                ("TP", "Recall", "Integral", "Unit steps (the paper's method)", "Linear"),
                tuple(rows),
            ),
        ),
        pictures=(Picture("davis-goadrich-figure-6", _CAPTION_6, _draw_figure_6),),
    )


_CAPTION_6 = (
    "Figure 6 redrawn: the only point is (0.02, 1). Interpolated as mixing achieves, the area is 0.029; by a straight "
    "line 0.514."
)


def _draw_figure_6() -> Any:
    curve = _point_curve(0.02 * 433).pr()
    figure, axes = panels(1, 1, width=5.6, height=5.2)
    ax = pr_axes(axes[0, 0])
    draw_pr(ax, curve, 0, label="correct interpolation (area 0.029)")
    line(ax, [0.0, 0.02, 1.0], [1.0, 1.0, 433 / 56597], 1, label="straight line (area 0.514)")
    ax.plot([0.02], [1.0], "o", color="#000000", markersize=7, zorder=5)
    ax.annotate("(0.02, 1)", (0.02, 1.0), xytext=(10, -4), textcoords="offset points", fontsize=10)
    legend(ax, "upper right", bbox_to_anchor=(1.0, 0.93))
    return figure


def curve_one() -> Scores:
    """Return Figure 7's curve I, as far as the text gives it: hull (0, 0), (0, 0.5), (0.75, 1), (1, 1)."""
    return Scores.from_counts([3.0, 2.0, 1.0], [10, 10, 0], [0, 1500, 500])


def curve_two() -> Scores:
    """Return Figure 7's curve II: hull (0, 0), (0.25, 1), (1, 1)."""
    return Scores.from_counts([2.0, 1.0], [20, 0], [500, 1500])


def figure_7() -> Found:
    """The curve with the larger area in ROC space can have the far smaller one in PR space.

    20 positives and 2,000 negatives. The text does not give the points of the two curves. Curve II is fixed by its
    areas, curve I is the simplest hull with the printed AUC-ROC: half of the positives first, the other half among
    three quarters of the negatives.

    >>> import thresher as th
    >>> one = th.Scores.from_counts([3, 2, 1], pos=[10, 10, 0], neg=[0, 1500, 500])
    >>> two = th.Scores.from_counts([2, 1], pos=[20, 0], neg=[500, 1500])
    >>> one.roc_auc().value, two.roc_auc().value
    (0.8125, 0.875)
    >>> round(one.pr_auc().value, 4), round(two.pr_auc().value, 4)
    (0.5198, 0.0385)
    """
    one, two = curve_one(), curve_two()
    steps = one.pr_auc(estimator="unit_steps").value
    # Rectangles under the right ends of the unit steps.
    right = 0.5 + math.fsum(t / (t + 150 * (t - 10)) for t in range(11, 21)) / 20
    return Found(
        (
            number("AUC-ROC, curve I", 0.813, one.roc_auc().value, digits=3),
            number("AUC-ROC, curve II", 0.875, two.roc_auc().value, digits=3),
            number(
                "AUC-PR, curve I",
                0.514,
                one.pr_auc().value,
                digits=3,
                why=(
                    "The points of curve I are not printed. For the hull with the printed AUC-ROC the integral is "
                    f"0.520; the paper's trapezoids at whole true positives give {steps:.3f}, rectangles under their "
                    f"right ends {right:.3f}. The choice between the curves is the same with each of them."
                ),
            ),
            number("AUC-PR, curve II", 0.038, two.pr_auc().value, digits=3),
            claim(
                "the two areas choose differently",
                published="ROC chooses II, PR chooses I",
                ours="ROC chooses II, PR chooses I",
                holds=one.roc_auc().value < two.roc_auc().value and one.pr_auc().value > two.pr_auc().value,
            ),
            claim(
                "each curve is a convex hull",
                published="yes",
                ours="no point of either is dropped",
                holds=all(len(scores.roc().hull()) == len(scores.roc()) for scores in (one, two)),
            ),
        ),
        pictures=(Picture("davis-goadrich-figure-7", _CAPTION_7, _draw_figure_7),),
    )


_CAPTION_7 = (
    "Figure 7 redrawn: (a) curve II has the larger area in ROC space, (b) curve I by far the larger one in PR space, "
    "because half of the positives come before any negative."
)


def _draw_figure_7() -> Any:
    figure, axes = panels(1, 2, width=4.8, height=4.6)
    left, right = roc_axes(axes[0, 0], "(a) ROC space"), pr_axes(axes[0, 1], "(b) PR space")
    for index, (name, scores) in enumerate((("curve I", curve_one()), ("curve II", curve_two()))):
        draw_roc(left, scores.roc(), index, label=f"{name}, area {scores.roc_auc().value:.4f}")
        draw_pr(right, scores.pr(), index, label=f"{name}, area {scores.pr_auc().value:.4f}")
    legend(left, "lower right")
    legend(right, "center right", handlelength=1.8)
    return figure
