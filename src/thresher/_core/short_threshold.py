"""Thresholds written short: as few digits as make the same calls when they are typed back."""

from __future__ import annotations

import math
from decimal import ROUND_FLOOR, Context, Decimal
from typing import Any

import numpy as np

__all__ = ["short_threshold", "threshold_text"]

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
    """Return a threshold as it is printed: where it has many digits, a shorter number that makes the same calls.

    One of six digits or fewer is printed as it is, and so is one for which `below` is not known.
    """
    written = (repr(threshold) if isinstance(threshold, float | int) else str(threshold)).removesuffix(".0")
    if below is None or type(threshold) is not float or not math.isfinite(threshold):
        return written
    if len(Decimal(written).normalize().as_tuple().digits) <= _MOST_DIGITS:
        return written
    return repr(short_threshold(threshold, below)).removesuffix(".0")
