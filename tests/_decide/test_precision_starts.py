"""A guaranteed precision that is not highest at the top: the walk starts anew, at a part of the level."""

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._decide.guarantee import _passed, _shares


def test_a_rejected_hypothesis_hands_its_level_on():
    shares = np.array([0.7, 0.0, 0.2, 0.0, 0.1])
    assert _passed(np.array([0.06, 0.0, 0.08, 0.02, 0.1]), 0.1, shares).tolist() == [True, True, True, True, True]
    assert _passed(np.array([0.08, 0.0, 0.019, 0.02, 0.03]), 0.1, shares).tolist() == [False, False, True, True, True]
    assert _passed(np.array([0.08, 0.0, 0.021, 0.0, 0.009]), 0.1, shares).tolist() == [False, False, False, False, True]
    assert not _passed(np.full(5, 0.2), 0.1, shares).any()


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.95])
def test_a_true_hypothesis_is_rejected_as_seldom_as_allowed(correlation):
    rng = np.random.default_rng(1)
    shares = np.array([0.65, 0.0, 0.15, 0.0, 0.2, 0.0])
    true = np.array([True, False, True, False, True, True])
    wrong = 0
    for _ in range(4000):
        z = np.sqrt(correlation) * rng.normal() + np.sqrt(1 - correlation) * rng.normal(size=6)
        pvalues = np.where(true, stats.norm.sf(z), 1e-9)
        wrong += bool(_passed(pvalues, 0.1, shares)[true].any())
    assert wrong / 4000 < 0.1 + 3 * np.sqrt(0.1 * 0.9 / 4000)


def test_few_cases_have_one_start():
    assert _shares(np.array([8, 10, 20, 40]), 2).tolist() == [1.0, 0.0, 0.0, 0.0]
    shares = _shares(np.arange(8, 10_000), 5)
    assert shares.sum() == pytest.approx(1.0)
    assert np.flatnonzero(shares).size == 4
    assert shares[0] == pytest.approx(0.65)


def test_precision_below_an_extreme_top_is_found():
    # Cauchy scores: the highest are negatives as often as the classes are, and precision is highest further down.
    rng = np.random.default_rng(2)
    found = 0
    for _ in range(12):
        scores = th.Scores.from_pos_neg(rng.standard_cauchy(400) + 3.0, rng.standard_cauchy(1200))
        point = scores.choose_threshold(maximize="recall", min_precision=0.5, confidence=0.9)
        found += point.recall > 0.6
        assert point.precision > 0.5
    assert found == 12
