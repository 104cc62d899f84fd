"""Kernel densities against sums over the sample, and Silverman's rule on the sample written out."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special, stats

import thresher as th
from thresher.population import CASES
from thresher.population._combined import KernelDistribution, silverman


def test_kernel_density():
    y, s = CASES["A"].sample(300, rng=2)
    population = th.Population.fit(th.Scores(y, s), family="kde")
    pos = s[y == 1]
    width = population.fit_result.parameters["bandwidth_pos"]
    iqr = np.subtract(*np.percentile(pos, [75, 25]))
    assert width == pytest.approx(0.9 * min(pos.std(ddof=1), iqr / 1.34) * pos.size**-0.2, rel=1e-12)
    grid = np.array([-1.0, 0.5, 2.0])
    direct = special.ndtr((pos[:, None] - grid) / width).mean(axis=0)
    np.testing.assert_allclose(population.pos.sf(grid), direct, rtol=1e-12)
    neg = s[y == 0]
    other = population.fit_result.parameters["bandwidth_neg"]
    auc = special.ndtr(np.subtract.outer(pos, neg) / math.hypot(width, other)).mean()
    assert population.roc_auc() == pytest.approx(auc, rel=1e-11)
    assert population.limits().pr_at_0 in (0.0, 1.0)
    q = np.array([1e-9, 0.2, 0.8])
    np.testing.assert_allclose(population.pos.sf(population.pos.isf(q)), q, rtol=1e-10)
    assert silverman(np.array([1.0, 2.0]), np.array([3.0, 1.0])) > 0


def test_a_long_kernel_density_is_thinned_without_harm():
    rng = np.random.default_rng(4)
    scores = th.Scores.from_pos_neg(rng.normal(1, 1, 4000), rng.normal(0, 1, 4000))
    population = th.Population.fit(scores, family="kde")
    assert population.pos._centers.size < 2500
    assert population.roc_auc() == pytest.approx(scores.roc_auc().value, abs=0.01)


@pytest.mark.parametrize("seed", range(4))
def test_silverman_on_the_expanded_sample(seed):
    rng = np.random.default_rng(seed)
    values, weights = np.unique(rng.normal(size=9).round(1)), None
    weights = rng.integers(1, 6, values.size).astype(float)
    sample = np.repeat(values, weights.astype(int))
    iqr = np.subtract(*np.percentile(sample, [75, 25]))
    want = 0.9 * (min(sample.std(ddof=1), iqr / 1.34) or sample.std(ddof=1)) * sample.size**-0.2
    assert silverman(values, weights) == pytest.approx(want)


def test_silverman_without_spread():
    # No quartile range: the deviation; no deviation: the score; nothing at all: one.
    assert silverman(np.array([0.0, 1.0]), np.array([9.0, 1.0])) == pytest.approx(0.9 * 0.1**0.5 * 10**-0.2)
    assert silverman(np.array([-4.0]), np.array([32.0])) == pytest.approx(0.9 * 4 / 2)
    assert silverman(np.array([0.0]), np.array([32.0])) == pytest.approx(0.9 / 2)


LAW = KernelDistribution(np.array([-1.0, 0.5, 3.0]), np.array([0.2, 0.5, 0.3]), 0.4)
PARTS = [(0.2, stats.norm(-1, 0.4)), (0.5, stats.norm(0.5, 0.4)), (0.3, stats.norm(3, 0.4))]


def test_a_mixture_of_normals():
    t = np.array([-3.0, -0.9, 0.4, 2.0, 5.0])
    np.testing.assert_allclose(LAW.sf(t), sum(w * part.sf(t) for w, part in PARTS), rtol=1e-12)
    np.testing.assert_allclose(LAW.cdf(t), sum(w * part.cdf(t) for w, part in PARTS), rtol=1e-12)
    np.testing.assert_allclose(LAW.pdf(t), sum(w * part.pdf(t) for w, part in PARTS), rtol=1e-12)
    q = np.array([1e-12, 0.1, 0.75, 1 - 1e-9])
    np.testing.assert_allclose(LAW.sf(LAW.isf(q)), q, rtol=1e-9)
    np.testing.assert_allclose(LAW.cdf(LAW.ppf(q)), q, rtol=1e-9)


@pytest.mark.parametrize("upper", [True, False])
def test_the_tail_is_that_of_the_outermost_kernel(upper):
    tail = LAW.tail(upper=upper)
    weight, part = PARTS[-1 if upper else 0]
    t = 400.0 if upper else -400.0
    z = abs(t)
    said = tail.const - sum(c * (math.log(z) if key[0] == 1 else z ** key[1]) for key, c in tail.terms.items())
    assert said == pytest.approx(math.log(weight) + (part.logsf(t) if upper else part.logcdf(t)), abs=0.01)


def test_draws_have_the_mean_and_the_variance():
    drawn = LAW.draw(20_000, np.random.default_rng(0))
    mean = -0.2 + 0.25 + 0.9
    variance = 0.2 * 1 + 0.5 * 0.25 + 0.3 * 9 - mean**2 + 0.16
    assert drawn.mean() == pytest.approx(mean, abs=4 * math.sqrt(variance / 20_000))
    assert drawn.var() == pytest.approx(variance, rel=0.05)
