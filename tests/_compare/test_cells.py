"""Tests of metrics of the confusion matrix, row by row."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

import thresher as th

RNG = np.random.default_rng(11)
N = 240
Y = RNG.random(N) < 0.4
COMMON = RNG.normal(size=N)
MODELS = {
    name: (COMMON + 0.8 * RNG.normal(size=N) + shift * Y).round(1)
    for name, shift in (("a", 1.6), ("b", 1.1), ("c", 1.3))
}
CUT = 0.8
TWO = {name: MODELS[name] for name in "ab"}
WEIGHT = RNG.choice([0.5, 1.0, 2.0], N)
CLUSTER = np.arange(N) // 3


def table(positive, called):
    return [float((positive & called).sum()), float((~positive & called).sum()),
            float((positive & ~called).sum()), float((~positive & ~called).sum())]  # fmt: skip


def slopes(metric, cells):
    """Return the derivatives of a metric by the four cells, by differences of the measure itself."""

    def value(shifted):
        tp, fp, fn, tn = shifted
        scores = th.Scores.from_counts([1.0, 0.0], pos=[tp, fn], neg=[fp, tn])
        return th.measures.as_measure(metric, threshold=1.0).of(scores)

    out = []
    for place in range(4):
        up, down = list(cells), list(cells)
        up[place] += 1e-3
        down[place] -= 1e-3
        out.append((value(up) - value(down)) / 2e-3)
    return np.array(out)


def place_of(positive, called):
    """Return in which cell each row is: 0 to 3 for tp, fp, fn, tn."""
    return np.where(called, np.where(positive, 0, 1), np.where(positive, 2, 3))


@pytest.mark.parametrize(
    "given", [{}, {"sample_weight": WEIGHT}, {"cluster": CLUSTER}], ids=["rows", "weights", "clusters"]
)
@pytest.mark.parametrize("metric", ["accuracy", "f1", "mcc", "precision", "kappa"])
def test_the_score_test_is_that_of_the_rows(metric, given):
    """Each row adds the difference of the two slopes at its cells; under equality half of a swap of the models."""
    found = th.compare(Y, TWO, metric=metric, threshold=CUT, method="score", **given)
    weight = given.get("sample_weight", np.ones(N))
    called = [score >= CUT for score in TWO.values()]
    cells = [[float(weight[place_of(Y, one) == k].sum()) for k in range(4)] for one in called]
    g, h = (slopes(metric, one) for one in cells)
    middle = slopes(metric, np.mean(cells, axis=0))
    own = weight * (g[place_of(Y, called[0])] - h[place_of(Y, called[1])])
    pooled = weight * (middle[place_of(Y, called[0])] - middle[place_of(Y, called[1])])
    df = math.inf
    if "cluster" in given:
        own, pooled = (np.bincount(CLUSTER, part) for part in (own, pooled))
        df = own.size - 1
    variance = max((own**2).sum(), (pooled**2).sum())
    assert found.pairs[0].standard_error == pytest.approx(math.sqrt(variance), rel=1e-5)
    z = found.difference / math.sqrt(variance)
    assert found.statistic == pytest.approx(z, rel=1e-5)
    assert found.pvalue == pytest.approx(2 * stats.t(df).sf(abs(z)), rel=1e-4)
    reach = stats.t(df).isf(0.025) * math.sqrt(variance)
    assert (found.low, found.high) == pytest.approx((found.difference - reach, found.difference + reach), rel=1e-4)


@pytest.mark.parametrize(("metric", "side"), [("recall", True), ("fnr", True), ("fpr", False), ("specificity", False)])
def test_rates_within_a_class_have_mcnemars_test(metric, side):
    found = th.compare(Y, TWO, metric=metric, threshold=CUT)
    rows = Y if side else ~Y
    a, b = (score[rows] >= CUT for score in TWO.values())
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    assert only_a != only_b
    law = stats.binom(only_a + only_b, 0.5)
    least = min(only_a, only_b)
    assert found.method == "mcnemar"
    assert found.pvalue == pytest.approx(2 * law.cdf(least) - law.pmf(least), rel=1e-12)
    sign = 1 if metric in ("recall", "fpr") else -1
    total = int(rows.sum())
    assert found.difference == pytest.approx(sign * (only_a - only_b) / total, rel=1e-12)
    assert found.low < found.difference < found.high
    # The limits are those of the score test of a difference: none inside is rejected by it.
    assert (found.low <= 0.0 <= found.high) == (abs(only_a - only_b) <= 1.96 * math.sqrt(only_a + only_b))
    score = th.compare(Y, TWO, metric=metric, threshold=CUT, method="score")
    assert score.statistic == pytest.approx(sign * (only_a - only_b) / math.sqrt(only_a + only_b), rel=1e-9)


def test_a_score_at_the_threshold_is_predicted_positive():
    scores = {"a": np.where(Y, CUT, 0.0), "b": np.where(Y, np.nextafter(CUT, 0.0), 0.0)}
    found = th.compare(Y, scores, metric="recall", threshold=CUT)
    assert found.estimates.by_name == {"a": 1.0, "b": 0.0}


def test_weights_take_mcnemars_place():
    plain = th.compare(Y, TWO, metric="recall", threshold=CUT)
    for given in ({"sample_weight": WEIGHT}, {"cluster": CLUSTER}, {"alternative": "greater"}):
        assert th.compare(Y, TWO, metric="recall", threshold=CUT, **given).method == "score"
    assert plain.method == "mcnemar"


def test_three_models_have_pairs_and_an_omnibus():
    for metric in ("f1", "recall"):
        found = th.compare(Y, MODELS, metric=metric, threshold=CUT)
        assert [(pair.a, pair.b) for pair in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
        for pair in found.pairs:
            alone = th.compare(Y, {name: MODELS[name] for name in (pair.a, pair.b)}, metric=metric, threshold=CUT)
            assert (pair.difference, pair.pvalue) == pytest.approx((alone.difference, alone.pvalue), rel=1e-12)
        assert found.omnibus.df == 2
        assert min(pair.pvalue for pair in found.pairs) <= 3 * found.omnibus.pvalue + 0.2


@pytest.mark.filterwarnings("ignore:The samples have different proportions")
@pytest.mark.parametrize("metric", ["recall", "accuracy", "f1", "mcc"])
def test_independent_samples_join_their_intervals(metric):
    tables = [th.Scores(Y[rows], MODELS[name][rows]) for name, rows in (("a", slice(0, 150)), ("b", slice(150, N)))]
    found = th.compare_unpaired(*tables, metric=metric, threshold=CUT)
    estimates = [one.measure(metric, threshold=CUT) for one in tables]
    ends = [one.confidence_interval() for one in estimates]
    gap = estimates[0].value - estimates[1].value
    down = math.hypot(estimates[0].value - ends[0].low, ends[1].high - estimates[1].value)
    up = math.hypot(ends[0].high - estimates[0].value, estimates[1].value - ends[1].low)
    assert found.method == "score"
    assert (found.difference, found.low, found.high) == pytest.approx((gap, gap - down, gap + up), rel=1e-9)


@pytest.mark.parametrize("neg", [([3, 92], [2, 3]), ([0, 5], [30, 65]), ([20, 80], [9, 91])])
def test_two_proportions_have_the_pooled_test(neg):
    """The textbook's, however many rows of the other class each sample has."""
    tables = [
        th.Scores.from_counts([1.0, 0.0], pos=pos, neg=own) for pos, own in zip(([60, 35], [3, 2]), neg, strict=True)
    ]
    found = th.compare_unpaired(*tables, metric="fpr", threshold=0.5)
    hits, sizes = np.array([own[0] for own in neg]), np.array([sum(own) for own in neg])
    rates, rate = hits / sizes, hits.sum() / sizes.sum()
    own, pooled = (rates * (1 - rates) / sizes).sum(), (rate * (1 - rate) / sizes).sum()
    assert found.pairs[0].standard_error ** 2 == pytest.approx(max(own, pooled), rel=1e-9)
    assert found.statistic == pytest.approx((rates[0] - rates[1]) / math.sqrt(max(own, pooled)), rel=1e-9)


def test_samples_of_unlike_classes_are_rejected_at_the_level():
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(300):
        false = rng.binomial((5, 95), 0.3)
        tables = [
            th.Scores.from_counts([1.0, 0.0], pos=pos, neg=[x, n - x])
            for pos, x, n in zip(([60, 35], [3, 2]), false, (5, 95), strict=True)
        ]
        hits += th.compare_unpaired(*tables, metric="fpr", threshold=0.5).pvalue < 0.05
    assert hits <= 27  # 0.05 and four standard errors


def test_what_is_undefined_is_refused_or_said():
    with pytest.raises(th.UndefinedMetricError, match="'precision' must be defined for 'a' and 'b'; it is not for 'a'"):
        th.compare(Y, TWO, metric="precision", threshold=50.0)
    few = {"a": np.where(Y, 1.0, 0.0), "b": MODELS["b"]}
    with pytest.warns(th.ThresherWarning, match="'dor' is infinite for 'a' or 'b'"):
        found = th.compare(Y, few, metric="dor", threshold=CUT)
    assert math.isnan(found.pvalue)
    assert (found.low, found.high) == (-math.inf, math.inf)


def test_clusters_of_independent_samples():
    tables = [th.Scores(Y, MODELS[name], cluster=CLUSTER + shift) for name, shift in (("a", 0), ("b", 1000))]
    assert th.compare_unpaired(*tables, metric="f1", threshold=CUT).method == "normal"
    with pytest.raises(th.InvalidInputError, match="`method='score'` must have independent rows"):
        th.compare_unpaired(*tables, metric="f1", threshold=CUT, method="score")


@pytest.mark.parametrize("metric", ["recall", "f1", "accuracy"])
def test_equal_models_are_rejected_at_the_level(metric):
    """Exchangeable models on 60 rows, 200 times: at 5% the tests reject in no more than 8.5%."""
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(200):
        y = np.arange(60) < 25
        common = rng.normal(size=60)
        scores = {name: common + rng.normal(size=60) + y for name in "ab"}
        hits += th.compare(y, scores, metric=metric, threshold=0.7).pvalue < 0.05
    assert hits <= 17


def test_all_small_tables_have_a_test():
    """Two positives and two negatives for one model in every way: a p-value, or a refusal that says why."""
    y = np.array([True, True, False, False])
    for a, b in product(product((0.0, 1.0), repeat=4), [(1.0, 1.0, 0.0, 0.0), (0.0, 1.0, 1.0, 0.0), (0.0,) * 4]):
        for metric in ("recall", "accuracy", "precision"):
            try:
                found = th.compare(y, {"a": np.array(a), "b": np.array(b)}, metric=metric, threshold=0.5)
            except th.UndefinedMetricError:
                assert metric == "precision"
                assert 0.0 in (sum(a), sum(b))
                continue
            assert 0.0 <= found.pvalue <= 1.0
            assert found.low <= found.difference <= found.high
