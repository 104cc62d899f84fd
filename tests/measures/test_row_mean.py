"""What means over rows share, row by row: means, errors, pulls and differences, weights among them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from support.measures import differences
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
    assert tuple(found.confidence_interval(level, method="normal")) == pytest.approx(
        (own.mean() - reach, own.mean() + reach)
    )


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


def test_differences_between_models_with_weights():
    """The sum of squares of w (gap - mean) / W, where the parts within a class have its factor W^2 / (W^2 - Q)."""
    y, x, w = sample()
    models = [x, np.clip(x + 0.05, 0, 1), 1 - x]
    for weight, rows in ((1.0 * w, {"sample_weight": 1.0 * w}), (np.ones(y.size), {})):
        found, df = differences(Brier(), y, models, **rows)
        assert df == math.inf
        for i in range(3):
            for j in range(3):
                gap = losses(y, models[i]) - losses(y, models[j])
                mean = np.average(gap, weights=weight)
                want = (weight**2 @ (gap - mean) ** 2) / weight.sum() ** 2
                for side in (y, ~y):
                    own = weight[side]
                    inside = own**2 @ (gap[side] - np.average(gap[side], weights=own)) ** 2 / weight.sum() ** 2
                    want += inside * (1 / (1 - (own**2).sum() / own.sum() ** 2) - 1)
                assert found[i, j] == pytest.approx(want, rel=1e-12, abs=1e-18)


def test_an_infinite_model_has_no_test():
    y = np.array([True, False] * 20)
    finite = {"b": np.tile([0.6, 0.3, 0.2, 0.4], 10), "c": np.tile([0.6, 0.3, 0.7, 0.5], 10)}
    for method in (None, "bootstrap", "permutation"):
        with pytest.warns(th.ThresherWarning, match="such as 'brier'"):
            found = th.compare(y, {"a": np.tile([0.0, 0.5], 20)} | finite, metric="log_loss", method=method, rng=0)
        assert found.pairs[0].difference == np.inf
        assert np.isnan(found.pairs[0].pvalue)
        assert np.isnan(found.omnibus.statistic)
        assert found.omnibus.pvalue == min(1.0, 3 * found.pairs[2].pvalue)


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
