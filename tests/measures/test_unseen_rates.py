"""What a sample cannot show at a lower prevalence is said, with the number of negatives that would."""

import warnings

import numpy as np
import pytest
from scipy.optimize import brentq

import thresher as th
from thresher.measures._pr_estimators import negatives_needed


def normal_scores(n_pos, n_neg, seed=0, shift=2.5):
    rng = np.random.default_rng(seed)
    return th.Scores.from_pos_neg(rng.normal(shift, 1, n_pos), rng.normal(0, 1, n_neg))


def test_warns_with_the_number_of_negatives():
    area = normal_scores(100, 100).pr_auc(prevalence=0.01)
    with pytest.warns(
        th.ThresherWarning, match=r"100 negatives cannot show: .* about [\d,]+ negatives would settle it"
    ):
        area.confidence_interval()
    assert "at prevalence 0.01" in area.remarks()[0]


def test_that_many_negatives_are_enough():
    few = normal_scores(200, 200)
    needed = negatives_needed(few, 0.02)
    assert needed > 400
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # As many more of the same law: ranked alike up to chance, so with some to spare.
        normal_scores(200, int(1.5 * needed)).pr_auc(prevalence=0.02).confidence_interval()


@pytest.mark.parametrize("prevalence", [None, 0.3, 0.9])
def test_nothing_is_said_where_prevalence_does_not_fall(prevalence):
    scores = normal_scores(20, 60)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        area = scores.pr_auc(prevalence=prevalence)
        area.confidence_interval()
    assert not any("negatives cannot show" in line for line in area.remarks())


def test_needed_grows_with_the_odds():
    perfect = th.Scores([1] * 50 + [0] * 50, np.arange(100)[::-1])
    needed = [negatives_needed(perfect, prevalence) for prevalence in (0.5, 0.1, 0.01, 0.001)]
    # One in n of the negatives above all: the loss is (odds / n) log(1 + n / odds), so n follows the odds.
    odds = np.array([1, 9, 99, 999])
    for n, ratio in zip(needed, odds, strict=True):
        share = ratio / (n - 1)
        assert share * np.log1p(1 / share) == pytest.approx(0.1, rel=0.08)


@pytest.mark.parametrize("prevalence", [0.3, 0.5, 0.7])
def test_few_negatives_are_enough_where_they_are_few(prevalence):
    """Perfectly ranked, with one in n negatives on top: the loss is k log(1 + 1 / k) with k = odds / n."""
    odds = (1 - prevalence) / prevalence
    least = brentq(lambda n: odds / n * np.log1p(n / odds) - 0.1, 2, 1000)
    perfect = th.Scores([1] * 50 + [0] * 50, np.arange(100)[::-1])
    # Searched for to one per cent, and rounded up.
    assert least <= negatives_needed(perfect, prevalence) <= 1.01 * least + 1


def test_the_interval_reaches_far_below_the_estimate():
    scores = normal_scores(100, 100, shift=3)
    area = scores.pr_auc(prevalence=0.01)
    with pytest.warns(th.ThresherWarning, match="cannot show"):
        assert area.confidence_interval().low < 0.5 * area.value
