"""The largest TPR - FPR over all thresholds, by trying them and by scipy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from scipy import stats

import thresher as th
from support import oracle
from support.strategies import labelled
from thresher.measures import KolmogorovSmirnov


@given(labelled())
def test_every_threshold(data):
    points = oracle.counts(*data)
    n_neg, n_pos = points[-1]
    want = max(tp / n_pos - fp / n_neg for fp, tp in points)
    assert abs(KolmogorovSmirnov().of(th.Scores(*data)) - want) <= 1e-15


def test_as_scipy_with_unbalanced_classes():
    rng = np.random.default_rng(0)
    pos, neg = rng.normal(1, 1, 7), rng.normal(0, 1, 200)
    want = stats.ks_2samp(pos, neg, alternative="less").statistic
    assert abs(KolmogorovSmirnov().of(th.Scores.from_pos_neg(pos, neg)) - want) <= 1e-15


def test_a_ranking_below_chance_has_none():
    assert KolmogorovSmirnov().of(th.Scores([0, 0, 1], [3, 2, 1])) == 0.0
