"""The area under straight lines, against fractions and NumPy."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from thresher._core import native
from thresher._core.threads import num_threads
from thresher.metrics._area_scores import trapezoids_numpy

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")

points = st.integers(0, 70).flatmap(
    lambda n: hnp.arrays(np.float64, (2, n), elements=st.floats(-1e6, 1e6, allow_subnormal=False))
)


@given(points=points)
def test_area_by_fractions(points):
    x, y = points
    pieces = [
        (Fraction(x1) - Fraction(x0)) * (Fraction(y1) + Fraction(y0))
        for x0, x1, y0, y1 in zip(x, x[1:], y, y[1:], strict=False)
    ]
    twice, falls, not_falling = native.trapezoid(x, y)
    room = 4 * math.ulp(1.0) * float(sum(map(abs, pieces), Fraction(0)))
    assert abs(twice - float(sum(pieces, Fraction(0)))) <= room
    assert falls == bool((np.diff(x) < 0).any())
    assert not_falling == bool((np.diff(x) > 0).any())


@pytest.mark.parametrize("isa", ["avx2", "portable"])
@pytest.mark.parametrize("n", [2, 9, 1025, 65_537, 200_001])
def test_long_curves_equal_numpy_whatever_the_threads(isa, n):
    usual = native.instruction_set()
    if not native._kernels.use_instruction_set(isa):
        pytest.skip(f"this processor has no {isa}")
    try:
        rng = np.random.default_rng(n)
        x, y = np.sort(rng.random(n)), np.sort(rng.random(n))
        found = []
        for threads in (1, 3):
            with num_threads(threads):
                found.append(native.trapezoid(x[::-1], y[::-1]))
        assert found[0] == found[1]
        assert found[0][1:] == trapezoids_numpy(x[::-1], y[::-1])[1:] == (True, False)
        assert found[0][0] == pytest.approx(trapezoids_numpy(x[::-1], y[::-1])[0], rel=1e-14)
    finally:
        native._kernels.use_instruction_set(usual)


def test_infinities_and_nan_are_numpys():
    for x, y in (([0.0, 1.0, np.inf], [1.0, 1.0, 1.0]), ([0.0, np.nan, -1.0, -2.0], [1.0, 1.0, 1.0, 1.0])):
        found, expected = native.trapezoid(np.array(x), np.array(y)), trapezoids_numpy(np.array(x), np.array(y))
        np.testing.assert_equal(found, expected)


def test_other_columns_are_refused():
    with pytest.raises(ValueError, match="same length"):
        native.trapezoid(np.zeros(2), np.zeros(3))
    with pytest.raises(TypeError, match="float64"):
        native._kernels.trapezoid(np.zeros(2, dtype=np.int64), np.zeros(2), 1)
