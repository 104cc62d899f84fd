"""Bounds of all order statistics of a sample together."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from thresher._inference.bands.local_level_table import LOG_LOCAL_LEVELS, LOG_RATES, SIZES
from thresher.typing import BoolArray, FloatArray, IntArray

# Up to this size the level is computed for the size itself; beyond, it is read from a table of computed values.
_COMPUTED_UP_TO = 500
# Chance of more points than this between two neighbouring bounds is far below what the sum can show.
_TERMS_TOLERANCE = 1e-17
# Where misses are rarer than this, rounding hides them. Bonferroni's level then does: bounds are a few percent wider.
_RARE = 5e-10
# The logarithm of the largest local level that is tried: at 1 nothing is left between the bounds.
_LARGEST = -1e-3
_MOST_STEPS = 60
# What interpolation may be off, with a margin.
_MARGIN = 2e-3


@lru_cache(maxsize=256)
def local_level(n: int, level: float) -> float:
    """Return eta such that all n bounds with tails eta/2 hold together with probability `level`.

    Beyond 500 that of the next larger size of the table, where it is a little smaller: never too narrow.
    """
    if n > _COMPUTED_UP_TO:
        return _from_table(n, level)
    return (1.0 - level) / n if n == 1 or 1.0 - level < _RARE else _solved(n, level)


def _solved(n: int, level: float) -> float:
    """Return the local level by secant steps in the log of the miss rate, which is nearly straight, in a bracket."""
    wanted = math.log(-math.log(level))
    old = math.log((1.0 - level) / (2.0 + math.log(n)))
    f_old = _log_rate(n, old) - wanted
    low, high = -math.inf, _LARGEST
    new = min(old - f_old, high)
    for _ in range(_MOST_STEPS):
        f_new = _log_rate(n, new) - wanted
        if abs(f_new) < 1e-6 or (new == _LARGEST and f_new < 0.0):
            break
        low, high = (new, high) if f_new < 0.0 else (low, new)
        step = new - f_new * (new - old) / (f_new - f_old) if f_new != f_old else high
        if not low < step < high:
            step = (max(low, high - 2.0) + high) / 2.0
        old, f_old, new = new, f_new, step
    return math.exp(new - 1e-5)


def _log_rate(n: int, log_local: float) -> float:
    """Return log(-log P(all bounds hold))."""
    held = holding_probability(n, math.exp(log_local))
    return math.log(-math.log(min(max(held, 1e-300), 1.0 - 1e-16)))


def _from_table(n: int, level: float) -> float:
    row = int(np.searchsorted(SIZES, min(n, SIZES[-1]), side="left"))
    wanted = math.log(-math.log(level))
    rates, locals_ = np.asarray(LOG_RATES[row]), np.asarray(LOG_LOCAL_LEVELS)
    found = float(np.interp(wanted, rates, locals_)) - _MARGIN
    if wanted < rates[0]:
        # For rare misses the two are proportional.
        found += wanted - float(rates[0])
    if n > SIZES[-1]:
        # The local level falls like 1 / (log n log log n) (Gontscharuk, Landwehr and Finner 2016).
        last = SIZES[-1]
        found -= math.log(math.log(n) * math.log(math.log(n)) / (math.log(last) * math.log(math.log(last))))
    return math.exp(found)


def holding_probability(n: int, local: float) -> float:
    """Return the probability that U(k) lies between its local/2 and 1 - local/2 quantiles for all k at once.

    The count of a Poisson process, given that it has n points, is followed from bound to bound; paths that break one
    are dropped (Khmaladze and Shinjikashvili 2001).
    """
    k = np.arange(1.0, n + 1.0)
    low = scipy.special.betaincinv(k, n + 1.0 - k, local / 2.0)
    high = scipy.special.betainccinv(k, n + 1.0 - k, local / 2.0)
    # At time t the count N(t) must be at least #{high <= t} and, just before low[k], at most k - 1.
    times = np.concatenate((low, high))
    order = np.argsort(times, kind="stable")
    times = times[order]
    is_low = order < n
    passed_low = np.cumsum(is_low)
    passed_high = np.cumsum(~is_low)

    state = np.ones(1)
    offset = 0
    before = 0.0
    log_scale = 0.0
    for i in range(2 * n):
        jump = _poisson(n * (times[i] - before))
        state = np.convolve(state, jump)
        before = times[i]
        # Just before low[k] the count is at most k - 1; from high[k] on it is at least k.
        most = int(passed_low[i]) - 1 if is_low[i] else n
        least = int(passed_high[i])
        stop = min(state.size, most - offset + 1)
        start = max(0, least - offset)
        if stop <= start:
            return 0.0
        state = state[start:stop]
        offset += start
        total = state.sum()
        state = state / total
        log_scale += math.log(total)
    rest = n - (offset + np.arange(state.size))
    span = n * (1.0 - before)
    with np.errstate(divide="ignore"):
        log_last = rest * np.log(span) - span - scipy.special.gammaln(rest + 1.0)
    reached = float((state * np.exp(log_last))[rest >= 0].sum())
    log_all = n * math.log(n) - n - math.lgamma(n + 1.0)
    return reached * math.exp(log_scale - log_all)


def _poisson(mean: float) -> FloatArray:
    """Return Poisson probabilities until they vanish."""
    terms = [math.exp(-mean)]
    k = 0
    while k < mean or terms[-1] > _TERMS_TOLERANCE:
        k += 1
        terms.append(terms[-1] * mean / k)
    return np.asarray(terms)


@dataclass(frozen=True, slots=True)
class DkwBounds:
    """Bounds of all n order statistics of a uniform sample: by Dvoretzky, Kiefer and Wolfowitz, and Massart."""

    n: int
    reach: float

    @classmethod
    def at(cls, n: int, level: float) -> DkwBounds:
        """Return the bounds that hold together with at least this probability."""
        return cls(n, math.sqrt(math.log(2.0 / (1.0 - level)) / (2.0 * n)))

    def low(self, k: IntArray) -> FloatArray:
        """Return the lower bounds: the empirical distribution function is k/n at U(k)."""
        return np.where(k > self.n, 1.0, np.clip(k / self.n - self.reach, 0.0, 1.0))

    def high(self, k: IntArray) -> FloatArray:
        """Return the upper bounds: just below U(k) it is (k - 1)/n."""
        return np.where(k > self.n, 1.0, np.where(k < 1, 0.0, np.clip((k - 1) / self.n + self.reach, 0.0, 1.0)))

    def fewest_below(self, x: FloatArray) -> IntArray:
        """Return the smallest j with U(j + 1) >= x possible."""
        return _first(lambda j: self.high(j + 1) >= x, self.n, x)

    def most_below(self, x: FloatArray) -> IntArray:
        """Return the largest j with U(j) <= x possible."""
        return self.n - _first(lambda j: self.low(self.n - j) <= x, self.n, x)


@dataclass(frozen=True, slots=True)
class LocalLevelBounds:
    """Quantiles of each order statistic's own beta distribution, all at the same tail probability."""

    n: int
    tail: float

    @classmethod
    def at(cls, n: int, level: float) -> LocalLevelBounds:
        """Return the bounds that hold together with this probability."""
        return cls(n, local_level(n, level) / 2.0)

    def low(self, k: IntArray) -> FloatArray:
        """Return the lower bounds."""
        inner = np.clip(k, 1, self.n)
        value = scipy.special.betaincinv(inner, self.n + 1.0 - inner, self.tail)
        return np.where(k < 1, 0.0, np.where(k > self.n, 1.0, value))

    def high(self, k: IntArray) -> FloatArray:
        """Return the upper bounds."""
        inner = np.clip(k, 1, self.n)
        value = scipy.special.betainccinv(inner, self.n + 1.0 - inner, self.tail)
        return np.where(k < 1, 0.0, np.where(k > self.n, 1.0, value))

    def fewest_below(self, x: FloatArray) -> IntArray:
        """Return the smallest j with U(j + 1) >= x possible."""
        return _first(
            lambda j: (j >= self.n) | (scipy.special.betaincc(j + 1.0, self.n - j + 0.0, x) >= self.tail), self.n, x
        )

    def most_below(self, x: FloatArray) -> IntArray:
        """Return the largest j with U(j) <= x possible."""

        def possible(j: IntArray) -> BoolArray:
            k = np.maximum(self.n - j, 1)
            return np.asarray((j >= self.n) | (scipy.special.betainc(k, self.n + 1.0 - k, x) >= self.tail))

        return self.n - _first(possible, self.n, x)


OrderBounds = DkwBounds | LocalLevelBounds


def _first(possible: Callable[[IntArray], BoolArray], n: int, like: FloatArray) -> IntArray:
    """Return the smallest j from 0 to n from which on the condition holds; it holds at n."""
    low = np.zeros(like.shape, dtype=np.int64)
    high = np.full(like.shape, n, dtype=np.int64)
    while (low < high).any():
        middle = (low + high) // 2
        holds = possible(middle)
        low, high = np.where(holds, low, np.minimum(middle + 1, high)), np.where(holds, middle, high)
    return high
