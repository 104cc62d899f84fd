"""The area under the PR curve as a measure: returned lists, small groups, normalised intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support import oracle
from support.strategies import labelled
from thresher.measures import PrAuc

AP = PrAuc("average_precision")


@given(data=labelled(values=st.integers(0, 9).map(float)), unseen=st.integers(0, 5))
def test_positives_that_were_not_returned_have_precision_0(data, unseen):
    scores = th.Scores(*data)
    want = float(oracle.average_precision(oracle.counts(*data))) * scores.n_pos / (scores.n_pos + unseen)
    assert AP.of_list(scores, unseen) == pytest.approx(want, rel=1e-12)


def test_a_list_without_negatives():
    assert AP.of_list(th.Scores([1, 1], [2, 1]), 2) == pytest.approx(0.5)
    with pytest.raises(th.InvalidInputError, match="only 'average_precision' has a value for returned lists"):
        PrAuc().of_list(th.Scores([1, 0], [2, 1]), 0)


def test_areas_of_groups_are_sums_over_positives():
    """Columns: rows, positives, negatives, twice U, average precision and interpolated area in positives."""
    sums = np.array([[7.0, 2, 5, 11, 1.5, 1.25], [9.0, 4, 5, 13, 3.0, 2.0]])
    assert AP.of_groups(sums).tolist() == [0.75, 0.75]
    assert PrAuc().of_groups(sums).tolist() == [0.625, 0.5]
    for other in (PrAuc("trapezoid"), PrAuc(prevalence=0.1), PrAuc(recall=(0.0, 0.5)), PrAuc(normalize=True)):
        assert other.of_groups(sums) is None


def test_a_normalised_interval_is_the_plain_one_on_its_scale():
    """Normalised is (area - least) / (1 - least): the ends move as the value does."""
    rng = np.random.default_rng(4)
    y = np.arange(200) % 4 == 0
    scores = th.Scores(y, rng.normal(size=200) + y)
    least = th.min_pr_auc(scores.prevalence)
    plain, scaled = scores.pr_auc(), scores.pr_auc(normalize=True)
    want = [(end - least) / (1 - least) for end in (plain.value, *plain.confidence_interval(0.9, method="logit"))]
    assert [scaled.value, *scaled.confidence_interval(0.9, method="logit")] == pytest.approx(want, rel=1e-9)
    assert scaled.standard_error() == pytest.approx(plain.standard_error() / (1 - least), rel=1e-9)


def test_variances_of_tables_are_squared_errors():
    rng = np.random.default_rng(2)
    pos, neg = rng.integers(0, 4, (5, 8)).astype(float), rng.integers(0, 5, (5, 8)).astype(float)
    pos[3], neg[4] = 0.0, 0.0
    pos[3, 2] = 1.0  # one positive, and no negative: neither has a variance
    for stratified, design in ((True, "fixed"), (False, "random")):
        found = PrAuc().variances(pos, neg, np.arange(8), stratified=stratified)
        for row in range(3):
            one = th.Scores.from_counts(np.arange(8, 0, -1), pos[row], neg[row])
            assert found[row] == pytest.approx(one.pr_auc().standard_error(design=design) ** 2, rel=1e-12)
        assert np.isnan(found[3:]).all()


def test_a_table_with_the_sums_of_all_scores_says_how_estimators_differ():
    rng = np.random.default_rng(3)
    y = rng.random(2000) < 0.2
    s = (rng.normal(size=2000) + y).round(1)
    full, small = th.Scores(y, s), th.scan(iter([(y, s)]), max_points=30)
    assert not small.complete
    areas = {name: full.pr_auc(estimator=name).value for name in ("interpolated", "average_precision")}
    for one, other in (("interpolated", "average_precision"), ("average_precision", "interpolated")):
        remarks = small.pr_auc(estimator=one).remarks()
        assert f"other estimators differ: {other} {areas[other] - areas[one]:+.2g}" in remarks
