"""What a planned test is to find: differences and variances by hand, a pilot's by the placements of its rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._decide.aim import Aim

LEVEL = 0.05


def aim(auc=None, rate=None, null=None, margin=None, correlation=0.0, pilot=None, alternative="two-sided") -> Aim:
    return Aim.checked(auc, rate, null, margin, correlation, pilot, LEVEL, alternative)


def hanley_mcneil(a: float, n_pos: int, n_neg: int) -> float:
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    return (a * (1 - a) + (n_pos - 1) * (q1 - a * a) + (n_neg - 1) * (q2 - a * a)) / (n_pos * n_neg)


def placements(y, s):
    """Return, pair by pair, which share of the other class each case beats or is beaten by."""
    wins = (s[y][:, None] > s[~y][None, :]) + 0.5 * (s[y][:, None] == s[~y][None, :])
    return wins.mean(axis=1), wins.mean(axis=0)


def pilot_data(n_pos: int = 7, n_neg: int = 13):
    rng = np.random.default_rng(2)
    y = np.arange(n_pos + n_neg) < n_pos
    new = np.round(rng.normal(1.5 * y), 1)
    old = np.round(0.5 * new + rng.normal(0.5 * y), 1)
    assert np.unique(np.concatenate((new, old))).size < 2 * y.size  # ties
    return y, new, old


def test_one_area_against_a_null():
    found = aim(0.8, null=0.6)
    assert (found.difference, found.null) == (pytest.approx(0.2), 0.6)
    under, supposed = found.variances
    assert under(20, 50) == pytest.approx(hanley_mcneil(0.6, 20, 50))
    assert supposed(20, 50) == pytest.approx(hanley_mcneil(0.8, 20, 50))
    z = stats.norm.ppf(0.975) * math.sqrt(hanley_mcneil(0.6, 20, 50))
    spread = math.sqrt(hanley_mcneil(0.8, 20, 50))
    want = stats.norm.sf((z - 0.2) / spread) + stats.norm.cdf((-z - 0.2) / spread)
    assert found.power((20, 50)) == pytest.approx(want)


def test_chance_is_the_null_by_default():
    assert aim(0.7).difference == pytest.approx(0.2)
    assert aim(0.7).null == 0.5


@pytest.mark.parametrize("correlation", [-0.3, 0.0, 0.6])
def test_two_areas(correlation):
    found = aim((0.85, 0.75), correlation=correlation)
    a, b = hanley_mcneil(0.85, 30, 40), hanley_mcneil(0.75, 30, 40)
    want = a + b - 2 * correlation * math.sqrt(a * b)
    assert [variance(30, 40) for variance in found.variances] == pytest.approx([want, want])
    assert (found.difference, found.null, found.correlation) == (pytest.approx(0.1), 0.0, correlation)


def test_a_margin_makes_the_test_one_sided_and_power_the_normal_one():
    found = aim((0.8, 0.8), correlation=0.5, margin=0.05)
    assert (found.alternative, found.margin) == ("greater", 0.05)
    spread = math.sqrt(hanley_mcneil(0.8, 60, 60))  # 2 v - 2 v / 2
    assert found.power((60, 60)) == pytest.approx(stats.norm.cdf(0.05 / spread - stats.norm.ppf(0.95)))
    assert aim((0.8, 0.8), margin=0.05, alternative="less").alternative == "less"


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_rate_has_the_alternative_asked_for(alternative):
    found = aim(rate=0.95, null=0.9, alternative=alternative)
    assert (found.difference, found.rate, found.null) == (pytest.approx(0.05), 0.95, 0.9)
    assert found.alternative == alternative


def test_a_pilot_of_one_marker_has_its_placements_variance():
    y, new, _ = pilot_data()
    pos, neg = placements(y, new)
    found = aim(pilot=th.Scores(y, new), null=0.55)
    assert found.method == "pilot"
    assert found.difference == pytest.approx(pos.mean() - 0.55)
    for variance in found.variances:
        assert variance(11, 30) == pytest.approx(pos.var(ddof=1) / 11 + neg.var(ddof=1) / 30)
    assert aim(0.9, pilot=th.Scores(y, new)).difference == pytest.approx(0.4)


def test_a_pilot_of_two_markers_has_the_variance_of_their_difference():
    y, new, old = pilot_data()
    (pos_a, neg_a), (pos_b, neg_b) = placements(y, new), placements(y, old)
    found = aim(pilot=(y, {"new": new, "old": old}), correlation=None)
    assert found.difference == pytest.approx(pos_a.mean() - pos_b.mean())
    assert found.null == 0.0  # equal areas
    pos, neg = (pos_a - pos_b).var(ddof=1), (neg_a - neg_b).var(ddof=1)
    assert found.variances[1](11, 30) == pytest.approx(pos / 11 + neg / 30)
    covariance = np.cov(pos_a, pos_b) / pos_a.size + np.cov(neg_a, neg_b) / neg_a.size
    rho = covariance[0, 1] / math.sqrt(covariance[0, 0] * covariance[1, 1])
    assert found.correlation == pytest.approx(rho)
    assert aim((0.9, 0.6), pilot=(y, {"new": new, "old": old})).difference == pytest.approx(0.3)


def test_a_pilot_without_errors_has_no_correlation():
    y = np.array([True, True, False, False])
    s = y.astype(float)
    assert aim(pilot=(y, {"a": s, "b": s})).correlation == 0.0


def test_few_cases_are_said():
    with pytest.warns(th.ThresherWarning, match="A power with 9 cases of a class is rough"):
        aim(0.8).warn_few((9, 100))
    aim(0.8).warn_few((10, 100))  # and no warning


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "one of a population, `auc`, `rate`, `calls` and `pilot` must be given; got none."),
        ({"rate": 0.9}, "`null` must be given with `rate`: the rate under the null hypothesis."),
        (
            {"rate": 0.9, "auc": 0.8, "null": 0.5},
            "`rate` must be given alone, with `null`. Hint: leave the others out.",
        ),
        ({"rate": 0.9, "margin": 0.1}, "`rate` must be given alone, with `null`. Hint: leave the others out."),
        ({"auc": 1.0}, "`auc` must be a number in (0, 1); got 1.0."),
        ({"auc": 0.0}, "`auc` must be a number in (0, 1); got 0.0."),
        ({"auc": True}, "`auc` must be a number in (0, 1); got True."),
        ({"auc": (0.8,)}, "`auc` must be two areas for two markers; got (0.8,). Hint: `auc=(0.85, 0.8)`."),
        ({"auc": (0.8, 0.7), "correlation": 1.1}, "`correlation` must be in [-1, 1]; got 1.1."),
        (
            {"auc": 0.8, "margin": 1.0},
            "`margin` must be in (0, 1); got 1.0. Hint: it is the largest loss that is still acceptable.",
        ),
    ],
)
def test_messages(given, message):
    with pytest.raises(th.InvalidInputError) as caught:
        aim(**given)
    assert str(caught.value) == message


def test_one_correlation_at_each_end_is_allowed():
    assert [aim((0.8, 0.7), correlation=end).correlation for end in (-1, 1)] == [-1.0, 1.0]
