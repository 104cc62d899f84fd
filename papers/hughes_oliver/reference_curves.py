"""Properties P4 to P7: chance, perfect and reverse separation, transformations; Figures 1 and 2."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from scipy import special, stats

from papers.drawing import line, panels, pr_axes, roc_axes
from papers.entry import Found, Picture, claim, number, within
from thresher import Scores
from thresher.population import CASES, Discrete, Distribution, Mixture, Population, affine
from thresher.typing import FloatArray

__all__ = ["figure_1", "figure_2", "p4", "p5", "p6", "p7", "separation"]

_GRID: FloatArray = np.linspace(0.005, 0.995, 199)


def separation(population: Population) -> Literal["perfect", "reverse"] | None:
    """Tell whether almost every positive scores above every negative, or below; touching ends without two atoms do.

    >>> from scipy import stats
    >>> separation(Population(stats.uniform(2, 1), stats.uniform(0, 1)))
    'perfect'
    """
    if _above(population.pos, population.neg):
        return "perfect"
    return "reverse" if _above(population.neg, population.pos) else None


def _above(high: Distribution, low: Distribution) -> bool:
    (bottom, _), (_, top) = high.support(), low.support()
    both = all((distribution.atoms()[0] == end).any() for distribution, end in ((low, top), (high, bottom)))
    return top < bottom or (top == bottom and not both)


def p4() -> Found:
    """The curves of a useless score.

    If both classes have the same distribution, ROC(x) ≤ x and PR(x) ≥ π, with equality where 1 - x is a value of the
    distribution function at a unique z. The two definitions err in opposite directions when scores tie.

    >>> from thresher.population import Discrete, Population
    >>> tied = Population(Discrete([0]), Discrete([0]), prevalence=0.1)
    >>> tied.roc([0.2, 0.8]).tolist(), tied.pr([0.2, 0.8]).tolist()
    ([0.0, 0.0], [1.0, 1.0])
    >>> float(tied.pr_auc(estimator="functional")), round(float(tied.pr_auc()), 12)
    (1.0, 0.1)
    """
    distributions = (
        stats.norm(),
        Discrete([1, 2, 3]),
        stats.poisson(2),
        Mixture([stats.norm(), Discrete([0])], [0.5, 0.5]),
    )
    below = above = True
    for distribution in distributions:
        chance = Population(distribution, distribution, prevalence=0.2)
        below &= bool((chance.roc(_GRID) <= _GRID + 1e-12).all())
        above &= bool((chance.pr(_GRID) >= 0.2 - 1e-12).all())
    normal = Population(stats.norm(), stats.norm(), prevalence=0.2)
    equal = max(float(np.max(np.abs(normal.roc(_GRID) - _GRID))), float(np.max(np.abs(normal.pr(_GRID) - 0.2))))
    distribution = Mixture([stats.norm(), Discrete([0])], [0.5, 0.5])
    jumpy = Population(distribution, distribution, prevalence=0.2)
    coin = Population(Discrete([1, 2]), Discrete([1, 2]), prevalence=0.2)
    return Found(
        (
            claim(
                "chance ROC curve",
                published="ROC(x) ≤ x",
                ours="for four distributions, with and without atoms",
                holds=below,
            ),
            claim(
                "chance PR curve",
                published="PR(x) ≥ π₊",
                ours="for four distributions, with and without atoms",
                holds=above,
            ),
            claim(
                "equality for a normal distribution", published="equality", ours=f"{within(equal)}", holds=equal < 1e-12
            ),
            claim(
                "the proof: “with equality when F₊(·) is strictly increasing”",
                published="equality",
                ours=f"½ N + ½ δ₀: ROC(½) = {float(jumpy.roc(0.5)):.2f}, PR(½) = {float(jumpy.pr(0.5)):.3f}, π = 0.2",
                holds=abs(float(jumpy.roc(0.5)) - 0.5) < 1e-9,
                why="Equality holds exactly where 1 - x is a value of F; a strictly increasing F may jump over it.",
            ),
            claim(
                "equality where F₊(z) = 1 - x “for a unique z”",
                published="equality for a unique z",
                ours=f"scores 1 and 2, x = ½: every z in [1, 2) has F(z) = ½, and ROC(½) = {float(coin.roc(0.5)):g}",
                holds=float(coin.roc(0.5)) == 0.5,
                status="stronger than necessary",
                why="True as printed; equality holds wherever 1 - x is a value of F₊, at one z or at many.",
            ),
        )
    )


def p5() -> Found:
    """The curves of perfect separation, as functions of the threshold.

    All positives above all negatives. The rows are printed for M₊ > t > m₊, m₊ ≥ t > M₋ and M₋ ≥ t > m₋.

    >>> from thresher.population import Discrete
    >>> pos = Discrete([1, 2])          # m₊ = 1; all negatives at 0
    >>> float(pos.sf(1.0))              # the row for m₊ ≥ t > M₋ says 1
    0.5
    """
    population = Population(stats.uniform(1.5, 1), stats.uniform(), prevalence=0.2)
    t = np.linspace(0.0, 2.5, 251)
    tpr, fpr = population.pos.sf(t), population.neg.sf(t)
    perfect = bool((((fpr == 0) | (tpr == 1)) & (tpr >= fpr)).all())
    recall = population.pr(_GRID)
    printed, true = 1.0, float(Discrete([1, 2]).sf(1.0))
    return Found(
        (
            claim(
                "the curves of perfect separation",
                published="ROC passes (0, 1), PR passes (1, 1)",
                ours="at every threshold fpr = 0 or tpr = 1; precision 1 at every recall below 1",
                holds=perfect and bool((recall == 1).all()),
            ),
            claim(
                "“all scores for the + class exceed all scores for the – class, meaning M₋ < m₊”",
                published="M₋ < m₊",
                ours=f"`separation` says {separation(population)!r} of M₋ = 1, m₊ = 1.5",
                holds=separation(population) == "perfect",
            ),
            number(
                "tpr at t = m₊ when positives have an atom there (scores 1 and 2)",
                printed,
                true,
                digits=1,
                printed="(0, 1) for m₊ ≥ t > M₋, so tpr 1",
                why=(
                    "With S > t an atom at m₊ is not exceeded at t = m₊. The middle row must read m₊ > t ≥ M₋, the "
                    "last one M₋ > t ≥ m₋; and the point (1, π) at t < m₋ is missing when negatives have an atom at m₋."
                ),
            ),
        )
    )


def figure_1() -> Found:
    """The ROC and PR curves of perfect separation.

    Positives uniform on (1.5, 2.5), negatives on (0, 1), one positive in five.
    """
    population = Population(stats.uniform(1.5, 1), stats.uniform(), prevalence=0.2)
    roc, pr = float(population.roc_auc()), float(population.pr_auc())
    return Found(
        (
            claim(
                "both curves pass the ideal corner, so that both areas are 1",
                published="(0, 1) in ROC space, (1, 1) in PR space",
                ours=f"areas {roc:.12f} and {pr:.12f}",
                holds=abs(roc - 1) < 1e-12 and abs(pr - 1) < 1e-12,
            ),
            claim(
                "the PR curve ends at (1, π₊)",
                published="π₊ / (π₊ + π₋ [1 - F₋(t)]) down to t = m₋",
                ours=f"precision {float(population.pr(1.0)):g} at π₊ = 0.2 when everything is called",
                holds=abs(float(population.pr(1.0)) - 0.2) < 1e-15,
            ),
        ),
        pictures=(Picture("hughes-oliver-figure-1", _CAPTION_1, _draw_figure_1),),
    )


_CAPTION_1 = (
    "Figure 1 redrawn: perfect separation, in ROC space and in PR space. The prevalence, 0.2, was chosen by us."
)
_CAPTION_2 = (
    "Figure 2 redrawn: reverse separation, in ROC space and in PR space. The prevalence, 0.2, was chosen by us. The "
    "grey region cannot be reached by any score; its area is 0.107."
)


def _draw_figure_1() -> Any:
    figure, axes = panels(1, 2, width=4.2, height=4.2)
    left, right = roc_axes(axes[0, 0], "ROC space"), pr_axes(axes[0, 1], "PR space", prevalence=0.2)
    line(left, [0, 0, 1], [0, 1, 1], 0, linewidth=3, clip_on=False)
    line(right, [0, 1, 1], [1, 1, 0.2], 0, linewidth=3, clip_on=False)
    right.text(0.03, 0.225, "prevalence", color="#4d4d4d", fontsize=9.5)
    left.text(0.52, 0.44, "chance", color="#4d4d4d", fontsize=9.5, rotation=45)
    return figure


def p6() -> Found:
    """The curves of reverse separation, and the lowest curves that any score can have.

    ROC(x) ≥ 0 and PR(x) ≥ πx / (πx + 1 - π). The area under the second is 1 + ((1 - π)/π) log(1 - π) (Boyd et al.
    2012).

    >>> import math, thresher as th
    >>> round(th.min_pr_auc(0.2), 12) == round(1 + 0.8 / 0.2 * math.log(0.8), 12)
    True
    """
    least = min(
        float(np.min(case.pr(_GRID, prevalence=share) - case.lower_bound(_GRID, prevalence=share)))
        for case in CASES.values()
        for share in (1 / 2, 1 / 11)
    )
    reverse = Population(stats.uniform(), stats.uniform(1.5, 1), prevalence=0.2)
    attained = float(np.max(np.abs(reverse.pr(_GRID) - 0.2 * _GRID / (0.2 * _GRID + 0.8))))
    return Found(
        (
            claim(
                "the achievable lower bound",
                published="PR(x) ≥ π₊x / (π₊x + π₋)",
                ours=f"least distance {least:.1e} in seven cases at two prevalences",
                holds=least >= -1e-15,
            ),
            claim(
                "attained by reverse separation",
                published="“this lower bound is achieved”",
                ours=f"{within(attained)}",
                holds=attained < 1e-15,
            ),
            claim(
                "ROC(x) = 0 under reverse separation",
                published="bounded below by zero",
                ours=f"largest ROC(x) = {float(np.max(reverse.roc(_GRID))):g}",
                holds=float(np.max(reverse.roc(_GRID))) == 0,
            ),
        )
    )


def figure_2() -> Found:
    """The ROC and PR curves of reverse separation.

    Positives uniform on (0, 1), negatives on (1.5, 2.5), one positive in five.
    """
    population = Population(stats.uniform(), stats.uniform(1.5, 1), prevalence=0.2)
    area = 1 + 0.8 / 0.2 * math.log(0.8)
    return Found(
        (
            claim(
                "the ROC curve runs along the axis to (1, 0)",
                published="(1 - F₋(t), 0)",
                ours=f"its area is {float(population.roc_auc()):g}",
                holds=abs(float(population.roc_auc())) < 1e-12,
            ),
            claim(
                "area under the lowest PR curve, π = 0.2: 1 + ((1 - π)/π) log(1 - π)",
                ours=f"{float(population.pr_auc()):.12f}, formula {area:.12f}",
                holds=abs(float(population.pr_auc()) - area) < 1e-12,
                status="our experiment",
                why="The paper gives the curve, Boyd et al. (2012) its area.",
            ),
        ),
        pictures=(Picture("hughes-oliver-figure-2", _CAPTION_2, _draw_figure_2),),
    )


def _draw_figure_2() -> Any:
    figure, axes = panels(1, 2, width=4.2, height=4.2)
    left, right = roc_axes(axes[0, 0], "ROC space"), pr_axes(axes[0, 1], "PR space", prevalence=0.2)
    line(left, [0, 1, 1], [0, 0, 1], 0, linewidth=3, clip_on=False)
    x = np.linspace(0, 1, 201)
    bound = 0.2 * x / (0.2 * x + 0.8)
    right.fill_between(x, bound, color="#8A8A8A", alpha=0.24, linewidth=0)
    line(right, x, bound, 0, linewidth=3, clip_on=False)
    right.text(0.03, 0.225, "prevalence", color="#4d4d4d", fontsize=9.5)
    left.text(0.42, 0.54, "chance", color="#4d4d4d", fontsize=9.5, rotation=45)
    return figure


def p7() -> Found:
    """An increasing transformation of the scores changes nothing.

    Case A* is the exponential of case A. A jump in the transformation, and transformations that do not increase
    strictly, are another matter.

    >>> from scipy import special
    >>> import thresher as th
    >>> y, score = [1, 1, 0, 1, 0], [40.0, 39.0, 38.0, 37.0, 1.0]
    >>> th.Scores(y, score).roc_auc().value
    0.8333333333333334
    >>> th.Scores(y, special.expit(score)).roc_auc().value       # a sigmoid saturates
    0.75
    """
    a, image = CASES["A"], CASES["A*"]
    off = max(
        float(np.max(np.abs(a.roc(_GRID) - image.roc(_GRID)))), float(np.max(np.abs(a.pr(_GRID) - image.pr(_GRID))))
    )
    before = float(Population(stats.norm(), Discrete([0]), prevalence=0.5).pr(0.5))
    # h(s) = s + 1 for s >= 0 is strictly increasing: the upper half of the positives moves up, and the atom too.
    halves = Mixture([affine(stats.halfnorm(), scale=-1), affine(stats.halfnorm(), shift=1)], [0.5, 0.5])
    after = float(Population(halves, Discrete([1]), prevalence=0.5).pr(0.5))
    y, score = [1, 1, 0, 1, 0], np.array([40.0, 39.0, 38.0, 37.0, 1.0])
    plain, squashed = Scores(y, score).roc_auc().value, Scores(y, special.expit(score)).roc_auc().value
    return Found(
        (
            claim(
                "case A* has the curves of case A",
                published="the same",
                ours=f"{within(off)}",
                holds=off < 1e-12,
            ),
            claim(
                "h(s) = s + 1{s ≥ 0}, which jumps; F₊ = N(0, 1), F₋ = δ₀, π = ½",
                published="the proof uses the inverse of h at every threshold",
                ours=f"PR(½) = {before:.2f} becomes {after:.2f}",
                holds=abs(before - after) > 0.5,
                status="assumption of the authors",
                why=(
                    "The proof takes h⁻¹(r) at every threshold r, which a transformation with a jump does not have. "
                    "With one, the curve as a function may change at a single recall, where F₋ has an atom, F₊ none "
                    "and h jumps; as a set of points it gains no more than that."
                ),
            ),
            claim(
                "a sigmoid in floating point",
                ours=f"AUC {plain:.4f} becomes {squashed:.4f}: 1/(1 + exp(-38)) is 1.0",
                holds=plain != squashed,
                status="our experiment",
                why=(
                    "The paper speaks of increasing transformations; a sigmoid in floating point is not one. What "
                    "merely does not fall (rounding, clipping, saturation) makes ties: use the logits."
                ),
            ),
        )
    )
