"""Figures at a cut-off against reference values, their symmetries, and Mercaldo, Lau and Zhou's formula."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from scipy.stats import beta

import thresher as th
from thresher._inference.rates.two_rates import cut_off_figure

CUT_OFF_FIGURES = ("lr_positive", "lr_negative", "dor", "ppv", "npv")
CASES = json.loads((Path(__file__).parents[2] / "reference" / "decisions.json").read_text())["at_cut"]


def number(text: str) -> float:
    return float(text) if text in ("inf", "nan") else float(Fraction(text))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['counts']}-{case.get('prevalence')}")
def test_reference_values(case):
    tp, fn, fp, tn = case["counts"]
    level = number(case["confidence_level"])
    for key, reference in case.items():
        if "." not in key:
            continue
        name, method = key.split(".")
        method = method.removesuffix("-jeffreys")
        shifted = name in ("ppv", "npv") and method != "wilson"
        figure = cut_off_figure(name, tp, fp, fn, tn, number(case["prevalence"]) if shifted else None)
        low, high = figure.confidence_interval(level, method=method)
        assert low == pytest.approx(number(reference["low"]), rel=1e-12)
        assert high == pytest.approx(number(reference["high"]), rel=1e-12)
        if method != "log" or 0 not in case["counts"]:  # there the reference centres on corrected counts
            assert figure.value == pytest.approx(number(reference["value"]), rel=1e-14)


@pytest.mark.parametrize("method", ["bayes", "mover", "score", "log"])
def test_swapping_the_classes_inverts_the_ratios(method):
    here = cut_off_figure("lr_positive", 45, 12, 5, 88).confidence_interval(method=method)
    # Positives and negatives exchange roles, and so do the calls: LR+ becomes 1 / LR-.
    there = cut_off_figure("lr_negative", 88, 5, 12, 45).confidence_interval(method=method)
    assert there.low == pytest.approx(1 / here.high, rel=1e-9)
    assert there.high == pytest.approx(1 / here.low, rel=1e-9)


def test_log_predictive_values_are_those_of_mercaldo_lau_and_zhou():
    tp, fp, fn, tn, prevalence = 45, 12, 5, 88, 0.1
    se, sp = 0.9, 0.88
    logit = math.log(se * prevalence / ((1 - sp) * (1 - prevalence)))
    reach = 1.959963984540054 * math.sqrt((1 - se) / se / 50 + sp / (1 - sp) / 100)
    expected = [1 / (1 + math.exp(-(logit + sign * reach))) for sign in (-1, 1)]
    found = cut_off_figure("ppv", tp, fp, fn, tn, prevalence).confidence_interval(method="log")
    assert tuple(found) == pytest.approx(expected, rel=1e-9)
    wider = cut_off_figure("ppv", tp, fp, fn, tn, prevalence).confidence_interval(method="log", prevalence_cases=500)
    assert wider.low < found.low < found.high < wider.high


def test_zero_counts():
    empty = cut_off_figure("lr_positive", 18, 0, 2, 40)
    assert empty.value == math.inf
    assert empty.confidence_interval().high == math.inf
    assert cut_off_figure("lr_negative", 20, 3, 0, 40).confidence_interval().low == 0.0
    nothing = cut_off_figure("lr_positive", 0, 0, 20, 40)
    assert math.isnan(nothing.value)
    with pytest.warns(th.ThresherWarning, match="No case enters"):
        assert tuple(nothing.confidence_interval()) == (0.0, math.inf)


@pytest.mark.parametrize("matrix", [(0, 12, 0, 88), (45, 0, 5, 0)])
def test_without_a_class_nothing_is_known(matrix):
    tp, fp, fn, tn = matrix
    for name in ("lr_positive", "lr_negative"):
        with pytest.warns(th.ThresherWarning, match="No case enters"):
            assert tuple(cut_off_figure(name, tp, fp, fn, tn).confidence_interval()) == (0.0, math.inf)
    for name in ("ppv", "npv"):
        with pytest.warns(th.ThresherWarning, match="No case enters"):
            assert tuple(cut_off_figure(name, tp, fp, fn, tn, 0.2).confidence_interval()) == (0.0, 1.0)


def test_the_shown_interval_is_that_of_the_share_and_says_at_which_prevalence():
    # 45 of 57 calls are right.
    ends = beta.ppf(0.025, 45, 12.75), beta.ppf(0.975, 45.75, 12)
    assert repr(cut_off_figure("ppv", 45, 12, 5, 88)) == (
        f"ppv 0.79, 95% interval {ends[0]:.2f} to {ends[1]:.2f} (bayes)"
    )
    # 0.1 * 0.9 / (0.1 * 0.9 + 0.9 * 0.12)
    shifted = repr(cut_off_figure("ppv", 45, 12, 5, 88, 0.1))
    assert shifted.startswith("ppv 0.45 at prevalence 0.1, 95% interval 0.")
    assert repr(cut_off_figure("lr_positive", 0, 0, 20, 40)) == "lr_positive nan"


@pytest.mark.parametrize("cells", [(3, 0, 2, 4), (3, 2, 0, 4), (3, 0, 0, 3), (0, 2, 3, 4), (3, 4, 2, 0), (7, 3, 2, 6)])
@pytest.mark.parametrize("name", CUT_OFF_FIGURES)
def test_the_default_interval_contains_the_value_at_empty_cells(name, cells):
    found = cut_off_figure(name, *cells)
    low, high = found.confidence_interval()
    assert low <= found.value <= high
    assert low < high


def test_methods_of_a_point():
    point = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88]).roc().at(threshold=1)
    for name in CUT_OFF_FIGURES:
        assert getattr(point, name)() == cut_off_figure(name, 45, 12, 5, 88)
        assert float(getattr(point, name)()) == getattr(point, name)().value
    assert point.ppv().value == point.precision
    shifted = th.Scores.from_counts([1, 0], pos=[45, 5], neg=[12, 88]).pr(prevalence=0.1).at(threshold=1)
    assert shifted.ppv() == point.ppv(prevalence=shifted.prevalence)
    assert shifted.ppv().value == pytest.approx(shifted.precision)
    with pytest.raises(th.InvalidInputError, match="`method` must be one of 'bayes', 'log'"):
        point.dor().confidence_interval(method="mover")
    with pytest.raises(th.InvalidInputError, match="`prevalence_cases` must come with"):
        point.ppv().confidence_interval(prevalence_cases=100)
