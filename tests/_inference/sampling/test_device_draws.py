"""The bootstrap of rows on a device is the processor's, and the table stays where it is."""

from __future__ import annotations

import pickle

import pytest

import thresher as th
from support.devices import rows, tensors
from thresher._inference.sampling import CountDraws
from thresher._inference.sampling.draws import DeviceDraws, count_draws
from thresher._table.table import CountTable

pytestmark = [pytest.mark.optional, pytest.mark.usefixtures("kernels_on_host")]  # torch
torch = pytest.importorskip("torch", reason="the tests of devices use torch in main memory as a device")


@pytest.fixture
def nothing_comes_over(monkeypatch):
    def fetched(self):
        raise AssertionError("the table was brought to main memory")

    monkeypatch.setattr(CountTable, "_fetched", property(fetched))


@pytest.mark.usefixtures("nothing_comes_over")
@pytest.mark.parametrize("stratified", [None, False])
@pytest.mark.parametrize("kind", ["both signs", "ties"])
def test_same_replicates_and_intervals(kind, stratified):
    y, s = rows(kind)
    how = {"n_resamples": 60, "rng": 3, "stratified": stratified}
    mine, theirs = th.bootstrap(*tensors(y, s), **how), th.bootstrap(y, s, **how)
    assert isinstance(mine._draws, DeviceDraws)
    assert mine.replicates.tolist() == theirs.replicates.tolist()
    assert (mine.value, mine.bias) == (theirs.value, theirs.bias)
    for method in ("percentile", "bca", "studentized"):
        assert mine.confidence_interval(method=method) == theirs.confidence_interval(method=method)


@pytest.mark.usefixtures("nothing_comes_over")
def test_intervals_of_estimates():
    y, s = rows("single")
    mine, theirs = th.Scores(*tensors(y, s)).roc_auc(), th.Scores(y, s).roc_auc()
    how = {"method": "bootstrap", "n_resamples": 50, "rng": 5}
    assert mine.confidence_interval(**how) == theirs.confidence_interval(**how)
    assert mine.standard_error(**how) == theirs.standard_error(**how)


@pytest.mark.usefixtures("nothing_comes_over")
@pytest.mark.parametrize("metric", ["gini", "partial_roc_auc", "pr_auc"])
def test_other_measures_of_the_path_take_its_bits_over(metric):
    y, s = rows("ties")
    options = {"fpr": (0.0, 0.2)} if metric == "partial_roc_auc" else {}
    how = {"metric": metric, "n_resamples": 20, "rng": 5, **options}
    assert th.bootstrap(*tensors(y, s), **how).replicates.tolist() == th.bootstrap(y, s, **how).replicates.tolist()


@pytest.mark.usefixtures("nothing_comes_over")
@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("kind", ["both signs", "ties", "integers"])
def test_average_precision(kind, stratified, normalize):
    y, s = rows(kind)
    measure = th.measures.PrAuc("average_precision", normalize=normalize)
    how = {"metric": measure, "n_resamples": 40, "rng": 5, "stratified": stratified}
    mine, theirs = th.bootstrap(*tensors(y, s), **how), th.bootstrap(y, s, **how)
    assert isinstance(mine._draws, DeviceDraws)
    assert mine.replicates.tolist() == theirs.replicates.tolist()
    assert mine.value == theirs.value
    assert mine.confidence_interval() == theirs.confidence_interval()
    assert mine == theirs


def test_results_travel_without_the_device():
    y, s = rows("both signs")
    found = th.bootstrap(*tensors(y, s), n_resamples=20, rng=5)
    there = pickle.loads(pickle.dumps(found))
    assert there == found
    assert type(there._draws) is CountDraws
    assert there.confidence_interval(method="studentized") == found.confidence_interval(method="studentized")


def test_other_steps_between_positives_need_the_table():
    y, s = rows("ties")
    how = {"metric": "trapezoid_pr_auc", "n_resamples": 20, "rng": 5}
    assert th.bootstrap(*tensors(y, s), **how).replicates.tolist() == th.bootstrap(y, s, **how).replicates.tolist()


def test_few_columns_are_drawn_by_column():
    y, s = rows("integers", n=20_000)
    few = s // 40
    table = th.Scores(*tensors(y, few))
    assert type(count_draws(table, "path", None, stratified=True)) is CountDraws
    how = {"n_resamples": 20, "rng": 5}
    assert th.bootstrap(*tensors(y, few), **how).replicates.tolist() == th.bootstrap(y, few, **how).replicates.tolist()
