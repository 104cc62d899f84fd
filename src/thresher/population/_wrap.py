"""From whatever a user calls a distribution to a distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from thresher._core.checks import show
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.population._distributions import Discrete, Distribution, Points, plain
from thresher.population._families import BetaDistribution, ScipyDistribution, atom_table
from thresher.typing import FloatArray


def as_distribution(obj: Any, name: str) -> Distribution:
    """Return the distribution of a distribution given in any accepted form."""
    return _distribution_of(obj, name)._seal()


def _distribution_of(obj: Any, name: str) -> Distribution:
    if isinstance(obj, Distribution):
        return obj
    from scipy import stats

    if isinstance(obj, stats.rv_continuous | stats.rv_discrete):
        obj = _freeze(obj, name)
    if isinstance(obj, stats.distributions.rv_frozen):
        return _from_frozen(obj, name, stats)
    if hasattr(obj, "iccdf") and hasattr(obj, "ccdf"):
        return _User(_NewStyle(obj), name)
    if isinstance(obj, list | tuple | np.ndarray) or hasattr(obj, "__array__"):
        return Discrete(obj)
    missing = [method for method in ("cdf", "sf", "ppf", "isf") if not callable(getattr(obj, method, None))]
    if missing:
        raise InvalidTypeError(
            f"`{name}` must be a distribution with the methods cdf, sf, ppf and isf; got {show(obj)} of type "
            f"{type(obj).__name__} without {', '.join(missing)}. "
            "Hint: freeze a scipy.stats distribution, as in scipy.stats.norm(1.4, 1)."
        )
    return _user_table(obj, name) if callable(getattr(obj, "pmf", None)) else _User(obj, name)


def _user_table(obj: Any, name: str) -> Distribution:
    """Return the distribution of a user's object with a `pmf` on integers, as in scipy."""
    low, high = (
        float(end) for end in (obj.support() if callable(getattr(obj, "support", None)) else (-np.inf, np.inf))
    )
    low = low if math.isfinite(low) else float(obj.ppf(1e-15)) - 64
    high = high if math.isfinite(high) else float(obj.isf(1e-15)) + 64
    values = np.arange(low, high + 1)
    masses = np.array([float(obj.pmf(value)) for value in values])
    total = math.fsum(masses)
    if not abs(total - 1.0) <= 1e-9:
        raise InvalidInputError(
            f"the probabilities of `{name}` must add to 1 over its integer values; got {total!r}. "
            "Hint: give the values and probabilities to thresher.population.Discrete."
        )
    return Discrete(values, masses)


def _freeze(generator: Any, name: str) -> Any:
    try:
        return generator()
    except TypeError:
        raise InvalidTypeError(
            f"`{name}` must be a distribution with its parameters; got the family {generator.name!r}, whose shapes "
            f"{generator.shapes!r} are not given. Hint: pass scipy.stats.{generator.name}(...)."
        ) from None


_BETA_TAIL: dict[str, tuple[float, ...]] = {
    "uniform": (1.0, 1.0),
    "beta": (),
    "arcsine": (0.5, 0.5),
    "powerlaw": (1.0,),
}
"""Families that are beta distributions, with the parameters of those that follow their own shapes."""


def _from_frozen(frozen: Any, name: str, stats: Any) -> Distribution:
    generator = frozen.dist
    try:
        shapes, loc, scale = generator._parse_args(*frozen.args, **frozen.kwds)
    except TypeError:  # families that take their parameters in a way of their own
        raise InvalidTypeError(
            f"`{name}` must be a family with shapes, loc and scale; got {generator.name}. "
            "Hint: give its values and probabilities to thresher.population.Discrete."
        ) from None
    if any(np.ndim(value) for value in (*shapes, loc, scale)):
        raise InvalidInputError(
            f"`{name}` must be one distribution; got {generator.name} with array parameters. Hint: pass scalars."
        )
    shapes, loc, scale = tuple(float(shape) for shape in shapes), float(loc), float(scale)
    if not _has_valid_parameters(frozen, shapes, loc, scale):
        values = ", ".join(f"{value:g}" for value in (*shapes, loc, scale))
        raise InvalidInputError(
            f"`{name}` must have valid parameters; got {generator.name} with shapes, loc and scale ({values})."
        )
    if isinstance(generator, stats.rv_discrete):
        if hasattr(generator, "xk"):
            return Discrete(np.asarray(generator.xk, dtype=np.float64) + loc, generator.pk)
        return atom_table(generator, shapes, loc, str(generator.name))
    if generator.name in _BETA_TAIL:
        both = shapes + _BETA_TAIL[generator.name]
        return BetaDistribution(both[0], both[1], loc, scale)
    return ScipyDistribution(generator, shapes, loc, scale)


def _has_valid_parameters(frozen: Any, shapes: tuple[float, ...], loc: float, scale: float) -> bool:
    with np.errstate(all="ignore"):
        ends = frozen.support()
        valid = bool(np.all(frozen.dist._argcheck(*shapes)))
    return valid and not np.isnan([*ends, loc]).any() and 0 < scale < math.inf


def _end(quantile: Any) -> float:
    """Return a quantile function's value at 0, or NaN where it gives none."""
    with np.errstate(all="ignore"):
        try:
            return float(quantile(0.0))
        except (ArithmeticError, ValueError, TypeError):
            return math.nan


class _NewStyle:
    """The methods of scipy's new distribution objects under their old names."""

    def __init__(self, obj: Any) -> None:
        self.cdf, self.sf, self.ppf, self.isf = obj.cdf, obj.ccdf, obj.icdf, obj.iccdf
        self.pdf, self.support = obj.pdf, obj.support


class _User(Distribution):
    """An object of the user's with `cdf`, `sf`, `ppf` and `isf`; taken at its word."""

    _built_from = ("_object",)

    def __init__(self, obj: Any, name: str) -> None:
        self._object = obj
        if callable(getattr(obj, "support", None)):
            low, high = obj.support()
        else:
            low, high = _end(obj.ppf), _end(obj.isf)
        self.lower = -math.inf if math.isnan(float(low)) else float(low)
        self.upper = math.inf if math.isnan(float(high)) else float(high)
        self.has_density = callable(getattr(obj, "pdf", None)) and not callable(getattr(obj, "pmf", None))
        q = np.array([0.9, 0.5, 0.1])
        found = np.array([float(obj.isf(value)) for value in q])
        if np.isnan(found).any() or (np.diff(found) < 0).any():
            raise InvalidInputError(
                f"`{name}` must be a distribution whose isf falls as its argument grows; "
                f"got {found.tolist()} at {q.tolist()}."
            )

    def __repr__(self) -> str:
        return show(self._object)

    def _call(self, method: str, argument: FloatArray) -> FloatArray:
        function = getattr(self._object, method)
        with np.errstate(all="ignore"):
            try:
                answer = np.asarray(function(argument), dtype=np.float64)
            except (TypeError, ValueError):
                answer = np.empty(0)
            if answer.shape != argument.shape:
                # A method written for one number at a time.
                answer = np.array([float(function(float(value))) for value in argument])
        return answer

    def _beyond(self, points: Points, *, upper: bool) -> FloatArray:
        return self._call("sf" if upper else "cdf", points.value)

    def _density(self, points: Points) -> FloatArray:
        return self._call("pdf", points.value)

    def _quantiles(self, q: FloatArray, *, upper: bool) -> Points:
        return plain(self._call("isf" if upper else "ppf", q))
