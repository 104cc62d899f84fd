"""The rules by which ten tools turn scores into an area under the PR curve, each written down from its source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

__all__ = ["TOOLS", "Tool", "points", "rows_in_order"]

Points = list[tuple[Fraction, Fraction]]
"""Recall and precision, from the highest threshold down."""

Rule = Callable[[Sequence[int], Sequence[float]], Fraction]


class Tool:
    """A tool, the rule in words, the name of the rule here (or "" where there is none), and the rule itself."""

    def __init__(self, name: str, words: str, estimator: str, rule: Rule) -> None:
        self.name, self.words, self.estimator, self.rule = name, words, estimator, rule


def points(labels: Sequence[int], scores: Sequence[float]) -> list[tuple[int, int]]:
    """Return (TP, FP) at each distinct score, highest first."""
    found = []
    for t in sorted(set(scores), reverse=True):
        called = [y for y, s in zip(labels, scores, strict=True) if s >= t]
        found.append((sum(called), len(called) - sum(called)))
    return found


def rows_in_order(labels: Sequence[int], scores: Sequence[float]) -> list[tuple[int, int]]:
    """Return (TP, FP) after each row, highest score first, tied rows in the order in which they stand."""
    found = []
    tp = fp = 0
    for _, y in sorted(zip(scores, labels, strict=True), key=lambda row: -row[0]):
        tp, fp = tp + y, fp + 1 - y
        found.append((tp, fp))
    return found


def _as_points(counts: list[tuple[int, int]]) -> Points:
    n_pos = counts[-1][0]
    return [(Fraction(tp, n_pos), Fraction(tp, tp + fp)) for tp, fp in counts]


def _trapezoid(curve: Points) -> Fraction:
    return sum(((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(curve)), start=Fraction(0))


def _steps(labels: Sequence[int], scores: Sequence[float]) -> Fraction:
    """Average precision: each group of positives with the precision at its own score."""
    curve = [(Fraction(0), Fraction(1)), *_as_points(points(labels, scores))]
    return sum(((b[0] - a[0]) * b[1] for a, b in pairwise(curve)), start=Fraction(0))


def _straight_from_one(labels: Sequence[int], scores: Sequence[float]) -> Fraction:
    """Trapezoids through the point of each distinct score, started at (0, 1)."""
    return _trapezoid([(Fraction(0), Fraction(1)), *_as_points(points(labels, scores))])


def _straight_by_rows(labels: Sequence[int], scores: Sequence[float]) -> Fraction:
    """Trapezoids through a point after each row, started at the first row's own point."""
    return _trapezoid(_as_points(rows_in_order(labels, scores)))


def _unit_steps(labels: Sequence[int], scores: Sequence[float]) -> Fraction:
    """Davis and Goadrich: a point at each whole true positive, trapezoids between them."""
    counts = [(0, 0), *points(labels, scores)]
    n_pos = counts[-1][0]
    area = Fraction(0)
    for (tp_0, fp_0), (tp_1, fp_1) in pairwise(counts):
        if tp_1 == tp_0:
            continue
        skew = Fraction(fp_1 - fp_0, tp_1 - tp_0)
        curve = []
        for tp in range(tp_0, tp_1 + 1):
            fp = fp_0 + skew * (tp - tp_0)
            # At no calls at all the limit of precision is that of the first group.
            curve.append((Fraction(tp, n_pos), Fraction(tp) / (tp + fp) if tp + fp else Fraction(tp_1, tp_1 + fp_1)))
        area += _trapezoid(curve)
    return area


def _best_points(labels: Sequence[int], scores: Sequence[float]) -> Fraction:
    """ROCR: of each number of true positives the fewest false ones, from (0, 1), unit steps across gaps above two."""
    fewest: dict[int, int] = {0: 0}
    for tp, fp in points(labels, scores):
        fewest[tp] = min(fp, fewest.get(tp, fp))
    counts = sorted(fewest.items())
    n_pos = counts[-1][0]
    curve: Points = []
    for at, (tp, fp) in enumerate(counts):
        if at and tp - counts[at - 1][0] > 2:
            before_tp, before_fp = counts[at - 1]
            skew = Fraction(fp - before_fp, tp - before_tp)
            for step in range(1, tp - before_tp):
                inner = before_fp + skew * step
                curve.append((Fraction(before_tp + step, n_pos), (before_tp + step) / (before_tp + step + inner)))
        curve.append((Fraction(tp, n_pos), Fraction(tp, tp + fp) if tp + fp else Fraction(1)))
    return _trapezoid(curve)


def _fine_grid(labels: Sequence[int], scores: Sequence[float], *, bins: int = 1000) -> Fraction:
    """precrec: Davis and Goadrich's curve after each row (ties shared out evenly) and at each thousandth of recall."""
    n_pos = sum(labels)
    curve: Points = []
    for (tp_0, fp_0), (tp_1, fp_1) in pairwise([(0, 0), *points(labels, scores)]):
        rows = tp_1 - tp_0 + fp_1 - fp_0
        at = {Fraction(tp_1 - tp_0, n_pos) * row / rows + Fraction(tp_0, n_pos) for row in range(rows + 1)}
        first, last = min(at), max(at)
        at |= {Fraction(k, bins) for k in range(int(first * bins) + 1, bins + 1) if Fraction(k, bins) < last}
        for recall in sorted(at):
            tp = recall * n_pos
            fp = fp_0 + Fraction(fp_1 - fp_0, tp_1 - tp_0) * (tp - tp_0) if tp_1 > tp_0 else Fraction(fp_1)
            curve.append((recall, tp / (tp + fp) if tp + fp else Fraction(tp_1, tp_1 + fp_1)))
    return _trapezoid(curve)


TOOLS = (
    Tool(
        "ROCR",
        "best point of each recall, straight lines, unit steps across gaps above two (as the authors repair it)",
        "",
        _best_points,
    ),
    Tool("Weka", "steps: precision at the score of each positive", "average_precision", _steps),
    Tool("scikit-learn, average_precision_score", "steps", "average_precision", _steps),
    Tool("scikit-learn, auc of the curve", "straight lines from (0, 1)", "trapezoid", _straight_from_one),
    Tool("PerfMeas", "straight lines through each row, from the first row on", "", _straight_by_rows),
    Tool("MLeval", "straight lines through each row, from the first row on", "", _straight_by_rows),
    Tool("yardstick", "straight lines from (0, 1)", "trapezoid", _straight_from_one),
    Tool("TorchEval", "steps", "average_precision", _steps),
    Tool("precrec", "Davis and Goadrich's curve at each row and each thousandth of recall", "", _fine_grid),
    Tool(
        "PRROC, auc.davis.goadrich",
        "Davis and Goadrich's points, straight lines between them",
        "unit_steps",
        _unit_steps,
    ),
)
"""The rules that are sums of fractions; PRROC's auc.integral and TensorFlow's are the integral, "interpolated"."""
