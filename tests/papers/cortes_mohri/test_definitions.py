"""The statistic and its variance, by enumeration and by quadrature."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate

from papers.cortes_mohri import definitions

HALF = Fraction(1, 2)


def test_one_of_each_is_a_coin():
    mean, variance = definitions._enumerated([0, 9], [Fraction(1, 4), Fraction(3, 4)], [5], [Fraction(1)], 1, 1)
    assert (mean, variance) == (Fraction(3, 4), Fraction(3, 16))


def test_a_tie_is_no_win():
    assert definitions._enumerated([5], [Fraction(1)], [5], [Fraction(1)], 2, 2) == (0, 0)


def test_two_positives_halve_the_variance_of_one():
    one = definitions._enumerated([0, 9], [HALF, HALF], [5], [Fraction(1)], 1, 3)
    two = definitions._enumerated([0, 9], [HALF, HALF], [5], [Fraction(1)], 2, 3)
    assert (one[0], one[1] / 2) == two


@pytest.mark.parametrize("rate", [1.5, 5.0])
def test_a_positive_above_two_negatives(rate):
    want, _ = integrate.quad(lambda x: np.exp(-x) * (1 - np.exp(-rate * x)) ** 2, 0, np.inf)
    assert definitions._two_below(rate) == pytest.approx(want, rel=1e-8)


def test_random_laws_are_laws():
    parts = definitions._fractions(np.random.default_rng(0), 4)
    assert sum(parts) == 1
    assert all(part > 0 for part in parts)


@pytest.mark.parametrize("entry", [definitions.the_statistic, definitions.variances])
def test_entries_come_out(entry):
    assert [check.what for check in entry().checks if not check.agrees] == []
