"""What a threshold chosen on the same rows overstates, and how much the threshold itself depends on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._cells.cell_metric import CellMetric
from thresher._cells.matrix import Matrix, with_prevalence
from thresher.typing import BoolArray, CountArray, FloatArray

CountColumns = tuple[CountArray, CountArray]
Allowed = Callable[[FloatArray, FloatArray], BoolArray]

_AT_ONCE = 2**16
_TIE = 1e-12


class Chosen(NamedTuple):
    """The thresholds chosen on resamples, by place (0: nothing predicted positive), -1 where none was; their values.

    `there` is the metric on the resample, `here` on the data at the same threshold.
    """

    place: NDArray[np.intp]
    there: FloatArray
    here: FloatArray


def chosen_on_resamples(
    metric: CellMetric,
    pos: CountArray,
    neg: CountArray,
    tables: Iterator[CountColumns],
    *,
    maximize: bool = True,
    allowed: Allowed | None = None,
    steady: bool = False,
    prevalence: float | None = None,
) -> Chosen:
    """Choose the best threshold on resamples of the counts at the distinct scores, highest first.

    `allowed` takes cumulative true and false positives, a resample in each row, to a mask of the thresholds that keep
    the constraints; if `steady`, one false positive more never makes a point keep them.
    """
    here = _values(metric, *_points(pos[None, :], neg[None, :]), prevalence)[0]
    # Where a false positive more never helps the best point is below a positive, or the first that a negative defines.
    sparse = spares_negatives(metric, more=maximize) and (allowed is None or steady)
    found = [
        _best_of(metric, pos_drawn[rows], neg_drawn[rows], maximize, allowed, prevalence, sparse=sparse)
        for pos_drawn, neg_drawn in tables
        for rows in _portions(*pos_drawn.shape)
    ]
    place, there = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Chosen(place, np.where(place < 0, np.nan, there), np.where(place < 0, np.nan, here[place]))


def spares_negatives(metric: CellMetric, *, more: bool) -> bool:
    """Return whether a false positive more never helps, where more or less of the metric is better."""
    return metric.rises is not None and metric.rises[1] == ("tn" if more else "fp")


def _portions(rows: int, columns: int) -> Iterator[slice]:
    """Return slices of the rows that stay in the cache of one core."""
    step = max(1, _AT_ONCE // max(columns, 1))
    return (slice(first, first + step) for first in range(0, rows, step))


def _best_of(
    metric: CellMetric,
    pos: CountArray,
    neg: CountArray,
    maximize: bool,
    allowed: Allowed | None,
    prevalence: float | None,
    *,
    sparse: bool,
) -> tuple[NDArray[np.intp], FloatArray]:
    """Return the place of the best threshold of each table, -1 if there is none, and the metric there."""
    tp, fp = _points(pos, neg)
    places = np.arange(tp.shape[1])
    if sparse and tp.shape[0] == 1:
        below = np.append(True, pos[0] > 0)
        below[[int(np.argmax(neg[0] > 0)) + 1, -1]] = True
        places = np.flatnonzero(below)
        tp, fp = tp[:, places], fp[:, places]
    values = _values(metric, tp, fp, prevalence)
    usable = ~np.isnan(values)
    if allowed is not None:
        usable &= allowed(tp, fp)
    score = np.where(usable, values if maximize else -values, -np.inf)
    top = score.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        best = np.argmax(score >= np.where(np.isfinite(top), top - _TIE * np.abs(top), top), axis=1)
    return np.where(usable.any(axis=1), places[best], -1), np.take_along_axis(values, best[:, None], 1)[:, 0]


def _points(pos: CountArray, neg: CountArray) -> tuple[FloatArray, FloatArray]:
    """Return cumulative counts from "nothing predicted positive" to everything."""
    out = np.zeros((2, pos.shape[0], pos.shape[1] + 1))
    for total, side in zip(out, (pos, neg), strict=True):
        np.cumsum(side, axis=1, out=total[:, 1:])
    return out[0], out[1]


def _values(metric: CellMetric, tp: FloatArray, fp: FloatArray, prevalence: float | None) -> FloatArray:
    """Return the metric at points that end in the class sizes."""
    cells = Matrix(tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)
    if metric.slope is None and metric.degree == 0:
        # Rows have one total, and so one power of two that keeps products in range.
        size = np.exp2(-np.frexp(np.maximum(tp[:, -1:] + fp[:, -1:], 1e-300))[1])
        cells = Matrix(*(cell * size for cell in cells))
    with np.errstate(all="ignore"):
        return np.asarray(metric.of(with_prevalence(cells, prevalence)), dtype=np.float64)


def optimism_of(chosen: Chosen) -> float:
    """Return by how much the metric is better on the rows on which a threshold was chosen than on others, on average.

    Resamples on which no threshold was chosen, or where either value is not finite, are left out.
    """
    gap = (chosen.there - chosen.here)[np.isfinite(chosen.there) & np.isfinite(chosen.here)]
    return float(gap.mean()) if gap.size else float("nan")
