"""Cox's recalibration: the intercept and the slope that the logits of the scores would need."""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.presented import Presented
from thresher._core.values import value
from thresher._inference.calibration.logistic_fit import LogisticFit, fit_logistic, log_likelihood, profile_interval
from thresher._inference.interval import ConfidenceInterval, normal_quantile
from thresher.exceptions import InvalidInputError
from thresher.typing import CountArray, FloatArray

__all__ = ["LogisticCalibration", "logistic_calibration"]


@value
class LogisticCalibration(Presented):
    """Cox's recalibration: logit P(positive) = intercept + slope logit(score).

    Attributes
    ----------
    intercept, intercept_interval : float, ConfidenceInterval
        With the slope fixed at 1: the usual calibration intercept, 0 if calibrated on average.
    slope, slope_interval : float or None
        With an intercept of its own: below 1 where scores are too extreme. None where there is one score only.
    slope_intercept : float or None
        The intercept beside that slope.
    statistic, pvalue : float
        Likelihood ratio test of intercept 0 and slope 1, with 2 degrees of freedom.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> fit = th.Scores(data.y_true, data.logistic).calibration().logistic()
    >>> round(fit.slope, 2), [round(end, 2) for end in fit.slope_interval]
    (2.56, [2.23, 2.94])
    """

    intercept: float
    intercept_interval: ConfidenceInterval
    slope: float | None
    slope_interval: ConfidenceInterval | None
    slope_intercept: float | None
    statistic: float | None
    pvalue: float | None


def logistic_calibration(
    x: FloatArray, pos: CountArray, neg: CountArray, level: float, method: str, clip: float | None
) -> LogisticCalibration:
    """Fit intercept and slope to the positives and negatives at each of the scores `x`."""
    z, pos, neg = _logits(x, clip), pos.astype(np.float64), neg.astype(np.float64)
    ones = np.ones((z.size, 1))
    alone = fit_logistic(ones, pos, neg, z, "A calibration intercept")
    ends = _coefficient_interval(ones, pos, neg, z, alone, 0, level, method)
    if z.size == 1:
        return LogisticCalibration(float(alone.coefficients[0]), ends, None, None, None, None, None)
    design, none = np.column_stack((ones, z)), np.zeros(z.size)
    both = fit_logistic(design, pos, neg, what="A calibration slope")
    statistic = max(2.0 * (both.log_likelihood - log_likelihood(z, pos, neg)), 0.0)
    return LogisticCalibration(
        float(alone.coefficients[0]),
        ends,
        float(both.coefficients[1]),
        _coefficient_interval(design, pos, neg, none, both, 1, level, method),
        float(both.coefficients[0]),
        statistic,
        float(scipy.special.chdtrc(2.0, statistic)),
    )


def _logits(x: FloatArray, clip: float | None) -> FloatArray:
    """Return the logits of scores that are sorted, highest first."""
    if clip is not None:
        x = np.clip(x, clip, 1.0 - clip)
    elif x[0] == 1.0 or x[-1] == 0.0:
        raise InvalidInputError(
            "Calibration intercept and slope need scores strictly between 0 and 1; got 0 or 1, without a logit. "
            "Hint: pass `clip=1e-6` to move them, and say so."
        )
    return np.asarray(np.log(x) - np.log1p(-x))


def _coefficient_interval(
    design: NDArray[np.float64],
    pos: FloatArray,
    neg: FloatArray,
    offset: FloatArray,
    fit: LogisticFit,
    which: int,
    level: float,
    method: str,
) -> ConfidenceInterval:
    if method == "profile":
        low, high = profile_interval(design, pos, neg, offset, fit, which, level)
    else:
        reach = normal_quantile(level) * math.sqrt(float(fit.covariance[which, which]))
        low, high = float(fit.coefficients[which]) - reach, float(fit.coefficients[which]) + reach
    return ConfidenceInterval(low, high, level, method)
