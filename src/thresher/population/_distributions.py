"""What a score distribution must answer, and the distributions made of atoms: points, tables, samples."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from thresher._core.arrays import frozen
from thresher._core.checks import show
from thresher._core.shared_docs import with_texts
from thresher._core.values import Frozen, refrozen, same
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.population._tails import Tail
from thresher.typing import ArrayLike, BoolArray, FloatArray


class Points(NamedTuple):
    """Thresholds `anchor + offset`, elementwise.

    Close to a bounded end of the support, say 1, the distance to the end carries the information: `1 - 1e-20` is not
    a double, the pair `(1, -1e-20)` is. A distribution that ends exactly at `anchor` works with `offset` alone.

    Attributes
    ----------
    anchor : ndarray
        Reference value of each threshold.
    offset : ndarray
        Signed distance of each threshold from its anchor.
    """

    anchor: FloatArray
    offset: FloatArray

    @property
    def value(self) -> FloatArray:
        """The thresholds as doubles, kept strictly on their side of the anchor."""
        value = self.anchor + self.offset
        with np.errstate(under="ignore"):  # the neighbours of 0 are subnormal
            below, above = np.nextafter(self.anchor, -np.inf), np.nextafter(self.anchor, np.inf)
        value = np.where((self.offset < 0) & (value >= self.anchor), below, value)
        return np.where((self.offset > 0) & (value <= self.anchor), above, value)

    def select(self, mask: BoolArray) -> Points:
        """Return the thresholds where `mask` holds."""
        return Points(self.anchor[mask], self.offset[mask])


def plain(value: FloatArray | float) -> Points:
    """Return ordinary doubles as points."""
    offset = np.atleast_1d(np.asarray(value, dtype=np.float64))
    return Points(np.zeros_like(offset), offset)


def merge(size: int, parts: list[tuple[BoolArray, Points]]) -> Points:
    """Put parts, each given with the mask of the places it fills, back together."""
    anchor, offset = np.zeros(size), np.zeros(size)
    for mask, points in parts:
        anchor[mask], offset[mask] = points.anchor, points.offset
    return Points(anchor, offset)


# Two probabilities closer than this many units in the last place are the same step of a distribution function.
SNAP = 8.0 * float(np.finfo(np.float64).eps)
_EMPTY = np.zeros(0)
_TINY = float(np.finfo(np.float64).tiny)


@with_texts(
    discrete="""
>>> from thresher.population import Discrete
>>> distribution = Discrete([1, 2, 3], [0.5, 0.3, 0.2])"""
)
class Distribution(Frozen):
    """A distribution of scores.

    Every distribution answers with survival probabilities, so that small ones keep their digits. Distributions are
    immutable, and `a + b * distribution` is the distribution of the shifted, scaled and, for negative `b`, reflected
    score. Two distributions are equal if they were built in the same way from equal parts.

    Attributes
    ----------
    lower, upper : float
        Ends of the support; infinite when it is unbounded.
    has_density : bool
        Whether the part without atoms has a known density.

    Examples
    --------
    >>> from thresher.population import Discrete
    >>> distribution = Discrete([1, 2, 3], [0.5, 0.3, 0.2])
    >>> shifted = 10 + 2 * distribution
    >>> shifted.support()
    (12.0, 16.0)
    >>> shifted.sf([11, 12, 14]).round(3)
    array([1. , 0.5, 0.2])
    """

    lower: float
    upper: float
    has_density: bool = True
    _tails: tuple[Tail | None, Tail | None] = (None, None)
    _built_from: ClassVar[tuple[str, ...]] = ()
    """The attributes that say which distribution of its class it is."""
    _sealed = False

    def _seal(self) -> Self:
        """Return the distribution, immutable from now on; whatever takes or gives distributions does that."""
        self.__dict__["_sealed"] = True
        return self

    def __setattr__(self, name: str, value: object) -> None:  # type: ignore[override]  # it returns until then
        if self._sealed:
            super().__setattr__(name, value)
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        parts = self._built_from
        return self is other or (bool(parts) and all(same(getattr(self, name), getattr(other, name)) for name in parts))

    __hash__ = None  # type: ignore[assignment]  # parts may be arrays

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: refrozen(part) for name, part in state.items()})

    # What a subclass provides, on thresholds held as points and for probabilities strictly between 0 and 1.
    def _beyond(self, points: Points, *, upper: bool) -> FloatArray:
        raise NotImplementedError

    def _quantiles(self, q: FloatArray, *, upper: bool) -> Points:
        raise NotImplementedError

    def _density(self, points: Points) -> FloatArray:
        raise NotImplementedError

    def sf_at(self, points: Points) -> FloatArray:
        """Return P(S > t)."""
        return self._beyond(points, upper=True)

    def cdf_at(self, points: Points) -> FloatArray:
        """Return P(S <= t)."""
        return self._beyond(points, upper=False)

    def pdf_at(self, points: Points) -> FloatArray:
        """Return the density of the part without atoms."""
        return self._density(points)

    def isf_points(self, q: FloatArray) -> Points:
        """Return the smallest t with P(S > t) <= q."""
        return self._quantiles(q, upper=True)

    def ppf_points(self, p: FloatArray) -> Points:
        """Return the smallest t with P(S <= t) >= p."""
        return self._quantiles(p, upper=False)

    def rough_points(self, q: FloatArray, *, upper: bool) -> Points:
        """Return about the quantiles at the upper or lower tail probabilities q, for placing panels only."""
        return self._quantiles(q, upper=upper)

    def draw(self, size: int, rng: np.random.Generator) -> FloatArray:
        """Return independent scores."""
        return self.isf_points(rng.uniform(_TINY, 1.0, size)).value if size else _EMPTY.copy()

    def atoms(self) -> tuple[FloatArray, FloatArray]:
        """Return the values of positive probability, increasing, and their probabilities."""
        return _EMPTY, _EMPTY

    def leaves(self) -> list[tuple[float, Distribution]]:
        """Return the parts without atoms, each with its weight."""
        return [(1.0, self)]

    def breaks(self) -> FloatArray:
        """Return finite thresholds at which the density may jump."""
        ends = np.array([self.lower, self.upper])
        return np.asarray(ends[np.isfinite(ends)])

    def tail(self, *, upper: bool) -> Tail | None:
        """Return the closed form of the distribution's decay at one end, or None where none is known."""
        return self._tails[upper]

    # What follows from it.
    @property
    def continuous(self) -> bool:
        """Whether the distribution has no atoms."""
        return self.atoms()[0].size == 0

    @property
    def discrete(self) -> bool:
        """Whether the distribution is made of atoms only."""
        return not self.leaves()

    @cached_property
    def spread(self) -> float:
        """Distance between the quartiles: the scale on which two thresholds are far apart or not."""
        quartiles = self.isf_points(np.array([0.75, 0.25])).value
        return float(quartiles[1] - quartiles[0])

    def mass_at(self, points: Points) -> FloatArray:
        """Return P(S = t)."""
        values, masses = self.atoms()
        t = points.value
        if values.size == 0:
            return np.zeros_like(t)
        index = np.minimum(np.searchsorted(values, t), values.size - 1)
        return np.where(values[index] == t, masses[index], 0.0)

    def ge_at(self, points: Points) -> FloatArray:
        """Return P(S >= t)."""
        return self.sf_at(points) + self.mass_at(points)

    def end_mass(self, *, upper: bool) -> float:
        """Return the probability of the very end of the support."""
        end = self.upper if upper else self.lower
        return float(self.mass_at(plain(end))[0]) if math.isfinite(end) else 0.0

    def support(self) -> tuple[float, float]:
        """Return the ends of the support.

        Examples
        --------
        {discrete}
        >>> distribution.support()
        (1.0, 3.0)
        """
        return self.lower, self.upper

    def sf(self, t: ArrayLike) -> Any:
        """Return P(S > t) for each threshold.

        Examples
        --------
        {discrete}
        >>> distribution.sf([0, 1, 2.5, 3]).round(3)
        array([1. , 0.5, 0.2, 0. ])
        """
        return _pointwise(self.sf_at, t)

    def cdf(self, t: ArrayLike) -> Any:
        """Return P(S <= t) for each threshold.

        Examples
        --------
        {discrete}
        >>> distribution.cdf([0, 1, 2.5, 3]).round(3)
        array([0. , 0.5, 0.8, 1. ])
        """
        return _pointwise(self.cdf_at, t)

    def pdf(self, t: ArrayLike) -> Any:
        """Return the density at each threshold, atoms left out.

        Examples
        --------
        >>> from scipy import stats
        >>> from thresher.population import Mixture
        >>> distribution = Mixture([stats.norm(0, 1), stats.norm(3, 1)], weights=[0.5, 0.5])
        >>> distribution.pdf([0.0, 1.5]).round(4)
        array([0.2017, 0.1295])
        """
        return _pointwise(self.pdf_at, t)

    def isf(self, q: ArrayLike) -> Any:
        """Return, for each probability q in (0, 1), the smallest t with P(S > t) <= q.

        Examples
        --------
        {discrete}
        >>> distribution.isf([0.4, 0.6, 0.1])
        array([2., 1., 3.])
        """
        return _quantile(self.isf_points, q, "q")

    def ppf(self, p: ArrayLike) -> Any:
        """Return, for each probability p in (0, 1), the smallest t with P(S <= t) >= p.

        Examples
        --------
        {discrete}
        >>> distribution.ppf([0.4, 0.6, 0.9])
        array([1., 2., 3.])
        """
        return _quantile(self.ppf_points, p, "p")

    def _affine(self, shift: float, scale: float) -> Distribution:
        from thresher.population._combined import affine  # that module builds on this one

        return affine(self, shift=shift, scale=scale)

    def __add__(self, shift: float) -> Distribution:
        return self._affine(shift, 1.0)

    __radd__ = __add__

    def __sub__(self, shift: float) -> Distribution:
        return self._affine(-shift, 1.0)

    def __rsub__(self, shift: float) -> Distribution:
        return self._affine(shift, -1.0)

    def __mul__(self, scale: float) -> Distribution:
        return self._affine(0.0, scale)

    __rmul__ = __mul__

    def __truediv__(self, scale: float) -> Distribution:
        return self._affine(0.0, 1.0 / scale)

    def __neg__(self) -> Distribution:
        return self._affine(0.0, -1.0)


def _pointwise(function: Callable[[Points], FloatArray], t: ArrayLike) -> Any:
    array = np.asarray(t, dtype=np.float64)
    return function(plain(array.ravel())).reshape(array.shape)[()]


def _quantile(function: Callable[[FloatArray], Points], q: ArrayLike, name: str) -> Any:
    array = np.asarray(q, dtype=np.float64)
    if not ((array > 0) & (array < 1)).all():
        raise InvalidInputError(f"`{name}` must be in (0, 1); got {show(q)}. Hint: the ends are in `support()`.")
    return function(array.ravel()).value.reshape(array.shape)[()]


def snap_up(q: FloatArray) -> FloatArray:
    """Return probabilities raised by the tolerance within which two steps count as equal."""
    return q * (1.0 + SNAP)


class Discrete(Distribution):
    """A distribution on a list of values: a table, the empirical distribution of a sample, or one certain score.

    Parameters
    ----------
    values : array_like
        The possible scores, in any order; infinities are allowed, NaN is not.
    probabilities : array_like, optional
        Their probabilities or weights, element i that of `values[i]`; they are divided by their sum. Equal by default.

    Examples
    --------
    >>> from thresher.population import Discrete
    >>> die = Discrete([1, 2, 3, 4, 5, 6])
    >>> round(float(die.sf(4)), 6)
    0.333333
    """

    _built_from = ("_values", "_masses", "lower", "upper")

    def __init__(self, values: ArrayLike, probabilities: ArrayLike | None = None) -> None:
        points, masses = _check_table(values, probabilities)
        self._fill(points, masses)
        self._seal()

    def _fill(
        self, values: FloatArray, masses: FloatArray, tails: tuple[Tail | None, Tail | None] = (None, None)
    ) -> None:
        self._values, self._masses = frozen(values), frozen(masses)
        self._tails = tails
        self.lower, self.upper = float(values[0]), float(values[-1])
        # Summed from the far end, in extended precision, so that small tails keep their digits.
        long = masses.astype(np.longdouble)
        above = np.cumsum(long[::-1])[::-1]
        self._sf = frozen(np.append(above[1:], 0.0).astype(np.float64))  # P(S > values[i])
        self._sf_all = frozen(np.concatenate([[1.0], self._sf]))
        cdf = np.concatenate([[0.0], np.cumsum(long).astype(np.float64)])
        cdf[-1] = 1.0
        self._cdf_all = frozen(cdf)

    def __repr__(self) -> str:
        size = self._values.size
        return (
            f"Discrete([{self.lower:g}])"
            if size == 1
            else f"Discrete({size} values from {self.lower:g} to {self.upper:g})"
        )

    def _beyond(self, points: Points, *, upper: bool) -> FloatArray:
        level = self._sf_all if upper else self._cdf_all
        return level[np.searchsorted(self._values, points.value, side="right")]

    def _density(self, points: Points) -> FloatArray:
        return np.zeros_like(points.offset)

    def _quantiles(self, q: FloatArray, *, upper: bool) -> Points:
        if upper:
            # P(S > values[i]) falls with i; counting those still above q gives the first that is not.
            index = self._sf.size - np.searchsorted(self._sf[::-1], snap_up(q), side="right")
        else:
            index = np.searchsorted(self._cdf_all[1:], q * (1.0 - SNAP), side="left")
        return plain(self._values[np.minimum(index, self._values.size - 1)])

    def atoms(self) -> tuple[FloatArray, FloatArray]:
        """Return the values, increasing, and their probabilities."""
        return self._values, self._masses

    def leaves(self) -> list[tuple[float, Distribution]]:
        """Return nothing: the distribution is all atoms."""
        return []

    def breaks(self) -> FloatArray:
        """Return nothing: there is no density."""
        return _EMPTY


def table_distribution(
    values: FloatArray, masses: FloatArray, tails: tuple[Tail | None, Tail | None], ends: tuple[float, float]
) -> Distribution:
    """Return the distribution of a long table of atoms whose support may go on beyond it with negligible mass."""
    distribution = Discrete.__new__(Discrete)
    distribution._fill(values, masses, tails)
    distribution.lower, distribution.upper = ends
    return distribution


def _check_table(values: ArrayLike, probabilities: ArrayLike | None) -> tuple[FloatArray, FloatArray]:
    try:
        points = np.asarray(values, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise InvalidTypeError(f"`values` must be numbers; got {show(values)}.") from None
    if points.size == 0:
        raise InvalidInputError("`values` must hold at least one score; got none.")
    if np.isnan(points).any():
        count = int(np.isnan(points).sum())
        raise InvalidInputError(f"`values` must not contain NaN; got NaN in {count} of {points.size} values.")
    if probabilities is None:
        unique, counts = np.unique(points, return_counts=True)
        return unique, counts / points.size
    masses = np.asarray(probabilities, dtype=np.float64).ravel()
    if masses.size != points.size:
        raise InvalidInputError(
            f"`probabilities` must have one element per value; got {masses.size} for {points.size} values."
        )
    if not ((masses >= 0) & np.isfinite(masses)).all() or not masses.sum() > 0:
        raise InvalidInputError(f"`probabilities` must be nonnegative with a positive sum; got {show(probabilities)}.")
    unique, inverse = np.unique(points, return_inverse=True)
    total = np.bincount(inverse, weights=masses)
    keep = total > 0
    return unique[keep], total[keep] / math.fsum(masses)


def invert(
    below: Callable[[FloatArray, BoolArray], BoolArray], low: FloatArray, high: FloatArray, *, rounds: int = 2200
) -> FloatArray:
    """Return the smallest double in each (low, high] at which the monotone condition holds."""
    low, high = low.astype(np.float64).copy(), high.astype(np.float64).copy()
    with np.errstate(under="ignore"):
        active = np.nextafter(low, np.inf) < high
    for _ in range(rounds):
        if not active.any():
            break
        a, b = low[active], high[active]
        with np.errstate(all="ignore"):
            middle = 0.5 * a + 0.5 * b
            # Far apart and of one sign: halve the exponent first.
            wide = (np.minimum(np.abs(a), np.abs(b)) > 0) & (np.sign(a) == np.sign(b))
            wide &= np.maximum(np.abs(a), np.abs(b)) > 4 * np.minimum(np.abs(a), np.abs(b))
            middle = np.where(wide, np.sign(a) * np.sqrt(np.abs(a)) * np.sqrt(np.abs(b)), middle)
            middle = np.clip(middle, np.nextafter(a, np.inf), np.nextafter(b, -np.inf))
        holds = below(middle, active)
        high[active] = np.where(holds, middle, b)
        low[active] = np.where(holds, a, middle)
        with np.errstate(under="ignore"):
            active = np.nextafter(low, np.inf) < high
    return high
