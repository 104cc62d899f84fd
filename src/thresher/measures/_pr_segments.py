"""Areas of the pieces of a PR curve, without cancellation.

All functions take, for each piece, true and false positives before it (`tp`, `fp`) and what it adds (`p` > 0, `q`),
and return its area in units of true positives. False positives are already scaled to the prevalence wanted.
"""

from __future__ import annotations

from thresher._core.hyperbola import hyperbola_area, unit_step_area
from thresher.typing import FloatArray

__all__ = ["Pieces", "hyperbola_area", "linear_area", "unit_step_area"]

Pieces = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def linear_area(start: FloatArray, stop: FloatArray, p: FloatArray) -> FloatArray:
    """Return the trapezoid between two precisions."""
    return p * (start + stop) / 2.0
