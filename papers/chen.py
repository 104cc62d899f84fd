"""Chen et al. (2024): ten tools that disagree about the area under the PR curve."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

from itertools import combinations
from typing import Any

from papers.drawing import draw_pr, legend, line, panels, pr_axes
from papers.entry import Entry, Found, Paper, Picture, Table, claim
from papers.tool_rules import TOOLS, rows_in_order
from thresher import Scores

__all__ = ["CHEN"]

# The example in the authors' repository, "Illustrative example 1 with no ties".
LABELS, SCORES = (1, 0, 1, 0, 0), (0.9, 0.8, 0.7, 0.6, 0.5)
# Ours: 20 cases with four distinct scores, of which one is worth nothing.
TIED_LABELS = (1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0)
TIED_SCORES = (3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0)


def _named(labels: tuple[int, ...], scores: tuple[float, ...]) -> dict[str, float]:
    table = Scores(labels, scores)
    return {
        name: table.pr_auc(estimator=name).value
        for name in ("interpolated", "unit_steps", "average_precision", "trapezoid")
    }


def estimators() -> Found:
    """Which estimator each tool computes.

    The abstract says that ten tools were evaluated, “collectively used in more than 3000 published studies”. The text
    of the article beyond its abstract was not at hand; the authors' repository gives the tools and an example, and each
    tool's rule was read in its published source, not run. The rules are written down in fractions and compared with
    the estimators that have a name here.

    >>> import thresher as th
    >>> scores = th.Scores([1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.5])
    >>> {name: round(scores.pr_auc(estimator=name).value, 4) for name in ("interpolated", "average_precision")}
    {'interpolated': 0.7973, 'average_precision': 0.8333}
    """
    same = {"plain": 0, "tied": 0}
    named = sum(bool(tool.estimator) for tool in TOOLS)
    rows = []
    plain, tied = _named(LABELS, SCORES), _named(TIED_LABELS, TIED_SCORES)
    for tool in TOOLS:
        values = float(tool.rule(LABELS, SCORES)), float(tool.rule(TIED_LABELS, TIED_SCORES))
        if tool.estimator:
            same["plain"] += abs(values[0] - plain[tool.estimator]) < 1e-12
            same["tied"] += abs(values[1] - tied[tool.estimator]) < 1e-12
        rows.append((tool.name, tool.words, tool.estimator or "none", f"{values[0]:.4f}", f"{values[1]:.4f}"))
    for name, words in (
        ("PRROC, auc.integral", "the integral of Davis and Goadrich's curve"),
        ("TensorFlow (Keras), AUC(curve='PR')", "the same integral, at 200 fixed thresholds in [0, 1]"),
    ):
        rows.append((name, words, "interpolated", f"{plain['interpolated']:.4f}", f"{tied['interpolated']:.4f}"))
    by_rows = [float(TOOLS[4].rule(TIED_LABELS[::step], TIED_SCORES[::step])) for step in (1, -1)]
    spread = [float(row[4]) for row in rows]
    return Found(
        (
            claim(
                "rules with a name here, against `pr_auc(estimator=...)`",
                ours=f"{same['plain']} of {named} equal without ties, {same['tied']} of {named} with ties",
                holds=same["plain"] == same["tied"] == named,
                status="our experiment",
                why="The rules were read in the tools' sources, not in the article; here they are checked with ours.",
            ),
            claim(
                "the tools disagree on the same data",
                published="“produce conflicting … AUPRC values”",
                ours=f"{min(spread):.4f} to {max(spread):.4f} on our 20 tied cases",
                holds=max(spread) - min(spread) > 0.05,
            ),
            claim(
                "rules that take a point after each row depend on the order of tied rows",
                ours=f"PerfMeas and MLeval: {by_rows[0]:.4f}, and {by_rows[1]:.4f} with the same rows in reverse",
                holds=abs(by_rows[0] - by_rows[1]) > 1e-6,
                status="our experiment",
                why="Rows with equal scores have no order; a figure that depends on it is not one of the scores alone.",
            ),
        ),
        tables=(
            Table(
                "The rules on the authors' example (labels 1, 0, 1, 0, 0 by falling score) and on 20 cases with ties",
                ("Tool", "Rule", "Name here", "Authors' example", "With ties (ours)"),
                tuple(rows),
            ),
        ),
        pictures=(Picture("chen-rules", _CAPTION, _draw),),
    )


_CAPTION = (
    "Twenty cases with four distinct scores, chosen by us: what can be reached between two scores (interpolated), "
    "straight lines from (0, 1), and the steps of average precision."
)


def _draw() -> Any:
    scores = Scores(TIED_LABELS, TIED_SCORES)
    curve = scores.pr()
    figure, axes = panels(1, 1, width=5.8, height=5.2)
    ax = pr_axes(axes[0, 0], prevalence=scores.prevalence)
    areas = _named(TIED_LABELS, TIED_SCORES)
    draw_pr(ax, curve, 0, label=f"interpolated, area {areas['interpolated']:.3f}")
    straight = float(TOOLS[3].rule(TIED_LABELS, TIED_SCORES))
    line(
        ax, [0.0, *curve.recall[1:]], [1.0, *curve.precision[1:]], 1, label=f"straight from (0, 1), area {straight:.3f}"
    )
    ax.step(
        curve.recall, curve.precision, where="pre", color="#009E73", linewidth=1.8, linestyle=(0, (4, 1)),
        label=f"average precision, {areas['average_precision']:.3f}",
    )  # fmt: skip
    ax.plot(curve.recall[1:], curve.precision[1:], "o", color="#000000", markersize=6, zorder=5)
    legend(ax, "upper right")
    return figure


def ranking() -> Found:
    """The tools rank classifiers differently, and some are too optimistic.

    “We find the AUPRC values computed by the tools rank classifiers differently and some tools produce
    overly-optimistic results.” Every ranking of three positives among eight cases, in pairs: how often do two rules
    disagree about which is the better one? Then the optimism: what a rule gives a score that knows nothing, and one
    good point followed by one large tie, Figure 6 of Davis and Goadrich.

    >>> import thresher as th
    >>> constant = th.Scores([1] * 2 + [0] * 8, [0] * 10)
    >>> constant.pr_auc().value, constant.pr_auc(estimator="trapezoid").value
    (0.2, 0.6)
    """
    orders = [tuple(int(place in chosen) for place in range(8)) for chosen in combinations(range(8), 3)]
    scores = tuple(range(8, 0, -1))
    values = {tool.name: [tool.rule(order, scores) for order in orders] for tool in TOOLS}
    integral = [Scores(order, scores).pr_auc().value for order in orders]
    pairs = list(combinations(range(len(orders)), 2))
    different = sum(
        len({(values[name][i] > values[name][j]) - (values[name][i] < values[name][j]) for name in values}) > 1
        for i, j in pairs
    )
    steps = values["Weka"]
    against = sum(
        (steps[i] > steps[j]) != (integral[i] > integral[j])
        and steps[i] != steps[j]
        and abs(integral[i] - integral[j]) > 1e-12
        for i, j in pairs
    )
    # 10 positives and 990 negatives; 2 positives come first, the rest is one tie.
    labels, tied = [1] * 10 + [0] * 990, [1.0] * 2 + [0.0] * 998
    reached = Scores(labels, tied).pr_auc().value
    straight = float(TOOLS[3].rule(labels, tied))
    constant = [1] * 10 + [0] * 990, [0.0] * 1000
    from_one = float(TOOLS[3].rule(*constant))
    last = rows_in_order(*constant)[-1]
    return Found(
        (
            claim(
                "the tools “rank classifiers differently”",
                published="rank classifiers differently",
                ours=f"two rules contradict each other in {different} of {len(pairs)} pairs of rankings",
                holds=different > 0,
            ),
            claim(
                "average precision and the integral, which are close here",
                ours=f"they order {against} of {len(pairs)} pairs differently",
                holds=against > 0,
                status="our experiment",
                why="Both are sound; they are not the same figure, so that an area needs its estimator's name.",
            ),
            claim(
                "“some tools produce overly-optimistic results”: 2 of 10 positives first, 998 cases tied",
                published="overly-optimistic",
                ours=f"straight lines give {straight:.3f}; mixing the two thresholds reaches {reached:.3f}",
                holds=straight > 2 * reached,
            ),
            claim(
                "a constant score, 10 positives in 1,000: the straight line from (0, 1)",
                ours=f"{from_one:.3f}",
                holds=abs(from_one - 0.505) < 1e-12,
                status="our experiment",
                why=f"Such a score is worth its prevalence, {last[0] / sum(last):.2f}; the line adds one half.",
            ),
        )
    )


CHEN = Paper(
    key="chen",
    title="Commonly used software tools produce conflicting and overly-optimistic AUPRC values",
    authors="Chen et al. (2024)",
    reference="Genome Biology 25, 118. Of the article the abstract was at hand, and the authors' repository.",
    link="https://doi.org/10.1186/s13059-024-03266-y",
    entries=(Entry("Abstract, ten tools", estimators), Entry("Abstract, two findings", ranking)),
)
