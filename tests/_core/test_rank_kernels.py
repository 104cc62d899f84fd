"""Kernels of ranks: their own source, run by the processor, gives what array operations and the table give."""

from __future__ import annotations

import array_api_compat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import thresher as th
from support.devices import rows, tensors
from thresher._core import rank_kernels as kernels
from thresher._core.device import twice_u_on_device
from thresher._core.device_path import device_delong_sums
from thresher._core.device_ranks import rank_on_device
from thresher._core.order import placement_sums
from thresher._core.rank_kernels import rank_kernels, twice_beaten

pytestmark = [pytest.mark.optional, pytest.mark.usefixtures("kernels_on_host")]  # torch
torch = pytest.importorskip("torch", reason="the tests of devices use torch in main memory as a device")
XP = array_api_compat.array_namespace(torch.zeros(1))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_pairs_that_meet_are_counted(dtype):
    rng = np.random.default_rng(0)
    many = np.sort(rng.integers(-300, 300, 2000).astype(dtype))
    for few, shift in ((0, 0), (1, 0), (7, 37), (3000, 0), (3000, 37)):
        some = np.sort(rng.integers(-200, 450, few).astype(dtype))
        wanted = some.astype(np.int64) - shift
        exact = sum(int(np.searchsorted(many, wanted, side=side).sum()) for side in ("left", "right"))
        launch = rank_kernels(torch.from_numpy(many))
        assert twice_beaten(launch, XP, *tensors(many, some), shift) == exact
        assert twice_beaten(launch, XP, *tensors(many[:0], some), shift) == 0


def check(scores, positive):
    ranks = rank_on_device(*tensors(scores, positive))
    table = th.Scores(positive, scores)
    found = ranks.table()
    assert np.array_equal(found.thresholds.numpy(), table.thresholds)
    assert np.array_equal(found.tp.numpy(), table.tp)
    assert np.array_equal(found.fp.numpy(), table.fp)
    assert ranks.twice_u() == table._twice_u
    if table.n_pos and table.n_neg:
        assert ranks.average_precision() / ranks.n_pos == table.pr_auc(estimator="average_precision").value
        assert ranks.interpolated() / ranks.n_pos == table.pr_auc().value
        assert device_delong_sums(ranks) == placement_sums(table.tp, table.fp)
    tiny = np.finfo(np.float64).tiny
    ends = [np.inf, -np.inf, 0.0, -0.0, tiny, -tiny, 1e-300, -1e-300, 0.25, -3.5, 1e30, -1e30]
    wanted = np.concatenate((table.thresholds[:5].astype(np.float64), ends))
    for mine, theirs in zip(ranks.counts_at(wanted), table._counts_at(wanted), strict=True):
        assert mine.tolist() == theirs.tolist()
    return ranks


@given(data=st.data())
def test_ranks_equal_the_processor(data):
    dtype = np.dtype(data.draw(st.sampled_from(["float64", "float32", "int64", "int32", "uint8"])))
    elements = hnp.from_dtype(dtype, allow_nan=False) if dtype.kind == "f" else hnp.from_dtype(dtype)
    few = data.draw(hnp.arrays(dtype, data.draw(st.integers(1, 12)), elements=elements))
    scores = few[data.draw(hnp.arrays(np.intp, data.draw(st.integers(1, 40)), elements=st.integers(0, few.size - 1)))]
    check(scores, data.draw(hnp.arrays(np.bool_, scores.size)))


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("kind", ["both signs", "single", "probabilities", "ties", "integers"])
def test_larger_samples_are_packed(kind, share):
    y, s = rows(kind, share, 5000)
    assert check(s, y == 1).shift
    if kind in ("both signs", "single"):
        s[:7], s[7:11] = 0.0, -0.0
        assert check(s, y == 1).gap


@pytest.mark.parametrize("digits", [0, 1, 3])
def test_runs_go_on_beyond_tiles_and_blocks(digits, monkeypatch):
    """Blocks that see four keys at a time meet ties of either class at every edge."""
    monkeypatch.setitem(kernels._KEYS, "int32", ("int", 4))
    for n, blocks in ((1, 1), (3, 2), (50, 7), (400, 1), (400, 3), (401, 60), (401, 2048)):
        monkeypatch.setattr(kernels, "_MOST_BLOCKS", blocks)
        for share in (0.1, 0.5, 0.9):
            y, s = rows("single", share, n)
            check(np.round(s, digits), y == 1)


def test_nan_is_refused():
    y, s = rows("both signs")
    s[3] = np.nan
    with pytest.raises(th.exceptions.InvalidInputError, match="NaN in 1 of 2000 rows"):
        th.Scores(*tensors(y, s))
    for labels in (y, 1 - y):  # whichever class is sorted first
        with pytest.raises(th.exceptions.InvalidInputError, match="NaN in 1 of 2000 rows"):
            twice_u_on_device(*tensors(s, labels == 1))
