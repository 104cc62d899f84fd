"""One-sided limits: the corrected P1 and P2, and the counter-examples to the printed ones."""

import math

import mpmath
import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.population import Discrete, Mixture, PointMass, affine
from thresher.population._tails import LOG, family_tail, scale_tail, tail_ratio
from thresher.population._wrap import as_law


def test_p1a_counter_example():
    # Printed: ROC(0+) = 1 - F+(M-) = 0. In fact ROC is 1 throughout.
    population = th.Population(PointMass(1.0), stats.uniform(0, 1), prevalence=0.5)
    limits = population.limits()
    assert 1 - population.pos.cdf(1.0) == 0.0
    assert limits.roc_at_0 == 1.0
    assert (population.roc([1e-12, 0.3, 0.9]) == 1.0).all()
    assert limits.reasons["roc_at_0"] == "P(S+ >= 1), the negatives having no atom at their maximum"
    # With an atom of the negatives at their maximum the printed formula holds.
    both = th.Population(PointMass(1.0), Mixture([stats.uniform(0, 1), PointMass(1.0)]), prevalence=0.5)
    assert both.limits().roc_at_0 == both.roc(1e-12) == 0.0


def test_p2b_counter_example_atom_of_the_negatives():
    # The density ratio tends to 1/2, which would give PR(0+) = 2/3; the truth is 0.
    population = th.Population(stats.uniform(0, 1), Mixture([stats.uniform(0, 1), PointMass(1.0)]), prevalence=0.5)
    limits = population.limits()
    assert limits.pr_at_0 == 0.0
    assert limits.fpr_at_0 == 0.5
    assert population.pr(1e-9) < 1e-8


def test_p2b_counter_example_discrete():
    # The ratio of the probabilities at the top is 1, which would give PR(0+) = pi; the truth is 1.
    coin = Discrete([0, 1])
    population = th.Population(coin, coin, prevalence=0.3)
    assert population.limits().pr_at_0 == 1.0
    assert population.pr(1e-9) == 1.0


class Wave:
    """Negatives for which alpha(x) = x (1 + sin(log x) / 2) against uniform positives: no limit at 0."""

    def sf(self, t):
        x = np.clip(1.0 - np.asarray(t, dtype=float), 0.0, 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(x > 0, x * (1 + 0.5 * np.sin(np.log(x))), 0.0)

    def cdf(self, t):
        return 1.0 - self.sf(t)

    def isf(self, q):
        x = np.linspace(0, 1, 20_001)[1:]
        return 1.0 - np.interp(q, self.sf(1.0 - x), x)

    def ppf(self, p):
        return self.isf(1.0 - np.asarray(p))

    def support(self):
        return 0.0, 1.0


def test_p2b_counter_example_no_limit():
    population = th.Population(stats.uniform(0, 1), Wave(), prevalence=0.5)
    limits = population.limits()
    assert limits.pr_at_0 is None
    assert limits.fpr_per_recall_at_0 is None
    assert limits.reasons["pr_at_0"].startswith(
        "the tail of the negatives has no closed form here, so the limit is not"
    )
    # It swings between 0.4 and 2/3 for ever, and what is computed says so.
    assert limits.pr_near_0 == pytest.approx((0.4, 2 / 3), abs=0.02)
    assert limits.reasons["pr_at_0"].endswith("computed and not proved")
    x = np.exp(-np.linspace(5, 30, 2000))
    ratio = x * (1 + 0.5 * np.sin(np.log(x))) / x
    assert 1 / (1 + ratio.max()) == pytest.approx(0.4, abs=1e-4)
    assert 1 / (1 + ratio.min()) == pytest.approx(2 / 3, abs=1e-4)


def test_p2b_infinite_ratio_with_equal_supports():
    population = th.Population(stats.norm(1, 0.5), stats.norm(0, 1), prevalence=0.5)
    assert population.limits().pr_at_0 == 0.0
    assert population.limits().fpr_per_recall_at_0 == math.inf
    assert (np.diff(population.pr([0.5, 1e-3, 1e-6, 1e-9])) < 0).all()


def test_a_limit_that_recall_1e_16_would_get_wrong():
    limits = th.population.CASES["B"].limits()
    assert limits.pr_at_0 == 0.0
    assert limits.fpr_at_0 == pytest.approx(stats.norm.sf(8), rel=1e-13)
    assert th.population.CASES["B"].pr(1e-14) > 0.93


@pytest.mark.parametrize("share", [0.5, 1 / 11])
def test_the_value_at_recall_one_is_not_the_limit(share):
    for case, limit in (("D", 2 * share / (share + 1)), ("F", share / (share + 0.6 * (1 - share)))):
        population = th.population.CASES[case]
        assert population.limits(prevalence=share).pr_at_1 == pytest.approx(limit)
        assert population.pr(1 - 1e-12, prevalence=share) == pytest.approx(limit)
        assert population.pr(1.0, prevalence=share) == pytest.approx(share)


@pytest.mark.parametrize(
    ("pos", "neg", "ratio"),
    [
        (stats.t(3, loc=1.5, scale=2), stats.t(3), 2.0**-3),
        (stats.t(3), stats.t(4), 0.0),
        (stats.cauchy(5, 2), stats.cauchy(0, 3), 1.5),
        (stats.logistic(1, 2), stats.logistic(0, 2), math.exp(-0.5)),
        (stats.gumbel_r(2), stats.gumbel_r(0), math.exp(-2)),
        (stats.laplace(1), stats.laplace(), math.exp(-1)),
        (stats.expon(scale=2), stats.expon(scale=2, loc=1), math.exp(0.5)),
        (stats.gamma(2, scale=3), stats.gamma(2, scale=3), 1.0),
        (stats.gamma(2.5), stats.gamma(2), 0.0),
        (stats.weibull_min(1.5), stats.weibull_min(1.5, scale=0.5), 0.0),
        (stats.lognorm(1), stats.norm(5), 0.0),
        (stats.norm(5), stats.lognorm(1), math.inf),
        (stats.pareto(2, scale=3), stats.pareto(2), 1 / 9),
        (stats.chi2(4), stats.gamma(2, scale=2), 1.0),
        (stats.beta(2, 3), stats.beta(4, 3), float(1 / 12 / (1 / 60))),
        (stats.uniform(0, 1), stats.uniform(0.5, 0.5), 2.0),
        (stats.gumbel_l(1), stats.gumbel_l(), 0.0),
        (Mixture([stats.t(3), stats.norm()], [0.25, 0.75]), stats.t(3), 4.0),
        (affine(stats.expon(), scale=-1), affine(stats.expon(scale=3), scale=-1), 1 / 3),
        (affine(stats.norm(1), scale=-2), stats.norm(-2, 2), 1.0),
    ],
)
def test_tails_in_closed_form(pos, neg, ratio):
    population = th.Population(pos, neg, prevalence=0.5)
    limits = population.limits()
    assert limits.fpr_per_recall_at_0 == pytest.approx(ratio, rel=1e-12)
    # The numbers move towards it.
    x = np.array([1e-3, 1e-6, 1e-12])
    seen = population.fpr_at(x) / x
    if ratio == 0:
        assert (np.diff(seen) <= 0).all()
        assert seen[2] < seen[0]
    elif math.isinf(ratio):
        assert (np.diff(seen) > 0).all()
    else:
        errors = np.abs(np.log(seen / ratio))
        assert errors[2] <= max(errors[0] * 0.2, 1e-9)


def test_a_difference_of_rounding_decides_nothing():
    one, two = (scale_tail(family_tail("norm", (), upper=True), 0.1, sd) for sd in (0.3, 0.1 + 0.2))
    assert tail_ratio(one, two)[0] is None


def test_endless_atoms():
    # Equal Poisson laws: alpha(x) / x runs between 1 and 4 / k inside every step, so there is no limit.
    same = th.Population(stats.poisson(4), stats.poisson(4), prevalence=0.5).limits()
    assert same.pr_at_0 is None
    assert (
        "the score has atoms without end, and the ratio does not settle between two of them" in same.reasons["pr_at_0"]
    )
    low, high = same.pr_near_0
    assert low < 0.51 < 0.6 < high
    assert th.Population(stats.poisson(4), stats.poisson(2), prevalence=0.5).limits().pr_at_0 == 1.0
    assert th.Population(stats.poisson(2), stats.poisson(4), prevalence=0.5).limits().pr_at_0 == 0.0
    assert th.Population(stats.geom(0.3), stats.geom(0.5), prevalence=0.5).limits().pr_at_0 == 1.0


def test_lower_ends_have_tails_too():
    # Reflected, the lower ends of these laws become upper ends.
    for frozen in (stats.lognorm(0.8), stats.gamma(2.5), stats.weibull_min(1.4), stats.pareto(2.0), stats.halfnorm()):
        law = as_law(frozen, "law")
        tail = law.tail(upper=False)
        d = 1e-7 if frozen.dist.name != "lognorm" else 1e-10
        z = 1 / d
        names = {(1, 1.0, 0): math.log(z), (1, 2.0, 0): math.log(z) ** 2, (0, 1.0, 0): math.log(math.log(z))}
        predicted = tail.const - sum(c * names[key] for key, c in tail.terms.items())
        assert predicted == pytest.approx(float(np.log(frozen.cdf(frozen.support()[0] + d))), rel=1e-3)


@pytest.mark.parametrize(
    ("pos", "neg", "ratio"),
    [
        (stats.triang(1), stats.uniform(), 0.5),
        (stats.skewnorm(4), stats.norm(), 0.5),
        (stats.norm(), stats.skewnorm(4), 2.0),
        (stats.skewnorm(-4), stats.norm(), math.inf),
        (stats.f(5, 8), stats.chi2(3), 0.0),
        (stats.chi2(3), stats.f(5, 8), math.inf),
        (stats.triang(0.25), stats.triang(0.5), 1.5),
    ],
)
def test_limits_that_exist_are_certified(pos, neg, ratio):
    limits = th.Population(pos, neg, prevalence=0.5).limits()
    assert limits.fpr_per_recall_at_0 == pytest.approx(ratio)
    assert limits.pr_at_0 == pytest.approx(1 / (1 + ratio))
    assert limits.pr_near_0 is None
    assert limits.reasons["pr_at_0"] == "from the closed forms of the two upper tails"


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("triang", (0.3,)), ("triang", (1.0,)), ("triang", (0.0,)), ("skewnorm", (1.5,)), ("skewnorm", (-1.5,)),
        ("skewnorm", (0.0,)), ("f", (5, 8)), ("f", (3, 2)), ("chi", (5,)), ("maxwell", ()), ("invgamma", (2.5,)),
        ("fisk", (1.7,)), ("burr12", (2.0, 1.5)), ("genpareto", (0.3,)), ("genpareto", (-0.4,)), ("powerlaw", (2.5,)),
        ("arcsine", ()),
    ],
)  # fmt: skip
@pytest.mark.parametrize("upper", [True, False])
def test_recorded_tails_are_those_of_the_density(name, shapes, upper):
    # The integral of the density from far out, in 40 digits, against the closed form.
    tail = family_tail(name, shapes, upper=upper)
    frozen = getattr(stats, name)(*shapes)
    if tail is None:
        assert not upper  # no upper end in the list is without one
        return
    # The arcsine law is symmetric, and its density is infinite at 1, which has no digits to spare.
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


def density(name, shapes, t):
    """Return the density of a standard law, written out in mpmath."""
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
