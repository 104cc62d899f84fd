"""Every number from its definition, by plain loops over rows in fractions: nothing here is from the library.

`Rows` holds labels, scores and weights as a user gives them. A weight is a fraction, so that sums are exact; the final
conversion to a double is the only rounding, except for logarithms and square roots.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from mpmath import mp, mpf

__all__ = ["CELLS", "Cells", "Rows"]

Point = tuple[Fraction, Fraction]
"""False positives and true positives."""


class Cells(NamedTuple):
    """One confusion matrix."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction

    def at(self, prevalence: Fraction) -> Cells:
        """Return the proportions that a population of another prevalence has."""
        pos, neg = self.tp + self.fn, self.fp + self.tn
        return Cells(
            prevalence * self.tp / pos,
            (1 - prevalence) * self.fp / neg,
            prevalence * self.fn / pos,
            (1 - prevalence) * self.tn / neg,
        )


def _over(part: Fraction, whole: Fraction) -> float | Fraction:
    if whole:
        return part / whole
    return math.inf if part else math.nan


def _root(square: Fraction) -> float:
    with mp.workdps(40):
        return float(mp.sqrt(mpf(square.numerator) / mpf(square.denominator)))


def _mcc(c: Cells) -> float:
    margins = (c.tp + c.fp) * (c.fn + c.tn) * (c.tp + c.fn) * (c.fp + c.tn)
    return float((c.tp * c.tn - c.fp * c.fn) / Fraction(1)) / _root(margins) if margins else 0.0


def _kappa(c: Cells) -> float | Fraction:
    n = sum(c)
    agree = (c.tp + c.tn) / n
    chance = ((c.tp + c.fp) * (c.tp + c.fn) + (c.fn + c.tn) * (c.fp + c.tn)) / n**2
    return _over(agree - chance, 1 - chance)


CELLS: dict[str, Callable[[Cells], float | Fraction]] = {
    "recall": lambda c: _over(c.tp, c.tp + c.fn),
    "specificity": lambda c: _over(c.tn, c.tn + c.fp),
    "fpr": lambda c: _over(c.fp, c.tn + c.fp),
    "fnr": lambda c: _over(c.fn, c.tp + c.fn),
    "precision": lambda c: _over(c.tp, c.tp + c.fp),
    "fdr": lambda c: _over(c.fp, c.tp + c.fp),
    "npv": lambda c: _over(c.tn, c.tn + c.fn),
    "accuracy": lambda c: (c.tp + c.tn) / sum(c),
    "error": lambda c: (c.fp + c.fn) / sum(c),
    "alert_rate": lambda c: (c.tp + c.fp) / sum(c),
    "jaccard": lambda c: _over(c.tp, c.tp + c.fp + c.fn),
    "f1": lambda c: _over(2 * c.tp, 2 * c.tp + c.fp + c.fn),
    "f2": lambda c: _over(5 * c.tp, 5 * c.tp + c.fp + 4 * c.fn),
    "youden": lambda c: c.tp / (c.tp + c.fn) - c.fp / (c.fp + c.tn),
    "balanced_accuracy": lambda c: (c.tp / (c.tp + c.fn) + c.tn / (c.fp + c.tn)) / 2,
    "g_mean": lambda c: _root(c.tp / (c.tp + c.fn) * c.tn / (c.fp + c.tn)),
    "mcc": _mcc,
    "kappa": _kappa,
    "lr_positive": lambda c: _over(c.tp * (c.fp + c.tn), c.fp * (c.tp + c.fn)),
    "lr_negative": lambda c: _over(c.fn * (c.fp + c.tn), c.tn * (c.tp + c.fn)),
    "dor": lambda c: _over(c.tp * c.tn, c.fp * c.fn),
}


class Rows:
    """Labels, scores and weights of rows, and what follows from them by definition."""

    def __init__(self, labels: Sequence[int], scores: Sequence[float], weights: Sequence[Fraction]) -> None:
        self.rows = list(zip(labels, scores, weights, strict=True))
        self.n_pos = sum((w for y, _, w in self.rows if y), Fraction(0))
        self.n_neg = sum((w for y, _, w in self.rows if not y), Fraction(0))

    def cells(self, threshold: float) -> Cells:
        """Count rows whose score is at least the threshold, which NaN is above every score."""
        tp = sum((w for y, s, w in self.rows if y and s >= threshold), Fraction(0))
        fp = sum((w for y, s, w in self.rows if not y and s >= threshold), Fraction(0))
        return Cells(tp, fp, self.n_pos - tp, self.n_neg - fp)

    def thresholds(self) -> list[float]:
        """Return the distinct scores from the highest down."""
        return sorted({s + 0.0 for _, s, _ in self.rows}, reverse=True)

    def points(self) -> list[Point]:
        """Return (FP, TP) from no row predicted positive to all of them."""
        found = [self.cells(t) for t in self.thresholds()]
        return [(Fraction(0), Fraction(0)), *((c.fp, c.tp) for c in found)]

    def rates(self) -> list[Point]:
        """Return (FPR, TPR) in the same order."""
        return [(x / self.n_neg, y / self.n_pos) for x, y in self.points()]

    def roc_auc(self) -> Fraction:
        """Compare every positive with every negative."""
        won = Fraction(0)
        for y, s, w in self.rows:
            for z, r, v in self.rows:
                if y and not z:
                    won += w * v * (1 if s > r else Fraction(1, 2) if s == r else 0)
        return won / (self.n_pos * self.n_neg)

    def partial_roc_auc(self, low: Fraction, high: Fraction, *, along: str, standardize: bool) -> Fraction:
        """Integrate TPR over a range of FPR, or specificity over a range of TPR."""
        points = self.rates() if along == "fpr" else [(1 - y, 1 - x) for x, y in reversed(self.rates())]
        if along == "tpr":
            low, high = 1 - high, 1 - low
        area = Fraction(0)
        for (x0, y0), (x1, y1) in pairwise(points):
            a, b = max(x0, low), min(x1, high)
            if b > a:
                slope = (y1 - y0) / (x1 - x0)
                area += (b - a) * (2 * y0 + slope * (a + b - 2 * x0)) / 2
        if not standardize:
            return area
        least, most = (high**2 - low**2) / 2, high - low
        return (1 + (area - least) / (most - least)) / 2

    def skew(self, prevalence: Fraction | None) -> Fraction:
        """Return how many rows of the target population a negative stands for, beside a positive."""
        if prevalence is None:
            return Fraction(1)
        return (1 - prevalence) / prevalence * self.n_pos / self.n_neg

    def average_precision(self, prevalence: Fraction | None) -> Fraction:
        """Add up precision times the recall that each threshold adds."""
        k, points = self.skew(prevalence), self.points()
        return (
            sum(((y1 - y0) * y1 / (y1 + k * x1) for (_, y0), (x1, y1) in pairwise(points) if y1 > y0), Fraction(0))
            / self.n_pos
        )

    def pr_auc(self, prevalence: Fraction | None, low: Fraction, high: Fraction) -> float:
        """Integrate the precision of all mixtures of neighbouring thresholds over a range of recall."""
        k, points = self.skew(prevalence), self.points()
        with mp.workdps(40):
            area = mpf(0)
            for (x0, y0), (x1, y1) in pairwise(points):
                a, b = max(y0, low * self.n_pos), min(y1, high * self.n_pos)
                if b <= a:
                    continue
                slope = k * (x1 - x0) / (y1 - y0)
                rate, rest = 1 + slope, k * x0 - slope * y0
                area += _real((b - a) / rate)
                if rest:
                    area -= _real(rest / rate**2) * mp.log(_real((rate * b + rest) / (rate * a + rest)))
            return float(area / _real(self.n_pos))

    def recall_at_fpr(self, fpr: Fraction) -> Fraction:
        """Return the highest TPR of the ROC curve at a FPR."""
        return _highest(self.rates(), fpr)

    def fpr_at_recall(self, recall: Fraction) -> Fraction:
        """Return the lowest FPR of the ROC curve at a TPR."""
        return 1 - _highest([(1 - y, 1 - x) for x, y in reversed(self.rates())], 1 - recall)

    def precision_at_recall(self, recall: Fraction, prevalence: Fraction | None) -> Fraction:
        """Return the precision at the lowest FPR that has a recall."""
        fp, tp = self.fpr_at_recall(recall) * self.n_neg, recall * self.n_pos
        return tp / (tp + self.skew(prevalence) * fp)

    def kolmogorov_smirnov(self) -> Fraction:
        """Return the largest TPR - FPR."""
        return max(y - x for x, y in self.rates())

    def brier(self) -> Fraction:
        """Return the mean squared difference between label and score."""
        total = self.n_pos + self.n_neg
        return sum((w * (Fraction(s) - y) ** 2 for y, s, w in self.rows), Fraction(0)) / total

    def log_loss(self) -> float:
        """Return the mean of minus the logarithm of the probability of what happened; 0 times infinity is 0."""
        with mp.workdps(40):
            total = mpf(0)
            for y, s, w in self.rows:
                p = _real(Fraction(s) if y else 1 - Fraction(s))
                if w and p == 0:
                    return math.inf
                total -= _real(w) * mp.log(p) if w else 0
            return float(total / _real(self.n_pos + self.n_neg))

    def delong_variance(self, clusters: Sequence[int]) -> float | None:
        """Return the variance of ROC AUC from the wins of each row, summed over clusters (Obuchowski, 1997).

        A row whose weight is a frequency stands here as often; None if a class has one row or one cluster.
        """
        area, parts = self.roc_auc(), {}
        for (y, s, w), cluster in zip(self.rows, clusters, strict=True):
            others = [(r, v) for z, r, v in self.rows if z != y]
            won = sum((v for r, v in others if (s > r if y else s < r)), Fraction(0))
            won += sum((v for r, v in others if s == r), Fraction(0)) / 2
            mean, total = won / (self.n_neg if y else self.n_pos), self.n_pos if y else self.n_neg
            sums = parts.setdefault(cluster, {})
            sums[y] = sums.get(y, Fraction(0)) + w * (mean - area) / total
        sizes = [sum(y in sums for sums in parts.values()) for y in (0, 1)]
        if min(sizes) < 2:
            return None
        out = sum(Fraction(n, n - 1) * sum(own.get(y, 0) ** 2 for own in parts.values()) for y, n in enumerate(sizes))
        n = len(parts)
        return float(out + 2 * Fraction(n, n - 1) * sum(own.get(0, 0) * own.get(1, 0) for own in parts.values()))

    def weighted_variance(self) -> float | None:
        """Return the same of independent rows with sampling weights: W^2 / (W^2 - Q) in the place of n / (n - 1)."""
        area, out = self.roc_auc(), Fraction(0)
        for y, total in ((1, self.n_pos), (0, self.n_neg)):
            squares = sum((w * w for z, _, w in self.rows if z == y), Fraction(0))
            if total * total == squares:
                return None
            spread = Fraction(0)
            for z, s, w in self.rows:
                if z == y:
                    rivals = [(r, v) for label, r, v in self.rows if label != y]
                    won = sum((v for r, v in rivals if (s > r if y else s < r)), Fraction(0))
                    won += sum((v for r, v in rivals if s == r), Fraction(0)) / 2
                    spread += (w * (won / (self.n_neg if y else self.n_pos) - area)) ** 2
            out += spread / (total * total - squares)
        return float(out)

    def best(self, value: Callable[[Cells], float | Fraction], allowed: Callable[[Cells], bool]) -> float | None:
        """Return the largest value that a threshold reaches among those allowed; None if there is none."""
        found = [self.cells(math.nan), *(self.cells(t) for t in self.thresholds())]
        values = [value(c) for c in found if allowed(c)]
        known = [one for one in values if one == one]
        return float(max(known)) if known else None


def _real(x: Fraction) -> mpf:
    return mpf(x.numerator) / mpf(x.denominator)


def _highest(points: list[Point], x: Fraction) -> Fraction:
    """Return the largest y of a rising path of straight pieces at x."""
    found = []
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 <= x <= x1:
            found += [y0, y1] if x0 == x1 else [y0 + (y1 - y0) * (x - x0) / (x1 - x0)]
    return max(found)
