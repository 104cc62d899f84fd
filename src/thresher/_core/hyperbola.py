"""Areas under the pieces of an interpolated PR curve, by the same operations wherever they are computed.

A piece that adds little to what was called before it needs no logarithm: additions, multiplications and divisions of
doubles, which every engine rounds alike. The few other pieces (each makes the calls grow by 1/64 at least, so there
are not many) are left to `hyperbola_area`, here.
"""

from __future__ import annotations

import math

import numpy as np

from thresher.typing import FloatArray

__all__ = ["NEAR", "SERIES", "hyperbola_area"]

NEAR = 1.0 / 64.0
"""Up to this growth of the calls, `SERIES` is enough."""

SERIES = (9, 7, 5, 3)
"""Odd denominators of the series of atanh, in the order of Horner's rule."""

_FAR = 2.0
_LONG_SERIES = range(53, 1, -2)
_BLOCK = 1 << 15


def hyperbola_area(tp: FloatArray, fp: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Return the integral of (tp + v) / (tp + v + fp + v q / p) over v from 0 to p.

    With z = (p + q) / (tp + fp) and the weight w = 1 - log1p(z) / z this is p times the mean of the precision before
    the piece, tp / (tp + fp), and the precision within it, p / (p + q), weighted 1 - w and w: nothing cancels. Each
    area depends on its own piece alone, to the last bit.
    """
    areas = np.empty(p.size)
    # In blocks, so that what is computed on the way stays in the cache and memory in bounds.
    for first in range(0, p.size, _BLOCK):
        part = slice(first, first + _BLOCK)
        areas[part] = _block(tp[part], fp[part], p[part], q[part])
    return areas


def _block(tp: FloatArray, fp: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    before = tp + fp
    added = p + q
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inner, outer = _weights(added / before)
        mean = outer * (tp / before) + inner * (p / added)
    return p * np.where(before > 0, mean, p / added)


def _weights(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return w = 1 - log1p(z) / z and 1 - w for z > 0, both to full relative precision."""
    # log1p(z) = 2 atanh(y) and z = 2 y / (1 - y), so w = y - (1 - y)(y^2/3 + y^4/5 + ...).
    y = z / (2.0 + z)
    square = y * y
    tail = _tail(square, SERIES)
    longer = np.flatnonzero((z >= NEAR) & (z < _FAR))
    if longer.size:
        tail[longer] = _tail(square[longer], _LONG_SERIES)
    inner = y - (1.0 - y) * tail
    outer = 1.0 - inner
    far = np.flatnonzero(z >= _FAR)
    if far.size:
        # The C library's logarithm, as in the kernels; NumPy's own may differ in the last bit.
        outer[far] = np.array([math.log1p(growth) for growth in z[far].tolist()]) / z[far]
        inner[far] = 1.0 - outer[far]
    return inner, outer


def _tail(square: FloatArray, denominators: tuple[int, ...] | range) -> FloatArray:
    tail = np.zeros_like(square)
    for k in denominators:
        tail = (tail + 1.0 / k) * square
    return tail
