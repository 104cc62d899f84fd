"""Limits of the curves, and populations that a statement does not cover."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from papers.hughes_oliver import limits
from thresher.population import Population


def test_what_lies_beyond_an_end():
    assert limits._beyond(stats.uniform(), 0.25) == 0.75
    assert limits._beyond(stats.norm(), math.inf) == 0.0
    assert limits._beyond(stats.norm(), -math.inf) == 1.0


@pytest.mark.parametrize(
    "pos, course",
    [(stats.uniform(0.5, 1), "falls"), (stats.uniform(-0.5, 1), "rises"), (stats.norm(0.5, 0.1), "neither")],
)
def test_the_course_of_precision(pos, course):
    assert limits._course(Population(pos, stats.uniform(), prevalence=0.5)) == course


def test_the_counter_example_is_what_it_is_said_to_be():
    population = limits.p3_counter_example()
    x = np.linspace(0.01, 0.99, 99)
    np.testing.assert_allclose(population.roc(x), (1 - (1 - x) ** 2) / 2, atol=1e-12)  # concave
    assert limits._course(population) == "neither"
    assert float(population.pr(0.5)) == pytest.approx(1 / 3)


@pytest.mark.parametrize("entry", [limits.section_1, limits.triplets, limits.quantiles, limits.p1, limits.p2])
def test_entries_are_as_expected(entry):
    assert [check.what for check in entry().checks if not check.as_expected] == []


def test_a_precision_by_hand():
    first, crossing = limits.section_1().checks
    assert first.our_value == pytest.approx(99 / 1098, rel=1e-12)
    assert 0.15 < crossing.our_value < 0.25
