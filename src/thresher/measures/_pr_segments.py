"""Areas of the pieces of a PR curve, without cancellation.

All functions take, for each piece, true and false positives before it (`tp`, `fp`) and what it adds (`p` > 0, `q`),
and return its area in units of true positives. False positives are already scaled to the prevalence wanted.
"""

from __future__ import annotations

import numpy as np

from thresher._core.hyperbola import hyperbola_area
from thresher.typing import FloatArray

__all__ = ["Pieces", "hyperbola_area", "linear_area", "unit_step_area"]

Pieces = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def linear_area(start: FloatArray, stop: FloatArray, p: FloatArray) -> FloatArray:
    """Return the trapezoid between two precisions."""
    return p * (start + stop) / 2.0


def unit_step_area(tp: FloatArray, fp: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Return trapezoids at every whole true positive of every piece, as the 2006 paper prescribes."""
    steps = p.astype(np.intp)
    piece = np.repeat(np.arange(steps.size), steps)
    first = np.cumsum(steps) - steps
    v = np.arange(piece.size) - first[piece]

    def precision(v: FloatArray) -> FloatArray:
        found = tp[piece] + v
        called = found + fp[piece] + q[piece] * (v / p[piece])
        # Before the first call there is no precision: that of the first piece holds from its start.
        return np.where(called > 0, found / np.where(called > 0, called, 1.0), (p / (p + q))[piece])

    return linear_area(precision(v.astype(np.float64)), precision(v + 1.0), np.ones(piece.size))
