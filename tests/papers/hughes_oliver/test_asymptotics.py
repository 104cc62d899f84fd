"""The functional estimator and its limit: definitions in loops, distributions without simulation."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from papers.hughes_oliver import asymptotics
from thresher.population import CASES


def test_the_definition_by_hand():
    """Positives 5, 4, 2 and negatives 3, 1: no negative above 4, half of them above 2."""
    pos, neg = np.array([5.0, 4.0, 2.0]), np.array([3.0, 1.0])
    recall = np.array([0.2, 0.5, 0.7, 0.9, 1.0])
    found = asymptotics._literal(pos, neg, recall)
    assert found.tolist() == pytest.approx([1.0, 1.0, 0.7 / (0.7 + 1 / 3), 0.9 / (0.9 + 1 / 3), 0.75])
    ours = th.Scores.from_pos_neg(pos, neg).pr_function(recall)
    np.testing.assert_allclose(ours[:-1], found[:-1], rtol=1e-12)
    assert ours[-1] == 3 / 5  # at recall 1 every case is called


@pytest.mark.parametrize("ties", [False, True])
def test_random_samples_behave(ties):
    rng = np.random.default_rng(5)
    for _ in range(20):
        assert asymptotics._behaviour(rng, ties=ties)[:3] == (True, True, True)


@pytest.mark.parametrize("skew", [1.0, 10.0])
def test_three_terms_are_the_variance(skew):
    x = np.array([0.2, 0.5, 0.9])
    want = CASES["A"].asymptotic_sd(x, 1, prevalence=1 / (1 + skew)) ** 2
    np.testing.assert_allclose(sum(asymptotics._terms(CASES["A"], x, skew)), want, rtol=1e-10)


def test_the_law_comes_nearer_to_its_limit():
    small, large = asymptotics.coupling(100), asymptotics.coupling(400)
    assert large.distance < 0.6 * small.distance
    assert large.sd == pytest.approx(small.sd / 2, rel=0.1)  # like one over the root of n
    assert abs(large.excess) < abs(small.excess) < 0.1


def test_what_is_left_after_the_linear_part():
    """It falls like the fourth root of n, and its size is known."""
    found = asymptotics._remainder_sd(10_000, 4000) * 10_000**0.25
    assert found == pytest.approx(asymptotics._predicted_remainder(), rel=0.1)
