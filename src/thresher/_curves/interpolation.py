"""Between two confusion matrices: straight in counts, hence a hyperbola in PR space.

This is section 4 of Davis and Goadrich (2006), at any recall instead of whole true positives only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.typing import CountArray, FloatArray

__all__ = ["Bracket", "bracket_fp", "bracket_tp", "counts_between"]

_ROUNDING = 1e-14

Bracket = tuple[NDArray[np.intp], NDArray[np.intp], FloatArray]
"""Indices (before, after) and how far between them, in [0, 1]."""


def bracket_tp(tp: CountArray, target: FloatArray) -> Bracket:
    """Return where the curve first reaches each number of true positives: the fewest false positives for it."""
    target = _landed(tp, target)
    after = np.minimum(np.searchsorted(tp, target, side="left"), tp.size - 1)
    return _between(tp, target, np.maximum(after - 1, 0), after)


def bracket_fp(fp: CountArray, target: FloatArray) -> Bracket:
    """Return where the curve last has each number of false positives: the most true positives for it."""
    target = _landed(fp, target)
    before = np.searchsorted(fp, target, side="right") - 1
    return _between(fp, target, before, np.minimum(before + 1, fp.size - 1))


def _landed(counts: CountArray, target: FloatArray) -> FloatArray:
    """Return targets, those that are a sum of weights but for rounding as that sum; curves jump at some of them."""
    if counts.dtype.kind != "f":
        return target
    place = np.clip(np.searchsorted(counts, target), 1, counts.size - 1)
    below, above = counts[place - 1], counts[place]
    nearest = np.where(target - below < above - target, below, above)
    return np.where(np.abs(nearest - target) <= _ROUNDING * np.abs(target), nearest, target)


def _between(counts: CountArray, target: FloatArray, before: NDArray[Any], after: NDArray[Any]) -> Bracket:
    width = counts[after] - counts[before]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(width > 0, (target - counts[before]) / np.where(width > 0, width, 1), 0.0)
    return before, after, np.clip(share, 0.0, 1.0)


def counts_between(counts: CountArray, bracket: Bracket) -> FloatArray:
    """Return the counts at the bracketed points; exact at the ends."""
    before, after, share = bracket
    low, high = counts[before].astype(np.float64), counts[after].astype(np.float64)
    return np.where(share == 1.0, high, low + share * (high - low))
