"""scipy.stats families, right in the tails where scipy is not."""

import mpmath as mp
import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.population._wrap import as_distribution

mp.mp.dps = 40


def deep(distribution, q):
    """Return the exceedance probability of the threshold that the distribution gives for q."""
    return distribution.sf_at(distribution.isf_points(np.array([q])))[0]


# Families whose scipy tails fail (one minus the other tail), with exact survival functions.
EXACT = {
    "fisk": (stats.fisk(3.0), lambda t: 1 / (1 + t**3)),
    "burr": (stats.burr(2.0, 3.0), lambda t: 1 - (1 + t**-2) ** -3),
    "alpha": (stats.alpha(2.0), lambda t: 1 - mp.ncdf(2 - 1 / t) / mp.ncdf(2)),
    "skewcauchy": (stats.skewcauchy(0.5), lambda t: 1 - (mp.mpf(1) / 4 + mp.mpf(3) / 2 / mp.pi * mp.atan(t / 1.5))),
    "foldnorm": (stats.foldnorm(1.5), lambda t: mp.ncdf(-(t - 1.5)) + mp.ncdf(-(t + 1.5))),
    "rice": (
        stats.rice(0.75),
        lambda t: mp.quad(
            lambda v: v * mp.exp(-((v - 0.75) ** 2) / 2) * mp.exp(-0.75 * v) * mp.besseli(0, 0.75 * v),
            [t, t + 1, t + 3, t + 20],
        ),
    ),
    "genlogistic": (stats.genlogistic(2.0), lambda t: 1 - (1 + mp.exp(-t)) ** -2),
    "moyal": (stats.moyal(), lambda t: mp.erf(mp.exp(-t / 2) / mp.sqrt(2))),
    "gumbel_r": (stats.gumbel_r(), lambda t: -mp.expm1(-mp.exp(-t))),
}


@pytest.mark.some(18)
@pytest.mark.parametrize("name", sorted(EXACT))
@pytest.mark.parametrize("q", [1e-3, 1e-9, 1e-14, 1e-20])
def test_broken_tails_are_repaired(name, q):
    frozen, survival = EXACT[name]
    distribution = as_distribution(frozen, "pos")
    t = distribution.isf_points(np.array([q]))
    exact = survival(mp.mpf(float(t.value[0])))
    assert distribution.sf_at(t)[0] == pytest.approx(float(exact), rel=1e-9)
    assert float(exact) == pytest.approx(q, rel=1e-9)


@pytest.mark.parametrize(
    "frozen",
    [
        stats.uniform(3, 2),
        stats.beta(0.5, 0.5),
        stats.beta(5, 2, loc=-1, scale=4),
        stats.arcsine(),
        stats.powerlaw(3.0),
        stats.triang(0.3),
        stats.trapezoid(0.2, 0.7),
        stats.weibull_max(2.0, loc=5),
    ],
    ids=lambda frozen: frozen.dist.name,
)
@pytest.mark.parametrize("q", [1e-6, 1e-17, 1e-40])
def test_bounded_supports_are_reflected(frozen, q):
    # 1 - 1e-20 is not a double; the distance to the end is.
    distribution = as_distribution(frozen, "pos")
    assert deep(distribution, q) == pytest.approx(q, rel=1e-11)


@pytest.mark.parametrize("a", [0.5, 2.0, 5.0])
@pytest.mark.parametrize("b", [0.3, 1.0, 4.0])
def test_beta_against_mpmath(a, b):
    distribution = as_distribution(stats.beta(a, b, loc=1, scale=3), "pos")
    for share in (1e-12, 0.01, 0.3, 0.9, 1 - 1e-9):
        t = 1 + 3 * share
        z = (mp.mpf(t) - 1) / 3
        exact = mp.betainc(a, b, z, 1, regularized=True)
        assert distribution.sf(t) == pytest.approx(float(exact), rel=1e-9 if share > 0.99 else 1e-12)
        density = z ** (a - 1) * (1 - z) ** (b - 1) / mp.beta(a, b) / 3
        assert distribution.pdf(t) == pytest.approx(float(density), rel=1e-6 if share > 0.99 else 1e-9)
    assert distribution.pdf(0.5) == distribution.pdf(4.5) == 0.0


@pytest.mark.parametrize("frozen", [stats.truncnorm(-1, 2), stats.semicircular(), stats.bradford(0.3)])
def test_unresolvable_tails_are_refused(frozen):
    distribution = as_distribution(frozen, "pos")
    name = frozen.dist.name
    assert deep(distribution, 1e-3) == pytest.approx(1e-3, rel=1e-9)
    with pytest.raises(th.InvalidInputError) as caught:
        distribution.isf_points(np.array([1e-25]))
    assert str(caught.value) == (
        f"the upper tail of `{name}` must be computable where it is used; got P(S > t) = 1e-25, "
        "which scipy does not resolve in double precision for this family. "
        "Hint: ask away from that end, or describe the score by its distance to the end."
    )


def poisson_survival(mu, k):
    mu = mp.mpf(mu)
    return mp.nsum(lambda j: mp.exp(-mu) * mu**j / mp.factorial(j), [k + 1, mp.inf])


def test_discrete_laws_have_their_own_atoms():
    # scipy: poisson(4).isf(1e-17) is nan.
    distribution = as_distribution(stats.poisson(4), "pos")
    k = int(distribution.isf(1e-17))
    assert poisson_survival(4, k) <= mp.mpf(1e-17) < poisson_survival(4, k - 1)
    for j in (0, 4, 20, 60, 120):
        assert distribution.sf(j) == pytest.approx(float(poisson_survival(4, j)), rel=1e-12)
    assert distribution.upper == np.inf


@pytest.mark.parametrize(
    "frozen",
    [
        stats.betabinom(20, 2.0, 3.0),
        stats.hypergeom(50, 15, 20),
        stats.skellam(4.0, 3.0),
        stats.randint(2, 11),
        stats.dlaplace(0.8),
        stats.binom(30, 0.2),
        stats.geom(0.1),
        stats.nbinom(5, 0.3, loc=2),
    ],
    ids=lambda frozen: frozen.dist.name,
)
def test_steps_of_discrete_laws_are_on_the_right_side(frozen):
    distribution = as_distribution(frozen, "pos")
    values, masses = distribution.atoms()
    assert masses.sum() == pytest.approx(1.0, abs=1e-12)
    inside = values[(distribution.sf(values) > 1e-12) & (distribution.cdf(values) > 1e-12)]
    assert distribution.isf(distribution.sf(inside)).tolist() == inside.tolist()
    assert distribution.ppf(distribution.cdf(inside[:-1])).tolist() == inside[:-1].tolist()


def test_geometric_tail():
    distribution = as_distribution(stats.geom(0.3), "pos")
    for k in (1, 10, 100, 500):
        assert distribution.sf(k) == pytest.approx(0.7**k, rel=1e-11)


def test_a_discrete_law_without_end_is_refused():
    with pytest.raises(th.InvalidInputError, match=r"the atoms of `zipf` must be countable in a table of 1048576; got"):
        as_distribution(stats.zipf(1.5), "pos")


def test_tables_given_to_scipy():
    distribution = as_distribution(stats.rv_discrete(values=([1, 3], [0.25, 0.75])), "pos")
    assert distribution.atoms()[0].tolist() == [1.0, 3.0]
    assert distribution.sf(1) == 0.75
