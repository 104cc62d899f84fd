"""Figures 7 to 11: the distribution of the estimated precision in small samples."""
# the first line of an entry is the title of its section on the page

from __future__ import annotations

from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from papers.drawing import AID, PALETTE, panels
from papers.entry import Found, Picture, Table, claim
from papers.hughes_oliver.figures import SAMPLING_FIGURES, SamplingFigure
from papers.hughes_oliver.simulation import simulate
from thresher.population import CASES
from thresher.typing import FloatArray

__all__ = ["figure_7", "figure_8", "figure_9", "figure_10", "figure_11"]


class Cell(NamedTuple):
    """One histogram: what 5,000 samples gave, and the normal distribution of equation (9)."""

    values: FloatArray
    truth: float
    limit_sd: float
    distance: float
    ones: float


def _spec(number: int) -> SamplingFigure:
    return next(figure for figure in SAMPLING_FIGURES if figure.number == number)


@cache
def cells(number: int) -> dict[tuple[int, float], Cell]:
    """Simulate a figure: a cell for each sample size and recall."""
    spec = _spec(number)
    case = CASES[spec.case].with_prevalence(spec.prevalence)
    found = {}
    for n in spec.sizes:
        drawn = simulate(case, n, spec.n_replicates, list(spec.recalls), rng=1000 * number + n)
        for column, x in enumerate(spec.recalls):
            values = drawn[:, column]
            values = np.sort(values[~np.isnan(values)])
            truth = float(case.pr(x, prevalence=spec.prevalence))
            sd = float("nan") if x == 1 else float(case.asymptotic_sd(x, n, prevalence=spec.prevalence))
            found[n, x] = Cell(values, truth, sd, _distance(values, truth, sd), float(np.mean(values == 1.0)))
    return found


def _distance(values: FloatArray, mean: float, sd: float) -> float:
    """Return the largest distance between the simulated distribution function and the normal one."""
    if not sd > 0:
        return float("nan")
    points, counts = np.unique(values, return_counts=True)
    below = np.concatenate([[0.0], np.cumsum(counts)]) / values.size
    normal = special.ndtr((points - mean) / sd)
    return float(max(np.max(np.abs(below[1:] - normal)), np.max(np.abs(below[:-1] - normal))))


def _table(number: int) -> Table:
    spec, found = _spec(number), cells(number)
    rows = []
    for x in spec.recalls:
        row = [f"{x:g}", f"{found[spec.sizes[0], x].truth:.4f}"]
        for n in spec.sizes:
            cell = found[n, x]
            parts = [f"{cell.values.mean():.3f}", f"{cell.values.std():.3f}"]
            parts += ["–" if np.isnan(cell.limit_sd) else f"{cell.limit_sd:.3f}"]
            parts += ["–" if np.isnan(cell.distance) else f"{cell.distance:.2f}", f"{cell.ones:.2f}"]
            row.append(" / ".join(parts))
        rows.append(tuple(row))
    heads = tuple(f"n = {n:,}" for n in spec.sizes)
    return Table(
        "Mean / sd / sd by (9) / Kolmogorov distance to the normal distribution / share of samples with precision 1",
        ("x", "PR(x)", *heads),
        tuple(rows),
    )


def _picture(number: int) -> Picture:
    spec = _spec(number)
    caption = (
        f"Figure {number} redrawn: case {spec.case}, skew {spec.skew:g}, {spec.n_replicates:,} samples a histogram. "
        "Rows: sample sizes; columns: recall. Dashed: the normal density by equation (9), where there is one. Black "
        "mark: the population value. The paper's kernel density estimates and rugs are left out: the table has the "
        "shares of samples at exactly 1, which they were to show."
    )
    return Picture(f"hughes-oliver-figure-{number}", caption, partial(_draw, number))


def _range(number: int, n: int, low: float, high: float) -> list[float]:
    return [cell.distance for (size, x), cell in cells(number).items() if size == n and low <= x <= high]


def figure_7() -> Found:
    """Case A, skew 10: the normal approximation is good from n = 500 on.

    >>> from thresher.population import CASES
    >>> found = simulate(CASES["A"].with_prevalence(1 / 11), 500, 5000, [0.5], rng=7)
    >>> bool(abs(found.mean() - 0.385) < 0.01), bool(abs(found.std() - 0.0965) < 0.01)     # exact: 0.385, 0.0965
    (True, True)
    """
    middle, edge = max(_range(7, 500, 0.2, 0.9)), _range(7, 500, 0.1, 0.1)[0]
    positives = 500 / 11
    return Found(
        (
            claim(
                "n = 500, 0.2 ≤ x ≤ 0.9: the normal distribution very nearly matches",
                published="very nearly",
                ours=f"largest distance of distribution functions {middle:.3f}",
                holds=middle < 0.06,
            ),
            claim(
                "not near the extremes, x = 0.1",
                published="not well",
                ours=f"distance {edge:.2f}; {cells(7)[500, 0.1].ones:.0%} of the samples give precision 1",
                holds=edge > 1.5 * middle,
            ),
            claim(
                "positives on average at n = 500", published="45", ours=f"{positives:.1f}", holds=45 <= positives < 46
            ),
        ),
        tables=(_table(7),),
        pictures=(_picture(7),),
    )


def figure_8() -> Found:
    """Case C, skew 10: convergence is slower.

    >>> from thresher.population import CASES
    >>> round(455 * float(CASES["C"].fpr_at(0.5)), 1)        # negatives expected above the threshold, n = 500
    2.8
    """
    slow = {x: cells(8)[1000, x].distance for x in (0.1, 0.2, 0.3, 0.4)}
    same = {x: cells(7)[1000, x].distance for x in slow}
    return Found(
        (
            claim(
                "slower than case A",
                published="slower",
                ours="; ".join(f"x = {x:g}: {slow[x]:.2f} against {same[x]:.2f}" for x in slow) + " at n = 1,000",
                holds=all(slow[x] > same[x] for x in slow),
            ),
            claim(
                "“much larger n is needed to deal with the same value of skew = 10”",
                published="much larger n",
                ours=f"at n = 1,000 the largest distance is {max(slow.values()):.2f} for x ≤ 0.4, "
                f"{max(_range(8, 1000, 0.5, 0.9)):.3f} for 0.5 ≤ x ≤ 0.9",
                holds=max(slow.values()) > 0.06 > max(_range(8, 1000, 0.5, 0.9)),
            ),
        ),
        tables=(_table(8),),
        pictures=(_picture(8),),
    )


def figure_9() -> Found:
    """Case F, skew 1: two modes where the PR curve jumps.

    At x = 0.4, 0.6 and 0.8 half of the samples are near the limit from the left, half near the value.

    >>> from papers.hughes_oliver.exact_precision import precision_distribution
    >>> from thresher.population import CASES
    >>> distribution = precision_distribution(CASES["F"], 0.4, 400, design="fixed")
    >>> round(float(distribution.pmf(1.0)), 2)       # on its way to one half
    0.47
    """
    checks = []
    for jump in CASES["F"].pr_jumps(prevalence=0.5):
        x = round(jump.recall, 12)
        values = cells(9)[1000, x].values
        split = (jump.left + jump.value) / 2
        upper = float(np.mean(values > split))
        near = float(np.mean(np.minimum(np.abs(values - jump.left), np.abs(values - jump.value)) < 0.065))
        checks.append(
            claim(
                f"bimodal at x = {x:g}, n = 1,000",
                published="bimodal",
                ours=f"{upper:.2f} of the samples near {jump.left:.3f}, {1 - upper:.2f} near {jump.value:.3f}",
                holds=0.45 < upper < 0.55 and near > 0.98,
            )
        )
    spread = {x: float(cells(9)[1000, x].values.std()) for x in (0.3, 0.5, 0.7, 0.9)}
    checks.append(
        claim(
            "one mode between the jumps",
            ours=f"sd {', '.join(f'{value:.3f}' for value in spread.values())} at x = 0.3, 0.5, 0.7, 0.9",
            holds=max(spread.values()) < 0.03,
            status="our experiment",
            why="The paper speaks of the jumps only; this is what its other panels show.",
        )
    )
    return Found(tuple(checks), tables=(_table(9),), pictures=(_picture(9),))


def figure_10() -> Found:
    """Case D, skew 4: degenerate below recall ½, half normal at it.

    >>> from thresher.population import CASES
    >>> CASES["D"].asymptotic_sd([0.2, 0.4], 1000, prevalence=0.2).tolist()
    [0.0, 0.0]
    """
    below = min(float(cells(10)[1000, x].values.mean()) for x in (0.1, 0.2, 0.3, 0.4))
    half = cells(10)[1000, 0.5].ones
    above = max(_range(10, 1000, 0.6, 0.9))
    return Found(
        (
            claim(
                "x < 0.5: the limit is degenerate",
                published="degenerate",
                ours=f"mean at least {below:.4f} at n = 1,000",
                holds=below > 0.999,
            ),
            claim(
                "n = 1,000: reasonable only for x > 0.5",
                published="x > 0.5",
                ours=f"largest distance {above:.3f} for x ≥ 0.6; at x = 0.5 {half:.0%} of the samples give exactly 1",
                holds=above < 0.06 and 0.45 < half < 0.55,
            ),
        ),
        tables=(_table(10),),
        pictures=(_picture(10),),
    )


def figure_11() -> Found:
    """Case B, skew 1: the normal approximation is poor.

    >>> from thresher.population import CASES
    >>> float(CASES["B"].fpr_at(0.5)) < 1e-3, round(float(CASES["B"].fpr_at(0.9)), 3)
    (True, 1.0)
    """
    found = cells(11)
    poor = min(_range(11, 1000, 0.4, 0.8))
    fine = found[1000, 0.9].distance
    alpha, slope = float(CASES["B"].fpr_at(0.5)), float(CASES["B"].slope(0.5))
    return Found(
        (
            claim(
                "“The very poor performance of the normal approximation in Case B”: 0.4 ≤ x ≤ 0.8",
                published="very poor",
                ours=f"distance at least {poor:.2f} at n = 1,000",
                holds=poor > 0.05,
            ),
            claim(
                "x ≤ 0.5: false positive rate and slope essentially zero",
                published="essentially zero",
                ours=f"{alpha:.1e} and {slope:.1e} at x = 0.5",
                holds=alpha < 1e-3 and slope < 2e-3,
            ),
            claim(
                "x ≥ 0.9: slope negligible, false positive rate near 1",
                published="“basically has only the first term”",
                ours=(
                    f"slope {float(CASES['B'].slope(0.9)):.0e}, rate {float(CASES['B'].fpr_at(0.9)):.6f}; distance "
                    f"{fine:.3f} at n = 1,000"
                ),
                holds=fine < 0.05 and float(CASES["B"].slope(0.9)) < 1e-3,
            ),
        ),
        tables=(_table(11),),
        pictures=(_picture(11),),
    )


def _draw(number: int) -> Any:
    spec, found = _spec(number), cells(number)
    figure, axes = panels(len(spec.sizes), len(spec.recalls), width=1.45, height=1.55, layout="none")
    # Thirty panels are placed by hand: a solver takes seconds for it.
    figure.subplots_adjust(left=0.03, right=0.995, top=0.93, bottom=0.13, wspace=0.12, hspace=0.16)
    for row, n in enumerate(spec.sizes):
        for column, x in enumerate(spec.recalls):
            ax = axes[row, column]
            _histogram(ax, found[n, x])
            if row == 0:
                ax.set_title(f"x = {x:g}", fontsize=10)
            if column == 0:
                ax.set_ylabel(f"n = {n:,}", fontsize=10)
            ax.set_xticks([0, 0.5, 1], ["0", "½", "1"] if row == len(spec.sizes) - 1 else ["", "", ""], fontsize=9)
    figure.supxlabel("Estimated precision", fontsize=10.5)
    return figure


def _histogram(ax: Any, cell: Cell) -> None:
    """Draw one histogram, the normal density and the population value."""
    heights, edges = np.histogram(cell.values, bins=40, range=(0, 1), density=True)
    ax.stairs(heights, edges, fill=True, color=PALETTE[5], linewidth=0)
    top = heights.max()
    # A distribution that is a point has no density to draw.
    if cell.limit_sd > 0.004:
        t = np.linspace(0, 1, 401)
        normal = np.exp(-0.5 * ((t - cell.truth) / cell.limit_sd) ** 2) / cell.limit_sd / np.sqrt(2 * np.pi)
        ax.plot(t, normal, color=PALETTE[1], linewidth=1.6, linestyle=(0, (4, 1)))
        top = max(top, min(normal.max(), 2 * top))
    ax.plot([cell.truth], [0], marker=(3, 0, 0), color="#000000", markersize=7, clip_on=False, zorder=5)
    ax.set(xlim=(-0.04, 1.04), ylim=(0, 1.08 * top), yticks=[])
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(AID)
