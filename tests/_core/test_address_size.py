"""Where an address has 32 bits, as in Pyodide, NumPy refuses to repeat by 64-bit numbers; faked here on any machine."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._core import native
from thresher._core.resampling import resample_tables_numpy

POS, NEG = np.array([3, 0, 2, 5]), np.array([1, 4, 0, 6])


@pytest.fixture
def narrow(monkeypatch):
    """NumPy as it is there, and no compiled kernels."""
    repeat = np.repeat

    def checked(a, repeats, axis=None):
        if not np.can_cast(np.asarray(repeats).dtype, np.int32) and np.ndim(repeats) > 0:
            raise TypeError("Cannot cast array data from dtype('int64') to dtype('int32') according to the rule 'safe'")
        return repeat(a, repeats, axis)

    monkeypatch.setattr(native, "_kernels", None)
    monkeypatch.setattr(np, "intp", np.int32)
    monkeypatch.setattr(np, "repeat", checked)


def test_the_fake_refuses(narrow):
    with pytest.raises(TypeError, match="safe"):
        np.repeat([1, 2], np.array([1, 2], dtype=np.int64))


def test_resampling(narrow):
    pos, neg = resample_tables_numpy(POS, NEG, 1, 0, 5, True, 0)
    assert pos.sum(axis=1).tolist() == [10] * 5
    assert neg.sum(axis=1).tolist() == [11] * 5


@pytest.mark.parametrize("method", ["bootstrap", "permutation", "venkatraman"])
def test_comparisons(narrow, method):
    rng = np.random.default_rng(0)
    y = rng.random(60) < 0.5
    a, b = (th.Scores(y, rng.normal(size=60) + y) for _ in range(2))
    found = th.compare_unpaired(a, b, method=method, n_resamples=99, rng=0)
    assert 0 < found.pairs[0].pvalue <= 1


def test_areas(narrow):
    scores = th.Scores.from_counts([4, 3, 2, 1], pos=POS, neg=NEG)
    assert 0 < scores.pr_auc(estimator="unit_steps").value < 1
    interval = scores.pr_auc(estimator="unit_steps").confidence_interval(method="bootstrap", n_resamples=99, rng=0)
    assert interval.low <= interval.high
