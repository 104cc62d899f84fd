"""Curves drawn again of rows that have unequal weights or belong together, and what their classes are worth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from thresher._core.random_streams import batch_rows, run_batches, stream_key
from thresher._inference.bands.class_cuts import Cuts
from thresher._inference.rates.effective_counts import effective_size
from thresher._inference.sampling import CensoredUnits, Influence, check_weights, clusters_of, sampling_of
from thresher._table import Clusters, Counts, Outcome
from thresher.exceptions import InvalidInputError
from thresher.typing import FloatArray

__all__ = ["check_method", "drawn_curves", "needs_weights", "resampled_curves", "worth_of_classes"]

Ends = tuple[FloatArray, FloatArray]

_NUMBERS_AT_ONCE = 1 << 22


def needs_weights(counts: Counts, *, balance: bool) -> bool:
    """Return whether a band must know of weights or clusters; `balance` says whether the class balance matters."""
    if clusters_of(counts) is not None or (not counts.counted and counts.squares is None):
        return True
    return counts.squares is not None and (balance or counts.plain is None)


def check_method(counts: Counts, method: str) -> None:
    """Refuse methods that know of no weights or clusters."""
    check_weights(counts)
    if method in ("binomial-beta", "envelope", "bootstrap"):
        return
    what = "weights that vary" if clusters_of(counts) is None else "clusters"
    raise InvalidInputError(
        f"`method={method!r}` must have independent rows of equal weight within each class; got {what}. "
        "Hint: 'binomial-beta', 'envelope' and 'bootstrap' take them."
    )


def worth_of_classes(counts: Counts) -> tuple[float, float]:
    """Return how many positives and negatives the prevalence is worth."""
    pos, neg = counts._typical
    yes, no = float(counts.n_pos), float(counts.n_neg)
    worth = float(effective_size(yes, no, float(pos.above[-1]), float(neg.above[-1])))
    sampling, none = sampling_of(counts), np.zeros(len(counts))
    influence = Influence(none, none, -counts.prevalence * (1.0 - counts.prevalence))
    full = sampling.spread(influence, corrected=False).variance
    held = full - sampling.added(influence)
    worth = worth * held / full if held > 0.0 and full > 0.0 else worth
    return worth * counts.prevalence, worth * (1.0 - counts.prevalence)


_Masses = Callable[[np.random.Generator, int], list[FloatArray]]
"""Draws the masses of positives and negatives at each score, one row for each of so many draws."""


def _masses(counts: Counts, sums: list[FloatArray]) -> _Masses:
    clusters, rows = clusters_of(counts), counts._outcome
    if rows is not None and rows.estimated:
        return partial(_censored_masses, rows, rows.cells(counts.thresholds), len(counts))
    if clusters is not None:
        return partial(_cluster_masses, clusters, len(counts))
    squared = sums if counts.squares is None else [counts.squares.pos, counts.squares.neg]
    pairs = list(zip(sums, squared, strict=True))
    shapes = [np.divide(w * w, q, out=np.zeros(w.size), where=q > 0.0) for w, q in pairs]
    scales = [np.divide(q, w, out=np.zeros(w.size), where=w > 0.0) for w, q in pairs]
    return partial(_row_masses, list(zip(shapes, scales, strict=True)))


def _row_masses(classes: list[Ends], rng: np.random.Generator, size: int) -> list[FloatArray]:
    return [rng.standard_gamma(shape, (size, shape.size)) * scale for shape, scale in classes]


def _censored_masses(
    rows: Outcome, cell: NDArray[np.intp], width: int, rng: np.random.Generator, size: int
) -> list[FloatArray]:
    """Return masses of rows or clusters with the censoring weights estimated in each draw."""
    units = CensoredUnits(rows)
    factor = rng.standard_exponential((size, units.size))
    mass = rows.masses(rows.v * units.of_rows(factor))
    return [
        np.stack([np.bincount(cell[side], own, width).astype(np.float64) for own in mass[:, side]])
        for side in (rows.positive, ~rows.positive)
    ]


def _cluster_masses(clusters: Clusters, width: int, rng: np.random.Generator, size: int) -> list[FloatArray]:
    factor = rng.standard_exponential((size, clusters.size))
    mass = []
    for mine in (clusters.positive, ~clusters.positive):
        each = clusters.weight[mine] * factor[:, clusters.code[mine]]
        cell = clusters.cell[mine]
        mass.append(np.stack([np.bincount(cell, own, width).astype(np.float64) for own in each]))
    return mass


def drawn_curves(
    counts: Counts, x: FloatArray, n_draws: int, rng: np.random.Generator, *, along_positives: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return Bayesian-bootstrap draws of the curve, for the lower and the upper end, and the odds of each draw.

    Rows at a score get a gamma mass with the mean and the variance of their weights, rows of a cluster share one
    exponential factor; half a row more stands beyond both ends of each class.
    """
    sums = [counts.pos.astype(np.float64), counts.neg.astype(np.float64)]
    masses = _masses(counts, sums)
    halves = [(float(t.above[0]), float(t.below[-1])) for t in counts._typical]
    seen = [np.append(0.0, np.cumsum(w)) for w in sums]
    width = len(counts)
    low, high, odds = np.empty((n_draws, x.size)), np.empty((n_draws, x.size)), np.empty(n_draws)
    rows = max(1, _NUMBERS_AT_ONCE // width)
    for first in range(0, n_draws, rows):
        size = min(rows, n_draws - first)
        shares = []
        for own, (top, bottom) in zip(masses(rng, size), halves, strict=True):
            ends = rng.standard_gamma(0.5, (size, 2)) * (top, bottom)
            running = np.concatenate((ends[:, :1], own), axis=1).cumsum(axis=1)
            shares.append((running, running[:, -1:] + ends[:, 1:]))
        odds[first : first + size] = (shares[1][1] / shares[0][1])[:, 0]
        along, across = (0, 1) if along_positives else (1, 0)
        a, b = (shares[side][0] / shares[side][1] for side in (along, across))
        coin = rng.random(size) < 0.5
        whole = seen[across][-1] * (1.0 - 1e-12)
        for i in range(size):
            cut = np.searchsorted(a[i], x, side="right") - 1
            cut = np.clip(cut if coin[i] else cut + 1, 0, width)
            found, above = b[i, cut], seen[across][cut]
            low[first + i] = np.where(above <= 0.0, 0.0, found)
            high[first + i] = np.where(above >= whole, 1.0, found)
    return low, high, odds


def resampled_curves(
    counts: Counts, x: FloatArray, n_draws: int, rng: np.random.Generator, *, along_positives: bool, stratified: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the curves of redrawn rows or clusters, and the odds of each resample."""
    draws = sampling_of(counts).draws(counts, "scores", None, stratified=stratified)
    key = stream_key(rng)

    def work(first: int, count: int) -> FloatArray:
        out = np.empty((count, x.size + 1))
        for row, (pos, neg) in enumerate(zip(*draws.draw(key, first, count), strict=True)):
            along, across = (pos, neg) if along_positives else (neg, pos)
            one, other = (np.append(0.0, np.cumsum(side)) / side.sum() for side in (along, across))
            how = "lower" if along_positives else "upper"
            out[row, :-1] = Cuts(one, other, 1, 1).value(x, at_jumps=how)
            out[row, -1] = neg.sum() / pos.sum()
        return out

    found = run_batches(work, n_draws, rows=batch_rows(len(counts)))
    return found[:, :-1], found[:, -1]
