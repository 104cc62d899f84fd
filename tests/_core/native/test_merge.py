"""The kernel that adds two tables against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from thresher._core import native
from thresher._core.counting import merge_tables_numpy

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")

DTYPES = [np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64]
DTYPES += [np.uint8, np.uint16, np.uint32, np.uint64]


@st.composite
def pairs(draw):
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    elements = hnp.from_dtype(dtype, allow_nan=False) if dtype.kind == "f" else hnp.from_dtype(dtype)
    pool = draw(hnp.arrays(dtype, 12, elements=elements, unique=True))
    tables = []
    for _ in range(2):
        values = np.unique(pool[draw(hnp.arrays(np.bool_, 12))] + dtype.type(0))[::-1]
        kind = draw(st.sampled_from([np.int64, np.float64]))
        counts = [draw(hnp.arrays(kind, values.size, elements=st.integers(0, 9))) for _ in range(2)]
        tables.append((values, *counts))
    return tables


@given(tables=pairs())
def test_equals_numpy(tables):
    found, expected = native.merge(*tables), merge_tables_numpy(*tables)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    backwards = native.merge(*tables[::-1])
    for one, other in zip(found, backwards, strict=True):
        assert np.array_equal(one, other)


def test_unlike_tables_are_refused():
    a = (np.zeros(1), np.ones(1, dtype=np.int64), np.ones(1, dtype=np.int64))
    b = (np.zeros(1, dtype=np.float32), *a[1:])
    with pytest.raises(TypeError, match="scores of one type"):
        native.merge(a, b)
    with pytest.raises(ValueError, match="same length"):
        native.merge(a, (np.zeros(2), *a[1:]))
