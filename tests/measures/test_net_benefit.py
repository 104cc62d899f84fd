"""Net benefit counted by hand, at the sample's and at another prevalence."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import thresher as th
from support.measures import differences
from thresher.measures import NetBenefit

Y = np.array([1, 1, 0, 1, 0, 0, 0, 0, 0, 0], dtype=bool)
X = np.array([0.9, 0.2, 0.2, 0.6, 0.5, 0.1, 0.1, 0.3, 0.0, 0.2])


def by_hand(probability: Fraction, prevalence: Fraction | None) -> Fraction:
    called = [x >= float(probability) for x in X]
    tpr = Fraction(sum(c for c, y in zip(called, Y, strict=True) if y), int(Y.sum()))
    fpr = Fraction(sum(c for c, y in zip(called, Y, strict=True) if not y), int((~Y).sum()))
    share = Fraction(3, 10) if prevalence is None else prevalence
    return share * tpr - (1 - share) * fpr * probability / (1 - probability)


@pytest.mark.parametrize("prevalence", [None, Fraction(1, 100), Fraction(4, 5)])
@pytest.mark.parametrize("probability", [Fraction(1, 10), Fraction(1, 5), Fraction(1, 2), Fraction(19, 20)])
def test_by_hand(probability, prevalence):
    """0.2 is a score of both classes: it is called at a threshold probability of 0.2."""
    rule = NetBenefit(float(probability), None if prevalence is None else float(prevalence))
    assert rule.of(th.Scores(Y, X)) == pytest.approx(float(by_hand(probability, prevalence)), abs=1e-15)
    assert rule.needs_balance == (prevalence is None)


def test_the_error_is_that_of_the_rows():
    rows = np.where(X >= 0.2, np.where(Y, 1.0, -0.25), 0.0)
    found = th.Scores(Y, X).measure("net_benefit", threshold_probability=0.2)
    assert found.value == pytest.approx(rows.mean())
    assert found.standard_error() == pytest.approx(rows.std() / math.sqrt(rows.size))


def test_at_another_prevalence_the_classes_vary_apart():
    found = th.Scores(Y, X).measure("net_benefit", threshold_probability=0.2, prevalence=0.05)
    tpr, fpr = 1.0, 4 / 7  # at or above 0.2: three positives, and 0.2, 0.5, 0.3, 0.2 of seven negatives
    want = (0.05**2 * tpr * (1 - tpr) / 3) + (0.25 * 0.95) ** 2 * fpr * (1 - fpr) / 7
    assert found.standard_error() == pytest.approx(math.sqrt(want))
    assert found.value == pytest.approx(0.05 * tpr - 0.25 * 0.95 * fpr)


def test_differences_at_another_prevalence():
    other = np.roll(X, 1)
    third = X**2
    found, df = differences(NetBenefit(0.2, 0.05), Y, [X, other, third])
    assert df == math.inf
    columns = [X, other, third]
    for i in range(3):
        for j in range(3):
            gap = (columns[i] >= 0.2).astype(float) - (columns[j] >= 0.2)
            want = 0.05**2 * gap[Y].var(ddof=1) / 3 + (0.25 * 0.95) ** 2 * gap[~Y].var(ddof=1) / 7
            assert found[i, j] == pytest.approx(want, abs=1e-18)


@pytest.mark.parametrize("probability", [0.0, 1.0, True, "0.1", None])
def test_probabilities_are_checked(probability):
    with pytest.raises(th.InvalidInputError, match="`threshold_probability` must be one number in"):
        NetBenefit(probability)


def test_bounds():
    assert NetBenefit(0.5).bounds == (-math.inf, 1.0)


def test_values_are_correctly_rounded():
    found, false, n = 37_000_000_001, 3_000_000_007, (42_000_000_000, 99_000_000_001)
    table = th.Scores.from_counts([0.9, 0.1], [found, n[0] - found], [false, n[1] - false])
    assert NetBenefit(0.2).of(table) == float((found - Fraction(false, 4)) / sum(n))


def test_standard_errors_of_weighted_rows_are_those_of_a_mean():
    rng = np.random.default_rng(4)
    y, x, weight = rng.integers(0, 2, 60), rng.random(60), rng.choice([0.5, 1.0, 3.0], 60)
    each = np.where(x >= 0.3, np.where(y == 1, 1.0, -0.3 / 0.7), 0.0)
    mean = np.average(each, weights=weight)
    estimate = th.Scores(y, x, sample_weight=weight).measure("net_benefit", threshold_probability=0.3)
    own = np.square(weight * (each - mean)).sum() ** 0.5 / weight.sum()
    assert estimate.standard_error() == pytest.approx(own, rel=1e-12)
