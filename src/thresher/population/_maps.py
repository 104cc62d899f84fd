"""The maps between recall and false positive rate, and a population curve as a list of operating points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.exceptions import InvalidInputError
from thresher.population._distributions import SNAP, Distribution, Points, plain
from thresher.typing import FloatArray


def thresholds_at(held: Distribution, other: Distribution, x: FloatArray) -> Points:
    """Return the smallest t with P(held > t) <= x, for x strictly between 0 and 1.

    Where rounding has put t next to an atom of the other distribution although x is exactly the probability of
    exceeding that atom, t is that atom: the step of the other distribution is then on the right side of t.
    """
    points = held.isf_points(x)
    values, _ = other.atoms()
    if values.size == 0 or held.discrete:
        return points
    level = held.sf_at(plain(values))  # falls along the atoms
    rising = level[::-1]
    index = np.searchsorted(rising, x * (1.0 - SNAP))
    near = np.minimum(index, rising.size - 1)
    atom = values[::-1][near]
    hit = np.abs(rising[near] - x) <= SNAP * x
    # The far end of a gap of the held distribution has the same level, and is not the smallest t.
    hit &= np.abs(points.value - atom) <= 1e-9 * (np.abs(atom) + held.spread)
    return Points(np.where(hit, 0.0, points.anchor), np.where(hit, atom, points.offset))


def cross(held: Distribution, other: Distribution, x: FloatArray) -> FloatArray:
    """Return P(other > t) at the threshold t that the held distribution exceeds with probability x.

    With `held` the positives this is the false positive rate at recall x, with `held` the negatives the ROC curve.
    It never falls as x grows.
    """
    return other.sf_at(thresholds_at(held, other, x))


class Jumps(NamedTuple):
    """Where a map jumps.

    Attributes
    ----------
    x : ndarray
        The places, increasing.
    left, value, right : ndarray
        The limit from below, the value and the limit from above at each place.
    """

    x: FloatArray
    left: FloatArray
    value: FloatArray
    right: FloatArray


def one_sided(held: Distribution, other: Distribution, x: FloatArray) -> Jumps:
    """Return the value of `cross` and its limits from both sides."""
    here = thresholds_at(held, other, x)
    value = other.sf_at(here)
    # From above, thresholds rise towards `here` and pass everything but what the held distribution has exactly there.
    right = np.where(held.mass_at(here) > 0, value, other.ge_at(here))
    # From below, they fall towards the far end of a flat stretch of the held distribution, if x is the height of one.
    beyond = held.isf_points(x * (1.0 - 4 * SNAP))
    size = np.maximum(np.abs(beyond.value), np.abs(here.value))
    with np.errstate(invalid="ignore"):
        flat = np.abs(beyond.value - here.value) > 1e-9 * size
    left = np.where(flat, other.sf_at(beyond), value)
    return Jumps(x, left, value, right)


def jumps(held: Distribution, other: Distribution) -> Jumps:
    """Return the places where `cross` jumps.

    It jumps at the x where the held distribution has a flat stretch (between two of its atoms, or in a gap of its
    support) over which the other distribution has mass, and where the other distribution has an atom that the held
    distribution passes continuously.
    """
    spots = np.unique(np.concatenate([held.atoms()[0], other.atoms()[0], held.breaks(), other.breaks()]))
    x = np.zeros(0)
    if spots.size:
        x = np.unique(np.concatenate([held.sf_at(plain(spots)), held.ge_at(plain(spots))]))
        x = x[(x > 0) & (x < 1)]
        # One level may have been reached by two roundings.
        x = x[np.append(np.diff(x) > SNAP * x[1:], True)] if x.size else x
    sides = one_sided(held, other, x)
    real = sides.right - sides.left > 1e-9 * sides.right
    return Jumps(*(part[real] for part in sides))


def trace(pos: Distribution, neg: Distribution, n_points: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return thresholds, true and false positive rates, from calling nothing to calling everything."""
    share = max(n_points // 2, 2)
    middle = np.linspace(0.02, 0.98, share)
    pieces = []
    for distribution in (pos, neg):
        if distribution.leaves():
            pieces += [
                _edge(distribution, share // 4, upper=True),
                distribution.isf_points(middle),
                _edge(distribution, share // 4, upper=False),
            ]
        pieces += [plain(distribution.atoms()[0]), plain(distribution.breaks())]
    points = Points(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))
    points = points.select(np.isfinite(points.offset))
    tpr, fpr, value = pos.ge_at(points), neg.ge_at(points), points.value
    order = np.lexsort((tpr + fpr, -value))
    value, tpr, fpr = value[order], np.maximum.accumulate(tpr[order]), np.maximum.accumulate(fpr[order])
    # The ends are exact, and a point that repeats the one before it says nothing new.
    value = np.concatenate([[np.inf], value, [-np.inf]])
    tpr, fpr = np.concatenate([[0.0], tpr, [1.0]]), np.concatenate([[0.0], fpr, [1.0]])
    tpr, fpr = np.minimum(tpr, 1.0), np.minimum(fpr, 1.0)
    moved = np.append(True, (np.diff(tpr) > 0) | (np.diff(fpr) > 0))
    return value[moved], tpr[moved], fpr[moved]


def _edge(distribution: Distribution, size: int, *, upper: bool) -> Points:
    """Return thresholds out to where the distribution can still be told from its end."""
    for least in (1e-9, 1e-6, 1e-4):
        q = np.geomspace(least, 0.02, max(size, 1))
        try:
            return distribution._quantiles(q, upper=upper)
        except InvalidInputError:
            continue
    return distribution._quantiles(np.array([0.02]), upper=upper)
