"""Floors of areas, against numerical integrals and the worst ranking itself."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import quad

import thresher as th
from thresher._curves.area_floors import least_pr_area, mcclish, min_average_precision, min_pr_auc, pr_lower_bound


@pytest.mark.parametrize("prevalence", [1e-6, 0.01, 0.3, 0.5, 0.51, 0.8, 0.999])
def test_the_floor_is_integrated(prevalence):
    def floor(x):
        return float(pr_lower_bound(x, prevalence))

    assert min_pr_auc(prevalence) == pytest.approx(quad(floor, 0, 1, epsabs=0, epsrel=1e-11)[0], rel=1e-9)
    for low, high in ((0.2, 0.7), (0.0, 0.4), (0.5, 1.0)):
        want = quad(floor, low, high, epsabs=0, epsrel=1e-11)[0]
        assert least_pr_area(prevalence, (low, high)) == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (3, 7), (20, 4)])
def test_the_worst_ranking_has_the_floor(n_pos, n_neg):
    worst = th.Scores([0] * n_neg + [1] * n_pos, range(n_pos + n_neg, 0, -1))
    share = n_pos / (n_pos + n_neg)
    assert worst.pr_auc().value == pytest.approx(min_pr_auc(share), rel=1e-12)
    assert worst.pr_auc(estimator="average_precision").value == pytest.approx(min_average_precision(n_pos, n_neg))
    for recall in (0.25, 0.5, 1.0):
        assert worst.pr().at(recall=recall).precision == pytest.approx(float(pr_lower_bound(recall, share)))


@pytest.mark.parametrize("span", [(Fraction(0), Fraction(1, 10)), (Fraction(1, 5), Fraction(3, 5)), (0, 1)])
def test_mcclish_is_one_half_for_chance_and_one_for_perfection(span):
    low, high = span
    assert mcclish(Fraction(high**2 - low**2) / 2, "fpr", span) == Fraction(1, 2)
    assert mcclish(high - low, "fpr", span) == 1
    # Over a range of the true positive rate the area is that of specificity: chance has 1 - tpr.
    assert mcclish((high - low) - Fraction(high**2 - low**2) / 2, "tpr", span) == Fraction(1, 2)
    assert mcclish(high - low, "tpr", span) == 1


def test_mcclish_of_a_table():
    rng = np.random.default_rng(1)
    y = np.arange(80) % 2
    scores = th.Scores(y, rng.normal(size=80) + y)
    for axis in ("fpr", "tpr"):
        plain = scores.partial_roc_auc(**{axis: (0.2, 0.7)}).value
        known = scores.partial_roc_auc(**{axis: (0.2, 0.7)}, standardize=True).value
        assert known == pytest.approx(mcclish(plain, axis, (0.2, 0.7)), rel=1e-12)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(70_000, 1), (70_000, 3000), (65_537, 10**7)])
def test_the_floor_of_many_positives_is_the_same_mean(n_pos, n_neg):
    """Beyond 2**16 positives the mean of i / (i + n) has a closed form; the sum itself tells."""
    rank = np.arange(1, n_pos + 1, dtype=np.longdouble)
    want = float((rank / (rank + n_neg)).sum() / n_pos)
    assert min_average_precision(n_pos, n_neg) == pytest.approx(want, rel=1e-12)


def test_without_negatives_the_floor_is_perfection():
    assert min_average_precision(3, 0) == min_average_precision(70_000, 0) == 1.0
