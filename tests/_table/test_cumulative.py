"""The table as a list of confusion matrices."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

import thresher as th
from support import oracle
from support.strategies import labelled
from thresher._table import padded_counts
from thresher._table.columns import check_two_classes, next_lower, with_infinity


@given(data=labelled())
def test_padded_counts_by_counting_rows(data):
    tp, fp = padded_counts(th.Scores(*data))
    assert list(zip(fp.tolist(), tp.tolist(), strict=True)) == oracle.counts(*data)
    assert tp.dtype == fp.dtype == np.int64


@pytest.mark.parametrize(
    ("thresholds", "kind"),
    [
        (np.array([2.5, 1.0], dtype=np.float32), np.float32),
        (np.array([2**53, -(2**53)]), np.float64),
        (np.array([2**53 + 1, 3]), None),
        (np.array([3, -(2**62) - 1]), None),
        (np.array([2**64 - 1, 1], dtype=np.uint64), None),
    ],
)
def test_infinity_comes_first_and_no_threshold_changes(thresholds, kind):
    found = with_infinity(thresholds)
    assert found[0] == np.inf
    assert [int(x) if float(x).is_integer() else float(x) for x in found[1:]] == thresholds.tolist()
    if kind is not None:
        assert found.dtype == kind


@pytest.mark.parametrize(("labels", "side"), [([1, 1], "negative"), ([0, 0], "positive")])
def test_a_missing_class_is_named(labels, side):
    counts = th.Scores(labels, [1, 2])
    with pytest.raises(th.UndefinedMetricError, match=f"It needs both classes; got .* Hint: there is no {side} row"):
        check_two_classes(counts, "It")


@given(data=labelled())
def test_the_next_score_below(data):
    scores = th.Scores(*data)
    values = sorted(set(map(float, data[1])))
    between = [(a + b) / 2 for a, b in pairwise(values)]
    for cut in (*values, *between, -np.inf, np.inf):
        assert next_lower(scores, cut) == max((value for value in values if value < cut), default=-np.inf)


def test_the_next_score_is_unknown_where_not_all_are_kept():
    rng = np.random.default_rng(0)
    small = th.Scores(rng.random(200) < 0.5, rng.random(200)).compress(50)
    assert next_lower(small, 0.5) is None
