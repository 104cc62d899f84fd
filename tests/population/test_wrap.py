"""Whatever is called a distribution becomes a distribution with the same answers, or is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.population._families import BetaDistribution
from thresher.population._wrap import as_distribution


class OneAtATime:
    """A user's exponential distribution whose methods take one number."""

    def cdf(self, t):
        return -math.expm1(-max(float(t), 0.0))

    def sf(self, t):
        return math.exp(-max(float(t), 0.0))

    def ppf(self, p):
        return -math.log1p(-float(p))

    def isf(self, q):
        return -math.log(float(q)) if q else math.inf


class Counts(OneAtATime):
    """A user's fair coin, with a mass function."""

    def __init__(self, half=0.5):
        self.half = half

    def support(self):
        return 0, 1

    def pmf(self, value):
        return self.half


T = np.array([0.1, 0.5, 0.9])


@pytest.mark.parametrize(
    "frozen",
    [stats.uniform(0, 2), stats.beta(2, 3), stats.arcsine(), stats.powerlaw(2.5), stats.norm(1, 2), stats.expon()],
)
def test_scipys_answers_are_kept(frozen):
    distribution = as_distribution(frozen, "pos")
    np.testing.assert_allclose(distribution.sf(T), frozen.sf(T), rtol=1e-12)
    np.testing.assert_allclose(distribution.isf(T), frozen.isf(T), rtol=1e-12)
    assert isinstance(distribution, BetaDistribution) == (
        frozen.dist.name in ("uniform", "beta", "arcsine", "powerlaw")
    )
    assert (distribution.lower, distribution.upper) == frozen.support()


def test_families_without_shapes_need_no_freezing():
    np.testing.assert_allclose(as_distribution(stats.norm, "pos").sf(T), stats.norm.sf(T))


def test_tables_and_samples():
    table = as_distribution(stats.rv_discrete(values=([1, 4], [0.25, 0.75]))(loc=2), "pos")
    assert table.atoms()[0].tolist() == [3.0, 6.0]
    assert table.sf(np.array([3.0])).tolist() == [0.75]
    assert as_distribution([1.0, 2.0, 2.0, 5.0], "pos").sf(np.array([2.0])).tolist() == [0.25]


def test_users_objects():
    distribution = as_distribution(OneAtATime(), "pos")
    np.testing.assert_allclose(distribution.sf(T), np.exp(-T))
    np.testing.assert_allclose(distribution.cdf(T), -np.expm1(-T))
    np.testing.assert_allclose(distribution.isf(T), -np.log(T))
    np.testing.assert_allclose(distribution.ppf(T), -np.log1p(-T))
    assert (distribution.lower, distribution.upper, distribution.has_density) == (0.0, math.inf, False)
    coin = as_distribution(Counts(), "pos")
    assert coin.atoms()[0].tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (stats.gamma, th.InvalidTypeError, "got the family 'gamma', whose shapes"),
        (stats.norm([0, 1]), th.InvalidInputError, "must be one distribution; got norm with array parameters"),
        (stats.norm(0, -1), th.InvalidInputError, "must have valid parameters; got norm"),
        (stats.norm(math.nan), th.InvalidInputError, "must have valid parameters; got norm"),
        (stats.gamma(-1), th.InvalidInputError, "must have valid parameters; got gamma"),
        (3, th.InvalidTypeError, "without cdf, sf, ppf, isf"),
        (Counts(0.4), th.InvalidInputError, "must add to 1 over its integer values; got 0.8"),
    ],
)
def test_refusals(given, kind, message):
    with pytest.raises(kind) as caught:
        as_distribution(given, "pos")
    assert message in str(caught.value)
    assert "`pos`" in str(caught.value)


def test_a_rising_isf_is_noticed():
    turned = OneAtATime()
    turned.isf = turned.ppf
    with pytest.raises(th.InvalidInputError, match="whose isf falls as its argument grows"):
        as_distribution(turned, "neg")
