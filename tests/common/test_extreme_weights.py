"""Weights and counts so large, so small or so unlike each other that their sums wrap, overflow or vanish."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction

import numpy as np
import pytest

import thresher as th
from thresher._core.sums import refuse_sum, segment_sums
from thresher._curves import min_average_precision

BIG = 5 * 10**18
CASES = {
    "tied rows": lambda: th.Scores([1, 1, 0, 1], [2.0, 2, 1, 0], sample_weight=[BIG, BIG, 3, 4]),
    "tied negatives": lambda: th.Scores([1, 0, 0, 0], [2.0, 1, 1, 1], sample_weight=[3, BIG, BIG, BIG]),
    "counts": lambda: th.Scores.from_counts([1, 1], [2**63 - 1, 2**63 - 1], [1, 1]),
    "four of them": lambda: th.Scores.from_counts([1] * 4, [2**62] * 4, [1] * 4),
    "samples": lambda: th.Scores.from_pos_neg([1.0, 1.0], [2.0], pos_weight=[BIG, BIG]),
    "sum of tables": lambda: th.Scores.from_counts([1], [2**61], [1]) + th.Scores.from_counts([1], [2**61], [1]),
    "comparison": lambda: th.compare([1, 1, 0], {"a": [1, 1, 0], "b": [1, 1, 1]}, sample_weight=[BIG, BIG, 1]),
    "bootstrap": lambda: th.bootstrap([1, 1, 0], [1, 1, 0], sample_weight=[BIG, BIG, 1], n_resamples=20),
}


@pytest.mark.parametrize("case", CASES)
def test_whole_weights_whose_sum_would_wrap_are_refused(case: str) -> None:
    with pytest.raises(
        th.InvalidInputError, match=r"Counts must add up to less than 2\*\*62; got \d+ (posi|nega)tives"
    ):
        CASES[case]()


def test_the_refused_total_is_exact() -> None:
    with pytest.raises(th.InvalidInputError, match=str(3 * (2**63 - 1))):
        refuse_sum(np.full(3, 2**63 - 1), "positive")
    refuse_sum(np.array([2**62 - 1]), "positive")


@pytest.mark.parametrize("weight", [1e200, 1e-320, 1e308, 5e-324, 1e19])
def test_float_weights_outside_their_range_are_refused(weight: float) -> None:
    with pytest.raises(th.InvalidInputError, match=r"must be 0 or between 1e-75 and 2\*\*62.*divide them all"):
        th.Scores([1, 1, 0, 0], [2.0, 2, 2, 1], sample_weight=[weight] * 4)
    with pytest.raises(th.InvalidInputError, match="between 1e-75"):
        th.Scores.from_counts([1.0, 0.0], [weight, 1.0], [1.0, weight])


@pytest.mark.parametrize("weight", [1e-75, 1e-30, 1.0, 2.0**59])
def test_figures_do_not_depend_on_the_scale_of_weights(weight: float) -> None:
    y, s = [1, 1, 0, 1, 0, 0], [2.0, 2, 2, 1, 1, 0]
    plain = th.Scores(y, s)
    scaled = th.Scores(y, s, sample_weight=[weight] * 6)
    for figure in ("roc_auc", "pr_auc"):
        assert getattr(scaled, figure)().value == pytest.approx(getattr(plain, figure)().value, rel=1e-14)


def test_sums_of_ties_far_below_the_total_are_kept() -> None:
    scores = th.Scores([1, 0, 1, 1, 0, 0], [3.0, 3, 1, 1, 1, 1], sample_weight=[1e18, 1e18, 1e-60, 1e-60, 1e-60, 1e-60])
    np.testing.assert_array_equal(scores.pos, [1e18, 2e-60])
    np.testing.assert_array_equal(scores.neg, [1e18, 2e-60])


def test_sums_of_runs_are_right_whatever_stands_before_them() -> None:
    rng = np.random.default_rng(5)
    values = rng.random(300) * 10.0 ** rng.integers(-70, 18, 300)
    starts = np.concatenate(([0], np.sort(rng.choice(np.arange(1, 300), 80, replace=False))))
    for found, part in zip(segment_sums(values, starts), np.split(values, starts[1:]), strict=True):
        assert found == pytest.approx(float(sum(map(Fraction, part.tolist()))), rel=1e-15)


def test_probabilities_below_any_weight_count_as_none() -> None:
    scores = th.Scores.from_soft_labels([1e-320, 0.5], [1.0, 2.0])
    np.testing.assert_array_equal(scores.pos, [0.5, 0.0])
    assert scores.neg.sum() == 1.5


def test_unit_steps_of_billions_are_their_sum() -> None:
    p, q = 3 * 10**9, 7 * 10**10
    scores = th.Scores.from_counts([3, 2, 1], [5, p, 1], [2, q, 3])
    found = scores.pr_auc(estimator="unit_steps").value
    # Far from its start the sum of trapezoids is the integral; the first piece and its bend are what is left.
    assert found == pytest.approx(scores.pr_auc().value, rel=1e-8)
    assert math.isfinite(found)


@pytest.mark.parametrize(
    ("before", "p", "q"), [((0, 0), 1000, 3), ((0, 900), 700, 5000), ((3, 1), 257, 0), ((9, 9), 4000, 1)]
)
def test_unit_steps_of_long_pieces_are_the_steps_one_by_one(before: tuple[int, int], p: int, q: int) -> None:
    (tp, fp), total = before, Fraction(0)

    def precision(v: int) -> Fraction:
        called = tp + v + fp + Fraction(q * v, p)
        return (tp + v) / called if called else Fraction(p, p + q)

    for v in range(p):
        total += (precision(v) + precision(v + 1)) / 2
    first = ([3], [tp], [fp]) if tp + fp else ([], [], [])
    scores = th.Scores.from_counts([*first[0], 2, 1], [*first[1], p, 0], [*first[2], q, 1])
    ahead = th.Scores.from_counts([3, 1], [tp, 0], [fp, 1]).pr_auc(estimator="unit_steps").value * tp if tp else 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = scores.pr_auc(estimator="unit_steps").value * (tp + p) - ahead
    assert found == pytest.approx(float(total), rel=1e-14)


@pytest.mark.parametrize("n_neg", [0, 1, 1000, 10**7])
def test_the_least_average_precision_of_many_positives(n_neg: int) -> None:
    n_pos = 2**16 + 7
    exact = math.fsum(i / (i + n_neg) for i in range(1, n_pos + 1)) / n_pos
    assert min_average_precision(n_pos, n_neg) == pytest.approx(exact, rel=1e-13)
    assert 0.0 < min_average_precision(2**62, n_neg) <= 1.0
