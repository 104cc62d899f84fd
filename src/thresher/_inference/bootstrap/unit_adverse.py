"""The Bayesian bootstrap of clusters, or of rows of an outcome in time, with part of one at the adverse ends."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from thresher._inference.bootstrap.adverse import Values, draws_for
from thresher._inference.bootstrap.smooth_quantile import order_statistic
from thresher._inference.sampling.units import by_cell
from thresher._table import Clusters, Counts, Outcome
from thresher.typing import FloatArray

MASS = 0.15
"""How much of a row stands at each adverse end; half of one, as without censoring, covers 99%."""
CLUSTER_MASS = 0.25
"""How much of a mean cluster does."""
FEW_UNITS = 50
"""Clusters from which on other intervals cover enough."""
Tables = tuple[FloatArray, FloatArray]
_FEW, _HEAVY, _MOST_ROWS, _MOST_CELLS = 50, 8.0, 20_000, 512
_SEED = 0x7E5_C0DF
_NUMBERS_AT_ONCE = 2**21


def needs_adverse(rows: Outcome | None) -> bool:
    """Return whether logit intervals of precision undercover: few cases or controls, or controls that stand for many.

    See docs/validation/time.md. Of very many rows the draws would take long.
    """
    if rows is None or not rows.estimated or rows.unit is not None or rows.size > _MOST_ROWS:
        return False
    cases = int(np.count_nonzero(rows.positive & rows.kept))
    return min(cases, int(np.count_nonzero(rows.kept)) - cases) < _FEW or rows.heaviest > _HEAVY


def censored_adverse_limits(
    table: Counts, rows: Outcome, values: Values, confidence_level: float, *, value: float, mass: float = MASS
) -> tuple[float, float]:
    """Return limits of a figure that grows as positives rise.

    Notes
    -----
    Each row gets an exponential weight, censored rows too, and the censoring distribution is estimated again in each
    draw. At the adverse ends stands `mass` of a row that no sample shows: a case of the typical weight, and a control
    that counts as much as a row which is followed to the horizon.
    """
    place = rows.cells(table.thresholds)
    sides = [np.flatnonzero((rows.mass > 0.0) & side) for side in (rows.positive, ~rows.positive)]
    cases = rows.mass[sides[0]]
    unit = float((cases * cases).sum() / cases.sum()), rows.heaviest * float(np.median(rows.v[rows.free]))

    def drawn(factor: FloatArray) -> Tables:
        weight = rows.masses(rows.v * factor)
        pos, neg = (by_cell(weight[:, side], place[side], len(table)) for side in sides)
        return pos, neg

    return _limits(drawn, rows.size, (unit, mass), values, confidence_level, value)


def clustered_adverse_limits(
    table: Counts, clusters: Clusters, values: Values, confidence_level: float, *, value: float
) -> tuple[float, float]:
    """Return limits of a figure that grows as positives rise: each cluster gets an exponential weight.

    At the adverse ends stands a quarter of a mean cluster of each class.
    """
    # Of a long table cells are taken together, about as many rows in each; what that misses of the figure is put back.
    rows = np.cumsum(np.asarray(table.pos + table.neg, dtype=np.float64))
    group = np.minimum(rows / rows[-1] * _MOST_CELLS, _MOST_CELLS - 1).astype(np.intp)
    group = np.unique(group, return_inverse=True)[1] if len(table) > _MOST_CELLS else np.arange(len(table))
    width = int(group[-1]) + 1
    sums, unit = [], []
    for side in (clusters.positive, ~clusters.positive):
        place = clusters.code[side] * width + group[clusters.cell[side]]
        held = np.bincount(place, clusters.weight[side], clusters.size * width).reshape(clusters.size, width)
        sums.append(held.astype(np.float64))
        unit.append(float(held.sum()) / np.count_nonzero(held.any(axis=1)))

    def drawn(factor: FloatArray) -> Tables:
        return factor @ sums[0], factor @ sums[1]

    moved = value - float(values(*drawn(np.ones((1, clusters.size))), np.arange(width))[0])
    low, high = _limits(
        drawn, clusters.size, ((unit[0], unit[1]), CLUSTER_MASS), values, confidence_level, value - moved
    )
    return low + moved, high + moved


def _limits(
    drawn: Callable[[FloatArray], Tables],
    size: int,
    adverse: tuple[tuple[float, float], float],
    values: Values,
    confidence_level: float,
    value: float,
) -> tuple[float, float]:
    """Return limits from tables with exponential weights of so many units, and gamma weights at the adverse ends."""
    tail = (1.0 - confidence_level) / 2.0
    draws = draws_for(tail)
    unit, mass = adverse
    factor = np.random.default_rng([_SEED, size]).standard_exponential((draws, size))
    beside = np.random.default_rng([_SEED, 2]).standard_gamma(mass, size=(2, draws, 1)) * np.reshape(unit, (2, 1, 1))
    ends: list[list[FloatArray]] = [[], []]
    width = drawn(factor[:1])[0].shape[1]
    step = max(1, _NUMBERS_AT_ONCE // (size + width))
    for first in range(0, draws, step):
        some = slice(first, first + step)
        pos, neg = drawn(factor[some])
        down, up = beside[0, some], beside[1, some]
        nothing = np.zeros_like(down)
        low = np.hstack((nothing, pos, down)), np.hstack((up, neg, nothing))
        high = np.hstack((down, pos, nothing)), np.hstack((nothing, neg, up))
        for out, (positives, negatives) in zip(ends, (low, high), strict=True):
            out.append(values(positives, negatives, np.arange(width + 2)))
    found = [order_statistic(np.concatenate(part), share) for part, share in zip(ends, (tail, 1.0 - tail), strict=True)]
    return min(found[0], value), max(found[1], value)
