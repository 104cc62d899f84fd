"""Two tests on the same cases: reference p-values, and intervals against numerical maximisation."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.optimize
import scipy.stats

from thresher._cells.paired import mcnemar
from thresher._inference.rates.two_rates import (
    log_ratio_difference,
    newcombe_paired,
    predictive_value_test,
    tango,
)

CASES = json.loads((Path(__file__).parents[2] / "reference" / "decisions.json").read_text())["mcnemar"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['b']}-{case['c']}")
def test_reference_values(case):
    for method, key in (("exact", "exact"), ("mid-p", "mid_p")):
        expected = float(Fraction(case[key]))
        assert mcnemar(case["b"], case["c"], method) == pytest.approx(expected, rel=1e-13)
        assert mcnemar(case["c"], case["b"], method) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(("only_a", "only_b", "total"), [(14, 9, 120), (1, 0, 30), (20, 3, 60)])
def test_tango_by_numerical_maximisation(only_a, only_b, total):
    def statistic(delta):
        def loss(b):
            a = b + delta
            parts = [(only_a, a), (only_b, b), (total - only_a - only_b, 1 - a - b)]
            return -sum(k * math.log(p) for k, p in parts if k)

        bounds = (max(0.0, -delta) + 1e-13, (1 - delta) / 2 - 1e-13)
        b = scipy.optimize.minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-14}).x
        return (only_a - only_b - total * delta) / math.sqrt(total * (2 * b + delta - delta * delta))

    low, high = tango(only_a, only_b, total, 0.95)
    assert statistic(low) == pytest.approx(1.959963984540054, rel=1e-4)
    assert statistic(high) == pytest.approx(-1.959963984540054, rel=1e-4)


def test_intervals_turn_with_the_tests_and_hold_the_difference():
    for both, a, b, neither in [(71, 14, 9, 6), (10, 0, 0, 5), (0, 7, 1, 3)]:
        for low, high in (newcombe_paired(both, a, b, neither, 0.95), tango(a, b, both + a + b + neither, 0.95)):
            assert low <= (a - b) / (both + a + b + neither) <= high
        mirrored = newcombe_paired(both, b, a, neither, 0.95)
        assert newcombe_paired(both, a, b, neither, 0.95) == pytest.approx((-mirrored[1], -mirrored[0]))


@pytest.mark.parametrize(
    "cells", [(71, 14, 9, 6), (2, 20, 15, 3), (10, 0, 4, 5), (8, 6, 6, 2), (4, 3, 5, 4), (0, 0, 4, 5), (5, 3, 0, 0)]
)
def test_newcombe_by_its_definition(cells):
    """Wilson's limits are where (share - p)^2 = z^2 p (1 - p) / n; phi is the correlation of the calls, corrected."""
    both, only_a, only_b, neither = cells
    n, z = sum(cells), scipy.stats.norm.isf(0.05)

    def wilson(share):
        return sorted(np.roots([1 + z * z / n, -2 * share - z * z / n, share * share]).real)

    pa, pb = (both + only_a) / n, (both + only_b) / n
    (low_a, high_a), (low_b, high_b) = wilson(pa), wilson(pb)
    agreement = both * neither - only_a * only_b
    if agreement > 0:  # towards 0 by half of the cases
        agreement = max(agreement - n / 2, 0)
    spread = math.sqrt(pa * (1 - pa) * pb * (1 - pb))
    phi = agreement / n**2 / spread if spread else 0.0  # calls that never vary go with none
    down, up = np.array([pa - low_a, high_b - pb]), np.array([high_a - pa, pb - low_b])
    across = np.array([[1, -phi], [-phi, 1]])
    want = pa - pb - math.sqrt(down @ across @ down), pa - pb + math.sqrt(up @ across @ up)
    assert newcombe_paired(*cells, 0.9) == pytest.approx(want, rel=1e-7)


def test_predictive_values_of_unshared_calls_are_two_independent_shares():
    """Without a case called by both, the statistic is the usual score test of two independent proportions."""
    statistic, pvalue = predictive_value_test(30, 40, 25, 50, 0, 0)
    expected = scipy.stats.chi2_contingency([[30, 10], [25, 25]], correction=False)
    assert statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert predictive_value_test(30, 40, 15, 20, 10, 4) == (0.0, 1.0)


def test_predictive_values_of_shared_calls_row_by_row():
    """Rows called by both make the two values vary together: by (y - p)^2 each, p being the value of all calls."""
    y = np.repeat([1, 0, 1, 0, 1, 0], [22, 7, 9, 5, 4, 11])
    a = np.repeat([1, 1, 1, 1, 0, 0], [22, 7, 9, 5, 4, 11])
    b = np.repeat([1, 1, 0, 0, 1, 1], [22, 7, 9, 5, 4, 11])
    n_a, n_b = a.sum(), b.sum()
    pooled = (y @ a + y @ b) / (n_a + n_b)
    together = sum((label - pooled) ** 2 for label, both in zip(y, a * b, strict=True) if both) / (n_a * n_b)
    variance = pooled * (1 - pooled) * (1 / n_a + 1 / n_b) - 2 * together
    want = (y @ a / n_a - y @ b / n_b) ** 2 / variance
    statistic, pvalue = predictive_value_test(y @ a, n_a, y @ b, n_b, y @ (a * b), (1 - y) @ (a * b))
    assert statistic == pytest.approx(want)
    assert pvalue == pytest.approx(2 * scipy.stats.norm.sf(math.sqrt(want)))


def test_a_ratio_of_likelihood_ratios_row_by_row():
    """The delta method: a row moves the log of a share by its indicator over the share."""
    found, alarmed = (31, 9, 4), (6, 2, 11)
    ratio, low, high, chance = log_ratio_difference(found, alarmed, 0.9)
    assert ratio == pytest.approx((40 / 35) / (8 / 17))
    variance = 0.0
    for cells, total in ((found, 60), (alarmed, 200)):
        a = np.repeat([1, 1, 0, 0], [*cells[:2], cells[2], total - sum(cells)])
        b = np.repeat([1, 0, 1, 0], [*cells[:2], cells[2], total - sum(cells)])
        variance += np.var(a / a.mean() - b / b.mean()) / total
    se = math.sqrt(variance)
    z = scipy.stats.norm.isf(0.05)
    assert (low, high) == pytest.approx((ratio * math.exp(-z * se), ratio * math.exp(z * se)))
    assert chance == pytest.approx(2 * scipy.stats.norm.sf(abs(math.log(ratio)) / se))


def test_a_ratio_of_likelihood_ratios_at_the_edges():
    # A test that never calls has no ratio; two that call alike have 1 for certain.
    for cells in ((0, 0, 5), (0, 5, 0)):
        for pair in ((cells, (3, 1, 1)), ((3, 1, 1), cells)):
            ratio, low, high, chance = log_ratio_difference(*pair, 0.95)
            assert math.isnan(ratio)
            assert (low, high) == (0.0, math.inf)
            assert math.isnan(chance)
    assert log_ratio_difference((7, 0, 0), (3, 0, 0), 0.95) == (1.0, 1.0, 1.0, 1.0)


def test_no_calls_have_no_predictive_value():
    assert all(map(math.isnan, predictive_value_test(0.0, 0.0, 3.0, 4.0, 0.0, 0.0)))
    assert all(map(math.isnan, predictive_value_test(3.0, 4.0, 0.0, 0.0, 0.0, 0.0)))
