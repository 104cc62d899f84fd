"""Giving memory back changes nothing that is in use."""

import sys
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from thresher._core import native
from thresher._core.config import give_back, trim_memory


def test_what_is_in_use_stays():
    kept = [np.full(1000, k) for k in range(100)]
    del kept[::2]
    give_back()
    assert [int(array.sum()) for array in kept] == [1000 * k for k in range(1, 100, 2)]


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_another_c_library(monkeypatch, system):
    import ctypes

    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    give_back()


@pytest.mark.skipif(not native.available() or sys.platform != "linux", reason="needs the compiled kernels and /proc")
def test_kept_memory_is_given_back():
    """Blocks of a large count stay with the process until they are asked back."""

    def resident():
        line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) * 1024

    rng = np.random.default_rng(0)
    y, s = rng.random(1_500_000) < 0.5, rng.random(1_500_000)
    trim_memory()
    before = resident()
    table = th.Scores(y, s)
    value = table.roc_auc().value
    del table
    kept = resident() - before
    trim_memory()
    assert resident() - before < kept / 2
    assert th.Scores(y, s).roc_auc().value == value
