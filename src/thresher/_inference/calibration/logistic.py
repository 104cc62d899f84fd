"""Calibration in the large, and the intercept and slope that logits need."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.digits import count_text
from thresher._core.presented import Presented
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._inference.calibration.proper_scores import integers_of
from thresher._inference.interval import ConfidenceInterval, normal_quantile
from thresher._inference.sampling import Spread, quantile
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import CountArray, FloatArray

_MOST_STEPS = 100


@value
class LogisticFit:
    """Coefficients of a logistic fit, their covariance and the log likelihood."""

    coefficients: FloatArray
    covariance: FloatArray
    log_likelihood: float


def log_likelihood(eta: FloatArray, pos: FloatArray, neg: FloatArray) -> float:
    """Return the log likelihood of so many positives and negatives at each logit."""
    # log sigma(eta) = -softplus(-eta), and softplus(eta) = max(eta, 0) + log(1 + exp(-|eta|)).
    both = np.log1p(np.exp(-np.abs(eta)))
    return -(dot(pos + neg, both) + dot(pos, np.maximum(-eta, 0.0)) + dot(neg, np.maximum(eta, 0.0)))


def fit_logistic(
    design: NDArray[np.float64],
    pos: FloatArray,
    neg: FloatArray,
    offset: FloatArray | None = None,
    what: str = "The fit",
) -> LogisticFit:
    """Maximise the likelihood of logit p = offset + design times coefficients; refuse data that no finite fit fits."""
    shift = np.zeros(pos.size) if offset is None else offset
    columns = [np.ascontiguousarray(column) for column in design.T]
    beta, eta, found = _climbed(columns, pos, neg, shift, np.zeros(len(columns)), what)
    information = _products(columns, (pos + neg) * (scipy.special.expit(eta) * scipy.special.expit(-eta)))
    return LogisticFit(beta, np.asarray(np.linalg.inv(information), dtype=np.float64), found)


def _climbed(
    columns: list[FloatArray], pos: FloatArray, neg: FloatArray, shift: FloatArray, beta: FloatArray, what: str
) -> tuple[FloatArray, FloatArray, float]:
    """Return coefficients, logits and log likelihood of the best fit; steps are halved until it does not fall."""
    rows = pos + neg
    eta = shift + _combined(columns, beta)
    now = log_likelihood(eta, pos, neg)
    for _ in range(_MOST_STEPS):
        chance = scipy.special.expit(eta)
        other = scipy.special.expit(-eta)
        residual = pos * other - neg * chance
        gradient = np.array([dot(column, residual) for column in columns])
        information = _products(columns, rows * chance * other)
        try:
            step = np.linalg.solve(information, gradient)
        except np.linalg.LinAlgError:
            raise _no_fit(what) from None
        size = 1.0
        while True:
            trial = beta + size * step
            eta_trial = shift + _combined(columns, trial)
            then = log_likelihood(eta_trial, pos, neg)
            if then >= now - 1e-14 * abs(now) or size < 1e-8:
                break
            size /= 2.0
        beta, eta = trial, eta_trial
        close = np.abs(size * step).max() <= 1e-10 * (1.0 + np.abs(beta).max())
        settled, now = close and abs(then - now) <= 1e-15 * abs(now), then
        if settled:
            break
        if np.abs(eta).max() > 500.0 + np.abs(shift).max():
            raise _no_fit(what)
    else:
        raise _no_fit(what)
    if abs(now) < 1e-8 * rows.sum():  # every row is fitted perfectly
        raise _no_fit(what)
    return beta, eta, now


def _combined(columns: list[FloatArray], beta: FloatArray) -> FloatArray:
    """Return the columns times their coefficients, added up; one by one, as rows of two are slow to sum."""
    total: FloatArray = columns[0] * beta[0]
    for column, each in zip(columns[1:], beta[1:], strict=True):
        total += column * each
    return total


def _products(columns: list[FloatArray], weight: FloatArray) -> FloatArray:
    """Return the weighted sums of products of every two columns."""
    weighted = [weight * column for column in columns]
    return np.array([[dot(column, each) for each in weighted] for column in columns])


def _no_fit(what: str) -> UndefinedMetricError:
    return UndefinedMetricError(
        f"{what} needs classes that overlap; some threshold separates these, or all scores are alike, so that no "
        "finite fit exists. Hint: rank metrics such as `roc_auc` are still defined."
    )


def profile_interval(
    design: FloatArray, pos: FloatArray, neg: FloatArray, offset: FloatArray, fit: LogisticFit, level: float
) -> tuple[float, float]:
    """Return where the profile likelihood of the last coefficient falls by half the chi-square quantile."""
    drop = float(scipy.special.chdtri(1.0, 1.0 - level)) / 2.0
    *others, own = [np.ascontiguousarray(column) for column in design.T]
    near = fit.coefficients[:-1]

    def falls(at: float) -> float:
        nonlocal near
        fixed = offset + at * own
        if others:  # from the coefficients of the last one, which are not far away
            near, _, then = _climbed(others, pos, neg, fixed, near, "The fit")
        else:
            then = log_likelihood(fixed, pos, neg)
        return fit.log_likelihood - then - drop

    centre, reach = float(fit.coefficients[-1]), math.sqrt(float(fit.covariance[-1, -1])) * math.sqrt(2.0 * drop)
    return _root(falls, centre, -reach, drop), _root(falls, centre, reach, drop)


def _root(falls: Callable[[float], float], centre: float, reach: float, drop: float) -> float:
    """Return where `falls` is 0: it is -drop at the centre, and nearly a parabola whose root is at `reach`.

    By secants of the square root of the fall, kept between a point below and one above.
    """
    low, high, at = centre, math.inf, centre + reach
    before, root_before = centre, 0.0
    target = math.sqrt(drop)
    for _ in range(_MOST_STEPS):
        gap = falls(at)
        low, high = (at, high) if gap < 0.0 else (low, at)
        root = math.sqrt(max(gap + drop, 0.0))
        step = (target - root) * (at - before) / (root - root_before) if root != root_before else 0.0
        if abs(step) <= 1e-12 * (abs(at) + abs(reach)):
            return at
        before, root_before = at, root
        at += step
        inside = min(low, high) < at < max(low, high) if math.isfinite(high) else (at - low) * reach > 0.0
        if not inside:
            at = low + 2.0 * reach if math.isinf(high) else (low + high) / 2.0
    return at


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

    def fitted(design: FloatArray, offset: FloatArray, what: str) -> tuple[LogisticFit, ConfidenceInterval]:
        fit = fit_logistic(design, pos, neg, offset, what)
        if method == "profile":
            low, high = profile_interval(design, pos, neg, offset, fit, level)
        else:
            reach = normal_quantile(level) * math.sqrt(float(fit.covariance[-1, -1]))
            low, high = float(fit.coefficients[-1]) - reach, float(fit.coefficients[-1]) + reach
        return fit, ConfidenceInterval(low, high, level, method)

    alone, ends = fitted(np.ones((z.size, 1)), z, "A calibration intercept")
    intercept = float(alone.coefficients[0])
    if z.size == 1:
        return LogisticCalibration(intercept, ends, None, None, None, None, None)
    both, of_slope = fitted(np.column_stack((np.ones(z.size), z)), np.zeros(z.size), "A calibration slope")
    statistic = max(2.0 * (both.log_likelihood - log_likelihood(z, pos, neg)), 0.0)
    beside, slope = both.coefficients.tolist()
    return LogisticCalibration(
        intercept, ends, slope, of_slope, beside, statistic, float(scipy.special.chdtrc(2.0, statistic))
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


@value(repr=False)
class InTheLarge(Presented):
    """Observed against expected positives.

    Attributes
    ----------
    observed, expected : float
        The number of positives, and the sum of the scores.
    ratio, difference : float
        Observed over expected, and the difference as a proportion of all rows.
    low, high : float
        Interval of the difference.
    pvalue : float
        Of the sum being what calibrated scores predict.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.Scores(data.y_true, data.logistic).calibration().in_the_large()
    >>> found.observed, round(found.ratio, 3)
    (174, 1.007)
    >>> found
    calibration in the large: 174 observed, 172.7 expected, ratio 1.007
      difference +0.0007 [-0.0087, +0.0101], p = 0.908
    """

    observed: float
    expected: float
    ratio: float
    difference: float
    low: float
    high: float
    pvalue: float

    def __repr__(self) -> str:
        return (
            f"calibration in the large: {count_text(self.observed)} observed, {count_text(self.expected)} expected, "
            f"ratio {self.ratio:.3f}\n  difference {self.difference:+.4f} [{self.low:+.4f}, {self.high:+.4f}], "
            f"p = {self.pvalue:.3g}"
        )


def in_the_large(counts: Counts, x: FloatArray, level: float, seen: Spread | None) -> InTheLarge:
    """Compare the positives with the sum of the scores `x`; `seen`, of rows with weights, is the spread to be taken."""
    observed, total = counts.n_pos, counts.n_pos + counts.n_neg
    expected = _exact_dot(counts.pos + counts.neg, x)
    difference = float((Fraction(observed) - expected) / Fraction(total))
    # The rows' differences are 1 - x for positives and -x for negatives.
    spread = (dot(counts.pos, (1.0 - x - difference) ** 2) + dot(counts.neg, (x + difference) ** 2)) / float(total) ** 2
    reach = normal_quantile(level) * math.sqrt(spread)
    null = dot(counts.pos + counts.neg, x * (1.0 - x))
    gap = float(Fraction(observed) - expected)
    if seen is not None:
        reach = quantile(level, seen.df) * math.sqrt(seen.variance)
        null = seen.variance * float(total) ** 2
    chance = 1.0 if gap == 0.0 else 0.0
    if null > 0.0:
        chance = float(2.0 * scipy.special.ndtr(-abs(gap) / math.sqrt(null)))
    ratio = float(Fraction(observed) / expected) if expected else math.inf
    return InTheLarge(observed, float(expected), ratio, difference, difference - reach, difference + reach, chance)


def _exact_dot(rows: NDArray[Any], x: FloatArray) -> Fraction:
    if rows.size > 10_000:
        return Fraction(dot(rows, x))
    many, scale = integers_of(rows)
    at, unit = integers_of(x)
    return Fraction(sum(map(operator.mul, many, at)), scale * unit)
