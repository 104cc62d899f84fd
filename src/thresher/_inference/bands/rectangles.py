"""Simultaneous bands with a finite-sample guarantee: a band for each class, swept along the curve."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from thresher._inference.bands.class_cuts import Cuts
from thresher._inference.bands.local_level import local_level
from thresher.typing import BoolArray, FloatArray, IntArray

__all__ = ["DkwBounds", "LocalLevelBounds", "OrderBounds", "swept"]


@dataclass(frozen=True, slots=True)
class DkwBounds:
    """Bounds of all n order statistics U(k) of a uniform sample that are equally wide everywhere.

    They come from the Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant. U(0) = 0 and U(n + 1) = 1.
    """

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


def swept(cuts: Cuts, x: FloatArray, along: OrderBounds, across: OrderBounds) -> tuple[FloatArray, FloatArray]:
    """Return the least and the largest proportion of the other class above the cut with share x.

    The true cut of share x stands between the j-th and the (j+1)-th highest of the along class only if
    U(j) <= x <= U(j+1); over all j that the bounds allow, the proportion of the other class is bounded in the same way.
    Holds for every distribution, with or without ties.
    """
    least = cuts.fewest(along.fewest_below(x))
    most = cuts.most(along.most_below(x))
    return across.low(least), across.high(most + 1)
