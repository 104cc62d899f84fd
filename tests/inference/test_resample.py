import math

import numpy as np
import pytest

import thresher as th
from thresher._core import native
from thresher._core.threads import num_threads
from thresher.inference import _resample
from thresher.inference._bootstrap import bootstrap_counts
from thresher.inference._bootstrap_rows import bootstrap
from thresher.inference._resample import CountPlan, TableDraw
from thresher.inference._statistic import make_statistic
from thresher.inference._streams import stream_key

CASES, COLUMNS = [1, 2, 0, 3] * 10, [500_000, 0, 300_000, 10**9]


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("counts", [CASES, COLUMNS])
def test_draws_are_multinomial(counts, stratified):
    pos, neg = np.array(counts), np.array(counts[::-1]) // 2
    draw = TableDraw(pos, neg, stratified=stratified)
    assert draw.by_case is (counts is CASES)
    size = 3000
    tables = draw.draw(stream_key(11), 0, size)
    totals = [table.sum(axis=1) for table in tables]
    assert (totals[0] + totals[1] == pos.sum() + neg.sum()).all()
    if stratified:
        assert (totals[0] == pos.sum()).all()
    cells, counted = np.hstack(tables), np.concatenate((pos, neg))
    of = np.repeat([pos.sum(), neg.sum()], pos.size) if stratified else np.full(counted.size, counted.sum())
    mean = counted.astype(float)
    spread = np.sqrt(mean * (1 - counted / of))
    assert np.abs(cells.mean(axis=0) - mean).max() < 5 * spread.max() / math.sqrt(size)
    assert cells.var(axis=0) == pytest.approx(spread**2, rel=0.2)
    first, second = np.flatnonzero(pos)[:2]
    expected = -mean[first] * mean[second] / of[0]
    slack = 5 * spread[first] * spread[second] / math.sqrt(size)
    assert np.cov(cells[:, first], cells[:, second])[0, 1] == pytest.approx(expected, abs=slack)


def test_a_table_beyond_32_bits_is_drawn_by_column():
    draw = TableDraw(np.array([2**33, 5]), np.array([3, 2**34]), stratified=True)
    pos, neg = draw.draw(stream_key(0), 0, 3)
    assert (pos.sum(axis=1) == 2**33 + 5).all()
    assert (neg.sum(axis=1) == 2**34 + 3).all()


def test_drawing_by_case_or_by_column_is_one_law(monkeypatch):
    """Many cases at few scores switch to binomial draws; the distribution must not notice."""
    pos, neg = np.array([40, 60, 100, 30]), np.array([10, 50, 80, 90])
    by_case = bootstrap_counts(pos, neg, make_statistic("pr_auc"), n_resamples=6000, rng=1)
    monkeypatch.setattr(_resample, "_FEW_CASES", 0)
    monkeypatch.setattr(_resample, "_CASES_A_COLUMN", 1)
    by_column = bootstrap_counts(pos, neg, make_statistic("pr_auc"), n_resamples=6000, rng=1)
    y = np.repeat([1, 0], [230, 230])
    score = np.concatenate((np.repeat([4, 3, 2, 1], pos), np.repeat([4, 3, 2, 1], neg)))
    by_row = bootstrap(y, score, metric="pr_auc", groups=np.arange(460), n_resamples=6000, rng=2)
    levels = np.linspace(0.05, 0.95, 10)
    for other in (by_column, by_row):
        assert not np.array_equal(by_case.replicates, other.replicates)
        apart = np.quantile(by_case.replicates, levels) - np.quantile(other.replicates, levels)
        assert np.abs(apart).max() < 0.12 * by_case.standard_error


STATISTICS = [
    make_statistic("roc_auc"),
    make_statistic("partial_roc_auc", fpr=(0.1, 0.6)),
    make_statistic("partial_roc_auc", tpr=(0.29, 0.9), standardize=True),
    make_statistic("pr_auc"),
    make_statistic("pr_auc", prevalence=0.02, standardize=True),
    make_statistic("pr_auc", estimator="functional"),
    make_statistic("pr_auc", estimator="trapezoid"),
    make_statistic("pr_auc", recall=(0.2, 0.7)),
    make_statistic("average_precision", standardize=True),
    make_statistic("precision_at_recall", recall=0.3, prevalence=0.1),
]


def sample(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return th.Scores(y, (rng.normal(size=n) + y).round(1))


@pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")
@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("choice", range(len(STATISTICS)))
def test_numbers_are_the_same_with_and_without_the_kernels(monkeypatch, choice, stratified):
    """The tables that are drawn are equal bit by bit; sums of rounded numbers may differ in the last digits."""
    scores, statistic = sample(70), STATISTICS[choice]
    how = {"n_resamples": 40, "rng": 3, "stratified": stratified}
    with_kernels = bootstrap_counts(scores.pos, scores.neg, statistic, **how)
    plan = CountPlan(scores.pos, scores.neg, stratified=stratified, path_only=statistic.path_only)
    drawn = plan.draw(stream_key(3), 0, 40)
    assert with_kernels.replicates == pytest.approx(statistic.values(*drawn, plan.at), rel=1e-13)
    studentized = with_kernels.confidence_interval(method="studentized") if statistic.has_variance else None
    monkeypatch.setattr(native, "available", lambda: False)
    without = bootstrap_counts(scores.pos, scores.neg, statistic, **how)
    assert np.array_equal(plan.draw(stream_key(3), 0, 40), drawn)
    assert without.replicates == pytest.approx(with_kernels.replicates, rel=1e-13)
    if statistic.metric == "roc_auc":
        assert np.array_equal(without.replicates, with_kernels.replicates)
    if studentized is not None:
        assert tuple(without.confidence_interval(method="studentized")) == pytest.approx(tuple(studentized), rel=1e-9)


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("choice", range(len(STATISTICS)))
def test_threads_of_the_kernels_change_nothing(choice, stratified):
    scores, statistic = sample(5000), STATISTICS[choice]
    runs = []
    for threads, batch in ((1, None), (2, 7), (3, None)):
        with num_threads(threads):
            found = bootstrap_counts(
                scores.pos, scores.neg, statistic, n_resamples=60, rng=3, stratified=stratified, batch_size=batch
            )
        runs.append(found.replicates)
    assert np.array_equal(runs[0], runs[1])
    assert np.array_equal(runs[0], runs[2])


def test_memory_of_a_large_table_stays_small():
    """A replicate is a byte for each case; nothing is kept of it but what was asked for."""
    import tracemalloc

    y = np.arange(300_000) % 10 == 0
    scores = th.Scores(y, np.random.default_rng(0).normal(size=y.size) + y)
    pos, neg = scores.pos, scores.neg
    tracemalloc.start()
    bootstrap_counts(pos, neg, make_statistic("pr_auc", estimator="trapezoid"), n_resamples=6, rng=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 150e6
