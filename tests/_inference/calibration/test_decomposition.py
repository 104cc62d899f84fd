"""Intervals of the parts of a proper score: rows for the mean, reflected resamples, and what the band allows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.isotonic import IsotonicRegression

import thresher as th
from support.thorough import dear
from thresher._inference.calibration.calibration_tests import honest_limits
from thresher._inference.calibration.decomposition import _part, row_losses
from thresher._inference.calibration.proper_scores import ProperScore


def rows(n: int = 150, seed: int = 0):
    rng = np.random.default_rng(seed)
    x = rng.integers(1, 10, n) / 10
    return rng.random(n) < x**1.5, x


def parts_of_rows(y, x):
    q = IsotonicRegression(y_min=0, y_max=1).fit(x, y).predict(x)
    mean, best = np.mean((y - x) ** 2), np.mean((y - q) ** 2)
    constant = y.mean() * (1 - y.mean())
    return {"miscalibration": mean - best, "discrimination": constant - best, "skill": 1 - mean / constant}


def test_row_losses():
    y, x = rows()
    table = th.Scores(y, x)
    for name, own in (("brier", (y - x) ** 2), ("log", -np.log(np.where(y, x, 1 - x)))):
        found = row_losses(ProperScore(name), table.thresholds, table.pos, table.neg)
        assert found == pytest.approx((own.mean(), own.var()))
    # Scores of one class alone; 1 and 0 are never wrong here, and would cost everything if they were.
    y, x = np.array([1, 1, 0, 0, 0]), np.array([1.0, 0.6, 0.3, 0.3, 0.0])
    pure = th.Scores(y, x)
    own = -np.log(np.where(y, x, 1 - x))
    assert row_losses(ProperScore("log"), pure.thresholds, pure.pos, pure.neg) == pytest.approx((own.mean(), own.var()))
    with pytest.raises(th.InvalidInputError, match="The log loss is infinite here"):
        row_losses(ProperScore("log"), np.array([1.0]), np.array([1]), np.array([1]))


@pytest.mark.parametrize("score", ["brier", "log"])
def test_the_interval_of_the_mean(score):
    y, x = rows()
    own = (y - x) ** 2 if score == "brier" else -np.log(np.where(y, x, 1 - x))
    found = th.Scores(y, x).calibration().decomposition(score).confidence_interval(confidence_level=0.8)
    reach = stats.norm.ppf(0.9) * own.std() / math.sqrt(own.size)
    assert tuple(found) == pytest.approx((own.mean() - reach, own.mean() + reach))


@pytest.mark.parametrize("part", dear(["skill", "miscalibration", "discrimination"], 1))
def test_basic_intervals_beside_a_bootstrap_of_rows(part):
    y, x = rows()
    found = th.Scores(y, x).calibration().decomposition()
    interval = found.confidence_interval(part, 0.8, method="bootstrap", n_resamples=1500, rng=0)
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(300):
        pick = rng.integers(0, y.size, y.size)
        drawn.append(parts_of_rows(y[pick], x[pick])[part])
    value = parts_of_rows(y, x)[part]
    assert getattr(found, part) == pytest.approx(value)
    low, high = 2 * value - np.quantile(drawn, 0.9), 2 * value - np.quantile(drawn, 0.1)
    low = low if part == "skill" else max(low, 0.0)
    assert tuple(interval) == pytest.approx((low, high), abs=0.35 * (high - low))


def test_intervals_stay_where_the_part_can_be():
    scores = th.Scores([1, 0] * 6, [0.9, 0.1] * 6).calibration().decomposition()
    for part, least, most in (
        ("discrimination", 0.0, 0.25),
        ("miscalibration", 0.0, math.inf),
        ("skill", -math.inf, 1.0),
    ):
        low, high = scores.confidence_interval(part, method="bootstrap", n_resamples=100, rng=0)
        assert least <= low <= high <= most


@pytest.mark.parametrize("score", ["brier", "log", 0.35])
def test_the_band_allows_what_its_curves_lose(score):
    y, x = rows()
    table = th.Scores(y, x)
    found = table.calibration().decomposition(score)
    low, high = found.confidence_interval("miscalibration", 0.9)
    ends = honest_limits(table.pos[::-1], table.neg[::-1], 0.9, 50)
    rule = found.rule
    share = (table.pos + table.neg) / y.size
    grid = np.linspace(0, 1, 2001)
    least = most = 0.0
    for at, a, b, weight in zip(table.thresholds, ends[0][::-1], ends[1][::-1], share, strict=True):
        v = np.concatenate((grid[(grid >= a) & (grid <= b)], [a, b]))
        own = v * float(rule.of_positive(np.asarray(at))) + (1 - v) * float(rule.of_negative(np.asarray(at)))
        lost = np.maximum(own - rule.at_least(v, 1 - v), 0.0)
        least += weight * lost.min()
        most += weight * lost.max()
    assert (low, high) == pytest.approx((least, most), abs=2e-4)
    assert low <= found.miscalibration <= high


def test_the_null_is_a_mean_and_a_quantile():
    from thresher._inference.calibration.calibration_tests import null_miscalibration

    y, x = rows()
    table = th.Scores(y, x)
    drawn = null_miscalibration(ProperScore("brier"), table.thresholds, table.pos + table.neg, 50, 5)
    found = table.calibration().decomposition().null(n_resamples=50, rng=5)
    assert (found.mean, found.quantile_95, found.n_resamples) == (
        pytest.approx(drawn.mean()),
        pytest.approx(np.quantile(drawn, 0.95)),
        50,
    )
    # With the data themselves they are a thousand, so that p-values end after three digits.
    assert table.calibration().decomposition().null(rng=5).n_resamples + 1 == 1000


@pytest.mark.parametrize("part", ["miscalibration", "discrimination", "skill"])
def test_a_part_of_a_resample_is_that_of_its_rows(part):
    # Scores that were not drawn, or once only.
    x = np.array([0.9, 0.8, 0.7, 0.5, 0.4, 0.2, 0.1])
    pos, neg = np.array([3, 0, 1, 0, 1, 0, 0]), np.array([1, 1, 0, 0, 2, 1, 4])
    rule = ProperScore("brier")
    found = _part(part, rule, pos, neg, (rule.of_positive(x), rule.of_negative(x)))
    y = np.repeat([1.0, 0.0], [pos.sum(), neg.sum()])
    assert found == pytest.approx(parts_of_rows(y, np.concatenate((np.repeat(x, pos), np.repeat(x, neg))))[part])


def test_refusals():
    with pytest.raises(th.UndefinedMetricError, match="Skill needs both classes"):
        _ = th.Scores([1, 1], [0.4, 0.6]).calibration().decomposition().skill
    with pytest.warns(th.ThresherWarning, match="infinite"):
        infinite = th.Scores([1, 0, 1, 0], [0.0, 0.2, 0.6, 0.4]).calibration().decomposition("log")
    for part in ("mean", "skill", "miscalibration"):
        with pytest.raises(th.UndefinedMetricError, match="must be finite to have an interval"):
            infinite.confidence_interval(part)
    infinite.confidence_interval("discrimination", n_resamples=100, rng=0)
    plain = th.Scores(*rows()).calibration().decomposition()
    with pytest.raises(th.InvalidInputError, match="`method` must be"):
        plain.confidence_interval("mean", method="bootstrap")
    with pytest.raises(th.InvalidInputError, match="`n_resamples`"):
        plain.confidence_interval("skill", n_resamples=99)
    with pytest.raises(th.InvalidInputError, match="`n_resamples` must be at least 10; got 9"):
        plain.null(n_resamples=9)
    assert plain.null(n_resamples=10, rng=0).n_resamples == 10
    assert "; skill" in repr(plain)
    assert "; skill" not in repr(th.Scores([1, 1], [0.4, 0.6]).calibration().decomposition())
