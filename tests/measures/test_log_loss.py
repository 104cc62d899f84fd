"""The log loss beside scikit-learn's, and where it is infinite."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import log_loss

import thresher as th
from thresher.measures import LogLoss


def test_as_scikit_learn_with_weights_and_ties():
    rng = np.random.default_rng(1)
    x = rng.integers(1, 20, 200) / 20
    y, w = rng.random(200) < x, rng.random(200) + 0.1
    assert LogLoss().of(th.Scores(y, x)) == pytest.approx(log_loss(y, x), rel=1e-13)
    assert LogLoss().of(th.Scores(y, x, sample_weight=w)) == pytest.approx(log_loss(y, x, sample_weight=w), rel=1e-13)


def test_certain_and_right_costs_nothing():
    assert LogLoss().of(th.Scores([1, 0, 1], [1.0, 0.0, 0.5])) == pytest.approx(math.log(2) / 3)


@pytest.mark.parametrize(("label", "score"), [(1, 0.0), (0, 1.0)])
def test_certain_and_wrong_is_infinite(label, score):
    scores = th.Scores([1, 0, label], [0.5, 0.5, score])
    assert LogLoss().of(scores) == math.inf
    with pytest.raises(th.UndefinedMetricError, match="is infinite, so its rows have no variance"):
        scores.measure("log_loss").standard_error()


def test_it_has_no_upper_end():
    assert LogLoss().bounds == (0.0, math.inf)
    small = LogLoss().of_rows(np.array([1e-300]))
    assert small[0].tolist() == pytest.approx([300 * math.log(10)])
    assert small[1].tolist() == pytest.approx([1e-300], rel=1e-12)
