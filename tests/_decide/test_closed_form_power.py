"""Closed forms against reference values, and what must hold of any power."""

import json
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from scipy.stats import norm

from thresher._decide.planned_areas import area_power, auc_variance, noninferiority, two_auc_variance
from thresher._decide.planned_rates import critical_count, rate_power, rate_size
from thresher._decide.question import least_size, rejection

CASES = json.loads((Path(__file__).parents[1] / "reference" / "uncertainty.json").read_text())["power"]


def number(text):
    return float(Fraction(text))


def cases(kind):
    return [case for case in CASES if case["kind"] == kind]


def side(case):
    return "two-sided" if case["sided"] == 2 else "greater"


@pytest.mark.parametrize("case", cases("normal"))
def test_normal(case):
    error = number(case["se"])
    assert rejection(number(case["effect"]), error, error, number(case["alpha"]), side(case)) == pytest.approx(
        number(case["power"]), rel=1e-12
    )


@pytest.mark.parametrize("case", cases("one AUC, Hanley-McNeil"))
def test_one_area(case):
    auc, null = number(case["auc"]), number(case["null"])
    sizes = case["n_pos"], case["n_neg"]
    found = area_power(
        auc - null, (auc_variance(null), auc_variance(auc)), sizes, number(case["alpha"]), side(case), None
    )
    assert found == pytest.approx(number(case["power"]), rel=1e-12)


@pytest.mark.parametrize("case", cases("two AUCs, Hanley-McNeil"))
def test_two_areas(case):
    a, b = number(case["auc_a"]), number(case["auc_b"])
    variance = two_auc_variance(a, b, number(case["correlation"]))
    margin = number(case["margin"]) or None
    found = area_power(
        a - b, (variance, variance), (case["n_pos"], case["n_neg"]), number(case["alpha"]), side(case), margin
    )
    assert found == pytest.approx(number(case["power"]), rel=1e-12)


@pytest.mark.parametrize("case", cases("one AUC, n for power"))
def test_size_for_one_area(case):
    auc, null, ratio = number(case["auc"]), number(case["null"]), Fraction(case["ratio_neg_to_pos"])
    variances = auc_variance(null), auc_variance(auc)

    def reached(n):
        sizes = n, -(-n * ratio.numerator // ratio.denominator)
        return area_power(auc - null, variances, sizes, number(case["alpha"]), side(case), None) >= number(
            case["asked_power"]
        )

    assert least_size(reached) == case["n_pos"]


@pytest.mark.parametrize("case", cases("rate, exact one-sided"))
def test_rate(case):
    null, true, n, level = number(case["null"]), number(case["true"]), case["n"], number(case["alpha"])
    assert critical_count(null, n, level) == case["critical_count"]
    assert rate_power(null, true, n, level) == pytest.approx(number(case["power"]), rel=1e-12)
    # The same study, its cases counted the other way round.
    assert rate_power(1 - null, 1 - true, n, level, "less") == pytest.approx(number(case["power"]), rel=1e-9)


@pytest.mark.parametrize("case", cases("rate, n for power"))
def test_size_for_a_rate(case):
    arguments = number(case["null"]), number(case["true"])
    level, power = number(case["alpha"]), number(case["asked_power"])
    assert rate_size(*arguments, power, level) == case["n"]
    assert rate_power(*arguments, case["n"] - 1, level) < power


def counted_power(null, true, n, level, alternative):
    """By fractions, count by count: a tail that is no likelier than the level, or half of it, is rejected."""

    def chance(share, counts):
        return sum(comb(n, k) * share**k * (1 - share) ** (n - k) for k in counts)

    tail = level / 2 if alternative == "two-sided" else level
    uppers = [range(k, n + 1) for k in range(n + 2)] if alternative != "less" else []
    lowers = [range(k + 1) for k in range(n, -2, -1)] if alternative != "greater" else []
    both = (next(tail_ for tail_ in tails if chance(null, tail_) <= tail) for tails in (uppers, lowers) if tails)
    return sum(chance(true, rejected) for rejected in both)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("null", "true"), [("1/2", "4/5"), ("1/2", "1/5"), ("9/10", "19/20")])
def test_a_rate_by_counting(null, true, alternative):
    null, true, level = Fraction(null), Fraction(true), Fraction(1, 20)
    for n in (1, 4, 7, 12):
        want = counted_power(null, true, n, level, alternative)
        assert rate_power(float(null), float(true), n, 0.05, alternative) == pytest.approx(float(want), abs=1e-12)


@pytest.mark.parametrize(
    ("null", "true", "power", "alternative"),
    [
        ("1/100", "99/100", 0.9, "greater"),  # one case is enough
        ("1/10", "9/10", 0.9, "greater"),
        ("1/2", "9/10", 0.8, "two-sided"),
        ("1/2", "1/10", 0.8, "two-sided"),
        ("1/2", "1/10", 0.8, "less"),
    ],
)
def test_no_larger_study_than_the_one_found_has_less_power(null, true, power, alternative):
    null, true = Fraction(null), Fraction(true)
    short = [n for n in range(25) if counted_power(null, true, n, Fraction(1, 20), alternative) < power]
    assert rate_size(float(null), float(true), power, 0.05, alternative) == short[-1] + 1


def test_power_is_symmetric_and_is_the_level_without_a_difference():
    there, back = two_auc_variance(0.8, 0.7, 0.4), two_auc_variance(0.7, 0.8, 0.4)
    assert area_power(0.1, (there, there), (40, 90), 0.05, "two-sided", None) == area_power(
        -0.1, (back, back), (40, 90), 0.05, "two-sided", None
    )
    same = two_auc_variance(0.8, 0.8, 0.4)
    assert area_power(0.0, (same, same), (40, 90), 0.05, "two-sided", None) == pytest.approx(0.05, rel=1e-12)


@pytest.mark.parametrize(("difference", "sides"), [(0.1, {"two-sided", "greater"}), (-0.1, {"two-sided", "less"})])
def test_an_estimate_without_error_is_found_on_its_own_side(difference, sides):
    for alternative in ("two-sided", "greater", "less"):
        assert rejection(difference, 0.0, 0.0, 0.05, alternative) == float(alternative in sides)
        # Beyond 1.96 or 1.64 standard errors of the test, which is 0.08, or short of them.
        assert rejection(difference, 0.04, 0.0, 0.05, alternative) == float(alternative in sides)
        assert rejection(difference, 0.08, 0.0, 0.05, alternative) == 0.0
        assert rejection(0.0, 0.0, 0.0, 0.05, alternative) == 0.05


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_two_errors_that_differ(alternative):
    """The test takes 0.7, the estimate has 1: the normal law beyond the borders of the test."""
    tail = 0.05 if alternative == "two-sided" else 0.1
    border = 0.7 * norm.isf(tail)
    up, down = norm.sf(border, 0.6), norm.cdf(-border, 0.6)
    want = {"two-sided": up + down, "greater": up, "less": down}[alternative]
    assert rejection(0.6, 0.7, 1.0, 0.1, alternative) == pytest.approx(want, rel=1e-12)


def test_a_margin_without_error():
    for sign, alternative in ((1, "greater"), (-1, "less")):
        chances = [noninferiority(sign * d, 0.25, 0.0, 0.05, alternative) for d in (-0.5, -0.25, 0.0, 0.5)]
        assert chances == [0.0, 0.05, 1.0, 1.0]


def test_no_size_is_enough_for_no_difference():
    with pytest.raises(ArithmeticError):
        least_size(lambda _: False)
