"""Limits of a proportion from its counts, which every interval for a metric of the confusion matrix builds on."""

from __future__ import annotations

import numpy as np
import scipy

from thresher.typing import FloatArray

# The first is the default wherever a share gets an interval.
PROPORTION_METHODS = ("bayes", "wilson", "clopper-pearson", "jeffreys")
# So much of a case at the adverse end is the least in steps of a twentieth that covers 93% of every share: see
# docs/validation/rates.md.
ADVERSE = 0.75


def normal_quantile(confidence_level: float) -> float:
    """Return z with P(|Z| <= z) equal to the level for a standard normal Z."""
    # The upper tail is halved, not the level: 1 - (1 + level) / 2 would lose digits near 1.
    return -float(scipy.special.ndtri((1.0 - confidence_level) / 2.0))


def proportion_bounds(
    count: FloatArray, total: FloatArray, confidence_level: float, method: str
) -> tuple[FloatArray, FloatArray]:
    """Kernel of `proportion_interval`: (low, high), [0, 1] where the total is 0."""
    rest = total - count
    tail = (1.0 - confidence_level) / 2.0
    if method == "wilson":
        z = normal_quantile(confidence_level)
        seen = np.maximum(total, np.finfo(np.float64).tiny)
        centre = count + z * z / 2.0
        reach = z * np.sqrt(count * (rest / seen) + z * z / 4.0)
        low = (centre - reach) / (total + z * z)
        high = (centre + reach) / (total + z * z)
    else:
        more = {"bayes": ADVERSE, "clopper-pearson": 1.0, "jeffreys": 0.5}[method]
        less = 0.5 if method == "jeffreys" else 0.0
        with np.errstate(invalid="ignore"):
            # A shape of 0 belongs to an end that is set below.
            low = scipy.special.betaincinv(count + less, rest + more, tail)
            high = scipy.special.betainccinv(count + more, rest + less, tail)
    low = np.where(count == 0.0, 0.0, np.clip(low, 0.0, 1.0))
    high = np.where(rest == 0.0, 1.0, np.clip(high, 0.0, 1.0))
    return low, high
