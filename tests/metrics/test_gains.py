"""Discounted gains by their definition, and with ties as the mean over every order that breaks them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from thresher.metrics import dcg_score, ndcg_score

GAINS = np.array([[3.0, 0.0, 2.0, 1.0, 0.0], [0.0, 1.0, 1.0, 4.0, 2.0]])
SCORES = np.array([[0.5, 0.5, 0.1, 0.9, 0.5], [0.3, 0.3, 0.2, 0.2, 0.8]])


def gain(order, gains, k, base=2):
    return sum(gains[i] / math.log(place + 2, base) for place, i in enumerate(order[:k]))


def mean_gain(gains, scores, k, base=2):
    orders = [
        o for o in itertools.permutations(range(5)) if all(scores[a] >= scores[b] for a, b in itertools.pairwise(o))
    ]
    return np.mean([gain(order, gains, k, base) for order in orders])


@pytest.mark.parametrize("k", [None, 1, 3, 9])
def test_ties_are_shared(k):
    own = [mean_gain(g, s, k) for g, s in zip(GAINS, SCORES, strict=True)]
    assert dcg_score(GAINS, SCORES, k=k) == pytest.approx(np.mean(own))
    assert dcg_score(GAINS, SCORES, k=k, sample_weight=[1.0, 3.0]) == pytest.approx((own[0] + 3 * own[1]) / 4)
    best = [gain(np.argsort(-g), g, k) for g in GAINS]
    assert ndcg_score(GAINS, SCORES, k=k) == pytest.approx(np.mean([a / b for a, b in zip(own, best, strict=True)]))


def test_another_base():
    own = [mean_gain(g, s, 4, base=10) for g, s in zip(GAINS, SCORES, strict=True)]
    assert dcg_score(GAINS, SCORES, k=4, log_base=10) == pytest.approx(np.mean(own))


def test_ties_ignored_where_there_are_none():
    scores = np.array([[5.0, 4, 3, 2, 1], [1, 2, 3, 4, 5]])
    assert dcg_score(GAINS, scores, ignore_ties=True) == pytest.approx(dcg_score(GAINS, scores))


def test_nothing_to_gain_is_none():
    assert ndcg_score(np.zeros((1, 3)), np.array([[1.0, 2, 3]])) == 0.0
