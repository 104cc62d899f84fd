"""How many errors a fresh sample has: intervals for their number, and its distribution."""

from __future__ import annotations

import math

import numpy as np

from thresher._inference.interval import normal_quantile
from thresher._inference.rates.proportion import proportion_bounds
from thresher.typing import FloatArray, IntArray

__all__ = ["ERROR_INTERVALS", "ERROR_LAWS", "error_law", "error_range", "rounded_outwards", "thinned"]

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


ERROR_LAWS = ("predictive", "binomial")
# 12 standard deviations and 64 more leave out less than 1e-18 of either distribution, also where it is skewed.
_SDS, _MORE = 12.0, 64


def error_law(errors: int, total: int, law: str) -> tuple[IntArray, FloatArray]:
    """Return (k, P(K = k)) on a window round the errors seen.

    "binomial" is Binomial(N, k0/N), one point when k0 is 0 or N. "predictive" is the beta-binomial that follows from
    k0 errors in N and the Jeffreys prior: it also accounts for not knowing the error rate.

    Notes
    -----
    Probabilities are built from their ratios, outwards from k0. Differences of log-gamma values would lose ten digits
    at N = 1e9.
    """
    share = errors / total
    variance = total * share * (1.0 - share)
    if law == "predictive":
        a, b = errors + 0.5, total - errors + 0.5
        variance = total * a * b * (a + b + total) / ((a + b) ** 2 * (a + b + 1.0))
    elif errors in (0, total):
        return np.array([errors]), np.ones(1)
    reach = math.ceil(_SDS * math.sqrt(variance)) + _MORE
    k = np.arange(max(0, errors - reach), min(total, errors + reach) + 1)
    here = k[:-1].astype(np.float64)
    # P(k+1) / P(k), element by element.
    if law == "predictive":
        up = (total - here) * (here + a) / ((here + 1.0) * (total - here - 1.0 + b))
    else:
        up = (total - here) * errors / ((here + 1.0) * (total - errors))
    at = errors - int(k[0])
    weights = np.ones(k.size)
    weights[at + 1 :] = np.cumprod(up[at:])
    weights[:at] = np.cumprod(1.0 / up[:at][::-1])[::-1]
    return k, weights / weights.sum()


def thinned(k: IntArray, weights: FloatArray, at_most: int) -> tuple[IntArray, FloatArray]:
    """Return every d-th k with the mass of the d values round it, for a first rough search."""
    stride = -(-k.size // at_most)
    if stride == 1:
        return k, weights
    starts = np.arange(0, k.size, stride)
    middles = np.minimum(starts + stride // 2, k.size - 1)
    return k[middles], np.add.reduceat(weights, starts)
