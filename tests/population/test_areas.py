"""Areas: closed forms, orderings, and error estimates that hold."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

import thresher as th
from support import golden
from thresher.population import Discrete, Mixture
from thresher.population._areas import integrate_panels, y_minus_log1p


@pytest.mark.parametrize("share", [0.5, 0.2, 1 / 11, 0.01, 0.9])
def test_lehmann_closed_forms(share):
    # alpha = x**theta gives PR = 1 / (1 + s x**(theta - 1)).
    s = (1 - share) / share
    biexponential = th.Population(stats.expon(scale=3), stats.expon(), prevalence=share)
    x = np.array([1e-10, 0.01, 0.3, 0.7, 0.999])
    np.testing.assert_allclose(biexponential.fpr_at(x), x**3, rtol=1e-13)
    np.testing.assert_allclose(biexponential.roc(x), x ** (1 / 3), rtol=1e-13)
    np.testing.assert_allclose(biexponential.pr(x), 1 / (1 + s * x**2), rtol=1e-13)
    assert biexponential.pr_auc() == pytest.approx(math.atan(math.sqrt(s)) / math.sqrt(s), rel=1e-14)
    assert biexponential.roc_auc() == pytest.approx(0.75, rel=1e-14)
    pareto = th.Population(stats.pareto(1.5), stats.pareto(2.5), prevalence=share)
    np.testing.assert_allclose(pareto.fpr_at(x), x ** (5 / 3), rtol=1e-13)
    # The area of the Lehmann curve is a hypergeometric function.
    exact = mp.hyp2f1(1, mp.mpf(3) / 2, mp.mpf(5) / 2, -s)
    assert pareto.pr_auc() == pytest.approx(float(exact), rel=1e-13)


def test_binormal_and_logistic_closed_forms():
    assert th.population.CASES["A"].roc_auc() == pytest.approx(0.8389005969187092, rel=1e-15)
    x = np.array([1e-12, 0.01, 0.5, 0.99])
    logistic = th.Population(stats.logistic(1), stats.logistic(0))
    np.testing.assert_allclose(logistic.roc(x), x / (x + (1 - x) / math.e), rtol=1e-13)
    for mean, sd in ((1.0, 2.0), (-0.5, 0.3), (3.0, 1.0)):
        population = th.Population(stats.norm(mean, sd), stats.norm())
        assert population.roc_auc() == pytest.approx(stats.norm.cdf(mean / math.hypot(1, sd)), rel=1e-13)
        z = stats.norm.isf(x)
        np.testing.assert_allclose(population.roc(x), stats.norm.sf((z - mean) / sd), rtol=1e-13)


def test_uniform_closed_forms():
    d, e = th.population.CASES["D"], th.population.CASES["E"]
    x = np.linspace(0.01, 0.99, 99)
    np.testing.assert_allclose(d.fpr_at(x), np.maximum(0, x - 0.5), atol=1e-15)
    np.testing.assert_allclose(e.fpr_at(x), np.minimum(1, x + 0.5), rtol=1e-15)
    assert d.roc_auc() == pytest.approx(7 / 8, rel=1e-15)
    assert e.roc_auc() == pytest.approx(1 / 8, rel=1e-14)


@pytest.mark.parametrize(
    ("key", "pos", "neg", "share"),
    [
        ("binormal mu=1 sd=1 pi=0.5", stats.norm(1), stats.norm(), 0.5),
        ("binormal mu=1 sd=1 pi=0.1", stats.norm(1), stats.norm(), 0.1),
        ("binormal mu=1 sd=1 pi=0.01", stats.norm(1), stats.norm(), 0.01),
        ("bibeta pos(4,2) neg(2,4) pi=0.2", stats.beta(4, 2), stats.beta(2, 4), 0.2),
    ],
)
def test_against_sixty_digits(key, pos, neg, share):
    expected = golden.golden()["_population"][key]["exact (fractions + mpmath 60 digits)"]
    population = th.Population(pos, neg, prevalence=share)
    assert population.pr_auc() == pytest.approx(expected["aucpr"], rel=1e-14)
    assert population.roc_auc() == pytest.approx(expected["auc_roc"], rel=1e-14)


def test_tiny_areas_keep_their_relative_accuracy():
    population = th.Population(stats.norm(-10), stats.norm(10), prevalence=1e-6)
    assert population.roc_auc() == pytest.approx(stats.norm.sf(20 / math.sqrt(2)), rel=1e-10)
    # All negatives first: the smallest possible area, where 1 + s log(1 - pi) loses every digit.
    mp.mp.dps = 40
    exact = 1 + (1 - mp.mpf(1e-6)) / mp.mpf(1e-6) * mp.log(1 - mp.mpf(1e-6))
    assert th.min_pr_auc(1e-6) == pytest.approx(float(exact), rel=1e-9)
    assert population.pr_auc() == pytest.approx(float(exact), rel=1e-9)


def test_heavy_tails_and_far_scales():
    # Cauchy scores whose scales differ by a million, against the integral in the angle.
    population = th.Population(stats.cauchy(0, 1e6), stats.cauchy(0, 1), prevalence=0.3)
    assert population.roc_auc() == pytest.approx(0.5, rel=1e-12)
    narrow = th.Population(Mixture([stats.norm(5, 1e-6), stats.norm(0, 10)]), stats.norm(5, 1e-3), prevalence=0.5)
    expected = 0.5 * stats.norm.cdf(0) + 0.5 * stats.norm.cdf(-5 / math.hypot(10, 1e-3))
    assert narrow.roc_auc() == pytest.approx(expected, rel=1e-12)


def test_all_tied_scores():
    population = th.Population(Discrete([0]), Discrete([0]), prevalence=0.1)
    assert population.pr_auc(estimator="functional") == 1.0  # the functional curve lets positives win: optimistic
    assert population.pr_auc(estimator="interpolated") == pytest.approx(0.1)
    assert population.pr_auc(estimator="average_precision") == pytest.approx(0.1)
    assert population.roc_auc() == 0.5
    assert population.roc_auc(ties="strict") == 0.0


@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=15),
    st.lists(st.integers(0, 6), min_size=1, max_size=15),
    st.floats(0.01, 0.99),
)
def test_areas_are_ordered_and_match_the_sample(pos, neg, share):
    population = th.Population(pos, neg, prevalence=share)
    areas = {e: population.pr_auc(estimator=e) for e in ("inclusive", "interpolated", "functional")}
    assert areas["inclusive"] <= areas["interpolated"] * (1 + 1e-12)
    assert areas["interpolated"] <= areas["functional"] * (1 + 1e-12)
    # A sample and a theory answer the same questions.
    scores = th.Scores.from_pos_neg(pos, neg)
    assert population.roc_auc() == pytest.approx(scores.roc_auc().value, abs=1e-13)
    for estimator in ("interpolated", "functional", "average_precision"):
        value = scores.pr_auc(estimator=estimator, prevalence=share).value
        assert population.pr_auc(estimator=estimator) == pytest.approx(value, rel=1e-11)


def test_case_f_is_its_own_sample():
    population = th.population.CASES["F"].with_prevalence(1 / 3)
    c = [0, 0, 2, 4, 6]
    expected = sum(1 - (k and k * math.log1p(1 / (i + k))) for i, k in enumerate(c)) / 5
    assert population.pr_auc(estimator="functional") == pytest.approx(expected, rel=1e-14)


def test_laws_without_density_are_integrated_over_probability(population_of):
    plain = population_of("A")
    image = plain.transform(np.exp, inverse=np.log)
    assert not image.pos.has_density
    assert image.roc_auc() == pytest.approx(plain.roc_auc(), rel=1e-12)
    assert image.pr_auc() == pytest.approx(plain.pr_auc(), rel=1e-12)


def test_mixed_scores_against_quadrature():
    # Half of the positives, and a fifth of the negatives, share one score.
    pos = Mixture([stats.norm(1), Discrete([0.0])])
    neg = Mixture([stats.norm(), Discrete([0.0])], [0.8, 0.2])
    population = th.Population(pos, neg, prevalence=0.3)
    strict = integrate.quad(lambda t: neg.pdf(t) * pos.sf(t), -12, 0)[0]
    strict += integrate.quad(lambda t: neg.pdf(t) * pos.sf(t), 0, 12)[0] + 0.2 * pos.sf(0.0)
    assert population.roc_auc(ties="strict") == pytest.approx(strict, rel=1e-9)
    assert population.roc_auc() == pytest.approx(strict + 0.5 * 0.5 * 0.2, rel=1e-9)
    knots = [pos.sf(0.0), pos.sf(0.0) + 0.5]
    nodes, weights = np.polynomial.legendre.leggauss(300)
    area = 0.0
    for low, high in zip([0, *knots], [*knots, 1], strict=True):
        # Endpoint slopes are infinite: substitute x = low + (high - low) (3 u^2 - 2 u^3).
        u = (nodes + 1) / 2
        x = low + (high - low) * (3 * u**2 - 2 * u**3)
        area += 0.5 * (high - low) * float(weights @ (population.pr(x) * 6 * u * (1 - u)))
    assert population.pr_auc(estimator="functional") == pytest.approx(area, rel=1e-7)


def test_a_large_sample_against_a_theory():
    rng = np.random.default_rng(3)
    sample = rng.normal(1.4, 1, 20_000)
    population = th.Population(sample, stats.norm(), prevalence=0.5)
    assert population.roc_auc() == pytest.approx(stats.norm.cdf(sample).mean(), rel=1e-12)
    recall = (np.arange(sample.size) + 0.5) / sample.size
    rough = np.mean(recall / (recall + stats.norm.sf(np.sort(sample)[::-1])))
    assert population.pr_auc() == pytest.approx(rough, rel=1e-6)


def test_integration_helpers():
    mp.mp.dps = 40
    for y in (1e-12, 0.1, 0.2499, 0.2501, 3.0, 1e5):
        exact = mp.mpf(y) - mp.log1p(mp.mpf(y))
        assert y_minus_log1p(np.array([y]))[0] == pytest.approx(float(exact), rel=2e-14)
    result = integrate_panels(lambda t: np.abs(t - 0.3) ** 0.5, np.array([0.0, 1.0]))
    exact = 2 / 3 * (0.3**1.5 + 0.7**1.5)
    assert abs(result.value - exact) <= max(result.error, 1e-15)
    assert result.error < 1e-10


def test_an_area_is_a_number_that_knows_its_error():
    area = th.population.CASES["A"].pr_auc()
    assert isinstance(area, float)
    assert type(area.value) is float
    assert 0 < area.error < 1e-13
    assert round(area, 3) == round(area.value, 3)
    import pickle

    again = pickle.loads(pickle.dumps(area))  # our own bytes
    assert (again, again.error) == (area, area.error)
