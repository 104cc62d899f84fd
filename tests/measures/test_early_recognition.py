"""Enrichment and BEDROC over every order that breaks the ties."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import thresher as th
from thresher.measures import Bedroc, EnrichmentFactor

Y = [1, 0, 1, 1, 0, 0, 0]
X = [4, 4, 3, 2, 2, 2, 1]


def orders():
    """Give the labels in each order of rows with equal scores."""
    groups = [[y for y, x in zip(Y, X, strict=True) if x == score] for score in sorted(set(X), reverse=True)]
    for parts in itertools.product(*(list(itertools.permutations(group)) for group in groups)):
        yield [label for part in parts for label in part]


def bedroc(labels, alpha):
    """Return the sum of exponential weights, scaled between the worst and the best order of these labels."""
    n = len(labels)

    def total(order):
        return sum(math.exp(-alpha * (rank + 1) / n) for rank, label in enumerate(order) if label)

    best, worst = total(sorted(labels, reverse=True)), total(sorted(labels))
    return (total(labels) - worst) / (best - worst)


@pytest.mark.parametrize("alpha", [0.5, 20.0, 100.0])
def test_bedroc_is_the_mean_over_random_orders(alpha):
    want = np.mean([bedroc(order, alpha) for order in orders()])
    assert Bedroc(alpha).of(th.Scores(Y, X)) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("called", range(1, 8))
def test_enrichment_is_the_mean_over_random_orders(called):
    want = np.mean([np.mean(order[:called]) for order in orders()]) / np.mean(Y)
    assert EnrichmentFactor(called / 7).of(th.Scores(Y, X)) == pytest.approx(want)


def test_a_share_between_two_cases_takes_part_of_the_next():
    scores = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
    # 2.5 cases: one positive, and half of the second.
    assert EnrichmentFactor(0.625).of(scores) == pytest.approx(1.5 / 2.5 / 0.5)


def test_the_best_and_the_worst_ranking():
    for alpha in (1, 20):
        assert Bedroc(alpha).of(th.Scores([1, 1, 0, 0, 0], [5, 4, 3, 2, 1])) == pytest.approx(1.0)
        assert Bedroc(alpha).of(th.Scores([0, 0, 0, 1, 1], [5, 4, 3, 2, 1])) == pytest.approx(0.0, abs=1e-15)


def test_everything_called_is_no_enrichment():
    assert EnrichmentFactor(1.0).of(th.Scores(Y, X)) == pytest.approx(1.0)


@pytest.mark.parametrize("fraction", [0.0, 1.1, "1%", None])
def test_fractions_are_checked(fraction):
    with pytest.raises(th.InvalidInputError, match="`fraction` must be one number in"):
        EnrichmentFactor(fraction)


@pytest.mark.parametrize("alpha", [0.0, -1.0, math.inf, "20"])
def test_alphas_are_checked(alpha):
    with pytest.raises(th.InvalidInputError, match="`alpha` must be positive and finite"):
        Bedroc(alpha)


def test_both_mix_the_classes():
    assert EnrichmentFactor().needs_balance
    assert Bedroc().needs_balance
    assert EnrichmentFactor().bounds == (0.0, math.inf)
