from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import thresher as th
from support.thorough import dear


def sample(n: int, seed: int) -> th.Scores:
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return th.Scores(y, rng.normal(size=n) + 1.5 * y)


@pytest.mark.parametrize("method", dear(["order-statistic", "bootstrap"], 1))
def test_covers_the_true_threshold(method):
    """The recall-0.9 threshold of N(1.5, 1) is 1.5 - 1.2816; 60 samples, 90% intervals, binomial tolerance."""
    truth = 1.5 - 1.2815515655446004
    hits = 0
    for seed in range(60):
        low, high = sample(400, seed).threshold_interval(
            min_recall=0.9, confidence_level=0.9, method=method, n_resamples=150, rng=seed
        )
        hits += low <= truth <= high
    assert 46 <= hits <= 60


def test_repeatable_whatever_the_number_of_resamples():
    few = sample(200, 1).threshold_interval("youden", n_resamples=20, rng=3)
    many = sample(200, 1).threshold_interval("youden", n_resamples=50, rng=3)
    np.testing.assert_array_equal(few.thresholds, many.thresholds[:20])
    assert few.point == sample(200, 1).choose_threshold("youden")


def test_narrows_with_more_data():
    widths = []
    for n in (200, 5000):
        low, high = sample(n, 2).threshold_interval(min_recall=0.8, method="bootstrap", n_resamples=200, rng=1)
        widths.append(high - low)
    assert widths[1] < widths[0] / 2


def test_resamples_without_an_answer_are_said():
    scores = th.Scores([1, 0, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1])
    with pytest.warns(th.ThresherWarning, match="resamples no threshold satisfies the constraints"):
        found = scores.threshold_interval(min_precision=0.9, min_recall=0.4, n_resamples=100, rng=1)
    assert np.isnan(found.thresholds).any()


def test_progress_and_messages():
    seen: list[tuple[int, int]] = []
    sample(50, 1).threshold_interval(n_resamples=20, rng=1, progress=lambda *a: seen.append(a))
    assert seen[-1] == (20, 20)
    with pytest.raises(th.InvalidInputError, match="An interval needs the sums of squared weights"):
        th.Scores.from_counts([1, 0], [1.5, 0.5], [0.5, 1.5]).threshold_interval()
    with pytest.raises(th.InvalidInputError, match=r"`n_resamples` must be at least 10; got 1\. Hint: "):
        sample(50, 1).threshold_interval(n_resamples=1)
    with pytest.raises(th.InvalidInputError, match=r"`confidence_level` must be in \(0, 1\); got 95."):
        sample(50, 1).threshold_interval(confidence_level=95)


@pytest.mark.parametrize(("limit", "share"), [("min_recall", 0.8), ("max_fpr", 0.3)])
def test_the_ranks_are_binomial_quantiles(limit, share):
    """The population's threshold has Bin(n, share) of the class on its wrong side; both ends by enumeration."""
    scores = th.Scores(np.arange(90) < 40, np.random.default_rng(1).permutation(90))
    found = scores.threshold_interval(**{limit: share})
    ranked = (
        np.repeat(scores.thresholds, scores.pos)[::-1]
        if limit == "min_recall"
        else np.repeat(scores.thresholds, scores.neg)
    )
    wrong = scipy.stats.binom(ranked.size, 1 - share if limit == "min_recall" else share)
    # The k-th of them lies beyond the threshold with the probability of at least k on the wrong side.
    inner = max(k for k in range(1, ranked.size) if wrong.cdf(k - 1) <= 0.025)
    outer = min(k for k in range(1, ranked.size) if wrong.cdf(k - 1) >= 0.975)
    assert tuple(sorted(found)) == tuple(sorted((ranked[inner - 1], ranked[outer - 1])))
    assert found.method == "order-statistic"
    assert found.thresholds.size == 0


def test_weights_by_class_are_counted_and_others_are_worth_less():
    plain = sample(300, 5)
    rng = np.random.default_rng(5)
    y = rng.random(300) < 0.3
    s = rng.normal(size=300) + 1.5 * y
    by_class = th.Scores(y, s, sample_weight=np.where(y, 3.0, 0.5)).threshold_interval(min_recall=0.8)
    assert by_class.method == "order-statistic"
    assert tuple(by_class) == tuple(plain.threshold_interval(min_recall=0.8))
    # Weights that differ at random widen it; those that hardly do leave it within a case or two.
    uneven = th.Scores(y, s, sample_weight=rng.choice([0.4, 3.0], 300)).threshold_interval(min_recall=0.8)
    assert uneven.method == "approximate"
    assert uneven.high - uneven.low > by_class.high - by_class.low
    even = th.Scores(y, s, sample_weight=rng.uniform(1, 1.0001, 300)).threshold_interval(min_recall=0.8)
    assert even.method == "approximate"
    ranked = np.sort(s[y])
    for one, other in zip(even, by_class, strict=True):
        assert abs(np.searchsorted(ranked, one) - np.searchsorted(ranked, other)) <= 2


def test_data_that_do_not_reach():
    scores = th.Scores([1, 1, 1, 0, 0], [5, 4, 2, 3, 1])
    assert scores.threshold_interval(min_recall=0.5).low == -np.inf
    assert scores.threshold_interval(max_fpr=0.5).high == np.inf
    with pytest.raises(th.InvalidInputError, match="must have `min_recall` or `max_fpr` alone"):
        scores.threshold_interval("youden", method="order-statistic")


def test_its_figures_as_a_dict():
    rng = np.random.default_rng(3)
    y = rng.random(200) < 0.4
    scores = th.Scores(y, rng.normal(size=200) + y)
    found = scores.threshold_interval(min_recall=0.8)
    given = found.to_dict()
    assert given["threshold"] == scores.choose_threshold(min_recall=0.8).threshold
    assert (given["low"], given["high"], given["confidence_level"]) == (*found, 0.95)
    assert given["method"] == found.method == "order-statistic"


@pytest.mark.parametrize("n", [60, 250])
def test_the_best_threshold_by_a_metric_is_covered(n):
    """Youden's threshold of N(1.2, 1) and N(0, 1) is 0.6; 80 samples, two standard errors below 95%."""
    hits = 0
    for seed in range(80):
        rng = np.random.default_rng([n, seed])
        y = np.arange(n) < n // 2
        low, high = th.Scores(y, rng.normal(size=n) + 1.2 * y).threshold_interval("youden", n_resamples=100, rng=seed)
        hits += low <= 0.6 <= high
    assert hits >= 72


def test_smaller_resamples_are_repeatable_and_shrink_by_a_cube_root():
    scores = sample(200, 1)
    found = scores.threshold_interval("youden", n_resamples=40, rng=3)
    assert (found.method, found.thresholds.size) == ("cube-root", 40)
    own = found.point.threshold
    seen = np.minimum(found.thresholds, scores.thresholds[0])
    ends = own + 200 ** (-0.25 / 3) * np.quantile(seen - own, [0.025, 0.975])
    assert tuple(found) == pytest.approx(tuple(ends))
    with pytest.raises(th.InvalidInputError, match="without constraints"):
        scores.threshold_interval("youden", min_recall=0.5, method="cube-root")
    assert scores.threshold_interval("youden", min_recall=0.5, n_resamples=20, rng=1).method == "bootstrap"
    infinite = th.Scores([0, 1, 0, 1, 1, 0], [0, 1, 2, np.inf, 4, -np.inf])
    assert infinite.threshold_interval("youden", n_resamples=20, rng=1).method == "bootstrap"
