"""Logistic regression on the rows of a table, by Newton's method: Cox's recalibration, Platt's and the beta map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.sums import dot, dots
from thresher._core.values import value
from thresher.exceptions import UndefinedMetricError
from thresher.typing import FloatArray

__all__ = ["LogisticFit", "fit_logistic", "log_likelihood", "profile_interval"]

_MOST_STEPS = 100


@value
class LogisticFit:
    """Coefficients of a logistic fit, their covariance and the log likelihood."""

    coefficients: FloatArray
    covariance: FloatArray
    log_likelihood: float


def log_likelihood(eta: FloatArray, pos: FloatArray, neg: FloatArray) -> float:
    """Return the log likelihood of so many positives and negatives at each logit."""
    # log sigma(eta) = -softplus(-eta)
    return -(dot(pos, np.logaddexp(0.0, -eta)) + dot(neg, np.logaddexp(0.0, eta)))


def fit_logistic(
    design: NDArray[np.float64],
    pos: FloatArray,
    neg: FloatArray,
    offset: FloatArray | None = None,
    what: str = "The fit",
) -> LogisticFit:
    """Maximise the likelihood of logit p = offset + design times coefficients; refuse data that no finite fit fits.

    Steps are halved until the likelihood does not fall.
    """
    shift = np.zeros(pos.size) if offset is None else offset
    rows = pos + neg
    beta = np.zeros(design.shape[1])
    eta = shift + dots(design, beta)
    now = log_likelihood(eta, pos, neg)
    for _ in range(_MOST_STEPS):
        chance = scipy.special.expit(eta)
        gradient = dots(design.T, pos * scipy.special.expit(-eta) - neg * chance)
        information = _products(design, rows * chance * scipy.special.expit(-eta))
        try:
            step = np.linalg.solve(information, gradient)
        except np.linalg.LinAlgError:
            raise _no_fit(what) from None
        size = 1.0
        while True:
            trial = beta + size * step
            eta_trial = shift + dots(design, trial)
            then = log_likelihood(eta_trial, pos, neg)
            if then >= now - 1e-14 * abs(now) or size < 1e-8:
                break
            size /= 2.0
        beta, eta = trial, eta_trial
        settled = abs(then - now) <= 1e-15 * abs(now) and np.abs(size * step).max() <= 1e-10 * (
            1.0 + np.abs(beta).max()
        )
        now = then
        if settled:
            break
        if np.abs(eta).max() > 500.0 + np.abs(shift).max():
            raise _no_fit(what)
    else:
        raise _no_fit(what)
    if abs(now) < 1e-8 * rows.sum():  # every row is fitted perfectly
        raise _no_fit(what)
    chance = scipy.special.expit(eta) * scipy.special.expit(-eta)
    information = _products(design, rows * chance)
    return LogisticFit(beta, np.asarray(np.linalg.inv(information), dtype=np.float64), now)


def _products(design: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the weighted sums of products of every two columns."""
    return np.stack([dots(design.T, weight * column) for column in design.T])


def _no_fit(what: str) -> UndefinedMetricError:
    return UndefinedMetricError(
        f"{what} needs classes that overlap; some threshold separates these, or all scores are alike, so that no "
        "finite fit exists. Hint: rank figures such as `roc_auc` are still defined."
    )


def profile_interval(
    design: NDArray[np.float64],
    pos: FloatArray,
    neg: FloatArray,
    offset: FloatArray,
    fit: LogisticFit,
    which: int,
    level: float,
) -> tuple[float, float]:
    """Return where the profile likelihood of one coefficient falls by half the chi-square quantile."""
    drop = float(scipy.special.chdtri(1.0, 1.0 - level)) / 2.0
    spread = float(np.sqrt(fit.covariance[which, which]))
    others = np.delete(design, which, axis=1)

    def falls(at: float) -> float:
        fixed = offset + at * design[:, which]
        if others.shape[1] == 0:
            then = log_likelihood(fixed, pos, neg)
        else:
            then = fit_logistic(others, pos, neg, fixed).log_likelihood
        return fit.log_likelihood - then - drop

    centre = float(fit.coefficients[which])
    return _root(falls, centre, -spread), _root(falls, centre, spread)


def _root(falls: Callable[[float], float], centre: float, step: float) -> float:
    near, far = centre, centre + 2.0 * step
    while falls(far) < 0.0:
        near, far = far, far + 2.0 * step
    for _ in range(80):
        middle = (near + far) / 2.0
        if middle in (near, far):
            break
        near, far = (middle, far) if falls(middle) < 0.0 else (near, middle)
    return far
