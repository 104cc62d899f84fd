"""Areas of all data that a compressed table can stand for, against all of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import thresher as th
from thresher.measures._pr_estimators import area_range_by_stretches


def by_definition(table: th.Scores, skew: Fraction) -> tuple[Fraction, Fraction]:
    """Each row of the table is a stretch of its own here: rectangles by hand, single scores from end to end."""
    low = high = Fraction(0)
    tp = fp = 0
    for top, at, pos, neg in zip(table._highest_scores, table.thresholds, table.pos, table.neg, strict=True):
        ends = [(tp, fp), (tp + int(pos), fp + int(neg))]
        corners = ends if top == at else list(product((ends[0][0], ends[1][0]), (ends[0][1], ends[1][1])))
        shares = [Fraction(t) / (t + skew * f) if t or f else Fraction(1) for t, f in corners]
        low += int(pos) * min(shares)
        high += int(pos) * max(shares)
        tp, fp = ends[1]
    return low / tp, high / tp


def small(seed: int) -> th.Scores:
    rng = np.random.default_rng(seed)
    y = np.arange(40) % 3 == 0
    return th.Scores(y, (rng.normal(size=40) + y).round(1))


@pytest.mark.parametrize("skew", [Fraction(1), Fraction(1, 3), Fraction(25)])
@pytest.mark.parametrize("seed", range(6))
def test_rectangles_by_hand(seed, skew):
    full = small(seed)
    for points in range(len(full.roc().hull()), len(full)):
        table = full.compress(points)
        found = area_range_by_stretches(table, float(skew), (0.0, 1.0))
        assert found == pytest.approx([float(end) for end in by_definition(table, skew)], rel=1e-12)


@pytest.mark.parametrize("estimator", ["trapezoid", "unit_steps"])
@pytest.mark.parametrize("seed", range(6))
def test_the_bound_of_a_small_table_is_the_distance_to_the_farther_end(seed, estimator):
    full = small(seed)
    table = full.compress(len(full.roc().hull()))
    low, high = (float(end) for end in by_definition(table, Fraction(1)))
    found = table.pr_auc(estimator=estimator)
    assert found.error_bound == pytest.approx(max(found.value - low, high - found.value), rel=1e-9)
    assert low <= full.pr_auc(estimator=estimator).value <= high


def test_a_part_of_recall_is_a_part_of_the_sum():
    table = small(1).compress(len(small(1).roc().hull()))
    parts = [area_range_by_stretches(table, 1.0, span) for span in ((0.0, 0.37), (0.37, 1.0))]
    whole = area_range_by_stretches(table, 1.0, (0.0, 1.0))
    assert np.sum(parts, axis=0) == pytest.approx(whole, rel=1e-12)


def test_a_complete_table_of_pure_scores_leaves_the_ends_of_each_piece():
    """Scores +, -, + with skew 1: the last positive takes a precision between 1/2 and 2/3, the first exactly 1."""
    table = th.Scores([1, 0, 1], [3, 2, 1])
    assert area_range_by_stretches(table, 1.0, (0.0, 1.0)) == pytest.approx(((1 + 1 / 2) / 2, (1 + 2 / 3) / 2))


def test_ranges_that_overlap_are_one_stretch():
    """The lowest row may hold scores above 3, so that all data agree on the point below 5 only, and on the end."""
    a = th.Scores.from_counts([5, 3], pos=[1, 1], neg=[0, 1])
    b = th.Scores.from_counts([4, 1], pos=[1, 1], neg=[2, 1])
    b = b._from_table((b.thresholds[1:], np.array([2]), np.array([3])), b.thresholds[:1])  # 4 and 1 merged
    table = a + b
    assert (table.thresholds.tolist(), table._highest_scores.tolist()) == ([5, 3, 1], [5, 3, 4])
    # One positive at precision 1; three from (1, 0) to (4, 4): between 1 / (1 + 4) and 4 / (4 + 0).
    assert area_range_by_stretches(table, 1.0, (0.0, 1.0)) == pytest.approx(((1 + 3 / 5) / 4, 1.0))
    # Without the overlap every row is a stretch.
    apart = a + th.Scores.from_counts([2, 1], pos=[1, 1], neg=[2, 1])
    apart = apart._from_table((np.array([5, 3, 1]), np.array([1, 1, 2]), np.array([0, 1, 3])), np.array([5, 3, 2]))
    low = 1 + 2 / 3 + 2 * (2 / (2 + 4))
    assert area_range_by_stretches(apart, 1.0, (0.0, 1.0)) == pytest.approx((low / 4, (1 + 1 + 2 * (4 / 5)) / 4))


@pytest.mark.parametrize(
    ("highest", "recall", "low", "high"),
    [
        # The lowest row reaches over two others: the score 6, then all from (1, 1) to (4, 4).
        (5.5, (0.0, 1.0), 1 / 2 + 3 * (1 / 5), 1 + 3 * (4 / 5)),
        (5.5, (0.5, 1.0), 2 * (1 / 5), 2 * (4 / 5)),
        (5.5, (0.125, 0.5), 0.5 * (1 / 2) + 1 / 5, 0.5 * 1 + 4 / 5),
        # It may hold the score 3 of the row above it, with which it goes from (2, 1) to (4, 4).
        (3.0, (0.0, 1.0), 1 / 2 + 1 / 2 + 2 * (2 / 6), 1 + 2 / 3 + 2 * (4 / 5)),
    ],
)
def test_stretches_by_hand(highest, recall, low, high):
    table = th.Scores.from_counts([6.0, 5.0, 3.0, 1.0], pos=[1, 1, 0, 2], neg=[1, 0, 2, 1])
    table = table._from_table((table.thresholds, table.pos, table.neg), np.array([6.0, 5.0, 3.0, highest]))
    assert area_range_by_stretches(table, 1.0, recall) == pytest.approx((low / 4, high / 4))
