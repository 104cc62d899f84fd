"""Quantiles of beta distributions at points that fill the unit cube evenly: the draws behind posterior limits."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher.typing import FloatArray

POINTS = 4096
_BITS = 12
_NODES = 40
_KEPT = 256
_SMOOTH = 0.4  # from this shape on interpolation keeps ten digits
# Joe and Kuo's direction numbers of the second and the third coordinate: the polynomial and its first integers.
_DIRECTIONS = ((1, 0, (1,)), (2, 1, (1, 3)))


class Halves(NamedTuple):
    """A share and what is left of it, each with all its digits."""

    share: FloatArray
    rest: FloatArray


@cache
def order_of_points() -> NDArray[np.intp]:
    """Return for each of Sobol's first 4096 points, by its first coordinate, the ranks of its other two.

    Among these points every coordinate takes each multiple of 1 / 4096 once, so that a point is three ranks.
    """
    index = np.arange(POINTS)
    ranks = [_mixed(index, [1 << (_BITS - 1 - j) for j in range(_BITS)])]
    for degree, polynomial, first in _DIRECTIONS:
        m = list(first)
        for j in range(degree, _BITS):
            new = m[j - degree] ^ (m[j - degree] << degree)
            for k in range(1, degree):
                new ^= (polynomial >> (degree - 1 - k) & 1) * (m[j - k] << k)
            m.append(new)
        ranks.append(_mixed(index, [m[j] << (_BITS - 1 - j) for j in range(_BITS)]))
    by_first = np.argsort(ranks[0])
    return np.stack([ranks[1][by_first], ranks[2][by_first]])


def _mixed(index: NDArray[np.intp], directions: list[int]) -> NDArray[np.intp]:
    out = np.zeros_like(index)
    for j, direction in enumerate(directions):
        out ^= np.where(index >> j & 1, direction, 0)
    return out


@cache
def _interpolation() -> tuple[FloatArray, FloatArray]:
    """Return Chebyshev nodes on the scale of normal quantiles, and the matrix from values there to all points."""
    points = scipy.special.ndtri((np.arange(POINTS) + 0.5) / POINTS)
    angles = np.pi * (np.arange(_NODES) + 0.5) / _NODES
    nodes = np.cos(angles)
    weights = np.sin(angles) * (-1.0) ** np.arange(_NODES)
    cauchy = weights / (points[:, None] / points[-1] - nodes)  # no point is a node: those are inside the range
    return points[-1] * nodes, np.ascontiguousarray((cauchy / cauchy.sum(axis=1, keepdims=True)).T)


_kept: dict[tuple[float, float], FloatArray] = {}


def beta_halves(a: FloatArray, b: FloatArray) -> Halves:
    """Return the quantiles of Beta(a, b) at (k + 1/2) / 4096, a row for each pair; a shape of 0 is a mass of 0."""
    pairs = list(zip(a.tolist(), b.tolist(), strict=True))
    known = dict(_kept)
    new = [pair for pair in dict.fromkeys(pairs) if pair not in known]
    if new:
        odds = _log_odds(np.array(new))
        known.update(zip(new, np.stack([scipy.special.expit(odds), scipy.special.expit(-odds)], axis=1), strict=True))
        if len(_kept) + len(new) > _KEPT:
            _kept.clear()
        _kept.update({pair: known[pair] for pair in new[:_KEPT]})
    both = np.stack([known[pair] for pair in pairs])
    return Halves(both[:, 0], both[:, 1])


def _log_odds(shapes: FloatArray) -> FloatArray:
    """Return the log odds of the quantiles: a smooth function of the normal quantile, so a few nodes are enough."""
    nodes, matrix = _interpolation()
    out = np.zeros((len(shapes), POINTS))  # nothing is known of a proportion of nothing
    out[(shapes[:, 0] > 0.0) & (shapes[:, 1] == 0.0)] = np.inf
    out[(shapes[:, 0] == 0.0) & (shapes[:, 1] > 0.0)] = -np.inf
    inner = (shapes > 0.0).all(axis=1)
    if not inner.any():
        return out
    # Not by BLAS, whose threads wait for each other longer than so few products take.
    found = np.einsum("ij,jk->ik", _odds_at(shapes[inner], nodes), matrix)
    rough = (shapes[inner] < _SMOOTH).any(axis=1) | ~np.isfinite(found).all(axis=1)
    if rough.any():
        found[rough] = _odds_at(shapes[inner][rough], scipy.special.ndtri((np.arange(POINTS) + 0.5) / POINTS))
    out[inner] = found
    return out


def _odds_at(shapes: FloatArray, normal: FloatArray) -> FloatArray:
    a, b = shapes[:, :1], shapes[:, 1:]
    low = scipy.special.betaincinv(a, b, scipy.special.ndtr(normal))
    high = scipy.special.betaincinv(b, a, scipy.special.ndtr(-normal))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(low) - np.log(high))


def quantile_of_draws(draws: FloatArray, tail: float) -> FloatArray:
    """Return the quantile of each row of draws, the k-th smallest standing at (k - 1/2) / n."""
    place = min(max(tail * draws.shape[-1] - 0.5, 0.0), draws.shape[-1] - 1.0)
    k = int(place)
    after = min(k + 1, draws.shape[-1] - 1)
    parts = np.partition(draws, (k, after), axis=-1)
    below, above = parts[..., k], parts[..., after]
    with np.errstate(invalid="ignore"):
        between = below + (place - k) * (above - below)
    return np.where((below == above) | (place == k), below, between)
