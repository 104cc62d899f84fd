"""The compiled Brier pass gives what fractions and NumPy give."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import thresher as th
from thresher._core import native
from thresher._curves.calibration import blocks_of
from thresher._inference.calibration import proper_scores

pytestmark = pytest.mark.skipif(not native.available(), reason="the compiled kernels are not built")
PARTS = ("mean", "miscalibration", "discrimination", "uncertainty", "recalibrated")


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("prevalence", [None, Fraction(1, 50)])
def test_parts_as_in_fractions(monkeypatch, dtype, prevalence):
    rng = np.random.default_rng(0)
    x = np.round(rng.random(3000), 3)
    scores = th.Scores(rng.random(3000) < 0.2 + x / 2, x)
    tp, fp = scores.tp.astype(dtype), scores.fp.astype(dtype)
    at = np.asarray(scores.thresholds, dtype=np.float64)
    rule = proper_scores.ProperScore("brier")
    exact = proper_scores.parts_of(rule, at, tp, fp, blocks_of(scores), prevalence)
    monkeypatch.setattr(proper_scores, "_FEW", 10)
    fast = proper_scores.parts_of(rule, at, tp, fp, blocks_of(scores), prevalence)
    for part in PARTS:
        assert getattr(fast, part) == pytest.approx(getattr(exact, part), rel=1e-13)


def test_blocks_must_fit_the_table():
    x, tp, fp = np.array([0.9, 0.1]), np.array([1, 1]), np.array([0, 1])
    for ends in ([0], [1, 1], [-1, 1], [2]):
        with pytest.raises(ValueError, match="block"):
            native.brier(x, tp, fp, np.array(ends), 1.0, 1.0)
    with pytest.raises(ValueError, match="same length"):
        native.brier(x[:1], tp, fp, np.array([1]), 1.0, 1.0)


def test_number_of_threads_and_instructions_do_not_matter():
    rng = np.random.default_rng(1)
    x = np.sort(rng.random(200_000).astype(np.float32))[::-1]
    tp = np.cumsum(rng.random(x.size) < x).astype(np.int32)
    fp = np.arange(1, x.size + 1, dtype=np.int32) - tp
    ends = np.append(np.unique(rng.integers(0, x.size - 1, 50)), x.size - 1)
    with th.config.num_threads(1):
        one = native.brier(x, tp, fp, ends, 0.7, 1.3)
    with th.config.num_threads(5):
        assert native.brier(x, tp, fp, ends, 0.7, 1.3) == one
    assert native.brier(x.astype(np.float64), tp.astype(np.int64), fp.astype(np.int64), ends, 0.7, 1.3) == one


def test_scores_of_single_precision_are_what_they_are():
    rng = np.random.default_rng(2)
    x = rng.random(5000).astype(np.float32)
    y = rng.random(5000) < x
    single, double = (th.Scores(y, column).calibration() for column in (x, x.astype(np.float64)))
    assert single.decomposition().miscalibration == double.decomposition().miscalibration
    assert single.decomposition("log").miscalibration == double.decomposition("log").miscalibration
    assert single.curve.scores.dtype == np.float64
    assert np.array_equal(single.curve.calibrated, double.curve.calibrated)
