"""A fraction of a total, landing on the count it means."""

from __future__ import annotations

import numpy as np

from thresher.typing import FloatArray

__all__ = ["portion"]


def portion(fraction: FloatArray, total: float) -> FloatArray:
    """Return fraction * total, snapped to the integer when it is within rounding of one.

    0.29 * 100 is 28.999999999999996, on the wrong side of the step that recall 0.29 names.
    """
    product = fraction * total
    nearest = np.rint(product)
    close = (nearest > 0) & (np.abs(product - nearest) <= 8 * np.spacing(np.maximum(nearest, 1.0)))
    return np.where(close, nearest, product)
