"""What a threshold chosen on the same rows overstates, and how much the threshold itself depends on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._cells.catalogue import CellMetric
from thresher._cells.matrix import Matrix
from thresher.typing import BoolArray, CountArray, FloatArray

__all__ = ["CellOptimism", "Chosen", "chosen_on_resamples", "corrected", "optimism_of"]

CountColumns = tuple[CountArray, CountArray]
Allowed = Callable[[FloatArray, FloatArray], BoolArray]

_NUMBERS_AT_ONCE = 2**19
_TIE = 1e-12


class Chosen(NamedTuple):
    """The thresholds chosen on resamples, by place (0: nothing predicted positive), -1 where none was; their values.

    `there` is the metric on the resample, `here` on the data at the same threshold.
    """

    place: NDArray[np.intp]
    there: FloatArray
    here: FloatArray


class CellOptimism(NamedTuple):
    """How much the metric at a chosen threshold is too good, and what is left when that is taken off."""

    optimism: float
    apparent: float
    corrected: float
    low: float
    high: float


def _resamples(
    pos: CountArray, neg: CountArray, total: int, rng: np.random.Generator, stratified: bool, portion: float
) -> Iterator[CountColumns]:
    """Yield tables of rows drawn with replacement, some at a time; `portion` of the rows of the data in each."""
    rows = max(1, _NUMBERS_AT_ONCE // max(pos.size, 1))
    n_pos, n_neg = int(pos.sum()), int(neg.sum())
    for first in range(0, total, rows):
        count = min(rows, total - first)
        if stratified:
            yield (
                rng.multinomial(max(1, round(portion * n_pos)), pos / n_pos, count),
                rng.multinomial(max(1, round(portion * n_neg)), neg / n_neg, count),
            )
        else:
            both = np.concatenate([pos, neg]) / (n_pos + n_neg)
            drawn = rng.multinomial(max(2, round(portion * (n_pos + n_neg))), both, count)
            yield drawn[:, : pos.size], drawn[:, pos.size :]


def chosen_on_resamples(
    metric: CellMetric,
    pos: CountArray,
    neg: CountArray,
    *,
    maximize: bool = True,
    allowed: Allowed | None = None,
    prevalence: float | None = None,
    n_resamples: int = 200,
    portion: float = 1.0,
    rng: np.random.Generator | None = None,
    tables: Iterator[CountColumns] | None = None,
) -> Chosen:
    """Choose the best threshold on resamples of the counts at the distinct scores, highest first.

    Rows are drawn within each class if the metric is the same at every prevalence, else from all rows. `allowed` takes
    cumulative true and false positives, a resample in each row, to a mask of the thresholds that keep the constraints.
    `tables` yields resamples of another kind, of weights or clusters.
    """
    if tables is None:
        free = metric.free or prevalence is not None
        tables = _resamples(pos, neg, n_resamples, rng or np.random.default_rng(), free, portion)
    here = _curves(metric, pos[None, :], neg[None, :], prevalence)[0][0]
    found = []
    for pos_drawn, neg_drawn in tables:
        values, tp, fp = _curves(metric, pos_drawn, neg_drawn, prevalence)
        usable = ~np.isnan(values)
        if allowed is not None:
            usable &= allowed(tp, fp)
        score = np.where(usable, values if maximize else -values, -np.inf)
        top = score.max(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            first = np.argmax(score >= np.where(np.isfinite(top), top - _TIE * np.abs(top), top), axis=1)
        found.append((np.where(usable.any(axis=1), first, -1), np.take_along_axis(values, first[:, None], 1)[:, 0]))
    place, there = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Chosen(place, np.where(place < 0, np.nan, there), np.where(place < 0, np.nan, here[place]))


def _curves(
    metric: CellMetric, pos: CountArray, neg: CountArray, prevalence: float | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the metric from "nothing predicted positive" to everything, with the cumulative counts."""
    tp, fp = (np.pad(np.cumsum(side, axis=1, dtype=np.float64), ((0, 0), (1, 0))) for side in (pos, neg))
    cells = Matrix(tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)
    return metric.value(*cells, prevalence=prevalence, exact=False), tp, fp


def optimism_of(chosen: Chosen) -> float:
    """Return by how much the metric is better on the rows on which a threshold was chosen than on others, on average.

    Resamples on which no threshold was chosen, or where either value is not finite, are left out.
    """
    gap = (chosen.there - chosen.here)[np.isfinite(chosen.there) & np.isfinite(chosen.here)]
    return float(gap.mean()) if gap.size else float("nan")


def corrected(
    metric: CellMetric, apparent: float, low: float, high: float, optimism: float, *, best_of_all: bool = False
) -> CellOptimism:
    """Return the value and the limits of a metric at a chosen threshold without its optimism.

    `low` and `high` are the limits as if the threshold had been fixed. They are for the population value at the
    threshold chosen here; with `best_of_all` for the best value that any threshold has in the population.
    """
    down = up = optimism
    if best_of_all:
        down, up = (optimism, 0.0) if optimism > 0.0 else (0.0, optimism)
    ends = np.clip([apparent - optimism, low - down, high - up], *metric.bounds)
    return CellOptimism(optimism, apparent, *ends.tolist())
