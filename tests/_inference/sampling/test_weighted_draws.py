"""Resampling a table of weights or clusters: the moments and, where they can be, the very draws of its rows."""

import numpy as np
import pytest

import thresher as th
from thresher._core.random_streams import stream_key
from thresher._inference.bootstrap import Resampling, bootstrap_table, draws_of
from thresher._inference.sampling.draws import WeightedDraws
from thresher._inference.sampling.units import ClusterDraws
from thresher.measures import as_measure

pytestmark = pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")


def sample(n=120, digits=8, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, (rng.normal(size=n) + y).round(digits), rng.uniform(0.5, 2.0, n)


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("digits", [8, 0])
def test_masses_have_the_moments_of_redrawn_rows(digits, stratified):
    y, s, w = sample(digits=digits)
    scores = th.Scores(y, s, sample_weight=w)
    draws = draws_of(scores, as_measure("brier"), stratified=stratified)
    assert isinstance(draws, WeightedDraws)
    pos, neg = draws.draw(stream_key(1), 0, 4000)
    for drawn, sums, squares in ((pos, scores.pos, scores._pos_squares), (neg, scores.neg, scores._neg_squares)):
        some = sums > 0
        mean, variance = drawn.mean(axis=0)[some], drawn.var(axis=0)[some]
        error = np.sqrt(squares[some] / 4000)
        assert (np.abs(mean - sums[some]) < 5 * error).all()
        if not stratified:
            assert variance == pytest.approx(squares[some], rel=0.25)
    observed = draws.observed()
    assert np.array_equal(observed[0][0], scores.pos)


@pytest.mark.parametrize("metric", ["roc_auc", "pr_auc", "average_precision"])
@pytest.mark.parametrize("digits", [8, 1])
def test_tables_and_rows_tell_the_same(metric, digits):
    y, s, w = sample(digits=digits)
    table = th.Scores(y, s, sample_weight=w)
    statistic = as_measure(metric)
    by_table = bootstrap_table(table, statistic, Resampling(3000, 1, stratified=False))
    by_row = th.bootstrap(y, s, metric=metric, sample_weight=w, stratified=False, n_resamples=3000, rng=2)
    assert by_table.value == pytest.approx(by_row.value, rel=1e-12)
    assert by_table.standard_error == pytest.approx(by_row.standard_error, rel=0.08)
    assert by_table.acceleration == pytest.approx(by_row.acceleration, abs=0.01)


def test_integers_and_their_scale_do_not_matter():
    """The same rows answered three ways once: as integers, as floats, and divided by 100."""
    rng = np.random.default_rng(3)
    y, s = rng.random(300) < 0.4, rng.integers(0, 7, 300)
    w = rng.integers(1, 6, 300)
    s = s + 2 * y
    found = [
        th.Scores(y, s, sample_weight=weight).roc_auc().standard_error(method="bootstrap", n_resamples=1500, rng=5)
        for weight in (w, w.astype(float), w / 64)
    ]
    assert found[1] == found[2]
    assert found[0] == pytest.approx(found[1], rel=1e-12)
    analytic = th.Scores(y, s, sample_weight=w).roc_auc().standard_error()
    assert found[0] == pytest.approx(analytic, rel=0.08)


def test_weights_within_a_class_leave_roc_replicates_alone():
    y, s, _ = sample(digits=1)
    balanced = th.Scores(y, s, sample_weight=np.where(y, 0.7, 1.3))
    a, b = (bootstrap_table(t, as_measure("roc_auc"), Resampling(200, 1)) for t in (balanced, th.Scores(y, s)))
    assert np.array_equal(a.replicates, b.replicates)
    assert a.confidence_interval() == b.confidence_interval()


def test_clusters_are_drawn_as_rows_with_clusters_are():
    y, s, w = sample(digits=1)
    group = np.arange(120) // 4
    for weight in (None, w):
        table = th.Scores(y, s, sample_weight=weight, cluster=group)
        assert isinstance(draws_of(table, as_measure("roc_auc"), stratified=True), ClusterDraws)
        by_table = bootstrap_table(table, as_measure("roc_auc"), Resampling(300, 4))
        by_row = th.bootstrap(y, s, sample_weight=weight, cluster=group, n_resamples=300, rng=4)
        assert by_table.replicates == pytest.approx(by_row.replicates, rel=1e-12)
        assert by_table.acceleration == pytest.approx(by_row.acceleration, rel=1e-9)


def test_clusters_of_one_class_keep_the_classes_apart():
    y = np.repeat([True, False], 30)
    s = np.random.default_rng(0).normal(size=60) + y
    table = th.Scores(y, s, cluster=np.arange(60) // 3)
    draws = draws_of(table, as_measure("pr_auc"), stratified=True)
    pos, neg = draws.draw(stream_key(0), 0, 50)
    assert (pos.sum(axis=1) == 30).all()
    assert (neg.sum(axis=1) == 30).all()


@pytest.mark.parametrize("stratified", [True, False])
def test_clusters_with_each_class_are_counted(stratified):
    # Cluster 0 holds both classes, 1 positives, 2 to 4 negatives.
    table = th.Scores([1, 0, 1, 0, 0, 0], [0.9, 0.1, 0.8, 0.3, 0.2, 0.7], cluster=[0, 0, 1, 2, 3, 4])
    assert draws_of(table, as_measure("roc_auc"), stratified=stratified).units == (2, 4)


def test_thresholds_of_weighted_rows():
    y, s, w = sample()
    found = th.Scores(y, s, sample_weight=w).threshold_interval("youden", n_resamples=50, rng=1)
    halved = th.Scores(y, s, sample_weight=w / 2).threshold_interval("youden", n_resamples=50, rng=1)
    assert np.array_equal(found.thresholds, halved.thresholds)
    clustered = th.Scores(y, s, cluster=np.arange(120) // 4).threshold_interval("youden", n_resamples=50, rng=1)
    assert clustered.low <= clustered.point.threshold <= clustered.high
