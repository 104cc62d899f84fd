"""Theorems 3.1 and 3.2 and Corollary 3.1, on thousands of random curves in exact fractions."""
# ruff: noqa: D401  # the first line of an entry is the title of its section on the page

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import numpy as np

from papers.davis_goadrich.exact import (
    Counts,
    on_hull,
    pr_dominates,
    random_curve,
    roc_dominates,
    scores_of,
    worsened,
)
from papers.entry import Found, claim
from thresher import dominates

__all__ = ["corollary_3_1", "figure_2", "theorem_3_1", "theorem_3_2"]

_N_CURVES = 3000
_N_PAIRS = 3000
_N_SETS = 1500


def figure_2() -> Found:
    """The confusion matrix and the four rates made from it.

    Every confusion matrix of up to eight positives and eight negatives, against the operating points of the library.

    >>> import thresher as th
    >>> point = th.Scores([1, 1, 0, 1, 0], [5, 4, 3, 2, 1]).roc().at(threshold=3)
    >>> point.tp, point.fp, point.fn, point.tn
    (2, 1, 1, 1)
    >>> round(point.precision, 3), round(point.tpr, 3), point.fpr
    (0.667, 0.667, 0.5)
    """
    cases = right = 0
    for n_pos in range(1, 9):
        for n_neg in range(1, 9):
            for tp in range(n_pos + 1):
                for fp in range(n_neg + 1):
                    if tp + fp == 0:
                        continue
                    curve = sorted({(0, 0), (tp, fp), (n_pos, n_neg)})
                    point = scores_of(curve).pr().at(threshold=float(len(curve) - 1))
                    expected = (tp / n_pos, fp / n_neg, tp / (tp + fp), n_pos - tp, n_neg - fp)
                    right += (point.tpr, point.fpr, point.precision, point.fn, point.tn) == expected
                    cases += 1
    same = f"{right:,} of {cases:,} matrices"
    return Found(
        (
            claim(
                "Recall, Precision, TPR and FPR as Figure 2(b) defines them",
                published="the four quotients",
                ours=same,
                holds=right == cases,
            ),
        )
    )


def theorem_3_1() -> Found:
    """A ROC curve and a PR curve hold the same confusion matrices, if recall is not 0.

    For fixed class totals a point in PR space gives back the whole confusion matrix: TP = recall · P, FP = TP (1 -
    precision) / precision. At recall 0 precision is 0 whatever FP is, so that the proviso is needed. The library keeps
    counts, and therefore also survives recall 0.

    >>> import thresher as th
    >>> scores = th.Scores([0, 0, 1, 0, 1], [5, 4, 3, 2, 1])
    >>> scores.pr().precision[1:3].tolist(), scores.roc().fp[1:3].tolist()
    ([0.0, 0.0], [1, 2])
    >>> bool((scores.roc().to_pr().to_roc().fp == scores.roc().fp).all())
    True
    """
    rng = np.random.default_rng(31)
    points = back = survived = 0
    for _ in range(_N_CURVES):
        n_pos, n_neg = int(rng.integers(1, 13)), int(rng.integers(1, 41))
        curve = random_curve(rng, n_pos, n_neg)
        roc = scores_of(curve).roc()
        again = roc.to_pr().to_roc()
        survived += bool(np.array_equal(roc.tp, again.tp) and np.array_equal(roc.fp, again.fp))
        for tp, fp in curve:
            if tp > 0:
                recall, prec = Fraction(tp, n_pos), Fraction(tp, tp + fp)
                tp_back = recall * n_pos
                back += tp_back == tp and tp_back * (1 - prec) / prec == fp
                points += 1
    shared, total = _collisions(12, 12)
    return Found(
        (
            claim(
                "ROC point -> PR point -> confusion matrix, recall above 0",
                published="one to one",
                ours=f"{back:,} of {points:,} points of {_N_CURVES:,} random curves come back",
                holds=back == points,
            ),
            claim(
                "different confusion matrices have different PR points, recall above 0",
                published="one to one",
                ours=f"{shared['positive']:,} shared among all {total:,} matrices of up to 12 + 12 cases",
                holds=shared["positive"] == 0,
            ),
            claim(
                "the proviso recall ≠ 0 is needed",
                published="FP cannot be recovered",
                ours=f"{shared['zero']:,} matrices share the PR point (0, 0) with another one",
                holds=shared["zero"] > 0,
            ),
            claim(
                "`roc.to_pr().to_roc()` gives the same counts, recall 0 included",
                ours=f"{survived:,} of {_N_CURVES:,} curves",
                holds=survived == _N_CURVES,
                status="our experiment",
                why="The paper excludes recall 0; a curve that keeps its counts need not.",
            ),
        )
    )


def _collisions(most_pos: int, most_neg: int) -> tuple[dict[str, int], int]:
    shared = {"positive": 0, "zero": 0}
    total = 0
    for n_pos in range(1, most_pos + 1):
        for n_neg in range(1, most_neg + 1):
            seen: Counter[tuple[Fraction, Fraction]] = Counter()
            for tp in range(n_pos + 1):
                for fp in range(n_neg + 1):
                    if tp + fp:
                        seen[Fraction(tp, n_pos), Fraction(tp, tp + fp)] += 1
                        total += 1
            for (recall, _), times in seen.items():
                shared["zero" if recall == 0 else "positive"] += times - 1
    return shared, total


def theorem_3_2() -> Found:
    """One curve dominates another in ROC space if and only if it does in PR space.

    Dominance is decided twice in fractions, vertically in each space: at every false positive rate in ROC space, at
    every recall in PR space, with the ends of vertical pieces. Half of the pairs are drawn freely, half by lowering one
    curve, so that both verdicts occur often. The library's own verdict is compared as well.

    >>> import thresher as th
    >>> y = [1, 1, 0, 1, 0, 0, 1, 0]
    >>> a, b = th.Scores(y, [8, 7, 6, 5, 4, 3, 2, 1]), th.Scores(y, [8, 6, 7, 4, 5, 3, 2, 1])
    >>> th.dominates(a, b)
    Dominance: a dominates b (in ROC and in PR space alike)
    """
    rng = np.random.default_rng(32)
    same = agree = dominated = 0
    for pair in range(_N_PAIRS):
        n_pos, n_neg = int(rng.integers(1, 11)), int(rng.integers(1, 31))
        a = random_curve(rng, n_pos, n_neg)
        b = worsened(rng, a) if pair % 2 else random_curve(rng, n_pos, n_neg)
        in_roc, in_pr = roc_dominates(a, b), pr_dominates(a, b)
        same += in_roc == in_pr
        agree += in_roc == bool(dominates(scores_of(a), scores_of(b)))
        dominated += in_roc
    return Found(
        (
            claim(
                "dominance in the two spaces, random pairs of curves",
                published="“dominates a second curve in ROC space if and only if”",
                ours=f"{same:,} of {_N_PAIRS:,} pairs, {dominated:,} of them dominated",
                holds=same == _N_PAIRS and _N_PAIRS // 4 < dominated < _N_PAIRS,
            ),
            claim(
                "`th.dominates` gives the same verdict",
                ours=f"{agree:,} of {_N_PAIRS:,} pairs",
                holds=agree == _N_PAIRS,
                status="our experiment",
                why="A check of the library, not of the paper.",
            ),
        )
    )


def corollary_3_1() -> Found:
    """The ROC convex hull, seen in PR space, is the best curve that can be made of given points.

    For random sets of points: the hull found by the library, against a definition that tries every chord; its PR curve
    against the curves through all points and through subsets of them, in fractions.

    >>> import thresher as th
    >>> scores = th.Scores([1, 0, 0, 1, 1, 0, 0], [7, 6, 5, 4, 3, 2, 1])
    >>> scores.achievable_pr().recall.round(3).tolist(), scores.achievable_pr().precision.round(3).tolist()
    ([0.0, 0.333, 1.0, 1.0], [1.0, 1.0, 0.6, 0.429])
    """
    rng = np.random.default_rng(33)
    excluded = above = tried = best = 0
    for _ in range(_N_SETS):
        n_pos, n_neg = int(rng.integers(1, 11)), int(rng.integers(1, 31))
        curve = random_curve(rng, n_pos, n_neg)
        roc = scores_of(curve).roc().hull()
        hull = list(zip(roc.tp.tolist(), roc.fp.tolist(), strict=True))
        excluded += hull == on_hull(curve)
        above += pr_dominates(hull, curve)
        for subset in _subsets(rng, curve):
            tried += 1
            best += pr_dominates(hull, subset)
    return Found(
        (
            claim(
                "the points left out are exactly those beneath (or on an edge of) the ROC hull",
                published="“exactly those points beneath the convex hull in ROC space”",
                ours=f"{excluded:,} of {_N_SETS:,} sets of points",
                holds=excluded == _N_SETS,
            ),
            claim(
                "the achievable curve and the curve through all points",
                published="“dominates the other valid curves”",
                ours=f"{above:,} of {_N_SETS:,} sets",
                holds=above == _N_SETS,
            ),
            claim(
                "the achievable curve and other curves made with these points",
                published="“dominates the other valid curves”",
                ours=f"{best:,} of {tried:,} curves through subsets",
                holds=best == tried,
            ),
        )
    )


def _subsets(rng: np.random.Generator, curve: Counts) -> list[Counts]:
    """Return curves through some of the points: all choices of them when there are few, else three at random."""
    inner = curve[1:-1]
    if len(inner) <= 3:
        chosen = [list(some) for size in range(len(inner)) for some in combinations(inner, size)]
    else:
        chosen = [[point for point in inner if rng.random() < 0.5] for _ in range(3)]
    return [[curve[0], *some, curve[-1]] for some in chosen]
