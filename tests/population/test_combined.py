"""Mixtures, shifts, reflections and transformations."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

import thresher as th
from thresher.population import Discrete, Mixture, affine, transformed
from thresher.population._wrap import as_distribution

LEVELS = np.array([1e-30, 1e-12, 0.01, 0.3, 0.5, 0.9, 0.999])


def test_mixture_quantiles_invert_it_to_the_last_digits():
    distribution = Mixture([stats.norm(2, 1), stats.norm(-1, 0.5), stats.t(3)], [0.5, 0.3, 0.2])
    np.testing.assert_allclose(distribution.sf(distribution.isf(LEVELS)), LEVELS, rtol=1e-13)
    np.testing.assert_allclose(distribution.cdf(distribution.ppf(LEVELS)), LEVELS, rtol=1e-13)


def test_mixture_at_a_gap_gives_its_left_end():
    distribution = Mixture([stats.uniform(0, 1), stats.uniform(2, 1)])
    assert distribution.isf(0.5) == pytest.approx(1.0, abs=1e-13)
    assert distribution.ppf(0.5) == pytest.approx(1.0, abs=1e-13)
    reflected = 0 - distribution
    assert reflected.isf(0.5) == pytest.approx(-2.0, abs=1e-13)


def test_mixture_with_atoms():
    distribution = Mixture([stats.norm(), Discrete([0.0])], [0.5, 0.5])
    # F is strictly increasing, and yet F(Q(1/2)) = 3/4: the paper's claim that it is 1/2 needs continuity.
    assert distribution.ppf(0.5) == 0.0
    assert distribution.cdf(0.0) == pytest.approx(0.75)
    assert distribution.atoms()[1].tolist() == [0.5]
    # The whole atom is one quantile.
    assert distribution.isf(np.array([0.26, 0.5, 0.74])).tolist() == [0.0, 0.0, 0.0]
    rng = np.random.default_rng(0)
    assert np.mean(distribution.draw(4000, rng) == 0.0) == pytest.approx(0.5, abs=0.04)


def test_mixture_near_a_common_end_keeps_its_digits():
    distribution = Mixture([stats.beta(2, 3), stats.beta(1, 3)], [0.4, 0.6])
    q = np.array([1e-40, 1e-20, 1e-6])
    points = distribution.isf_points(q)
    np.testing.assert_allclose(distribution.sf_at(points), q, rtol=1e-12)
    assert (points.anchor == 1.0).all()


def test_reflection_is_exact_at_the_end():
    # Case B: 8 - W with W lognormal.
    distribution = affine(stats.lognorm(s=1, scale=math.exp(1.4)), shift=8, scale=-1)
    w = stats.lognorm(s=1, scale=math.exp(1.4))
    np.testing.assert_allclose(
        distribution.sf(8 - np.array([0.0078125, 1.0, 50.0])), w.cdf([0.0078125, 1.0, 50.0]), rtol=1e-13
    )
    np.testing.assert_allclose(distribution.sf_at(distribution.isf_points(LEVELS)), LEVELS, rtol=1e-12)
    np.testing.assert_allclose(distribution.pdf(np.array([7.0, -3.0])), w.pdf([1.0, 11.0]), rtol=1e-14)
    assert repr(distribution).startswith("8 - 1 * lognorm(")


@given(
    st.sampled_from([stats.norm(1, 2), stats.gamma(2), stats.poisson(3), stats.beta(2, 3), stats.expon(), stats.t(4)]),
    st.floats(-5, 5),
    st.sampled_from([-2.0, -1.0, 0.5, 3.0]),
)
@settings(deadline=None)
def test_affine_laws_agree_with_the_change_of_variable(frozen, shift, scale):
    distribution, inner = affine(frozen, shift=shift, scale=scale), as_distribution(frozen, "distribution")
    s = inner.isf(np.array([0.9, 0.4, 0.1]))
    if distribution.continuous:
        t = shift + scale * s
        expected = inner.sf(s) if scale > 0 else inner.cdf(s)
        np.testing.assert_allclose(distribution.sf(t), expected, rtol=1e-9)
        np.testing.assert_allclose(distribution.pdf(t) * abs(scale), inner.pdf(s), rtol=1e-6)
    else:
        values, masses = distribution.atoms()
        assert (np.diff(values) > 0).all()
        np.testing.assert_allclose(np.sort(masses), np.sort(inner.atoms()[1]))
        np.testing.assert_allclose(distribution.sf(values), 1 - np.cumsum(masses), atol=1e-13)
    twice = affine(distribution, shift=-shift / scale, scale=1 / scale)
    np.testing.assert_allclose(twice.isf(np.array([0.7, 0.2])), inner.isf(np.array([0.7, 0.2])), rtol=1e-9, atol=1e-9)


def test_arithmetic_on_laws():
    distribution = as_distribution(stats.norm(1, 2), "distribution")
    assert (2 * distribution + 3).isf(0.1) == pytest.approx(3 + 2 * distribution.isf(0.1))
    assert (-(distribution - 1) / 2).isf(0.1) == pytest.approx(stats.norm(0, 1).isf(0.1))
    assert (8 - distribution).cdf(0.0) == pytest.approx(stats.norm(7, 2).cdf(0.0))


def test_transformed_law():
    distribution = transformed(stats.norm(1.4, 1), np.exp, inverse=np.log)
    twin = as_distribution(stats.lognorm(s=1, scale=math.exp(1.4)), "distribution")
    np.testing.assert_allclose(distribution.isf(LEVELS), twin.isf(LEVELS), rtol=1e-12)
    np.testing.assert_allclose(
        distribution.sf(np.array([0.1, 3.0, 99.0])), twin.sf(np.array([0.1, 3.0, 99.0])), rtol=1e-13
    )
    assert distribution.sf(-1.0) == 1.0
    assert transformed(Discrete([0, 1]), np.exp, inverse=np.log).atoms()[0].tolist() == [1.0, math.e]
    mixed = transformed(Mixture([stats.norm(), Discrete([0])]), special.expit, inverse=special.logit)
    assert mixed.atoms()[0].tolist() == [0.5]
    assert mixed.support() == (0.0, 1.0)


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (
            lambda: Mixture([]),
            th.InvalidTypeError,
            "`components` must be a list of at least one distribution; got [].",
        ),
        (
            lambda: Mixture([stats.norm()], [0.5, 0.5]),
            th.InvalidInputError,
            "`weights` must have one element per component; got 2 for 1 components.",
        ),
        (
            lambda: Mixture([stats.norm()], [-1.0]),
            th.InvalidInputError,
            "`weights` must be nonnegative with a positive sum; got [-1.0].",
        ),
        (
            lambda: affine(stats.norm(), scale=0),
            th.InvalidInputError,
            "`shift` and `scale` must be finite and `scale` not zero; got shift=0.0, scale=0.0.",
        ),
    ],
)
def test_bad_combinations(make, kind, message):
    with pytest.raises(kind) as caught:
        make()
    assert str(caught.value) == message


def test_a_wrong_inverse_is_noticed():
    with pytest.raises(th.InvalidInputError, match="`function` must be increasing with `inverse` its inverse; got"):
        transformed(stats.norm(), np.exp, inverse=np.exp)
    with pytest.raises(th.InvalidInputError, match="`function` must be increasing"):
        transformed(stats.norm(), np.negative, inverse=np.negative)
