"""What means over rows share, row by row: means, errors, pulls and differences, weights among them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.measures import Brier, LogLoss, NetBenefit


def sample(seed: int = 0, n: int = 60):
    rng = np.random.default_rng(seed)
    x = rng.integers(1, 15, n) / 16
    return rng.random(n) < x / 3, x, rng.integers(1, 4, n)  # unbalanced, tied


def losses(y, x):
    return (y - x) ** 2


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_the_interval_is_that_of_the_rows(level):
    y, x, _ = sample()
    own = losses(y, x)
    found = th.Scores(y, x).measure("brier")
    reach = stats.norm.ppf((1 + level) / 2) * own.std() / math.sqrt(own.size)
    assert found.standard_error() == pytest.approx(own.std() / math.sqrt(own.size))
    assert tuple(found.confidence_interval(level)) == pytest.approx((own.mean() - reach, own.mean() + reach))


def test_frequencies_are_rows():
    y, x, times = sample()
    own = np.repeat(losses(y, x), times)
    found = th.Scores(y, x, frequency=times).measure("brier")
    assert found.value == pytest.approx(own.mean())
    assert found.standard_error() == pytest.approx(own.std() / math.sqrt(own.size))


def test_pulls_are_those_of_the_rows_and_of_the_odds():
    y, x, _ = sample()
    table = th.Scores(y, x)
    own, share = losses(y, x), y.mean()
    pull = Brier().influence(table)
    at = {score: i for i, score in enumerate(table.thresholds.tolist())}
    for label, score, loss in zip(y, x, own, strict=True):
        want = (share if label else 1 - share) * (loss - own[y == label].mean())
        assert (pull.pos if label else pull.neg)[at[score]] == pytest.approx(want, abs=1e-14)
    assert pull.odds == pytest.approx(-share * (1 - share) * (own[y].mean() - own[~y].mean()))


def test_differences_between_scorers_with_weights():
    y, x, w = sample()
    scorers = [x, np.clip(x + 0.05, 0, 1), 1 - x]
    found, df = Brier().difference_variances(y, scorers, w)
    assert df == math.inf
    for i in range(3):
        for j in range(3):
            gap = losses(y, scorers[i]) - losses(y, scorers[j])
            mean = (w * gap).sum() / w.sum()
            assert found[i, j] == pytest.approx((w**2 * (gap - mean) ** 2).sum() / w.sum() ** 2, abs=1e-18)
    plain, _ = Brier().difference_variances(y, scorers, None)
    gap = losses(y, scorers[1]) - losses(y, scorers[0])
    assert plain[1, 0] == pytest.approx(gap.var() / gap.size)


def test_an_infinite_scorer_cannot_be_compared():
    with pytest.raises(th.UndefinedMetricError, match="is infinite for one of the scorers"):
        LogLoss().difference_variances(np.array([True, False]), [np.array([0.0, 0.5]), np.array([0.5, 0.5])], None)


def test_many_scores_are_added_as_few_are():
    rng = np.random.default_rng(3)
    x = rng.random(5000)
    y = rng.random(5000) < x
    want = -np.where(y, np.log(x), np.log1p(-x)).mean()
    assert LogLoss().of(th.Scores(y, x)) == pytest.approx(want, rel=1e-12)
    rule = NetBenefit(0.25)
    called = x >= 0.25
    assert rule.of(th.Scores(y, x)) == pytest.approx((called & y).mean() - (called & ~y).mean() / 3)


def test_it_needs_the_balance_of_the_sample():
    assert Brier().needs_balance
