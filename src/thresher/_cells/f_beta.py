"""Intervals for F-beta from the counts of a confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import scipy

from thresher._cells.proportions import ADVERSE, normal_quantile, proportion_bounds
from thresher._core.gauss_legendre import NODES, WEIGHTS
from thresher._core.root_search import bisect
from thresher._core.sums import dot


def f_beta(tp: float, fp: float, fn: float, beta: float) -> float:
    """(1 + b^2) TP / ((1 + b^2) TP + b^2 FN + FP); NaN when all three counts are 0."""
    top = (1.0 + beta * beta) * tp
    bottom = top + beta * beta * fn + fp
    return top / bottom if bottom > 0.0 else math.nan


def f_beta_bounds(
    tp: float, fp: float, fn: float, beta: float, confidence_level: float, method: str
) -> tuple[float, float]:
    """Interval for F-beta when TP, FP, FN and TN are multinomial; [0, 1] when the first three are 0.

    Notes
    -----
    Given D = TP + FP + FN, TP is binomial with share J (the Jaccard index) and, given TP, FN is binomial among the
    errors with share r. F-beta depends on both: F/(1-F) = (1+b^2)/(b^2 r + 1 - r) * J/(1-J), increasing in J and
    monotone in r. For beta = 1 the share r drops out, F = 2J/(1+J), and any interval for J becomes one for F by that
    transformation. For other beta:

    * "bayes" takes the lower limit from the posterior of (TP, FP, FN) with three quarters of a case more among the
      errors that cost more, the upper one from that with as much more in TP. For beta = 1, and in the limits 0 and
      infinity, this is the interval of J, of precision and of recall.
    * "wilson" inverts the score test. Under F = f the contrast W = (1+b^2)(1-f) TP - f b^2 FN - f FP has mean 0; its
      variance is taken at the most likely multinomial with F = f, which has a closed form. For beta = 1 this is
      Wilson's interval for J, transformed.
    * "clopper-pearson" puts Clopper-Pearson intervals of level sqrt(level) for J and for r together and takes the
      extreme F. The level is a guaranteed lower bound, because r is estimated given TP.
    * "jeffreys" takes equal tails of the posterior of F under independent Beta(1/2, 1/2) priors for J and r.
    """
    if tp + fp + fn == 0.0:
        return 0.0, 1.0
    if beta == 1.0:
        low, high = proportion_bounds(np.asarray(tp), np.asarray(tp + fp + fn), confidence_level, method)
        return 2.0 * float(low) / (1.0 + float(low)), 2.0 * float(high) / (1.0 + float(high))
    if method == "wilson":
        return _score(tp, fp, fn, beta, confidence_level)
    if method == "clopper-pearson":
        return _rectangle(tp, fp, fn, beta, confidence_level)
    return _posterior(tp, fp, fn, beta, confidence_level, method)


def _score(tp: float, fp: float, fn: float, beta: float, level: float) -> tuple[float, float]:
    square = beta * beta
    total = tp + fp + fn
    z = normal_quantile(level)
    # The error that costs more, and the one that costs less, as (count, cost).
    heavy, light = ((fn, square), (fp, 1.0)) if square >= 1.0 else ((fp, 1.0), (fn, square))

    def accepted(f: float) -> bool:
        up, w_heavy, w_light = (1.0 + square) * (1.0 - f), -f * heavy[1], -f * light[1]
        contrast = tp * up + heavy[0] * w_heavy + light[0] * w_light
        # Most likely shares under "mean contrast 0": count / total / (1 + t w), t the smaller root of a quadratic.
        a = up * w_heavy * w_light * total
        b = tp * up * (w_heavy + w_light) + heavy[0] * w_heavy * (up + w_light) + light[0] * w_light * (up + w_heavy)
        root = math.sqrt(max(b * b - 4.0 * a * contrast, 0.0))
        t = 2.0 * contrast / (root - b) if root > b else 0.0
        if b > 0.0 and a > 0.0:
            t = (-b - root) / (2.0 * a)
        share_light = light[0] / total
        if share_light > 0.0:  # no share exceeds 1, whatever rounding makes of the divisor
            share_light /= max(1.0 + t * w_light, share_light)
        # The two constraints give the others, also where a count is 0.
        share_heavy = max((up * (1.0 - share_light) + share_light * w_light) / (up - w_heavy), 0.0)
        variance = share_light * w_light * (w_light - up) + share_heavy * w_heavy * (w_heavy - up)
        return contrast * contrast <= z * z * total * variance

    value = f_beta(tp, fp, fn, beta)
    # At the ends the test is degenerate; a step inside decides whether they belong to the interval.
    low = 0.0 if tp == 0.0 else bisect(accepted, 0.0, value)
    high = 1.0 if value == 1.0 else bisect(accepted, 1.0, value)
    return low, high


def _from_shares(jaccard: float, missed: float, beta: float) -> float:
    return f_beta(jaccard, (1.0 - jaccard) * (1.0 - missed), (1.0 - jaccard) * missed, beta)


def _rectangle(tp: float, fp: float, fn: float, beta: float, level: float) -> tuple[float, float]:
    each = math.sqrt(level)
    counts = np.array([tp, fn]), np.array([tp + fp + fn, fp + fn])
    low, high = proportion_bounds(*counts, each, "clopper-pearson")
    # More missed positives among the errors lower F when beta > 1 and raise it when beta < 1.
    worst, best = (high[1], low[1]) if beta > 1.0 else (low[1], high[1])
    return _from_shares(float(low[0]), float(worst), beta), _from_shares(float(high[0]), float(best), beta)


def _posterior(tp: float, fp: float, fn: float, beta: float, level: float, method: str) -> tuple[float, float]:
    tail, errors = (1.0 - level) / 2.0, fp + fn
    if method == "jeffreys":
        below = above = _posterior_cdf((tp + 0.5, errors + 0.5), (fn + 0.5, fp + 0.5), beta)
    else:
        # More of the errors that cost more for the lower limit, of what is right for the upper one.
        missed = (fn + ADVERSE, fp) if beta > 1.0 else (fn, fp + ADVERSE)
        below = _posterior_cdf((tp, errors + ADVERSE), missed, beta)
        above = _posterior_cdf((tp + ADVERSE, errors), (fn, fp), beta)
    low = 0.0 if tp == 0.0 else bisect(lambda f: below(f) <= tail, 1.0, 0.0)
    high = 1.0 if errors == 0.0 else bisect(lambda f: above(f) >= 1.0 - tail, 0.0, 1.0)
    value = f_beta(tp, fp, fn, beta)
    # Equal tails can leave out an estimate that is almost 0 or 1.
    return min(low, value), max(high, value)


def _posterior_cdf(jaccard: tuple[float, float], missed: tuple[float, float], beta: float) -> Callable[[float], float]:
    """Return the distribution function of F when its two shares have independent beta distributions of these shapes."""
    square = beta * beta
    one_end = np.full_like(NODES, float(missed[0] > 0.0))
    shares = one_end if 0.0 in missed else scipy.special.betaincinv(*missed, NODES)
    cost = square * shares + 1.0 - shares

    def below(f: float) -> float:
        share = f * cost / ((1.0 + square) * (1.0 - f) + f * cost)
        return float(dot(WEIGHTS, scipy.special.betainc(*jaccard, share)))

    return below
