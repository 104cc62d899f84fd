from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher._core import native
from thresher._core.sums import accurate_sum, cumulative, cumulative_numpy, exact_dot, segment_sums

small = st.floats(0, 1e12, allow_subnormal=True)


@given(values=st.lists(small, min_size=1, max_size=60))
def test_running_sums_of_weights(values):
    got = cumulative(np.array(values))
    exact = Fraction(0)
    for i, value in enumerate(values):
        exact += Fraction(value)
        assert got[i] == pytest.approx(float(exact), rel=2.3e-16, abs=1e-300)
    assert (np.diff(got) >= 0).all()


@given(values=st.lists(small, min_size=1, max_size=60), cuts=st.sets(st.integers(1, 59)))
def test_sums_of_runs_lose_nothing_to_what_stood_before(values, cuts):
    starts = np.array([0, *sorted(cut for cut in cuts if cut < len(values))])
    got = segment_sums(np.array(values), starts)
    for i, start in enumerate(starts):
        stop = starts[i + 1] if i + 1 < starts.size else len(values)
        exact = float(sum(map(Fraction, values[start:stop]), Fraction(0)))
        # Twice the precision of all that stood before: about 1e-32 of it.
        assert got[i] == pytest.approx(exact, rel=4e-16, abs=1e-30 * (1 + math.fsum(values)))


@given(
    a=st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=20),
    b=st.lists(st.integers(0, 2**63 - 1), min_size=20, max_size=20),
)
@example(a=[2**61] * 4, b=[3] * 4)  # the sum of `a` alone is more than int64 holds
@example(a=[2**63 - 1] * 20, b=[2**63 - 1] * 20)
@example(a=[2**63 - 1] * 20, b=[0] * 20)
@example(a=[0, 2**62], b=[1, 0])
def test_integer_products_never_overflow(a, b):
    b = b[: len(a)]
    want = sum(x * y for x, y in zip(a, b, strict=True))
    assert exact_dot(np.array(a, dtype=np.int64), np.array(b, dtype=np.int64)) == want


def test_long_sums():
    rng = np.random.default_rng(0)
    for size in (65_536, 65_537, 200_001, 1_000_000):
        values = rng.random(size) * 10.0 ** rng.integers(-12, 12, size)
        assert accurate_sum(values) == pytest.approx(math.fsum(values.tolist()), rel=2.3e-16)
    hard = np.concatenate((np.full(100_000, 1e16), np.ones(100_000), np.full(100_000, -1e16)))
    assert accurate_sum(hard) == 100_000.0


@pytest.mark.skipif(not native.available(), reason="needs the compiled kernels")
@pytest.mark.parametrize("kind", ["plain", "spread", "cancelling", "tiny"])
def test_compiled_sums_are_those_of_numpy_to_the_last_bit(kind):
    rng = np.random.default_rng(4)
    for n in (1, 2, 3, 50, 1_000, 70_000):
        values = rng.random(n)
        if kind == "spread":
            values = values * 10.0 ** rng.integers(-30, 30, n)
        if kind == "tiny":
            values = values * 1e-70
        assert np.array_equal(cumulative(values), cumulative_numpy(values))
        if kind == "cancelling":
            values = np.concatenate((values, -values[::-1], [1e-20]))
        assert accurate_sum(values) == math.fsum(values.tolist())
