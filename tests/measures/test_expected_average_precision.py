"""Average precision over all orders of tied rows, by going through them."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher.measures._pr_auc import expected_average_precision


@settings(max_examples=30)
@given(
    labels=st.lists(st.integers(0, 1), min_size=1, max_size=6).filter(any),
    data=st.data(),
    unseen=st.integers(0, 3),
)
def test_against_all_orders(labels, data, unseen):
    values = data.draw(st.lists(st.integers(0, 2), min_size=len(labels), max_size=len(labels)))
    total, orders = Fraction(0), 0
    for order in permutations(range(len(labels))):
        found = 0
        for place, i in enumerate(sorted(order, key=lambda i: -values[i]), 1):
            if labels[i]:
                found += 1
                total += Fraction(found, place)
        orders += 1
    want = total / orders / (sum(labels) + unseen)
    assert expected_average_precision(th.Scores(labels, values), n_unseen=unseen) == pytest.approx(float(want))


def test_weights_and_no_positive_are_refused():
    with pytest.raises(th.InvalidInputError, match="must be counted without weights"):
        expected_average_precision(th.Scores([1, 0], [2, 1], sample_weight=[0.5, 1.5]))
    with pytest.raises(th.UndefinedMetricError, match="needs a positive"):
        expected_average_precision(th.Scores([0, 0], [2, 1]))
