"""Curves as lists of counts, compared in fractions: slow, independent of the library, and exact."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import pairwise

import numpy as np

from thresher import Scores

__all__ = [
    "Counts",
    "cleaned",
    "fp_range",
    "on_hull",
    "pr_dominates",
    "precision",
    "random_curve",
    "roc_dominates",
    "scores_of",
    "worsened",
]

Counts = list[tuple[int, int]]
"""Points (true positives, false positives) from (0, 0) to the class totals, in order of falling thresholds."""

_NEAR_ZERO = Fraction(1, 10**12)


def random_curve(rng: np.random.Generator, n_pos: int, n_neg: int) -> Counts:
    """Return a random curve with ties: some scores belong to both classes, some to one."""
    groups = int(rng.integers(1, n_pos + n_neg + 1))
    tp = np.sort(rng.integers(0, n_pos + 1, groups))
    fp = np.sort(rng.integers(0, n_neg + 1, groups))
    return cleaned([(0, 0), *zip(tp.tolist(), fp.tolist(), strict=True), (n_pos, n_neg)])


def worsened(rng: np.random.Generator, curve: Counts) -> Counts:
    """Return a curve that lies nowhere above another one: some of its points lose true positives."""
    n_pos, n_neg = curve[-1]
    lost = rng.integers(0, 3, len(curve)) * rng.integers(0, 2, len(curve))
    tp = np.maximum.accumulate(np.maximum(np.array([point[0] for point in curve]) - lost, 0))
    fp = [point[1] for point in curve]
    return cleaned([(0, 0), *zip(tp.tolist(), fp, strict=True), (n_pos, n_neg)])


def cleaned(points: Counts) -> Counts:
    """Return the points in order, each once."""
    return sorted(set(points), key=lambda point: (point[0] + point[1], point))


def scores_of(curve: Counts) -> Scores:
    """Return the count table with these operating points."""
    steps = np.diff(np.array(curve), axis=0)
    return Scores.from_counts(np.arange(len(steps), 0, -1.0), steps[:, 0], steps[:, 1])


def fp_range(curve: Counts, tp: Fraction | int) -> tuple[Fraction | int, Fraction | int]:
    """Return the fewest and the most false positives on the ROC polygon at this number of true positives."""
    return _range([point[0] for point in curve], [point[1] for point in curve], tp)


def _range(xs: list[int], ys: list[int], x: Fraction | int) -> tuple[Fraction | int, Fraction | int]:
    """Return the lowest and the highest y of a rising polygon at x."""
    first, last = bisect_left(xs, x), bisect_right(xs, x)
    if first < last:
        return ys[first], ys[last - 1]
    x_0, y_0, x_1, y_1 = xs[first - 1], ys[first - 1], xs[first], ys[first]
    y = Fraction((y_1 - y_0) * (x - x_0), x_1 - x_0) + y_0
    return y, y


def precision(curve: Counts, tp: Fraction | int) -> tuple[Fraction, Fraction]:
    """Return the lowest and the highest precision of the curve at a recall above 0."""
    fewest, most = fp_range(curve, tp)
    return Fraction(tp, tp + most), Fraction(tp, tp + fewest)


def roc_dominates(a: Counts, b: Counts) -> bool:
    """Decide in ROC space: at every false positive rate the true positive rate of a is at least that of b."""
    (tp_a, fp_a), (tp_b, fp_b) = ([list(column) for column in zip(*curve, strict=True)] for curve in (a, b))
    # Between two breakpoints both are straight, so that the two ends of each vertical piece decide.
    for x in sorted({*fp_a, *fp_b}):
        low_a, high_a = _range(fp_a, tp_a, x)
        low_b, high_b = _range(fp_b, tp_b, x)
        if low_a < low_b or high_a < high_b:
            return False
    return True


def pr_dominates(a: Counts, b: Counts) -> bool:
    """Decide in PR space: at every recall above 0 the precision of a is at least that of b."""
    levels = sorted({tp for tp, _ in (*a, *b)})
    recalls: list[Fraction | int] = [_NEAR_ZERO]
    for low, high in pairwise(levels):
        recalls += [low + Fraction(high - low, 3), low + Fraction(2 * (high - low), 3), high]
    for tp in recalls:
        low_a, high_a = precision(a, tp)
        low_b, high_b = precision(b, tp)
        if low_a < low_b or high_a < high_b:
            return False
    return True


def on_hull(curve: Counts) -> Counts:
    """Return the points that no chord of two others passes through or above: the vertices of the hull."""
    kept = []
    for i, (tp, fp) in enumerate(curve):
        beneath = any(
            (tp_1 - tp_0) * (fp - fp_0) >= (tp - tp_0) * (fp_1 - fp_0)
            for tp_0, fp_0 in curve[:i]
            for tp_1, fp_1 in curve[i + 1 :]
            if fp_0 <= fp <= fp_1 and fp_0 < fp_1
        )
        vertical = any(fp_0 == fp == fp_1 for _, fp_0 in curve[:i] for _, fp_1 in curve[i + 1 :])
        if not beneath and not vertical:
            kept.append((tp, fp))
    return kept
