"""The Bayesian bootstrap of clusters: limits against a loop over draws, and where it is the default."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th


def clustered(number: int, seed: int = 0, **more: object) -> th.Scores:
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(number), rng.integers(1, 9, number))
    y = rng.random(cluster.size) < 0.4
    return th.Scores(y, (rng.normal(size=cluster.size) + y).round(1), cluster=cluster, **more)


def test_limits_are_those_of_weighted_clusters():
    scores = clustered(15)
    members, rng = scores._clusters, np.random.default_rng(3)
    sides = [members.code[members.positive], members.code[~members.positive]]
    mean = [side.size / np.unique(side).size for side in sides]
    top, bottom = scores.thresholds[0] + 1.0, scores.thresholds[-1] - 1.0
    ends: list[list[float]] = [[], []]
    for _ in range(600):
        weight = rng.standard_exponential(members.size)[members.code]
        extra = [rng.standard_gamma(0.25) * one for one in mean]
        for out, (of_pos, of_neg) in zip(ends, ((bottom, top), (top, bottom)), strict=True):
            table = th.Scores.from_pos_neg(
                np.append(scores.thresholds[members.cell[members.positive]], of_pos),
                np.append(scores.thresholds[members.cell[~members.positive]], of_neg),
                pos_weight=np.append(weight[members.positive], extra[0]),
                neg_weight=np.append(weight[~members.positive], extra[1]),
            )
            out.append(table.pr_auc().value)
    low, high = scores.pr_auc().confidence_interval(0.8)
    assert low == pytest.approx(np.quantile(ends[0], 0.1), abs=0.04)
    assert high == pytest.approx(np.quantile(ends[1], 0.9), abs=0.04)


def test_it_is_the_default_of_precision_with_few_clusters():
    for number, method in ((49, "bayes"), (50, "logit")):
        assert clustered(number).pr_auc().confidence_interval().method == method
        assert clustered(number).pr_auc(prevalence=0.3).confidence_interval().method == method
        assert clustered(number).roc_auc().confidence_interval().method == "delong-logit"


def test_cells_of_long_tables_are_taken_together():
    """Of a thousand scores some cells hold several; limits hardly move, and the value is inside."""
    rng = np.random.default_rng(1)
    cluster = np.repeat(np.arange(30), 40)
    y = rng.random(1200) < 0.3
    score = rng.normal(size=1200) + y
    fine, coarse = (th.Scores(y, column, cluster=cluster).pr_auc() for column in (score, score.round(2)))
    for one, other in zip(fine.confidence_interval(), coarse.confidence_interval(), strict=True):
        assert one == pytest.approx(other, abs=0.01)
    assert fine.value in fine.confidence_interval()


def test_the_lower_limit_of_the_hull_is_that_of_the_curve():
    scores = clustered(20)
    hull, curve = scores.pr_auc(estimator="achievable").confidence_interval(), scores.pr_auc().confidence_interval()
    assert hull.low == curve.low
    assert hull.high > curve.high - 1e-12
