from __future__ import annotations

from collections import Counter

import numpy as np

from thresher._core.counting import count_rows_numpy


def test_half_precision_with_many_infinities():
    """Plain `np.sort` has been seen to leave such arrays out of order; the counts must not notice."""
    rng = np.random.default_rng(0)
    with np.errstate(over="ignore"):
        scores = (rng.normal(size=120_000) * 1e9).astype(np.float16)
    positive = rng.random(scores.size) < 0.3
    thresholds, pos, neg = count_rows_numpy(scores, positive)
    assert thresholds.dtype == np.float16
    for counts, chosen in ((pos, scores[positive]), (neg, scores[~positive])):
        want = Counter((chosen.astype(np.float64) + 0.0).tolist())
        assert {t: c for t, c in zip(thresholds.tolist(), counts.tolist(), strict=True) if c} == dict(want)
    assert thresholds.tolist() == sorted(thresholds.tolist(), reverse=True)
