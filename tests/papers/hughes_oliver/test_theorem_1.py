"""Theorem 1: its process, its conditions, and the order of what it leaves out."""

import math

import numpy as np
import pytest
from scipy import stats

from papers.hughes_oliver.exact_precision import precision_distribution
from papers.hughes_oliver.theorem_1 import asymptotic_process, check_theorem, gamma_at, linearisation_share
from thresher.population import CASES


def test_gamma_of_the_cases():
    logits = np.linspace(-14, 14, 4001)
    x = 1 / (1 + np.exp(-logits))
    a, b, c = (gamma_at(CASES[name].pos, x) for name in "ABC")
    assert 0.9 < a.max() < 1  # the supremum 1 is not attained
    assert b.max() == pytest.approx(1.2368, abs=1e-4)  # printed as 1.25
    z = stats.norm.isf(1 - x[np.argmax(b)])
    assert abs(z) == pytest.approx(2.161, abs=0.02)
    assert c.max() == pytest.approx(0.8, abs=5e-3)  # approached as the threshold falls to 0
    # Case A exactly: x (1 - x) |z| / phi(z).
    z = stats.norm.isf(x)
    np.testing.assert_allclose(a, x * (1 - x) * np.abs(z) / stats.norm.pdf(z), rtol=1e-6, atol=1e-9)
    assert np.isnan(gamma_at(CASES["F"].pos, x)).all()


def test_process_has_the_variance_of_the_theorem_and_bridge_covariances():
    population, share, x = CASES["A"], 0.2, np.array([0.7, 0.2, 0.4])
    for design in ("random", "fixed"):
        draws = asymptotic_process(population, x, 40_000, design=design, prevalence=share, rng=3)
        sigma = population.asymptotic_sd(x, 1, design=design, prevalence=share)
        np.testing.assert_allclose(draws.std(axis=0), sigma, rtol=0.02)
        # Covariance of (8), term by term.
        alpha, slope, pr = population.fpr_at(x), population.slope(x), population.pr(x, prevalence=share)
        factor = pr**2 / x
        low, low_alpha = np.minimum.outer(x, x), np.minimum.outer(alpha, alpha)
        inside = (1 - share) / share**3 * np.outer(alpha, alpha) * (design == "random")
        inside = inside + (1 - share) ** 2 / share**3 * np.outer(slope, slope) * (low - np.outer(x, x))
        inside = inside + (1 - share) / share**2 * (low_alpha - np.outer(alpha, alpha))
        expected = np.outer(factor, factor) * inside
        scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
        assert (np.abs(np.cov(draws.T) - expected) < 0.03 * scale).all()


def empirical_remainder(n, replicates, rng):
    """Return draws of sqrt(n)(alpha-hat - alpha) minus its linear part, case A at recall 1/2, balanced classes."""
    half, x = n // 2, 0.5
    alpha, slope = CASES["A"].fpr_at(x), CASES["A"].slope(x)
    threshold = CASES["A"].pos.isf(x)
    k = int(half * x)
    out = np.empty(replicates)
    for i in range(replicates):
        pos, neg = rng.normal(1.4, 1, half), rng.normal(0, 1, half)
        top = -np.partition(-pos, k)[k]  # the (k+1)-th highest positive
        full = np.mean(neg > top) - alpha
        linear = (np.mean(neg > threshold) - alpha) - slope * (np.mean(pos > threshold) - x)
        out[i] = math.sqrt(n) * (full - linear)
    return out


def test_the_linearisation_leaves_the_fourth_root():
    # Of one proof's linear part, not of the theorem: sd * n^(1/4) tends to 0.763.
    rng = np.random.default_rng(11)
    sizes, replicates = (1000, 10_000, 100_000), (2000, 800, 300)
    sds = [empirical_remainder(n, m, rng).std() for n, m in zip(sizes, replicates, strict=True)]
    for n, m, sd in zip(sizes, replicates, sds, strict=True):
        assert sd * n**0.25 == pytest.approx(0.763, abs=0.763 * 4 / math.sqrt(2 * m))
    # What the library predicts: the same n^(-1/4), relative to (9).
    shares = [float(linearisation_share(CASES["A"], np.array([0.5]), 1.0, n)[0]) for n in sizes]
    assert shares[0] / shares[1] == pytest.approx(10**0.25, rel=1e-12)
    skew, alpha, sigma = 1.0, CASES["A"].fpr_at(0.5), CASES["A"].asymptotic_sd(0.5, 1)
    factor = skew * 0.5 / (0.5 + skew * alpha) ** 2
    assert shares[1] * sigma / factor == pytest.approx(0.763 * 10_000**-0.25, rel=2e-3)


@pytest.mark.parametrize(
    ("case", "recall", "n", "skew", "reason"),
    [
        ("A", 0.5, 1000, 1, None),
        ("A", 0.5, 1000, 10, None),
        ("B", 0.9, 1000, 1, None),
        ("D", 0.6, 1000, 4, None),
        ("D", 0.8, 1000, 4, None),
        ("A", 0.1, 500, 10, "only 1.67 negatives are expected above the threshold: the count is Poisson"),
        ("C", 0.3, 1000, 10, "only 0.919 negatives are expected above the threshold: the count is Poisson"),
        (
            "B",
            0.8,
            1000,
            1,
            "the false positive rate bends by 34% of its standard deviation over the error of the threshold",
        ),
        ("D", 0.5, 1000, 4, "the density ratio jumps at this recall: the limit is not normal"),
        ("D", 0.3, 1000, 4, "no negative can lie above the threshold: the limit is degenerate"),
        ("F", 0.4, 1000, 1, "precision jumps at this recall: the estimate has two limits, each half of the time"),
        ("F", 0.5, 1000, 1, "the scores have atoms, so there is no density ratio"),
        ("A", 0.97, 1000, 10, "recall 0.97 lies within 5 of the 90.9 expected positives from an end"),
        ("A", 0.2, 500, 10, "only 5.68 negatives are expected above the threshold: the count is Poisson"),
    ],
)
def test_when_the_normal_approximation_is_trusted(case, recall, n, skew, reason):
    check = check_theorem(CASES[case], recall, n, prevalence=1 / (1 + skew))
    assert check.trusted == (reason is None)
    if reason is not None:
        assert reason in check.reasons


def test_trust_goes_with_the_exact_law():
    # Where the check trusts the normal distribution, quantiles of the exact distribution are close to it; case D at 1/2
    # is half an atom.
    for case, recall, skew in (("A", 0.5, 1.0), ("B", 0.9, 1.0)):
        share = 1 / (1 + skew)
        distribution = precision_distribution(CASES[case], recall, 1000, prevalence=share)
        sd = CASES[case].asymptotic_sd(recall, 1000, prevalence=share)
        assert distribution.sd == pytest.approx(sd, rel=0.03)
        center = CASES[case].pr(recall, prevalence=share)
        for p in (0.05, 0.25, 0.75, 0.95):
            assert distribution.cdf(center + sd * stats.norm.ppf(p)) == pytest.approx(p, abs=0.03)
    half = precision_distribution(CASES["D"], 0.5, 1000, prevalence=0.2)
    assert half.pmf(1.0) == pytest.approx(0.5, abs=0.03)


def test_slope_bound_over_the_interval():
    check = check_theorem(CASES["A"], 0.5, 1000, epsilon=0.1)
    assert check.slope_bound == pytest.approx(CASES["A"].slope(0.9), rel=1e-9)
    assert check.slope == CASES["A"].slope(0.5)
    with pytest.raises(ValueError) as caught:
        check_theorem(CASES["A"], 0.5, 1000, epsilon=0.6)
    assert str(caught.value) == "`epsilon` must be in (0, 0.5); got 0.6."
