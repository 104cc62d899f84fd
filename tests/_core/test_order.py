from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.thorough import at_least
from thresher._core.order import _SMALL, descending_order, descending_order_numpy


def slow(scores):
    return sorted(range(scores.size), key=lambda i: (-scores[i], i))


KINDS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "ties": lambda rng, n: rng.normal(size=n).round(1),
    "two values": lambda rng, n: rng.integers(0, 2, n).astype(float),
    "signed zeros": lambda rng, n: rng.choice([0.0, -0.0, 1.0, -1.0], n),
    "infinities": lambda rng, n: rng.choice([np.inf, -np.inf, 0.0, 1e308, -1e308, 5e-324], n),
    "last bits": lambda rng, n: 1.0 + rng.integers(0, 3 * n, n) * 2.0**-52,
    "all magnitudes": lambda rng, n: np.ldexp(rng.normal(size=n), rng.integers(-1000, 1000, n)),
    "leading bits agree": lambda rng, n: np.concatenate(([-1e300, 1e300], 0.1 + rng.random(n - 2) * 1e-15)),
    "float32": lambda rng, n: rng.normal(size=n).astype(np.float32),
    "float16": lambda rng, n: rng.normal(size=n).astype(np.float16),
    "int64": lambda rng, n: rng.integers(-(2**63), 2**63 - 1, n),
    "uint64": lambda rng, n: rng.integers(0, 2**64 - 1, n, dtype=np.uint64),
    "int8": lambda rng, n: rng.integers(-128, 127, n).astype(np.int8),
    "bool": lambda rng, n: rng.random(n) < 0.5,
    "longdouble": lambda rng, n: rng.normal(size=n).astype(np.longdouble),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [3, _SMALL, 3 * _SMALL + 1])
def test_order_is_stable_and_falls(kind, size):
    scores = KINDS[kind](np.random.default_rng(1), size)
    values = scores if scores.dtype.kind != "b" else scores.astype(int)
    want = size - 1 - np.argsort(values[::-1], kind="stable")[::-1]
    assert descending_order(scores).tolist() == want.tolist()
    assert descending_order_numpy(scores).tolist() == want.tolist()


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=30))
@at_least(80)
def test_short_columns_agree_with_sorted(values):
    scores = np.array(values)
    assert descending_order(scores).tolist() == slow(scores)
