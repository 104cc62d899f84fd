"""Counts of printed points: there and back, and what no counts can have."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import thresher as th
from support.strategies import curve_points, labelled
from thresher._curves.points import counts_of_pr, counts_of_roc


@given(points=curve_points())
def test_rates_of_counts_give_the_counts_back(points):
    fp, tp = (np.array(column) for column in zip(*points, strict=True))
    _, found_tp, found_fp = counts_of_roc(fp / fp[-1], tp / tp[-1], int(tp[-1]), int(fp[-1]), None)
    assert found_tp.dtype == found_fp.dtype == np.int64
    assert list(zip(found_fp.tolist(), found_tp.tolist(), strict=True)) == sorted(set(points))
    # The other way round, as some programs print them, and without its ends.
    _, again, _ = counts_of_roc((fp / fp[-1])[::-1], (tp / tp[-1])[::-1], int(tp[-1]), int(fp[-1]), None)
    assert again.tolist() == found_tp.tolist()


@given(points=curve_points())
def test_pr_points_give_the_counts_back(points):
    kept = [point for point in points if point[1] > 0]
    fp, tp = (np.array(column) for column in zip(*kept, strict=True))
    n_neg, n_pos = points[-1]
    _, found_tp, found_fp = counts_of_pr(tp / n_pos, tp / (tp + fp), n_pos, n_neg, None)
    found = list(zip(found_fp.tolist(), found_tp.tolist(), strict=True))
    assert found == sorted({(0, 0), *kept})


def test_precision_0_at_recall_0_says_that_false_positives_come_first():
    """Recall 1/2 with precision 1/3: 2 of 4 found, with 4 false positives, all of them before."""
    _, tp, fp = counts_of_pr([0.0, 0.5, 1.0], [0.0, 1 / 3, 0.4], 4, 6, None)
    assert list(zip(tp.tolist(), fp.tolist(), strict=True)) == [(0, 0), (0, 4), (2, 4), (4, 6)]
    _, tp, fp = counts_of_pr([0.0, 0.5, 1.0], [1.0, 1 / 3, 0.4], 4, 6, None)
    assert list(zip(tp.tolist(), fp.tolist(), strict=True)) == [(0, 0), (2, 4), (4, 6)]


def test_thresholds_stay_with_their_points():
    labels, tp, _ = counts_of_roc([0.0, 0.5], [0.5, 1.0], 2, 2, [0.9, 0.4])
    assert labels.tolist() == [np.inf, 0.9, 0.4, -np.inf]
    assert tp.tolist() == [0, 1, 2, 2]


def test_a_point_that_stands_twice_has_its_first_threshold():
    for points in ([0.5, 0.5], [0.0, 0.5, 0.5, 1.0]):
        marks = [0.9, 0.4] if len(points) == 2 else [np.inf, 0.9, 0.4, 0.1]
        labels, tp, fp = counts_of_roc(points, points, 2, 4, marks)
        assert labels.tolist() == [np.inf, 0.9, -np.inf if len(points) == 2 else 0.1]
        assert (tp.tolist(), fp.tolist()) == ([0, 1, 2], [0, 2, 4])


@pytest.mark.parametrize("rows", [1, 2])
def test_few_points(rows):
    labels, tp, fp = counts_of_roc([0.25, 1.0][:rows], [0.5, 1.0][:rows], 2, 4, None)
    assert (tp.tolist(), fp.tolist()) == ([0, 1, 2], [0, 1, 4])
    assert labels[0] == np.inf
    _, tp, fp = counts_of_pr([0.5, 1.0][:rows], [0.5, 1 / 3][:rows], 2, 4, None)
    assert (tp.tolist(), fp.tolist()) == ([0, 1, 2], [0, 1, 4])
    with pytest.raises(th.InvalidInputError, match="`fpr` must not be empty"):
        counts_of_roc([], [], 2, 4, None)
    with pytest.raises(th.InvalidInputError, match="`recall` must not be empty"):
        counts_of_pr([], [], 2, 4, None)


@pytest.mark.parametrize(
    ("recall", "precision", "message"),
    [
        ([0.5, 1.0], [0.0, 0.5], "`precision` must be above 0 where recall is"),
        ([0.5, 1.0], [0.01, 0.5], "No confusion matrix has recall 0.5 with precision 0.01"),
        ([0.0], [1.0], "`recall` must have a value above 0"),
        ([0.5, 1.0], [0.2, 0.9], "Points must be in order of the threshold"),
    ],
)
def test_impossible_points(recall, precision, message):
    with pytest.raises(th.InvalidInputError, match=message):
        counts_of_pr(recall, precision, 10, 100, None)


def test_published_curves_have_areas_that_say_what_is_not_known():
    """Two published points of 130 rows: the true area lies in a box around each straight piece."""
    curve = th.RocCurve.from_points([0.1, 0.3], [0.6, 0.9], n_pos=50, n_neg=80)
    area = curve.roc_auc()
    assert area.value == pytest.approx(0.5 * 0.1 * 0.6 + 0.2 * 0.75 + 0.7 * 0.95)
    # Half of every rectangle that two neighbouring points span.
    assert area.error_bound == pytest.approx(0.5 * (0.1 * 0.6 + 0.2 * 0.3 + 0.7 * 0.1))
    low, high = area.confidence_interval()
    assert low < area.value - area.error_bound < area.value + area.error_bound <= high
    pr = curve.to_pr().pr_auc()
    assert 0 < pr.value - pr.error_bound < pr.value < pr.value + pr.error_bound < 1


@given(data=labelled())
def test_areas_of_a_curve_are_those_of_its_scores(data):
    scores = th.Scores(*data)
    assert scores.roc().roc_auc().value == scores.roc_auc().value
    assert scores.pr().pr_auc().value == scores.pr_auc().value
    points = th.RocCurve.from_points(scores.roc().fpr, scores.roc().tpr, n_pos=scores.n_pos, n_neg=scores.n_neg)
    assert points.roc_auc().value == pytest.approx(scores.roc_auc().value)
    assert points.roc_auc().error_bound >= 0
