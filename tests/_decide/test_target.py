"""What is asked of a threshold: what is refused, and what follows from it."""

from __future__ import annotations

from fractions import Fraction

import pytest

import thresher as th
from thresher._decide.target import Target

SCORES = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])


@pytest.mark.parametrize("prevalence", [0.0, 1.0, -0.1, 2, 30, float("nan")])
def test_a_prevalence_outside_0_and_1_is_refused(prevalence):
    with pytest.raises(th.InvalidInputError, match="`prevalence` must be"):
        Target("f_beta", prevalence=prevalence)
    with pytest.raises(th.InvalidInputError, match="`prevalence` must be"):
        SCORES.choose_threshold("f_beta", prevalence=prevalence)


@pytest.mark.parametrize(
    ("limits", "objective"),
    [
        ({}, "youden"),
        ({"min_recall": 0.5}, "precision"),
        ({"min_recall": 0.5, "max_fpr": 0.2}, "recall"),
        ({"max_alerts": 0}, "recall"),
        ({"min_precision": 0.0}, "recall"),
        ({"max_alert_rate": 0.1, "rule": "cost"}, "cost"),
    ],
)
def test_what_limits_imply(limits, objective):
    target = Target(**limits)
    assert target.objective == objective
    assert target.limits == {name: value for name, value in limits.items() if name != "rule"}


def test_a_false_positive_counts_as_the_wanted_odds_say():
    """30 positives and 70 negatives: at prevalence 1/10 the negatives weigh 9 times the positives, here 70/30 times."""
    assert Target(prevalence=0.1).skew(30, 70) == Fraction(9) * Fraction(30, 70)
    assert Target(prevalence=0.3).skew(30, 70) == 1
    assert Target().skew(30, 70) == 1


@pytest.mark.parametrize("costs", [{"fp_cost": 0, "fn_cost": 0}, {"fp_cost": -1}, {"fn_cost": float("inf")}])
def test_costs_that_say_nothing_are_refused(costs):
    with pytest.raises(th.InvalidInputError, match="`fp_cost` and `fn_cost` must be finite"):
        Target("cost", **costs)


@pytest.mark.parametrize("beta", [0, -1, float("nan"), float("inf")])
def test_a_beta_that_is_not_positive_is_refused(beta):
    with pytest.raises(th.InvalidInputError, match="`beta` must be positive and finite"):
        Target("f_beta", beta=beta)


def test_other_names_are_told_ours():
    with pytest.raises(th.InvalidInputError, match=r"got 'F1'\. Hint: it is called 'f_beta' here\."):
        Target(rule="F1")
    with pytest.raises(th.InvalidInputError, match=r"`max_fpr` and `min_specificity` must not both be given; got 0\.1"):
        th.Scores([1, 0], [1, 0]).choose_threshold(max_fpr=0.1, min_specificity=0.95)
