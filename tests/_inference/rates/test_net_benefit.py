"""Net benefit and its intervals against reference values."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from thresher._inference.rates.net_benefit import (
    gain_over_all_bounds,
    mover_sum,
    net_benefit,
    net_benefit_bounds,
    net_benefit_variance,
    paired_net_benefit,
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
        low, high = gain_over_all_bounds(*cells, 0.95, "normal")
        spread = ((high - low)[0] / 2 / 1.959963984540054) ** 2
        assert spread == pytest.approx(float(Fraction(case["gain_over_all.variance"])), rel=1e-12)


def test_paired_reference_value():
    (case,) = REFERENCE["paired_net_benefit"]
    negatives, positives = ([row[0][0], row[0][1], row[1][0], row[1][1]] for row in case["cells_y_a_b"])
    value, variance, low, high, _ = paired_net_benefit(positives, negatives, 0.25, None, 0.95)
    assert value == pytest.approx(float(Fraction(case["difference"])), rel=1e-12)
    assert variance == pytest.approx(float(Fraction(case["variance"])), rel=1e-12)
    assert low < value < high
    same = paired_net_benefit([5, 0, 0, 9], [8, 0, 0, 3], 0.25, None, 0.95)
    assert (same[0], same[4]) == (0.0, 1.0)
    swapped = paired_net_benefit(
        [positives[i] for i in (0, 2, 1, 3)], [negatives[i] for i in (0, 2, 1, 3)], 0.25, None, 0.95
    )
    assert swapped[:1] + swapped[2:4] == pytest.approx((-value, -high, -low))


def test_a_sum_of_two_shares_is_the_difference_from_the_rest():
    low, high = mover_sum(np.array([12.0]), 40, np.array([9.0]), 60, 0.2, 0.8, 0.9)
    assert low[0] < 0.2 * 0.3 + 0.8 * 0.15 < high[0]
    alone_low, alone_high = mover_sum(np.array([12.0]), 40, np.array([9.0]), 60, 1.0, 0.0, 0.9)
    assert (alone_low[0], alone_high[0]) == pytest.approx((0.1967, 0.4284), abs=5e-4)  # Wilson's of 12 in 40
