"""Areas under population curves: sums over atoms plus integrals in the threshold."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from thresher._core.sums import dots
from thresher.exceptions import InvalidInputError
from thresher.population._distributions import Distribution, Points, plain
from thresher.typing import FloatArray

_EPS = float(np.finfo(np.float64).eps)
_COARSE, _COARSE_WEIGHTS = np.polynomial.legendre.leggauss(10)
_FINE, _WEIGHTS = np.polynomial.legendre.leggauss(21)


class Integral(NamedTuple):
    """A value with an estimate of its absolute error."""

    value: float
    error: float


@np.errstate(under="ignore")  # of the integrand too
def integrate_panels(
    function: Callable[[FloatArray], FloatArray], edges: FloatArray, *, rtol: float = 1e-15, max_rounds: int = 40
) -> Integral:
    """Integrate a function over consecutive panels, halving those that have not converged."""
    low, high = edges[:-1].astype(np.float64), edges[1:].astype(np.float64)
    done_value = done_error = done_size = 0.0
    for round_ in range(max_rounds + 1):
        if low.size == 0:
            break
        half, middle = 0.5 * (high - low), 0.5 * (high + low)
        nodes = middle[:, None] + half[:, None] * np.concatenate([_FINE, _COARSE])
        found = function(nodes.ravel()).reshape(nodes.shape)
        heights, coarse = found[:, : _FINE.size], found[:, _FINE.size :]
        value = half * dots(heights, _WEIGHTS)
        size = half * dots(np.abs(heights), _WEIGHTS)
        spread = half * dots(np.abs(heights - (value / np.where(half == 0, 1.0, 2 * half))[:, None]), _WEIGHTS)
        error = np.abs(value - half * dots(coarse, _COARSE_WEIGHTS))
        with np.errstate(divide="ignore", invalid="ignore"):
            sharp = spread * np.minimum(1.0, (200 * error / spread) ** 1.5)
        error = np.where((spread > 0) & (error > 0), sharp, error)
        total = done_size + float(size.sum())
        # A panel is finished when its error is negligible for the whole or is rounding noise of its own height.
        good = (error <= rtol * total / 64) | (error <= 10 * _EPS * size) | (half <= 4 * _EPS * np.abs(middle))
        if round_ == max_rounds:
            good[:] = True
        done_value += float(value[good].sum())
        done_size += float(size[good].sum())
        done_error += float(np.maximum(error[good], 2 * _EPS * size[good]).sum())
        low, middle, high = low[~good], middle[~good], high[~good]
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    return Integral(done_value, done_error)


PR_ESTIMATORS = ("functional", "interpolated", "inclusive", "average_precision")

# Tail probabilities at whose quantiles the panels end, so that no scale of either distribution is overlooked.
_LEVELS = 10.0 ** -np.array(
    [0.301029995663981, 0.6, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 25, 30, 40, 60, 100, 150, 200, 300]
)
_MOST_BREAKS = 1 << 16


def _quantiles(distribution: Distribution, *, upper: bool) -> Points:
    """Return about the distribution's quantiles at the levels, as far into the tail as the distribution can answer."""
    kept: dict[bool, Points] = distribution.__dict__.setdefault("_level_quantiles", {})
    if upper not in kept:
        kept[upper] = _find_quantiles(distribution, upper=upper)
    return kept[upper]


def _find_quantiles(distribution: Distribution, *, upper: bool) -> Points:
    for count in (_LEVELS.size, 13, 7, 5):
        try:
            points = distribution.rough_points(_LEVELS[:count], upper=upper)
        except InvalidInputError:
            continue
        return points.select(np.isfinite(points.offset))
    raise InvalidInputError(
        f"the distribution {distribution!r} must have quantiles at probabilities down to 0.01; it has not."
    )


def _landmarks(distributions: list[Distribution]) -> list[Points]:
    """Return thresholds where something may happen: quantiles, ends, atoms."""
    found: list[Points] = []
    for distribution in distributions:
        for _, leaf in distribution.leaves():
            found += [_quantiles(leaf, upper=False), _quantiles(leaf, upper=True)]
        found += [plain(distribution.breaks()), plain(distribution.atoms()[0][:_MOST_BREAKS])]
    return found


def expectation(leaf: Distribution, function: Callable[[Points], FloatArray], others: list[Distribution]) -> Integral:
    """Return the expectation of a bounded function of a score without atoms."""
    marks = _landmarks(others)
    halves = [_half(leaf, function, marks, upper=upper) for upper in (False, True)]
    return Integral(halves[0].value + halves[1].value, halves[0].error + halves[1].error)


def _half(
    leaf: Distribution, function: Callable[[Points], FloatArray], marks: list[Points], *, upper: bool
) -> Integral:
    own = _quantiles(leaf, upper=upper)
    if not leaf.has_density:
        return _half_by_probability(leaf, function, marks, upper=upper)
    end = leaf.upper if upper else leaf.lower
    anchor = end if math.isfinite(end) else 0.0

    def offsets(points: Points) -> FloatArray:
        return np.where(points.anchor == anchor, points.offset, points.value - anchor)

    # The halves meet at the exact median; a finite end closes the other side.
    median = leaf.isf_points(np.array([0.5]))
    mine = np.concatenate([offsets(median), offsets(own), [0.0] if math.isfinite(end) else []])
    mine = mine[mine >= mine[0]] if upper else mine[mine <= mine[0]]
    edges = _edges(mine, [offsets(points) for points in marks])
    if edges.size < 2:
        return Integral(0.0, 0.0)

    def integrand(offset: FloatArray) -> FloatArray:
        points = Points(np.full_like(offset, anchor), offset)
        with np.errstate(all="ignore"):
            height = leaf.pdf_at(points)
            value = height * function(points)
        return np.where(height > 0, value, 0.0)

    result = integrate_panels(integrand, edges)
    if math.isfinite(end):
        return result
    # What lies beyond the outermost panel.
    last = plain(anchor + (edges[-1] if upper else edges[0]))
    return Integral(result.value, result.error + float(leaf._beyond(last, upper=upper)[0]))


def _half_by_probability(
    leaf: Distribution, function: Callable[[Points], FloatArray], marks: list[Points], *, upper: bool
) -> Integral:
    """Integrate over the probability itself, for distributions whose density is not known."""
    images = [leaf._beyond(points, upper=upper) for points in marks]
    edges = _edges(np.append(_LEVELS, 0.5), images)

    def integrand(q: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            return function(leaf._quantiles(q, upper=upper))

    result = integrate_panels(integrand, edges, max_rounds=25)
    return Integral(result.value, result.error + float(_LEVELS[-1]))


def _edges(own: FloatArray, others: list[FloatArray]) -> FloatArray:
    low, high = float(own.min()), float(own.max())
    edges = np.unique(np.concatenate([own, *others]))
    return edges[(edges >= low) & (edges <= high)]


def roc_area(pos: Distribution, neg: Distribution, *, ties: float) -> Integral:
    """Return P(S+ > S-) + ties * P(S+ = S-)."""
    if pos.discrete:
        # Counted from the positives no integral is left, whatever the negatives are.
        values, masses = pos.atoms()
        points = plain(values)
        return _rounded(math.fsum(masses * (neg.cdf_at(points) - (1.0 - ties) * neg.mass_at(points))), 0.0)
    values, masses = neg.atoms()
    points = plain(values)
    won = pos.sf_at(points) + ties * pos.mass_at(points)
    value, error = math.fsum(masses * won), 0.0
    for weight, leaf in neg.leaves():
        part = expectation(leaf, pos.sf_at, [pos, neg])
        value, error = value + weight * part.value, error + weight * part.error
    return _rounded(value, error)


def _rounded(value: float, error: float) -> Integral:
    """Return an area with the rounding of its last sums added to the error."""
    return Integral(min(max(value, 0.0), 1.0), error + 4 * float(np.finfo(np.float64).eps) * abs(value))


def pr_area(pos: Distribution, neg: Distribution, skew: float, *, estimator: str) -> Integral:
    """Return the area under the precision-recall curve."""
    value, error = _blocks(pos, neg, skew, estimator), 0.0

    def precision(points: Points) -> FloatArray:
        recall = pos.sf_at(points)
        return recall / (recall + skew * neg.sf_at(points))

    for weight, leaf in pos.leaves():
        part = expectation(leaf, precision, [pos, neg])
        value, error = value + weight * part.value, error + weight * part.error
    return _rounded(value, error)


def _blocks(pos: Distribution, neg: Distribution, skew: float, estimator: str) -> float:
    """Return the proportion of the area that belongs to the atoms of the positives."""
    values, p = pos.atoms()
    if values.size == 0:
        return 0.0
    points = plain(values)
    recall, false = pos.sf_at(points), skew * neg.sf_at(points)  # before the block, per positive
    block = skew * neg.mass_at(points)
    if estimator == "average_precision":
        return math.fsum(p * (recall + p) / (recall + p + false + block))
    if estimator == "inclusive":
        false, block = false + block, np.zeros_like(block)
    elif estimator == "functional":
        block = np.zeros_like(block)
    # Inside a block FP = false + slope * (TP - recall), so the area is the integral of u / (u + FP(u)); written as a
    # sum of nonnegative terms, it loses no digits when the precision is small.
    rise = 1.0 + block / p
    called = recall + false
    with np.errstate(divide="ignore", invalid="ignore"):
        y = p * rise / called
        whole = called * y_minus_log1p(y) + rise * recall * np.log1p(y)
    return math.fsum(np.where(called == 0, p * rise, whole) / rise**2)


def y_minus_log1p(y: FloatArray) -> FloatArray:
    """Return y - log(1 + y) for y >= 0 without cancellation."""
    small = y < 0.25
    z = np.where(small, y, 0.0)
    series = np.zeros_like(z)
    for k in range(28, 1, -1):
        series = (-1.0) ** k / k + z * series
    with np.errstate(invalid="ignore"):
        return np.where(small, z * z * series, y - np.log1p(y))
