"""Distributions built from distributions: mixtures, kernel densities, shifts, reflections, increasing functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import special

from thresher._core.arrays import frozen
from thresher._core.checks import show
from thresher._core.sums import dot, dots
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.population._distributions import (
    SNAP,
    Discrete,
    Distribution,
    Points,
    invert,
    plain,
    snap_up,
    table_distribution,
)
from thresher.population._families import BetaDistribution, ScipyDistribution
from thresher.population._tails import Tail, family_tails, scale_tail, tail_ratio
from thresher.typing import ArrayLike, BoolArray, FloatArray


def affine(distribution: Any, *, shift: float = 0.0, scale: float = 1.0) -> Distribution:
    """Return the distribution of `shift + scale * S`; a negative scale reflects.

    Parameters
    ----------
    distribution : distribution
        The distribution of S: whatever `Population` accepts.
    shift : float
        Added last.
    scale : float
        Factor, not zero.

    Returns
    -------
    Distribution
        The distribution of the new score.

    Examples
    --------
    The positives of the paper's case B, eight minus a lognormal score:

    >>> from math import exp
    >>> from scipy import stats
    >>> from thresher.population import affine
    >>> affine(stats.lognorm(s=1, scale=exp(1.4)), shift=8, scale=-1).support()
    (-inf, 8.0)
    """
    from thresher.population._wrap import as_distribution  # that module builds on this one

    shift, scale = float(shift), float(scale)
    if not (math.isfinite(scale) and scale != 0 and math.isfinite(shift)):
        raise InvalidInputError(
            f"`shift` and `scale` must be finite and `scale` not zero; got shift={shift!r}, scale={scale!r}."
        )
    return _affine(as_distribution(distribution, "distribution"), shift, scale)._seal()


def _affine(distribution: Distribution, shift: float, scale: float) -> Distribution:
    if isinstance(distribution, Mixture):
        return distribution.map(lambda part: _affine(part, shift, scale))
    if isinstance(distribution, Discrete):
        ends = sorted(shift + scale * end for end in (distribution.lower, distribution.upper))
        tails = [
            _scaled(distribution.tail(upper=up == (scale > 0)), shift if up else -shift, scale) for up in (False, True)
        ]
        values, masses = distribution.atoms()
        values = shift + scale * values
        if scale < 0:
            values, masses = values[::-1].copy(), masses[::-1].copy()
        return table_distribution(values, masses, (tails[0], tails[1]), (ends[0], ends[1]))
    if isinstance(distribution, BetaDistribution) or (isinstance(distribution, ScipyDistribution) and scale > 0):
        return distribution.moved(shift, scale)
    return _Affine(distribution, shift, scale)


def _scaled(tail: Tail | None, shift: float, scale: float) -> Tail | None:
    return None if tail is None else scale_tail(tail, shift, abs(scale))


class _Mapped(Distribution):
    """The distribution of a strictly monotone function of a score without known atoms."""

    _distribution: Distribution
    _up = True

    def _inward(self, points: Points) -> Points:
        """Return the scores whose images are the thresholds."""
        raise NotImplementedError

    def _outward(self, points: Points) -> Points:
        """Return the images of scores."""
        raise NotImplementedError

    def _beyond(self, points: Points, *, upper: bool) -> FloatArray:
        return self._distribution._beyond(self._inward(points), upper=upper == self._up)

    def _quantiles(self, q: FloatArray, *, upper: bool) -> Points:
        return self._outward(self._distribution._quantiles(q, upper=upper == self._up))

    def rough_points(self, q: FloatArray, *, upper: bool) -> Points:
        """Return about the quantiles at the tail probabilities q."""
        return self._outward(self._distribution.rough_points(q, upper=upper == self._up))

    def draw(self, size: int, rng: np.random.Generator) -> FloatArray:
        """Return independent scores."""
        return self._outward(plain(self._distribution.draw(size, rng))).value

    def breaks(self) -> FloatArray:
        """Return finite thresholds at which the density may jump."""
        image = np.sort(self._outward(plain(self._distribution.breaks())).value)
        return np.asarray(image[np.isfinite(image)])


class _Affine(_Mapped):
    """The distribution of `shift + scale * S`."""

    _built_from = ("_distribution", "_shift", "_scale")

    def __init__(self, distribution: Distribution, shift: float, scale: float) -> None:
        self._distribution, self._shift, self._scale, self._up = distribution, shift, scale, scale > 0
        inner = (distribution.lower, distribution.upper)
        images = [shift + scale * end for end in inner]
        self.lower, self.upper = min(images), max(images)
        self.has_density = distribution.has_density
        # Ends of the inner distribution with their images, by which thresholds are carried over without rounding.
        self._ends = [pair for pair in zip(inner, images, strict=True) if math.isfinite(pair[0])]

    def __repr__(self) -> str:
        return f"{self._shift:g} {'+' if self._up else '-'} {abs(self._scale):g} * {self._distribution!r}"

    def _inward(self, points: Points) -> Points:
        anchor = np.zeros_like(points.offset)
        offset = (points.value - self._shift) / self._scale
        for end, image in self._ends:
            hit = points.anchor == image
            anchor, offset = np.where(hit, end, anchor), np.where(hit, points.offset / self._scale, offset)
        return Points(anchor, offset)

    def _outward(self, points: Points) -> Points:
        anchor = np.zeros_like(points.offset)
        offset = self._shift + self._scale * points.value
        for end, image in self._ends:
            hit = points.anchor == end
            anchor, offset = np.where(hit, image, anchor), np.where(hit, points.offset * self._scale, offset)
        return Points(anchor, offset)

    def _density(self, points: Points) -> FloatArray:
        return self._distribution.pdf_at(self._inward(points)) / abs(self._scale)

    def tail(self, *, upper: bool) -> Tail | None:
        """Return the closed form of the distribution's decay at one end, or None where none is known."""
        inner = self._distribution.tail(upper=upper == self._up)
        return _scaled(inner, self._shift if upper else -self._shift, self._scale)


class Mixture(Distribution):
    """A mixture of distributions.

    Parameters
    ----------
    components : sequence of distributions
        Whatever `Population` accepts; continuous and discrete ones may be mixed.
    weights : array_like, optional
        Element i is the weight of component i; they are divided by their sum. Equal by default.

    Examples
    --------
    >>> from scipy import stats
    >>> from thresher.population import Mixture
    >>> distribution = Mixture([stats.norm(2, 1), stats.norm(-1, 0.5)], weights=[0.7, 0.3])
    >>> round(float(distribution.sf(distribution.isf(1e-12))), 24)
    1e-12
    """

    _built_from = ("_parts",)

    def __init__(self, components: Sequence[Any], weights: ArrayLike | None = None) -> None:
        from thresher.population._wrap import as_distribution  # that module builds on this one

        if not isinstance(components, Sequence) or not components:
            raise InvalidTypeError(f"`components` must be a list of at least one distribution; got {show(components)}.")
        distributions = [as_distribution(component, f"components[{i}]") for i, component in enumerate(components)]
        shares = np.ones(len(distributions)) if weights is None else np.asarray(weights, dtype=np.float64).ravel()
        if shares.size != len(distributions):
            raise InvalidInputError(
                f"`weights` must have one element per component; got {shares.size} for {len(distributions)} components."
            )
        if not ((shares >= 0) & np.isfinite(shares)).all() or not shares.sum() > 0:
            raise InvalidInputError(f"`weights` must be nonnegative with a positive sum; got {show(weights)}.")
        total = math.fsum(shares)
        self._fill(
            [(float(w) / total, distribution) for w, distribution in zip(shares, distributions, strict=True) if w > 0]
        )
        self._seal()

    def _fill(self, parts: list[tuple[float, Distribution]]) -> None:
        self._parts = parts
        self.lower = min(distribution.lower for _, distribution in self._parts)
        self.upper = max(distribution.upper for _, distribution in self._parts)
        self.has_density = all(distribution.has_density for _, distribution in self._parts)
        values = np.concatenate([distribution.atoms()[0] for _, distribution in self._parts])
        masses = np.concatenate([w * distribution.atoms()[1] for w, distribution in self._parts])
        unique, inverse = np.unique(values, return_inverse=True)
        total = np.bincount(inverse, weights=masses, minlength=unique.size).astype(np.float64)
        self._atoms = (frozen(unique), frozen(total))

    def map(self, function: Callable[[Distribution], Distribution]) -> Mixture:
        """Return the mixture of the changed components, with the same weights."""
        mixture = Mixture.__new__(Mixture)
        mixture._fill([(weight, function(distribution)) for weight, distribution in self._parts])
        return mixture

    def __repr__(self) -> str:
        return " + ".join(f"{weight:g} * {distribution!r}" for weight, distribution in self._parts)

    def _beyond(self, points: Points, *, upper: bool) -> FloatArray:
        return self._sum([distribution._beyond(points, upper=upper) for _, distribution in self._parts])

    def _density(self, points: Points) -> FloatArray:
        return self._sum([distribution._density(points) for _, distribution in self._parts])

    def _sum(self, terms: list[FloatArray]) -> FloatArray:
        total = np.zeros_like(terms[0])
        for (weight, _), term in zip(self._parts, terms, strict=True):
            total = total + weight * term
        return total

    def _quantiles(self, q: FloatArray, *, upper: bool) -> Points:
        brackets = [distribution._quantiles(q, upper=upper) for _, distribution in self._parts]
        # Distances are kept from the end that the answer is near, when that end is finite.
        near_top = q <= 0.5 if upper else q > 0.5
        anchor = np.where(near_top, self.upper, self.lower)
        anchor = np.where(np.isfinite(anchor), anchor, 0.0)
        offsets = np.stack([np.where(p.anchor == anchor, p.offset, p.value - anchor) for p in brackets])
        low, high = offsets.min(axis=0), offsets.max(axis=0)
        target = snap_up(q) if upper else q * (1.0 - SNAP)

        def holds(offset: FloatArray, active: BoolArray) -> BoolArray:
            points = Points(anchor[active], offset)
            level = self._beyond(points, upper=upper)
            return level <= target[active] if upper else level >= target[active]

        # The component quantiles bracket the answer; one more ulp makes the lower end open.
        everything = np.ones(q.shape, dtype=bool)
        low = np.where(holds(low, everything), low - SNAP * np.maximum(np.abs(low), np.finfo(float).tiny), low)
        high = np.where(holds(high, everything), high, high + SNAP * np.maximum(np.abs(high), np.finfo(float).tiny))
        return Points(anchor, invert(holds, low, high))

    def draw(self, size: int, rng: np.random.Generator) -> FloatArray:
        """Return independent scores."""
        counts = rng.multinomial(size, [weight for weight, _ in self._parts])
        drawn = np.concatenate(
            [distribution.draw(int(n), rng) for n, (_, distribution) in zip(counts, self._parts, strict=True)]
        )
        return rng.permutation(drawn)

    def atoms(self) -> tuple[FloatArray, FloatArray]:
        """Return the values of positive probability, increasing, and their probabilities."""
        return self._atoms

    def leaves(self) -> list[tuple[float, Distribution]]:
        """Return the parts without atoms, each with its weight."""
        return [(weight * share, leaf) for weight, distribution in self._parts for share, leaf in distribution.leaves()]

    def breaks(self) -> FloatArray:
        """Return finite thresholds at which the density may jump."""
        return np.unique(np.concatenate([distribution.breaks() for _, distribution in self._parts]))

    def tail(self, *, upper: bool) -> Tail | None:
        """Return the decay of the slowest components that reach the end, or None where one is not known."""
        end = self.upper if upper else self.lower
        slowest: Tail | None = None
        for weight, distribution in self._parts:
            if (distribution.upper if upper else distribution.lower) != end:
                continue
            tail = distribution.tail(upper=upper)
            if tail is None:
                return None
            tail = tail._replace(const=tail.const + math.log(weight))
            if slowest is None:
                slowest = tail
                continue
            ratio, _ = tail_ratio(tail, slowest)
            if ratio is None:
                return None
            if ratio == math.inf:
                slowest = tail
            elif ratio > 0:
                slowest = slowest._replace(const=slowest.const + math.log1p(ratio))
        return slowest


def transformed(
    distribution: Any, function: Callable[[FloatArray], FloatArray], *, inverse: Callable[[FloatArray], FloatArray]
) -> Distribution:
    """Return the distribution of an increasing function of a score.

    Parameters
    ----------
    distribution : distribution
        The distribution of S: whatever `Population` accepts.
    function, inverse : callable
        A strictly increasing function of an array, and its inverse.

    Returns
    -------
    Distribution
        The distribution of `function(S)`.

    Notes
    -----
    The curves of two classes do not change when the same function is applied to both (property P7), if it is strictly
    increasing and continuous. Rounding and saturation (`expit(40) == 1.0`) make ties and do change them.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import stats
    >>> from thresher.population import transformed
    >>> transformed(stats.norm(), np.exp, inverse=np.log).support()
    (0.0, inf)
    """
    from thresher.population._wrap import as_distribution  # that module builds on this one

    inner = as_distribution(distribution, "distribution")
    probe = inner.isf_points(np.array([0.9, 0.5, 0.1])).value
    image = np.asarray(function(probe), dtype=np.float64)
    back = np.asarray(inverse(image), dtype=np.float64)
    if not (np.diff(image) >= 0).all() or not np.allclose(back, probe, rtol=1e-6, atol=1e-9):
        raise InvalidInputError(
            "`function` must be increasing with `inverse` its inverse; "
            f"got {show(image.tolist())} at the scores {show(probe.tolist())}, taken back to {show(back.tolist())}."
        )
    return _transformed(inner, function, inverse)._seal()


def _transformed(
    distribution: Distribution,
    function: Callable[[FloatArray], FloatArray],
    inverse: Callable[[FloatArray], FloatArray],
) -> Distribution:
    if isinstance(distribution, Mixture):
        return distribution.map(lambda part: _transformed(part, function, inverse))
    if isinstance(distribution, Discrete):
        values, masses = distribution.atoms()
        return Discrete(function(values), masses)
    return _Transformed(distribution, function, inverse)


class _Transformed(_Mapped):
    """The distribution of an increasing function of a score."""

    _built_from = ("_distribution", "_function", "_inverse")
    has_density = False

    def __init__(
        self,
        distribution: Distribution,
        function: Callable[[FloatArray], FloatArray],
        inverse: Callable[[FloatArray], FloatArray],
    ) -> None:
        self._distribution, self._function, self._inverse = distribution, function, inverse
        with np.errstate(all="ignore"):
            ends = self._outward(plain(np.array([distribution.lower, distribution.upper]))).value
        self.lower, self.upper = float(ends[0]), float(ends[1])

    def __repr__(self) -> str:
        return f"transformed({self._distribution!r})"

    def _outward(self, points: Points) -> Points:
        return plain(np.asarray(self._function(points.value), dtype=np.float64))

    def _inward(self, points: Points) -> Points:
        t = points.value
        with np.errstate(all="ignore"):
            back = np.asarray(self._inverse(np.clip(t, self.lower, self.upper)), dtype=np.float64)
        back = np.where(t >= self.upper, self._distribution.upper, back)
        return plain(np.where(t <= self.lower, self._distribution.lower, back))


_CHUNK = 1 << 22
_MOST_CENTERS = 2000


def silverman(values: FloatArray, weights: FloatArray) -> float:
    """Return Silverman's rule of thumb: 0.9 min(sd, IQR / 1.34) n ** (-1/5), which R calls nrd0."""
    total = float(weights.sum())
    mean = dot(weights, values) / total
    sd = math.sqrt(dot(weights, (values - mean) ** 2) / max(total - 1, 1.0))
    # Quartiles by linear interpolation between order statistics, as for the expanded sample.
    ranks = np.cumsum(weights) - 1
    quartiles = []
    for share in (0.25, 0.75):
        place = share * (total - 1)
        low, high = (values[np.searchsorted(ranks, f(place) - 1e-9)] for f in (math.floor, math.ceil))
        quartiles.append(low + (place - math.floor(place)) * (high - low))
    spread = min(sd, (quartiles[1] - quartiles[0]) / 1.34) or sd or abs(float(values[0])) or 1.0
    return float(0.9 * spread * total**-0.2)


class KernelDistribution(Distribution):
    """A normal kernel of one bandwidth at each observed score."""

    lower, upper = -math.inf, math.inf
    _built_from = ("_centers", "_weights", "bandwidth")

    def __init__(self, centers: FloatArray, weights: FloatArray, bandwidth: float) -> None:
        if centers.size > _MOST_CENTERS:
            # Scores much closer than a bandwidth are one center at their mean; the density moves by under 1e-4.
            cell = np.floor((centers - centers[0]) / (bandwidth / 32))
            label = np.cumsum(np.append(True, np.diff(cell) > 0)) - 1
            total = np.bincount(label, weights=weights).astype(np.float64)
            centers, weights = np.bincount(label, weights=weights * centers) / total, total
        self._centers, self._weights, self.bandwidth = centers, weights, bandwidth

    def __repr__(self) -> str:
        return f"kernel density of {self._centers.size} scores, bandwidth {self.bandwidth:.3g}"

    def _average(self, t: FloatArray, kind: str) -> FloatArray:
        out = np.empty_like(t)
        rows = max(_CHUNK // self._centers.size, 1)
        for start in range(0, t.size, rows):
            z = (t[start : start + rows, None] - self._centers) / self.bandwidth
            if kind == "pdf":
                height = np.exp(-0.5 * z * z) / (self.bandwidth * math.sqrt(2 * math.pi))
            else:
                height = special.ndtr(-z if kind == "sf" else z)
            out[start : start + rows] = dots(height, self._weights)
        return out

    def _beyond(self, points: Points, *, upper: bool) -> FloatArray:
        return self._average(points.value, "sf" if upper else "cdf")

    def _density(self, points: Points) -> FloatArray:
        return self._average(points.value, "pdf")

    def _quantiles(self, q: FloatArray, *, upper: bool) -> Points:
        z = -special.ndtri(q) if upper else special.ndtri(q)
        low = self._centers[0] + self.bandwidth * z
        high = self._centers[-1] + self.bandwidth * z
        pad = 1e-9 * (np.abs(low) + np.abs(high) + self.bandwidth)

        def holds(t: FloatArray, active: BoolArray) -> BoolArray:
            value = self._average(t, "sf" if upper else "cdf")
            return value <= q[active] if upper else value >= q[active]

        return plain(invert(holds, low - pad, high + pad))

    def draw(self, size: int, rng: np.random.Generator) -> FloatArray:
        """Return independent scores."""
        return rng.choice(self._centers, size, p=self._weights) + self.bandwidth * rng.standard_normal(size)

    def tail(self, *, upper: bool) -> Tail | None:
        """Return the decay: that of the outermost kernel."""
        end = -1 if upper else 0
        tail = family_tails("norm", (), float(self._centers[end]), self.bandwidth)[upper]
        return None if tail is None else tail._replace(const=tail.const + math.log(float(self._weights[end])))
