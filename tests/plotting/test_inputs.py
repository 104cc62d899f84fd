"""Curves of either kind into the one that is drawn, with areas by hand."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher.plotting._inputs import as_pr, as_roc, check_scores, pr_area, roc_area

SCORES = th.Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1])


def test_either_curve_into_the_other():
    assert as_roc(SCORES.roc()) == SCORES.roc()
    assert as_roc(SCORES.pr()) == SCORES.roc()
    assert as_pr(SCORES.roc()) == SCORES.pr()
    assert as_pr(SCORES.pr()) == SCORES.pr()
    assert as_pr(SCORES.pr(), prevalence=0.1).prevalence == 0.1
    # At threshold 3: three true positives of 3 and one false of 3.
    assert as_pr(SCORES.roc(), prevalence=0.1).at(threshold=3).precision == pytest.approx(0.1 / (0.1 + 0.9 / 3))


def test_areas_of_curves_without_scores():
    assert roc_area(SCORES.roc()) == pytest.approx(8 / 9)
    assert roc_area(SCORES.pr()) == pytest.approx(8 / 9)
    assert pr_area(SCORES.pr()) == SCORES.pr_auc().value
    assert pr_area(SCORES.pr(prevalence=0.05)) == pytest.approx(SCORES.pr_auc(prevalence=0.05).value)
    published = th.RocCurve.from_points([0.25], [0.5], n_pos=20, n_neg=20)
    assert roc_area(published) == pytest.approx(0.25 * 0.5 / 2 + 0.75 * (0.5 + 1) / 2)


def test_refusals():
    assert check_scores(SCORES) is SCORES
    with pytest.raises(th.InvalidTypeError, match=r"`scores` must be thresher\.Scores; got \[1, 0\] of type list"):
        check_scores([1, 0])
    for call in (as_roc, as_pr):
        with pytest.raises(th.InvalidTypeError, match="`curve` must be a RocCurve or a PrCurve; got"):
            call(np.zeros(3))
