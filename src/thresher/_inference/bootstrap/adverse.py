"""The Bayesian bootstrap of a count table with half a case at the adverse end of each class."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.arrays import frozen
from thresher._core.device_path import cells_on_device
from thresher._inference.bootstrap.smooth_quantile import (
    ClassMean,
    LogOdds,
    Simulated,
    class_mean,
    order_statistic,
    smooth_quantile,
    tilts_of,
)
from thresher._inference.bootstrap.tilted import tilted_limit
from thresher._inference.sampling import Influence
from thresher._table import Counts
from thresher.typing import CountArray, FloatArray

Values = Callable[[FloatArray, FloatArray, NDArray[np.intp]], FloatArray]
"""A figure of many tables: rows of positives, rows of negatives, the columns that can hold positives."""

MASS = 0.5
"""How much of a case stands at each adverse end."""
# One stream for all data: limits are then a function of the data alone.
_SEED = 0x7E5_C0DE
# Simulated tables: to fit a polynomial, and where it fits badly. Half of them swap the streams of the classes.
_FITTED, _DRAWS = 256, 1000
_IN_TAIL = 20
_MOST_DRAWS = 40_000
# Weights are drawn for each of so many cases at either end of a class, and further inside for groups that grow so fast.
_SINGLE, _GROWTH = 64, 1.1
# Tables of so many cells are used as they are.
_MOST_CELLS = 512
_AT_ONCE = 1 << 15
_ROUNDING = 1e-14


class Figure(NamedTuple):
    """A figure of tables, and its influence values if it has them."""

    values: Values
    influence: Callable[[FloatArray, FloatArray], Influence | None]
    """Of one table, from its positives and negatives."""
    smooth: bool = False
    """Whether these tell enough of other tables near it, so that its limits need no simulation."""


class Reduced(NamedTuple):
    """A count table with cells taken together where neither class passes one of its nodes."""

    tp: FloatArray
    fp: FloatArray
    """Cumulative counts after each cell."""
    nodes: tuple[FloatArray, FloatArray]
    """Ranks of each class between which weights are drawn as one: positives, negatives; the first is 0."""


def adverse_limits(
    pos: CountArray,
    neg: CountArray,
    figure: Figure,
    confidence_level: float,
    *,
    value: float,
    sizes: tuple[float, float] | None = None,
    low: Figure | None = None,
    mass: float = MASS,
    seed: int = _SEED,
    optimistic: bool = False,
) -> tuple[float, float]:
    """Return limits of a figure that grows as positives rise; `low` is another one for the lower limit.

    An `optimistic` figure takes the best points of each sample, so that samples are too good and weighted tables once
    more so: the mean of that is taken off, twice from the lower limit.

    Notes
    -----
    Each case gets an exponential weight: the Bayesian bootstrap, whose distribution of a figure is its posterior when
    nothing is known but the data. It knows nothing of what no sample shows: the positives below, and the negatives
    above, everything seen. For the lower limit half a case, a Gamma(1/2) weight, stands at the bottom among the
    positives and at the top among the negatives; for the upper limit at the top among the positives and at the bottom
    among the negatives. For a proportion of n cases this gives the quantiles of Beta(x, n - x + 1/2) and
    Beta(x + 1/2, n - x), between those of Jeffreys and of Clopper and Pearson.

    The weights of positives and of negatives are not divided by their sums: where precision depends on the class
    balance, the prevalence then is Beta(n_pos + 1/2, n_neg + 1/2) and independent of both curves.

    The weights come from one fixed stream, so that limits depend on the data alone. They are simulated to fit a
    polynomial in numbers whose distributions are known, from which the quantiles follow (`smooth_quantile`); a figure
    that is far from one has simulated quantiles. Swapping the classes and turning the scores round gives the same
    tables, and so the same limits of the area under the ROC curve.

    References
    ----------
    .. [1] D. B. Rubin, "The Bayesian bootstrap", Annals of Statistics 9 (1981), 130-134.
       https://doi.org/10.1214/aos/1176345338
    .. [2] J. Gu, S. Ghosal and A. Roy, "Bayesian bootstrap estimation of ROC curve", Statistics in Medicine 27 (2008),
       5407-5420. https://doi.org/10.1002/sim.3366
    """
    totals = float(pos.sum()), float(neg.sum())
    worth = totals if sizes is None else sizes
    table = reduced_table(pos * (worth[0] / totals[0]), neg * (worth[1] / totals[1]), worth)
    # What one drawn case weighs: weights of a class set the class balance, which measures may depend on.
    unit = totals[0] / worth[0], totals[1] / worth[1]
    tables = _Tables(table, unit, mass, seed)
    tail = (1.0 - confidence_level) / 2.0
    if figure.smooth:
        found = _without_draws(table, unit, figure, tail)
    else:
        ends = tables.end(figure if low is None else low, tail, (-1, 0)), tables.end(figure, 1.0 - tail, (0, -1))
        found = tables.quantiles(ends, tail)
    # What cells taken together miss of the figure is put back.
    own = _plain(table, figure.values, unit)
    gain = max(tables.mean(figure) - own, 0.0) if optimistic else 0.0
    moved = value - own
    lower, upper = found[0] + (moved if low is None else 0.0), found[1] + moved
    return min(lower - 2.0 * gain, value), max(upper - gain, value)


def _without_draws(table: Reduced, unit: tuple[float, float], figure: Figure, tail: float) -> list[float]:
    """Return the limits of a smooth figure."""
    cases = np.diff(table.tp, prepend=0.0), np.diff(table.fp, prepend=0.0)

    def value(pos: FloatArray, neg: FloatArray) -> float:
        return float(figure.values(pos[None], neg[None], np.arange(pos.size))[0])

    score = float(scipy.special.ndtri(tail))
    return [tilted_limit(cases, unit, value, figure.influence, one) for one in (score, -score)]


class _Linear(NamedTuple):
    """What is linear in the weights, for one end."""

    pull: Influence
    """The influence values of the cells with the expected mass at the adverse ends."""
    laws: list[ClassMean | LogOdds]
    tilts: tuple[FloatArray, FloatArray]
    """Factors of the weights that move tables to about the quantile."""


class _End(NamedTuple):
    """One of the two limits."""

    figure: Figure
    share: float
    """Of the tables, how many lie below it."""
    places: tuple[int, int]
    """Where the mass of each class stands among the cells."""
    linear: _Linear | None = None


class _Tables(NamedTuple):
    """Weighted tables: what a case weighs, the mass at the adverse ends, and the stream."""

    table: Reduced
    unit: tuple[float, float]
    mass: float
    seed: int

    def end(self, figure: Figure, share: float, places: tuple[int, int]) -> _End:
        """Return what belongs to the lower or the upper limit."""
        weights = [each * np.diff(side, prepend=0.0) for each, side in zip(self.unit, self.table[:2], strict=True)]
        pull = figure.influence(*_joined(weights, [each * self.mass for each in self.unit], places))
        if pull is None or not all(np.isfinite(side).all() for side in (pull.pos, pull.neg)):
            return _End(figure, share, places)
        laws: list[ClassMean | LogOdds] = [
            class_mean(slope[1:-1], cumulative, nodes, float(slope[place]), self.mass)
            for slope, cumulative, nodes, place in zip(
                (pull.pos, pull.neg), self.table[:2], self.table.nodes, places, strict=True
            )
        ]
        if abs(pull.odds) > _ROUNDING:
            positives, negatives = (float(nodes[-1]) + self.mass for nodes in self.table.nodes)
            laws.append(LogOdds(positives, negatives, pull.odds))
        return _End(figure, share, places, _Linear(pull, laws, tilts_of((pull.pos, pull.neg), laws, share)))

    def quantiles(self, ends: tuple[_End, _End], tail: float) -> list[float]:
        """Return the quantile of each end."""
        found = [
            (math.nan, 1.0) if end.linear is None else smooth_quantile(self._simulated(end.linear, drawn), end.share)
            for end, drawn in zip(ends, self._drawn(ends, _FITTED // 2), strict=True)
        ]
        doubtful = tuple(end._replace(linear=None) for end, (_, doubt) in zip(ends, found, strict=True) if doubt > 0.0)
        enough = draws_for(tail) // 2
        simulated = iter(self._drawn(doubtful, enough) if doubtful else ())
        out = []
        for end, (smooth, doubt) in zip(ends, found, strict=True):
            plain = order_statistic(next(simulated)[0], end.share) if doubt > 0.0 else 0.0
            out.append(plain if doubt == 1.0 else doubt * plain + (1.0 - doubt) * smooth)
        return out

    def mean(self, figure: Figure) -> float:
        """Return the mean of a figure over tables without mass at the adverse ends."""
        nowhere = _End(figure, 0.5, (0, 0))
        return float(self._replace(mass=0.0)._drawn((nowhere,), _FITTED // 2)[0][0].mean())

    def _drawn(self, ends: tuple[_End, ...], half: int) -> list[list[FloatArray]]:
        """Return what is measured of `half` tables of each stream, for each end."""
        table = self.table
        cases = [_weights(float(nodes[-1]), half, side, self.seed) for side, nodes in enumerate(table.nodes)]
        masses = _masses(half, self.mass, self.seed)
        rows = max(1, _AT_ONCE // (table.tp.size + 2))
        parts: list[list[list[FloatArray]]] = [[] for _ in ends]
        for stream in range(2):
            for start in range(0, half, rows):
                some = slice(start, start + rows)
                weights = [
                    each * _cells(case[stream, some], nodes, side)
                    for each, case, nodes, side in zip(self.unit, cases, table.nodes, table[:2], strict=True)
                ]
                adverse = [each * mass[stream, some] for each, mass in zip(self.unit, masses, strict=True)]
                for end, part in zip(ends, parts, strict=True):
                    part.append(_measured(end, *_joined(weights, adverse, end.places)))
        return [[np.concatenate(column) for column in zip(*part, strict=True)] for part in parts]

    def _simulated(self, linear: _Linear, drawn: list[FloatArray]) -> Simulated:
        """Return simulated tables with the distributions of their linear parts."""
        figures, *parts, odds = drawn
        for law in linear.laws:
            if isinstance(law, LogOdds):
                parts.append(law.factor * (np.log(odds * (self.unit[0] / self.unit[1])) - law.expected))
        return Simulated(figures, parts, linear.laws)


def _joined(
    weights: list[FloatArray], masses: list[FloatArray] | list[float], places: tuple[int, int]
) -> tuple[FloatArray, FloatArray]:
    """Return the cells of each class, along the last axis, with its mass at one end and nothing at the other."""
    out = []
    for own, mass, place in zip(weights, masses, places, strict=True):
        cells = np.zeros((*own.shape[:-1], own.shape[-1] + 2))
        cells[..., 1:-1] = own
        cells[..., place] = mass
        out.append(cells)
    return out[0], out[1]


def _measured(end: _End, pos: FloatArray, neg: FloatArray) -> list[FloatArray]:
    """Return the figure of tables and, if it has influence values, what is linear in their weights."""
    at = np.arange(pos.shape[1])
    if end.linear is None:
        return [end.figure.values(pos, neg, at)]
    pull, _, tilts = end.linear
    pos *= tilts[0]
    neg *= tilts[1]
    totals = pos.sum(axis=1), neg.sum(axis=1)
    return [
        end.figure.values(pos, neg, at),
        pos @ pull.pos / totals[0],
        neg @ pull.neg / totals[1],
        totals[1] / totals[0],
    ]


def draws_for(tail: float) -> int:
    """Return how many draws tell the quantile of a tail."""
    return _DRAWS if tail * _DRAWS >= _IN_TAIL else min(int(np.ceil(_IN_TAIL / tail)), _MOST_DRAWS)


def cells_of(counts: Counts) -> tuple[CountArray, CountArray]:
    """Return the positives and negatives of a table; of rows on a device only the cells that `adverse_limits` keeps."""
    ranks = counts._ranks
    if ranks is None or len(counts) <= _MOST_CELLS:
        return counts.pos, counts.neg
    nodes = (_nodes(float(total))[1:].astype(np.int64) for total in (counts.n_pos, counts.n_neg))
    pos, neg = (np.diff(side, prepend=0) for side in cells_on_device(ranks, *nodes))
    return pos, neg


@lru_cache(maxsize=8)
def _weights(total: float, half: int, side: int, seed: int) -> FloatArray:
    """Return running sums of the weights of a class at its nodes: of two streams, one row for each draw.

    Those of negatives are read from below, and of the other stream first.
    """
    steps = np.diff(_nodes(total))
    out = np.zeros((2, half, steps.size + 1))
    for stream in range(2):
        drawn = np.random.default_rng([seed, stream]).standard_gamma(steps, size=(half, steps.size))
        np.cumsum(drawn if side == 0 else drawn[:, ::-1], axis=1, out=out[stream ^ side, :, 1:])
    return frozen(out)


@lru_cache(maxsize=4)
def _masses(half: int, mass: float, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return the masses at the adverse ends of the positives and of the negatives, for both streams."""
    drawn = np.stack([np.random.default_rng([seed, 2 + stream]).standard_gamma(mass, size=half) for stream in range(2)])
    return frozen(drawn), frozen(drawn[::-1].copy())


def _cells(running: FloatArray, nodes: FloatArray, cumulative: FloatArray) -> FloatArray:
    """Return the weights of cells: between nodes a weight is spread evenly."""
    place = np.clip(np.searchsorted(nodes, cumulative, side="right") - 1, 0, nodes.size - 2)
    share = np.clip((cumulative - nodes[place]) / (nodes[place + 1] - nodes[place]), 0.0, 1.0)
    at = np.take(running, place, axis=1)
    if share.any():
        at += share * (np.take(running, place + 1, axis=1) - at)
    return np.diff(at, axis=1, prepend=0.0)


def _plain(table: Reduced, values: Values, unit: tuple[float, float]) -> float:
    """Return the figure of the reduced table itself."""
    some, others = (each * np.diff(side, prepend=0.0)[None] for each, side in zip(unit, table[:2], strict=True))
    return float(values(some, others, np.arange(table.tp.size))[0])


def reduced_table(pos: CountArray, neg: CountArray, sizes: tuple[float, float] | None = None) -> Reduced:
    """Return cumulative counts; of a long table only the cells at which one of the classes passes a node.

    `sizes` are the totals, where rounding may keep the running sums from ending there. Within such a cell the curve is
    taken as straight, as in a tie. A table of any length becomes one of a few hundred cells.
    """
    tp, fp = np.cumsum(pos, dtype=np.float64), np.cumsum(neg, dtype=np.float64)
    sizes = (float(tp[-1]), float(fp[-1])) if sizes is None else sizes
    # Negatives are counted from below, so that a table turned round has the same nodes.
    nodes = _nodes(sizes[0]), sizes[1] - _nodes(sizes[1])[::-1]
    if tp.size > _MOST_CELLS:
        place = [np.searchsorted(grid, side, side="right") for grid, side in zip(nodes, (tp, fp), strict=True)]
        kept = np.append((place[0][1:] != place[0][:-1]) | (place[1][1:] != place[1][:-1]), True)
        tp, fp = tp[kept], fp[kept]
    return Reduced(tp, fp, nodes)


def _nodes(total: float) -> FloatArray:
    """Return the ranks between which weights are drawn: every case near the ends of a class, groups further inside."""
    half = total / 2.0
    if half <= _SINGLE:
        return np.append(np.arange(int(np.ceil(total - 1e-9))), total).astype(np.float64)
    ends = [float(_SINGLE)]
    while ends[-1] < half:
        ends.append(ends[-1] + np.ceil(ends[-1] * (_GROWTH - 1.0)))
    inside = np.concatenate((np.arange(_SINGLE), [end for end in ends if end < half]))
    return np.unique(np.concatenate((inside, total - inside)))
