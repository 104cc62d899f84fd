"""Optimism of a threshold that is evaluated on the rows that chose it."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from scipy import stats

import thresher as th


def sample(seed, n=80, shift=1.2, **columns):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < n // 2
    return th.Scores(y, rng.normal(size=n) + shift * y, **columns)


def truth(metric, threshold, prevalence=0.5, shift=1.2):
    rates = stats.norm.sf(threshold - shift), stats.norm.sf(threshold)
    cells = (prevalence * rates[0], (1 - prevalence) * rates[1])
    table = (*cells, prevalence - cells[0], 1 - prevalence - cells[1])
    return {
        "youden": rates[0] - rates[1],
        "f1": 2 * table[0] / (2 * table[0] + table[1] + table[2]),
        "cost": table[1] + 5 * table[2],
        "recall": rates[0],
    }[metric]


@pytest.mark.parametrize(
    ("metric", "asked"),
    [
        ("youden", {"maximize": "youden"}),
        ("f1", {"maximize": "f1"}),
        ("cost", {"minimize": "cost", "cost_fn": 5}),
        ("recall", {"max_fpr": 0.2}),
    ],
)
def test_what_is_left_is_what_the_threshold_does(metric, asked):
    """The mean error of the apparent value is several times that of the corrected one, which the intervals cover."""
    apparent, corrected, covered = [], [], []
    for seed in range(60):
        found = sample(seed).choose_threshold(**asked)
        out = found.optimism(n_resamples=50, rng=seed)
        real = truth(metric, found.threshold)
        apparent.append(out.apparent - real)
        corrected.append(out.value - real)
        covered.append(out.low <= real <= out.high)
        assert out.value == pytest.approx(
            np.clip(out.apparent - out.optimism, *((0, 5) if metric == "cost" else (-1, 1)))
        )
        assert out.low <= out.value <= out.high
    worse = 1 if metric == "cost" else -1
    assert np.mean(apparent) * worse < -0.01
    assert abs(np.mean(corrected)) < 0.5 * abs(np.mean(apparent))
    assert np.mean(covered) >= 0.9


def test_the_apparent_value_is_the_metric_of_the_point():
    scores = sample(3)
    for metric in ("mcc", "f1", "g_mean"):
        point = scores.choose_threshold(metric, min_recall=0.4)
        found = point.optimism(n_resamples=20, rng=0)
        estimate = scores.measure(metric, threshold=point.threshold)
        assert found.apparent == pytest.approx(estimate.value, rel=1e-12)
        assert found.high - found.low == pytest.approx(estimate.confidence_interval().width, rel=0.2)
        assert found.metric == f"highest {metric} with recall >= 0.4"
        assert point.optimism(n_resamples=20, rng=0) == found
        assert point.optimism(confidence_level=0.5, n_resamples=20, rng=0).high < found.high


def test_constraints_are_kept_on_each_resample():
    scores = sample(5, n=40)
    plain, kept = (
        scores.choose_threshold("precision", **limits).optimism(n_resamples=100, rng=1)
        for limits in ({"min_recall": 0.05}, {"min_recall": 0.95})
    )
    assert plain.optimism != kept.optimism
    assert kept.metric == "highest precision with recall >= 0.95"


def test_larger_data_have_less_optimism():
    sizes = [
        np.mean([sample(s, n=n).choose_threshold("mcc").optimism(n_resamples=40, rng=s).optimism for s in range(8)])
        for n in (40, 640)
    ]
    assert sizes[0] > 2.5 * sizes[1] > 0


def test_clusters_and_weights_are_drawn_as_they_were_sampled():
    """Copies of a row in its cluster, or equal weights, say as much as the row; copies on their own pass for rows."""
    rng = np.random.default_rng(7)
    y = np.arange(80) < 40
    score, copies = rng.normal(size=80) + 1.2 * y, np.repeat(np.arange(80), 4)

    def optimism(rows, **columns):
        point = th.Scores(y[rows], score[rows], **columns).choose_threshold("mcc")
        return point.optimism(n_resamples=600, rng=2).optimism

    plain = optimism(np.arange(80))
    assert optimism(copies, cluster=copies) == pytest.approx(plain, rel=0.25)
    assert optimism(np.arange(80), sample_weight=np.full(80, 2.5)) == pytest.approx(plain, rel=0.25)
    assert optimism(copies) < 0.7 * plain


def test_a_prevalence_is_kept():
    point = sample(4).choose_threshold("f1", prevalence=0.05)
    found = point.optimism(n_resamples=30, rng=0)
    assert found.apparent == pytest.approx(
        sample(4).measure("f1", threshold=point.threshold, prevalence=0.05).value, rel=1e-12
    )
    assert found.metric == "highest f1 at prevalence 0.05"


def test_a_function_can_be_corrected():
    def jaccard(tp, fp, fn, tn):
        return tp / (tp + fp + fn)

    own, named = (sample(2).choose_threshold(metric).optimism(n_resamples=30, rng=0) for metric in (jaccard, "jaccard"))
    assert own.optimism == pytest.approx(named.optimism)
    assert own.value == pytest.approx(named.value)
    assert own.metric == "highest jaccard"


def test_results_travel():
    point = sample(1).choose_threshold("mcc")
    found = point.optimism(n_resamples=20, rng=0)
    assert pickle.loads(pickle.dumps(point)).optimism(n_resamples=20, rng=0) == found
    assert th.results.from_json(found.to_json()) == found == pickle.loads(pickle.dumps(found))
    assert float(found) == found.value
    assert repr(found).startswith(f"highest mcc: {found.value:.2f} corrected, 95% interval")
    assert repr(found).endswith(f"(optimism {found.optimism:.2g})")


@pytest.mark.parametrize(
    "point",
    [
        sample(0).roc().at(fpr=0.1),
        sample(0).choose_threshold(min_recall=0.9, mix=True),
        sample(0).choose_threshold(max_fpr=0.3, confidence=0.9),
        th.results.from_json(sample(0).choose_threshold("mcc").to_json()),
    ],
    ids=["curve", "mixed", "guaranteed", "read"],
)
def test_other_points_have_none(point):
    with pytest.raises(th.InvalidInputError, match="`choose_threshold` returned without `mix` and `confidence`"):
        point.optimism()


def test_a_point_that_predicts_nothing():
    empty = th.Scores([0, 1, 0], [math.inf, 2, 1]).choose_threshold(max_alerts=0)
    assert empty.predicts_nothing
    with pytest.raises(th.UndefinedMetricError, match="predicts nothing positive has no metric to correct"):
        empty.optimism()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"maximize": "mcc", "min_recall": 0.8}, "highest mcc with recall >= 0.8"),
        ({"minimize": "cost", "cost_fn": 5}, "lowest cost (cost_fn 5)"),
        ({"max_fpr": 0.2, "mix": True}, "highest recall with fpr <= 0.2"),
        ({"min_recall": 0.8, "confidence": 0.9}, "highest precision with recall >= 0.8"),
    ],
)
def test_a_chosen_point_says_what_it_was_chosen_for(asked, said):
    point = sample(3).choose_threshold(**asked)
    assert repr(point).endswith(f", chosen on these rows for {said})")
    if "mix" in asked or "confidence" in asked:
        with pytest.raises(th.InvalidInputError, match="without `mix` and `confidence`"):
            point.optimism()
    assert "chosen" not in repr(sample(3).roc().at(threshold=0.5))
