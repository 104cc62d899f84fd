"""Metrics of the confusion matrix at a threshold, counted row by row."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from support.strategies import labelled
from thresher.measures import Confusion


@pytest.mark.parametrize("prevalence", [None, 0.03, 0.6])
@given(data=labelled(values=st.integers(0, 9).map(float)), threshold=st.sampled_from([-1, 0, 2, 3.5, 7, 9, 12]))
def test_every_rate_by_counting_rows(prevalence, data, threshold):
    labels, values = data
    called = [value >= threshold for value in values]
    n_pos = sum(labels)
    n_neg = len(labels) - n_pos
    tpr = sum(bool(y) and c for y, c in zip(labels, called, strict=True)) / n_pos
    fpr = sum(not y and c for y, c in zip(labels, called, strict=True)) / n_neg
    share = n_pos / len(labels) if prevalence is None else prevalence
    alerts = share * tpr + (1 - share) * fpr
    rest = share * (1 - tpr) + (1 - share) * (1 - fpr)
    want = {
        "recall": tpr,
        "fpr": fpr,
        "specificity": 1 - fpr,
        "precision": share * tpr / alerts if any(called) else math.nan,
        "npv": (1 - share) * (1 - fpr) / rest if not all(called) else math.nan,
        "accuracy": share * tpr + (1 - share) * (1 - fpr),
        "alert_rate": alerts,
    }
    scores = th.Scores(labels, values)
    for name, value in want.items():
        if math.isnan(value):  # what such a share is called is decided elsewhere
            continue
        assert Confusion(name, threshold, prevalence).of(scores) == pytest.approx(value, abs=1e-12), name


def test_the_interval_is_that_of_a_binomial_share():
    scores = th.Scores.from_counts([2, 1], pos=[30, 10], neg=[5, 55])
    for name, seen, n in (("recall", 30, 40), ("fpr", 5, 60), ("precision", 30, 35), ("npv", 55, 65)):
        found = scores.measure(name, threshold=2).confidence_interval(0.9, method="clopper-pearson")
        want = stats.binomtest(seen, n).proportion_ci(0.9, method="exact")
        assert tuple(found) == pytest.approx((want.low, want.high))


@pytest.mark.parametrize("threshold", [True, "high", float("nan")])
def test_a_threshold_is_a_number(threshold):
    with pytest.raises(th.InvalidInputError, match="`threshold` must be a number"):
        Confusion("recall", threshold)


def test_which_rates_depend_on_the_class_balance():
    """Those that change when negatives are repeated."""
    scores = th.Scores.from_counts([3, 2, 1], pos=[5, 3, 2], neg=[1, 4, 9])
    more = th.Scores.from_counts([3, 2, 1], pos=[5, 3, 2], neg=[3, 12, 27])
    for name in ("recall", "fpr", "specificity", "precision", "npv", "accuracy", "alert_rate"):
        free, held = Confusion(name, 2), Confusion(name, 2, 0.3)
        assert free.needs_balance == (abs(free.of(scores) - free.of(more)) > 1e-9), name
        assert not held.needs_balance
        assert held.of(scores) == pytest.approx(held.of(more))


def test_a_missing_class_is_said_of_the_metric():
    with pytest.raises(th.UndefinedMetricError, match="Recall needs a positive; got none"):
        th.Scores.from_counts([1, 0], [0, 0], [3, 4]).measure("recall", threshold=0.5)


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("roc_auc_score", "roc_auc"),
        ("average_precision_score", "average_precision"),
        ("aucpr", "pr_auc"),
        ("mxe", "log_loss"),
        ("mn_log_loss", "log_loss"),
        ("brier_class", "brier"),
    ],
)
def test_names_of_peers_for_measures_of_the_whole_table(name, own):
    assert th.measures.as_measure(name) == th.measures.as_measure(own)
