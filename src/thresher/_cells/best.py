"""Metrics at every threshold of a table, and the thresholds that are best by one of them, ties settled exactly."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._cells.cell_metric import CellMetric
from thresher._cells.matrix import Matrix, exact_numbers, with_prevalence
from thresher.typing import BoolArray, CountArray, FloatArray

_BLOCK = 2**13  # so many thresholds stay in the cache of one core
_NEAR = 1e-12


class _BestBlock:
    """Cells at some thresholds of one table: sums that all thresholds share are numbers, others made when needed."""

    def __init__(
        self, tp: FloatArray, fp: FloatArray, fn: FloatArray, tn: FloatArray, pos: float, neg: float, total: float
    ) -> None:
        self.tp, self.fp, self.fn, self.tn = tp, fp, fn, tn
        self.pos, self.neg, self.total = pos, neg, total

    @cached_property
    def called(self) -> FloatArray:
        """Predicted positives."""
        return self.tp + self.fp

    @cached_property
    def rest(self) -> FloatArray:
        """Predicted negatives."""
        return self.fn + self.tn

    @cached_property
    def cross(self) -> FloatArray:
        """TP TN - FP FN."""
        return self.tp * self.tn - self.fp * self.fn


def at_thresholds(
    metrics: list[CellMetric], tp: CountArray, fp: CountArray, *, prevalence: float | None = None
) -> FloatArray:
    """Return metrics at all thresholds, a row for each metric, from cumulative counts that end in the class sizes.

    In doubles, to a few units in the last place.
    """
    n_pos, n_neg = float(tp[-1]), float(fp[-1])
    total = n_pos + n_neg
    share = n_pos / total if prevalence is None else prevalence
    # Proportions of the cells, unless a metric depends on the total.
    scales = [share * total / n_pos if n_pos else 0.0, (1.0 - share) * total / n_neg if n_neg else 0.0]
    out = np.empty((len(metrics), tp.size))
    with np.errstate(all="ignore"):
        for size in {_size(metric, total, prevalence) for metric in metrics}:
            own = [place for place, metric in enumerate(metrics) if _size(metric, total, prevalence) == size]
            by_pos, by_neg = (scale * size / total for scale in scales)
            whole = n_pos * by_pos, n_neg * by_neg
            for start in range(0, tp.size, _BLOCK):
                part = slice(start, start + _BLOCK)
                a, b = tp[part] * by_pos, fp[part] * by_neg
                c, d = (n_pos - tp[part]) * by_pos, (n_neg - fp[part]) * by_neg
                table: Any = _BestBlock(a, b, c, d, *(np.float64(size) for size in (*whole, sum(whole))))
                for place in own:
                    given = table if metrics[place].slope is None else Matrix(a, b, c, d)
                    out[place, part] = metrics[place].of(given)
    return out


def _size(metric: CellMetric, total: float, prevalence: float | None) -> float:
    """Return the total of the cells that a metric is given: 1, or the rows where it depends on their number."""
    return total if prevalence is None and (metric.degree or metric.slope is not None) else 1.0


def best_thresholds(
    metric: CellMetric,
    tp: CountArray,
    fp: CountArray,
    *,
    maximize: bool = True,
    allowed: BoolArray | None = None,
    prevalence: float | None = None,
) -> NDArray[np.intp]:
    """Return the indices of all thresholds at which a metric is best, highest threshold first; none if undefined.

    `tp` and `fp` are cumulative, from the highest threshold (or from "nothing is predicted positive") to the class
    sizes. Rational metrics, and roots of them, are compared in integers, or in fractions of the sums of weights;
    others to 1e-12.
    """
    values = at_thresholds([metric], tp, fp, prevalence=prevalence)[0]
    values = values if maximize else -values
    usable = ~np.isnan(values) if allowed is None else ~np.isnan(values) & allowed
    if not usable.any():
        return np.array([], dtype=np.intp)
    top = values[usable].max()
    if np.isinf(top) or metric.ratio is None:
        return np.flatnonzero(usable & (values >= top - _NEAR * abs(top) if np.isfinite(top) else values == top))
    # Differences of proportions near 0 are rounded as their terms are.
    scale = max(abs(top), 1.0, *(abs(end) for end in metric.bounds if np.isfinite(end)))
    near = np.flatnonzero(usable & (values >= top - _NEAR * scale))
    above, below = quotients(metric, tp, fp, near, prevalence)
    above = above if maximize else -above
    best = int(np.argmax(values[near]))
    while True:
        lead = above * below[best] - above[best] * below
        if not (lead > 0).any():
            return near[np.asarray(lead == 0, dtype=np.bool_)]
        best = int(np.argmax(lead > 0))


def quotients(
    metric: CellMetric, tp: CountArray, fp: CountArray, near: NDArray[np.intp], prevalence: float | None
) -> tuple[Any, Any]:
    """Return numerators and denominators of what orders the tables, as integers or fractions."""
    a, b, pos, neg = (exact_numbers(column) for column in (tp[near], fp[near], tp[-1:], fp[-1:]))
    cells = with_prevalence(Matrix(a, b, pos[0] - a, neg[0] - b), prevalence)
    above, below = metric.ratio(cells)  # type: ignore[misc]  # asked only of metrics that have one
    limit = np.asarray(below == 0, dtype=np.bool_)
    return np.where(limit, 0, above), np.where(limit, 1, below)


def orders(metric: CellMetric, bound: Fraction) -> Fraction:
    """Return what `quotients` are compared with, for a bound on the metric."""
    return bound * abs(bound) if metric.root or metric.form is not None else bound
