"""McDermott et al. (2024): what AUROC and AUPRC weigh, on counts."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from scipy import integrate

from papers.drawing import legend, line, panels, plain_axes
from papers.entry import Entry, Found, Paper, Picture, Table, claim, within
from thresher import Scores
from thresher.population import CASES

__all__ = ["MCDERMOTT"]


def _places(labels: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return (TP, FP) at each positive of a ranking, itself included."""
    found = []
    tp = 0
    for rank, label in enumerate(labels, 1):
        if label:
            tp += 1
            found.append((tp, rank - tp))
    return found


def _average_precision(labels: tuple[int, ...]) -> Fraction:
    places = _places(labels)
    return sum((Fraction(tp, tp + fp) for tp, fp in places), start=Fraction(0)) / len(places)


def _auroc(labels: tuple[int, ...]) -> Fraction:
    places, n_neg = _places(labels), labels.count(0)
    return 1 - sum((Fraction(fp, n_neg) for _, fp in places), start=Fraction(0)) / len(places)


def theorem_1() -> Found:
    """Both areas as averages over the positives: of the false positive rate, and of it over the firing rate.

    From the authors' notebook: AUROC = 1 - E[FPR(p₊)] and AUPRC = 1 - P(y = 0) E[FPR(p₊) / P(p > p₊)], where p₊ is the
    score of a random positive. On counts, for every ranking of up to nine cases, in fractions; and for three
    populations of Hughes-Oliver, by quadrature. (The text of the article beyond its abstract was not at hand.)

    >>> from fractions import Fraction
    >>> labels = [1, 0, 1, 0, 0]           # by falling score
    >>> fpr = [Fraction(0, 3), Fraction(1, 3)]
    >>> fired = [Fraction(1, 5), Fraction(3, 5)]        # calls at the score of each positive, itself included
    >>> 1 - Fraction(3, 5) * sum(a / b for a, b in zip(fpr, fired)) / 2
    Fraction(5, 6)
    >>> import thresher as th
    >>> round(th.Scores(labels, [5, 4, 3, 2, 1]).pr_auc(estimator="average_precision").value, 4)
    0.8333
    """
    tried = roc = ap = 0
    strict_differs = 0
    for total in range(2, 10):
        for n_pos in range(1, total):
            for chosen in combinations(range(total), n_pos):
                labels = tuple(int(place in chosen) for place in range(total))
                n_neg, places = total - n_pos, _places(labels)
                share = Fraction(n_neg, total)
                mean = sum((Fraction(fp, n_neg) / Fraction(tp + fp, total) for tp, fp in places), start=Fraction(0))
                ap += 1 - share * mean / n_pos == _average_precision(labels)
                wins = sum(i < j for i in chosen for j in range(total) if j not in chosen)
                roc += _auroc(labels) == Fraction(wins, n_pos * n_neg)
                others = [(fp, tp + fp - 1) for tp, fp in places if tp + fp > 1]
                strict = (
                    1 - share * sum((Fraction(fp * total, n_neg * r) for fp, r in others), start=Fraction(0)) / n_pos
                )
                strict_differs += strict != _average_precision(labels)
                tried += 1
    worst = 0.0
    for name in "ABC":
        case = CASES[name].with_prevalence(0.2)

        def integrand(x: float, case: Any = case) -> float:
            fpr = float(case.fpr_at(x))
            return fpr / (0.2 * x + 0.8 * fpr)

        # Over a random positive the recall at its score is uniform.
        mean = sum(
            integrate.quad(integrand, a, b, limit=200)[0] for a, b in pairwise((1e-12, 1e-4, 0.01, 0.2, 0.5, 0.8, 1.0))
        )
        worst = max(worst, abs(1 - 0.8 * mean - float(case.pr_auc())))
    return Found(
        (
            claim(
                "AUROC on counts, every ranking of up to nine cases",
                published="1 - E[FPR]",
                ours=f"equal as fractions in {roc:,} of {tried:,} rankings",
                holds=roc == tried,
            ),
            claim(
                "AUPRC on counts: the firing rate counts the positive itself",
                published="1 - P(y = 0) E[FPR / P(p > p₊)]",
                ours=f"average precision, equal as fractions in {ap:,} of {tried:,} rankings",
                holds=ap == tried,
            ),
            claim(
                "the same with P(p > p₊) taken strictly on a finite sample",
                ours=f"differs from average precision in {strict_differs:,} of {tried:,} rankings",
                holds=strict_differs > 0,
                status="our experiment",
                why="For continuous scores the two are one; on counts the positive at the threshold is called too.",
            ),
            claim(
                "AUPRC of populations with densities: cases A, B, C of Hughes-Oliver, one positive in five",
                published="1 - P(y = 0) E[FPR / P(p > p₊)]",
                ours=f"the area under the PR curve {within(worst)}",
                holds=worst < 1e-6,
            ),
        )
    )


def _gain(labels: tuple[int, ...], place: int) -> tuple[Fraction, Fraction]:
    """Return what AUROC and average precision gain when the negative at `place` and the positive after it change."""
    fixed = (*labels[:place], 1, 0, *labels[place + 2 :])
    return _auroc(fixed) - _auroc(labels), _average_precision(fixed) - _average_precision(labels)


def mistakes() -> Found:
    """Correcting one neighbouring mistake: AUROC gains the same everywhere, AUPRC more at the top.

    A negative directly above a positive is exchanged with it. AUROC gains 1/(mn) wherever that happens. Average
    precision gains k / (m r (r - 1)), where the positive is the k-th and stands at rank r: it depends on the firing
    rate r/n as the authors say, and on k as well.

    >>> from fractions import Fraction
    >>> def gain(k, r, m): return Fraction(k, m * r * (r - 1))
    >>> gain(1, 2, 3), gain(2, 5, 3)
    (Fraction(1, 6), Fraction(1, 30))
    """
    tried = constant = formula = 0
    for total in (6, 7, 8):
        for n_pos in range(1, total):
            for chosen in combinations(range(total), n_pos):
                labels = tuple(int(place in chosen) for place in range(total))
                for place in range(total - 1):
                    if labels[place : place + 2] != (0, 1):
                        continue
                    in_roc, in_ap = _gain(labels, place)
                    k, r = sum(labels[: place + 2]), place + 2
                    constant += in_roc == Fraction(1, n_pos * (total - n_pos))
                    formula += in_ap == Fraction(k, n_pos * r * (r - 1))
                    tried += 1
    upside_down = (0, 0, 0, 0, 1, 1, 1, 0, 1, 0)
    above, below = _gain(upside_down, 3)[1], _gain(upside_down, 7)[1]
    ranked = CASES["A"].with_prevalence(0.1)
    drawn, scores = ranked.sample(4000, rng=5)
    order = tuple(drawn[np.argsort(-scores)].tolist())
    gains = [float(_fast_gain(order, place)) for place in range(len(order) - 1) if order[place : place + 2] == (0, 1)]
    thirds = np.array_split(np.array(gains), 3)
    means = [float(third.mean()) for third in thirds]
    return Found(
        (
            claim(
                "what AUROC gains",
                published="“AUROC improves by a constant amount no matter which atomic mistake is corrected”",
                ours=f"1/(mn) in {constant:,} of {tried:,} mistakes of all rankings of 6 to 8 cases",
                holds=constant == tried,
            ),
            claim(
                "what average precision gains",
                ours=f"k / (m r (r - 1)) in {formula:,} of {tried:,} mistakes",
                holds=formula == tried,
                status="our experiment",
                why="The exact gain on counts, from which the order of the gains follows.",
            ),
            claim(
                "the order of the gains on a sample: case A, one positive in ten, 4,000 cases",
                published="“AUPRC improves in descending order with model score”",
                ours=f"mean gains {means[0]:.1e}, {means[1]:.1e}, {means[2]:.1e} in the upper, middle and lower third",
                holds=means[0] > means[1] > means[2],
            ),
            claim(
                "the order of the gains, mistake by mistake: 0000111010",
                published="“in descending order with model score”",
                ours=f"the mistake at rank 5 is worth {above}, the lower one at rank 9 {below}",
                holds=below > above,
                status="not determined by the text",
                why=(
                    "The conditions of the theorem were not at hand. Without any, the order holds on average and not "
                    "for every pair: a lower mistake below many positives can be worth more than a higher one."
                ),
            ),
        ),
        tables=(_group_table(),),
        pictures=(Picture("mcdermott-gains", _CAPTION, _draw),),
    )


def _fast_gain(order: tuple[int, ...], place: int) -> Fraction:
    return Fraction(sum(order[: place + 2]), sum(order) * (place + 2) * (place + 1))


def _groups(seed: int) -> dict[str, float]:
    """Return the mean gain of a mistake by the group of its positive: equal rankings, unequal prevalences."""
    rng = np.random.default_rng(seed)
    rows = []
    for name, share in (("30%", 0.3), ("3%", 0.03)):
        labels, scores = CASES["A"].with_prevalence(share).sample(3000, rng=rng)
        # The log-odds of being positive, which is what a calibrated model would rank by.
        odds = 1.4 * scores - 0.98 + np.log(share / (1 - share))
        rows += list(zip(odds.tolist(), labels.tolist(), [name] * labels.size, strict=True))
    rows.sort(reverse=True)
    order = tuple(label for _, label, _ in rows)
    found: dict[str, list[float]] = {"30%": [], "3%": []}
    seen = np.cumsum(order)
    for place in range(len(order) - 1):
        if order[place : place + 2] == (0, 1):
            rank = place + 2
            found[rows[place + 1][2]].append(float(seen[place + 1]) / (seen[-1] * rank * (rank - 1)))
    return {name: float(np.mean(values)) for name, values in found.items()}


def _group_table() -> Table:
    rows = []
    for seed in range(4):
        gains = _groups(seed)
        rows.append((str(seed), f"{gains['30%']:.2e}", f"{gains['3%']:.2e}", f"{gains['30%'] / gains['3%']:.1f}"))
    return Table(
        "Our experiment: one list of two groups, ranked equally well and by calibrated scores; mean gain in average "
        "precision of one corrected mistake, by the group of the positive",
        ("Seed", "30% positives", "3% positives", "Ratio"),
        tuple(rows),
    )


_CAPTION = (
    "What correcting one neighbouring mistake is worth, case A of Hughes-Oliver, one positive in ten, 4,000 cases: the "
    "same everywhere for AUROC, falling with the rank for average precision."
)


def _draw() -> Any:
    labels, scores = CASES["A"].with_prevalence(0.1).sample(4000, rng=5)
    order = tuple(labels[np.argsort(-scores)].tolist())
    places = [place for place in range(len(order) - 1) if order[place : place + 2] == (0, 1)]
    n_pos = sum(order)
    figure, axes = panels(1, 1, width=6.2, height=4.2)
    ax = plain_axes(axes[0, 0], x="Proportion of cases predicted positive at this point", y="Gain of the area")
    x = [(place + 2) / len(order) for place in places]
    ax.plot(x, [float(_fast_gain(order, place)) for place in places], "o", color="#0072B2", markersize=4,
            label="average precision")  # fmt: skip
    line(ax, [min(x), 1.0], [1 / (n_pos * (len(order) - n_pos))] * 2, 1, label="AUROC")
    ax.set(xscale="log", yscale="log")
    legend(ax, "upper right")
    return figure


def position() -> Found:
    """The position this library takes.

    The abstract: AUPRC “is not generally superior in cases of class imbalance”. Agreed, and neither is AUROC. The two
    answer different questions. AUROC is about a positive and a negative drawn at random and does not know how rare
    positives are. AUPRC is about those who are called, at one prevalence, and weighs what comes first. So: which model
    is better everywhere is a question of dominance, whose answer is the same in both spaces (`th.dominates`); areas in
    PR space are compared at a stated prevalence (`pr_auc(prevalence=...)`), also between groups; and for a decision
    with known costs use neither area but the threshold (`choose_threshold`, `cost_curve`).

    >>> import thresher as th
    >>> rare, common = (th.population.CASES["A"].with_prevalence(p) for p in (0.03, 0.3))
    >>> round(float(rare.roc_auc()), 3) == round(float(common.roc_auc()), 3)
    True
    >>> round(float(rare.pr_auc()), 3), round(float(common.pr_auc()), 3), round(float(rare.pr_auc(prevalence=0.3)), 3)
    (0.215, 0.707, 0.707)
    """
    ratios = [gains["30%"] / gains["3%"] for gains in map(_groups, range(4))]
    rng = np.random.default_rng(81)
    agree = crossing = 0
    for _ in range(300):
        a, b = (Scores(np.repeat([1, 0], [8, 40]), rng.normal(np.repeat([1.0, 0.0], [8, 40]))) for _ in range(2))
        better = a.roc_auc().value > b.roc_auc().value, a.pr_auc().value > b.pr_auc().value
        agree += better[0] == better[1]
        crossing += better[0] != better[1]
    return Found(
        (
            claim(
                "one list of two groups with 30% and 3% positives: a corrected mistake is worth more in the first",
                published="“can unduly favor model improvements in subpopulations with more frequent positive labels”",
                ours=f"{min(ratios):.1f} to {max(ratios):.1f} times as much average precision, four seeds",
                holds=min(ratios) > 1.5,
            ),
            claim(
                "random pairs of rankings, 8 positives and 40 negatives: do the two areas choose the same one?",
                ours=f"in {agree} of 300 pairs, and not in {crossing}",
                holds=0 < crossing < 150,
                status="our experiment",
                why="Where the curves cross the areas may choose differently, and neither choice is a mistake.",
            ),
        )
    )


MCDERMOTT = Paper(
    key="mcdermott",
    title="A Closer Look at AUROC and AUPRC under Class Imbalance",
    authors="McDermott et al. (2024)",
    reference=(
        "Advances in Neural Information Processing Systems 37. Of the article the abstract was at hand, and the "
        "authors' notebook and page."
    ),
    link="https://arxiv.org/abs/2401.06091",
    entries=(
        Entry("Theorem 1", theorem_1),
        Entry("Atomic mistakes", mistakes),
        Entry("Abstract", position),
    ),
)
