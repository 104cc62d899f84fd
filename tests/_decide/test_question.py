"""What a planned test is to find: differences and variances by hand, a pilot's by the placements of its rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th


def area(auc=None, **given):
    return th.planning.area(auc, **given)


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
    found = area(0.8, null=0.6)
    assert (found.difference, found.null) == (pytest.approx(0.2), 0.6)
    assert found.power(n_pos=20, n_neg=50).standard_error ** 2 == pytest.approx(hanley_mcneil(0.8, 20, 50))
    z = stats.norm.ppf(0.975) * math.sqrt(hanley_mcneil(0.6, 20, 50))
    spread = math.sqrt(hanley_mcneil(0.8, 20, 50))
    want = stats.norm.sf((z - 0.2) / spread) + stats.norm.cdf((-z - 0.2) / spread)
    assert found.power(n_pos=20, n_neg=50).power == pytest.approx(want)


def test_chance_is_the_null_by_default():
    assert area(0.7).difference == pytest.approx(0.2)
    assert area(0.7).null == 0.5


@pytest.mark.parametrize("correlation", [-0.3, 0.0, 0.6])
def test_two_areas(correlation):
    found = area((0.85, 0.75), correlation=correlation)
    a, b = hanley_mcneil(0.85, 30, 40), hanley_mcneil(0.75, 30, 40)
    want = a + b - 2 * correlation * math.sqrt(a * b)
    answer, at = found.power(n_pos=30, n_neg=40), stats.norm.ppf(0.975)
    assert answer.standard_error**2 == pytest.approx(want)
    lead = 0.1 / math.sqrt(want)  # the variance under the null hypothesis is the same
    assert answer.power == pytest.approx(stats.norm.cdf(lead - at) + stats.norm.cdf(-lead - at))
    assert (found.difference, found.null, found.correlation) == (pytest.approx(0.1), 0.0, correlation)


def test_a_margin_makes_the_test_one_sided_and_power_the_normal_one():
    found = area((0.8, 0.8), correlation=0.5, margin=0.05)
    assert (found.alternative, found.margin) == ("greater", 0.05)
    spread = math.sqrt(hanley_mcneil(0.8, 60, 60))  # 2 v - 2 v / 2
    assert found.power(n_pos=60, n_neg=60).power == pytest.approx(stats.norm.cdf(0.05 / spread - stats.norm.ppf(0.95)))
    assert area((0.8, 0.8), margin=0.05, alternative="less").alternative == "less"


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_rate_has_the_alternative_asked_for(alternative):
    found = th.planning.rate(0.95, null=0.9, alternative=alternative)
    assert (found.difference, found.null) == (pytest.approx(0.05), 0.9)
    assert found.power(50).standard_error == pytest.approx(math.sqrt(0.95 * 0.05 / 50))
    assert found.alternative == alternative


def test_a_pilot_of_one_marker_has_its_placements_variance():
    y, new, _ = pilot_data()
    pos, neg = placements(y, new)
    found = th.planning.pilot(th.Scores(y, new), null=0.55)
    assert found.method == "pilot"
    assert found.difference == pytest.approx(pos.mean() - 0.55)
    answer, at = found.power(n_pos=11, n_neg=30), stats.norm.ppf(0.975)
    assert answer.standard_error**2 == pytest.approx(pos.var(ddof=1) / 11 + neg.var(ddof=1) / 30)
    lead = found.difference / answer.standard_error  # the variance under the null hypothesis is the same
    assert answer.power == pytest.approx(stats.norm.cdf(lead - at) + stats.norm.cdf(-lead - at))
    assert th.planning.pilot(th.Scores(y, new), auc=0.9).difference == pytest.approx(0.4)


def test_a_pilot_of_two_markers_has_the_variance_of_their_difference():
    y, new, old = pilot_data()
    (pos_a, neg_a), (pos_b, neg_b) = placements(y, new), placements(y, old)
    found = th.planning.pilot((y, {"new": new, "old": old}))
    assert found.difference == pytest.approx(pos_a.mean() - pos_b.mean())
    assert found.null == 0.0  # equal areas
    pos, neg = (pos_a - pos_b).var(ddof=1), (neg_a - neg_b).var(ddof=1)
    assert found.power(n_pos=11, n_neg=30).standard_error ** 2 == pytest.approx(pos / 11 + neg / 30)
    covariance = np.cov(pos_a, pos_b) / pos_a.size + np.cov(neg_a, neg_b) / neg_a.size
    rho = covariance[0, 1] / math.sqrt(covariance[0, 0] * covariance[1, 1])
    assert found.correlation == pytest.approx(rho)
    assert th.planning.pilot((y, {"new": new, "old": old}), auc=(0.9, 0.6)).difference == pytest.approx(0.3)


def test_a_pilot_without_errors_has_no_correlation():
    y = np.array([True, True, False, False])
    s = y.astype(float)
    assert th.planning.pilot((y, {"a": s, "b": s})).correlation == 0.0


def test_few_cases_are_said():
    with pytest.warns(th.ThresherWarning, match="A power with 9 cases of a class is rough"):
        area(0.8).power(n_pos=9, n_neg=100)
    area(0.8).power(n_pos=10, n_neg=100)  # and no warning


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "one of a population, `auc`, `rate`, `calls` and `pilot` must be given; got none."),
        ({"rate": 0.9}, "`null` must be given with `rate`: the rate under the null hypothesis."),
        (
            {"rate": 0.9, "auc": 0.8, "null": 0.5},
            "`rate` must be given alone; got `auc` beside it. Hint: leave the others out.",
        ),
        (
            {"rate": 0.9, "margin": 0.1},
            "`margin` is no part of this question. Hint: see `th.planning.rate`, which asks it.",
        ),
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
        th.power(**given, n_pos=20, n_neg=20)
    assert str(caught.value) == message


def test_one_correlation_at_each_end_is_allowed():
    assert [area((0.8, 0.7), correlation=end).correlation for end in (-1, 1)] == [-1.0, 1.0]


def test_the_two_functions_find_the_question():
    y, new, old = pilot_data(60, 80)
    two = (y, {"new": new, "old": old})
    calls = th.planning.SupposedCalls(tpr=0.9, fpr=0.05, prevalence=0.1)
    weak, strong = (th.Population(stats.norm(shift), stats.norm(), prevalence=0.3) for shift in (1.0, 1.4))
    for question, given, cases in (
        (th.planning.area(0.8, null=0.7), {"auc": 0.8, "null": 0.7}, {"n_pos": 40, "n_neg": 50}),
        (th.planning.rate(0.9, null=0.8), {"rate": 0.9, "null": 0.8}, {"n": 60}),
        (th.planning.rate((0.9, 0.8)), {"rate": (0.9, 0.8)}, {"n": 60}),
        (th.planning.cutoff(calls, "npv", null=0.9), {"calls": calls, "metric": "npv", "null": 0.9}, {"n": 80}),
        (th.planning.pilot(two), {"pilot": two, "metric": "auc"}, {"n_pos": 90, "n_neg": 90}),
        (th.planning.pilot(two, "pr_auc"), {"pilot": two, "metric": "pr_auc"}, {"n": 300}),
    ):
        assert question.power(**cases) == th.power(**given, **cases)
        assert question.size(0.7) == th.sample_size(**given, power=0.7)
    assert th.planning.populations(strong, weak).power(200) == th.power(strong, weak, n=200)


def test_populations_have_a_size_too():
    weak, strong = (th.Population(stats.norm(shift), stats.norm(), prevalence=0.3) for shift in (1.0, 1.4))
    question = th.planning.populations(strong, weak)
    found = question.size(0.8)
    assert question.power(found.n - 1).power < 0.8 <= found.power == question.power(found.n).power
    alone = th.sample_size(weak, power=0.9)
    assert th.power(weak, n=alone.n).power == alone.power >= 0.9
    with pytest.raises(th.InvalidInputError, match="no number of cases has the power"):
        th.planning.populations(weak, strong, alternative="greater").size(0.8)


def test_the_other_cases_are_asked_for():
    with pytest.raises(th.InvalidInputError, match="`n_pos` and `n_neg` must be given with `auc`"):
        th.planning.area(0.8).power(100)
    with pytest.raises(th.InvalidInputError, match="`n` must be given alone"):
        th.planning.rate(0.9, null=0.8).power(n_pos=10, n_neg=10)
