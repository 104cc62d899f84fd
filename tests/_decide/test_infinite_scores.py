"""Scores of +inf and -inf are scores: what a point says of its rows is what its threshold predicts of them."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
import sys
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import thresher as th

INF = math.inf
LIMITS = [
    *({"maximize": metric} for metric in ("youden", "f1", "mcc", "g_mean", "recall", "precision")),
    {"minimize": "closest_corner"},
    {"maximize": "f_beta", "beta": 0.5},
    {"minimize": "cost", "cost_fp": 9.0},
    {"minimize": "cost", "cost_fn": 9.0},
    {"maximize": "youden", "max_alert_rate": 0.3},
    {"min_npv": 0.5},
    {"max_fpr": 0.0},
    {"max_fpr": 0.4},
    {"min_recall": 0.5},
    {"min_recall": 0.0},
    {"min_precision": 0.6},
    {"max_alert_rate": 0.0},
    {"max_alerts": 0},
    {"max_alerts": 2},
]
MIXED = [limit for limit in LIMITS if not {"maximize", "minimize", "min_npv"} & limit.keys()]


def tables():
    """Return small tables in which infinities of both signs stand in every way, alone and tied."""
    rng = np.random.default_rng(20)
    out = [([0, 1, 1, 0], [INF, 0.9, 0.8, 0.1]), ([0, 1], [INF, INF]), ([1, 0], [-INF, INF]), ([1, 0], [INF, -INF])]
    while len(out) < 60:
        size = int(rng.integers(2, 8))
        labels = rng.integers(0, 2, size)
        if 0 < labels.sum() < size:
            out.append((labels.tolist(), rng.choice([INF, INF, 2.0, 1.0, -INF], size).tolist()))
    return out


def cells(labels, predicted):
    """Return the counts of rows that are predicted positive, each to an extent."""
    tp = sum(part for label, part in zip(labels, predicted, strict=True) if label)
    return tp, sum(predicted) - tp


def expected(point, scores):
    """Return for each row the chance that the point's thresholds, compared by hand, predict it positive."""
    if point.mix is None:
        return [float(score >= point.threshold) for score in scores]
    high, low = point.mix.thresholds
    return [1.0 if s >= high else point.mix.probability if s >= low else 0.0 for s in scores]


def check(point, labels, scores):
    """Assert that a point's counts are those of its thresholds, by hand and by `predict`."""
    by_hand = expected(point, scores)
    assert cells(labels, by_hand) == pytest.approx((point.tp, point.fp))
    assert point.predicts_nothing == (not any(by_hand) and not point.threshold < INF)
    if point.mix is None:
        assert point.predict(scores).tolist() == [bool(one) for one in by_hand]
    else:
        drawn = np.mean([point.predict(scores, rng=seed) for seed in range(200)], axis=0)
        assert drawn == pytest.approx(by_hand, abs=0.25)
    assert th.results.from_json(point.to_json()) == point == pickle.loads(pickle.dumps(point))
    assert ("predicts nothing" in repr(point)) == point.predicts_nothing


@pytest.mark.parametrize("limits", LIMITS, ids=str)
def test_a_chosen_point_predicts_what_it_counts(limits):
    for labels, scores in tables():
        table = th.Scores(labels, scores)
        try:
            point = table.choose_threshold(**limits)
        except th.UndefinedMetricError:
            assert limits.keys() & {"min_precision", "min_npv"}
            continue
        check(point, labels, scores)
        assert point.fpr <= limits.get("max_fpr", 1.0)
        assert point.recall >= limits.get("min_recall", 0.0)
        assert point.alert_rate <= limits.get("max_alert_rate", 1.0)
        assert point.tp + point.fp <= limits.get("max_alerts", INF)


@pytest.mark.parametrize("limits", MIXED, ids=str)
def test_a_mixed_point_predicts_what_it_counts(limits):
    for labels, scores in tables()[:20]:
        try:
            point = th.Scores(labels, scores).choose_threshold(**limits, mix=True)
        except th.UndefinedMetricError:
            continue
        check(point, labels, scores)


@pytest.mark.parametrize("weighted", [False, True])
def test_points_of_curves_predict_what_they_count(weighted):
    for labels, scores in tables()[:25]:
        weight = None if not weighted else np.arange(1.0, len(labels) + 1)
        table = th.Scores(labels, scores, sample_weight=weight)
        for curve, value in product(
            (table.roc(), table.pr(), table.roc().hull(), table.achievable_pr(), table.roc().to_pr()),
            (0.0, 0.25, 0.5, 1.0),
        ):
            for point in (curve.at(fpr=value), curve.at(recall=value), curve.at(top=value)):
                parts = expected(point, scores)
                sums = [
                    sum(
                        (1 if weight is None else w) * p * (y == k)
                        for w, p, y in zip(labels if weight is None else weight, parts, labels, strict=True)
                    )
                    for k in (1, 0)
                ]
                assert sums == pytest.approx([point.tp, point.fp])


def test_the_threshold_inf_is_the_score_inf():
    table = th.Scores([0, 1, 1, 0], [INF, 0.9, 0.8, 0.1])
    for curve in (table.roc(), table.pr()):
        point = curve.at(threshold=INF)
        assert (point.tp, point.fp, point.predicts_nothing) == (0, 1, False)
        assert curve.thresholds.tolist() == [INF, INF, 0.9, 0.8, 0.1]
    assert table.measure("fpr", threshold=INF).value == 0.5
    assert th.Scores([0, 1], [0.1, 0.9]).roc().at(fpr=0.0).threshold == 0.9
    assert th.Scores([0, 1], [0.9, 0.1]).roc().at(fpr=0.0).threshold == INF


def test_a_mixture_with_the_empty_prediction_has_its_recall():
    mix = th.Scores([1, 0, 1, 0], [INF, 0.9, 0.8, 0.1]).roc().at(recall=0.25)
    assert math.isnan(mix.mix.high)
    assert (mix.mix.low, mix.mix.probability) == (INF, 0.5)
    assert (mix.tp, mix.fp) == (0.5, 0.0)


def test_evaluation_on_other_data_predicts_what_it_counts():
    cases = tables()
    for (labels, scores), (other_labels, other_scores) in zip(cases, cases[1:], strict=False):
        for limits in ({"max_fpr": 0.0}, {"min_recall": 0.9}, {"maximize": "youden"}):
            tuned = th.tune(th.Scores(labels, scores), **limits)
            test = th.Scores(other_labels, other_scores)
            found = tuned.evaluate(test, allow_same_data=True)
            assert cells(other_labels, expected(tuned.point, other_scores)) == (found.point.tp, found.point.fp)
            assert tuned.predict(other_scores).tolist() == found.point.predict(other_scores).tolist()
            assert (found.roc.tp[0], found.roc.fp[0], found.roc.thresholds[0]) == (0, 0, INF)
            for threshold, tp, fp in zip(found.roc.thresholds[1:], found.roc.tp[1:], found.roc.fp[1:], strict=True):
                assert cells(other_labels, [s >= threshold for s in other_scores]) == (tp, fp)
            empty = found.roc.at(top=0)
            assert not empty.predict(other_scores).any()


@pytest.mark.parametrize("weighted", [False, True])
def test_a_guaranteed_point_predicts_what_it_counts(weighted):
    rng = np.random.default_rng(3)
    labels = np.repeat([1, 0], 100)
    scores = np.where(rng.random(200) < 0.2, INF, rng.normal(labels))
    weight = rng.uniform(0.5, 2.0, 200) if weighted else None
    table = th.Scores(labels, scores, sample_weight=weight)
    with pytest.warns(th.ThresherWarning, match="Only the threshold that predicts nothing positive"):
        points = [table.choose_threshold(max_fpr=0.001, confidence=0.9)]
    assert points[0].predicts_nothing
    points += [table.choose_threshold(**limits, confidence=0.9) for limits in ({"max_fpr": 0.4}, {"min_recall": 0.6})]
    for point in points:
        predicted = point.predict(scores) * (1.0 if weight is None else weight)
        assert (predicted[:100].sum(), predicted[100:].sum()) == pytest.approx((point.tp, point.fp))


def test_compressed_tables_remember_that_inf_is_a_score():
    rng = np.random.default_rng(4)
    labels, scores = rng.integers(0, 2, 500), rng.normal(size=500)
    scores[:3], labels[:3] = INF, 0
    point = th.Scores(labels, scores).compress(20).choose_threshold(max_alerts=0)
    assert point.predicts_nothing
    assert not point.predict(scores).any()


def test_a_resample_that_predicts_nothing_has_a_threshold_above_every_score():
    table = th.Scores([0, 0, 0, 1, 1, 1], [INF, INF, 3, 2, 1, 0])
    found = table.threshold_interval(max_alert_rate=0.0, n_resamples=20, rng=1)
    assert (found.low, found.high) == (INF, INF)
    assert not np.isnan(found.thresholds).any()


def test_the_cost_curve_names_a_threshold_that_predicts_nothing():
    best = th.Scores([0, 1, 1, 0], [INF, 0.9, 0.8, 0.1]).cost_curve().best_threshold(0.0)
    assert not (np.array([INF, 0.9]) >= best).any()


def test_published_points_may_have_a_threshold_of_inf():
    curve = th.RocCurve.from_points([0.0, 0.5], [0.5, 1.0], n_pos=4, n_neg=4, thresholds=[INF, 0.5])
    assert curve.at(threshold=INF).tp == 2
    assert not curve.at(top=0).predict([INF]).any()
    assert math.isnan(curve.at(recall=0.25).mix.high)
    unknown = th.RocCurve.from_points([0.0, 0.5], [0.5, 1.0], n_pos=4, n_neg=4)
    for point in (unknown.at(recall=0.25), unknown.at(recall=0.75), unknown.at(recall=0.5)):
        with pytest.raises(th.InvalidInputError, match="without them"):
            point.predict([0.5])
    assert not unknown.at(top=0).predict([0.5]).any()


def test_the_command_says_that_nothing_is_predicted_positive(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,s\n0,inf\n1,.9\n1,.8\n0,.1\n")
    command = [sys.executable, "-m", "thresher", "threshold", str(path), "--max-fpr", "0", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures = {row["metric"]: row for row in json.loads(done.stdout)}
    assert figures["fpr"]["value"] == figures["fp"]["value"] == 0
    assert figures["fpr"]["threshold"] is None
    assert "no row" in done.stderr
    assert "predicted positive" in done.stderr


def test_counts_stay_exact():
    point = th.Scores([0, 1, 1, 0], [INF, INF, 0.8, -INF]).roc().at(fpr=0.25)
    assert (Fraction(point.tp), Fraction(point.fp)) == (Fraction(1, 2), Fraction(1, 2))
