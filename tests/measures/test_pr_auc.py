"""The area under the PR curve as a measure: normalised intervals, and remarks about estimators."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher.measures import PrAuc

AP = PrAuc("average_precision")


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


def test_a_table_with_the_sums_of_all_scores_says_how_estimators_differ():
    rng = np.random.default_rng(3)
    y = rng.random(2000) < 0.2
    s = (rng.normal(size=2000) + y).round(1)
    full, small = th.Scores(y, s), th.scan(iter([(y, s)]), max_points=30)
    assert not small._complete
    areas = {name: full.pr_auc(estimator=name).value for name in ("interpolated", "average_precision")}
    for one, other in (("interpolated", "average_precision"), ("average_precision", "interpolated")):
        remarks = small.pr_auc(estimator=one).remarks()
        assert f"other estimators differ: {other} {areas[other] - areas[one]:+.2g}" in remarks
