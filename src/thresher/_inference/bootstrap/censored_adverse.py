"""The Bayesian bootstrap of an outcome in time, with part of a case at the adverse end of each class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher._inference.bootstrap.adverse import Values, draws_for
from thresher._inference.bootstrap.smooth_quantile import order_statistic
from thresher._table import Counts, Outcome
from thresher.typing import FloatArray

__all__ = ["censored_adverse_limits", "needs_adverse"]

MASS = 0.15
"""How much of a row stands at each adverse end; half of one, as without censoring, covers 99%."""
_FEW, _HEAVY, _MOST_ROWS = 50, 8.0, 20_000
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
    tail = (1.0 - confidence_level) / 2.0
    draws = draws_for(tail)
    place = rows.cells(table.thresholds)
    sides = [np.flatnonzero((rows.mass > 0.0) & side) for side in (rows.positive, ~rows.positive)]
    cases = rows.mass[sides[0]]
    unit = float((cases * cases).sum() / cases.sum()), rows.heaviest * float(np.median(rows.v[rows.free]))
    factor = np.random.default_rng([_SEED, rows.size]).standard_exponential((draws, rows.size))
    beside = np.random.default_rng([_SEED, 2]).standard_gamma(mass, size=(2, draws, 1)) * np.reshape(unit, (2, 1, 1))
    ends = [np.empty(draws), np.empty(draws)]
    step = max(1, _NUMBERS_AT_ONCE // (rows.size + len(table)))
    for first in range(0, draws, step):
        some = slice(first, first + step)
        weight = rows.masses(rows.v * factor[some])
        pos, neg = (_by_cell(weight[:, side], place[side], len(table)) for side in sides)
        down, up = beside[0, some], beside[1, some]
        nothing = np.zeros_like(down)
        low = np.hstack((nothing, pos, down)), np.hstack((up, neg, nothing))
        high = np.hstack((down, pos, nothing)), np.hstack((nothing, neg, up))
        for out, (positives, negatives) in zip(ends, (low, high), strict=True):
            out[some] = values(positives, negatives, np.arange(len(table) + 2))
    found = order_statistic(ends[0], tail), order_statistic(ends[1], 1.0 - tail)
    return min(found[0], value), max(found[1], value)


def _by_cell(weight: FloatArray, cell: NDArray[np.intp], width: int) -> FloatArray:
    """Return sums of weights by column, one table for each row."""
    return np.stack([np.bincount(cell, own, width) for own in weight]).astype(np.float64)
