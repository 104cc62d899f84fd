"""How fast a distribution decays at the end of its support, in closed form, so that limits are proved."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from scipy import special

__all__ = ["Tail", "family_tail", "scale_tail", "tail_ratio"]

# Growing functions of z, ordered: a later one in tuple order dominates every earlier one as z grows.
# z is the threshold itself at an infinite end and 1/distance at a finite end.
LOGLOG = (0, 1.0, 0)
LOG = (1, 1.0, 0)
LOG_SQUARED = (1, 2.0, 0)
X_LOG_X = (2, 1.0, 1)
Key = tuple[int, float, int]


def power(exponent: float) -> Key:
    """Return the key of z ** exponent."""
    return (2, exponent, 0)


def exponential(rate: float) -> Key:
    """Return the key of exp(rate * z)."""
    return (3, rate, 0)


class Tail(NamedTuple):
    """log P(beyond t) = const - sum of terms[key] * function(key)(z) + o(1)."""

    terms: Mapping[Key, float]
    const: float
    finite: bool


_LOG_ROOT_2PI = 0.5 * math.log(2.0 * math.pi)


def _student(df: float) -> Tail:
    const = float(special.gammaln((df + 1) / 2) - special.gammaln(df / 2)) - 0.5 * math.log(math.pi)
    return Tail({LOG: df}, const + (df / 2 - 1) * math.log(df), False)


def _gamma(a: float) -> Tail:
    return Tail({power(1): 1.0, LOG: 1.0 - a}, -float(special.gammaln(a)), False)


def _beta_end(a: float, b: float) -> Tail:
    return Tail({LOG: b}, -math.log(b) - float(special.betaln(a, b)), True)


def _lognormal(s: float, finite: bool) -> Tail:
    return Tail({LOG_SQUARED: 0.5 / s**2, LOGLOG: 1.0}, math.log(s) - _LOG_ROOT_2PI, finite)


def _nbinom(n: float, p: float) -> Tail:
    log_q = math.log1p(-p)
    const = (n - 1) * math.log(p) - float(special.gammaln(n)) + log_q
    return Tail({power(1): -log_q, LOG: 1.0 - n}, const, False)


def _skew_normal(a: float) -> Tail:
    """Density 2 φ(x) Φ(ax): beyond, Φ(ax) is 1, or for negative a itself a normal tail."""
    if a >= 0:
        return Tail({power(2): 0.5, LOG: 1.0}, (math.log(2.0) if a > 0 else 0.0) - _LOG_ROOT_2PI, False)
    both = 1.0 + a * a
    return Tail({power(2): 0.5 * both, LOG: 2.0}, -math.log(math.pi * -a * both), False)


def _f_end(first: float, second: float) -> float:
    """Return the constant of the F distribution's end that decays as the power second / 2."""
    return math.log(2.0 / second) + second / 2 * math.log(second / first) - float(special.betaln(first / 2, second / 2))


def _triangle_end(width: float) -> Tail:
    """Return the end of a triangular distribution on which its top is `width` away; at 0 the top is the end itself."""
    return Tail({LOG: 2.0}, -math.log(width), True) if width > 0 else Tail({LOG: 1.0}, math.log(2.0), True)


def _pareto_end(c: float) -> Tail:
    if c == 0:
        return _EXPONENTIAL
    return Tail({LOG: 1.0 / abs(c)}, (-1.0 if c > 0 else 1.0) * math.log(abs(c)) / abs(c), c < 0)


_NORMAL = Tail({power(2): 0.5, LOG: 1.0}, -_LOG_ROOT_2PI, False)
_EXPONENTIAL = Tail({power(1): 1.0}, 0.0, False)
_LINEAR = Tail({LOG: 1.0}, 0.0, True)
_DOUBLE = Tail({exponential(1.0): 1.0}, 0.0, False)
_CAUCHY = Tail({LOG: 1.0}, -math.log(math.pi), False)
_LAPLACE = Tail({power(1): 1.0}, -math.log(2.0), False)

_WITHOUT_SHAPES: Mapping[str, Tail] = {
    "norm": _NORMAL,
    "expon": _EXPONENTIAL,
    "logistic": _EXPONENTIAL,
    "gumbel_r": _EXPONENTIAL,
    "gumbel_l": _DOUBLE,
    "laplace": _LAPLACE,
    "cauchy": _CAUCHY,
    "rayleigh": Tail({power(2): 0.5}, 0.0, False),
    "halfnorm": Tail(_NORMAL.terms, math.log(2.0) - _LOG_ROOT_2PI, False),
    "halfcauchy": Tail({LOG: 1.0}, math.log(2.0 / math.pi), False),
    "uniform": _LINEAR,
    "arcsine": _beta_end(0.5, 0.5),
}


def _upper(name: str, shapes: tuple[float, ...]) -> Tail | None:
    if name in _WITHOUT_SHAPES:
        return _WITHOUT_SHAPES[name]
    match name:
        case "lognorm":
            return _lognormal(shapes[0], False)
        case "gamma" | "erlang":
            return _gamma(shapes[0])
        case "chi2":
            return scale_tail(_gamma(shapes[0] / 2), 0.0, 2.0)
        case "t":
            return _student(shapes[0])
        case "pareto" | "lomax" | "fisk":
            return Tail({LOG: shapes[0]}, 0.0, False)
        case "weibull_min":
            return Tail({power(shapes[0]): 1.0}, 0.0, False)
        case "beta":
            return _beta_end(*shapes)
        case "triang":
            return _triangle_end(1.0 - shapes[0])
        case "skewnorm":
            return _skew_normal(shapes[0])
        case "f":
            return Tail({LOG: shapes[1] / 2}, _f_end(*shapes), False)
        case "chi":
            df = shapes[0]
            const = (1.0 - df / 2) * math.log(2.0) - float(special.gammaln(df / 2))
            return Tail({power(2): 0.5, LOG: 2.0 - df}, const, False)
        case "maxwell":
            return _upper("chi", (3.0,))
        case "invgamma":
            return Tail({LOG: shapes[0]}, -float(special.gammaln(shapes[0] + 1)), False)
        case "burr12":
            return Tail({LOG: shapes[0] * shapes[1]}, 0.0, False)
        case "genpareto":
            return _pareto_end(shapes[0])
        case "powerlaw":
            return Tail({LOG: 1.0}, math.log(shapes[0]), True)
        case "poisson":
            mu = shapes[0]
            const = -mu - _LOG_ROOT_2PI + math.log(mu)
            return Tail({X_LOG_X: 1.0, power(1): -1.0 - math.log(mu), LOG: 1.5}, const, False)
        case "geom":
            return Tail({power(1): -math.log1p(-shapes[0])}, 0.0, False) if shapes[0] < 1 else None
        case "nbinom":
            return _nbinom(*shapes) if shapes[1] < 1 else None
    return None


def _lower(name: str, shapes: tuple[float, ...]) -> Tail | None:
    match name:
        case "norm" | "t" | "cauchy" | "laplace":
            return _upper(name, shapes)
        case "logistic" | "gumbel_l":
            return _EXPONENTIAL
        case "gumbel_r":
            return _DOUBLE
        case "lognorm":
            return _lognormal(shapes[0], True)
        case "expon" | "uniform":
            return _LINEAR
        case "gamma" | "erlang":
            return Tail({LOG: shapes[0]}, -float(special.gammaln(shapes[0] + 1)), True)
        case "chi2":
            half = Tail({LOG: shapes[0] / 2}, -float(special.gammaln(shapes[0] / 2 + 1)), True)
            return scale_tail(half, 0.0, 2.0)
        case "pareto" | "lomax":
            return Tail({LOG: 1.0}, math.log(shapes[0]), True)
        case "weibull_min":
            return Tail({LOG: shapes[0]}, 0.0, True)
        case "rayleigh":
            return Tail({LOG: 2.0}, -math.log(2.0), True)
        case "halfnorm":
            return Tail({LOG: 1.0}, 0.5 * math.log(2.0 / math.pi), True)
        case "halfcauchy":
            return Tail({LOG: 1.0}, math.log(2.0 / math.pi), True)
        case "beta":
            return _beta_end(shapes[1], shapes[0])
        case "triang":
            return _triangle_end(shapes[0])
        case "skewnorm":
            return _skew_normal(-shapes[0])
        case "f":
            return Tail({LOG: shapes[0] / 2}, _f_end(shapes[1], shapes[0]), True)
        case "powerlaw":
            return Tail({LOG: shapes[0]}, 0.0, True)
        case "fisk":
            return Tail({LOG: shapes[0]}, 0.0, True)
        case "burr12":
            return Tail({LOG: shapes[0]}, math.log(shapes[1]), True)
        case "genpareto":
            return _LINEAR
        case "arcsine":
            return _beta_end(0.5, 0.5)
    return None


def family_tail(name: str, shapes: tuple[float, ...], *, upper: bool) -> Tail | None:
    """Return the tail of a named scipy.stats family in standard form, or None where none is recorded."""
    return _upper(name, shapes) if upper else _lower(name, shapes)


def scale_tail(tail: Tail, shift: float, scale: float) -> Tail | None:
    """Return the tail of `shift + scale * S`, scale positive, seen from its own end.

    At an infinite lower end the caller passes the shift with its sign changed.
    """
    terms: dict[Key, float] = {}
    const = tail.const
    log_scale = math.log(scale)

    def add(key: Key, coefficient: float) -> None:
        terms[key] = terms.get(key, 0.0) + coefficient

    # In the new variable w, z = (w - shift) / scale at an infinite end and z = scale * w at a finite one.
    log_shift = log_scale if tail.finite else -log_scale
    for key, coefficient in tail.terms.items():
        if key == LOGLOG:
            add(LOGLOG, coefficient)
        elif key == LOG:
            add(LOG, coefficient)
            const -= coefficient * log_shift
        elif key == LOG_SQUARED:
            add(LOG_SQUARED, coefficient)
            add(LOG, 2 * coefficient * log_shift)
            const -= coefficient * log_shift**2
        elif key == X_LOG_X:
            add(X_LOG_X, coefficient / scale)
            add(power(1), -coefficient * log_scale / scale)
            add(LOG, -coefficient * shift / scale)
            const -= coefficient * shift * (log_scale - 1.0) / scale
        elif key[0] == 3:
            add(exponential(key[1] / scale), coefficient * math.exp(-key[1] * shift / scale))
        else:
            const += _add_power(add, key[1], coefficient, shift, scale, tail.finite)
    return Tail(terms, const, tail.finite)


def _add_power(
    add: Callable[[Key, float], None], p: float, coefficient: float, shift: float, scale: float, finite: bool
) -> float:
    """Expand the term of z ** p in the new variable; return what falls to the constant."""
    if finite:
        add(power(p), coefficient * scale**p)
        return 0.0
    factor, binomial, order = coefficient * scale**-p, 1.0, 0
    while p - order > 0:
        add(power(p - order), factor * binomial * (-shift) ** order)
        order += 1
        binomial *= (p - order + 1) / order
        if shift == 0:
            return 0.0
    return -factor * binomial * (-shift) ** order if p == order else 0.0


def tail_ratio(first: Tail, second: Tail) -> tuple[float | None, Key | None]:
    """Return lim P(first beyond t) / P(second beyond t), and the term that decided it (None: the constants).

    The limit is None when two coefficients differ by so little that rounding may have made the difference.
    """
    for key in sorted(set(first.terms) | set(second.terms), reverse=True):
        one, two = first.terms.get(key, 0.0), second.terms.get(key, 0.0)
        if one == two:
            continue
        if abs(one - two) <= 1e-12 * max(abs(one), abs(two)):
            return None, key
        return (0.0 if one > two else math.inf), key
    return math.exp(first.const - second.const), None
