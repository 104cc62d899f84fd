"""The largest of correlated normal variables: quantiles for intervals that hold together, adjusted p values.

With one common factor (independent estimates, equal correlations, differences from one reference with disjoint rows)
the probability is an integral in one variable. Otherwise a normal vector is its length times its direction: the
length has a chi distribution, and the mean over directions is taken at fixed quasi-random points.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from thresher._core.root_search import rising_root
from thresher.typing import FloatArray

__all__ = ["max_t_exceeds", "max_t_quantile"]

_POINTS = 1 << 13
_NODES = 400
_RANK = 1e-10


def max_t_quantile(correlation: FloatArray, confidence_level: float) -> float:
    """Return q with P(max |Z| <= q) equal to the level for normal Z with these correlations."""
    exceeds = _exceeds(correlation)
    alpha = 1.0 - confidence_level
    one = -float(scipy.special.ndtri(alpha / 2.0))
    most = -float(scipy.special.ndtri(alpha / (2.0 * max(len(correlation), 1)))) + 1e-9
    return rising_root(lambda q: alpha - float(exceeds(np.array([q]))[0]), one - 1e-9, most, near=one, step=0.1)


def max_t_exceeds(correlation: FloatArray, at: FloatArray) -> FloatArray:
    """Return P(max |Z| >= q) for each q: p values that are adjusted for all of the tests at once."""
    single = 2.0 * scipy.special.ndtr(-np.abs(at))
    found = _exceeds(correlation)(np.abs(at))
    return np.asarray(np.clip(found, single, np.minimum(len(correlation) * single, 1.0)))


class _OneFactor:
    """Z_i = l_i F + sqrt(1 - l_i^2) E_i with independent F and E_i: an integral over F."""

    def __init__(self, loadings: FloatArray) -> None:
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        self._factor = 9.0 * nodes
        self._density = 9.0 * weights * np.exp(-0.5 * self._factor**2) / math.sqrt(2.0 * math.pi)
        self._loadings, self._rest = loadings, np.sqrt(1.0 - loadings**2)

    def __call__(self, at: FloatArray) -> FloatArray:
        shift = self._loadings[:, None] * self._factor
        rest = self._rest[:, None]
        out = np.empty(at.size)
        for i, q in enumerate(at.tolist()):
            outside = scipy.special.ndtr((shift - q) / rest) + scipy.special.ndtr((-q - shift) / rest)
            # Of a product of probabilities near 1 the difference from 1, without loss of digits.
            out[i] = -float((self._density * np.expm1(np.log1p(-np.minimum(outside, 1.0 - 1e-16)).sum(axis=0))).sum())
        return out


class _Directions:
    """Any correlations: the mean over directions of the probability that the length goes beyond."""

    def __init__(self, correlation: FloatArray) -> None:
        sizes, vectors = np.linalg.eigh(correlation)
        kept = sizes > _RANK * sizes.max()
        self._rank = int(kept.sum())
        root = vectors[:, kept] * np.sqrt(sizes[kept])
        points = _normal_points(self._rank)
        points /= np.linalg.norm(points, axis=1)[:, None]
        self._reach = np.concatenate([np.abs(part @ root.T).max(axis=1) for part in np.array_split(points, 32)])

    def __call__(self, at: FloatArray) -> FloatArray:
        return np.array([float(scipy.special.chdtrc(self._rank, (q / self._reach) ** 2).mean()) for q in at.tolist()])


def _exceeds(correlation: FloatArray) -> _OneFactor | _Directions:
    loadings = _one_factor(correlation)
    return _Directions(correlation) if loadings is None else _OneFactor(loadings)


def _one_factor(correlation: FloatArray) -> FloatArray | None:
    """Return loadings whose products are the correlations, up to signs of variables; None if there are none."""
    k = len(correlation)
    sizes = np.abs(correlation)
    if k == 1:
        return np.zeros(1)
    if k == 2:
        return None if sizes[0, 1] > 1.0 - 1e-12 else np.full(2, math.sqrt(sizes[0, 1]))
    if not (sizes - np.diag(np.diag(sizes))).any():
        return np.zeros(k)
    row = int(np.argmax(np.where(np.eye(k, dtype=bool), np.inf, sizes).min(axis=1)))
    others = [i for i in range(k) if i != row]
    i, j = others[:2]
    if not (correlation[row, others] != 0.0).all() or correlation[i, j] == 0.0:
        return None
    square = correlation[row, i] * correlation[row, j] / correlation[i, j]
    if not 0.0 < square < 1.0 - 1e-9:
        return None
    loadings = correlation[row] / math.sqrt(square)
    loadings[row] = math.sqrt(square)
    if (np.abs(loadings) >= 1.0 - 1e-9).any():
        return None
    model = np.outer(loadings, loadings)
    np.fill_diagonal(model, 1.0)
    return loadings if np.allclose(model, correlation, atol=1e-9) else None


def _normal_points(columns: int) -> FloatArray:
    """Return fixed quasi-random normal points: a lattice with the roots of primes, each point with its opposite."""
    steps = np.sqrt(np.array(_primes(columns), dtype=np.float64)) % 1.0
    uniform = (np.arange(1, _POINTS + 1)[:, None] * steps + 0.5) % 1.0
    uniform = np.abs(2.0 * uniform - 1.0)  # the tent, which makes the lattice rule one of higher order
    return np.asarray(scipy.special.ndtri(np.clip(uniform, 1e-12, 1.0 - 1e-12)))


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % one for one in found if one * one <= number):
            found.append(number)
        number += 1
    return found
