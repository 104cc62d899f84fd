"""One-dimensional searches."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher._core.root_search import bisect, minimise, rising_root


@given(st.floats(-5, 5), st.floats(0.1, 9))
def test_bisect_finds_the_border_on_the_side_that_holds(border, reach):
    found = bisect(lambda x: x >= border, border - reach, border + reach)
    assert border <= found <= border + 1e-15 * max(1.0, abs(border)) + 1e-16
    found = bisect(lambda x: x <= border, border + reach, border - reach)
    assert border - 1e-15 * max(1.0, abs(border)) - 1e-16 <= found <= border


def test_bisect_ends_at_zero():
    assert bisect(lambda x: x >= 0, -1.0, 3.0) == pytest.approx(0.0, abs=1e-16)


@given(st.floats(-0.9, 0.9))
def test_minimise_parabola(centre):
    assert minimise(lambda x: (x - centre) ** 2, [-1.0, -0.5, 0.0, 0.5, 1.0]) == pytest.approx(centre, abs=1e-6)


def test_minimise_at_an_end_and_with_two_valleys():
    assert minimise(lambda x: x, [1.0, 2.0, 3.0]) == pytest.approx(1.0)
    # Valleys near 1.56, 3.65, ... rise by the slope; the first is the deepest, where 3 cos(3x) = -0.1.
    grid = [i / 4 for i in range(41)]
    found = minimise(lambda x: math.sin(3 * x) + 0.1 * x, grid)
    assert found == pytest.approx((math.pi + math.acos(0.1 / 3)) / 3, abs=1e-6)
    assert all(math.sin(3 * found) + 0.1 * found <= math.sin(3 * x) + 0.1 * x for x in grid)


@pytest.mark.parametrize("root", [0.3, -0.2, 0.123456789012345678])
@pytest.mark.parametrize("error", [0.0, 1e-12, 1e-3, 0.4, -0.4])
@pytest.mark.parametrize("shape", [lambda d: d, lambda d: math.expm1(40 * d), lambda d: math.atan(1e6 * d)])
def test_rising_root_is_the_point_of_bisection(root, error, shape):
    calls = []

    def excess(x):
        calls.append(x)
        return shape(x - root)

    found = rising_root(excess, -1.0, 1.0, near=root + error, step=1e-9)
    assert found == pytest.approx(bisect(lambda x: shape(x - root) >= 0, -1.0, 1.0), abs=3e-16)
    assert excess(found) >= 0.0
    # The other way round: rising towards the left.
    left = rising_root(lambda x: shape(-root - x), 1.0, -1.0, near=-root - error, step=1e-9)
    assert left == pytest.approx(-root, abs=3e-16)


def test_rising_root_at_the_ends():
    assert rising_root(lambda x: x + 5, -1.0, 1.0, near=0.0, step=0.1) == -1.0
    assert rising_root(lambda x: x - 5, -1.0, 1.0, near=0.0, step=0.1) == 1.0
