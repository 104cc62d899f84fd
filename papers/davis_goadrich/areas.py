"""Table 1, Figure 6 and Figure 7: interpolation and area in PR space."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from papers.drawing import draw_pr, draw_roc, legend, line, panels, pr_axes, roc_axes
from papers.entry import Found, Picture, Table, claim, number
from thresher import PrCurve, Scores

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


_N_POS, _N_NEG = 433, 56164
# 433 / (433 + 53692) is the printed end point, 0.008; all 56,164 negatives would give 0.00765.
_NEG_AT_END = 53692


def _point_curve(tp: int, n_neg: int = _N_NEG) -> Scores:
    """Return the scores of Figure 6: one point without false positives, then everything."""
    return Scores.from_counts([2.0, 1.0], [tp, _N_POS - tp], [0, n_neg])


def _reading(tp: int, n_neg: int) -> tuple[str, ...]:
    """Return a row of the table of figure 6: one reading of recall 0.02, with its areas."""
    scores = _point_curve(tp, n_neg)
    areas = [scores.pr_auc(estimator=name).value for name in ("unit_steps", "interpolated", "trapezoid")]
    return str(tp), f"{tp / _N_POS:.4f}", f"{_N_POS / (_N_POS + n_neg):.5f}", *(f"{area:.4f}" for area in areas)


def figure_6() -> Found:
    """A straight line from one good point overstates the area wildly.

    One point at recall 0.02 and precision 1, among 433 positives and 56,164 negatives, and the end points (0, 1) and
    (1, 0.008). Recall 0.02 is 9 true positives of 433; with them, the printed end point and the paper's rule (a point
    at every whole number of true positives, trapezoids between them) the printed area comes out. The same through the
    authors' program, which `thresher auccalculator` speaks like: the two lines `0.0207852 1.0` and `1.0 0.008`.

    >>> import thresher as th
    >>> scores = th.Scores.from_counts([2, 1], pos=[9, 424], neg=[0, 53_692])
    >>> round(float(scores.pr().precision[-1]), 3)
    0.008
    >>> round(scores.pr_auc(estimator="unit_steps").value, 6)
    0.030656
    """
    printed = _point_curve(9, _NEG_AT_END)
    area, linear = (printed.pr_auc(estimator=name).value for name in ("unit_steps", "trapezoid"))
    # A line from (0, 1) to (1, 0.008) that passes the point by.
    straight = (1 + 0.008) / 2
    exact = _point_curve(9).pr_auc().value
    return Found(
        (
            number("precision at recall 1, all 433 + 56,164 called", 0.008, _N_POS / (_N_POS + _N_NEG), digits=3),
            number("AUC-PR, interpolated: 9 true positives, end point (1, 0.008)", 0.031, area, digits=3),
            number(
                "AUC-PR, linear",
                0.50,
                straight,
                digits=2,
                status="not determined by the text",
                why=(
                    "“A linear connection” of the end points (0, 1) and (1, 0.008) has the area 0.504, printed as "
                    f"0.50; one through the point (0.02, 1) has {linear:.3f}. The text does not say which is meant; "
                    "the conclusion is the same."
                ),
            ),
            claim(
                "the linear area is a severe overestimate",
                published="0.50 against 0.031",
                ours=f"{straight / area:.0f} to {linear / area:.0f} times the interpolated area",
                holds=straight / area > 15,
            ),
            claim(
                "the integral without trapezoids, all 56,164 negatives at the end",
                ours=f"{exact:.4f}",
                holds=exact < area,
                status="our experiment",
                why=(
                    "Trapezoids at whole true positives are a little above the curve that they approximate, as the "
                    "paper says of its “practical, approximate method”; the table has the other readings of 0.02."
                ),
            ),
        ),
        tables=(
            Table(
                "The whole numbers of true positives that print as recall 0.02",
                (
                    "TP",
                    "Recall",
                    "End point",
                    "Unit steps (the paper's method)",
                    "Integral",
                    "Linear through the point",
                ),
                tuple(_reading(tp, n_neg) for tp in (7, 8, 9, 10) for n_neg in (_NEG_AT_END, _N_NEG)),
            ),
        ),
        pictures=(Picture("davis-goadrich-figure-6", _CAPTION_6, _draw_figure_6),),
    )


_CAPTION_6 = (
    "Figure 6 redrawn with 9 true positives and the printed end point (1, 0.008): interpolated as mixing achieves, the "
    "area is 0.031 by the paper's method; the straight line through the point has 0.514."
)


def _draw_figure_6() -> Any:
    curve = _point_curve(9, _NEG_AT_END).pr()
    figure, axes = panels(1, 1, width=5.6, height=5.2)
    ax = pr_axes(axes[0, 0])
    draw_pr(ax, curve, 0, label="correct interpolation (area 0.031)")
    line(ax, [0.0, 9 / 433, 1.0], [1.0, 1.0, 0.008], 1, label="straight line (area 0.514)")
    ax.plot([9 / 433], [1.0], "o", color="#000000", markersize=7, zorder=5)
    ax.annotate("(0.02, 1)", (9 / 433, 1.0), xytext=(10, -4), textcoords="offset points", fontsize=10)
    legend(ax, "upper right", bbox_to_anchor=(1.0, 0.93))
    return figure


def curve_one() -> Scores:
    """Return a curve I that has both areas printed for Figure 7; the text does not give its points."""
    return Scores.from_counts([4.0, 3.0, 2.0, 1.0], [9, 2, 2, 7], [1, 6, 95, 1898])


def other_curve_one() -> Scores:
    """Return one that has them when the curve is integrated instead of cut into trapezoids."""
    return Scores.from_counts([4.0, 3.0, 2.0, 1.0], [11, 1, 6, 2], [2, 6, 1349, 643])


def simple_curve_one() -> Scores:
    """Return the simplest hull with the printed AUC-ROC: (0, 0), (0, 0.5), (0.75, 1), (1, 1)."""
    return Scores.from_counts([3.0, 2.0, 1.0], [10, 10, 0], [0, 1500, 500])


def curve_two() -> Scores:
    """Return Figure 7's curve II: hull (0, 0), (0.25, 1), (1, 1)."""
    return Scores.from_counts([2.0, 1.0], [20, 0], [500, 1500])


def figure_7() -> Found:
    """The curve with the larger area in ROC space can have the far smaller one in PR space.

    20 positives and 2,000 negatives. The text does not give the points of the two curves; those here were chosen by us.
    Curve II is the hull through (0.25, 1). For curve I there are many: the one below has “over half of the positive
    examples” ranked highly and both printed areas, other hulls with the same AUC-ROC have other areas in PR space.

    >>> import thresher as th
    >>> one = th.Scores.from_counts([4, 3, 2, 1], pos=[9, 2, 2, 7], neg=[1, 6, 95, 1898])
    >>> two = th.Scores.from_counts([2, 1], pos=[20, 0], neg=[500, 1500])
    >>> round(one.roc_auc().value, 4), two.roc_auc().value
    (0.813, 0.875)
    >>> round(one.pr_auc(estimator="unit_steps").value, 4), round(two.pr_auc(estimator="unit_steps").value, 4)
    (0.5144, 0.0385)
    """
    one, two, simple = curve_one(), curve_two(), simple_curve_one()
    steps = {name: s.pr_auc(estimator="unit_steps").value for name, s in (("I", one), ("II", two), ("simple", simple))}
    other = other_curve_one()
    open_ = (
        "The points of curve I are not printed. 9, 2, 2 and 7 positives with 1, 6, 95 and 1,898 negatives give both "
        "printed areas by the paper's own rule; 11, 1, 6 and 2 with 2, 6, 1,349 and 643 give "
        f"{other.roc_auc().value:.3f} and, integrated, {other.pr_auc().value:.3f}; the simplest hull with the printed "
        f"AUC-ROC has {steps['simple']:.3f} in PR space. So the figure can be as printed, and the text does not "
        "determine it."
    )
    return Found(
        (
            number(
                "AUC-ROC, curve I", 0.813, one.roc_auc().value, digits=3, status="not determined by the text", why=open_
            ),
            number("AUC-ROC, curve II", 0.875, two.roc_auc().value, digits=3),
            number("AUC-PR, curve I", 0.514, steps["I"], digits=3, status="not determined by the text", why=open_),
            number("AUC-PR, curve II", 0.038, steps["II"], digits=3),
            claim(
                "the two areas choose differently",
                published="AUC-ROC chooses curve II, AUC-PR curve I",
                ours="AUC-ROC chooses curve II, AUC-PR curve I, whichever curve I",
                holds=all(
                    s.roc_auc().value < two.roc_auc().value and s.pr_auc().value > two.pr_auc().value
                    for s in (one, other, simple)
                ),
            ),
            claim(
                "“each curve individually is a convex hull”",
                published="convex hulls",
                ours="no point of either is dropped",
                holds=all(len(scores.roc().hull()) == len(scores.roc()) for scores in (one, two, other, simple)),
            ),
        ),
        pictures=(Picture("davis-goadrich-figure-7", _CAPTION_7, _draw_figure_7),),
    )


_CAPTION_7 = (
    "Figure 7 redrawn, with points of curve I that we chose so that both printed areas come out: (a) curve II has the "
    "larger area in ROC space, (b) curve I by far the larger one in PR space, because over half of the positives come "
    "nearly first."
)


def _draw_figure_7() -> Any:
    figure, axes = panels(1, 2, width=4.8, height=4.6)
    left, right = roc_axes(axes[0, 0], "(a) ROC space"), pr_axes(axes[0, 1], "(b) PR space")
    for index, (name, scores) in enumerate((("curve I", curve_one()), ("curve II", curve_two()))):
        draw_roc(left, scores.roc(), index, label=f"{name}, area {scores.roc_auc().value:.3f}")
        area = scores.pr_auc(estimator="unit_steps").value
        draw_pr(right, scores.pr(), index, label=f"{name}, area {area:.3f}")
    legend(left, "lower right")
    legend(right, "center right", handlelength=1.8)
    return figure
