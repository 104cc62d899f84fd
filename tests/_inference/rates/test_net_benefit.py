"""Net benefit and its intervals against reference values."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._inference.rates.net_benefit import (
    effective_calls,
    mover_sum,
    net_benefit,
    net_benefit_bounds,
    net_benefit_variance,
)

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "decisions.json").read_text())


def arguments(case):
    p = Fraction(case["threshold_probability"])
    prevalence = None if case["prevalence"] is None else float(Fraction(case["prevalence"]))
    return case["tp"], case["fp"], case["n_pos"], case["n_neg"], float(p / (1 - p)), prevalence


@pytest.mark.parametrize("case", REFERENCE["net_benefit"], ids=lambda c: f"{c['tp']}-{c['fp']}-{c['prevalence']}")
def test_reference_values(case):
    cells = arguments(case)
    assert float(net_benefit(*cells)) == pytest.approx(float(Fraction(case["net_benefit"])), rel=1e-14)
    assert float(net_benefit_variance(*cells)) == pytest.approx(float(Fraction(case["variance"])), rel=1e-13)
    for method, key in (("score", "mover-wilson"), ("normal", "delta")):
        ends = [float(end[0]) for end in net_benefit_bounds(*cells, 0.95, method)]
        assert ends == pytest.approx([float(end) for end in case[key]], rel=1e-12, abs=1e-15)
    if "gain_over_all.variance" in case:
        low, high = net_benefit_bounds(*cells, 0.95, "normal", over_all=True)
        spread = ((high - low)[0] / 2 / 1.959963984540054) ** 2
        assert spread == pytest.approx(float(Fraction(case["gain_over_all.variance"])), rel=1e-12)


def test_equal_cases_have_the_variance_of_the_weighted_rows():
    rng = np.random.default_rng(4)
    y, x, weight = rng.random(90) < 0.4, rng.random(90), rng.uniform(0.2, 3.0, 90)
    x = np.clip(x + 0.2 * y, 0, 1)
    point = th.Scores(y, x, sample_weight=weight).roc().at(threshold=x[np.argsort(x)[50]])
    called = x >= point.threshold
    matrix = {name: float(getattr(point, name)) for name in ("tp", "fp", "fn", "tn")}
    w = 0.3
    cells = effective_calls(matrix, point.sample, w, None, 0.95)
    gain = np.where(called, np.where(y, 1.0, -w), 0.0)
    benefit = np.average(gain, weights=weight)
    assert float(net_benefit(*cells, w, None)) == pytest.approx(benefit)
    # Rows in a cell have one score, and a typical weight of sum w^2 / sum w.
    want = np.sum((weight * (gain - benefit)) ** 2) / weight.sum() ** 2
    assert float(net_benefit_variance(*cells, w, None)) == pytest.approx(want)


def test_equal_cases_have_the_variance_of_the_clusters():
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(30), 3)
    y = rng.random(90) < 0.4
    x = rng.random(90) + 0.3 * y + rng.random(30)[groups]
    point = th.Scores(y, x, cluster=groups).roc().at(threshold=np.sort(x)[50])
    matrix = {name: float(getattr(point, name)) for name in ("tp", "fp", "fn", "tn")}
    w = 0.3
    cells = effective_calls(matrix, point.sample, w, None, 0.95)
    gain = np.where(x >= point.threshold, np.where(y, 1.0, -w), 0.0)
    sums = np.bincount(groups, gain - gain.mean())
    # Few clusters: 30 / 29 for 90 / 89, and the quantile of t for theirs.
    few = (30 / 29) / (90 / 89) * (stats.t.ppf(0.975, 29) / stats.t.ppf(0.975, 89)) ** 2
    assert float(net_benefit_variance(*cells, w, None)) == pytest.approx(np.sum(sums**2) / 90**2 * few)


def test_a_sum_of_two_shares_is_the_difference_from_the_rest():
    low, high = mover_sum(np.array([12.0]), 40, np.array([9.0]), 60, 0.2, 0.8, 0.9)
    assert low[0] < 0.2 * 0.3 + 0.8 * 0.15 < high[0]
    alone_low, alone_high = mover_sum(np.array([12.0]), 40, np.array([9.0]), 60, 1.0, 0.0, 0.9)
    assert (alone_low[0], alone_high[0]) == pytest.approx((0.1967, 0.4284), abs=5e-4)  # Wilson's of 12 in 40


@pytest.mark.parametrize("method", ["score", "normal"])
@pytest.mark.parametrize("prevalence", [None, 0.07])
def test_the_gain_over_treating_all_is_net_benefit_with_the_classes_exchanged(method, prevalence):
    # w TN/n - FN/n = w (TN/n - FN/n / w): true negatives found at the inverse weight.
    tp, fp, n_pos, n_neg, w = 31.0, 40.0, 45.0, 200.0, 0.25
    found = net_benefit_bounds(tp, fp, n_pos, n_neg, w, prevalence, 0.9, method, over_all=True)
    rest = None if prevalence is None else 1.0 - prevalence
    exchanged = net_benefit_bounds(n_neg - fp, n_pos - tp, n_neg, n_pos, 1.0 / w, rest, 0.9, method)
    assert [float(end[0]) for end in found] == pytest.approx([w * float(end[0]) for end in exchanged], rel=1e-12)


def test_a_sum_of_two_shares_by_wilsons_limits():
    """Independent samples: the squares of how far each share reaches add up."""
    low, high = mover_sum([7.0], 20.0, [33.0], 40.0, 0.3, 0.7, 0.9)
    z = stats.norm.isf(0.05)

    def wilson(k, n):
        middle, reach = k + z * z / 2, z * np.sqrt(k * (n - k) / n + z * z / 4)
        return np.array([middle - reach, middle + reach]) / (n + z * z)

    (l1, u1), (l2, u2) = wilson(7, 20), wilson(33, 40)
    value = 0.3 * 7 / 20 + 0.7 * 33 / 40
    assert low[0] == pytest.approx(value - np.hypot(0.3 * (7 / 20 - l1), 0.7 * (33 / 40 - l2)))
    assert high[0] == pytest.approx(value + np.hypot(0.3 * (u1 - 7 / 20), 0.7 * (u2 - 33 / 40)))
