"""Values at one horizon of many: the rows known, the incidence of the event, the ROC area, and limits."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.order import descending_order
from thresher._core.sums import dot
from thresher._table import Outcome
from thresher.exceptions import InvalidInputError
from thresher.measures import Measure
from thresher.typing import FloatArray, ScoreArray


class HorizonValue(NamedTuple):
    """A value at a horizon: with influence values that account for estimated weights, and its variance."""

    value: float
    influence: FloatArray
    variance: float


class ByScore:
    """The order of the rows by score, highest first; tied scores are a group."""

    def __init__(self, score: ScoreArray) -> None:
        self.order: NDArray[np.intp] = descending_order(score)
        ordered = score[self.order]
        new = ordered[1:] != ordered[:-1]
        self.starts = None if new.all() else np.flatnonzero(np.append(True, new))

    def above(self, mass: FloatArray) -> FloatArray:
        """Return for each row, in this order, the mass of the rows with higher scores and half that of its ties."""
        if self.starts is None:
            running = np.cumsum(mass)
            running -= mass / 2.0
            return np.asarray(running)
        sums = np.add.reduceat(mass, self.starts)
        middle = np.cumsum(sums) - sums / 2.0
        return np.repeat(middle, np.diff(np.append(self.starts, mass.size)))


def roc_at(rows: Outcome, by: ByScore) -> HorizonValue:
    """Return the area at the horizon of the rows, with DeLong's variance for weights that are estimated."""
    order = by.order
    mass, positive = rows.mass[order], rows.positive[order]
    pos, neg = np.where(positive, mass, 0.0), np.where(positive, 0.0, mass)
    n_pos, n_neg = float(pos.sum()), float(neg.sum())
    found, wrong = by.above(pos), by.above(neg)
    area = float(dot(pos, n_neg - wrong)) / (n_pos * n_neg)
    # What a row of the class adds, over its own total: the pairs that it wins less the mean.
    share = np.where(positive, (1.0 - wrong / n_neg - area) / n_pos, (found / n_pos - area) / n_neg)
    ordered = mass * share
    u = np.empty_like(ordered)
    u[order] = ordered
    full = rows.chained(u)
    held = u if full is u else None
    added = 0.0
    units = rows.by_unit(full)
    if held is None:
        before = rows.by_unit(u)
        added = dot(units, units) - dot(before, before)
    if rows.unit is not None:
        return HorizonValue(area, units, _clustered(rows, u) + added)
    table = 0.0
    for side, total in ((pos, n_pos), (neg, n_neg)):
        own = ordered[side > 0.0]
        q = dot(side, side) / total / total
        table += dot(own, own) / (1.0 - q) if q < 1.0 else 0.0
    return HorizonValue(area, units, table + added)


def _clustered(rows: Outcome, u: FloatArray) -> float:
    """Return Obuchowski's variance of influence values with the weights held."""
    sides = [rows.by_unit(np.where(side & rows.kept, u, 0.0)) for side in (rows.positive, ~rows.positive)]
    held = [rows.by_unit((side & rows.kept).astype(np.float64)) > 0.0 for side in (rows.positive, ~rows.positive)]
    numbers = [int(np.count_nonzero(one)) for one in held]
    size = int(np.count_nonzero(held[0] | held[1]))
    pos, neg, both = (number / max(number - 1.0, 1.0) for number in (*numbers, size))
    return pos * dot(sides[0], sides[0]) + neg * dot(sides[1], sides[1]) + 2.0 * both * dot(sides[0], sides[1])


def known_rows(rows: Outcome) -> tuple[int, int]:
    """Return how many cases and controls are known."""
    cases = int(np.count_nonzero(rows.positive & rows.kept))
    return cases, int(np.count_nonzero(rows.kept)) - cases


def incidence_at(rows: Outcome) -> tuple[float, FloatArray]:
    """Return the probability of the event by the horizon, with its influence values by unit."""
    if rows.horizon.controls == "event-free" and rows.entry is not None:
        raise InvalidInputError(
            "The weights of the horizons are not known with `entry` and controls='event-free'. Hint: controls='all'."
        )
    total = float(rows.v.sum() if rows.horizon.controls == "event-free" else rows.mass.sum())
    cases = np.where(rows.positive, rows.mass, 0.0)
    share = float(cases.sum()) / total
    if rows.horizon.controls == "all":
        return share, rows.by_unit(rows.chained((cases - share * rows.mass) / total))
    return share, rows.by_unit(rows.chained(cases / total) - share * rows.v / total)


def logit_ends(found: HorizonValue, measure: Measure, reach: float) -> tuple[float, float]:
    """Return limits that reach so many standard errors to both sides, on the logit scale of a bounded measure."""
    least, most = measure.bounds
    error = math.sqrt(found.variance)
    if not (math.isfinite(least) and math.isfinite(most)):
        return found.value - reach * error, found.value + reach * error
    share = (found.value - least) / (most - least)
    if not 0.0 < share < 1.0:
        return least, most  # nothing shows how such a value varies
    step = reach * error / (most - least) / (share * (1.0 - share))
    centre = float(scipy.special.logit(share))
    low, high = (float(scipy.special.expit(centre + sign * step)) for sign in (-1.0, 1.0))
    return least + (most - least) * low, least + (most - least) * high
