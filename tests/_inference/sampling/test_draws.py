"""Replicates of tables of counts: the same with and without the kernels, and in little memory."""

import numpy as np
import pytest

import thresher as th
from thresher._core import native
from thresher._core.random_streams import stream_key
from thresher._core.threads import num_threads
from thresher._inference.bootstrap import Resampling, bootstrap_table, draws_of
from thresher._inference.sampling import CountDraws
from thresher.measures import as_measure

MEASURES = [
    as_measure("roc_auc"),
    as_measure("partial_roc_auc", fpr=(0.1, 0.6)),
    as_measure("partial_roc_auc", tpr=(0.29, 0.9), standardize=True),
    as_measure("pr_auc"),
    as_measure("pr_auc", prevalence=0.02, standardize=True),
    as_measure("pr_auc", estimator="functional"),
    as_measure("pr_auc", estimator="trapezoid"),
    as_measure("pr_auc", recall=(0.2, 0.7)),
    as_measure("average_precision", standardize=True),
    as_measure("precision_at_recall", recall=0.3, prevalence=0.1),
]


def sample(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return th.Scores(y, (rng.normal(size=n) + y).round(1))


@pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")
@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("choice", range(len(MEASURES)))
def test_numbers_are_the_same_with_and_without_the_kernels(monkeypatch, choice, stratified):
    """The tables that are drawn are equal bit by bit; sums of rounded numbers may differ in the last digits."""
    scores, measure = sample(70), MEASURES[choice]
    how = Resampling(n_resamples=40, rng=3, stratified=stratified)
    with_kernels = bootstrap_table(scores, measure, how)
    draws = draws_of(scores, measure, stratified=stratified)
    drawn = draws.draw(stream_key(3), 0, 40)
    assert with_kernels.replicates == pytest.approx(measure.values(draws.batch(drawn)), rel=1e-13)
    smooth = measure.influence(scores) is not None
    studentized = with_kernels.confidence_interval(method="studentized") if smooth else None
    monkeypatch.setattr(native, "available", lambda: False)
    without = bootstrap_table(scores, measure, how)
    assert np.array_equal(draws.draw(stream_key(3), 0, 40), drawn)
    assert without.replicates == pytest.approx(with_kernels.replicates, rel=1e-13)
    if measure.name == "roc_auc":
        assert np.array_equal(without.replicates, with_kernels.replicates)
    if studentized is not None:
        assert tuple(without.confidence_interval(method="studentized")) == pytest.approx(tuple(studentized), rel=1e-9)


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("choice", range(len(MEASURES)))
def test_threads_of_the_kernels_change_nothing(choice, stratified):
    scores, measure = sample(5000), MEASURES[choice]
    runs = []
    for threads, batch in ((1, None), (2, 7), (3, None)):
        with num_threads(threads):
            how = Resampling(n_resamples=60, rng=3, stratified=stratified, batch_size=batch)
            found = bootstrap_table(scores, measure, how)
        runs.append(found.replicates)
    assert np.array_equal(runs[0], runs[1])
    assert np.array_equal(runs[0], runs[2])


def test_memory_of_a_large_table_stays_small():
    """A replicate is a byte for each case; nothing is kept of it but what was asked for."""
    import tracemalloc

    y = np.arange(300_000) % 10 == 0
    scores = th.Scores(y, np.random.default_rng(0).normal(size=y.size) + y)
    assert len(scores.pos) == len(scores.neg)  # the columns are there
    tracemalloc.start()
    bootstrap_table(scores, as_measure("pr_auc", estimator="trapezoid"), Resampling(n_resamples=10, rng=0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 150e6


@pytest.mark.parametrize("metric, options", [("roc_auc", {}), ("partial_roc_auc", {"fpr": (0, 0.3)})])
def test_no_more_tables_are_drawn_at_once_than_fit(monkeypatch, metric, options):
    """The kernel needs no tables, so it is asked for many replicates together; where tables are drawn they are few."""
    y = np.arange(9000) % 3 == 0
    scores = th.Scores(y, np.random.default_rng(0).normal(size=y.size) + y)
    asked = []
    usual = CountDraws.draw

    def draw(self, key, first, count):
        asked.append(count * self.width)
        return usual(self, key, first, count)

    monkeypatch.setattr(CountDraws, "draw", draw)
    found = bootstrap_table(scores, as_measure(metric, **options), Resampling(n_resamples=400, rng=0))
    found.confidence_interval(method="studentized")
    assert all(numbers <= 2**20 for numbers in asked)
    if native.available():
        assert bool(asked) is (metric != "roc_auc")
