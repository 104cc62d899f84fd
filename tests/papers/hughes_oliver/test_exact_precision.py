"""The exact distribution of the empirical precision, against enumeration, the paper's figures and simulation."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

import thresher as th
from papers.hughes_oliver.exact_precision import order_index, precision_distribution
from papers.hughes_oliver.figures import SAMPLING_FIGURES
from papers.hughes_oliver.simulation import simulate
from support.thorough import dear
from thresher.population import CASES, Discrete


def pr_hat(pos, neg, x):
    """Return the estimator from its definition, in rationals."""
    n_pos, n_neg = len(pos), len(neg)
    if x == 1:
        return Fraction(n_pos, n_pos + n_neg)
    # Smallest z among the positives with F(z) >= 1 - x.
    z = min(v for v in pos if Fraction(sum(p <= v for p in pos), n_pos) >= 1 - x)
    above = sum(v > z for v in neg)
    return n_pos * x / (n_pos * x + above)


def test_against_enumeration_of_all_samples():
    # Three scores, unequal probabilities with ties across the classes; every sample of 2 + 3 cases.
    pos, neg = Discrete([1, 2, 3], [0.2, 0.5, 0.3]), Discrete([0, 2, 3], [0.5, 0.3, 0.2])
    population = th.Population(pos, neg, prevalence=0.4)
    for x in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1)):
        exact = {}
        for plus in itertools.product(zip(*pos.atoms(), strict=True), repeat=2):
            for minus in itertools.product(zip(*neg.atoms(), strict=True), repeat=3):
                p = math.prod(m for _, m in plus) * math.prod(m for _, m in minus)
                value = pr_hat([v for v, _ in plus], [v for v, _ in minus], x)
                exact[value] = exact.get(value, 0.0) + p
        distribution = precision_distribution(population, float(x), 5, design="fixed")
        for value, p in exact.items():
            assert distribution.pmf(float(value)) == pytest.approx(p, abs=1e-12)
        assert distribution.probabilities.sum() == pytest.approx(1.0, abs=1e-12)


def test_random_design_is_the_binomial_mixture():
    population = CASES["A"].with_prevalence(0.3)
    n, x = 12, 0.4
    distribution = precision_distribution(population, x, n)
    weights = stats.binom.pmf(np.arange(1, n + 1), n, 0.3)
    assert distribution.undefined == pytest.approx(0.7**n)
    nodes, w = np.polynomial.legendre.leggauss(150)
    u, w = (nodes + 1) / 2, w / 2
    mean = 0.0
    for count, weight in zip(range(1, n + 1), weights / weights.sum(), strict=True):
        # The same number of positives by design: prevalence count / n decides only how many there are.
        k = int(order_index(count, x)) + 1
        density = stats.beta(k, count - k + 1).pdf(u) * w
        false = np.arange(n - count + 1)
        table = stats.binom.pmf(false[:, None], n - count, population.fpr_at(u)[None, :])
        mean += weight * float((count * x / (count * x + false)) @ (table @ density))
    assert distribution.mean == pytest.approx(mean, rel=1e-9)


def test_the_value_at_recall_one_is_the_share_of_positives():
    distribution = precision_distribution(CASES["C"], 1.0, 50, prevalence=0.2)
    assert distribution.mean == pytest.approx(0.2 / (1 - 0.8**50), rel=1e-12)
    fixed = precision_distribution(CASES["C"], 1.0, 50, design="fixed", prevalence=0.2)
    assert (fixed.values.tolist(), fixed.sd) == ([0.2], 0.0)


# Brute force, 5000 samples each: figure -> n -> recall -> (mean, sd, share of estimates equal to 1).
PUBLISHED = {
    7: {
        100: {0.5: (0.397, 0.212, 0.03)},
        500: {0.1: (0.725, 0.198, 0.22), 0.9: (0.171, 0.040, 0.0)},
        1000: {0.4: (0.452, 0.082, 0.0)},
    },
    8: {100: {0.3: (0.935, 0.150, 0.81)}, 500: {0.5: (0.880, 0.084, 0.10)}, 1000: {0.2: (0.984, 0.031, 0.74)}},
    9: {100: {0.4: (0.831, 0.174, 0.49)}, 500: {0.6: (0.673, 0.080, 0.0)}, 1000: {0.8: (0.620, 0.051, 0.0)}},
    10: {100: {0.5: (0.801, 0.240, 0.51)}, 500: {0.4: (0.996, 0.032, 0.98)}, 1000: {0.6: (0.611, 0.095, 0.0)}},
    11: {100: {0.6: (0.958, 0.100, 0.68)}, 500: {0.7: (0.829, 0.113, 0.0)}, 1000: {0.8: (0.474, 0.035, 0.0)}},
}


@pytest.mark.some(2)
@pytest.mark.parametrize("figure", SAMPLING_FIGURES, ids=lambda figure: f"figure {figure.number}")
def test_figures_7_to_11(figure):
    population = CASES[figure.case].with_prevalence(figure.prevalence)
    for n, rows in PUBLISHED[figure.number].items():
        for recall, (mean, sd, ones) in rows.items():
            distribution = precision_distribution(population, recall, n)
            noise = distribution.sd / math.sqrt(5000)
            assert distribution.mean == pytest.approx(mean, abs=4.5 * noise + 6e-4)
            assert distribution.sd == pytest.approx(sd, abs=max(0.06 * distribution.sd, 1.1e-3) + 0.006)
            assert float(distribution.pmf(1.0)) == pytest.approx(ones, abs=0.03)


@pytest.mark.parametrize("figure", SAMPLING_FIGURES, ids=lambda figure: f"figure {figure.number}")
@pytest.mark.parametrize("n", dear([100, 500, 1000], 1))
def test_simulated_moments_agree_with_the_exact_law(figure, n):
    population = CASES[figure.case].with_prevalence(figure.prevalence)
    recalls = np.array([0.9, 0.1, 0.4, 0.7, 1.0] if n < 1000 else [0.8, 0.4])  # any order
    size = 8000
    drawn = simulate(population, n, size, recalls, rng=n + figure.number)
    assert drawn.shape == (size, recalls.size)
    for j, recall in enumerate(recalls):
        distribution = precision_distribution(population, float(recall), n)
        column = drawn[~np.isnan(drawn[:, j]), j]
        spread = distribution.sd / math.sqrt(column.size)
        assert column.mean() == pytest.approx(distribution.mean, abs=4.5 * spread + 1e-12)
        fourth = float(distribution.probabilities @ (distribution.values - distribution.mean) ** 4)
        noise = (
            math.sqrt(max(fourth - distribution.sd**4, 0.0) / column.size) / max(2 * distribution.sd, 1e-300)
            if distribution.sd
            else 0.0
        )
        assert column.std() == pytest.approx(distribution.sd, abs=5 * noise + 1e-9)
        assert np.mean(column == 1.0) == pytest.approx(float(distribution.pmf(1.0)), abs=4.5 * 0.5 / math.sqrt(size))


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("recall", "modes", "sds", "upper"),
    [
        (0.4, (0.667, 1.0), (0.024, 0.0), 0.4951),
        (0.6, (0.600, 0.750), (0.020, 0.020), 0.4976),
        (0.8, (0.572, 0.667), (0.018, 0.018), 0.5000),
    ],
)
def test_case_f_has_two_modes_at_its_jumps(recall, modes, sds, upper):
    distribution = precision_distribution(CASES["F"], recall, 1000, prevalence=0.5)
    split = 0.5 * sum(modes)
    weight = 1 - float(distribution.cdf(split))
    assert weight == pytest.approx(upper, abs=0.006)
    for side, mode, sd in zip((distribution.values <= split, distribution.values > split), modes, sds, strict=True):
        p = distribution.probabilities[side] / distribution.probabilities[side].sum()
        mean = float(p @ distribution.values[side])
        assert mean == pytest.approx(mode, abs=2e-3)
        assert math.sqrt(float(p @ (distribution.values[side] - mean) ** 2)) == pytest.approx(sd, abs=2e-3)
    # Almost nothing lies between the modes: two limits, no consistency.
    gap = 0.2 * (modes[1] - modes[0])
    assert float(distribution.cdf(split + gap / 2) - distribution.cdf(split - gap / 2)) < 0.02
    # The jumps of the curve say so, at recall 0.2 there is none although the positives have an atom boundary there.
    assert recall in [round(jump.recall, 12) for jump in CASES["F"].pr_jumps()]
    assert precision_distribution(CASES["F"], 0.2, 1000).pmf(1.0) > 0.999


def test_two_limits_also_with_continuous_positives():
    # Atoms of the negatives are enough: N(0.5, 1) against a coin, at recall P(S+ > 1).
    population = th.Population(stats.norm(0.5), Discrete([0, 1]), prevalence=0.5)
    recall = float(population.pos.sf(1.0))
    (first, *_) = population.pr_jumps()
    assert first.recall == pytest.approx(recall)
    assert (first.left, first.value) == (1.0, 1.0)
    assert first.right == pytest.approx(0.382, abs=1e-3)
    distribution = precision_distribution(population, recall, 2000, design="fixed")
    assert float(distribution.pmf(1.0)) == pytest.approx(0.5, abs=0.03)


def test_quantiles_and_cdf_of_the_law():
    distribution = precision_distribution(CASES["A"], 0.5, 60, design="fixed")
    assert distribution.cdf(1.0) == pytest.approx(1.0)
    assert distribution.cdf(0.0) == 0.0
    for p in (0.05, 0.5, 0.95):
        v = float(distribution.quantile(p))
        assert distribution.cdf(v) >= p - 1e-12
        assert distribution.cdf(v) - distribution.pmf(v) < p
    with pytest.raises(ValueError) as caught:
        distribution.quantile(1.5)
    assert str(caught.value) == "`probability` must be in [0, 1]; got 1.5."


def test_bad_requests():
    with pytest.raises(ValueError, match="at least one positive; got n=10"):
        precision_distribution(CASES["A"], 0.5, 10, design="fixed", prevalence=0.01)
    with pytest.raises(ValueError, match="at most 20000 for the exact distribution"):
        precision_distribution(CASES["A"], 0.5, 30_000)
