"""The formulas of the paper as printed, in fractions, and the truth by counting."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

__all__ = [
    "auc_distribution",
    "corollary_1",
    "enumerated",
    "equation_2",
    "hanley_mcneil",
    "largest_sd",
    "mean_and_variance",
    "p_2",
    "power_sum",
    "proposition_2",
    "weights",
]


def equation_2(auc: float, m: float, n: float, p_xxy: float, p_xyy: float) -> float:
    """Return the standard deviation of equation (2)."""
    return math.sqrt((auc * (1 - auc) + (m - 1) * (p_xxy - auc**2) + (n - 1) * (p_xyy - auc**2)) / (m * n))


def hanley_mcneil(auc: float, m: float, n: float) -> float:
    """Return the standard deviation of equation (2) for exponential scores."""
    return equation_2(auc, m, n, auc / (2 - auc), 2 * auc**2 / (1 + auc))


def largest_sd(auc: float, m: float, n: float) -> float:
    """Return the largest standard deviation for this AUC, equation (3)."""
    return math.sqrt(auc * (1 - auc) / min(m, n))


def weights(m: int, n: int, k: int) -> dict[int, int]:
    """Return how many label orders have x false positives among k errors, for every x that can occur."""
    xs = range(max(0, k - m), min(k, n) + 1)
    return {x: comb(m - (k - x) + x, x) * comb(n + (k - x) - x, k - x) for x in xs}


def power_sum(m: int, n: int, k: int, q: int) -> int:
    """Return X_q of equation (4)."""
    return sum(x**q * weight for x, weight in weights(m, n, k).items())


def mean_and_variance(m: int, n: int, k: int) -> tuple[Fraction, Fraction]:
    """Return the mean, and the variance by Proposition 3."""
    table = weights(m, n, k)
    total = sum(table.values())
    first = second = third = Fraction(0)
    for x, weight in table.items():
        y = k - x
        area = 1 - (Fraction(x, n) + Fraction(y, m)) / 2
        first += weight * area
        second += weight * area**2
        top = m * x**2 + n * y**2 + m * (m + 1) * x + n * (n + 1) * y - 2 * x * y * (m + n + 1)
        third += weight * Fraction(top, 12 * m * m * n * n)
    mean = first / total
    return mean, second / total - mean**2 + third / total


def enumerated(m: int, n: int) -> dict[int, tuple[Fraction, Fraction]]:
    """Return mean and variance of the AUC by number of errors, over every ranking and every threshold."""
    sums: dict[int, list[int]] = {}
    for places in combinations(range(m + n), m):
        positive = [rank in places for rank in range(m + n)]
        # Pairs ranked rightly: for each positive, the negatives below it.
        pairs = sum(n - (rank - found) for found, rank in enumerate(places))
        errors = m
        for cut in range(m + n + 1):
            row = sums.setdefault(errors, [0, 0, 0])
            row[0] += 1
            row[1] += pairs
            row[2] += pairs * pairs
            if cut < m + n:
                errors += -1 if positive[cut] else 1
    found = {}
    for k, (count, total, squares) in sums.items():
        mean = Fraction(total, count * m * n)
        found[k] = mean, Fraction(squares, count * (m * n) ** 2) - mean**2
    return found


def p_2(k: int, m: int, n: int, x: int) -> Fraction:
    """Return the polynomial of Proposition 1."""
    inner = (
        -2 * x**3
        + 2 * x**2 * (2 * m - n + 2 * k - 4)
        + x * (-3 * m**2 + 3 * n * m + 3 * m - 5 * k * m - 2 * k**2 + 2 + k + n * k + 6 * n)
        + (3 * (k - 1) * m**2 - 3 * n * m * (k - 1) + 6 * k * m + 5 * m + k**2 * m)
        + (8 * n + 8 - 9 * n * k + 3 * k + k**2 + k**2 * n)
    )
    return Fraction((k - x) * inner, 12)


def proposition_2(m: int, n: int, k: int) -> Fraction:
    """Return the expected AUC as printed."""
    upper = sum(comb(m + n, x) for x in range(k))
    lower = sum(comb(m + n + 1, x) for x in range(k + 1))
    bracket = Fraction(k, m + n) - Fraction(upper, lower)
    return 1 - Fraction(k, m + n) - Fraction((n - m) ** 2 * (m + n + 1), 4 * m * n) * bracket


def corollary_1(m: int, n: int, k: int, *, z: bool = True, q: bool = True) -> Fraction:
    """Return the variance of Corollary 1; with `z` and `q` the two repairs are made."""
    whole = m + n
    ratios = []
    for i in range(5):
        below = sum(comb(whole + 1 if z else max(whole + 1 - i, 0), x) for x in range(k + 1))
        ratios.append(Fraction(sum(comb(max(whole + 1 - i, 0), x) for x in range(k - i + 1)), below))
    t = 3 * ((m - n) ** 2 + m + n) + 2
    mixed = 3 * m * n + m + n
    q_0 = (
        (whole + 1) * t * k**2
        + ((-3 * n**2 + 3 * m * n + 3 * m + 1) * t - 12 * mixed - 8) * k
        + (-3 * m**2 + 7 * m + 10 * n + 3 * n * m + 10) * t
        - 4 * (mixed + 1)
    )
    last = -3 * m**2 + (7 * (m + n) if q else 7 * m + n) + 3 * m * n
    q_1 = (
        t * k**3
        + 3 * (m - 1) * t * k**2
        + ((-3 * n**2 + 3 * m * n - 3 * m + 8) * t - 6 * (6 * m * n + m + n)) * k
        + last * t
        - 2 * (6 * m * n + m + n)
    )
    squares = m * m * n * n
    first = (whole + 1) * whole * (whole - 1) * t * ((whole - 2) * ratios[4] - (2 * m - n + 3 * k - 10) * ratios[3])
    second = (whole + 1) * whole * t * (m**2 - n * m + 3 * k * m - 5 * m + 2 * k**2 - n * k + 12 - 9 * k) * ratios[2]
    third = (whole + 1) ** 2 * (m - n) ** 4 * ratios[1] ** 2
    fourth = (whole + 1) * q_1 * ratios[1]
    return (
        first / (72 * squares)
        + second / (48 * squares)
        - third / (16 * squares)
        - fourth / (72 * squares)
        + Fraction(k * q_0, 144 * squares)
    )


@cache
def _wins(pos: int, neg: int) -> tuple[int, ...]:
    """Return in how many orders of the labels i pairs are ranked rightly (Gaussian binomial coefficients)."""
    if pos == 0 or neg == 0:
        return (1,)
    # The lowest case is a positive, which wins nothing, or a negative, which loses to all positives.
    below, above = _wins(pos - 1, neg), _wins(pos, neg - 1)
    out = [0] * (pos * neg + 1)
    for i, ways in enumerate(below):
        out[i] += ways
    for i, ways in enumerate(above):
        out[i + pos] += ways
    return tuple(out)


def auc_distribution(m: int, n: int, k: int) -> dict[Fraction, Fraction]:
    """Return the exact law of the AUC when all rankings and thresholds with k errors are equally likely."""
    counts: dict[int, int] = {}
    for x in weights(m, n, k):
        y = k - x
        # Above the threshold m - y positives and x negatives, below it y positives and n - x negatives.
        for i, upper in enumerate(_wins(m - y, x)):
            for j, lower in enumerate(_wins(y, n - x)):
                pairs = (m - y) * (n - x) + i + j
                counts[pairs] = counts.get(pairs, 0) + upper * lower
    total = sum(counts.values())
    return {Fraction(pairs, m * n): Fraction(count, total) for pairs, count in counts.items()}
