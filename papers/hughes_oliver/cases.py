"""Cases A to F and Figures 3 to 6, in which they are drawn."""
# the first line of an entry is the title of its section on the page

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from papers.drawing import AID, legend, line, panels, plain_axes, pr_axes, roc_axes, style
from papers.entry import Check, Found, Picture, claim, number, within
from papers.hughes_oliver.figures import FIGURES
from papers.hughes_oliver.independent import ROC, pr, pr_area, roc_area
from thresher.population import CASES, Population
from thresher.typing import FloatArray

__all__ = ["case_a", "case_b", "case_c", "case_d", "case_e", "case_f", "figure_3", "figure_4", "figure_5", "figure_6"]

_GRID: FloatArray = np.linspace(0.001, 0.999, 999)
_RARE = 1 / 11
_THRESHOLDS = (-2.0, -1.0, 0.0, 0.7, 1.4, 2.0, 3.0, 4.0)


def _ends(
    name: str, roc: tuple[float, float], pr: tuple[float, float], pr_rare: float, *, digits: int = 3
) -> list[Check]:
    """Compare where the curves start and end."""
    even, rare = CASES[name].limits(), CASES[name].limits(prevalence=_RARE)
    start = even.pr_at_0 if even.pr_at_0 is not None else math.nan
    return [
        number("ROC starts at", roc[0], even.roc_at_0, digits=digits),
        number("ROC ends at", roc[1], even.roc_at_1, digits=digits),
        number("PR starts at", pr[0], start, digits=digits),
        number("PR ends at, π = 1/2", pr[1], even.pr_at_1, digits=digits),
        number("PR ends at, π = 1/11", pr_rare, rare.pr_at_1, digits=digits),
    ]


def _ratio(name: str, formula: Callable[[FloatArray], FloatArray], t: FloatArray, words: str) -> Check:
    """Compare the likelihood ratio with its printed formula."""
    case = CASES[name]
    off = float(np.max(np.abs(case.pos.pdf(t) / case.neg.pdf(t) / formula(t) - 1)))
    return claim("f₊(t)/f₋(t)", published=words, ours=f"{within(off)} relative", holds=off < 1e-9)


def _shape(name: str, roc: str, pr: str) -> Check:
    """Compare the shapes that are proved with those that are said, and with the values on a grid."""
    shape = CASES[name].shape()
    steps, bends = np.diff(CASES[name].pr(_GRID)), np.diff(CASES[name].roc(_GRID), 2)
    seen = {
        "concave": (bends <= 1e-12).all(),
        "convex": (bends >= -1e-12).all(),
        "neither": (bends > 1e-12).any() and (bends < -1e-12).any(),
    }[roc]
    course = {
        "nonincreasing": (steps <= 1e-12).all(),
        "nondecreasing": (steps >= -1e-12).all(),
        "neither": (steps > 1e-12).any() and (steps < -1e-12).any(),
    }[pr]
    return claim(
        "shapes of ROC and PR",
        published=f"{roc}, {pr}",
        ours=f"{shape.roc}, {shape.pr}",
        holds=(shape.roc, shape.pr) == (roc, pr) and bool(seen) and bool(course),
    )


def case_a() -> Found:
    """Binormal: N(1.4, 1) against N(0, 1); and case A*, its lognormal image.

    >>> from thresher.population import CASES
    >>> round(float(CASES["A"].roc_auc()), 12), round(float(CASES["A*"].roc_auc()), 12)
    (0.838900596919, 0.838900596919)
    """
    case, image = CASES["A"], CASES["A*"]
    above = bool((case.roc(_GRID) > _GRID).all() and (case.pr(_GRID) > 0.5).all())
    rare = bool((case.pr(_GRID, prevalence=_RARE) > _RARE).all())
    same = float(np.max(np.abs(case.pr(_GRID) - image.pr(_GRID))))
    return Found(
        (
            *_ends("A", (0, 1), (1, 0.5), _RARE),
            _ratio("A", lambda t: np.exp(1.4 * t - 0.98), np.linspace(-3, 5, 81), "exp(1.4t - 0.98)"),
            _shape("A", "concave", "nonincreasing"),
            claim(
                "better than chance everywhere",
                published="“over all thresholds”",
                ours="at 999 points of each curve",
                holds=above and rare,
            ),
            claim(
                "PR is closer to perfect for π = 1/2 than for 1/11",
                published="much closer",
                ours=f"areas {float(case.pr_auc()):.3f} and {float(case.pr_auc(prevalence=_RARE)):.3f}",
                holds=float(case.pr_auc()) > float(case.pr_auc(prevalence=_RARE)) + 0.2,
            ),
            claim("case A* has the same curves", published="the same", ours=within(same), holds=same < 1e-12),
        )
    )


def _end_of_chance(case: Population, below: float, above: float) -> float:
    """Return the highest threshold between two at which the case is worse than random."""
    for _ in range(60):
        middle = (below + above) / 2
        here = case.at(threshold=middle)
        below, above = (middle, above) if here.tpr < here.fpr else (below, middle)
    return below


def case_b() -> Found:
    """Positives 8 - W, W lognormal (1.4, 1); negatives N(0, 1).

    >>> from thresher.population import CASES
    >>> point = CASES["B"].at(threshold=0.7)
    >>> round(point.fpr, 4), round(point.tpr, 4), round(point.precision, 4)
    (0.242, 0.7217, 0.7489)
    """
    case = CASES["B"]
    point, low = case.at(threshold=0.7), case.at(threshold=-1.0)
    cross = case.at(threshold=_end_of_chance(case, -1.5, 0.0))
    pr = case.pr(_GRID)
    rising = np.flatnonzero(np.diff(pr) > 1e-9)
    lowest = _GRID[pr.argmin()]
    tiny = case.pr([1e-17, 1e-15, 1e-12])
    beyond = _GRID[_GRID > 0.75]
    best = float(np.max(case.roc(beyond) - beyond))
    return Found(
        (
            *_ends("B", (0, 1), (0, 0.5), _RARE),
            _ratio(
                "B",
                lambda t: np.exp((t**2 - (1.4 - np.log(8 - t)) ** 2) / 2) / (8 - t),
                np.linspace(-3, 6, 91),
                "exp({t² - [1.4 - log(8 - t)]²}/2)/(8 - t)",
            ),
            _shape("B", "neither", "neither"),
            claim(
                "PR increases from (0, 0), decreases, increases again",
                published="up, down, up",
                ours=(
                    f"{tiny[0]:.3f}, {tiny[1]:.3f}, {tiny[2]:.5f} at recall 1e-17, 1e-15, 1e-12; lowest {pr.min():.4f} "
                    f"at recall {lowest:.3f}; rising after it"
                ),
                holds=tiny[0] < tiny[1] < tiny[2] and bool((rising[rising > 800] > 0).any()) and 0.8 < lowest < 0.85,
            ),
            number("“y_ROC and x_PR as large as 0.7”: tpr at t = 0.7", 0.7, point.tpr, digits=1),
            number(
                "“t > 0.7, which results in x_ROC < 0.2”: fpr at t = 0.7",
                0.2,
                point.fpr,
                digits=2,
                printed="< 0.2",
                why="At t = 0.7 the false positive rate is 0.242; it is below 0.2 for t > 0.842.",
            ),
            number(
                "“and y_PR > 0.8 when π₊ = 0.5”: precision at t = 0.7",
                0.8,
                point.precision,
                digits=2,
                printed="> 0.8",
                why="At t = 0.7 precision is 0.749; it exceeds 0.8 for t > 0.924 (fpr 0.178, tpr 0.711).",
            ),
            claim(
                "“worse than random for very small thresholds (i.e., t < -1)”",
                published="worse than random",
                ours=f"at t = -1: tpr {low.tpr:.3f} < fpr {low.fpr:.3f}; below chance from fpr {cross.fpr:.3f} on",
                holds=low.tpr < low.fpr,
            ),
            claim(
                "“the region where it performs poorly (x_ROC > 0.75)”",
                published="performs poorly",
                ours=f"there tpr exceeds fpr by at most {best:.3f}, and by nothing above {cross.fpr:.3f}",
                holds=best < 0.03,
            ),
        )
    )


def case_c() -> Found:
    """Two beta distributions: (5, 2) against (2, 5).

    >>> from thresher.population import CASES
    >>> round(float(CASES["C"].roc_auc()), 6)
    0.959957
    """
    return Found(
        (
            *_ends("C", (0, 1), (1, 0.5), _RARE),
            _ratio("C", lambda t: (t / (1 - t)) ** 3, np.linspace(0.01, 0.99, 99), "[t/(1 - t)]³"),
            _shape("C", "concave", "nonincreasing"),
        )
    )


def case_d() -> Found:
    """Positives uniform on (0.5, 1.5), negatives on (0, 1).

    >>> from thresher.population import CASES
    >>> CASES["D"].limits().pr_at_1, CASES["D"].pr(1.0).item()       # the limit, and the value when all are called
    (0.6666666666666666, 0.5)
    """
    off = max(
        abs(CASES["D"].limits(prevalence=p).pr_at_1 - 2 * p / (p + 1)) for p in np.linspace(0.05, 0.95, 19).tolist()
    )
    return Found(
        (
            *_ends("D", (0.5, 1), (1, 2 / 3), 1 / 6),
            claim(
                "where PR ends", published="2π₊/(π₊ + 1)", ours=f"{within(off)} at 19 prevalences", holds=off < 1e-12
            ),
            _shape("D", "concave", "nonincreasing"),
            number("F₋(m₊)", 0.5, float(CASES["D"].neg.cdf(0.5)), digits=1),
        )
    )


def case_e() -> Found:
    """Case D with the classes exchanged.

    >>> from thresher.population import CASES
    >>> round(float(CASES["E"].roc_auc()), 12), CASES["E"].shape().pr
    (0.125, 'nondecreasing')
    """
    below = bool((CASES["E"].roc(_GRID) < _GRID).all())
    return Found(
        (
            *_ends("E", (0, 0.5), (0, 0.5), _RARE),
            _shape("E", "convex", "nondecreasing"),
            claim("ROC below chance", published="below", ours="at 999 points", holds=below),
        )
    )


def case_f() -> Found:
    """Five equally likely scores for positives, ten for negatives.

    >>> from thresher.population import CASES
    >>> [(round(jump.recall, 1), round(jump.left, 4), round(jump.value, 4)) for jump in CASES["F"].pr_jumps()]
    [(0.4, 1.0, 0.6667), (0.6, 0.75, 0.6), (0.8, 0.6667, 0.5714)]
    """
    case = CASES["F"]
    off = max(
        abs(case.limits(prevalence=p).pr_at_1 - p / (p + 0.6 * (1 - p))) for p in np.linspace(0.05, 0.95, 19).tolist()
    )
    jumps = [round(jump.recall, 12) for jump in case.pr_jumps()]
    pieces = [case.pr(np.linspace(a + 1e-6, b - 1e-6, 50)) for a, b in ((0, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1))]
    return Found(
        (
            *_ends("F", (0.4, 1), (1, 0.625), 0.143),
            claim(
                "where PR ends",
                published="π₊/(π₊ + 0.6 π₋)",
                ours=f"{within(off)} at 19 prevalences",
                holds=off < 1e-12,
            ),
            claim(
                "PR is made of nondecreasing pieces between jumps",
                published="nondecreasing pieces",
                ours=f"jumps at {', '.join(f'{x:g}' for x in jumps)}; no piece falls",
                holds=jumps == [0.4, 0.6, 0.8] and all(bool((np.diff(piece) >= 0).all()) for piece in pieces),
            ),
            claim(
                "ROC neither concave nor convex",
                published="neither",
                ours=str(case.shape().roc),
                holds=case.shape().roc == "neither",
            ),
        )
    )


def _figure(number_: int, chosen: str = "") -> Found:
    """Return the figure, its curves and areas compared with formulas written out by hand."""
    figure = next(figure for figure in FIGURES if figure.number == number_)
    checks = []
    for name in figure.cases:
        case = CASES[name]
        off = float(np.max(np.abs(ROC[name](_GRID) - case.roc(_GRID))))
        area, ours = roc_area(name), float(case.roc_auc(ties="strict"))
        checks.append(
            claim(
                f"case {name}: the ROC curve, equation (3) written out",
                published="1 - F₊(F₋⁻¹(1 - x))",
                ours=f"{within(off)}; area {ours:.4f}, by quadrature of the formula {area:.4f}",
                holds=off < 1e-11 and abs(area - ours) < 1e-7,
            )
        )
        for share in figure.prevalences:
            off = float(np.max(np.abs(pr(name, _GRID, share) - case.pr(_GRID, prevalence=share))))
            area, ours = pr_area(name, share), float(case.pr_auc(prevalence=share, estimator="functional"))
            checks.append(
                claim(
                    f"case {name}, π = 1/{round(1 / share)}: the PR curve, equation (5) written out",
                    published="π₊ / (π₊ + π₋ [1 - F₋(F₊⁻¹(1 - x))] / x)",
                    ours=f"{within(off)}; area {ours:.4f}, by quadrature of the formula {area:.4f}",
                    holds=off < 1e-10 and abs(area - ours) < 1e-7,
                )
            )
    caption = (
        f"Figure {number_} redrawn: (a) the scores, (b) ROC, (c) PR with equal classes, (d) PR with ten negatives a "
        f"positive. Grey: chance, and the lowest precision that any score can have.{chosen}"
    )
    return Found(
        tuple(checks), pictures=(Picture(f"hughes-oliver-figure-{number_}", caption, partial(_draw, number_)),)
    )


def figure_3() -> Found:
    """Densities, ROC and PR curves of cases A and B.

    >>> from thresher.population import CASES
    >>> CASES["A"].pr([0.1, 0.5, 0.9]).round(4).tolist(), CASES["B"].pr([0.1, 0.5, 0.9]).round(4).tolist()
    ([0.9647, 0.8609, 0.6653], [1.0, 0.9999, 0.4737])
    """
    values = ", ".join(f"{t:g}" for t in _THRESHOLDS)
    return _figure(3, f" The eight thresholds are not printed; {values} were chosen by us.")


def figure_4() -> Found:
    """Densities, ROC and PR curves of case C.

    >>> from thresher.population import CASES
    >>> CASES["C"].pr([0.5, 0.9], prevalence=1 / 11).round(4).tolist()
    [0.8921, 0.4299]
    """
    return _figure(4)


def figure_5() -> Found:
    """Densities, ROC and PR curves of cases D and E.

    >>> from thresher.population import CASES
    >>> CASES["D"].pr([0.25, 0.75]).round(4).tolist(), CASES["E"].pr([0.25, 0.75]).round(4).tolist()
    ([1.0, 0.75], [0.25, 0.4286])
    """
    return _figure(5)


def figure_6() -> Found:
    """Probabilities, ROC and PR curves of case F.

    >>> from thresher.population import CASES
    >>> CASES["F"].pr([0.3, 0.4, 0.5, 0.7]).round(4).tolist()
    [1.0, 0.6667, 0.7143, 0.6364]
    """
    return _figure(6)


_RANGES = {3: (-4.0, 8.0), 4: (0.0, 1.0), 5: (-0.1, 1.6), 6: (0.0, 0.95)}
_LABELS = {"A": "case A", "B": "case B", "C": "case C", "D": "case D", "E": "case E", "F": "case F"}


def _draw(number_: int) -> Any:
    figure_data = next(figure for figure in FIGURES if figure.number == number_)
    figure, axes = panels(2, 2, width=4.7, height=4.5)
    _draw_scores(axes[0, 0], number_, figure_data.cases)
    roc = roc_axes(axes[0, 1], "(b) ROC curves" if len(figure_data.cases) > 1 else "(b) ROC curve")
    for index, name in enumerate(figure_data.cases):
        _draw_function(roc, CASES[name], index, _LABELS[name], None)
    legend(roc, "lower right")
    for ax, share, letter in zip(axes[1], figure_data.prevalences, "cd", strict=True):
        pr_axes(ax, f"({letter}) PR, π = 1/{round(1 / share)}", prevalence=share, bound=True)
        for index, name in enumerate(figure_data.cases):
            _draw_function(ax, CASES[name], index, _LABELS[name], share)
    if number_ == 3:
        _mark_thresholds(axes, figure_data.prevalences)
    return figure


def _draw_function(ax: Any, case: Population, index: int, label: str, share: float | None) -> None:
    """Draw a curve as the function that it is, cut where it jumps."""
    x = np.unique(np.concatenate([_GRID, np.geomspace(1e-18, 0.01, 120), 1 - np.geomspace(1e-6, 0.01, 60)]))
    y = case.roc(x) if share is None else case.pr(x, prevalence=share)
    if share is None:
        # The limits at both ends belong to the curve; case B comes to (1, 1) within the last 1e-6 of the axis.
        limits = case.limits()
        x, y = np.concatenate([[0.0], x, [1.0]]), np.concatenate([[limits.roc_at_0], y, [limits.roc_at_1]])
    breaks = np.flatnonzero(np.abs(np.diff(y)) > 0.04) + 1 if case.pos.discrete else np.array([], dtype=int)
    for piece, (xs, ys) in enumerate(zip(np.split(x, breaks), np.split(y, breaks), strict=True)):
        line(ax, xs, ys, index, label=label if piece == 0 else None)


def _draw_scores(ax: Any, number_: int, names: tuple[str, ...]) -> None:
    low, high = _RANGES[number_]
    first = CASES[names[0]]
    if first.pos.discrete:
        plain_axes(ax, x="Score", y="Probability", title="(a) Scores")
        for distribution, index, marker, label in ((first.neg, 6, "o", "negatives"), (first.pos, 0, "s", "positives")):
            values, masses = distribution.atoms()
            ax.vlines(values, 0, masses, color=style(index)["color"], linewidth=1.2, alpha=0.6)
            ax.plot(values, masses, marker, color=style(index)["color"], markersize=7, label=label)
        ax.set(xlim=(low, high), ylim=(0, 0.25))
        legend(ax, "upper right", ncols=2)
        return
    plain_axes(ax, x="Score", y="Density", title="(a) Densities")
    t = np.linspace(low, high, 801)
    if number_ == 5:
        line(ax, t, first.pos.pdf(t), 0, label="positives of D, negatives of E")
        line(ax, t, first.neg.pdf(t), 6, label="negatives of D, positives of E")
        ax.set_ylim(0, 1.4)
        legend(ax, "upper center")
        return
    line(ax, t, first.neg.pdf(t), 6, label="negatives")
    for index, name in enumerate(names):
        line(ax, t, CASES[name].pos.pdf(t), index, label=f"positives, {_LABELS[name]}")
    ax.set_ylim(0, 3.2 if number_ == 4 else None)
    legend(ax, "upper right" if number_ == 3 else "upper center")


def _mark_thresholds(axes: Any, prevalences: tuple[float, float]) -> None:
    """Mark the same eight thresholds in all panels of Figure 3, each with its number."""
    density, roc, *spaces = axes.ravel()
    density.set_ylim(0, 0.62)
    for label, t in enumerate(_THRESHOLDS, 1):
        density.plot([t, t], [0, 0.41], color=AID, linewidth=0.9, zorder=1)
        density.text(t, 0.425, str(label), ha="center", fontsize=9, bbox={"fc": "white", "ec": "none", "pad": 0.6})
    for index, name in enumerate("AB"):
        for ax, share in ((roc, None), *zip(spaces, prevalences, strict=True)):
            places: list[tuple[float, float]] = []
            for t in _THRESHOLDS:
                point = CASES[name].at(threshold=t, prevalence=share)
                places.append((point.fpr, point.tpr) if share is None else (point.tpr, point.precision))
            _mark(ax, places, style(index)["color"])


def _mark(ax: Any, places: list[tuple[float, float]], colour: str) -> None:
    """Mark the points; where thresholds crowd together one mark names the first and the last of them."""
    groups: list[list[int]] = []
    for number_, place in enumerate(places):
        if groups and math.dist(place, places[groups[-1][0]]) < 0.05:
            groups[-1].append(number_)
        else:
            groups.append([number_])
    for group in groups:
        for member in group:
            ax.plot(*places[member], "o", color=colour, markersize=4, zorder=5, clip_on=False)
        x, y = places[group[0]]
        text = str(group[0] + 1) if len(group) == 1 else f"{group[0] + 1}–{group[-1] + 1}"
        ax.annotate(
            text, (x, y), ha="center", va="center", fontsize=7.5, color="white", zorder=7, annotation_clip=False,
            bbox={"boxstyle": "round,pad=0.25", "fc": colour, "ec": "white", "lw": 0.8},
        )  # fmt: skip
