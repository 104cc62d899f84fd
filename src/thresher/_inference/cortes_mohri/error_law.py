"""The distribution of the number of errors in a fresh sample, on the window where it is not negligible."""

from __future__ import annotations

import math

import numpy as np

from thresher.typing import FloatArray, IntArray

__all__ = ["ERROR_LAWS", "error_law", "thinned"]

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
