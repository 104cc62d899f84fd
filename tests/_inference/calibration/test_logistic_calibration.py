"""Calibration intercept and slope against reference values."""

from __future__ import annotations

import pytest

import thresher as th
from support.calibration import NAMES, REFERENCE, scores_of


@pytest.mark.parametrize("name", [n for n in NAMES if REFERENCE[n].get("cox") and REFERENCE[n]["cox"].get("slope")])
def test_intercept_and_slope(name):
    reference = REFERENCE[name]["cox"]
    fit = scores_of(name).calibration().logistic()
    assert fit.intercept == pytest.approx(float(reference["intercept_only"]), rel=1e-11, abs=1e-15)
    assert fit.slope == pytest.approx(float(reference["slope"]), rel=1e-11)
    assert fit.slope_intercept == pytest.approx(float(reference["intercept"]), rel=1e-11, abs=1e-15)
    assert fit.statistic == pytest.approx(float(reference["lr_statistic_2df"]), rel=1e-11)
    assert fit.pvalue == pytest.approx(float(reference["lr_pvalue"]), rel=1e-11)
    wald = scores_of(name).calibration().logistic(method="wald").slope_interval
    assert (wald.high - wald.low) / 2 / 1.959963984540054 == pytest.approx(float(reference["slope_se"]), rel=1e-11)
    low, high = fit.slope_interval
    assert low < fit.slope < high


def test_one_score_has_no_slope():
    fit = th.Scores([0, 1, 1], [0.5, 0.5, 0.5]).calibration().logistic()
    assert fit.intercept == pytest.approx(0.6931471805599453)
    assert fit.slope is fit.slope_interval is fit.statistic is None


def test_scores_without_a_logit_are_moved_where_that_is_asked_for():
    table = th.Scores([0, 1, 0, 1, 1], [0.0, 0.25, 0.5, 0.75, 1.0]).calibration()
    with pytest.raises(th.InvalidInputError, match="strictly between 0 and 1"):
        table.logistic()
    moved = th.Scores([0, 1, 0, 1, 1], [0.01, 0.25, 0.5, 0.75, 0.99]).calibration()
    assert table.logistic(clip=0.01).slope == pytest.approx(moved.logistic().slope)
