"""How each area under the PR curve answers to a little more of a positive or a negative at each score.

An area is a sum over pieces of the curve. A piece goes from (t0, f0) to (t1, f1) true and false positives, and its
derivatives by those four numbers are closed integrals; a case at a score moves all points from there on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from thresher.typing import FloatArray

__all__ = ["Gradient", "area_gradient"]

# Beyond this growth of the calls within a piece its integrals are taken in closed form, below by quadrature.
_GROWTH = 2.0
# Points of Gauss and Legendre on [0, 1] by the growth up to which they are right to 13 digits.
_RULES = [
    (most, [(0.5 + node / 2.0, weight / 2.0) for node, weight in zip(*np.polynomial.legendre.leggauss(n), strict=True)])
    for most, n in ((1e-3, 3), (0.05, 6), (_GROWTH, 12))
]
_BLOCK = 1 << 15
Span = tuple[float, float]


class Gradient(NamedTuple):
    """Derivatives of (positives × area): element i belongs to one more case at score i (not centred)."""

    positive: FloatArray
    negative: FloatArray


class _Corner(NamedTuple):
    """Derivatives of one piece by where it starts and where it ends."""

    start_tp: FloatArray
    start_fp: FloatArray
    end_tp: FloatArray
    end_fp: FloatArray


def area_gradient(tp: FloatArray, fp: FloatArray, estimator: str, recall: Span) -> Gradient:
    """Return the derivatives of the integral of precision over true positives."""
    by_tp, by_fp = np.zeros(tp.size), np.zeros(tp.size)
    rising = np.flatnonzero(tp[1:] > tp[:-1])
    low, high = recall[0] * tp[-1], recall[1] * tp[-1]
    # In blocks, so that what is computed on the way stays in the cache and memory in bounds.
    for first in range(0, rising.size, _BLOCK):
        before = rising[first : first + _BLOCK]
        t0, t1, f0, f1 = tp[before], tp[before + 1], fp[before], fp[before + 1]
        if estimator == "functional":
            f1 = f0
        a, b = np.maximum(t0, low), np.minimum(t1, high)
        if recall != (0.0, 1.0):
            inside = b > a
            before, t0, t1, f0, f1, a, b = (column[inside] for column in (before, t0, t1, f0, f1, a, b))
        corner = _corner(t0, t1, f0, f1, a, b, estimator)
        by_tp[before] += corner.start_tp
        by_fp[before] += corner.start_fp
        by_tp[before + 1] += corner.end_tp
        by_fp[before + 1] += corner.end_fp
    # A case moves all points from its score on; point 0 never moves.
    return Gradient(np.cumsum(by_tp[:0:-1])[::-1], np.cumsum(by_fp[:0:-1])[::-1])


def _corner(
    t0: FloatArray, t1: FloatArray, f0: FloatArray, f1: FloatArray, a: FloatArray, b: FloatArray, estimator: str
) -> _Corner:
    if estimator == "average_precision":
        return _held(t0, t1, f1, a, b)
    if estimator == "trapezoid":
        return _linear(t0, t1, f0, f1, a, b)
    corner = _hyperbola(t0, t1, f0, f1, a, b)
    if estimator == "functional":
        return corner._replace(start_fp=corner.start_fp + corner.end_fp, end_fp=np.zeros(t0.size))
    return corner


def _hyperbola(t0: FloatArray, t1: FloatArray, f0: FloatArray, f1: FloatArray, a: FloatArray, b: FloatArray) -> _Corner:
    """Return the derivatives of the integral from a to b of u / (u + f(u)), f linear from f0 at t0 to f1 at t1."""
    p = t1 - t0
    slope = (f1 - f0) / p
    lam_a, lam_b = (a - t0) / p, (b - t0) / p
    # The part from a to b is a piece of its own; weights that grow along it are combined from its two ends.
    rising, falling = _weighted(a, f0 + slope * (a - t0), b - a, slope * (b - a))
    by_f1 = lam_a * (rising + falling) + (lam_b - lam_a) * rising
    by_f0 = (1.0 - lam_a) * (rising + falling) - (lam_b - lam_a) * rising
    return _Corner(
        slope * by_f0 - np.where(a == t0, _precision(t0, f0, p, f1), 0.0),
        -by_f0,
        slope * by_f1 + np.where(b == t1, t1 / (t1 + f1), 0.0),
        -by_f1,
    )


def _precision(t: FloatArray, f: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Return t / (t + f), or that of the piece where nothing is called yet."""
    called = t + f
    return np.where(called > 0.0, t / np.where(called > 0.0, called, 1.0), p / (p + q))


def _weighted(t: FloatArray, f: FloatArray, p: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the integrals of w(u) u / (u + f(u))^2 over a piece, for w rising from 0 to 1 and for w falling to 0.

    The falling one diverges for a piece from the origin; it belongs to a point that cannot move and is set to 0.
    """
    called, added = t + f, p + q
    growth = added / np.where(called > 0.0, called, 1.0)
    origin = called == 0.0
    steep = (growth > _GROWTH) & ~origin

    rising = np.zeros(t.size)
    falling = np.zeros(t.size)
    flat = ~steep & ~origin
    t_, c_, p_, a_ = t[flat], called[flat], p[flat], added[flat]
    up, down = np.zeros(t_.size), np.zeros(t_.size)
    most = float(growth[flat].max(initial=0.0))
    for node, weight in next(rule for bound, rule in _RULES if most <= bound):
        height = weight * (t_ + node * p_) / np.square(c_ + node * a_)
        up += node * height
        down += (1.0 - node) * height
    rising[flat], falling[flat] = up * p_, down * p_

    t_, c_, p_, a_ = t[steep], called[steep], p[steep], added[steep]
    share = p_ / a_
    extra = t_ - share * c_
    log = np.log1p(a_ / c_)
    whole = share * log / a_ + extra / (c_ * (c_ + a_))
    up = (share + (extra - share * c_) * log / a_ - extra / (c_ + a_)) / a_
    rising[steep], falling[steep] = up * p_, (whole - up) * p_

    rising[origin] = np.square(p[origin] / added[origin])
    return rising, falling


def _held(t0: FloatArray, t1: FloatArray, f1: FloatArray, a: FloatArray, b: FloatArray) -> _Corner:
    """Return the derivatives of (b - a) · t1 / (t1 + f1), the precision of the next point held."""
    called = t1 + f1
    precision = t1 / called
    return _Corner(
        np.where(a == t0, -precision, 0.0),
        np.zeros(t0.size),
        np.where(b == t1, precision, 0.0) + (b - a) * f1 / np.square(called),
        -(b - a) * t1 / np.square(called),
    )


def _linear(t0: FloatArray, t1: FloatArray, f0: FloatArray, f1: FloatArray, a: FloatArray, b: FloatArray) -> _Corner:
    """Return the derivatives of the area under the straight line between the precisions of two points.

    The first point has precision 1 whatever follows.
    """
    p = t1 - t0
    start, end = t0 + f0, t1 + f1
    from_nothing = start == 0.0
    start = np.where(from_nothing, 1.0, start)
    first, last = np.where(from_nothing, 1.0, t0 / start), t1 / end
    slope = (last - first) / p
    width, middle = b - a, (a + b) / 2.0 - t0
    # The line is first + (u - t0) slope; its integral from a to b is width (first + middle slope).
    by_first, by_last = width * (1.0 - middle / p), width * middle / p
    start_tp = by_first * np.where(from_nothing, 0.0, f0 / np.square(start)) - by_first * slope
    end_tp = by_last * f1 / np.square(end) - by_last * slope
    return _Corner(
        start_tp - np.where(a == t0, first, 0.0),
        np.where(from_nothing, 0.0, -by_first * t0 / np.square(start)),
        end_tp + np.where(b == t1, last, 0.0),
        -by_last * t1 / np.square(end),
    )
