"""The closing advice: errors are counted at one half, and the two intervals answer differently."""

from __future__ import annotations

import numpy as np

import thresher as th
from papers.cortes_mohri.section_7 import _interval, two_classifiers


def test_an_interval_from_the_errors_at_one_half():
    y, score = np.array([1, 1, 1, 0, 0, 0, 0]), np.array([0.9, 0.5, 0.2, 0.8, 0.4, 0.3, 0.1])
    errors = int(((score >= 0.5) != y).sum())
    assert errors == 2
    want = th.cortes_mohri(3, 4, errors, error_interval="normal")
    assert _interval(th.Scores(y, score)) == (want.low, want.high)


def test_whose_interval_decides_is_left_open():
    rule, paired = two_classifiers().checks
    assert (rule.status, paired.status) == ("not determined by the text", "our experiment")
    assert rule.as_expected
    assert paired.as_expected
