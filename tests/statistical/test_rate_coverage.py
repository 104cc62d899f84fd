"""Coverage of rates at a threshold: the worst cells of docs/validation/rates.md, with the library itself."""

import math

import numpy as np
import pytest
from benchmarks.coverage_rates import fixed

import thresher as th


def held(n, rate, runs, seed):
    """Return how often the interval of a recall holds the rate, for a threshold that leaves that share above it."""
    rng = np.random.default_rng(seed)
    found = 0
    for hits in rng.binomial(n, rate, runs).tolist():
        table = th.Scores.from_counts([1, 0], pos=[hits, n - hits], neg=[1, 1])
        low, high = table.measure("recall", threshold=1).confidence_interval()
        found += low <= rate <= high
    return found / runs


@pytest.mark.parametrize(("n", "rate"), [(10, 0.95), pytest.param(15, 0.99, marks=pytest.mark.slow)])
def test_the_sums_are_those_of_the_library(n, rate):
    runs = 400 if n == 10 else 4000
    expected, _ = fixed(n, rate, "wilson")
    assert held(n, rate, runs, 1) == pytest.approx(expected, abs=4 * math.sqrt(0.1 * 0.9 / runs))


def test_the_guaranteed_interval_covers_where_the_default_does_not():
    assert fixed(15, 0.99, "wilson")[0] < 0.87
    assert fixed(15, 0.99, "clopper-pearson")[0] >= 0.95
