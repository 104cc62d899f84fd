"""Numbers as people write them: thresholds in few digits, and which fraction or count a decimal means."""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.typing import FloatArray

_FEWEST_DIGITS = 3  # with fewer, a threshold among scores far apart would be far from the score that it stands for
_MOST_DIGITS = 6  # of a number that is printed as it is
_NARROW = (np.float16, np.float32)


def short_threshold(score: float, below: float) -> float:
    """Return the shortest number of at least three digits that is at most `score` and above `below`.

    Where `below` is the next lower score of the data, ``scores >= number`` makes the calls of ``scores >= score``. That
    holds for scores of a narrower type too, to which NumPy rounds the number before it compares.
    """
    if not math.isfinite(score):
        return score
    written = Decimal(repr(score))
    narrow = _narrowest(score, below)
    for digits in range(_FEWEST_DIGITS, 18):
        cut = float(Context(prec=digits, rounding=ROUND_FLOOR).create_decimal(written))
        if below < cut <= score and (narrow is None or below < float(narrow(cut))):
            return cut
    return score


def _narrowest(score: float, below: float) -> Any:
    """Return the smallest type that holds both numbers exactly; None for that of `float` itself."""
    with np.errstate(over="ignore"):
        return next((kind for kind in _NARROW if float(kind(score)) == score and float(kind(below)) == below), None)


def threshold_text(threshold: float, below: float | None) -> str:
    """Return a threshold as it is printed: where it has many digits, a shorter number that makes the same calls."""
    written = (repr(threshold) if isinstance(threshold, float | int) else str(threshold)).removesuffix(".0")
    if below is None or type(threshold) is not float or not math.isfinite(threshold):
        return written
    if len(Decimal(written).normalize().as_tuple().digits) <= _MOST_DIGITS:
        return written
    return repr(short_threshold(threshold, below)).removesuffix(".0")


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
