"""Distributions of scipy.stats frozen distributions, made safe in the tails."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from thresher.exceptions import InvalidInputError
from thresher.population._distributions import Distribution, Points, invert, merge, plain, table_distribution
from thresher.population._tails import family_tails
from thresher.typing import BoolArray, FloatArray

_DEEP = 1e-4  # below this probability a family's own tail functions are used only after they have been checked
_BULK = 1e-4  # above it one check of a family's quantiles serves for all
_MOST_ATOMS = 1 << 20


class BetaDistribution(Distribution):
    """Beta(a, b) on [loc, loc + scale]; near the upper end everything is computed from the distance to it."""

    _built_from = ("_a", "_b", "lower", "_scale")

    def __init__(self, a: float, b: float, loc: float, scale: float) -> None:
        self._a, self._b, self._scale = a, b, scale
        self.lower, self.upper = loc, loc + scale
        self._tails = family_tails("beta", (a, b), loc, scale)

    def __repr__(self) -> str:
        ends = f"[{self.lower:g}, {self.upper:g}]"
        return f"uniform on {ends}" if self._a == self._b == 1 else f"beta({self._a:g}, {self._b:g}) on {ends}"

    def moved(self, shift: float, scale: float) -> BetaDistribution:
        """Return the distribution of `shift + scale * S`."""
        ends = (shift + scale * self.lower, shift + scale * self.upper)
        if scale > 0:
            return BetaDistribution(self._a, self._b, ends[0], scale * self._scale)
        return BetaDistribution(self._b, self._a, ends[1], -scale * self._scale)

    @property
    def family(self) -> tuple[str, tuple[float, ...], float, float]:
        """Name, shapes, location and scale."""
        return "beta", (self._a, self._b), self.lower, self._scale

    def _distances(self, points: Points) -> tuple[BoolArray, FloatArray]:
        """Return whether each threshold is measured from the upper end, and its distance in units of the width."""
        t = points.value
        from_upper = (points.anchor == self.upper) | (
            (points.anchor != self.lower) & (t > 0.5 * self.lower + 0.5 * self.upper)
        )
        up = np.where(points.anchor == self.upper, -points.offset, self.upper - t)
        down = np.where(points.anchor == self.lower, points.offset, t - self.lower)
        return from_upper, np.clip(np.where(from_upper, up, down) / self._scale, 0.0, 1.0)

    def _beyond(self, points: Points, *, upper: bool) -> FloatArray:
        top, distance = self._distances(points)
        if self._a == self._b == 1:
            return np.where(top == upper, distance, 1.0 - distance)
        near, far = special.betainc, special.betaincc
        return self._either(top, distance, near, far) if upper else self._either(top, distance, far, near)

    def _either(self, top: BoolArray, distance: FloatArray, at_top: Any, at_bottom: Any) -> FloatArray:
        """Evaluate one function where the distance is from the upper end, another where it is from the lower."""
        out = np.empty_like(distance)
        out[top] = at_top(self._b, self._a, distance[top])
        out[~top] = at_bottom(self._a, self._b, distance[~top])
        return out

    def _density(self, points: Points) -> FloatArray:
        top, distance = self._distances(points)
        # Beyond the support the distance was clipped to zero: there the density is zero, not that of the end.
        t = points.value
        inside = ~((t > self.upper) | (t < self.lower))
        if self._a == self._b == 1:
            return np.where(inside, 1.0 / self._scale, 0.0)
        near, far = np.where(top, self._b, self._a), np.where(top, self._a, self._b)
        with np.errstate(divide="ignore", over="ignore"):
            log_height = special.xlogy(near - 1, distance) + special.xlog1py(far - 1, -distance)
            height = np.exp(log_height - special.betaln(self._a, self._b)) / self._scale
        return np.where(inside, height, 0.0)

    def _quantiles(self, q: FloatArray, *, upper: bool) -> Points:
        top = q <= 0.5 if upper else q > 0.5
        share = np.where(top == upper, q, 1.0 - q)
        if self._a != 1 or self._b != 1:
            share = self._either(top, share, special.betaincinv, special.betaincinv)
        offset = share * self._scale
        return Points(np.where(top, self.upper, self.lower), np.where(top, -offset, offset))

    def draw(self, size: int, rng: np.random.Generator) -> FloatArray:
        """Return independent scores."""
        share = rng.random(size) if self._a == self._b == 1 else rng.beta(self._a, self._b, size)
        return self.lower + self._scale * share


# Families whose standard form lies on [0, 1], with the shapes of the reflected variable 1 - S.
_MIRRORS: dict[str, Callable[..., tuple[float, ...]]] = {
    "triang": lambda c: (1.0 - c,),
    "trapezoid": lambda c, d: (1.0 - d, 1.0 - c),
    "trapz": lambda c, d: (1.0 - d, 1.0 - c),
}


def integrate_tail(
    function: Callable[[FloatArray], FloatArray], start: FloatArray, end: float, scale: FloatArray, *, step: float
) -> FloatArray:
    """Integrate a positive function from each `start` to a common `end` by the double exponential rule."""
    v = np.arange(-4.5, 4.5 + step / 2, step)
    inner = 0.5 * np.pi * np.sinh(v)
    if np.isinf(end):
        reach = np.exp(inner)
        weight = reach * 0.5 * np.pi * np.cosh(v)
        nodes = start[:, None] + scale[:, None] * reach
        factor = scale[:, None] * weight
    else:
        share = 1.0 / (1.0 + np.exp(-2.0 * inner))
        weight = share * (1.0 - share) * np.pi * np.cosh(v)
        width = (end - start)[:, None]
        nodes = start[:, None] + width * share
        factor = width * weight
    with np.errstate(all="ignore"):
        heights = function(nodes) * factor
    heights = np.where(np.isfinite(heights), heights, 0.0)
    return np.asarray(step * heights.sum(axis=1))


class _Side:
    """One tail of a standard family: its probability and quantile functions, checked against its density.

    scipy computes some tails as one minus the other tail, which leaves no digits below 1e-16. The density is then
    integrated instead; where that cannot be trusted either, the question is refused.
    """

    def __init__(self, standard: Any, name: str, *, upper: bool) -> None:
        self._distribution, self._name, self._upper = standard, name, upper
        low, high = standard.support()
        self._end = float(high if upper else low)
        self._state: str | None = None
        self._bulk: bool | None = None

    def _own(self, z: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            return np.asarray(self._distribution.sf(z) if self._upper else self._distribution.cdf(z), dtype=np.float64)

    def _own_quantile(self, q: FloatArray) -> FloatArray:
        with np.errstate(all="ignore"):
            return np.asarray(self._distribution.isf(q) if self._upper else self._distribution.ppf(q), dtype=np.float64)

    def rough(self, q: FloatArray) -> FloatArray:
        """Return scipy's quantiles as they are, inside the support."""
        z = self._own_quantile(q)
        return np.asarray(z[np.isfinite(z) & (z != self._end)])

    def _integral(self, z: FloatArray, step: float = 0.04) -> FloatArray:
        sign = 1.0 if self._upper else -1.0
        scale = np.maximum(
            np.abs(self._own_quantile(np.array([1e-3]))[0] - self._own_quantile(np.array([1e-2]))[0]), 1e-300
        )
        # Far out, a heavy tail decays over a distance of the order of the threshold itself.
        start = sign * z
        reach = np.maximum(scale, 0.1 * np.abs(z - self._own_quantile(np.array([1e-2]))[0]))
        return integrate_tail(
            lambda v: np.asarray(self._distribution.pdf(sign * v)), start, sign * self._end, reach, step=step
        )

    def _check(self) -> str:
        if self._state is None:
            self._state = self._examine()
        return self._state

    def _examine(self) -> str:
        sign = 1.0 if self._upper else -1.0
        first, second = self._own_quantile(np.array([1e-2, 1e-3]))
        if not (math.isfinite(first) and math.isfinite(second)):
            return "refused"
        if math.isfinite(self._end):
            z = self._end - (self._end - first) * 0.5 ** np.arange(0.0, 90.0)
        else:
            z = first + sign * abs(second - first) * (2.0 ** np.arange(0.0, 60.0, 0.5) - 1.0)
        coarse, fine = self._integral(z, 0.08), self._integral(z, 0.04)
        with np.errstate(all="ignore"):
            # A support ending away from zero leaves few digits in the distance to its end: stop before they are gone.
            spacing = np.asarray(self._distribution.pdf(z)) * np.spacing(np.abs(z)) / fine
            seen = (fine > 1e-30) & (spacing < 1e-11)
            converged = np.abs(coarse - fine) <= 1e-9 * fine
            own = self._own(z)
            matches = np.abs(own - fine) <= 1e-9 * fine
        usable = seen & converged
        # Evidence must reach well below where one minus the other tail still has digits.
        if usable.sum() >= 4 and matches[usable].all() and fine[usable].min() < 1e-14:
            return "own"
        if usable.any() and converged[seen].all() and matches[usable & (fine > 1e-5)].all():
            return "integral"
        return "refused"

    def probability(self, z: FloatArray) -> FloatArray:
        """Return the probability beyond each z."""
        own = self._own(z)
        inside = z < self._end if self._upper else z > self._end
        deep = (own < _DEEP) & inside & np.isfinite(z)
        if not deep.any():
            return own
        state = self._check()
        if state == "own":
            return own
        if state == "integral":
            own = own.copy()
            own[deep] = self._integral(z[deep])
            return own
        if (own[deep] < 1e-6).any():
            raise _unresolved(self._name, float(own[deep].min()), self._upper)
        return own

    def quantile(self, q: FloatArray) -> FloatArray:
        """Return the z beyond which the probability is q."""
        bulk = q >= _BULK
        if bulk.all() and self._bulk_is_right():
            return self._own_quantile(q)
        return self._checked_quantile(q)

    def _bulk_is_right(self) -> bool:
        """Tell whether scipy's quantiles invert its probabilities away from the tail; examined once."""
        if self._bulk is None:
            q = np.concatenate([np.geomspace(_BULK, 0.5, 40), 1 - np.geomspace(_BULK, 0.5, 20)])
            z = self._own_quantile(q)
            with np.errstate(all="ignore"):
                slack = 8 * np.asarray(self._distribution.pdf(z)) * np.spacing(np.abs(z))
                self._bulk = bool((np.abs(self._own(z) - q) <= 1e-12 * q + slack).all())
        return self._bulk

    def _checked_quantile(self, q: FloatArray) -> FloatArray:
        z = self._own_quantile(q)
        with np.errstate(all="ignore"):
            back = self.probability(np.where(np.isnan(z), self._end, z))
            slack = 8 * np.asarray(self._distribution.pdf(z)) * np.spacing(np.abs(z))
            good = np.abs(back - q) <= 1e-11 * q + np.where(np.isfinite(slack), slack, 0.0)
            # Next to an end that is not zero, doubles may be too coarse for any answer.
            if (good & (slack > 1e-6 * q)).any():
                raise _unresolved(self._name, float(q[good & (slack > 1e-6 * q)].min()), self._upper)
        if not good.all():
            z = z.copy()
            z[~good] = self._repair(q[~good])
            back = self.probability(z[~good])
            if (np.abs(back - q[~good]) > 1e-6 * q[~good]).any():
                raise _unresolved(self._name, float(q[~good].min()), self._upper)
        return z

    def _repair(self, q: FloatArray) -> FloatArray:
        """Return quantiles found from the probabilities alone."""
        sign = 1.0 if self._upper else -1.0
        middle, quarter = self._own_quantile(np.array([0.5, 0.25]))
        spread = max(abs(quarter - middle), 1e-300)
        low, step = np.full(q.shape, sign * middle), spread
        while (below := self.probability(sign * low) <= q).any() and math.isfinite(step):
            low[below] -= step
            step *= 2
        if math.isfinite(self._end):
            high = np.full(q.shape, sign * self._end)
        else:
            high, step = low + spread, spread
            while (above := self.probability(sign * high) > q).any() and math.isfinite(step):
                high[above] += step
                step *= 2
        return sign * invert(lambda v, active: self.probability(sign * v) <= q[active], low, high)


def _unresolved(name: str, q: float, upper: bool) -> InvalidInputError:
    side, sign = ("upper", ">") if upper else ("lower", "<")
    return InvalidInputError(
        f"the {side} tail of `{name}` must be computable where it is used; got P(S {sign} t) = {q:g}, "
        "which scipy does not resolve in double precision for this family. "
        "Hint: ask away from that end, or describe the score by its distance to the end."
    )


class ScipyDistribution(Distribution):
    """A continuous scipy.stats distribution, with checked tails."""

    _built_from = ("_name", "_shapes", "_loc", "_scale")

    def __init__(self, generator: Any, shapes: tuple[float, ...], loc: float, scale: float) -> None:
        self._shapes, self._loc, self._scale, self._name = shapes, loc, scale, str(generator.name)
        self._generator, self._standard = generator, generator(*shapes)
        self._a, self._b = (float(end) for end in self._standard.support())
        self.lower, self.upper = loc + scale * self._a, loc + scale * self._b
        self._top = _Side(self._standard, self._name, upper=True)
        self._bottom = _Side(self._standard, self._name, upper=False)
        mirror = _MIRRORS.get(self._name)
        self._mirror = _Side(generator(*mirror(*shapes)), self._name, upper=False) if mirror else None
        self._tails = family_tails(self._name, shapes, loc, scale)

    def __repr__(self) -> str:
        inside = ", ".join([*(f"{shape:g}" for shape in self._shapes), f"loc={self._loc:g}", f"scale={self._scale:g}"])
        return f"{self._name}({inside})"

    def moved(self, shift: float, scale: float) -> ScipyDistribution:
        """Return the distribution of `shift + scale * S`, scale positive."""
        return ScipyDistribution(self._generator, self._shapes, shift + scale * self._loc, scale * self._scale)

    @property
    def family(self) -> tuple[str, tuple[float, ...], float, float]:
        """Name, shapes, location and scale."""
        return self._name, self._shapes, self._loc, self._scale

    def _standardized(self, points: Points) -> FloatArray:
        z = (points.value - self._loc) / self._scale
        for end, image in ((self._a, self.lower), (self._b, self.upper)):
            if math.isfinite(end):
                z = np.where(points.anchor == image, end + points.offset / self._scale, z)
        return z

    def _gap(self, points: Points) -> tuple[BoolArray, FloatArray]:
        """Return which thresholds are held from the upper end of a family on [0, 1], and their distances."""
        if self._mirror is None:
            return np.zeros(points.offset.shape, dtype=bool), points.offset
        return points.anchor == self.upper, np.clip(-points.offset / self._scale, 0.0, 1.0)

    def _beyond(self, points: Points, *, upper: bool) -> FloatArray:
        if not upper:
            return self._bottom.probability(self._standardized(points))
        held, gap = self._gap(points)
        out = np.empty_like(points.offset)
        if held.any() and self._mirror is not None:
            out[held] = self._mirror.probability(gap[held])
        out[~held] = self._top.probability(self._standardized(points.select(~held)))
        return out

    def _density(self, points: Points) -> FloatArray:
        with np.errstate(all="ignore"):
            height = np.asarray(self._standard.pdf(self._standardized(points)), dtype=np.float64)
        return height / self._scale

    def _quantiles(self, q: FloatArray, *, upper: bool) -> Points:
        if not upper:
            return self._points(self._bottom.quantile(q))
        if self._mirror is not None:
            top = q <= 0.5
            gap = Points(np.full(int(top.sum()), self.upper), -self._scale * self._mirror.quantile(q[top]))
            return merge(q.size, [(top, gap), (~top, self._points(self._top.quantile(q[~top])))])
        return self._points(self._top.quantile(q))

    def rough_points(self, q: FloatArray, *, upper: bool) -> Points:
        """Return about the quantiles at the tail probabilities q, as scipy gives them."""
        if upper and self._mirror is not None:
            return self.isf_points(q)
        return self._points((self._top if upper else self._bottom).rough(q))

    def _points(self, z: FloatArray) -> Points:
        if math.isfinite(self._b) and self._b == 0:
            return Points(np.full(z.shape, self.upper), self._scale * z)
        if math.isfinite(self._a) and self._a == 0:
            return Points(np.full(z.shape, self.lower), self._scale * z)
        return plain(self._loc + self._scale * z)

    def draw(self, size: int, rng: np.random.Generator) -> FloatArray:
        """Return independent scores."""
        return self._loc + self._scale * np.asarray(self._standard.rvs(size=size, random_state=rng), dtype=np.float64)


def atom_table(generator: Any, shapes: tuple[float, ...], loc: float, name: str) -> Distribution:
    """Return the distribution of a scipy.stats discrete distribution from its probability mass function alone.

    scipy's discrete quantiles fail in the tails and their steps are off by an atom for several families, so the atoms
    are listed out to where their probabilities vanish, and summed here.
    """
    standard = generator(*shapes)
    low, high = (float(end) for end in standard.support())
    if high - low < _MOST_ATOMS:
        k = np.arange(low, high + 1)
    else:
        middle = float(standard.ppf(0.5))
        k = np.arange(_reach(standard, middle, low, -1, name), _reach(standard, middle, high, 1, name) + 1)
    with np.errstate(all="ignore"):
        masses = np.asarray(standard.pmf(k), dtype=np.float64)
    keep = masses > 0
    total = math.fsum(masses[keep])
    if not abs(total - 1.0) <= 1e-9:
        raise InvalidInputError(
            f"the probabilities of `{name}` must add to 1; got {total!r} over {k.size} values. "
            "Hint: give the values and probabilities to thresher.population.Discrete."
        )
    values = k[keep] + loc
    ends = (low if math.isinf(low) else float(values[0]), high if math.isinf(high) else float(values[-1]))
    return table_distribution(values, masses[keep], family_tails(str(generator.name), shapes, loc, 1.0), ends)


def _reach(standard: Any, middle: float, end: float, sign: int, name: str) -> float:
    """Return the last integer, going out from the middle, whose probability is not negligible."""
    if math.isfinite(end) and abs(end - middle) < _MOST_ATOMS / 2:
        return end
    width = 64.0
    while width <= _MOST_ATOMS / 2:
        edge = middle + sign * width
        with np.errstate(all="ignore"):
            if float(standard.pmf(edge)) == 0.0 and float(standard.pmf(edge - sign)) == 0.0:
                return edge
        width *= 2
    edge = middle + sign * _MOST_ATOMS / 2
    left = float(standard.sf(edge) if sign > 0 else standard.cdf(edge))
    if left > 1e-13:
        raise InvalidInputError(
            f"the atoms of `{name}` must be countable in a table of {_MOST_ATOMS}; "
            f"got a probability of {left:g} beyond it. "
            "Hint: cut the distribution where it no longer matters and give it to thresher.population.Discrete."
        )
    return edge
