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
