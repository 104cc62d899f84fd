"""One-sided limits: the corrected P1 and P2, and the counter-examples to the printed ones."""

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.population import Discrete, Mixture, affine


def test_p1a_counter_example():
    # Printed: ROC(0+) = 1 - F+(M-) = 0. In fact ROC is 1 throughout.
    population = th.Population(Discrete([1.0]), stats.uniform(0, 1), prevalence=0.5)
    limits = population.limits()
    assert 1 - population.pos.cdf(1.0) == 0.0
    assert limits.roc_at_0 == 1.0
    assert (population.roc([1e-12, 0.3, 0.9]) == 1.0).all()
    assert limits.reasons["roc_at_0"] == "P(S+ >= 1), the negatives having no atom at their maximum"
    # With an atom of the negatives at their maximum the printed formula holds.
    both = th.Population(Discrete([1.0]), Mixture([stats.uniform(0, 1), Discrete([1.0])]), prevalence=0.5)
    assert both.limits().roc_at_0 == both.roc(1e-12) == 0.0


def test_p2b_counter_example_atom_of_the_negatives():
    # The density ratio tends to 1/2, which would give PR(0+) = 2/3; the truth is 0.
    population = th.Population(stats.uniform(0, 1), Mixture([stats.uniform(0, 1), Discrete([1.0])]), prevalence=0.5)
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


def test_endless_atoms():
    # Equal Poisson distributions: alpha(x) / x runs between 1 and 4 / k inside every step, so there is no limit.
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
