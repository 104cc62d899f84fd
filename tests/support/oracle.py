"""Slow, obvious answers in exact arithmetic, written from the definitions and from nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from mpmath import mp, mpf

Point = tuple[Fraction, Fraction]


def table(labels: Sequence[int], values: Sequence[float]) -> list[tuple[float, int, int]]:
    """(threshold, TP, FP) at each distinct score, highest first."""
    out = []
    for threshold in sorted({v + 0.0 for v in values}, reverse=True):
        called = [label for label, value in zip(labels, values, strict=True) if value >= threshold]
        out.append((threshold, sum(called), len(called) - sum(called)))
    return out


def roc_auc(labels: Sequence[int], values: Sequence[float]) -> Fraction:
    pos = [v for label, v in zip(labels, values, strict=True) if label]
    neg = [v for label, v in zip(labels, values, strict=True) if not label]
    wins = sum(Fraction(2) if p > n else Fraction(1) if p == n else Fraction(0) for p in pos for n in neg)
    return wins / (2 * len(pos) * len(neg))


def counts(labels: Sequence[int], values: Sequence[float]) -> list[tuple[int, int]]:
    """(FP, TP) from nothing called to everything called."""
    return [(0, 0)] + [(fp, tp) for _, tp, fp in table(labels, values)]


def average_precision(points: list[tuple[int, int]]) -> Fraction:
    total = points[-1][1]
    return sum((Fraction(b[1] - a[1], total) * Fraction(b[1], b[1] + b[0]) for a, b in pairwise(points)), Fraction(0))


def pr_integral(points: list[tuple[int, int]], *, ties: str = "between") -> mpf:
    """The integral of u / (u + FP(u)) over u, by its antiderivative in 60 digits, and by nothing clever."""
    with mp.workdps(60):
        area = mpf(0)
        for (fp0, tp0), (fp1, tp1) in pairwise(points):
            if tp1 == tp0:
                continue
            first, last = {"between": (fp0, fp1), "before": (fp0, fp0), "after": (fp1, fp1)}[ties]
            slope = mpf(last - first) / (tp1 - tp0)
            a, b = 1 + slope, mpf(first) - slope * tp0
            if tp0 + first == 0 or b == 0:
                area += mpf(tp1 - tp0) / a
            else:
                area += mpf(tp1 - tp0) / a - b / a**2 * mp.log((a * tp1 + b) / (a * tp0 + b))
        return area / points[-1][1]


def hull(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Every point that some line supports strictly: nothing lies on or above a chord that spans it."""
    kept = []
    for i, (x, y) in enumerate(points):
        vertex = True
        for j in range(i):
            for k in range(i + 1, len(points)):
                (x0, y0), (x1, y1) = points[j], points[k]
                if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) <= 0:
                    vertex = False
        if vertex:
            kept.append((x, y))
    return kept


def roc_height(points: list[tuple[int, int]], x: Fraction, *, top: bool) -> Fraction:
    """The curve's TP at a number of FP: the upper or the lower end of a vertical piece."""
    heights = []
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 <= x <= x1:
            heights += [Fraction(y0), Fraction(y1)] if x0 == x1 else [y0 + Fraction(y1 - y0, x1 - x0) * (x - x0)]
    return max(heights) if top else min(heights)


def fewest_false(points: list[tuple[int, int]], tp: Fraction) -> Fraction:
    """The fewest FP at which the curve has this TP."""
    swapped = [(y, x) for x, y in points]
    return roc_height(swapped, tp, top=False)


def dominance_roc(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> str:
    """The verdict in ROC space, by comparing one-sided limits on a grid finer than any crossing can hide in."""
    grid = sorted({Fraction(x) for x, _ in a + b})
    inner = [(low + high) / 2 for low, high in pairwise(grid)]
    signs = set()
    for low, high, middle in zip(grid, grid[1:], inner, strict=False):
        for x, top in ((low, True), (middle, True), (high, False)):
            gap = roc_height(a, x, top=top) - roc_height(b, x, top=top)
            signs.add((gap > 0) - (gap < 0))
    signs.discard(0)
    return "equal" if not signs else "neither" if len(signs) == 2 else "a" if signs == {1} else "b"


def dominance_pr(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> str:
    """The verdict in PR space: precision at equal recall, by one-sided limits."""
    grid = sorted({Fraction(y) for _, y in a + b})
    signs = set()
    for low, high in pairwise(grid):
        for tp, top in ((low, True), ((low + high) / 2, True), (high, False)):
            fp = [roc_height([(y, x) for x, y in points], tp, top=top) for points in (a, b)]
            if tp == 0:
                # Precision's limit at recall 0 compares false positives first and, if there are none, their slope.
                tp, fp = Fraction(1, 10**9), [fewest_slope(points) for points in (a, b)]
            precision = [tp / (tp + f) for f in fp]
            signs.add((precision[0] > precision[1]) - (precision[0] < precision[1]))
    signs.discard(0)
    return "equal" if not signs else "neither" if len(signs) == 2 else "a" if signs == {1} else "b"


def fewest_slope(points: list[tuple[int, int]]) -> Fraction:
    """False positives a billionth of a true positive into the curve."""
    return roc_height([(y, x) for x, y in points], Fraction(1, 10**9), top=True)
