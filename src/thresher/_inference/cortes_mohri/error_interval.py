"""Intervals for the number of errors, as Theorem 1 of Cortes and Mohri needs them."""

from __future__ import annotations

import math

import numpy as np

from thresher._inference.interval import normal_quantile
from thresher._inference.rates.proportion import proportion_bounds

__all__ = ["ERROR_INTERVALS", "error_range", "rounded_outwards"]

ERROR_INTERVALS = ("clopper-pearson", "wilson", "normal", "chebyshev")


def error_range(errors: int, total: int, confidence_level: float, method: str) -> tuple[int, int]:
    """Return the whole numbers of errors (first, last) that an interval for the error rate covers.

    Notes
    -----
    The ends are rounded outwards and cut to 0..total, since e_1 N and e_2 N need not be whole and may leave the range.
    """
    if method in ("chebyshev", "normal"):
        reach = 1.0 / math.sqrt(1.0 - confidence_level) if method == "chebyshev" else normal_quantile(confidence_level)
        half = reach * math.sqrt(total) / 2.0
        return rounded_outwards(errors - half, errors + half, total)
    low, high = proportion_bounds(np.asarray(float(errors)), np.asarray(float(total)), confidence_level, method)
    return rounded_outwards(float(low) * total, float(high) * total, total)


def rounded_outwards(low: float, high: float, total: int) -> tuple[int, int]:
    """Return (floor(low), ceil(high)) cut to 0..total."""
    return max(0, math.floor(low)), min(total, math.ceil(high))
