"""Limits of a smooth figure at weights of the cases that are moved as far as the confidence level asks.

Among weights of the cases for which a linear figure has a given value, those that are most likely under the Bayesian
bootstrap are proportional to 1 / (1 - u * influence). A limit is the figure at such weights: no random numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy

from thresher._inference.sampling import Influence
from thresher.typing import BoolArray, FloatArray

Value = Callable[[FloatArray, FloatArray], float]
Pull = Callable[[FloatArray, FloatArray], Influence | None]

MASS = 0.25
"""How much of a case stands at the adverse end of each class."""
# The centre moves by half a case at the third moment over the second, as errors equal to second order on both sides
# ask. It moves by more the more of the variance comes from the adverse ends, and by half as much where that would
# shorten the interval: few errors in a sample say little of how skewed its population is.
_HALF, _MORE, _INWARD = 0.5, 0.35, 0.5
# Of a larger shape a gamma quantile is a normal one, corrected for skewness.
_MOST_SHAPE = 3000.0
# How near a mean comes to the extreme values of its class.
_NEAR = 0.98
_FEW, _MOST = 20.0, 5.0
_STEPS, _CLOSE = 4, 1e-7


class _Side(NamedTuple):
    """The cells of one class, the adverse end among them, and the moments of their mean."""

    values: FloatArray
    """Influence values; they average 0."""
    shapes: FloatArray
    """Numbers of cases."""
    total: float
    second: float
    third: float
    """Moments of the mean over cases."""
    adverse: float
    """What the adverse end adds to the second one."""
    seen: float
    """The mean without the adverse end."""
    variance: float
    """The variance of the weighted mean, as unbiased ones have it."""
    skewness: float
    """The third cumulant of the weighted mean."""
    least: float
    most: float
    """The extreme values."""


def tilted_limit(
    cases: tuple[FloatArray, FloatArray],
    unit: tuple[float, float],
    values: Value,
    influence: Pull,
    score: float,
) -> float:
    """Return the limit of a figure that belongs to a normal score: negative for the lower limit.

    Parameters
    ----------
    cases : numbers of positives and negatives in each cell, highest scores first.
    unit : what a case of each class weighs in the table.
    values, influence : of one table, from its positives and negatives.
    score : the normal quantile.

    Notes
    -----
    The linear part of the figure has about a gamma distribution; its shape is chosen so that it starts where that of
    the weights does. Without errors of one class the limit of a proportion is that of Gamma(0.85) for the expected
    number of errors, with several ones about that of Gamma(x + 0.5), as with Jeffreys' prior.
    """
    limit = _limit(cases, unit, values, influence, score)
    # No ranking has a higher lower limit than a perfect one, nor a lower upper limit than a reversed one.
    n_pos, n_neg = (float(own.sum()) for own in cases)
    order = 1 if score < 0.0 else -1
    best = np.array([n_pos, 0.0])[::order], np.array([0.0, n_neg])[::order]
    if min(n_pos, n_neg) >= _FEW:
        # Of such a ranking the adverse ends weigh less than `_MOST` cases: most limits are further off.
        pos, neg = _with_ends(best, score, _MOST)
        if order * (limit - values(pos * unit[0], neg * unit[1])) < 0.0:
            return limit
    return order * min(order * limit, order * _limit(best, unit, values, influence, score))


def _with_ends(cases: tuple[FloatArray, FloatArray], score: float, mass: float) -> tuple[FloatArray, FloatArray]:
    """Return cells with those of a mass at the adverse ends: positives at the bottom for the lower limit."""
    pos, neg = np.zeros(cases[0].size + 2), np.zeros(cases[1].size + 2)
    pos[1:-1], neg[1:-1] = cases
    pos[-1 if score < 0.0 else 0] = neg[0 if score < 0.0 else -1] = mass
    return pos, neg


def _limit(
    cases: tuple[FloatArray, FloatArray], unit: tuple[float, float], values: Value, influence: Pull, score: float
) -> float:
    """Return a limit."""
    places = (-1, 0) if score < 0.0 else (0, -1)
    shapes = _with_ends(cases, score, MASS)
    held = shapes[0] > 0.0, shapes[1] > 0.0
    pos, neg = shapes[0] * unit[0], shapes[1] * unit[1]
    found = []
    # Influence values of the table itself, then of the one at the first limit: the further limit counts.
    for _ in range(2):
        pull = influence(pos, neg)
        assert pull is not None  # noqa: S101  # for the type checker: smooth figures have them
        sides = _side(pull.pos, shapes[0], held[0], places[0]), _side(pull.neg, shapes[1], held[1], places[1])
        (pos, neg), left = _tilted(*sides, pull.odds, score)
        pos, neg = pos * unit[0], neg * unit[1]
        found.append(values(pos, neg) + left)
    return min(found) if score < 0.0 else max(found)


def _side(values: FloatArray, shapes: FloatArray, held: BoolArray, place: int) -> _Side:
    total = float(shapes.sum())
    values = values - float(values @ shapes) / total
    squares = shapes * np.square(values)
    extreme, used = float(values[place]), values[held]
    second, third = float(squares.sum()) / total**2, float(squares @ values) / total**3
    fewer = max(total - 1.0, total / 3.0)
    return _Side(
        values,
        shapes,
        total,
        second,
        third,
        MASS * (extreme / total) ** 2,
        -MASS * extreme / (total - MASS),
        second * total / fewer,
        2.0 * third * total**2 / (fewer * (total + 2.0)),
        float(used.min()),
        float(used.max()),
    )


def _tilted(a: _Side, b: _Side, odds: float, score: float) -> tuple[tuple[FloatArray, FloatArray], float]:
    """Return the weights at which the linear part of a figure has its quantile, and how far it falls short of it."""
    # The log odds of the classes vary too where the figure follows them.
    drift = odds * odds * (1.0 / a.total + 1.0 / b.total)
    variance, skewness = drift + (a.variance + b.variance), a.skewness + b.skewness
    second = drift + (a.second + b.second)
    if not variance > 0.0:
        return (a.shapes, b.shapes), 0.0
    unseen = (a.adverse + b.adverse) / second
    shift = (_HALF + _MORE * unseen) * (a.third + b.third) / second
    centre = a.seen + b.seen + (shift if shift * score > 0.0 else _INWARD * shift)
    goal = _gamma_quantile(variance, skewness, centre, score)
    # Each class goes as far as a gamma distribution with its moments does at the same rate.
    rate = goal / max(variance + goal * skewness / (2.0 * variance), 1e-12 * variance)
    ways = _way(a, rate), _way(b, rate)
    factor = goal / (ways[0] + ways[1] + rate * drift)
    # Means that weights can have.
    aims = [min(max(factor * way, _NEAR * one.least), _NEAR * one.most) for one, way in zip((a, b), ways, strict=True)]
    pos, neg = _weights(a, aims[0]), _weights(b, aims[1])
    sums = float(pos.sum()), float(neg.sum())
    left = aims[0] + aims[1] - float(pos @ a.values) / sums[0] - float(neg @ b.values) / sums[1]
    if drift > 0.0:
        neg = neg * (math.exp(factor * rate * drift / odds) * (sums[0] / a.total) / (sums[1] / b.total))
    return (pos, neg), left


def _gamma_quantile(variance: float, skewness: float, centre: float, score: float) -> float:
    """Return a quantile of the gamma distribution with mean 0 and these cumulants, its mean then moved by its shape."""
    sign = -1.0 if skewness < 0.0 else 1.0
    scale = abs(skewness) / (2.0 * variance)
    if variance >= _MOST_SHAPE * scale * scale:
        bend = scale / math.sqrt(variance)
        return centre + math.sqrt(variance) * (score + sign * bend * (score * score - 1.0) / 3.0)
    shape = variance / scale**2
    moved = max(shape + sign * centre / scale, 1e-3)
    return sign * scale * (float(scipy.special.gammaincinv(moved, scipy.special.ndtr(sign * score))) - shape)


def _way(side: _Side, rate: float) -> float:
    variance = side.variance
    return rate * variance / max(1.0 - rate * side.skewness / (2.0 * variance), 0.05) if variance > 0.0 else 0.0


def _weights(side: _Side, aim: float) -> FloatArray:
    """Return the most likely weights of a class under which its mean is `aim`."""
    least, most = side.least, side.most
    if not least < 0.0 < most:
        return side.shapes
    # Newton's method for the multiplier; times the factor with the nearest pole the equation is nearly a straight line.
    apart = side.values - aim
    pole = (least if aim < 0.0 else most) - aim
    end = -1.0 / pole
    multiplier, ratio = 0.0, np.ones(1)
    for _ in range(_STEPS):
        pulled = apart * ratio
        weighted = side.shapes * pulled
        height, factor = float(weighted.sum()), 1.0 + multiplier * pole
        slope = height * pole - float(weighted @ pulled) * factor
        if abs(height) <= _CLOSE * side.total * (most - least) or slope == 0.0:
            break
        step = (multiplier - height * factor / slope) / end
        multiplier = step * end if 0.0 < step < 1.0 else (multiplier + (end if step >= 1.0 else 0.0)) / 2.0
        ratio = 1.0 / np.maximum(1.0 + multiplier * apart, 1e-9)
    return side.shapes * ratio
