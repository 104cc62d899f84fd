"""Expressions that mean the same in every engine, also when it lacks the operation made for it."""

import math

import numpy as np
import pytest

from thresher._read.sql.typed_columns import is_endless, is_nan, parts_of, put_together, with_plain_zero, zero_or_one

ibis = pytest.importorskip("ibis")
pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
# Ibis 12 looks tables up by a method that DuckDB 2 calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")

FLOATS = [math.nan, -math.nan, math.inf, -math.inf, 0.0, -0.0, 1.7976931348623157e308, -5e-324, 1.5, None]


@pytest.fixture(params=["duckdb", "polars"])
def backend(request):
    """Return engines in which NaN is above all numbers; DuckDB's is equal to itself too."""
    return getattr(ibis, request.param).connect()


def answers(backend, values, make):
    table = ibis.memtable(pa.table({"x": values}))
    return backend.to_pyarrow(table.select(found=make(table.x)))["found"].to_pylist()


@pytest.mark.parametrize("has", [True, False])
def test_nan_and_infinity_with_and_without_the_operation(backend, has):
    found = answers(backend, FLOATS, lambda x: is_nan(x, lambda name: has))
    assert [bool(value) for value in found] == [value is not None and math.isnan(value) for value in FLOATS]
    present = FLOATS[:-1]
    found = answers(backend, present, lambda x: is_endless(x, lambda name: has))
    assert found == [not math.isfinite(value) for value in present]


@pytest.mark.parametrize("kind", [pa.float32(), pa.float64()])
def test_zeros_lose_their_sign_and_nothing_else(backend, kind):
    values = pa.array([-0.0, 0.0, -1.5, math.inf, -math.inf, None, 1e-45], kind)
    table = ibis.memtable(pa.table({"x": values}))
    found = backend.to_pyarrow(table.select(found=with_plain_zero(table.x)))["found"].combine_chunks()
    assert found.type == kind
    assert found.to_pylist() == values.to_pylist()
    assert [math.copysign(1.0, value) for value in found.to_pylist()[:3]] == [1.0, 1.0, -1.0]


def test_booleans_keep_their_nulls(backend):
    assert answers(backend, [True, False, None], zero_or_one) == [1, 0, None]


def test_sums_in_parts_do_not_overflow(backend):
    rng = np.random.default_rng(1)
    values = [*rng.integers(0, 2**63 - 1, 500).tolist(), 2**63 - 1, 0]
    table = ibis.memtable(pa.table({"x": values}))
    found = backend.to_pyarrow(table.aggregate(**parts_of(table.x, "x"))).to_pydict()
    assert all(part < 2**63 for column in found.values() for part in column)
    assert put_together(found, "x") == [sum(values)]
    assert found == {}
