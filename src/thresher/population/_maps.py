"""Population curves as maps between rates and as lists of points, and how their estimates scatter."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from thresher._core.sums import dot, dots
from thresher.exceptions import InvalidInputError
from thresher.population._areas import expectation
from thresher.population._distributions import SNAP, Distribution, Points, plain
from thresher.typing import BoolArray, FloatArray


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


def slope_at(pos: Distribution, neg: Distribution, x: FloatArray, *, kinks: bool = False) -> FloatArray:
    """Return f-(t) / f+(t) at the threshold of each recall in (0, 1); NaN where the slope does not exist.

    With `kinks` the ratio of the densities at the threshold itself is given even where it jumps there.
    """
    points = thresholds_at(pos, neg, x)
    if not (pos.has_density and neg.has_density):
        return _slope_by_difference(pos, neg, x)
    above, below = pos.pdf_at(points), neg.pdf_at(points)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = below / above
    spoiled = (pos.mass_at(points) > 0) | (neg.mass_at(points) > 0) | ~(above > 0)
    if not kinks:
        spoiled |= _at_a_break(pos, neg, points)
    return np.where(spoiled, np.nan, slope)


def _at_a_break(pos: Distribution, neg: Distribution, points: Points) -> BoolArray:
    """Tell where the ratio of the densities jumps: at the ends of supports and of mixture components."""
    broken = np.zeros(points.offset.shape, dtype=bool)
    t = points.value
    width = pos.spread or 1.0
    for spot in np.unique(np.concatenate([pos.breaks(), neg.breaks()])):
        near = np.abs(t - spot) <= 1e-12 * max(abs(spot), width)
        if near.any():
            sides = plain(np.array([spot - 1e-9 * width, spot + 1e-9 * width]))
            with np.errstate(divide="ignore", invalid="ignore"):
                left, right = neg.pdf_at(sides) / pos.pdf_at(sides)
            broken |= near & ~np.isclose(left, right, rtol=1e-6, atol=1e-12)
    return broken


def _slope_by_difference(pos: Distribution, neg: Distribution, x: FloatArray) -> FloatArray:
    h = 1e-3
    steps = np.array([-2.0, -1.0, 1.0, 2.0]) * h
    weights = np.array([1.0, -8.0, 8.0, -1.0]) / (12 * h)
    odds = np.log(x) - np.log1p(-x)
    grid = 1.0 / (1.0 + np.exp(-(odds[:, None] + steps)))
    values = cross(pos, neg, grid.ravel()).reshape(grid.shape)
    return dots(values, weights) / (x * (1 - x))


def sigma(pos: Distribution, neg: Distribution, x: FloatArray, skew: float, *, random: bool) -> FloatArray:
    """Return the standard deviation (9) of sqrt(n) (PR-hat - PR)."""
    points = thresholds_at(pos, neg, x)
    alpha, beta = neg.sf_at(points), neg.cdf_at(points)  # 1 - alpha would lose its digits near alpha = 1
    slope = slope_at(pos, neg, x)
    pr = x / (x + skew * alpha)
    inside = alpha**2 * (1 + skew) * random + slope**2 * x * (1 - x) * skew + alpha * beta
    return pr**2 / x * np.sqrt(skew * (1 + skew) * inside)


_FINEST = 1.0 / 4000


def roc_auc_sigma(pos: Distribution, neg: Distribution, prevalence: float) -> float:
    """Return the sd of sqrt(n) (AUC-hat - AUC): the placement variances that DeLong's method estimates.

    It is the same whether the number of positives is random or fixed.
    """
    positive, negative = _placement_variance(pos, neg), _placement_variance(neg, pos)
    return math.sqrt(positive / prevalence + negative / (1.0 - prevalence))


def _placement_variance(one: Distribution, other: Distribution) -> float:
    """Return the variance, over one class, of the proportion of the other class below it, ties counting half."""

    def share(points: Points) -> FloatArray:
        return other.sf_at(points) + 0.5 * other.mass_at(points)

    values, masses = one.atoms()
    at_atoms = share(plain(values)) if values.size else np.zeros(0)
    first, second = dot(masses, at_atoms), dot(masses, at_atoms**2)
    for weight, leaf in one.leaves():
        first += weight * expectation(leaf, share, [one, other]).value
        second += weight * expectation(leaf, lambda points: share(points) ** 2, [one, other]).value
    return max(second - first**2, 0.0)


def pr_auc_sigma(pos: Distribution, neg: Distribution, prevalence: float, *, random: bool) -> float:
    """Return the sd of sqrt(n) (A-hat - A) for the area under the PR curve, by its influence function.

    With w = x / (x + s alpha)**2, a negative moves the area by the integral of w over the recalls beyond it, a positive
    by the integral of w over the false positive rates beyond it, and a label by the integral of PR (1 - PR). No density
    is needed. Ties between the classes are taken as broken at random.
    """
    skew = (1.0 - prevalence) / prevalence
    recall, fpr = _fine_path(pos, neg)
    dx, da = np.diff(recall), np.diff(fpr)
    x, a = 0.5 * (recall[1:] + recall[:-1]), 0.5 * (fpr[1:] + fpr[:-1])
    # Divided by the cell first: far out in a tail the square of x underflows, and w is not finite.
    called = x + skew * a
    scale = np.where(called > 0, called, 1.0)
    precision = np.where(called > 0, x / scale, 0.0)
    beyond_recall = _from_above(precision * (dx / scale))
    beyond_fpr = _from_above(precision * (da / scale))
    negative = dot(da, beyond_recall**2) - dot(da, beyond_recall) ** 2
    positive = dot(dx, beyond_fpr**2) - dot(dx, beyond_fpr) ** 2
    label = dot(dx, precision * (1.0 - precision)) ** 2 / (prevalence * (1.0 - prevalence))
    variance = skew**2 * (negative / (1.0 - prevalence) + positive / prevalence) + random * label
    return math.sqrt(max(variance, 0.0))


def _from_above(cells: FloatArray) -> FloatArray:
    """Return the sum of the cells after each one, and half of its own."""
    total = np.cumsum(cells[::-1])[::-1]
    return total - 0.5 * cells


def _fine_path(pos: Distribution, neg: Distribution) -> tuple[FloatArray, FloatArray]:
    """Return recall and false positive rate along the ROC path, in steps small in both."""
    _, tpr, fpr = trace(pos, neg, 4000)
    parts = np.ceil(np.maximum(np.diff(tpr), np.diff(fpr)) / _FINEST).astype(np.intp)
    parts = np.maximum(parts, 1)
    index = np.repeat(np.arange(parts.size), parts)
    share = (np.arange(index.size) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[index]
    x = tpr[index] + share * np.diff(tpr)[index]
    y = fpr[index] + share * np.diff(fpr)[index]
    return np.append(x, 1.0), np.append(y, 1.0)
