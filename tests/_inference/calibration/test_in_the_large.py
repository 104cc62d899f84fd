"""Positives seen against positives expected: reference values, and the definition row by row."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.special

import thresher as th
from support.calibration import NAMES, REFERENCE, number, scores_of


@pytest.mark.parametrize("name", NAMES)
def test_in_the_large(name):
    reference = REFERENCE[name]["in_the_large"]
    found = scores_of(name).calibration().in_the_large()
    assert found.expected == number(reference["expected"])
    assert found.difference == number(reference["difference"])
    assert found.ratio == number(reference["ratio"])


def test_totals_of_weights_are_shown_rounded():
    data = th.datasets.load_trial()
    found = th.Scores.at_time(data.time, data.event, data.index, 1095).calibration().in_the_large()
    first, second = repr(found).splitlines()
    totals = f"{found.observed:.1f} observed, {found.expected:.1f} expected"
    assert first == f"calibration in the large: {totals}, ratio 1.071"
    assert second.startswith(f"  difference +{found.difference:.4f} [-0.0076, ")


def test_in_the_large_row_by_row():
    y = np.array([1, 1, 0, 1, 0, 0, 0, 1, 0])
    x = np.array([0.9, 0.8, 0.8, 0.6, 0.6, 0.4, 0.25, 0.1, 0.1])
    found = th.Scores(y, x).calibration().in_the_large(0.9)
    away = y - x
    reach = 1.6448536269514722 * away.std() / 3
    assert (found.low, found.high) == pytest.approx((away.mean() - reach, away.mean() + reach))
    # Under calibration a label's variance is x (1 - x).
    assert found.pvalue == pytest.approx(2 * scipy.special.ndtr(-abs(away.sum()) / math.sqrt(np.sum(x * (1 - x)))))
