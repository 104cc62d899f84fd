"""Plans of studies of calls, against every table of counts written out and judged by the public tests and intervals."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._inference.rates import mcnemar, net_benefit_bounds, ratio_excluded
from thresher._inference.rates.two_rates import ratio_bounds

CALLS = th.planning.SupposedCalls(tpr=0.8, fpr=0.25, prevalence=0.3)
SIDES = ("two-sided", "greater", "less")


def binomial(k, n, p):
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def paired(n, a, b, discordant, judge):
    """Return the power over all tables (a only, b only) of n cases."""
    only_a, only_b = (discordant + a - b) / 2, (discordant - a + b) / 2
    total = 0.0
    for i in range(n + 1):
        for j in range(n + 1 - i):
            if judge(i, j):
                ways = comb(n, i) * comb(n - i, j)
                total += ways * only_a**i * only_b**j * (1 - discordant) ** (n - i - j)
    return total


@pytest.mark.parametrize(
    ("a", "b", "discordant"), [(0.9, 0.7, 0.3), (0.7, 0.9, 0.24), (0.8, 0.8, 0.2), (0.95, 0.6, 0.41)]
)
def test_two_tests_on_the_same_cases(a, b, discordant):
    found = th.power(rate=(a, b), discordant=discordant, n=40)
    assert found.power == pytest.approx(paired(40, a, b, discordant, lambda i, j: mcnemar(i, j) <= 0.05), rel=1e-10)
    assert (found.method, found.n) == ("mid-p McNemar", 40)
    up = th.power(rate=(a, b), discordant=discordant, n=40, alternative="greater", significance_level=0.025).power
    down = th.power(rate=(a, b), discordant=discordant, n=40, alternative="less", significance_level=0.025).power
    assert up + down == pytest.approx(found.power, rel=1e-12)


def test_calls_that_are_independent_differ_most_often():
    given = th.power(rate=(0.9, 0.8), discordant=0.9 * 0.2 + 0.8 * 0.1, n=100)
    assert th.power(rate=(0.9, 0.8), n=100).power == pytest.approx(given.power, rel=1e-12)
    # One test that finds all that the other finds: nobody is called by the second alone.
    assert th.power(rate=(0.9, 0.8), discordant=0.1, n=100).power > th.power(rate=(0.9, 0.8), n=100).power


def alarms(n, judge):
    """Return the power over all numbers of calls and of right ones among them."""
    called, total = CALLS.alert_rate, 0.0
    for i in range(n + 1):
        for right in range(i + 1):
            if judge(right, i):
                total += binomial(i, n, called) * binomial(right, i, CALLS.precision)
    return total


@pytest.mark.parametrize("alternative", SIDES)
def test_precision_is_tested_exactly_among_those_called(alternative):
    def judge(right, called):
        level = 0.05 if alternative == "two-sided" else 0.1
        if called == 0:
            return False
        above, below = (stats.binomtest(right, called, 0.35, alternative=side).pvalue for side in ("greater", "less"))
        wanted = {"greater": [above], "less": [below], "two-sided": [above, below]}[alternative]
        return min(wanted) <= level

    found = th.power(calls=CALLS, metric="ppv", null=0.35, n=30, alternative=alternative, significance_level=0.1)
    assert found.power == pytest.approx(alarms(30, judge), rel=1e-10)
    assert found.difference == pytest.approx(CALLS.precision - 0.35)


def test_npv_is_precision_of_the_mirrored_test():
    other = th.planning.SupposedCalls(tpr=0.75, fpr=0.2, prevalence=0.7)
    assert other.precision == pytest.approx(CALLS.npv)
    mine = th.power(calls=CALLS, metric="npv", null=0.8, n=60).power
    assert mine == pytest.approx(th.power(calls=other, metric="precision", null=0.8, n=60).power, rel=1e-12)


@pytest.mark.parametrize("metric", ["lr_positive", "lr_negative"])
@pytest.mark.parametrize("alternative", SIDES)
def test_likelihood_ratios_by_their_interval(metric, alternative):
    null = 1.8 if metric == "lr_positive" else 0.5
    total = 0.0
    for tp in range(16):
        for fp in range(21):
            point = th.results.OperatingPoint(threshold=0.0, tp=tp, fp=fp, fn=15 - tp, tn=20 - fp)
            if (tp == 0 == fp) or (metric == "lr_negative" and (tp == 15 and fp == 20)):
                low, high = 0.0, float("inf")
            else:
                low, high = getattr(point, metric)().confidence_interval(0.95 if alternative == "two-sided" else 0.9)
            hit = (low > null and alternative != "less") or (high < null and alternative != "greater")
            total += hit * binomial(tp, 15, 0.8) * binomial(fp, 20, 0.25)
    found = th.power(calls=CALLS, metric=metric, null=null, n_pos=15, n_neg=20, alternative=alternative)
    assert found.power == pytest.approx(total, rel=1e-9)


def test_excluded_ratios_are_those_outside_the_limits():
    for x1, x2 in np.ndindex(11, 8):
        found = ratio_excluded(np.array([float(x1)]), 10, np.array([float(x2)]), 7, 1.3, 0.9)
        low, high = ratio_bounds(x1, 10, x2, 7, 0.9, "bayes")
        assert [one.item() for one in found] == [low > 1.3, high < 1.3], (x1, x2)


@pytest.mark.parametrize("null", [None, 0.1])
@pytest.mark.parametrize("alternative", SIDES)
def test_net_benefit_by_its_interval(null, alternative):
    n, found, alarmed, weight = 30, 0.3 * 0.8, 0.7 * 0.25, 0.25
    level = 0.95 if alternative == "two-sided" else 0.9
    total = 0.0
    for tp in range(n + 1):
        for fp in range(n + 1 - tp):
            low, high = (end.item() for end in net_benefit_bounds(tp, fp, n, 0, weight, None, level))
            at = null or 0.0
            if (low > at and alternative != "less") or (high < at and alternative != "greater"):
                ways = comb(n, tp) * comb(n - tp, fp)
                total += ways * found**tp * alarmed**fp * (1 - found - alarmed) ** (n - tp - fp)
    plan = th.power(calls=CALLS, metric=th.measures.NetBenefit(0.2), null=null, n=n, alternative=alternative)
    assert plan.power == pytest.approx(total, rel=1e-9)
    assert plan.method == "enumerated"


@pytest.mark.parametrize(
    "plan",
    [
        {"rate": (0.9, 0.75), "discordant": 0.25},
        {"calls": CALLS, "metric": "precision", "null": 0.4},
        {"calls": CALLS, "metric": "npv", "null": 0.8},
        {"calls": CALLS, "metric": "lr_positive", "null": 2.0, "ratio": 2.0},
        {"calls": CALLS, "metric": "lr_negative", "null": 0.5},
        {"calls": CALLS, "metric": th.measures.NetBenefit(0.2), "null": 0.1},
    ],
)
def test_sizes_reach_their_power_and_one_less_does_not(plan):
    found = th.sample_size(**plan, power=0.8)
    given = {key: part for key, part in plan.items() if key != "ratio"}

    def at(n_pos):
        if str(plan.get("metric", "")).startswith("lr_"):
            return th.power(**given, n_pos=n_pos, n_neg=int(np.ceil(plan.get("ratio", 1.0) * n_pos))).power
        return th.power(**given, n=n_pos).power

    size = int(found.n_pos) if str(plan.get("metric", "")).startswith("lr_") else found.n
    assert at(size) == found.power >= 0.8
    assert at(size - 1) < 0.8
    assert all(at(size + more) >= 0.8 for more in range(1, 6))
    # The normal law is not far off.
    ratio = abs(th.power(**given, **_sizes(found, plan)).difference) / found.standard_error
    assert 0.5 < stats.norm.sf(1.96 - ratio) < 0.95


def _sizes(found, plan):
    if str(plan.get("metric", "")).startswith("lr_"):
        return {"n_pos": int(found.n_pos), "n_neg": int(found.n_neg)}
    return {"n": found.n}


def test_standard_errors():
    share = th.power(calls=CALLS, metric="precision", null=0.5, n=1000)
    assert share.standard_error == pytest.approx(
        (CALLS.precision * (1 - CALLS.precision) / (1000 * CALLS.alert_rate)) ** 0.5
    )
    ratio = th.power(calls=CALLS, metric="lr_positive", null=2.0, n_pos=100, n_neg=300)
    assert ratio.standard_error == pytest.approx(3.2 * (0.2 / (0.8 * 100) + 0.75 / (0.25 * 300)) ** 0.5)
    p, q, w = 0.3 * 0.8, 0.7 * 0.25, 0.25
    benefit = th.power(calls=CALLS, metric=th.measures.NetBenefit(0.2), n=1000)
    assert benefit.standard_error == pytest.approx(((p + w * w * q - (p - w * q) ** 2) / 1000) ** 0.5)
    assert th.power(rate=(0.9, 0.8), discordant=0.2, n=400).standard_error == pytest.approx(((0.2 - 0.01) / 400) ** 0.5)


def test_without_a_difference_the_power_is_at_most_the_level():
    assert 0.0 < th.power(rate=(0.8, 0.8), discordant=0.2, n=300).power <= 0.055  # mid-p may pass it by a little
    assert th.power(calls=CALLS, metric="precision", null=CALLS.precision, n=300).power <= 0.05


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: th.power(rate=(0.9, 0.8), discordant=0.05, n=20), "`discordant` must be from 0.1 to 0.3"),
        (lambda: th.power(rate=(0.9, 0.8), null=0.5, n=20), "`null` must be left out with two rates"),
        (lambda: th.power(rate=(0.9, 0.8, 0.7), n=20), "`rate` must be one number, or two"),
        (lambda: th.power(rate=0.9, null=0.8, discordant=0.1, n=20), "`discordant` must go with two rates"),
        (lambda: th.power(calls=CALLS, metric="precision", n=20), "`null` must be given with `calls`"),
        (lambda: th.power(calls=CALLS, metric="recall", null=0.5, n=20), "give `rate=` with `null=`"),
        (lambda: th.power(calls=CALLS, metric="net_benefit", n=20), "th.measures.NetBenefit(0.2)"),
        (lambda: th.power(calls=CALLS, metric="roc_auc", null=0.5, n=20), "`metric` must be"),
        (lambda: th.power(calls=CALLS, metric="precision", null=2, n=20), "in (0, 1) for a predictive value; got 2"),
        (lambda: th.power(calls=CALLS, metric="lr_positive", null=0, n_pos=20, n_neg=20), "above 0"),
        (lambda: th.power(calls=CALLS, metric="lr_positive", null=2, n=20), "`n_pos` and `n_neg` must be given"),
        (lambda: th.power(calls=CALLS, metric="precision", null=0.5, n_pos=2, n_neg=2), "and `n` alone"),
        (lambda: th.power(calls=CALLS, auc=0.8, metric="precision", null=0.5, n=20), "must be given alone"),
        (
            lambda: th.power(calls=CALLS, metric=th.measures.NetBenefit(0.2, prevalence=0.1), n=20),
            "must not have a prevalence of its own",
        ),
        (
            lambda: th.power(calls=th.planning.SupposedCalls(0.9, 0.1), metric="precision", null=0.5, n=20),
            "must have a `prevalence`",
        ),
        (
            lambda: th.sample_size(calls=CALLS, metric="precision", null=0.9, power=0.8, alternative="greater"),
            "no number of cases has the power 0.8",
        ),
    ],
)
def test_refusals(call, message):
    with pytest.raises(th.InvalidInputError) as caught:
        call()
    assert message in str(caught.value)


def test_tests_may_differ_as_often_as_two_rates_allow():
    """No case is right by both, or none wrong by both; and not once more."""
    for rates, most in (((0.9, 0.8), 0.3), ((0.3, 0.1), 0.4), ((0.5, 0.5), 1.0)):
        assert 0.0 < th.power(rate=rates, discordant=most, n=20).power < 1.0
        with pytest.raises(th.InvalidInputError, match="`discordant` must be from"):
            th.power(rate=rates, discordant=most + 1e-9, n=20)
    least = th.power(rate=(0.75, 0.5), discordant=0.25, n=20)  # what the second finds, the first finds too
    assert least.standard_error == pytest.approx((0.25 * 0.75 / 20) ** 0.5)


def test_calls_are_supposed_calls():
    with pytest.raises(th.InvalidTypeError, match="`calls` must be SupposedCalls"):
        th.power(calls=0.9, metric="precision", null=0.5, n=20)
