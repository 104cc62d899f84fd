from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from thresher.measures._pr_estimators import (
    _range_max,
    most_average_precision,
    most_partial_average_precision,
)

GRID = (0.0, 0.5, 1.0, 1.5, 2.0)


@st.composite
def tables(draw):
    """Rows (low, high, positives, negatives) with at most five cases, of both classes; low ends differ."""
    rows, left = [], 5
    for low in draw(st.lists(st.sampled_from(GRID), min_size=2, max_size=3, unique=True)):
        high = draw(st.sampled_from([value for value in GRID if value >= low]))
        pos = draw(st.integers(0, min(2, left - 1)))
        neg = draw(st.integers(0 if pos else 1, min(2, left - pos) or 1))
        rows.append((low, high, pos, neg))
        left -= pos + neg
        if left < 2:
            break
    if not any(row[2] for row in rows):
        rows[0] = (*rows[0][:2], 1, rows[0][3])
    if not any(row[3] for row in rows):
        rows[0] = (*rows[0][:2], rows[0][2], 1)
    return sorted(rows, reverse=True)


def scores_of(rows):
    low, high, pos, neg = (np.array(column) for column in zip(*rows, strict=True))
    return th.Scores._from_table((low, pos, neg), high)


def every_data_set(rows):
    """All labels and scores that the rows can stand for, on the grid."""
    places, labels = [], []
    for low, high, pos, neg in rows:
        for label in [1] * pos + [0] * neg:
            places.append([value for value in GRID if low <= value <= high])
            labels.append(label)
    for values in product(*places):
        yield labels, values


@given(tables())
def test_no_data_exceed_the_bounds(rows):
    table = scores_of(rows)
    ap, part = (table.pr_auc(estimator="average_precision", recall=span) for span in (None, (0.25, 0.75)))
    roc, pr = table.roc_auc(), table.pr_auc()
    wins = []
    for labels, values in every_data_set(rows):
        curve = oracle.counts(labels, values)
        assert abs(float(oracle.average_precision(curve)) - ap.value) <= ap.error_bound + 1e-12
        assert abs(float(partial(curve, Fraction(1, 4), Fraction(3, 4))) - part.value) <= part.error_bound + 1e-12
        assert abs(float(oracle.pr_integral(curve)) - pr.value) <= pr.error_bound + 1e-12
        wins.append(float(oracle.roc_auc(labels, values)))
    assert max(abs(value - roc.value) for value in wins) <= roc.error_bound + 1e-12


def partial(points, low, high):
    """Average precision over a range of recall, from its definition."""
    total, area = points[-1][1], Fraction(0)
    for (_, tp0), (fp1, tp1) in zip(points, points[1:], strict=False):
        width = min(Fraction(tp1, total), high) - max(Fraction(tp0, total), low)
        if width > 0:
            area += width * Fraction(tp1, tp1 + fp1)
    return area


def test_the_bound_can_be_reached():
    # All positives may stand at 2, above every negative; nothing is better than that.
    table = scores_of([(1.0, 2.0, 2, 0), (0.0, 1.5, 0, 3)])
    assert most_average_precision(table, None) == 1.0
    # A tie at infinity cannot be broken, though better precision comes later.
    tied = th.Scores.from_counts([np.inf], pos=[1], neg=[9]) + scores_of([(0.0, 2.0, 40, 0), (-1.0, 1.0, 0, 10)])
    assert most_average_precision(tied, None) == pytest.approx((1 * 0.1 + 40 * 41 / 50) / 41)


@pytest.mark.parametrize("skew", [1, 4])
def test_a_range_takes_the_best_precision_from_its_place_on(skew):
    """True positives 1, 3, 4 with false ones 1, 2, 4; of recall 1/8 to 9/10 that is 1/2, 2 and 3/5 of a positive."""
    best = th.Scores.from_counts([4, 3, 2, 1], pos=[1, 0, 2, 1], neg=[1, 1, 0, 2])
    first, second, third = Fraction(1, 1 + skew), Fraction(3, 3 + 2 * skew), Fraction(4, 4 + 4 * skew)
    assert second == max(first, second, third)
    want = (Fraction(1, 2) * second + 2 * second + Fraction(3, 5) * third) / 4
    # With as many positives as negatives a prevalence of 1/5 makes a false positive count 4.
    prevalence = None if skew == 1 else 0.2
    assert most_partial_average_precision(best, prevalence, (0.125, 0.9)) == pytest.approx(float(want), rel=1e-14)


def test_largest_in_ranges():
    rng = np.random.default_rng(0)
    values = rng.random(37)
    first = rng.integers(0, 37, 200)
    end = np.minimum(first + rng.integers(1, 38, 200), 37)
    expected = [values[a:b].max() for a, b in zip(first, end, strict=True)]
    np.testing.assert_array_equal(_range_max(values, first, end), expected)
