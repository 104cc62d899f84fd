"""Models at the same recall, precision or number of alerts: what each needs or finds, and by how much they differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import scipy

from thresher._compare.comparison import Comparison
from thresher._compare.paired_rows import PairedRows
from thresher._inference.sampling import Influence, rows_sampling
from thresher._table import Counts, Grid, padded_counts, row_columns
from thresher.typing import FloatArray

Kind = Literal["recall", "precision", "alerts"]


class Stand(NamedTuple):
    """A model at a place: rates there, and how the answer changes with each of the two rates at a fixed threshold."""

    tpr: float
    fpr: float
    row: int
    """How many distinct scores are predicted positive for certain."""
    part: float
    """The proportion of cases at the next score that are predicted positive, at random."""
    by_tpr: float
    by_fpr: float
    answer: float
    """The proportion of cases that raise an alert at a given recall; otherwise the recall."""


class Place(NamedTuple):
    """What is held equal: a recall, a precision, or the proportion of cases that raise an alert."""

    kind: Kind
    level: float


class PointDifference(NamedTuple):
    """The answer of one model less that of another, with its interval."""

    value: float
    low: float
    high: float


def rows_of(comparison: Comparison | None) -> tuple[PairedRows, list[Counts]] | None:
    """Return the rows and tables of all models of a comparison; None if it has no rows that models share."""
    if comparison is None or comparison._rows is None:
        return None
    rest = [pair._counts[1] for pair in comparison.pairs if pair.a == comparison.pairs[0].a]
    return comparison._rows, [comparison.pairs[0]._counts[0], *rest]


def place_of(table: Counts, place: Place, prevalence: float | None = None, confidence_level: float = 0.95) -> Stand:
    """Return where a model reaches a place; NaN everywhere if it never has the precision.

    Between two thresholds the point of their randomised mixture is taken. At a recall or a proportion of alerts the
    place is exact; at a precision it is the largest recall with at least that precision.
    """
    tp, fp = (part.astype(np.float64) for part in padded_counts(table))
    x, y = tp / tp[-1], fp / fp[-1]
    share = float(tp[-1] / (tp[-1] + fp[-1])) if prevalence is None else prevalence
    curve = _Curve(x, y, share)
    at = curve.reach(place.kind, place.level)
    if math.isnan(at):
        return Stand(math.nan, math.nan, 0, 0.0, math.nan, math.nan, math.nan)
    tpr, fpr = curve.rates(at)
    sizes = table.effective_pos, table.effective_neg
    by = curve.slopes(place.kind, tpr, fpr)
    spread = math.hypot(by[0] * _error(tpr, sizes[0]), by[1] * _error(fpr, sizes[1]))
    reach = -float(scipy.special.ndtri((1.0 - confidence_level) / 2.0)) * spread
    # How the answer moves along the curve, over the range in which the place may lie: no density is estimated.
    slope = curve.secant(place.kind, place.level, reach)
    own = (0.0, 1.0 - share) if place.kind == "recall" else (1.0, 0.0)
    answer = share * place.level + (1.0 - share) * fpr if place.kind == "recall" else tpr
    row = min(int(at), x.size - 2)
    return Stand(tpr, fpr, row, at - row, own[0] - slope * by[0], own[1] - slope * by[1], answer)


def same_point(
    rows: PairedRows,
    tables: Sequence[Counts],
    place: Place,
    against: int,
    *,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
) -> list[PointDifference | None]:
    """Return how the answer of each model differs from that of one of them; None for itself and if nothing can be said.

    Class sizes are taken as they are, and the prevalence as known. The variance is that of linear parts: the rows'
    predictions at both thresholds, and what moves the threshold itself, by the secant of the curve over the confidence
    interval of the rate that is held equal.
    """
    weight = None if rows.weight is None else rows.weight.astype(np.float64)
    design = rows_sampling(rows.positive, weight, rows.cluster)
    stands = [place_of(table, place, prevalence, confidence_level) for table in tables]
    base = stands[against]
    first = None if math.isnan(base.answer) else _influence(rows, tables, against, base)
    out: list[PointDifference | None] = []
    for model, stand in enumerate(stands):
        if model == against or first is None or math.isnan(stand.answer):
            out.append(None)
            continue
        second = _influence(rows, tables, model, stand)
        spread = design.spread(Influence(second.pos - first.pos, second.neg - first.neg))
        if not spread.variance > 0.0:  # no case on which they differ tells the spread
            out.append(None)
            continue
        tail = (1.0 - confidence_level) / 2.0
        z = scipy.special.ndtri(tail) if math.isinf(spread.df) else scipy.special.stdtrit(spread.df, tail)
        reach = -float(z) * math.sqrt(spread.variance)
        value = stand.answer - base.answer
        out.append(PointDifference(value, max(value - reach, -1.0), min(value + reach, 1.0)))
    return out


def _influence(rows: PairedRows, tables: Sequence[Counts], model: int, stand: Stand) -> Influence:
    """Return what each row adds to the answer of a model, centred within its class."""
    table = tables[model]
    column = row_columns(table.thresholds, rows.scores[model], Grid(np.arange(len(table)), table.thresholds))
    called = np.where(column < stand.row, 1.0, np.where(column == stand.row, stand.part, 0.0))
    return Influence(stand.by_tpr * (called - stand.tpr), stand.by_fpr * (called - stand.fpr))


def _error(rate: float, size: float) -> float:
    """Return the standard error of a rate, which half a case keeps above zero."""
    middle = (rate * size + 0.5) / (size + 1.0)
    return math.sqrt(middle * (1.0 - middle) / size)


class _Curve(NamedTuple):
    """Rates of both classes at each threshold, and the prevalence."""

    tpr: FloatArray
    fpr: FloatArray
    share: float

    def rates(self, at: float) -> tuple[float, float]:
        """Return both rates at a place between two thresholds."""
        steps = np.arange(self.tpr.size, dtype=np.float64)
        return float(np.interp(at, steps, self.tpr)), float(np.interp(at, steps, self.fpr))

    def reach(self, kind: Kind, level: float) -> float:
        """Return the number of the threshold, with a fraction for a mixture with the next one."""
        if kind == "precision":
            odds = level / (1.0 - level) if level < 1.0 else math.inf
            excess = self.share * self.tpr - (0.0 if level == 0.0 else odds * (1.0 - self.share)) * self.fpr
            good = np.flatnonzero(excess[1:] >= -1e-15) + 1
            if not good.size:
                return math.nan
            last = int(good[-1])
            if last == self.tpr.size - 1 or not math.isfinite(odds):
                return float(last)
            return last + float(excess[last] / (excess[last] - excess[last + 1]))
        rising = self.tpr if kind == "recall" else self.share * self.tpr + (1.0 - self.share) * self.fpr
        after = int(np.searchsorted(rising, level * (1.0 - 1e-13), side="left"))
        if after == 0:
            return 0.0
        return after - 1 + float((level - rising[after - 1]) / (rising[after] - rising[after - 1]))

    def slopes(self, kind: Kind, tpr: float, fpr: float) -> tuple[float, float]:
        """Return how what is held equal depends on the two rates at a fixed threshold."""
        if kind == "recall":
            return 1.0, 0.0
        if kind == "alerts":
            return self.share, 1.0 - self.share
        a, b = self.share * tpr, (1.0 - self.share) * fpr
        return self.share * b / (a + b) ** 2, -(1.0 - self.share) * a / (a + b) ** 2

    def secant(self, kind: Kind, level: float, reach: float) -> float:
        """Return how the answer changes along the curve with what is held equal."""
        ends = [min(max(level + sign * reach, 1e-9), 1.0 if kind != "precision" else 1.0 - 1e-9) for sign in (-1, 1)]
        places = [self.reach(kind, end) for end in ends]

        def pick(rates: tuple[float, float]) -> float:
            return (1.0 - self.share) * rates[1] if kind == "recall" else rates[0]

        answers = [0.0 if math.isnan(at) else pick(self.rates(at)) for at in places]
        middle = pick(self.rates(self.reach(kind, level)))
        # The steeper side: on the other one the curve is flatter, and a symmetric interval would end too early.
        steps = [(end - level, answer - middle) for end, answer in zip(ends, answers, strict=True) if end != level]
        return max((rise / run for run, rise in steps), key=abs, default=0.0)
