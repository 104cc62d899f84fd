"""The first rows of a ranking, as a mean over all orders of tied rows."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher.measures import PrecisionAtDepth, RecallAtDepth


@settings(max_examples=30)
@given(
    labels=st.lists(st.integers(0, 1), min_size=2, max_size=5).filter(lambda y: 0 < sum(y) < len(y)),
    data=st.data(),
    depth=st.integers(1, 7),
)
def test_against_all_orders_of_ties(labels, data, depth):
    values = data.draw(st.lists(st.integers(0, 2), min_size=len(labels), max_size=len(labels)))
    found = []
    for order in permutations(range(len(labels))):
        ranked = sorted(order, key=lambda i: -values[i])  # stable: tied rows stay in this order
        found.append(sum(labels[i] for i in ranked[:depth]))
    mean = sum(found) / len(found)
    scores = th.Scores(labels, values)
    assert PrecisionAtDepth(depth).of(scores) == pytest.approx(mean / depth)
    assert RecallAtDepth(depth).of(scores) == pytest.approx(mean / sum(labels))


@pytest.mark.parametrize("depth", [0, -1, 2.5])
def test_a_depth_is_a_count(depth):
    for measure in (PrecisionAtDepth, RecallAtDepth):
        with pytest.raises((th.InvalidInputError, th.InvalidTypeError), match="`depth` must"):
            measure(depth)
