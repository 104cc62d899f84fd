"""How fast a distribution decays at the end of its support, in closed form, so that limits are proved."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from scipy import special

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


def _power_end(c: float, const: float = 0.0, *, finite: bool = False) -> Tail:
    """Return a tail that decays like exp(const) z ** -c."""
    return Tail({LOG: c}, const, finite)


def _chi(df: float) -> Tail:
    const = (1.0 - df / 2) * math.log(2.0) - float(special.gammaln(df / 2))
    return Tail({power(2): 0.5, LOG: 2.0 - df}, const, False)


def _poisson(mu: float) -> Tail:
    terms = {X_LOG_X: 1.0, power(1): -1.0 - math.log(mu), LOG: 1.5}
    return Tail(terms, -mu - _LOG_ROOT_2PI + math.log(mu), False)


def _gamma_start(a: float) -> Tail:
    return _power_end(a, -float(special.gammaln(a + 1)), finite=True)


_UPPER: Mapping[str, Callable[..., Tail | None]] = {
    "norm": lambda: _NORMAL,
    "expon": lambda: _EXPONENTIAL,
    "logistic": lambda: _EXPONENTIAL,
    "gumbel_r": lambda: _EXPONENTIAL,
    "gumbel_l": lambda: _DOUBLE,
    "laplace": lambda: _LAPLACE,
    "cauchy": lambda: _CAUCHY,
    "rayleigh": lambda: Tail({power(2): 0.5}, 0.0, False),
    "halfnorm": lambda: Tail(_NORMAL.terms, math.log(2.0) - _LOG_ROOT_2PI, False),
    "halfcauchy": lambda: _power_end(1.0, math.log(2.0 / math.pi)),
    "uniform": lambda: _LINEAR,
    "arcsine": lambda: _beta_end(0.5, 0.5),
    "lognorm": lambda s: _lognormal(s, False),
    "gamma": _gamma,
    "erlang": _gamma,
    "chi2": lambda df: scale_tail(_gamma(df / 2), 0.0, 2.0),
    "chi": _chi,
    "maxwell": lambda: _chi(3.0),
    "t": _student,
    "pareto": _power_end,
    "lomax": _power_end,
    "fisk": _power_end,
    "weibull_min": lambda c: Tail({power(c): 1.0}, 0.0, False),
    "beta": lambda a, b: _beta_end(a, b),
    "triang": lambda c: _triangle_end(1.0 - c),
    "skewnorm": lambda a: _skew_normal(a),
    "f": lambda first, second: _power_end(second / 2, _f_end(first, second)),
    "invgamma": lambda a: _power_end(a, -float(special.gammaln(a + 1))),
    "burr12": lambda c, d: _power_end(c * d),
    "genpareto": lambda c: _pareto_end(c),
    "powerlaw": lambda a: _power_end(1.0, math.log(a), finite=True),
    "poisson": _poisson,
    "geom": lambda p: Tail({power(1): -math.log1p(-p)}, 0.0, False) if p < 1 else None,
    "nbinom": lambda n, p: _nbinom(n, p) if p < 1 else None,
}
_LOWER: Mapping[str, Callable[..., Tail | None]] = {
    **{name: _UPPER[name] for name in ("norm", "t", "cauchy", "laplace", "arcsine")},
    "logistic": lambda: _EXPONENTIAL,
    "gumbel_l": lambda: _EXPONENTIAL,
    "gumbel_r": lambda: _DOUBLE,
    "lognorm": lambda s: _lognormal(s, True),
    "expon": lambda: _LINEAR,
    "uniform": lambda: _LINEAR,
    "genpareto": lambda c: _LINEAR,
    "gamma": _gamma_start,
    "erlang": _gamma_start,
    "chi2": lambda df: scale_tail(_gamma_start(df / 2), 0.0, 2.0),
    "pareto": lambda b: _power_end(1.0, math.log(b), finite=True),
    "lomax": lambda c: _power_end(1.0, math.log(c), finite=True),
    "weibull_min": lambda c: _power_end(c, finite=True),
    "powerlaw": lambda a: _power_end(a, finite=True),
    "fisk": lambda c: _power_end(c, finite=True),
    "burr12": lambda c, d: _power_end(c, math.log(d), finite=True),
    "rayleigh": lambda: _power_end(2.0, -math.log(2.0), finite=True),
    "halfnorm": lambda: _power_end(1.0, 0.5 * math.log(2.0 / math.pi), finite=True),
    "halfcauchy": lambda: _power_end(1.0, math.log(2.0 / math.pi), finite=True),
    "beta": lambda a, b: _beta_end(b, a),
    "triang": lambda c: _triangle_end(c),
    "skewnorm": lambda a: _skew_normal(-a),
    "f": lambda first, second: _power_end(first / 2, _f_end(second, first), finite=True),
}


def family_tail(name: str, shapes: tuple[float, ...], *, upper: bool) -> Tail | None:
    """Return the tail of a named scipy.stats family in standard form, or None where none is recorded."""
    make = (_UPPER if upper else _LOWER).get(name)
    return None if make is None else make(*shapes)


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


def family_tails(name: str, shapes: tuple[float, ...], loc: float, scale: float) -> tuple[Tail | None, Tail | None]:
    """Return the lower and the upper tail of `loc + scale * S`, S in standard form."""
    lower, upper = family_tail(name, shapes, upper=False), family_tail(name, shapes, upper=True)
    return (
        None if lower is None else scale_tail(lower, -loc, scale),
        None if upper is None else scale_tail(upper, loc, scale),
    )


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
