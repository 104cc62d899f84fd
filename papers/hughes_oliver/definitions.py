"""Table 1, equations (3) to (5), (10) and (11), the estimators PR* and PR0, and part A of Theorem 1."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from papers.entry import Found, Table, claim, within
from papers.hughes_oliver.independent import FPR_AT, ROC, pr
from thresher import Scores
from thresher.population import CASES
from thresher.typing import FloatArray, IntArray

__all__ = ["Points", "curve_definitions", "point_estimators", "slope_of_precision", "table_1", "theorem_1a"]

_GRID = np.linspace(0.005, 0.995, 199)


@dataclass(frozen=True)
class Points:
    """Recall and precision at each distinct score, highest first, and nothing between them."""

    thresholds: FloatArray
    recall: FloatArray
    precision: FloatArray
    inclusive: bool


def points(scores: Scores, *, inclusive: bool = True) -> Points:
    """Count from each distinct score on (PR0), or above it (PR*)."""
    tp, fp = (column if inclusive else np.append(0, column[:-1]) for column in (scores.tp, scores.fp))
    precision = np.full(tp.size, np.nan)
    np.divide(tp, tp + fp, out=precision, where=tp + fp > 0)
    return Points(np.asarray(scores.thresholds, float), tp / scores.n_pos, precision, inclusive)


def table_1() -> Found:
    """The population-level confusion matrix.

    The joint probabilities of class and call at a threshold: rows S > t and S ≤ t, columns + and -, with the margins
    Pr(S > t), Pr(S ≤ t), π₊ and π₋. A million draws of case A, one positive in eleven, against them.

    >>> from thresher.population import CASES
    >>> point = CASES["A"].at(threshold=1.0, prevalence=1 / 11)
    >>> round(point.tpr / 11, 5), round(point.fpr * 10 / 11, 5)         # Pr(S > t, +) and Pr(S > t, -)
    (0.05958, 0.14423)
    """
    share, worst = 1 / 11, 0.0
    for name in "ABCDEF":
        for t in np.linspace(-2.0, 3.0, 26).tolist():
            point = CASES[name].at(threshold=t, prevalence=share)
            cells = (share * point.tpr, (1 - share) * point.fpr, share * (1 - point.tpr), (1 - share) * (1 - point.fpr))
            worst = max(worst, abs(sum(cells) - 1), abs(cells[0] + cells[2] - share))
            if cells[0] + cells[1] > 0:
                worst = max(worst, abs(cells[0] / (cells[0] + cells[1]) - point.precision))
    labels, scores = CASES["A"].with_prevalence(share).sample(10**6, rng=1)
    point = CASES["A"].at(threshold=1.0, prevalence=share)
    drawn = [float(np.mean((scores > 1) & (labels == y))) for y in (1, 0)]
    said = [share * point.tpr, (1 - share) * point.fpr]
    off = max(abs(a - b) / math.sqrt(b / 10**6) for a, b in zip(drawn, said, strict=True))
    return Found(
        (
            claim(
                "cells, margins and precision in cases A to F, 26 thresholds",
                published="the margins Pr(S > t), Pr(S ≤ t), π₊, π₋",
                ours=f"they add up {within(worst)}",
                holds=worst < 1e-14,
            ),
            claim(
                "Pr(S > 1, +) and Pr(S > 1, -), case A, from a million draws",
                ours=f"{drawn[0]:.5f} and {drawn[1]:.5f}; computed {said[0]:.5f} and {said[1]:.5f}",
                holds=off < 4,
                status="our experiment",
                why="A check of the library's sampling and of its probabilities by each other.",
            ),
        )
    )


def curve_definitions() -> Found:
    """The two curves as functions: ROC by (3), PR by (4) as points and by (5) as a function.

    The curves of cases A to F written out by hand (normal and beta distribution functions, counts in fractions),
    against the library; and points by threshold, equation (4), against the function (5).

    >>> from scipy import special
    >>> from thresher.population import CASES
    >>> float(abs(CASES["A"].roc(0.2) - special.ndtr(1.4 + special.ndtri(0.2)))) < 1e-15
    True
    """
    in_roc = max(float(np.max(np.abs(CASES[name].roc(_GRID) - ROC[name](_GRID)))) for name in "ABCDEF")
    in_pr = max(
        float(np.max(np.abs(CASES[name].pr(_GRID, prevalence=share) - pr(name, _GRID, share))))
        for name in "ABCDEF"
        for share in (1 / 2, 1 / 11)
    )
    points = 0.0
    for name in "ABCDE":
        low, high = (float(CASES[name].pos.isf(x)) for x in (0.99, 0.01))
        for t in np.linspace(low, high, 41).tolist():
            point = CASES[name].at(threshold=t, prevalence=1 / 11)
            points = max(points, abs(float(CASES[name].pr(point.tpr, prevalence=1 / 11)) - point.precision))
    return Found(
        (
            claim(
                "equation (3), cases A to F",
                published="1 - F₊(F₋⁻¹(1 - x))",
                ours=f"{within(in_roc)} of the formulas written out",
                holds=in_roc < 1e-12,
            ),
            claim(
                "equation (5), cases A to F, π = 1/2 and 1/11",
                published="π₊ / (π₊ + π₋ [1 - F₋(F₊⁻¹(1 - x))] / x)",
                ours=f"{within(in_pr)} of the formulas written out",
                holds=in_pr < 1e-11,
            ),
            claim(
                "equation (4): precision at a threshold is (5) at its recall, cases A to E",
                published="π₊ / (π₊ + π₋ x_ROC / y_ROC)",
                ours=f"{within(points)} at 41 thresholds each",
                holds=points < 1e-9,
            ),
        )
    )


def slope_of_precision() -> Found:
    """Precision is monotone where g(x) is: equations (10) and (11).

    PR(x) = π₊ / (π₊ + π₋ g(x)) with g(x) = [1 - F₋(F₊⁻¹(1 - x))] / x, and g' by (11). The derivative is compared with
    differences of the formulas written out.

    >>> from thresher.population import CASES
    >>> case, x = CASES["A"], 0.5
    >>> round(float((case.slope(x) * x - case.fpr_at(x)) / x**2), 4)        # equation (11)
    0.4276
    """
    x = np.linspace(0.05, 0.95, 19)
    step = 1e-6
    worst = shape = 0.0
    for name in "ABC":
        case = CASES[name]
        printed = (case.slope(x) * x - case.fpr_at(x)) / x**2
        differences = (FPR_AT[name](x + step) / (x + step) - FPR_AT[name](x - step) / (x - step)) / (2 * step)
        worst = max(worst, float(np.max(np.abs(printed - differences) / (1e-3 + np.abs(printed)))))
        g = case.fpr_at(x) / x
        shape = max(shape, float(np.max(np.abs(0.2 / (0.2 + 0.8 * g) - case.pr(x, prevalence=0.2)))))
    signs = np.sign(np.diff(CASES["B"].pr(x))) == -np.sign(np.diff(CASES["B"].fpr_at(x) / x))
    return Found(
        (
            claim(
                "equation (10)",
                published="π₊ / (π₊ + π₋ g(x))",
                ours=f"{within(shape)} in cases A, B, C",
                holds=shape < 1e-14,
            ),
            claim(
                "equation (11)",
                published="g'(x) = {[f₋(t)/f₊(t)] [1 - F₊(t)] - [1 - F₋(t)]} / x²",
                ours=f"differences of g, cases A, B, C: {within(worst)} relative",
                holds=worst < 1e-4,
            ),
            claim(
                "“Monotonicity of the PR curve is determined by monotonicity of g(x)”",
                published="the PR curve falls where g rises",
                ours=f"case B, which does both: at {int(signs.sum())} of {signs.size} steps",
                holds=bool(signs.all()),
            ),
        )
    )


def point_estimators() -> Found:
    """The estimators PR* and PR0: a point for each observed score.

    PR* calls S > t, PR0 calls S ≥ t, “To avoid division by zero”. Both count at each distinct score.

    >>> scores = Scores.from_pos_neg([5, 3], [4, 1])
    >>> points(scores, inclusive=False).precision.round(3).tolist(), points(scores).precision.round(3).tolist()
    ([nan, 1.0, 0.5, 0.667], [1.0, 0.5, 0.667, 0.5])
    """
    rng = np.random.default_rng(62)
    right = tried = several = undefined = 0
    for _ in range(200):
        pos, neg = rng.integers(0, 9, int(rng.integers(1, 9))), rng.integers(0, 9, int(rng.integers(1, 15)))
        scores = Scores.from_pos_neg(pos, neg)
        for inclusive in (False, True):
            found = points(scores, inclusive=inclusive)
            tried += 1
            right += _matches(found, pos, neg)
            undefined += (not inclusive) and bool(np.isnan(found.precision[0]))
        recalls = points(scores).recall
        several += bool(np.unique(recalls).size < recalls.size)
    return Found(
        (
            claim(
                "both definitions",
                published="proportions of S⁺ and of S values > t (PR*) or ≥ t (PR⁰), t an observed score",
                ours=f"{right} of {tried} random samples with ties, counted one by one",
                holds=right == tried,
            ),
            claim(
                "PR* divides by zero at the highest score",
                published="“To avoid division by zero” PR⁰ is used",
                ours=f"its first precision is undefined in {undefined} of 200 samples",
                holds=undefined == 200,
            ),
            claim(
                "“they can result in multiple distinct values of estimated precision for a single value of recall”",
                published="they can",
                ours=f"in {several} of 200 samples",
                holds=several > 0,
            ),
        )
    )


def _matches(points: Points, pos: IntArray, neg: IntArray) -> bool:
    for t, recall, precision in zip(points.thresholds, points.recall, points.precision, strict=True):
        tp, fp = (int((v >= t).sum() if points.inclusive else (v > t).sum()) for v in (pos, neg))
        same = math.isnan(precision) if tp + fp == 0 else math.isclose(precision, tp / (tp + fp))
        if not (same and math.isclose(recall, tp / pos.size)):
            return False
    return True


def theorem_1a() -> Found:
    """The empirical PR curve is strongly consistent, uniformly over [ε, 1 - ε].

    The largest distance between PR-hat and PR over [0.1, 0.9], one growing sample after another, cases A and C, one
    positive in five.

    >>> import numpy as np, thresher as th
    >>> case, x = th.population.CASES["A"].with_prevalence(0.2), np.linspace(0.1, 0.9, 801)
    >>> scores = th.Scores(*case.sample(100_000, rng=0))
    >>> float(np.max(np.abs(scores.pr_function(x) - case.pr(x)))) < 0.05
    True
    """
    x = np.linspace(0.1, 0.9, 801)
    sizes = (10**3, 10**4, 10**5, 10**6)
    rows, means = [], {}
    for name in "AC":
        case = CASES[name].with_prevalence(0.2)
        found = []
        for n in sizes:
            gaps = [
                float(np.max(np.abs(Scores(*case.sample(n, rng=seed)).pr_function(x) - case.pr(x))))
                for seed in range(4)
            ]
            found.append(sum(gaps) / len(gaps))
        means[name] = found
        rows.append((f"case {name}", *(f"{value:.4f}" for value in found)))
    falling = all(a > 2 * b for found in means.values() for a, b in pairwise(found))
    return Found(
        (
            claim(
                "sup |PR-hat(x) - PR(x)| over [0.1, 0.9]",
                published="→ 0 almost surely",
                ours="falls at least by half with each tenfold n" if falling else "does not fall",
                holds=falling,
            ),
        ),
        tables=(
            Table(
                "Largest distance over [0.1, 0.9], mean of four samples",
                ("", *(f"n = {n:,}" for n in sizes)),
                tuple(rows),
            ),
        ),
    )
