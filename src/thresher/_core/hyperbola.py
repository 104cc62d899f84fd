"""Areas under the pieces of an interpolated PR curve, by the same operations wherever they are computed.

A piece that adds little to what was called before it needs no logarithm: additions, multiplications and divisions of
doubles, which every engine rounds alike. The few other pieces (each makes the calls grow by 1/64 at least, so there
are not many) are left to `hyperbola_area`, here.
"""

from __future__ import annotations

import math

import numpy as np

from thresher._core.sums import segment_sums
from thresher.typing import FloatArray

NEAR = 1.0 / 64.0
"""Up to this growth of the calls, `SERIES` is enough."""

SERIES = (9, 7, 5, 3)
"""Odd denominators of the series of atanh, in the order of Horner's rule."""

_FAR = 2.0
_LONG_SERIES = range(53, 1, -2)
_BLOCK = 1 << 15
_MOST_STEPS, _STEPS_AHEAD = 256, 128
_PIECES_AT_ONCE = 1 << 12


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


def unit_step_area(tp: FloatArray, fp: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Return the sums of trapezoids at every whole true positive of every piece, as the 2006 paper prescribes.

    Of a long piece the first 128 steps are taken one by one. Beyond them the trapezoid rule is the integral and three
    terms of Euler and Maclaurin's formula, to the last digits, so that neither time nor memory grow with the counts.
    """
    areas = np.empty(p.size)
    for first in range(0, p.size, _PIECES_AT_ONCE):
        part = slice(first, first + _PIECES_AT_ONCE)
        areas[part] = _unit_steps(tp[part], fp[part], p[part], q[part])
    return areas


def _unit_steps(tp: FloatArray, fp: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    taken = np.where(p > _MOST_STEPS, float(_STEPS_AHEAD), p)
    lost = q * (taken / p)
    steps = taken.astype(np.int64)
    piece = np.repeat(np.arange(steps.size), steps.astype(np.intp))
    first = np.cumsum(steps) - steps
    v = (np.arange(piece.size) - first[piece]).astype(np.float64)

    def precision(v: FloatArray) -> FloatArray:
        found = tp[piece] + v
        called = found + fp[piece] + q[piece] * (v / p[piece])
        # Before the first call there is no precision: that of the first piece holds from its start.
        return np.where(called > 0, found / np.where(called > 0, called, 1.0), (p / (p + q))[piece])

    areas = segment_sums((precision(v) + precision(v + 1.0)) / 2.0, first)
    long = np.flatnonzero(p > _MOST_STEPS)
    if long.size:
        ends = (tp[long] + taken[long], fp[long] + lost[long], p[long] - taken[long], q[long] - lost[long])
        areas[long] += hyperbola_area(*ends) + _excess(*ends)
    return areas


def _excess(tp: FloatArray, fp: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Return by how much the trapezoid rule with steps of 1 exceeds the integral of the precision."""
    # Precision is a constant plus bend / (v + ahead), v true positives into the piece.
    share = p / (p + q)
    ahead = (tp + fp) * share
    bend = (tp * (q / p) - fp) * share * share
    a, b = 1.0 / (ahead * ahead), 1.0 / ((ahead + p) * (ahead + p))
    return np.asarray(bend * ((a - b) / 12.0 - (a * a - b * b) / 120.0 + (a**3 - b**3) / 252.0))
