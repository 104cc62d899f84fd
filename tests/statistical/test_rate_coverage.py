"""Coverage of rates at a threshold: the worst cells of docs/validation/rates.md, with the library itself."""

import math

import numpy as np
import pytest
from benchmarks.coverage_calibration import Distribution, equal_errors_held
from benchmarks.coverage_rates import ALL_SIZES, METHODS, RATES, SIZES, fixed, least_coverage, least_with_part

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


# The first two are the worst of the grid, the third is the worst of all rates and sizes.
WORST = [(30, 0.9), (50, 0.9), (31, 0.90336)]


@pytest.mark.parametrize(("n", "rate"), [(10, 0.95), *(pytest.param(*one, marks=pytest.mark.slow) for one in WORST)])
def test_the_sums_are_those_of_the_library(n, rate):
    runs = 400 if n == 10 else 4000
    expected, _ = fixed(n, rate, "bayes")
    assert expected >= 0.93
    assert held(n, rate, runs, 1) == pytest.approx(expected, abs=4 * math.sqrt(0.1 * 0.9 / runs))


def test_the_default_covers_every_cell_and_wilsons_interval_does_not():
    found = {method: [fixed(n, rate, method)[0] for n in SIZES for rate in RATES] for method in METHODS}
    assert min(found["bayes"]) >= 0.93
    assert min(found["clopper-pearson"]) >= 0.95
    assert min(found["wilson"]) < 0.87


def test_parts_of_a_case():
    assert least_with_part(31, 0.75) == pytest.approx(least_coverage(31, "bayes"), abs=1e-9)
    assert least_with_part(20, 1.0) == pytest.approx(least_coverage(20, "clopper-pearson"), abs=1e-9)
    assert min(least_with_part(n, 0.7) for n in range(1, 60)) < 0.93


@pytest.mark.slow
def test_no_class_of_any_size_is_covered_less_than_93_percent():
    assert min(least_coverage(n, "bayes") for n in ALL_SIZES) >= 0.93


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")
@pytest.mark.parametrize(
    ("law", "sizes"), [(Distribution(6, 1, 0.05), (100, 400)), (Distribution(5, 1, 0.1), (50, 50))], ids=str
)
def test_equal_error_rates_that_were_held_least(law, sizes):
    """The worst cells of docs/validation/calibration.md, with other seeds."""
    default, normal = equal_errors_held(law, sizes, range(10_000, 11_000)) / 1000
    assert default >= 0.93
    assert normal < 0.93
