"""Local levels: closed forms, simulation, and the table against the computation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import betainc

from thresher._inference.bands.local_level_table import LOG_LOCAL_LEVELS, LOG_RATES, SIZES
from thresher._inference.order_bounds import _from_table, holding_probability, local_level


def test_one_value_has_the_level_itself() -> None:
    assert holding_probability(1, 0.05) == pytest.approx(0.95, abs=1e-12)
    assert local_level(1, 0.95) == pytest.approx(0.05)


def test_two_values_by_their_joint_density() -> None:
    # The minimum lies in (l1, h1) and the maximum in (l2, h2); the density of the pair is 2 on u < v.
    eta = 0.1
    l1, h1 = 1 - math.sqrt(1 - eta / 2), 1 - math.sqrt(eta / 2)
    l2, h2 = math.sqrt(eta / 2), math.sqrt(1 - eta / 2)
    u = np.linspace(l1, h1, 200_001)
    inner = np.maximum(h2 - np.maximum(u, l2), 0.0)
    want = 2 * np.trapezoid(inner, u)
    assert holding_probability(2, eta) == pytest.approx(want, abs=1e-8)


@pytest.mark.parametrize("n", [5, 60, pytest.param(400, marks=pytest.mark.slow)])
def test_holding_probability_is_seen_in_samples(n: int) -> None:
    rng = np.random.default_rng(5)
    draws = 20_000
    k = np.arange(1.0, n + 1)
    place = betainc(k, n + 1 - k, np.sort(rng.random((draws, n)), axis=1))
    seen = np.mean(((place >= 0.002) & (place <= 0.998)).all(axis=1))
    want = holding_probability(n, 0.004)
    assert abs(seen - want) < 4.5 * math.sqrt(want * (1 - want) / draws)


@pytest.mark.parametrize("n", [2, 17, 300])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_solved_level_holds_with_the_probability_asked_for(n: int, level: float) -> None:
    assert holding_probability(n, local_level(n, level)) == pytest.approx(level, abs=1e-4 * (1 - level) + 1e-9)


@pytest.mark.parametrize("n", [2, 3, 10, 60])
@pytest.mark.parametrize("level", [1e-3, 0.01, 0.2, 1 - 1e-9])
def test_far_levels_are_found(n: int, level: float) -> None:
    local = local_level(n, level)
    assert 0.0 < local < 1.0
    # Held exactly, up to the margin of 1e-5 in the logarithm and to rounding.
    assert 1 - holding_probability(n, local) == pytest.approx(1 - level, rel=1e-3)


@pytest.mark.parametrize("n", [2, 3, 10, 60])
@pytest.mark.parametrize("level", [1e-12, 1e-6, 1e-3, 0.1])
def test_levels_that_hardly_ever_hold_are_met_as_well(n: int, level: float) -> None:
    held = holding_probability(n, local_level(n, level))
    if local_level(n, level) < math.exp(-1.1e-3):  # nothing larger is tried
        assert held == pytest.approx(level, rel=0.02)
    assert held >= level


@pytest.mark.parametrize("n", [1, 2, 300, 500])
@pytest.mark.parametrize("miss", [4e-10, 2.0**-52])
def test_misses_too_rare_to_be_seen_are_bonferronis(n: int, miss: float) -> None:
    assert local_level(n, 1.0 - miss) == pytest.approx((1.0 - (1.0 - miss)) / n, rel=1e-12)


def test_a_level_that_everything_holds_has_the_largest_local_level() -> None:
    assert local_level(2, 1e-30) == pytest.approx(math.exp(-1e-3 - 1e-5), rel=1e-9)
    assert holding_probability(2, local_level(2, 1e-30)) > 1e-30


def test_the_table_is_read_at_its_points() -> None:
    for row, n in enumerate(SIZES):
        for column, local in enumerate(LOG_LOCAL_LEVELS):
            level = math.exp(-math.exp(LOG_RATES[row][column]))
            # A margin of 0.2% for what lies between the points.
            assert math.log(_from_table(n, level)) == pytest.approx(local - 2e-3, abs=1e-6)
            # Between two sizes the larger one is taken.
            assert _from_table(n - 1, level) == _from_table(n, level)
    # Rarer misses are proportional; beyond the last size levels fall like 1 / (log n log log n).
    rare = math.exp(-math.exp(LOG_RATES[3][0] - 1.5))
    assert math.log(_from_table(SIZES[3], rare)) == pytest.approx(LOG_LOCAL_LEVELS[0] - 1.5 - 2e-3, abs=1e-6)
    fall = math.log(1e5) * math.log(math.log(1e5)) / (math.log(1e7) * math.log(math.log(1e7)))
    assert _from_table(10**7, 0.95) == pytest.approx(fall * _from_table(10**5, 0.95), rel=1e-12)


def test_table_errs_on_the_safe_side_between_its_points() -> None:
    for n in (600, 850):
        held = holding_probability(n, _from_table(n, 0.95))
        assert 0.95 <= held < 0.953


def test_levels_fall_with_the_size_also_beyond_the_table() -> None:
    sizes = [100, 500, 501, 5000, 100_000, 100_001, 10**6, 10**8]
    levels = [local_level(n, 0.95) for n in sizes]
    assert all(a >= b for a, b in itertools.pairwise(levels))
    assert levels[-1] > 0.3 * levels[4]


def test_levels_outside_the_table_stay_in_order() -> None:
    levels = [local_level(2000, level) for level in (0.05, 0.2, 0.9, 0.999, 0.999999)]
    assert all(a >= b > 0 for a, b in itertools.pairwise(levels))
