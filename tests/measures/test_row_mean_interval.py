"""Intervals of means over rows: a Bayesian bootstrap with half a case at the worst and the best loss."""

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher.measures import _row_mean
from thresher.measures._row_mean import _binned


def drawn(n=60, seed=1):
    """Return labels and calibrated probabilities, many of them near 0."""
    rng = np.random.default_rng(seed)
    p = np.clip(rng.beta(0.3, 1.5, n), 0.001, 0.999)
    return rng.random(n) < p, p


def losses(metric, y, p):
    """Return the loss of each row, and those of both outcomes of each score."""
    both = (p**2, (1 - p) ** 2) if metric == "brier" else (-np.log1p(-p), -np.log(p))
    return np.where(y, both[1], both[0]), np.concatenate(both)


@pytest.mark.parametrize("metric", ["brier", "log_loss"])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_limits_are_quantiles_of_weighted_means(metric, level):
    y, p = drawn()
    own, possible = losses(metric, y, p)
    rng = np.random.default_rng(2)
    weights = rng.exponential(size=(60_000, y.size))
    half = rng.gamma(0.5, size=60_000)
    tail = (1 - level) / 2
    found = th.Scores(y, p).measure(metric).confidence_interval(level)
    for end, extreme, share in ((found.low, possible.min(), tail), (found.high, possible.max(), 1 - tail)):
        means = (weights @ own + half * extreme) / (weights.sum(axis=1) + half)
        assert end == pytest.approx(np.quantile(means, share), abs=0.08 * means.std())
    assert found.method == "bayes"


def test_a_constant_score_has_the_limits_of_a_share():
    # With a score of 0.2 the squared error is 0.04, or 0.64 for a positive.
    n_pos, n_neg = 4, 16
    table = th.Scores.from_counts([0.2], [n_pos], [n_neg])
    low, high = table.measure("brier").confidence_interval()
    share = stats.beta(n_pos, n_neg + 0.5).ppf(0.025), stats.beta(n_pos + 0.5, n_neg).ppf(0.975)
    assert [low, high] == pytest.approx([0.04 + 0.6 * one for one in share], abs=0.002)


def test_no_error_seen_is_no_certainty():
    y = np.arange(30) < 10
    found = th.Scores(y, np.where(y, 0.9, 0.1)).measure("brier")
    low, high = found.confidence_interval()
    assert found.value == pytest.approx(0.01)
    assert low == pytest.approx(0.01)
    assert 0.03 < high < 0.15


def test_many_losses_are_taken_together_without_a_trace(monkeypatch):
    y, p = drawn(3000)
    scores = th.Scores(y, p)
    found = scores.measure("log_loss").confidence_interval()
    monkeypatch.setattr(_row_mean, "_BINS", 10**6)
    whole = scores.measure("log_loss").confidence_interval()
    assert list(found) == pytest.approx(list(whole), abs=1e-3 * (whole.high - whole.low))
    values, rows = _binned(np.full(5, 0.3), np.ones(5))
    assert values @ rows == pytest.approx(1.5)


def test_scores_of_0_and_1_are_told_of():
    y, p = drawn()
    p[~y & (p < 0.01)] = 0.0
    assert (p == 0.0).any()
    with pytest.warns(th.ThresherWarning, match=r"The log loss would be infinite .* Hint: keep scores inside"):
        low, high = th.Scores(y, p).measure("log_loss").confidence_interval()
    assert 0.0 < low < high < np.inf


def test_weights_and_clusters_have_the_normal_interval():
    y, p = drawn(200)
    for options in ({"sample_weight": np.linspace(1, 1.5, y.size)}, {"cluster": np.arange(y.size) // 2}):
        estimate = th.Scores(y, p, **options).measure("brier")
        assert estimate.confidence_interval().method == "normal"
        with pytest.raises(th.InvalidInputError):
            estimate.confidence_interval(method="bayes")


@pytest.mark.parametrize(("metric", "least"), [("log_loss", 0.93), ("brier", 0.93)])
def test_covers_with_few_positives(metric, least):
    rng = np.random.default_rng(5)
    many = np.clip(rng.beta(0.05, 0.45, 10**6), 0.001, 0.999)
    truth = (many * losses(metric, np.ones(many.size, bool), many)[0]).mean()
    truth += ((1 - many) * losses(metric, np.zeros(many.size, bool), many)[0]).mean()
    held = 0
    for _ in range(300):
        p = rng.choice(many, 100)
        y = rng.random(100) < p
        if y.any():
            low, high = th.Scores(y, p).measure(metric).confidence_interval()
            held += low <= truth <= high
    assert held / 300 > least
