"""The prevalence of cases without labels: the likelihood by a grid, coverage, and when label shift fails."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

import thresher as th
from thresher._decide.prevalence_estimate import _likeliest


def draw(seed: int, share: float, n_pos: int = 200, n_neg: int = 200, m: int = 1000):
    rng = np.random.default_rng(seed)
    labelled = th.Scores.from_pos_neg(rng.normal(1.5, 1, n_pos), rng.normal(0, 1, n_neg))
    return labelled, rng.normal(size=m) + 1.5 * (rng.random(m) < share)


def test_the_likelihood_is_largest_there():
    pos, neg, seen = np.array([1, 5, 20]), np.array([30, 9, 2]), np.array([60, 25, 30])
    found, cells = _likeliest(pos, neg, seen)
    f1, f0 = (pos + 0.5) / (pos + 0.5).sum(), (neg + 0.5) / (neg + 0.5).sum()
    grid = np.linspace(0, 1, 100001)
    values = seen @ np.log(f0[:, None] + grid * (f1 - f0)[:, None])
    assert found == pytest.approx(grid[np.argmax(values)], abs=1e-5)
    assert cells.sum() == pytest.approx(1.0)
    assert _likeliest(pos, neg, np.array([90, 3, 0]))[0] == 0.0
    assert _likeliest(pos, neg, np.array([0, 3, 90]))[0] == 1.0


def test_the_threshold_formula():
    labelled, cases = draw(0, 0.3)
    found = th.estimate_prevalence(labelled, cases, method="threshold", threshold=0.75)
    point = labelled.roc().at(threshold=0.75)
    assert found.value == pytest.approx(((cases >= 0.75).mean() - point.fpr) / (point.tpr - point.fpr))
    as_table = th.Scores(np.arange(cases.size) % 2, cases)
    again = th.estimate_prevalence(labelled, as_table, method="threshold", threshold=0.75)
    assert again == found


def test_the_threshold_formula_by_hand():
    """TPR 4/5 of 20, FPR 1/10 of 50, 38 of 100 cases called: a share of 2/5 and the delta method's variance."""
    labelled = th.Scores.from_counts([1.0, 0.0], pos=[16, 4], neg=[5, 45])
    cases = np.repeat([1.0, 0.0], [38, 62])
    found = th.estimate_prevalence(labelled, cases, method="threshold", threshold=1.0, confidence_level=0.9)
    tpr, fpr, rate = Fraction(4, 5), Fraction(1, 10), Fraction(38, 100)
    share = (rate - fpr) / (tpr - fpr)
    assert share == Fraction(2, 5)
    spread = rate * (1 - rate) / 100 + share**2 * tpr * (1 - tpr) / 20 + (1 - share) ** 2 * fpr * (1 - fpr) / 50
    error = math.sqrt(spread) / float(tpr - fpr)
    assert found.value == pytest.approx(0.4, rel=1e-12)
    assert float(found.standard_error) == pytest.approx(error, rel=1e-12)
    reach = norm.isf(0.05) * error
    assert tuple(found) == pytest.approx((0.4 - reach, 0.4 + reach), rel=1e-12)


def test_ten_cells_are_the_default():
    labelled, cases = draw(4, 0.3, n_pos=60, n_neg=60, m=200)
    found = th.estimate_prevalence(labelled, cases, n_resamples=10, rng=0)
    assert found == th.estimate_prevalence(labelled, cases, cells=10, n_resamples=10, rng=0)
    assert found != th.estimate_prevalence(labelled, cases, cells=11, n_resamples=10, rng=0)


def test_repeatable_and_serves_the_curves():
    labelled, cases = draw(1, 0.1)
    found = th.estimate_prevalence(labelled, cases, n_resamples=100, rng=3)
    assert found == th.estimate_prevalence(labelled, cases, n_resamples=100, rng=3)
    assert labelled.pr(prevalence=found.value).prevalence == found.value
    assert found.shift_pvalue > 0.01


def test_other_scores_are_not_label_shift():
    labelled, _ = draw(2, 0.1)
    rng = np.random.default_rng(2)
    strange = np.concatenate((rng.normal(-3, 0.3, 500), rng.normal(4, 0.3, 500)))
    with pytest.warns(th.ThresherWarning, match="label shift is in doubt"):
        found = th.estimate_prevalence(labelled, strange, n_resamples=150, rng=0)
    assert found.shift_pvalue < 0.01


def test_messages():
    labelled, cases = draw(3, 0.1)
    with pytest.raises(th.InvalidInputError, match="`threshold` must be given with method='threshold'"):
        th.estimate_prevalence(labelled, cases, threshold=1.0)
    with pytest.raises(th.UndefinedMetricError, match="must call more of the positives"):
        th.estimate_prevalence(labelled, cases, method="threshold", threshold=99.0)
    with pytest.raises(th.InvalidInputError, match="`unlabelled` must not be empty"):
        th.estimate_prevalence(labelled, [])


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.02, 0.1])
def test_intervals_cover(share):
    """300 samples, 200 + 200 labelled and 1,000 cases: at least 0.95 less three standard errors."""
    hits = 0
    for seed in range(300):
        low, high = th.estimate_prevalence(*draw(seed, share), n_resamples=150, rng=seed)
        hits += low <= share <= high
    assert hits >= 300 * 0.95 - 3 * np.sqrt(300 * 0.95 * 0.05)


def test_weights_are_refused():
    plain = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])
    weighted = th.Scores([1, 0, 1, 0], [4, 3, 2, 1], sample_weight=[1, 2.5, 1, 1])
    with pytest.raises(th.InvalidInputError, match="`labelled` must have whole counts to be resampled; got weights"):
        th.estimate_prevalence(weighted, plain)
    with pytest.raises(th.InvalidInputError, match="`unlabelled` must have whole counts; got weights"):
        th.estimate_prevalence(plain, weighted)
