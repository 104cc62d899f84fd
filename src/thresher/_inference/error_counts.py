"""How many errors a fresh sample has, and shortest intervals for mixtures over their number."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from thresher._cells import proportion_bounds
from thresher._core.root_search import bisect, minimise, rising_root
from thresher._core.sums import dot
from thresher._inference.interval import normal_quantile
from thresher.typing import BoolArray, FloatArray, IntArray

ERROR_INTERVALS = ("clopper-pearson", "wilson", "normal", "chebyshev")


def error_range(errors: int, total: int, confidence_level: float, method: str) -> tuple[int, int]:
    """Return the first and the last number of errors that an interval for the error rate covers, rounded outwards."""
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

    "binomial" is Binomial(N, k0/N), one point when k0 is 0 or N; "predictive" the beta-binomial of the Jeffreys prior.
    Built from ratios, outwards from k0: differences of log-gamma values would lose ten digits at N = 1e9.
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


BOUNDS = ("chebyshev", "selberg")
_ROUGH = 2000


class ErrorMixture(NamedTuple):
    """Element i: `k[i]` errors have probability `weight[i]`, and the AUC given them this mean and variance."""

    k: IntArray
    weight: FloatArray
    mean: FloatArray
    variance: FloatArray

    def rough(self) -> ErrorMixture:
        """Return every d-th element with the mass round it."""
        if self.k.size <= _ROUGH:
            return self
        k, weight = thinned(self.k, self.weight, _ROUGH)
        rows = np.searchsorted(self.k, k)
        return ErrorMixture(k, weight, self.mean[rows], self.variance[rows])

    def guess_error(self) -> float:
        """Return about how far an end found on the thinned distribution is from that of the whole one."""
        return max(1e-6 * math.sqrt(float(self.variance.max())), 1e-15)


def miss_bound(mean: FloatArray, variance: FloatArray, low: float, high: float, bound: str) -> FloatArray:
    """Return the least upper bound on P(A not in [low, high]) that the method proves; an end may be infinite.

    Chebyshev looks at the nearer end only. Selberg's bound, the sharp one for mean and variance, is with t the nearer
    and u the farther distance v/(v + t^2) when t(u - t) >= 2v, (4v + (u - t)^2)/(t + u)^2 when tu >= v > t(u - t)/2, 1
    otherwise.
    """
    below, above = mean - low, high - mean
    near, far = np.minimum(below, above), np.maximum(below, above)
    with np.errstate(invalid="ignore", divide="ignore"):
        if bound == "chebyshev":
            out = np.where(near > 0.0, np.minimum(1.0, variance / (near * near)), 1.0)
        else:
            product = near * (far - near)
            cantelli = variance / (variance + near * near)
            both = (4.0 * variance + (far - near) ** 2) / (far + near) ** 2
            middle = np.where(near * far >= variance, both, 1.0)
            out = np.where(near > 0.0, np.where(product >= 2.0 * variance, cantelli, middle), 1.0)
    # A variable without spread is inside a closed interval whose end it touches.
    return np.where((variance == 0.0) & (near >= 0.0), 0.0, out)


def _excess(mixture: ErrorMixture, low: float, high: float, bound: str, level: float) -> float:
    """Return by how much the proved probability exceeds the level."""
    missed = miss_bound(mixture.mean, mixture.variance, low, high, bound)
    return dot(mixture.weight, 1.0 - missed) - level


def _enough(mixture: ErrorMixture, low: float, high: float, bound: str, level: float) -> bool:
    return _excess(mixture, low, high, bound, level) >= 0.0


def _outermost(mixture: ErrorMixture, rough: ErrorMixture, bound: str, level: float) -> tuple[float, float]:
    """Return the greatest low that can do with high = inf, and the least high that can do with low = -inf."""
    reach = 2.0 + 2.0 / math.sqrt(1.0 - level)
    near_low = bisect(lambda end: _enough(rough, end, math.inf, bound, level), 2.0, -reach)
    near_high = bisect(lambda end: _enough(rough, -math.inf, end, bound, level), -1.0, reach)
    if rough is mixture:
        return near_low, near_high
    step = mixture.guess_error()
    low = rising_root(lambda end: _excess(mixture, end, math.inf, bound, level), 2.0, -reach, near=near_low, step=step)
    high = rising_root(
        lambda end: _excess(mixture, -math.inf, end, bound, level), -1.0, reach, near=near_high, step=step
    )
    return low, high


def shortest_optimal(mixture: ErrorMixture, bound: str, level: float) -> tuple[float, float]:
    """Return the shortest [low, high] with sum_k P(k) (1 - B_k(low, high)) >= level.

    The AUC never leaves [0, 1], so the interval may also be one-sided, ending exactly at 0 or 1. `low` is found on a
    thinned distribution when there are many k; `high` is then exact for that `low`.
    """
    rough = mixture.rough()
    top, bottom = _outermost(mixture, rough, bound, level)

    scale = max(bottom - top, float(np.sqrt(mixture.variance.max())), 1e-300)

    def high_for(low: float, parts: ErrorMixture) -> float:
        far = max(bottom, low) + 4.0 / math.sqrt(1.0 - level)
        if not _enough(parts, low, far, bound, level):
            return math.inf
        near = bottom if parts is rough else min(high_for(low, rough), far)
        step = 0.1 * scale if parts is rough else parts.guess_error()
        return rising_root(lambda end: _excess(parts, low, end, bound, level), low, far, near=near, step=step)

    # Any low in use lies below `top`; going far below it only lengthens the interval.
    grid = [top - scale * d for d in np.geomspace(2.0, 1e-4, 40).tolist()]
    low = minimise(lambda end: high_for(end, rough) - end, grid)
    high = high_for(low, mixture)
    if not high < math.inf:
        low = top - 2.0 * scale
        high = high_for(low, mixture)
    candidates = [(low, high), (0.0, bottom), (top, 1.0)]
    return min(candidates, key=lambda ends: min(ends[1], 1.0) - max(ends[0], 0.0))


def shortest_gaussian(mixture: ErrorMixture, errors: int, level: float) -> tuple[float, float, float, float, BoolArray]:
    """Return (low, high, a0, a1, used) of least length for eps_k = a0 exp((k - k0)^2 / (2 a1^2)).

    For each a1 the greatest a0 with sum_k P(k) max(0, 1 - eps_k) >= level is taken; k with eps_k >= 1 are not `used`.
    """
    spread = math.sqrt(dot(mixture.weight, (mixture.k - float(errors)) ** 2))
    if spread == 0.0:
        spread = 1.0
    rough = mixture.rough()

    def length(log_a1: float) -> float:
        low, high, _, _ = _gaussian(rough, errors, level, math.exp(log_a1))
        return high - low

    grid = np.log(spread * np.geomspace(0.4, 30.0, 40)).tolist()
    a1 = math.exp(minimise(length, grid))
    low, high, a0, used = _gaussian(mixture, errors, level, a1)
    return low, high, a0, a1, used


def _gaussian(mixture: ErrorMixture, errors: int, level: float, a1: float) -> tuple[float, float, float, BoolArray]:
    distance = (mixture.k - float(errors)) ** 2
    growth = np.exp(np.minimum(distance / (2.0 * a1 * a1), 600.0))
    order = np.argsort(distance, kind="stable")
    weight = mixture.weight[order]
    # The sum over the k with eps_k < 1 is the largest sum over any set; so the greatest a0 is a maximum over the sets
    # {|k - k0| <= R}, and no root needs to be searched for.
    a0 = float(np.max((np.cumsum(weight) - level) / np.cumsum(weight * growth[order])))
    if a0 <= 0.0:
        return -math.inf, math.inf, 0.0, np.zeros(distance.size, dtype=np.bool_)
    eps = a0 * growth
    used = eps < 1.0
    arm = np.sqrt(mixture.variance[used] / eps[used])
    mean = mixture.mean[used]
    return float(np.min(mean - arm)), float(np.max(mean + arm)), a0, used


def shortest_constant_selberg(mean: FloatArray, variance: FloatArray, eps: float) -> tuple[float, float, int, int]:
    """Return (low, high, row of low, row of high): the shortest with Selberg's bound at most eps for each row.

    With c = sd sqrt(1/eps - 1), an arm of length a >= c on one side needs an arm b on the other: b = c when a >= c +
    2v/c, otherwise a + b = 2 (a - sqrt(eps a^2 - (1 - eps) v)) / (1 - eps). As a function of the low end the high end
    is then a maximum of convex functions. An end at 0 or 1 is free, so one-sided intervals take part too.
    """
    shortest = np.sqrt(variance * (1.0 / eps - 1.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        plenty = np.where(variance > 0.0, shortest + 2.0 * variance / shortest, 0.0)

    def other_arm(arm: FloatArray) -> FloatArray:
        root = np.sqrt(np.maximum(eps * arm * arm - (1.0 - eps) * variance, 0.0))
        both = 2.0 * (arm - root) / (1.0 - eps)
        return np.where(arm >= plenty, shortest, both - arm)

    def high_for(low: float) -> float:
        return float(np.max(mean + other_arm(mean - low)))

    top, bottom = float(np.min(mean - shortest)), float(np.max(mean + shortest))
    far = float(np.min(mean - plenty))
    low = minimise(lambda end: high_for(end) - end, np.linspace(far, top, 33).tolist()) if far < top else top
    candidates = [(low, high_for(low)), (0.0, bottom), (top, 1.0)]
    choice = min(range(3), key=lambda i: min(candidates[i][1], 1.0) - max(candidates[i][0], 0.0))
    low, high = candidates[choice]
    at_low = int(np.argmin(mean - (other_arm(high - mean) if choice == 0 else shortest)))
    at_high = int(np.argmax(mean + (other_arm(mean - low) if choice == 0 else shortest)))
    return low, high, at_low, at_high
