"""The power of tests on counts, by going through what a study can show: two counts, the second given the first."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.sums import dot
from thresher._decide.question import Question, StudyCases, least_size, tails
from thresher.typing import FloatArray

Rejects = Callable[[FloatArray, FloatArray], NDArray[np.bool_]]
"""Whether a test rejects at the first and the second count; once it does, it does for all further second counts."""

_REACH = 9.0  # standard deviations, beyond which less than 1e-18 of a normal distribution lies
_AHEAD, _MOST_AHEAD = 0.1, 200


def counted(
    counts: Callable[[StudyCases], TwoCounts], test: Callable[[StudyCases, float, bool], Rejects], **facts: Any
) -> Question:
    """Return the question of two counts; `test` gives the one-sided test at a level, upwards or downwards."""
    up, down = tails(facts["level"], facts["alternative"])

    def power(cases: StudyCases) -> float:
        above = test(cases, up, True) if up else None
        below = test(cases, down, False) if down else None
        return rejection_share(counts(cases), above, below)

    return Question(_power=power, _search=steady_size, **facts)


@dataclass(frozen=True, slots=True)
class TwoCounts:
    """Two counts: the first is binomial, and so is the second, given the first."""

    n: int
    first: float
    """The proportion of the first count, of n cases."""
    second: float
    """That of the second, of as many cases as `rest` leaves."""
    rest: int | None = None
    """So many cases; None for those that the first left over, -1 for those that it took."""

    def likely(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the first counts that can happen, their probabilities, and the cases for the second."""
        middle, spread = self.n * self.first, math.sqrt(self.n * self.first * (1.0 - self.first))
        low = max(math.floor(middle - _REACH * spread) - 20, 0)
        high = min(math.ceil(middle + _REACH * spread) + 20, self.n)
        counts = np.arange(low, high + 1, dtype=np.float64)
        sizes = np.full_like(counts, self.rest or 0.0)
        if self.rest is None:
            sizes = self.n - counts
        elif self.rest < 0:
            sizes = counts
        return counts, chance_of(counts, self.n, self.first), sizes


def chance_of(counts: FloatArray, n: Any, share: float) -> FloatArray:
    """Return the probability of exactly so many of n."""
    if share in (0.0, 1.0):
        return np.where(counts == n * share, 1.0, 0.0)
    ways = -np.log1p(n) - scipy.special.betaln(n - counts + 1.0, counts + 1.0)
    return np.asarray(np.exp(ways + counts * math.log(share) + (n - counts) * math.log1p(-share)))


def rejection_share(distribution: TwoCounts, above: Rejects | None, below: Rejects | None) -> float:
    """Return how often a test rejects, upwards or downwards: every pair of counts has its probability."""
    first, chance, sizes = distribution.likely()
    share = 0.0
    if above is not None:
        least = _first_true(lambda second: above(first, second), sizes)
        share += dot(chance, at_least(least, sizes, distribution.second))
    if below is not None:
        # Seen from the other end the second count is what is missing.
        most = sizes - _first_true(lambda missing: below(first, sizes - missing), sizes)
        share += dot(chance, at_least(sizes - most, sizes, 1.0 - distribution.second))
    return min(share, 1.0)


def _first_true(holds: Callable[[FloatArray], NDArray[np.bool_]], sizes: FloatArray) -> FloatArray:
    """Return for each element the least count at which a condition holds; one more than there are if at none."""
    low, high = np.full_like(sizes, -1.0), sizes + 1.0
    while np.any(high - low > 1.0):
        middle = np.floor((low + high) / 2.0)
        known = high - low > 1.0
        found = holds(np.clip(middle, 0.0, sizes))
        high = np.where(known & found, middle, high)
        low = np.where(known & ~found, middle, low)
    return high


def at_least(least: FloatArray, sizes: FloatArray, share: float) -> FloatArray:
    """Return the probability of at least so many."""
    if share in (0.0, 1.0):
        return np.where(sizes * share >= least, 1.0, 0.0)
    inside = np.clip(least, 1.0, np.maximum(sizes, 1.0))
    found = scipy.special.betainc(inside, np.maximum(sizes, 1.0) - inside + 1.0, share)
    return np.where(least <= 0.0, 1.0, np.where(least > sizes, 0.0, found))


def steady_size(reached: Callable[[int], bool], power: float = 0.0) -> int:
    """Return the least size at which a power is reached, and at all of the next tenth of sizes: it rises in a sawtooth.

    At least five further sizes are tried, and at most two hundred.
    """
    del power
    size, fallen = least_size(reached), [0]
    while fallen:
        ahead = range(size + 1, size + 1 + min(max(math.ceil(_AHEAD * size), 5), _MOST_AHEAD))
        fallen = [n for n in ahead if not reached(n)]
        size = fallen[-1] + 1 if fallen else size
    return size
