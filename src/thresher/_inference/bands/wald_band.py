"""The paper's normal interval of precision at a recall, and the same on the logit scale; kept for comparison."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from thresher._inference.bands.class_cuts import Cuts
from thresher.typing import FloatArray

__all__ = ["distrust", "wald_precision", "wald_share"]

# The slope is taken over this many standard deviations of the threshold on either side.
_SLOPE_REACH = 1.5
_FEW_ACROSS, _FEW_ALONG = 10, 5


class _Local(NamedTuple):
    """The curve near each abscissa: its value, the value away from 0 and 1, and the slope of its logarithm."""

    value: FloatArray
    inside: FloatArray
    log_slope: FloatArray


def _local(cuts: Cuts, x: FloatArray) -> _Local:
    def log_share(at: FloatArray) -> FloatArray:
        return np.log((cuts.value(at) * cuts.n_across + 0.5) / (cuts.n_across + 1.0))

    reach = _SLOPE_REACH * np.sqrt(x * (1.0 - x) / cuts.n_along)
    left, right = np.maximum(x - reach, 0.0), np.minimum(x + reach, 1.0)
    width = np.where(right > left, right - left, 1.0)
    slope = np.where(right > left, (log_share(right) - log_share(left)) / width, 0.0)
    return _Local(cuts.value(x), np.exp(log_share(x)), slope)


def wald_share(cuts: Cuts, x: FloatArray, z: float, *, on_logit: bool) -> tuple[FloatArray, FloatArray]:
    """Return the interval of the proportion of the other class above the cut with share x: a ROC band."""
    value, inside, log_slope = _local(cuts, x)
    along = np.square(log_slope * inside) * x * (1.0 - x) / cuts.n_along
    if on_logit:
        se = np.sqrt(inside * (1.0 - inside) / cuts.n_across + along) / (inside * (1.0 - inside))
        centre = np.log(inside / (1.0 - inside))
        return scipy.special.expit(centre - z * se), scipy.special.expit(centre + z * se)
    se = np.sqrt(value * (1.0 - value) / cuts.n_across + along)
    return np.clip(value - z * se, 0.0, 1.0), np.clip(value + z * se, 0.0, 1.0)


def wald_precision(
    cuts: Cuts, x: FloatArray, z: float, *, skew: float, variance_of_log_skew: float, on_logit: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the interval of precision at recalls x > 0."""
    value, inside, log_slope = _local(cuts, x)
    along = np.square(log_slope) * x * (1.0 - x) / cuts.n_along
    if on_logit:
        se = np.sqrt(variance_of_log_skew + (1.0 - inside) / (cuts.n_across * inside) + along)
        centre = np.log(x / (skew * inside))
        return scipy.special.expit(centre - z * se), scipy.special.expit(centre + z * se)
    precision = x / (x + skew * value)
    variance = np.square(value) * variance_of_log_skew + value * (1.0 - value) / cuts.n_across
    variance += along * np.square(inside)
    se = np.square(precision) / x * skew * np.sqrt(variance)
    return np.clip(precision - z * se, 0.0, 1.0), np.clip(precision + z * se, 0.0, 1.0)


def distrust(cuts: Cuts, x: FloatArray, names: tuple[str, str]) -> list[str]:
    """Return the reasons not to trust a normal approximation; `names` are those of the class along and across."""
    along, across = names
    seen = cuts.value(x) * cuts.n_across
    checks = (
        (seen < _FEW_ACROSS, f"fewer than {_FEW_ACROSS} {across} above the threshold"),
        (x * cuts.n_along < _FEW_ALONG, f"fewer than {_FEW_ALONG} {along} above it"),
        ((1.0 - x) * cuts.n_along < _FEW_ALONG, f"fewer than {_FEW_ALONG} {along} below it"),
    )
    reasons = [f"{reason} at {int(bad.sum())} of {x.size} points" for bad, reason in checks if bad.any()]
    distinct = int(np.count_nonzero(np.diff(cuts.along)))
    if 2 * distinct < cuts.n_along:
        reasons.append(f"only {distinct} distinct scores among {cuts.n_along} {along}, so they have no density")
    return reasons
