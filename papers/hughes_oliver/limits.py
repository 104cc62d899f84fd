"""The definitions and properties P1 to P3: limits and monotonicity, with counter-examples."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

from papers.drawing import legend, line, panels, pr_axes, roc_axes
from papers.entry import Found, Picture, Table, claim, number, within
from thresher.population import CASES, Discrete, Mixture, Population
from thresher.typing import FloatArray

__all__ = ["p1", "p2", "p3", "quantiles", "section_1", "triplets"]

_GRID: FloatArray = np.linspace(0.001, 0.999, 999)
_EDGE = 1e-9


def section_1() -> Found:
    """A point that is excellent in ROC space can be useless in PR space.

    The introduction's two numbers: the precision at (fpr, tpr) = (0.01, 0.99) when one case in a thousand is positive,
    and the false positive rate at which the ROC curves of cases A and B cross.

    >>> round(0.99 * 0.001 / (0.99 * 0.001 + 0.01 * 0.999), 4)
    0.0902
    """
    precision = 0.99 * 0.001 / (0.99 * 0.001 + 0.01 * 0.999)
    low, high = 0.1, 0.4
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if CASES["B"].roc(middle) > CASES["A"].roc(middle) else (low, middle)
    return Found(
        (
            number("precision at fpr 0.01, tpr 0.99, one positive in 1,000", 0.09, precision, digits=2),
            number("cases A and B cross at fpr", 0.2, low, digits=1),
        )
    )


def triplets() -> Found:
    """The confusion matrix from (tpr, fpr, π) or from (tpr, precision, π).

    The two triplets are said to be equivalent if 0 < π < 1 and some case is called positive.

    >>> from scipy import stats
    >>> from thresher.population import Discrete, Population
    >>> population = Population(Discrete([0]), stats.uniform(), prevalence=0.5)
    >>> for t in (0.8, 0.9):
    ...     point = population.at(threshold=t)
    ...     print(point.tpr, point.precision, round(point.fpr, 3))
    0.0 0.0 0.2
    0.0 0.0 0.1
    """
    population = Population(Discrete([0]), stats.uniform(), prevalence=0.5)
    first, second = population.at(threshold=0.8), population.at(threshold=0.9)
    same = (first.tpr, first.precision) == (second.tpr, second.precision) and first.fpr != second.fpr
    case = CASES["A"]
    worst = 0.0
    for t in np.linspace(-3, 4, 71):
        point = case.at(threshold=float(t), prevalence=0.2)
        back = 0.2 * point.tpr * (1 - point.precision) / (0.8 * point.precision)
        worst = max(worst, abs(back - point.fpr))
    return Found(
        (
            claim(
                "fpr comes back from (tpr, precision, π), case A",
                published="“uniquely and equivalently represented”",
                ours=f"{within(worst)} at 71 thresholds",
                holds=worst < 1e-12,
            ),
            claim(
                "Pr(S > t) > 0 is enough",
                published="“provided 0 < π₊ < 1 and 0 < Pr(S > t)”",
                ours="two matrices with fpr 0.2 and 0.1 share tpr 0 and precision 0",
                holds=not same,
                why=(
                    "If tpr = 0, precision is 0 whatever the false positive rate is, so that it cannot be recovered: "
                    "Pr(S > t | +) > 0 is needed, as in Theorem 3.1 of Davis and Goadrich (recall not 0)."
                ),
            ),
        )
    )


def quantiles() -> Found:
    """Generalized inverses of distribution functions.

    Section 2.2 says that F(F⁻¹(p)) = p and F⁻¹(F(z)) = z if F is strictly increasing.

    >>> from scipy import stats
    >>> from thresher.population import Mixture, Discrete
    >>> distribution = Mixture([stats.norm(), Discrete([0])], [0.5, 0.5])
    >>> float(distribution.cdf(distribution.ppf(0.5)))
    0.75
    """
    distribution = Mixture([stats.norm(), Discrete([0])], [0.5, 0.5])
    there = float(distribution.cdf(distribution.ppf(0.5)))
    z = np.linspace(-3, 3, 61)
    back = float(np.max(np.abs(distribution.ppf(distribution.cdf(z)) - z)))
    return Found(
        (
            number(
                "F(F⁻¹(0.5)) for F = ½ N(0, 1) + ½ δ₀, strictly increasing",
                0.5,
                there,
                digits=2,
                printed="F(F⁻¹(p)) = p, here 0.5",
                why="p must be a value of F, which continuity ensures and strict increase does not: F jumps over 0.5.",
            ),
            claim("F⁻¹(F(z)) = z", published="z", ours=f"{within(back)}", holds=back < 1e-9),
        )
    )


def p1() -> Found:
    """The ROC curve never falls; its limits at 0 and 1.

    The limits are printed as 1 - F₊(M₋) and 1 - F₊(m₋), with m and M the ends of the scores.

    >>> from scipy import stats
    >>> from thresher.population import Discrete, Population
    >>> population = Population(Discrete([1]), stats.uniform(), prevalence=0.5)
    >>> float(population.pos.sf(1.0)), population.roc([0.001, 0.5]).tolist(), population.limits().roc_at_0
    (0.0, [1.0, 1.0], 1.0)
    """
    rising = all(bool((np.diff(case.roc(_GRID)) >= -1e-15).all()) for case in CASES.values())
    starts, ends = [], []
    for case in CASES.values():
        limits = case.limits()
        starts.append(abs(limits.roc_at_0 - _beyond(case.pos, case.neg.upper)))
        ends.append(abs(limits.roc_at_1 - _beyond(case.pos, case.neg.lower)))
    counter = Population(Discrete([1]), stats.uniform(), prevalence=0.5)
    return Found(
        (
            claim("the ROC curve", published="nondecreasing", ours="nondecreasing in all seven cases", holds=rising),
            claim(
                "P1(a) in cases A to F",
                published="1 - F₊(M₋)",
                ours=f"limits equal {within(max(starts))}",
                holds=max(starts) < 1e-12,
            ),
            claim(
                "P1(b) in cases A to F",
                published="1 - F₊(m₋)",
                ours=f"limits equal {within(max(ends))}",
                holds=max(ends) < 1e-12,
            ),
            number(
                "P1(a) for F₋ uniform on (0, 1) and F₊ = δ₁",
                0.0,
                float(counter.roc(_EDGE)),
                digits=1,
                printed="1 - F₊(M₋), here 0",
                why=(
                    "Thresholds come to M₋ from below, so that positives exactly at M₋ still count. The limit is "
                    "Pr(S₊ ≥ M₋), unless the negatives have an atom at M₋, then Pr(S₊ > M₋). The printed value is "
                    "right when F₊ has no atom at M₋."
                ),
            ),
        )
    )


def _beyond(distribution: Any, end: float) -> float:
    return float(distribution.sf(end)) if np.isfinite(end) else float(end < 0)


def p2() -> Found:
    """The limits of the PR curve at recall 1 and 0.

    Three statements: (a) at 1 it is π / (π + π₋ [1 - F₋(m₊)]); (b) at 0, if M₊ ≥ M₋, it is π / (π + π₋ k) with k the
    limit of f₋ / f₊; (c) at 0, if M₊ < M₋, it is 0.

    >>> from scipy import stats
    >>> from thresher.population import Mixture, Discrete, Population
    >>> neg = Mixture([stats.uniform(), Discrete([1])], [0.5, 0.5])
    >>> population = Population(stats.uniform(), neg, prevalence=0.5)
    >>> population.pr([1e-2, 1e-4, 1e-6]).round(6).tolist()      # k = 1/2 would give 2/3
    [0.019417, 0.0002, 2e-06]
    """
    ends = []
    for case in CASES.values():
        share = 1.0 - float(case.neg.cdf(case.pos.lower)) if np.isfinite(case.pos.lower) else 1.0
        for prevalence in (1 / 2, 1 / 11):
            expected = prevalence / (prevalence + (1 - prevalence) * share)
            ends.append(abs(float(case.pr(1 - 1e-12, prevalence=prevalence)) - expected))
    neg = Mixture([stats.uniform(), Discrete([1])], [0.5, 0.5])
    atom = float(Population(stats.uniform(), neg, prevalence=0.5).pr(_EDGE))
    coin = stats.bernoulli(0.5)
    tied = float(Population(coin, coin, prevalence=0.2).pr(_EDGE))
    starts = {name: CASES[name].limits().pr_at_0 for name in "ABCDEF"}
    expected_starts = {"A": 1.0, "B": 0.0, "C": 1.0, "D": 1.0, "E": 0.0, "F": 1.0}
    return Found(
        (
            claim(
                "P2(a) in all cases, π = 1/2 and 1/11",
                published="π / (π + π₋[1 - F₋(m₊)])",
                ours=f"equal {within(max(ends))} at recall 1 - 1e-12",
                holds=max(ends) < 1e-4,
            ),
            claim(
                "P2(b), P2(c): starts of cases A to F",
                published="1, 0, 1, 1, 0, 1",
                ours=", ".join(f"{value:g}" for value in starts.values() if value is not None),
                holds=starts == expected_starts,
            ),
            number(
                "P2(b) without a density: F₊ uniform, F₋ = ½ uniform + ½ δ₁, π = ½",
                0.0,
                atom,
                digits=3,
                printed="by densities: “k = lim f₋(t)/f₊(t)”",
                status="assumption of the authors",
                why=(
                    "P2(b) is stated by densities, which the paper gives to continuous scores. Where half of the "
                    "negatives stand exactly at M₊ = M₋, above every positive, the densities alone (f₋ / f₊ → ½) would "
                    "say 2/3 and the limit is 0."
                ),
            ),
            claim(
                "P2(b) for two fair coins, π = 0.2, if k were a ratio of masses",
                ours=f"that would give 0.2; precision starts at {tied:g}",
                holds=tied == 1.0,
                status="our experiment",
                why=(
                    "The paper does not read k so; the row shows that nobody should. With S > t no negative exceeds "
                    "the largest score, so that precision starts at 1 and not at π. In general PR(0+) = π / (π + π₋ κ) "
                    "with κ = lim α(x)/x, if that limit exists; for α(x) = x (1 + ½ sin log x) it does not."
                ),
            ),
        )
    )


def p3_counter_example() -> Population:
    """Return negatives uniform on (0, 1), positives half there with rising density and half below every negative."""
    return Population(Mixture([stats.beta(2, 1), stats.uniform(-1, 1)], [0.5, 0.5]), stats.uniform(), prevalence=0.5)


def p3() -> Found:
    """When the PR curve only falls or only rises.

    (a) If the ROC curve is concave and M₊ ≥ M₋, precision does not rise. (b) If it is convex, M₊ < M₋ and a limit is 0,
    precision does not fall.

    Counter-example to (a): negatives uniform on (0, 1); positives with density t there and ½ on (-1, 0). The ROC curve
    ½ (1 - (1 - x)²) is concave, M₊ = M₋ = 1, and yet precision falls to recall ½ and then rises.

    >>> from scipy import stats
    >>> from thresher.population import Mixture, Population
    >>> pos = Mixture([stats.beta(2, 1), stats.uniform(-1, 1)], [0.5, 0.5])
    >>> population = Population(pos, stats.uniform(), prevalence=0.5)
    >>> population.roc([0.25, 0.5, 0.75]).tolist()
    [0.21875, 0.375, 0.46875]
    >>> population.pr([0.1, 0.3, 0.49, 0.5, 0.6, 0.8]).round(3).tolist()
    [0.486, 0.449, 0.363, 0.333, 0.375, 0.444]
    """
    counter = p3_counter_example()
    roc, pr = counter.roc(_GRID), counter.pr(_GRID)
    concave = bool((np.diff(roc, 2) <= 1e-12).all())
    falls = bool((np.diff(pr) <= 1e-12).all())
    right = {name: _course(CASES[name]) for name in ("A", "C", "D", "E")}
    values = counter.pr([0.1, 0.3, 0.49, 0.5, 0.6, 0.8])
    # Reversed case C has M₊ = M₋ and a convex ROC curve: (b) does not cover it, and still precision rises.
    reverse = Population(stats.beta(2, 5), stats.beta(5, 2), prevalence=0.5)
    return Found(
        (
            claim(
                "cases A, C, D fall, E rises",
                published="A, C, D nonincreasing, E nondecreasing",
                ours=", ".join(f"{name} {course}" for name, course in right.items()),
                holds=right == {"A": "falls", "C": "falls", "D": "falls", "E": "rises"},
            ),
            claim(
                "P3(a)",
                published="concave ROC and M₊ ≥ M₋ ⇒ precision falls",
                ours=f"concave: {concave}, falls: {falls}; lowest {pr.min():.3f} at recall {_GRID[pr.argmin()]:.3f}",
                holds=not concave or falls,
                why=(
                    "A concave ROC curve on (0, 1) does not see positives that lie below every negative; they make "
                    "precision rise again. True is: concave, and ROC(1-) = 1, that is F₊(m₋) = 0. Proof: the completed "
                    "curve is concave on [0, 1], so its inverse α is convex with α(0+) = 0, so α(x)/x does not fall, "
                    "and precision is π / (π + π₋ α(x)/x). No densities are needed."
                ),
            ),
            claim(
                "P3(b): its three conditions",
                published="ROC convex, M₊ < M₋ and the limit of (f₋/f₊)(1 - F₊) is 0",
                ours=f"reversed case C, M₊ = M₋: ROC convex, precision {_course(reverse)}",
                holds=_course(reverse) == "rises",
                status="stronger than necessary",
                why=(
                    "True as printed; ROC convex and ROC(0+) = 0 is enough, and the limit condition is automatic: with "
                    "h = f₊/f₋ not rising, 1 - F₊(t) ≤ h(t) [F₋(M₊) - F₋(t)], so that (f₋/f₊)(1 - F₊) → 0."
                ),
            ),
        ),
        tables=(
            Table(
                "The counter-example, π = ½",
                ("recall", "0.1", "0.3", "0.49", "0.5", "0.6", "0.8"),
                (("precision", *(f"{value:.3f}" for value in values)),),
            ),
        ),
        pictures=(Picture("hughes-oliver-p3", _CAPTION, _draw_p3),),
    )


def _course(population: Population) -> str:
    steps = np.diff(population.pr(_GRID))
    if (steps <= 1e-12).all():
        return "falls"
    return "rises" if (steps >= -1e-12).all() else "neither"


_CAPTION = (
    "Counter-example to P3(a): a concave ROC curve (left) whose PR curve falls and then rises (right), because half of "
    "the positives lie below every negative."
)


def _draw_p3() -> Any:
    population = p3_counter_example()
    figure, axes = panels(1, 2, width=4.5, height=4.4)
    left, right = roc_axes(axes[0, 0], "ROC space: concave"), pr_axes(axes[0, 1], "PR space", prevalence=0.5)
    line(left, _GRID, population.roc(_GRID), 0, label="½ (1 − (1 − x)²)")
    line(right, _GRID, population.pr(_GRID), 0, label="precision, π = ½")
    right.annotate(
        "falls, then rises", (0.5, 1 / 3), xytext=(0.56, 0.14), fontsize=10, arrowprops={"arrowstyle": "->", "lw": 1.1}
    )
    legend(left, "lower right")
    legend(right, "upper right")
    return figure
