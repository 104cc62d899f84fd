"""Every estimator of the PR area: kernels against NumPy, parts against the whole, skews against repetition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from support.strategies import labelled
from thresher.measures._pr_estimators import (
    PR_ESTIMATORS,
    pr_auc_value,
    pr_auc_value_numpy,
    skew_of,
    tie_range,
    tie_range_numpy,
)

ties = labelled(values=st.integers(0, 9).map(float))


@pytest.mark.parametrize("estimator", PR_ESTIMATORS)
@pytest.mark.parametrize("prevalence", [None, 0.02])
@given(data=ties)
def test_kernels_and_numpy_agree(estimator, prevalence, data):
    scores = th.Scores(*data)
    found = pr_auc_value(scores, estimator, prevalence)
    assert found == pytest.approx(
        pr_auc_value_numpy(scores, estimator, skew_of(scores, prevalence), (0.0, 1.0)), rel=1e-12
    )


# Unit steps begin anew where a part begins.
@pytest.mark.parametrize("estimator", [name for name in PR_ESTIMATORS if name != "unit_steps"])
@given(data=ties, cut=st.floats(0.05, 0.95))
def test_parts_add_up(estimator, data, cut):
    scores = th.Scores(*data)
    parts = [pr_auc_value(scores, estimator, 0.1, span) for span in ((0.0, cut), (cut, 1.0))]
    assert sum(parts) == pytest.approx(pr_auc_value(scores, estimator, 0.1), rel=1e-9)


@given(data=ties)
def test_ties_lost_and_won_against_60_digits(data):
    points = oracle.counts(*data)
    scores = th.Scores(*data)
    want = [float(oracle.pr_integral(points, ties=side)) for side in ("after", "before")]
    assert tie_range(scores) == pytest.approx(want, rel=1e-12)
    assert tie_range_numpy(scores, 1.0, (0.0, 1.0)) == pytest.approx(want, rel=1e-12)
    assert pr_auc_value(scores, "functional") == pytest.approx(want[1], rel=1e-12)


@given(data=ties, times=st.integers(2, 4))
def test_a_prevalence_is_repeated_negatives(data, times):
    labels, values = data
    negatives = [v for y, v in zip(labels, values, strict=True) if not y]
    more = th.Scores(list(labels) + [0] * len(negatives) * (times - 1), list(values) + negatives * (times - 1))
    scores = th.Scores(labels, values)
    for estimator in PR_ESTIMATORS:
        assert pr_auc_value(scores, estimator, more.prevalence) == pytest.approx(
            pr_auc_value(more, estimator), rel=1e-9
        )
