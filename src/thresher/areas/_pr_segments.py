"""Areas of the pieces of a PR curve, without cancellation.

All functions take, for each piece, true and false positives before it (`tp`, `fp`) and what it adds (`p` > 0, `q`),
and return its area in units of true positives. False positives are already scaled to the prevalence wanted.
"""

from __future__ import annotations

import math

import numpy as np

from thresher.typing import FloatArray

__all__ = ["Pieces", "hyperbola_area", "linear_area", "unit_step_area"]

_BLOCK = 1 << 15
_DIGITS = 17.0

Pieces = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def hyperbola_area(tp: FloatArray, fp: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Return the integral of (tp + v) / (tp + v + fp + v q / p) over v from 0 to p.

    With z = (p + q) / (tp + fp) and the weight w = 1 - log1p(z) / z this is p times the mean of the precision before
    the piece, tp / (tp + fp), and the precision within it, p / (p + q), weighted 1 - w and w: nothing cancels.
    """
    areas = np.empty(p.size)
    # In blocks, so that what is computed on the way stays in the cache and memory in bounds.
    for first in range(0, p.size, _BLOCK):
        part = slice(first, first + _BLOCK)
        areas[part] = _hyperbola_block(tp[part], fp[part], p[part], q[part])
    return areas


def _hyperbola_block(tp: FloatArray, fp: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    before = tp + fp
    added = p + q
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inner, outer = _weights(added / before)
        mean = outer * (tp / before) + inner * (p / added)
    return p * np.where(before > 0, mean, p / added)


def _weights(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return w = 1 - log1p(z) / z and 1 - w for z > 0, both to full relative precision."""
    outer = np.log1p(z) / z
    y = np.where(z < 2.0, z / (2.0 + z), 0.0)
    # log1p(z) = 2 atanh(y) and z = 2 y / (1 - y), so w = y - (1 - y)(y^2/3 + y^4/5 + ...).
    square = y * y
    tail = np.zeros_like(y)
    for k in range(_last_term(float(square.max(initial=0.0))), 1, -2):
        tail = (tail + 1.0 / k) * square
    return np.where(z < 2.0, y - (1.0 - y) * tail, 1.0 - outer), outer


def _last_term(square: float) -> int:
    """Return the odd power at which the series of atanh can end, for squares up to this one (1/4 at most)."""
    if square == 0.0:
        return 3
    terms = math.ceil(_DIGITS / -math.log10(square)) + 1
    return min(2 * terms + 1, 53)


def linear_area(start: FloatArray, stop: FloatArray, p: FloatArray) -> FloatArray:
    """Return the trapezoid between two precisions."""
    return p * (start + stop) / 2.0


def unit_step_area(tp: FloatArray, fp: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Return trapezoids at every whole true positive of every piece, as the 2006 paper prescribes."""
    steps = p.astype(np.int64)
    piece = np.repeat(np.arange(steps.size), steps)
    first = np.cumsum(steps) - steps
    v = np.arange(piece.size) - first[piece]

    def precision(v: FloatArray) -> FloatArray:
        found = tp[piece] + v
        called = found + fp[piece] + q[piece] * (v / p[piece])
        # Before the first call there is no precision: that of the first piece holds from its start.
        return np.where(called > 0, found / np.where(called > 0, called, 1.0), (p / (p + q))[piece])

    return linear_area(precision(v.astype(np.float64)), precision(v + 1.0), np.ones(piece.size))
