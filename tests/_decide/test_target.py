"""What is asked of a threshold: what is refused, and what follows from it."""

from __future__ import annotations

from fractions import Fraction

import pytest

import thresher as th
from thresher._decide.target import target_of

SCORES = th.Scores([1, 0, 1, 0], [4, 3, 2, 1])


@pytest.mark.parametrize("prevalence", [0.0, 1.0, -0.1, 2, 30, float("nan")])
def test_a_prevalence_outside_0_and_1_is_refused(prevalence):
    with pytest.raises(th.InvalidInputError, match="`prevalence` must be"):
        target_of("f_beta", prevalence=prevalence)
    with pytest.raises(th.InvalidInputError, match="`prevalence` must be"):
        SCORES.choose_threshold("f_beta", prevalence=prevalence)


@pytest.mark.parametrize(
    ("given", "objective"),
    [
        ({}, "youden"),
        ({"min_recall": 0.5}, "precision"),
        ({"min_sensitivity": 0.5}, "precision"),
        ({"max_fnr": 0.5}, "precision"),
        ({"min_recall": 0.5, "max_fpr": 0.2}, "recall"),
        ({"max_alerts": 0}, "recall"),
        ({"min_precision": 0.0}, "recall"),
        ({"min_mcc": 0.1}, "recall"),
        ({"max_alert_rate": 0.1, "minimize": "cost"}, "cost"),
    ],
)
def test_what_constraints_imply(given, objective):
    target = target_of(**given)
    assert target.objective == objective
    assert target.named == ("minimize" in given)
    assert target.usual == ("minimize" not in given)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"min_specificity": 0.9}, {"max_fpr": 0.1}),
        ({"max_fdr": 0.1}, {"min_precision": 0.9}),
        ({"max_fnr": 0.2}, {"min_recall": 0.8}),
        ({"min_ppv": 0.3, "max_tpr": 0.9}, {"min_precision": 0.3, "max_recall": 0.9}),
        ({"max_specificity": 0.9}, {"max_specificity": 0.9}),
        ({"max_alerts": 7}, {"max_alerts": 7.0}),
    ],
)
def test_a_constraint_has_one_name(given, kept):
    """As written: one minus 0.9 is a tenth."""
    assert target_of(**given).limits == kept


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "highest youden"),
        ({"maximize": "F1", "min_recall": 0.9}, "highest f1 with recall >= 0.9"),
        ({"maximize": "f_beta", "beta": 2}, "highest f2"),
        ({"minimize": "cost", "cost_fn": 5, "prevalence": 0.1}, "lowest cost (cost_fn 5) at prevalence 0.1"),
        ({"max_alerts": 30, "min_npv": 0.9}, "highest recall with alerts <= 30 and npv >= 0.9"),
    ],
)
def test_in_words(given, words):
    assert target_of(**given).described() == words


def test_a_false_positive_counts_as_the_wanted_odds_say():
    """30 positives and 70 negatives: at prevalence 1/10 the negatives weigh 9 times the positives, here 70/30 times."""
    assert target_of(prevalence=0.1).skew(30, 70) == Fraction(9) * Fraction(30, 70)
    assert target_of(prevalence=0.3).skew(30, 70) == 1
    assert target_of().skew(30, 70) == 1


@pytest.mark.parametrize("costs", [{"cost_fp": 0, "cost_fn": 0}, {"cost_fp": -1}, {"cost_fn": float("inf")}])
def test_costs_that_say_nothing_are_refused(costs):
    with pytest.raises(th.InvalidInputError, match="`cost_f"):
        target_of(minimize="cost", **costs)


@pytest.mark.parametrize("beta", [0, -1, float("nan"), float("inf")])
def test_a_beta_that_is_not_positive_is_refused(beta):
    with pytest.raises(th.InvalidInputError, match="`beta` must be between 1e-06 and"):
        target_of("f_beta", beta=beta)


def test_a_function_of_the_cells_is_a_metric():
    def found_less_missed(tp, fp, fn, tn):
        return tp - 2 * fn

    target = target_of(found_less_missed)
    assert target.objective == "found_less_missed"
    assert SCORES.choose_threshold(found_less_missed, max_fpr=0.5).threshold == 2.0
