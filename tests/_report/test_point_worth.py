"""How many rows a unit of weight is worth: what the page computes intervals from."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._cells import proportion_bounds
from thresher._report.plain_data import Worth
from thresher._report.uncertainty import worth_of

rng = np.random.default_rng(0)
Y = rng.random(300) < 0.4
SCORE = np.round(rng.normal(size=300) + Y, 1)


def test_rows_that_count_alike_need_none():
    assert worth_of(th.Scores(Y, SCORE), [np.inf, 1.0, 0.0]) is None


def test_sums_of_weights_alone_say_that_nothing_is_known():
    table = th.Scores.from_pos_neg([1.0, 2.0], [0.5, 1.5], pos_weight=[0.7, 1.3], neg_weight=[0.4, 1.1])
    known = worth_of(table, [1.0])
    assert known is False or isinstance(known, Worth)


@pytest.mark.parametrize("rows", ["weighted", "clustered"])
@pytest.mark.parametrize("key", ["recall", "fpr", "precision", "npv", "alertRate"])
def test_worth_gives_the_intervals_of_the_library(rows, key):
    if rows == "weighted":
        table = th.Scores(Y, SCORE, sample_weight=rng.uniform(0.5, 2.0, size=Y.size))
    else:
        table = th.Scores(Y, SCORE, cluster=np.arange(Y.size) // 4)
    thresholds = [float(one) for one in table.thresholds[5::9]]
    worth = worth_of(table, thresholds)
    for place, at in enumerate(worth.at):
        estimate = table.measure({"alertRate": "alert_rate"}.get(key, key), threshold=thresholds[at])
        point = table.roc().at(threshold=thresholds[at])
        whole = {
            "recall": point.tp + point.fn,
            "fpr": point.fp + point.tn,
            "precision": point.tp + point.fp,
            "npv": point.tn + point.fn,
            "alertRate": point.tp + point.fp + point.fn + point.tn,
        }[key]
        size = worth.rows[key][place] * whole
        low, high = proportion_bounds(np.asarray(size * estimate.value), np.asarray(size), 0.95, "bayes")
        assert (float(low), float(high)) == pytest.approx(tuple(estimate.confidence_interval()), abs=1e-9)
