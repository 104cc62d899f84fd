"""Sums of buckets: no overflow, and doubles that add up exactly in pieces."""

from fractions import Fraction

import numpy as np
import pytest

from thresher._read.sql.bucket_sums import (
    _LIMB,
    Arithmetic,
    _pieces_of,
    _Total,
    _with_pieces,
    arithmetic_for,
    running_rows,
)
from thresher._read.sql.buckets import Buckets

pytest.importorskip("duckdb")
ibis = pytest.importorskip("ibis")
pa = pytest.importorskip("pyarrow")


def buckets(pos, neg, *, single=False):
    low = np.arange(len(pos), dtype=np.float64)
    return Buckets(np.arange(len(pos)), low, low if single else low + 0.5, np.array(pos), np.array(neg))


def test_arithmetic_is_as_wide_as_it_must_be():
    assert not arithmetic_for([buckets([10**6], [10**6])], weighted=False).wide
    assert arithmetic_for([buckets([1], [1]), buckets([2**21], [2**21])], weighted=False).wide
    # Buckets of one score are added up here, whatever their counts.
    assert not arithmetic_for([buckets([2**61], [2**61], single=True)], weighted=False).wide
    assert arithmetic_for([buckets([0.5], [0.5])], weighted=True).weighted


@pytest.mark.parametrize("total", [100, 2**36, 2**62])
def test_pieces_hold_every_bit_of_a_term(total):
    arithmetic = arithmetic_for([buckets([total - 1], [1])], weighted=False)
    rng = np.random.default_rng(1)
    terms = np.append(1.0 / rng.integers(total // 2, total, 500), rng.uniform(0, total, 500))
    terms = np.append(terms, np.nextafter(1.0 / (2 * total), 1.0))
    table = ibis.memtable(pa.table({"t": terms}))
    cut = _with_pieces(table, ("t",), arithmetic)
    rows = ibis.duckdb.connect().to_pyarrow(cut.select(**_pieces_of(cut, ("t",), arithmetic)))
    sums = {name: rows[name].to_pylist() for name in rows.column_names}
    assert all(0 <= piece < 2**_LIMB for limb in range(1, arithmetic.limbs + 1) for piece in sums[f"t_{limb}"])
    found = _Total(arithmetic)
    found.add_pieces(sums, "t")
    beside = _Total(arithmetic)
    beside.add(terms)
    exact = sum(map(Fraction, terms.tolist()))
    assert found.value() == beside.value() == exact.numerator / exact.denominator


def test_weights_are_added_as_they_are():
    found = _Total(Arithmetic(weighted=True, wide=False, limbs=0))
    found.add(np.array([1e100, 1.0, -1e100]))
    assert found.value() == 1.0


def test_counts_that_run_over_rows_are_those_of_distinct_scores():
    rng = np.random.default_rng(3)
    pos = rng.integers(0, 2, 400)
    scores = np.where(rng.random(400) < 0.5, rng.integers(0, 9, 400), rng.normal(size=400))
    columns = {"grp": rng.integers(0, 2, 400), "bucket": rng.integers(0, 5, 400), "score": scores}
    table = ibis.memtable(pa.table({**columns, "pos": pos, "neg": 1 - pos}))
    names = ["grp", "bucket", "score", "after", "tp", "fp", "pos", "neg"]
    found, wanted = (
        ibis.duckdb.connect()
        .to_pyarrow(running_rows(table, distinct=distinct).select(*names))
        .sort_by([("grp", "ascending"), ("bucket", "ascending"), ("score", "ascending")])
        for distinct in (True, False)
    )
    assert found.to_pylist() == wanted.to_pylist()
    assert found.num_rows < 400
