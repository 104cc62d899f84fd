"""Areas of the table, and the reasons given for differences."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._report.area_table import AREA_LABELS, areas_of, why_different

TIED = th.Scores.from_counts([1.0, 0.0], pos=[5, 5], neg=[0, 990])


def test_every_area_is_the_librarys():
    scores = th.Scores([1, 1, 0, 1, 0, 0, 0, 1], [0.9, 0.8, 0.7, 0.6, 0.6, 0.3, 0.2, 0.1])
    areas = areas_of(scores, lambda estimate: None)
    assert list(areas) == list(AREA_LABELS)
    assert areas["roc_auc"].value == scores.roc_auc().value
    assert areas["partial_roc_auc"].value == scores.partial_roc_auc(fpr=(0, 0.1), standardize=True).value
    for key in ("interpolated", "average_precision", "trapezoid", "functional", "achievable"):
        assert areas[key].value == scores.pr_auc(estimator=key).value
    assert areas["trapezoid"].difference == pytest.approx(
        scores.pr_auc(estimator="trapezoid").value - scores.pr_auc().value
    )
    assert areas["roc_auc"].difference is None


def test_intervals_are_taken_as_they_come():
    areas = areas_of(TIED, lambda estimate: (0.25, 0.75, "somehow") if estimate.metric == "roc_auc" else None)
    assert (areas["roc_auc"].low, areas["roc_auc"].high, areas["roc_auc"].method) == (0.25, 0.75, "somehow")
    assert areas["interpolated"].low is None


@pytest.mark.parametrize("estimator", ["average_precision", "trapezoid", "functional"])
def test_one_group_of_ties_is_named_as_the_reason(estimator):
    difference = TIED.pr_auc(estimator=estimator).value - TIED.pr_auc().value
    assert (
        why_different(TIED, estimator, difference) == "100% of it at score 0, which 5 positives and 990 negatives share"
    )


def test_equal_areas_need_no_reason():
    clean = th.Scores([0, 0, 1, 1], [1, 2, 3, 4])
    assert why_different(clean, "average_precision", 0.0) == ""


def test_many_small_steps_are_said_to_be_many():
    rng = np.random.default_rng(0)
    y = rng.random(5000) < 0.1
    scores = th.Scores(y, np.round(rng.normal(size=5000) + y, 1))
    difference = scores.pr_auc(estimator="average_precision").value - scores.pr_auc().value
    assert abs(difference) > 0.005
    assert why_different(scores, "average_precision", difference) == "spread over many small steps"
