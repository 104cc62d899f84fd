"""Plain columns with plain weights, counted in one call: what the long way counts, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._core import native
from thresher._core.arrays import as_labels, as_scores, as_weights
from thresher._table import Counts

pytestmark = pytest.mark.skipif(not native.available(), reason="needs the compiled kernels")
RNG = np.random.default_rng(8)


def long_way(y, s, w):
    out = object.__new__(th.Scores)
    scores = as_scores(s)
    out._set_weighed(scores, as_labels(y, None, scores=scores), as_weights(w, scores.size), None)
    return out


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, np.uint64])
@pytest.mark.parametrize("labels", [np.int64, np.bool_, np.float32, "signed"])
@pytest.mark.parametrize("n", [2, 7, 300, 50_000])
def test_both_ways_are_the_same(dtype, labels, n):
    s = (RNG.normal(size=n) * 20).astype(dtype) if dtype != np.uint64 else RNG.integers(0, 9, n).astype(dtype)
    y = RNG.random(n) < 0.4
    y[:2] = True, False
    y = np.where(y, 1, -1) if labels == "signed" else y.astype(labels)
    mixed = RNG.choice([0.5, 1.0, 2.0], n)
    mixed[0] = 0.5
    for w in (RNG.random(n) + 0.1, mixed, np.full(n, 3.0), 10.0 ** RNG.integers(-8, 10, n)):
        if n == 50_000 and w.max() > 1e3:
            continue
        quick, slow = th.Scores(y, s, sample_weight=w), long_way(y, s, w)
        assert quick._weighed is not None
        for name in ("thresholds", "pos", "neg", "tp", "fp"):
            mine, other = getattr(quick, name), getattr(slow, name)
            assert mine.dtype == other.dtype
            assert np.array_equal(mine, other), name
            assert not mine.flags.writeable
        for mine, other in zip(quick._weight_squares, slow._weight_squares, strict=True):
            assert np.array_equal(mine, other) if isinstance(mine, np.ndarray) else mine == other
        assert quick == slow
        assert quick._wins == slow._wins
        assert quick.roc_auc().value == slow.roc_auc().value


@pytest.mark.parametrize(
    "change",
    [
        lambda y, s, w: (y, s, np.where(w > 1, 0.0, w)),
        lambda y, s, w: (y, s, np.ones(w.size)),
        lambda y, s, w: (y, s, w.astype(np.int64) + 1),
        lambda y, s, w: (y.tolist(), s, w),
        lambda y, s, w: (y, s.astype(np.float16), w),
        lambda y, s, w: (y, s > 0, w),
        lambda y, s, w: (y, s, w.tolist()),
        lambda y, s, w: (y, np.repeat(s, 2)[::2], np.repeat(w, 2)[::2]),
    ],
)
def test_unusual_columns_go_the_long_way(change):
    y, s, w = (RNG.random(60) < 0.5).astype(int), RNG.normal(size=60), RNG.random(60) * 2
    y[:2] = 0, 1
    y, s, w = change(y, s, w)
    assert Counts(y, s, sample_weight=w) == Counts(list(y), s, sample_weight=w)


@pytest.mark.parametrize(
    ("y", "s", "w", "message"),
    [
        ([0, 1, 1], [0.1, np.nan, 0.3], [1.0, 2.0, 3.0], "NaN"),
        ([0, 1, 1], [0.1, 0.2, 0.3], [1.0, np.nan, 3.0], "must be finite"),
        ([0, 1, 1], [0.1, 0.2, 0.3], [1.0, -2.0, 3.0], "must not be negative"),
        ([0, 1, 1], [0.1, 0.2, 0.3], [1.0, 2.0], "must have the same length"),
        ([0, 1, 2], [0.1, 0.2, 0.3], [1.0, 2.0, 3.0], "pos_label"),
        ([0, 1, 1], [0.1, 0.2, 0.3], [1e-80, 2.0, 3.0], "between"),
    ],
)
def test_what_is_wrong_is_said_as_before(y, s, w, message):
    with pytest.raises(th.exceptions.InvalidInputError, match=message):
        th.Scores(np.array(y), np.array(s), sample_weight=np.array(w))
