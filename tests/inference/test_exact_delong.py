"""DeLong's variance in integers, against fractions and against the NumPy code."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from thresher._core import native
from thresher.exceptions import UndefinedMetricError
from thresher.inference._delong import delong
from thresher.inference._exact_delong import exact_delong

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")

tables = hnp.arrays(np.int64, st.tuples(st.just(2), st.integers(1, 12)), elements=st.integers(0, 5)).filter(
    lambda table: table.sum(axis=1).min() > 1
)


def spread(values):
    mean = sum(values, Fraction(0)) / len(values)
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


@given(table=tables, wide=st.booleans())
def test_variance_by_fractions(table, wide):
    rows = [
        (k, label)
        for label, counts in ((1, table[0]), (0, table[1]))
        for k in np.repeat(np.arange(counts.size), counts)
    ]
    won = {1: [], 0: []}
    for k, label in rows:
        others = [j for j, other in rows if other != label]
        # Lower places score higher.
        wins = sum(2 * ((k < j) if label else (k > j)) + (k == j) for j in others)
        won[label].append(Fraction(int(wins), 2 * len(others)))
    found = exact_delong(*np.cumsum(table, axis=1).astype(np.int64 if wide else np.int32))
    assert found.spread_pos == float(spread(won[1]))
    assert found.spread_neg == float(spread(won[0]))
    assert found.variance == found.spread_pos / len(won[1]) + found.spread_neg / len(won[0])
    assert found.auc == float(sum(won[1]) / len(won[1]))


@given(table=tables, factor=st.sampled_from([1, 10**6]))
def test_equals_numpy(table, factor):
    assert exact_delong(*np.cumsum(table * factor, axis=1)) == pytest.approx(
        delong(*table * factor), rel=1e-9, abs=1e-18
    )


def test_one_case_of_a_class():
    with pytest.raises(UndefinedMetricError, match=r"DeLong's variance needs more than one positive; got 1\."):
        exact_delong(np.array([1, 1]), np.array([1, 3]))
