"""Closed forms of tails against the distributions themselves, far out; moved and stretched; and ratios of two."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from scipy import stats

from support.thorough import dear
from thresher.population._tails import (
    LOG,
    LOG_SQUARED,
    LOGLOG,
    X_LOG_X,
    Tail,
    family_tail,
    power,
    scale_tail,
    tail_ratio,
)
from thresher.population._wrap import as_distribution


def density(name, shapes, t):
    """Return the density of a standard distribution, written out in mpmath."""
    if name == "triang":
        (c,) = shapes
        return 2 * t / c if t < c else 2 * (1 - t) / (1 - c) if c < 1 else 2 * t
    if name == "skewnorm":
        return 2 * mpmath.npdf(t) * mpmath.ncdf(shapes[0] * t)
    if name == "f":
        a, b = (mpmath.mpf(shape) / 2 for shape in shapes)
        r = a / b
        return r**a * t ** (a - 1) * (1 + r * t) ** (-a - b) / mpmath.beta(a, b)
    if name in ("chi", "maxwell"):
        k = mpmath.mpf(shapes[0] if shapes else 3)
        return t ** (k - 1) * mpmath.exp(-t * t / 2) / (2 ** (k / 2 - 1) * mpmath.gamma(k / 2))
    if name == "invgamma":
        return t ** (-mpmath.mpf(shapes[0]) - 1) * mpmath.exp(-1 / t) / mpmath.gamma(shapes[0])
    if name == "fisk":
        c = mpmath.mpf(shapes[0])
        return c * t ** (c - 1) / (1 + t**c) ** 2
    if name == "burr12":
        c, d = map(mpmath.mpf, shapes)
        return c * d * t ** (c - 1) / (1 + t**c) ** (d + 1)
    if name == "genpareto":
        c = mpmath.mpf(shapes[0])
        return (1 + c * t) ** (-1 / c - 1)
    if name == "powerlaw":
        return shapes[0] * t ** (mpmath.mpf(shapes[0]) - 1)
    return 1 / (mpmath.pi * mpmath.sqrt(t * (1 - t)))


def test_a_difference_of_rounding_decides_nothing():
    one, two = (scale_tail(family_tail("norm", (), upper=True), 0.1, sd) for sd in (0.3, 0.1 + 0.2))
    assert tail_ratio(one, two)[0] is None


def test_lower_ends_have_tails_too():
    # Reflected, the lower ends of these distributions become upper ends.
    for frozen in (stats.lognorm(0.8), stats.gamma(2.5), stats.weibull_min(1.4), stats.pareto(2.0), stats.halfnorm()):
        distribution = as_distribution(frozen, "distribution")
        tail = distribution.tail(upper=False)
        d = 1e-7 if frozen.dist.name != "lognorm" else 1e-10
        z = 1 / d
        names = {(1, 1.0, 0): math.log(z), (1, 2.0, 0): math.log(z) ** 2, (0, 1.0, 0): math.log(math.log(z))}
        predicted = tail.const - sum(c * names[key] for key, c in tail.terms.items())
        assert predicted == pytest.approx(float(np.log(frozen.cdf(frozen.support()[0] + d))), rel=1e-3)


@pytest.mark.some(10)
@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("triang", (0.3,)), ("triang", (1.0,)), ("triang", (0.0,)), ("skewnorm", (1.5,)), ("skewnorm", (-1.5,)),
        ("skewnorm", (0.0,)), ("f", (5, 8)), ("f", (3, 2)), ("chi", (5,)), ("maxwell", ()), ("invgamma", (2.5,)),
        ("fisk", (1.7,)), ("burr12", (2.0, 1.5)), ("genpareto", (0.3,)), ("genpareto", (-0.4,)), ("powerlaw", (2.5,)),
        ("arcsine", ()),
    ],
)  # fmt: skip
@pytest.mark.parametrize("upper", dear([True, False], 1))
def test_recorded_tails_are_those_of_the_density(name, shapes, upper):
    # The integral of the density from far out, in 40 digits, against the closed form.
    tail = family_tail(name, shapes, upper=upper)
    frozen = getattr(stats, name)(*shapes)
    if tail is None:
        assert not upper  # no upper end in the list is without one
        return
    # The arcsine distribution is symmetric, and its density is infinite at 1, which has no digits to spare.
    upper = upper and name != "arcsine"
    with mpmath.workdps(40):
        end = mpmath.mpf(frozen.support()[upper])
        z = mpmath.mpf(10) ** (8 if tail.finite else (6 if LOG in tail.terms and len(tail.terms) == 1 else 1.5))
        said = mpmath.mpf(tail.const)
        for key, coefficient in tail.terms.items():
            said -= coefficient * (mpmath.log(z) if key == LOG else z ** key[1])
        start = (end - 1 / z if upper else end + 1 / z) if tail.finite else (z if upper else -z)
        # Widening steps from the start to the end of the support.
        if tail.finite:
            mass = abs(mpmath.quad(lambda t: density(name, shapes, t), [start, (start + end) / 2, end]))
        else:
            steps = [start * (1 + mpmath.mpf(2) ** k / (z**2 if len(tail.terms) > 1 else 1)) for k in range(-3, 60)]
            mass = abs(mpmath.quad(lambda t: density(name, shapes, t), [start, *steps]))
        assert float(mpmath.log(mass)) == pytest.approx(float(said), abs=5e-3)


def told(tail: Tail, z: float) -> float:
    """Return the log probability that a closed form gives."""
    total = tail.const
    for key, coefficient in tail.terms.items():
        if key == LOGLOG:
            value = math.log(math.log(z))
        elif key[0] == 1:
            value = math.log(z) ** key[1]
        elif key == X_LOG_X:
            value = z * math.log(z)
        elif key[0] == 3:
            value = math.exp(key[1] * z)
        else:
            value = z ** key[1]
        total -= coefficient * value
    return total


@pytest.mark.parametrize(
    ("frozen", "z"),
    [
        (stats.norm(1.5, 2), 2000.0),
        (stats.expon(2, 3), 50.0),
        (stats.logistic(-1, 0.5), 15.0),
        (stats.gumbel_r(1, 2), 60.0),
        (stats.gumbel_l(1, 2), 8.0),
        (stats.laplace(1, 2), 60.0),
        (stats.gamma(2.5, 1, 2), 1200.0),
        (stats.t(3, 1, 2), 1e6),
        (stats.cauchy(1, 2), 1e6),
        (stats.pareto(2, 1, 3), 1e7),
        (stats.lomax(2, 1, 3), 1e7),
        (stats.weibull_min(1.0, 1, 2), 50.0),
        (stats.weibull_min(2.0, 1, 2), 40.0),
        (stats.rayleigh(1, 2), 40.0),
        (stats.halfnorm(0, 2), 70.0),
        (stats.halfcauchy(1, 2), 1e7),
        (stats.lognorm(0.8, 0, 3), 1e200),
        (stats.chi2(4, 0, 2), 2400.0),
        (stats.geom(0.3, 2), 60.0),
    ],
)
def test_upper_tails_moved_and_stretched(frozen, z):
    # Of the o(1) that is left little is seen so far out.
    tail = as_distribution(frozen, "distribution").tail(upper=True)
    assert told(tail, z) == pytest.approx(float(frozen.logsf(z)), abs=6e-3)


@pytest.mark.parametrize("frozen", [stats.norm(1.5, 2), stats.logistic(-1, 0.5), stats.laplace(1, 2), stats.t(3, 1, 2)])
def test_lower_tails_at_infinity(frozen):
    z = {"t": 1e6, "norm": 2000.0}.get(frozen.dist.name, 60.0)
    assert told(as_distribution(frozen, "distribution").tail(upper=False), z) == pytest.approx(
        float(frozen.logcdf(-z)), abs=6e-3
    )


def test_a_finite_end_scales_its_distance():
    tail = scale_tail(Tail({LOG: 2.0, LOG_SQUARED: 0.5, power(1): 3.0}, 0.25, True), 7.0, 4.0)
    # At distance d of the stretched distribution the plain one is d / 4 away: z = 4 w.
    w = 50.0
    plain = Tail({LOG: 2.0, LOG_SQUARED: 0.5, power(1): 3.0}, 0.25, True)
    assert told(tail, w) == pytest.approx(told(plain, 4 * w))


def test_ratios():
    normal, exponential = (family_tail(name, (), upper=True) for name in ("norm", "expon"))
    assert tail_ratio(normal, exponential) == (0.0, power(2))
    assert tail_ratio(exponential, normal) == (math.inf, power(2))
    assert tail_ratio(exponential, exponential._replace(const=-2.0)) == (pytest.approx(math.exp(2)), None)
    slower = Tail({power(1): 1.0, LOG: 2.0}, 0.0, False)
    assert tail_ratio(exponential, slower) == (math.inf, LOG)


def test_families_without_a_record():
    assert family_tail("levy", (), upper=True) is None
    assert family_tail("geom", (1.0,), upper=True) is None
    assert np.isfinite(told(family_tail("nbinom", (3.0, 0.4), upper=True), 50.0))
