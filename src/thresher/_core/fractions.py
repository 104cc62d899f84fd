"""Fractions that people write as decimals: which fraction a number means, and which count of a total."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.typing import FloatArray

__all__ = ["as_written", "portion"]

# Two roundings of a number near 1. Simple fractions lie farther apart than that by orders of magnitude.
_ROUNDING = Fraction(1, 2**52)
_LARGEST_DENOMINATOR = 10**6


def as_written(value: float) -> Fraction:
    """Return the fraction that a number names: 0.1 and 1 - 0.9 are one tenth, 1 / 3 is a third, as floats none is."""
    written = Fraction(repr(float(value)))
    simple = written.limit_denominator(_LARGEST_DENOMINATOR)
    return simple if simple != 0 and abs(simple - written) <= _ROUNDING else written


_LARGE = 2**50


def portion(fraction: FloatArray, total: float) -> NDArray[Any]:
    """Return fraction * total, snapped to the integer when it is within rounding of one.

    0.29 * 100 is 28.999999999999996, on the wrong side of the step that recall 0.29 names. Of totals so large that
    every product is within rounding of an integer, it is that integer, which a double need not hold.
    """
    if isinstance(total, int) and total >= _LARGE:
        counts = [round(Fraction(one) * total) for one in np.ravel(fraction).tolist()]
        return np.array(counts, dtype=np.int64).reshape(np.shape(fraction))
    product = fraction * total
    nearest = np.rint(product)
    close = (nearest > 0) & (np.abs(product - nearest) <= 8 * np.spacing(np.maximum(nearest, 1.0)))
    return np.where(close, nearest, product)
