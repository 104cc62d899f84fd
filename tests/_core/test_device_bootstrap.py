"""Replicates of rows on a device: the kernels' own source, run by the processor, draws what the processor draws."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from support.devices import rows, tensors
from thresher._core import cuda, device_bootstrap
from thresher._core.device_bootstrap import rows_on_device
from thresher._core.device_ranks import rank_on_device
from thresher._core.resampling import resample_tables_numpy
from thresher._table import grid_of

pytestmark = [pytest.mark.optional, pytest.mark.usefixtures("kernels_on_host")]  # torch
torch = pytest.importorskip("torch", reason="the tests of devices use torch in main memory as a device")


def prepared(y, s):
    found = rows_on_device(rank_on_device(*tensors(s, y == 1)))
    assert found is not None
    return found


def sums(found, seed, first, count, stratified):
    return found._sums(found._drawn(seed, first, count, stratified, 0))


def twice_u(pos, neg):
    fp = np.cumsum(neg, axis=1)
    return (pos * (2 * (fp[:, -1:] - fp) + neg)).sum(axis=1)


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("share", [0.1, 0.6])
@pytest.mark.parametrize("kind", ["both signs", "probabilities", "ties", "integers"])
@pytest.mark.parametrize("n", [33, 4096 + 11])
def test_sums_of_replicates(kind, share, stratified, n):
    y, s = rows(kind, share, n)
    table = th.Scores(y, s)
    pos, neg = resample_tables_numpy(table.pos, table.neg, 2**63 + 11, 5, 12, stratified, 0)
    found = sums(prepared(y, s), 2**63 + 11, 5, 12, stratified)
    assert found[0].tolist() == twice_u(pos, neg).tolist()
    assert found[1].tolist() == pos.sum(axis=1).tolist()
    assert found[2].tolist() == neg.sum(axis=1).tolist()


@pytest.mark.parametrize("path_only", [True, False])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("kind", ["both signs", "ties", "integers"])
def test_columns_in_main_memory(kind, share, path_only):
    y, s = rows(kind, share)
    table, found = th.Scores(y, s), prepared(y, s)
    grid = grid_of("path" if path_only else "ranks", table.thresholds, table.pos, table.neg)
    wanted = grid.summed(table.pos), grid.summed(table.neg)
    for mine, theirs in zip(found.columns_on_host(path_only=path_only), wanted, strict=True):
        assert mine.tolist() == theirs.tolist()
    assert found.columns[path_only] == wanted[0].size
    assert found.twice_u == table._twice_u


def test_groups_over_several_chunks():
    rng = np.random.default_rng(3)
    s = np.repeat([5.0, 4.0, 3.0, 2.0, 1.0], [10, 3000, 1, 4000, 900])
    y = (rng.random(s.size) < 0.3).astype(np.int64)
    found = prepared(y, s)
    assert found.crossing.shape[0] >= 2
    table = th.Scores(y, s)
    pos, neg = resample_tables_numpy(table.pos, table.neg, 1, 0, 8, True, 0)
    assert sums(found, 1, 0, 8, True)[0].tolist() == twice_u(pos, neg).tolist()


def test_batches_do_not_matter(monkeypatch):
    y, s = rows("ties")
    found = prepared(y, s)
    whole = found.areas("roc_auc", 7, 0, 9, stratified=True)[0]
    monkeypatch.setattr(device_bootstrap, "_MOST_BYTES", 4 * (2000 + 24 * 2048))
    assert found.at_once() < 9
    assert found.areas("roc_auc", 7, 0, 9, stratified=True)[0].tolist() == whole.tolist()
    assert found.areas("roc_auc", 7, 4, 2, stratified=True)[0].tolist() == whole[4:6].tolist()


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision"])
def test_samples_without_a_class_are_drawn_again(metric):
    y = np.array([1, 0, 0, 0, 0, 0])
    s = np.array([3.0, 5.0, 4.0, 2.0, 1.0, 0.0])
    how = {"n_resamples": 60, "rng": 2, "stratified": False, "metric": metric}
    with pytest.warns(th.exceptions.ThresherWarning):
        mine, theirs = th.bootstrap(*tensors(y, s), **how), th.bootstrap(y, s, **how)
    assert mine.replicates.tolist() == theirs.replicates.tolist()


def test_no_kernels_no_rows(monkeypatch):
    y, s = rows("both signs")
    monkeypatch.setattr(cuda, "launcher", lambda file, array, **words: None)
    assert rows_on_device(rank_on_device(*tensors(s, y == 1))) is None
