"""The Bayesian bootstrap of a count table with half a case at the adverse end of each class."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import frozen
from thresher._core.device_path import cells_on_device
from thresher._table import Counts
from thresher.typing import CountArray, FloatArray

__all__ = ["MASS", "Values", "adverse_limits", "cells_of", "draws_for", "order_statistic", "reduced_table"]

Values = Callable[[FloatArray, FloatArray, NDArray[np.intp]], FloatArray]
"""A figure of many tables: rows of positives, rows of negatives, the columns that can hold positives."""

MASS = 0.5
"""How much of a case stands at each adverse end."""
# One stream for all data: limits are then a function of the data alone, and the same weights, given out by rank, meet
# every ranking of as many cases, so that no worse ranking can have a higher limit.
_SEED = 0x7E5_C0DE
_DRAWS = 999
_IN_TAIL = 20
_MOST_DRAWS = 39_999
# Weights are drawn for each of so many cases at either end of a class, and further inside for groups that grow so fast.
_SINGLE, _GROWTH = 64, 1.1
# Tables of so many cells are used as they are.
_MOST_CELLS = 512
_AT_ONCE = 1 << 15


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
    values: Values,
    confidence_level: float,
    *,
    value: float,
    sizes: tuple[float, float] | None = None,
    low_values: Values | None = None,
    mass: float = MASS,
) -> tuple[float, float]:
    """Return limits of a figure that grows as positives rise.

    Notes
    -----
    Each case gets an exponential weight: the Bayesian bootstrap, whose distribution of a figure is its posterior when
    nothing is known but the data. It knows nothing of what no sample shows: the positives below, and the negatives
    above, everything seen. For the lower limit half a case, a Gamma(1/2) weight, stands at the bottom among the
    positives and at the top among the negatives; for the upper limit at the top among the positives and at the bottom
    among the negatives. For a share of n cases this gives the quantiles of Beta(x, n - x + 1/2) and
    Beta(x + 1/2, n - x), between those of Jeffreys and of Clopper and Pearson.

    The weights of positives and of negatives are not divided by their sums: where precision depends on the class
    balance, the prevalence then is Beta(n_pos + 1/2, n_neg + 1/2) and independent of both curves.

    The numbers come from one fixed stream. The i-th highest case of a class has the same weight in every table with as
    many cases, hence a ranking whose curve is nowhere higher has limits that are nowhere higher.

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
    tail = (1.0 - confidence_level) / 2.0
    draws = draws_for(tail)
    cases = [_running(size, draws, side) for side, size in enumerate(worth)]
    masses = np.random.default_rng([_SEED, 2]).standard_gamma(mass, size=(2, draws, 1))
    ends = [np.empty(draws), np.empty(draws)]
    figures = values if low_values is None else low_values, values
    # What one drawn case weighs: weights of a class set the class balance, which measures may depend on.
    unit = totals[0] / worth[0], totals[1] / worth[1]
    masses = masses * np.reshape(unit, (2, 1, 1))
    rows = max(1, _AT_ONCE // (table.tp.size + 1))
    for first in range(0, draws, rows):
        some = slice(first, first + rows)
        weights = [
            each * _cells(case[some], grid, side)
            for each, case, grid, side in zip(unit, cases, table.nodes, table[:2], strict=True)
        ]
        down, up = masses[0, some], masses[1, some]
        nothing = np.zeros_like(down)
        # A cell at one end holds half a case of each class in turn: the other class has nothing there.
        worst = np.hstack((nothing, weights[0], down)), np.hstack((up, weights[1], nothing))
        best = np.hstack((down, weights[0], nothing)), np.hstack((nothing, weights[1], up))
        for out, figure, (positives, negatives) in zip(ends, figures, (worst, best), strict=True):
            out[some] = figure(positives, negatives, np.arange(positives.shape[1]))
    # What cells taken together miss of the figure is put back.
    moved = value - _plain(table, values, unit)
    found = (
        order_statistic(ends[0], tail) + (moved if low_values is None else 0.0),
        order_statistic(ends[1], 1.0 - tail) + moved,
    )
    return min(found[0], value), max(found[1], value)


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
def _running(total: float, draws: int, side: int) -> FloatArray:
    """Return running sums of the weights of a class at its nodes, one row for each draw."""
    steps = np.diff(_nodes(total))
    rng = np.random.default_rng([_SEED, side])
    single = steps == 1.0
    drawn = np.empty((draws, steps.size))
    drawn[:, single] = rng.standard_exponential((draws, int(single.sum())))
    drawn[:, ~single] = rng.standard_gamma(steps[~single], size=(draws, int((~single).sum())))
    out = np.zeros((draws, steps.size + 1))
    np.cumsum(drawn, axis=1, out=out[:, 1:])
    return frozen(out)


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


def order_statistic(replicates: FloatArray, share: float) -> float:
    """Return the order statistic below which a new replicate falls with this probability."""
    place = float(np.clip(share * (replicates.size + 1), 1.0, replicates.size)) - 1.0
    under = int(place)
    over = min(under + 1, replicates.size - 1)
    ends = np.partition(replicates, (under, over))[[under, over]]
    return float(ends[0] + (place - under) * (ends[1] - ends[0]))


def reduced_table(pos: CountArray, neg: CountArray, sizes: tuple[float, float] | None = None) -> Reduced:
    """Return cumulative counts; of a long table only the cells at which one of the classes passes a node.

    `sizes` are the totals, where rounding may keep the running sums from ending there. Within such a cell the curve is
    taken as straight, as in a tie. A table of any length becomes one of a few hundred cells.
    """
    tp, fp = np.cumsum(pos, dtype=np.float64), np.cumsum(neg, dtype=np.float64)
    sizes = (float(tp[-1]), float(fp[-1])) if sizes is None else sizes
    nodes = _nodes(sizes[0]), _nodes(sizes[1])
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
