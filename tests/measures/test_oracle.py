"""Areas against slow exact arithmetic on random data with ties."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from support.strategies import labelled

small = st.integers(0, 6).map(float)


@given(data=labelled())
def test_roc_auc_is_the_rounded_fraction(data):
    assert th.Scores(*data).roc_auc().value == float(oracle.roc_auc(*data))


@given(data=labelled())
def test_average_precision(data):
    want = float(oracle.average_precision(oracle.counts(*data)))
    assert abs(th.Scores(*data).pr_auc(estimator="average_precision").value - want) <= 4 * math.ulp(want)


@pytest.mark.parametrize(("estimator", "ties"), [("interpolated", "between"), ("functional", "before")])
@given(data=labelled(max_size=40))
def test_integrals(estimator, ties, data):
    want = float(oracle.pr_integral(oracle.counts(*data), ties=ties))
    assert abs(th.Scores(*data).pr_auc(estimator=estimator).value - want) <= 4 * math.ulp(want)


@given(
    pos=st.lists(st.integers(0, 10**6), min_size=2, max_size=8),
    neg=st.lists(st.integers(0, 10**6), min_size=2, max_size=8),
)
def test_integral_of_wide_blocks(pos, neg):
    size = min(len(pos), len(neg))
    pos, neg = [*pos[:size], 1], [*neg[:size], 1]
    points = [(0, 0)]
    for p, q in zip(pos, neg, strict=True):
        points.append((points[-1][0] + q, points[-1][1] + p))
    want = float(oracle.pr_integral(points))
    got = th.Scores.from_counts(range(size + 1, 0, -1), pos, neg).pr_auc().value
    assert abs(got - want) <= 4 * math.ulp(want)


@given(data=labelled(values=small))
def test_achievable_is_the_integral_of_the_hull(data):
    want = float(oracle.pr_integral(oracle.hull(oracle.counts(*data))))
    assert abs(th.Scores(*data).pr_auc(estimator="achievable").value - want) <= 4 * math.ulp(want)


@given(data=labelled(max_size=12, values=small), ends=st.tuples(st.integers(0, 20), st.integers(0, 20)))
def test_partial_areas_add_up(data, ends):
    scores = th.Scores(*data)
    low, high = sorted(end / 20 for end in ends)
    for along in ("fpr", "tpr"):
        edges = sorted({0.0, low, high, 1.0})
        parts = [scores.partial_roc_auc(**{along: (a, b)}).value for a, b in zip(edges, edges[1:], strict=False)]
        assert math.fsum(parts) == pytest.approx(scores.roc_auc().value, abs=1e-15)
    for estimator in ("interpolated", "average_precision", "trapezoid", "functional", "achievable"):
        parts = [
            scores.pr_auc(estimator=estimator, recall=(a, b)).value for a, b in zip(edges, edges[1:], strict=False)
        ]
        assert math.fsum(parts) == pytest.approx(scores.pr_auc(estimator=estimator).value, abs=1e-14)


@given(data=labelled(max_size=12, values=small), end=st.integers(1, 20))
def test_partial_area_by_fractions(data, end):
    points = oracle.counts(*data)
    n_neg, n_pos = points[-1]
    limit = Fraction(end, 20) * n_neg
    area = Fraction(0)
    for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
        if x1 > x0 and x0 < limit:
            stop = min(Fraction(x1), limit)
            top = y0 + Fraction(y1 - y0, x1 - x0) * (stop - x0)
            area += (stop - x0) * (y0 + top) / 2
    got = th.Scores(*data).partial_roc_auc(fpr=(0, end / 20)).value
    assert got == float(area / (n_neg * n_pos))


@given(data=labelled(max_size=40))
def test_inequalities(data):
    """Worst ties <= interpolated <= functional <= average precision with the best ties, and more."""
    labels, values = data
    scores = th.Scores(labels, values)
    points = oracle.counts(labels, values)
    worst, between, best = (float(oracle.pr_integral(points, ties=t)) for t in ("after", "between", "before"))
    interpolated, functional = scores.pr_auc().value, scores.pr_auc(estimator="functional").value
    step = scores.pr_auc(estimator="average_precision").value
    order = sorted(range(len(labels)), key=lambda i: (values[i] + 0.0, labels[i]))
    unrolled = th.Scores([labels[i] for i in order], range(len(labels)))
    slack = 1e-15
    assert worst <= interpolated + slack
    assert interpolated <= functional + slack
    assert functional <= unrolled.pr_auc(estimator="average_precision").value + slack
    assert worst <= step + slack
    assert interpolated <= scores.pr_auc(estimator="achievable").value + slack
    shared = bool(((scores.pos > 0) & (scores.neg > 0)).any())
    if not shared:
        assert interpolated == pytest.approx(functional, rel=1e-15)
        trapezoid = unrolled.pr_auc(estimator="trapezoid").value
        assert trapezoid <= unrolled.pr_auc().value + slack
        assert unrolled.pr_auc().value <= unrolled.pr_auc(estimator="average_precision").value + slack
    assert (between, best) == pytest.approx((interpolated, functional), rel=1e-14)


def test_average_precision_may_exceed_its_best_tie_breaking():
    tied = th.Scores.from_counts([2, 1], pos=[0, 10], neg=[5, 1])
    broken = th.Scores.from_counts([3, *range(2, -8, -1), -10], pos=[0] + [1] * 10 + [0], neg=[5] + [0] * 10 + [1])
    assert tied.pr_auc(estimator="average_precision").value == 0.625
    assert broken.pr_auc(estimator="average_precision").value == pytest.approx(0.483, abs=5e-4)


def test_hughes_oliver_case_f():
    scores = th.Scores.from_pos_neg([0.9, 0.75, 0.5, 0.35, 0.2], [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7])
    want = (2 + (1 - 2 * math.log(5 / 4)) + (1 - 4 * math.log(8 / 7)) + (1 - 6 * math.log(11 / 10))) / 5
    assert scores.pr_auc(estimator="functional").value == pytest.approx(want, rel=1e-15)
    np.testing.assert_allclose(scores.pr_function([0.2, 0.4, 0.6, 0.8, 1.0]), [1, 2 / 4, 3 / 7, 4 / 10, 1 / 3])


def test_huge_counts_do_not_overflow():
    scores = th.Scores.from_counts([2.0, 1.0], pos=[2**60, 2**59], neg=[2**59, 2**61])
    wins = Fraction(2**60) * (Fraction(2**61) + Fraction(2**59, 2)) + Fraction(2**59) * Fraction(2**61, 2)
    assert scores.roc_auc().value == float(wins / ((2**60 + 2**59) * (2**59 + 2**61)))
    assert scores.roc().hull().tp.tolist() == [0, 2**60, 2**60 + 2**59]


def test_prevalence_shift_equals_weighted_negatives():
    labels, values = [1, 0, 1, 0, 0, 1, 0], [7, 6, 5, 5, 4, 3, 1]
    weighted = th.Scores(labels, values, sample_weight=[1.0 if label else 12.5 for label in labels])
    plain = th.Scores(labels, values)
    for estimator in ("interpolated", "average_precision", "trapezoid", "functional", "achievable"):
        got = plain.pr_auc(estimator=estimator, prevalence=weighted.prevalence).value
        assert got == pytest.approx(weighted.pr_auc(estimator=estimator).value, rel=1e-14)
    curve = plain.pr(prevalence=weighted.prevalence)
    np.testing.assert_allclose(curve.precision, weighted.pr().precision, rtol=1e-14)
    assert curve.at(recall=0.8).precision == pytest.approx(weighted.pr().at(recall=0.8).precision, rel=1e-14)


def test_all_tied_gives_the_prevalence():
    tied = th.Scores.from_counts([0.0], pos=[10], neg=[90])
    assert tied.pr_auc().value == 0.1
    assert tied.roc_auc().value == 0.5
    assert tied.pr_auc(estimator="functional").value == 1.0


def test_normalised_partial_area_reaches_both_ends():
    worst = th.Scores([0] * 40 + [1] * 10, range(50, 0, -1))
    best = th.Scores([1] * 10 + [0] * 40, range(50, 0, -1))
    assert best.pr_auc(recall=(0.2, 0.8), normalize=True).value == pytest.approx(1.0)
    assert worst.pr_auc(recall=(0.2, 0.8), normalize=True).value == pytest.approx(0.0, abs=1e-15)
    assert worst.pr_auc(normalize=True, estimator="average_precision").value == 0.0
