"""The points of a curve that are drawn: all of them, or as many as a screen can show."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core.decimals import short_threshold
from thresher._core.hull import upper_hull
from thresher._curves import roc_curve
from thresher._report.plain_data import DrawnCurve, Histogram
from thresher._table import Counts
from thresher.measures import RocAuc

# A convex chain of whole counts never has as many vertices for millions of cases; float weights may.
_MOST_VERTICES = 20_000
_BINS = 48
_WHOLE = 2.0**52  # beyond it halves are no numbers
_LARGEST = float(np.finfo(np.float64).max)


def plain(values: NDArray[Any]) -> list[Any]:
    """Return Python numbers; scores of float32 as the short decimals people wrote, wider ones as float64."""
    if values.dtype == np.float32 or values.dtype == np.float16:
        return [float(str(value)) for value in values]
    if values.dtype.kind == "f":
        return list(values.astype(np.float64).tolist())
    return list(values.tolist())


def drawn_points(counts: Counts, max_points: int) -> DrawnCurve:
    """Return the points to draw, with what leaving out the others costs."""
    full = roc_curve(counts)
    small = _thinned(counts, max_points)
    roc = full if small is counts else roc_curve(small)
    tp, fp = roc.tp.astype(np.float64), roc.fp.astype(np.float64)
    f1 = 2.0 * tp / (tp + fp + float(roc.n_pos))
    bound = 0.0 if small is counts else RocAuc().estimate(small._without_figures()).error_bound
    return DrawnCurve(
        thresholds=[float(value) for value in plain(roc.thresholds)],
        labels=_labels(counts, small),
        tp=roc.tp.tolist(),
        fp=roc.fp.tolist(),
        hull=upper_hull(roc.fp, roc.tp).tolist(),
        start=int(np.argmax(f1)),
        n_points=len(full),
        area_bound=bound,
        deviation=0.0 if small is counts else _deviation(counts, small),
    )


def _thinned(counts: Counts, max_points: int) -> Counts:
    if len(counts) <= max_points:
        return counts
    kept = _kept_rows(counts, max_points)
    zero = counts.tp.dtype.type(0)
    first = np.concatenate(([0], kept[:-1] + 1))
    table = (counts.thresholds[kept], np.diff(counts.tp[kept], prepend=zero), np.diff(counts.fp[kept], prepend=zero))
    return type(counts)._from_table(table, np.maximum.reduceat(counts._highest_scores, first))


def _kept_rows(counts: Counts, max_points: int) -> NDArray[np.intp]:
    """Return the rows to draw: the hull's vertices, then those that bound the counts at any threshold in between.

    Half of the others are even steps of found positives and of false alarms, which bound the rates; half are even steps
    of the logarithm of what is called, which bound the counts in proportion where few are called.
    """
    zero = counts.tp.dtype.type(0)
    vertices = upper_hull(np.append(zero, counts.fp), np.append(zero, counts.tp))[1:] - 1
    if vertices.size > _MOST_VERTICES:
        # So many vertices are a smooth curve, which needs no more than some of them.
        vertices = vertices[np.linspace(0, vertices.size - 1, max_points // 2).astype(np.intp)]
    tp, fp = counts.tp.astype(np.float64), counts.fp.astype(np.float64)
    called = np.log1p((tp + fp) * (len(counts) / (tp[-1] + fp[-1])))
    mass = tp / tp[-1] + fp / fp[-1] + 2.0 * called / called[-1]
    # The highest score too: above it nothing is called, for certain.
    kept = np.unique(np.append(0, vertices))
    while kept.size < max_points:
        # Steps that fall on a row that is kept already leave room for finer ones.
        spare = max_points - kept.size
        wide = np.diff(mass[kept], prepend=0.0)
        shares = np.ceil(spare * wide / wide.sum()).astype(np.intp) if kept.size else np.array([spare])
        fresh = _between(mass, kept, shares)
        fresh = np.setdiff1d(fresh, kept)
        if fresh.size == 0:
            break
        if fresh.size > spare:
            fresh = fresh[np.linspace(0, fresh.size - 1, spare).astype(np.intp)]
        kept = np.union1d(kept, fresh)
    return kept


def _between(mass: NDArray[np.float64], kept: NDArray[np.intp], shares: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return rows at even steps of the mass within each gap of kept rows; one a gap at least that has room."""
    ends = mass[kept]
    starts = np.append(0.0, ends[:-1])
    rows = np.append(-1, kept)
    step = np.concatenate([np.arange(1, n + 1) / (n + 1) for n in shares.tolist()])
    gap = np.repeat(np.arange(kept.size), shares)
    target = starts[gap] + step * (ends - starts)[gap]
    return np.unique(np.clip(np.searchsorted(mass, target), rows[gap] + 1, rows[gap + 1]).astype(np.intp))


def _labels(counts: Counts, small: Counts) -> list[float]:
    scores = [float(value) for value in plain(counts.thresholds)] if small is counts else []
    if small is counts:
        below = [*scores[1:], -math.inf]
    else:
        # The next lower score of the full data, whether it is drawn or not.
        place = len(counts) - np.searchsorted(counts.thresholds[::-1], small.thresholds, side="left")
        following = np.minimum(place, len(counts) - 1)
        scores = [float(value) for value in plain(small.thresholds)]
        below = [float(value) for value in plain(counts.thresholds[following])]
        below[-1] = -math.inf
    return [math.inf, *(short_threshold(*pair) for pair in zip(scores, below, strict=True))]


def _deviation(counts: Counts, small: Counts) -> float:
    """Return how far the points left out lie from the drawn straight pieces, in ROC space."""
    row = len(small) - np.searchsorted(small.thresholds[::-1], counts.thresholds, side="right")
    x, y = (np.append(0.0, part / part[-1]) for part in (small.fp, small.tp))
    across, up = x[row + 1] - x[row], y[row + 1] - y[row]
    beside = across * (counts.tp / counts.n_pos - y[row]) - up * (counts.fp / counts.n_neg - x[row])
    return float((np.abs(beside) / np.hypot(across, up)).max())


def histogram_of(counts: Counts) -> Histogram:
    """Return the scores of both classes in equal bins; infinite scores stand in the outer ones.

    Whole numbers have bins around them, of one number each or of equally many.
    """
    scores = counts.thresholds.astype(np.float64)
    finite = scores[np.isfinite(scores)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    bins = min(_BINS, max(8, int(np.ceil(2 * np.cbrt(counts.n_pos + counts.n_neg)))))
    whole = bool(finite.size > 1 and abs(low) < _WHOLE and abs(high) < _WHOLE and (finite == np.round(finite)).all())
    wide = 1
    if whole:
        wide = math.ceil((high - low + 1.0) / _BINS)
        bins = math.ceil((high - low + 1.0) / wide)
        low, high = low - 0.5, low - 0.5 + wide * bins
    elif high / 2 - low / 2 <= _BINS * math.ulp(max(abs(low), abs(high))):
        # Too narrow a range has no room for bins.
        pad = max(abs(low) * 0.5, 0.5)
        low, high = max(low - pad, -_LARGEST), min(high + pad, _LARGEST)
    # Halving first keeps the width finite when the scores span the whole range of floats.
    share = (np.clip(scores, low, high) / 2 - low / 2) / (high / 2 - low / 2)
    place = np.minimum((share * bins).astype(np.intp), bins - 1)
    columns = [np.zeros(bins, dtype=counts.pos.dtype) for _ in range(2)]
    for column, values in zip(columns, (counts.pos, counts.neg), strict=True):
        np.add.at(column, place, values)
    step = np.linspace(0.0, 1.0, bins + 1)
    # Between whole numbers edges are exact.
    edges = low + wide * np.arange(bins + 1.0) if whole else low * (1.0 - step) + high * step
    return Histogram(edges.tolist(), columns[0].tolist(), columns[1].tolist(), whole)
