"""Equations (1) to (3): the statistic, its variance, and the largest that the variance can be."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import prod

import numpy as np

from papers.entry import Found, claim, within
from thresher import Scores

__all__ = ["the_statistic", "variances"]


def the_statistic() -> Found:
    """The AUC is the Wilcoxon-Mann-Whitney statistic.

    The number of pairs ranked rightly over mn, for strictly ordered lists; 1 for a perfect ranking, and ½ on average
    over all rankings.

    >>> import thresher as th
    >>> th.Scores.from_pos_neg([5, 3, 2], [4, 1]).roc_auc().value       # 4 of 6 pairs
    0.6666666666666666
    """
    right = tried = 0
    balanced = True
    for m, n in ((2, 3), (3, 3), (4, 3), (2, 6)):
        total = Fraction(0)
        count = 0
        for places in combinations(range(m + n), m):
            pos, neg = list(places), [rank for rank in range(m + n) if rank not in places]
            area = Fraction(sum(x > y for x in pos for y in neg), m * n)
            right += Scores.from_pos_neg(pos, neg).roc_auc().value == float(area)
            tried += 1
            total += area
            count += 1
        balanced &= total / count == Fraction(1, 2)
    perfect = Scores.from_pos_neg([3, 4], [1, 2]).roc_auc().value
    return Found(
        (
            claim(
                "equation (1)",
                published="Σ Σ 1{x_i > y_j} / (mn)",
                ours=f"`roc_auc` is the same in {right} of {tried} rankings",
                holds=right == tried,
            ),
            claim("a perfect ranking", published="A = 1", ours=f"{perfect:g}", holds=perfect == 1.0),
            claim(
                "“the expected AUC value for a random ranking is 0.5”",
                published="0.5",
                ours="exactly 1/2 over all rankings of four pairs of class sizes" if balanced else "not 1/2",
                holds=balanced,
            ),
        )
    )


def variances() -> Found:
    """The variance of the AUC: by two more probabilities (2), for exponential scores, and at most (3).

    Scores with a few values and fractions for probabilities: every sample is enumerated, so that the variance is exact.
    Then exponential scores, for which Hanley and McNeil's two probabilities are integrals that can be done.

    >>> from fractions import Fraction
    >>> A = Fraction(3, 4)             # positives above all negatives three times in four, else below all of them
    >>> A * (1 - A) / 5                # m = 5, n = 9: the largest variance, and it is reached
    Fraction(3, 80)
    """
    exact = bounded = tried = 0
    rng = np.random.default_rng(71)
    for _ in range(12):
        values_pos, values_neg = [0, 2, 4], [1, 3]
        weight_pos, weight_neg = (_fractions(rng, size) for size in (3, 2))
        m, n = int(rng.integers(1, 5)), int(rng.integers(1, 5))
        mean, variance = _enumerated(values_pos, weight_pos, values_neg, weight_neg, m, n)
        pos, neg = (list(zip(*law, strict=True)) for law in ((values_pos, weight_pos), (values_neg, weight_neg)))
        # Two positives above one negative: independent given the negative, so a square; likewise two negatives.
        p_xxy = sum(c * sum(a for x, a in pos if x > z) ** 2 for z, c in neg)
        p_xyy = sum(a * sum(c for z, c in neg if x > z) ** 2 for x, a in pos)
        printed = (mean * (1 - mean) + (m - 1) * (p_xxy - mean**2) + (n - 1) * (p_xyy - mean**2)) / (m * n)
        exact += printed == variance
        bounded += variance <= mean * (1 - mean) / min(m, n) <= Fraction(1, 4 * min(m, n))
        tried += 1
    # Positives above all negatives with probability A, else below all of them.
    _, reached = _enumerated([0, 9], [Fraction(1, 4), Fraction(3, 4)], [5], [Fraction(1)], 3, 4)
    worst = 0.0
    for rate in (1.5, 2.0, 5.0):
        # Exp(1) positives against Exp(rate) negatives: A = rate / (1 + rate), the others by one integral each.
        auc = rate / (1 + rate)
        worst = max(worst, abs(rate / (rate + 2) - auc / (2 - auc)), abs(2 * auc**2 / (1 + auc) - _two_below(rate)))
    return Found(
        (
            claim(
                "equation (2)",
                published="[A(1-A) + (m-1)(P_xxy - A²) + (n-1)(P_xyy - A²)] / (mn)",
                ours=f"equal as fractions to the enumerated variance in {exact} of {tried} random populations",
                holds=exact == tried,
            ),
            claim(
                "exponential scores",
                published="P_xxy = A/(2-A), P_xyy = 2A²/(1+A)",
                ours=f"{within(worst)} at three ratios of scale",
                holds=worst < 1e-14,
            ),
            claim(
                "equation (3)",
                published="at most A(1-A)/min{m, n} ≤ 1/(4 min{m, n})",
                ours=f"in {bounded} of {tried} populations, and reached: {reached} for A = 3/4, m = 3, n = 4",
                holds=bounded == tried and reached == Fraction(3, 16) / 3,
            ),
        )
    )


def _fractions(rng: np.random.Generator, size: int) -> list[Fraction]:
    parts = rng.integers(1, 6, size).tolist()
    return [Fraction(part, sum(parts)) for part in parts]


def _enumerated(
    values_pos: list[int], weight_pos: list[Fraction], values_neg: list[int], weight_neg: list[Fraction], m: int, n: int
) -> tuple[Fraction, Fraction]:
    """Return mean and variance of the AUC over every sample of m positives and n negatives."""
    first = second = Fraction(0)
    for pos in product(range(len(values_pos)), repeat=m):
        for neg in product(range(len(values_neg)), repeat=n):
            chance = prod((weight_pos[i] for i in pos), start=Fraction(1)) * prod(
                (weight_neg[j] for j in neg), start=Fraction(1)
            )
            area = Fraction(sum(values_pos[i] > values_neg[j] for i in pos for j in neg), m * n)
            first += chance * area
            second += chance * area**2
    return first, second - first**2


def _two_below(rate: float) -> float:
    """Return P(a positive exceeds two negatives), positives Exp(1) and negatives Exp(rate)."""
    return 1 - 2 / (1 + rate) + 1 / (1 + 2 * rate)
