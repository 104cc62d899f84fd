"""A fraction of a total, as decimals mean it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from thresher._core.decimals import portion


@pytest.mark.parametrize("total", [1, 7, 100, 1000, 12345, 10**9])
def test_decimals_that_mean_a_count_give_it(total):
    parts = np.arange(0, 101)
    found = portion(parts / 100, total)
    for part, value in zip(parts.tolist(), found.tolist(), strict=True):
        want = Fraction(part, 100) * total
        if want.denominator == 1:
            assert value == want
        else:
            assert value == pytest.approx(float(want), rel=1e-15)


def test_what_is_no_count_is_left():
    assert portion(np.array([0.5, 1e-20, 0.3 + 1e-9]), 3).tolist() == [1.5, 1e-20 * 3, (0.3 + 1e-9) * 3]


@pytest.mark.parametrize("total", [2**50 + 1, 2**53 + 1, 10**16 + 3, 2**62 - 1])
def test_large_totals_lose_no_case(total):
    assert portion(np.array([0.0, 1.0]), total).tolist() == [0, total]
    assert portion(np.array(0.5), total).item() == round(Fraction(total, 2))
    assert portion(np.array([[0.3]]), total).tolist() == [[round(Fraction(0.3) * total)]]
