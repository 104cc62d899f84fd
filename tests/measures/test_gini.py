"""The Gini coefficient is Somers' D; everything of it is that of the area, stretched."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import thresher as th
from support.measures import values_of
from thresher.measures import Gini, RocAuc

Y = np.array([1, 1, 0, 1, 0, 0, 0, 1, 0], dtype=bool)
X = np.array([9, 8, 8, 5, 5, 4, 3, 2, 1.0])


def test_somers_d_of_scipy():
    assert Gini().of(th.Scores(Y, X)) == pytest.approx(stats.somersd(Y, X).statistic)


def test_its_ends():
    assert Gini().bounds == (-1.0, 1.0)
    assert [Gini().of(th.Scores(y, [2, 1])) for y in ([1, 0], [0, 1])] == [1.0, -1.0]


@pytest.mark.parametrize("method", ["delong", "delong-logit", "bamber"])
def test_intervals_are_stretched(method):
    scores = th.Scores(Y, X)
    low, high = scores.roc_auc().confidence_interval(0.9, method=method)
    assert tuple(scores.measure("gini").confidence_interval(0.9, method=method)) == pytest.approx(
        (2 * low - 1, 2 * high - 1)
    )


def test_errors_and_pulls_are_twice_those_of_the_area():
    scores = th.Scores(Y, X)
    assert scores.measure("gini").standard_error() == pytest.approx(2 * scores.roc_auc().standard_error())
    area, own = RocAuc().influence(scores), Gini().influence(scores)
    assert own.pos == pytest.approx(2 * area.pos)
    assert own.neg == pytest.approx(2 * area.neg)


def test_many_tables_are_as_one():
    scores = th.Scores(Y, X)
    pos, neg = (np.stack([side, 2 * side]).astype(float) for side in (scores.pos, scores.neg))
    found = values_of(Gini(), pos, neg)
    assert found == pytest.approx([stats.somersd(Y, X).statistic] * 2)


def test_a_compressed_table_knows_how_far_it_is_off():
    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.1
    scores = th.Scores(y, rng.normal(y))
    small = scores.compress(40)
    found = small.measure("gini")
    assert found.error_bound > 0
    assert found.error_bound == pytest.approx(2 * small.roc_auc().error_bound)
    assert abs(found.value - Gini().of(scores)) <= found.error_bound


def test_a_population():
    population = th.Population(stats.norm(1), stats.norm(), prevalence=0.3)
    assert population.measure(Gini()) == pytest.approx(2 * stats.norm.cdf(0.5**0.5) - 1)
