"""Whole curves drawn again: the Bayesian bootstrap cut by ranks, and resamples of cases, weighted rows and clusters."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.random_streams import batch_rows, run_batches, stream_key
from thresher._core.resampling import Requested
from thresher._inference.bands.class_cuts import Cuts
from thresher._inference.rates.effective_counts import effective_size
from thresher._inference.sampling import (
    CensoredUnits,
    CountDraws,
    Influence,
    at_once,
    check_weights,
    clusters_of,
    sampling_of,
)
from thresher._table import Clusters, Counts, Outcome
from thresher.exceptions import InvalidInputError
from thresher.typing import FloatArray

__all__ = [
    "FEW_ACROSS",
    "Draws",
    "bootstrap_band",
    "check_method",
    "draw_curves",
    "drawn_curves",
    "hardly_differ",
    "needs_weights",
    "rank_envelope",
    "resampled_curves",
    "worth_of_classes",
]

# Draws are made in groups of about this many numbers, so that memory stays small; the numbers do not depend on it.
_BLOCK = 1 << 22


class Draws(NamedTuple):
    """Proportions of the other class above each cut: row i is a draw, column j an abscissa.

    `low` has 0 wherever a draw saw none of them, `high` has 1 wherever it saw all: the two end rules.
    """

    low: FloatArray
    high: FloatArray


def draw_curves(cuts: Cuts, x: FloatArray, n_draws: int, rng: np.random.Generator) -> Draws:
    """Draw whole curves at increasing abscissas.

    The members of the along class above the cuts are multinomial counts. Inside a block of ties the other class is
    interpolated; where the curve is vertical it is between two counts, and each draw takes one of them at random. Its
    shares then are sums of a Dirichlet vector whose shapes are the increments of the count, with one half added at both
    ends, so that each share alone is Beta(count + 1/2, rest + 1/2).
    """
    parts = [_draw(cuts, x, rows, rng) for rows in _groups(n_draws, x.size)]
    return Draws(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _groups(n_draws: int, points: int) -> list[int]:
    size = max(1, _BLOCK // max(points, 1))
    return [min(size, n_draws - start) for start in range(0, n_draws, size)]


def _draw(cuts: Cuts, x: FloatArray, rows: int, rng: np.random.Generator) -> Draws:
    steps = np.diff(x, prepend=0.0, append=1.0)
    j = np.cumsum(rng.multinomial(cuts.n_along, np.maximum(steps, 0.0) / steps.sum(), size=rows)[:, :-1], axis=1)
    coin = rng.random(rows) < 0.5
    if cuts.tied:
        place = cuts.at(j.astype(np.float64))
        seen = np.where(coin[:, None], place.low, place.high)
    else:
        seen = np.where(coin[:, None], cuts.fewest(j), cuts.most(j))
    shape = np.maximum(np.diff(seen, axis=1, prepend=0, append=cuts.n_across), 0.0)
    shape[:, 0] += 0.5
    shape[:, -1] += 0.5
    mass = np.cumsum(rng.standard_gamma(shape), axis=1)
    share = mass[:, :-1] / mass[:, -1:]
    return Draws(np.where(seen == 0, 0.0, share), np.where(seen == cuts.n_across, 1.0, share))


def rank_envelope(low: FloatArray, high: FloatArray, confidence_level: float) -> tuple[FloatArray, FloatArray]:
    """Return the narrowest envelope of equal ranks that holds the wanted proportion of the draws as a whole."""
    draws = low.shape[0]
    sorted_low, sorted_high = np.sort(low, axis=0), np.sort(high, axis=0)
    worst = np.full(draws, draws)
    for column in range(low.shape[1]):
        # The rank from an end counts the values that are not nearer to it; equal values share the better rank.
        from_below = np.searchsorted(sorted_low[:, column], low[:, column], side="right")
        from_above = draws - np.searchsorted(sorted_high[:, column], high[:, column], side="left")
        np.minimum(worst, np.minimum(from_below, from_above), out=worst)
    # The largest rank k such that enough draws are nowhere further out than rank k.
    wanted = int(np.ceil(confidence_level * draws))
    k = int(np.sort(worst)[draws - wanted])
    return sorted_low[k - 1], sorted_high[draws - k]


def hardly_differ(cuts: Cuts, x: FloatArray) -> int:
    """Return at how many points resampled curves hardly differ: almost none, or almost all, of a class stand above."""
    above = cuts.value(x) * cuts.n_across
    few = (above < FEW_ACROSS) | (cuts.n_across - above < FEW_ACROSS)
    # Where everything is predicted positive the curve is known.
    return int(np.count_nonzero(few & (x < 1.0)))


def bootstrap_band(curves: FloatArray, level: float, *, simultaneous: bool) -> tuple[FloatArray, FloatArray]:
    """Return quantiles at each point, or the narrowest envelope of equal ranks that holds enough whole curves."""
    if simultaneous:
        return rank_envelope(curves, curves, level)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(curves, (tail, 1.0 - tail), axis=0)
    return low, high


Ends = tuple[FloatArray, FloatArray]

_NUMBERS_AT_ONCE = 1 << 22
FEW_ACROSS = 5


def needs_weights(counts: Counts, *, balance: bool) -> bool:
    """Return whether a band must know of weights or clusters; `balance` says whether the class balance matters."""
    if clusters_of(counts) is not None or (not counts._counted and counts._weight_squares is None):
        return True
    return counts._weight_squares is not None and (balance or counts._plain is None)


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
    squared = sums if counts._weight_squares is None else [counts._weight_squares.pos, counts._weight_squares.neg]
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
    counts: Counts,
    x: FloatArray,
    n_draws: int,
    rng: np.random.Generator,
    *,
    along_positives: bool,
    stratified: bool,
    odds: float | None = None,
) -> FloatArray:
    """Return curves of redrawn rows or clusters: row i is a resample, column j an abscissa.

    They are the recalls of ROC curves, or along the positives the precisions of PR curves, at recalls above 0, for so
    many negatives for each positive: by default those of the resample.
    """
    draws = sampling_of(counts).draws(counts, "scores", None, stratified=stratified)
    key = stream_key(rng)
    wanted = Requested(odds or 0.0, recalls=x) if along_positives else Requested(fprs=x)

    def read(pos: FloatArray, neg: FloatArray) -> FloatArray:
        one, other = (np.append(0.0, np.cumsum(side)) / side.sum() for side in (pos, neg))
        if not along_positives:
            return Cuts(other, one, 1, 1).value(x, at_jumps="upper")
        skew = neg.sum() / pos.sum() if odds is None else odds
        return np.asarray(x / (x + skew * Cuts(one, other, 1, 1).value(x)))

    def drawn(first: int, count: int) -> FloatArray:
        return np.stack([read(pos, neg) for pos, neg in zip(*draws.draw(key, first, count), strict=True)])

    if not (isinstance(draws, CountDraws) and draws.measurable):
        return run_batches(drawn, n_draws, rows=batch_rows(len(counts)))

    def measured(first: int, count: int) -> FloatArray:
        found = draws.measured(wanted, key, first, count)
        return found.precision_at if along_positives else found.tpr_at

    return run_batches(measured, n_draws, rows=at_once(sum(draws.units)))
