"""Intervals for the rates of an operating point."""

from __future__ import annotations

import math

import pytest

import thresher as th
from thresher._inference.rates.proportion import PROPORTION_METHODS, RATES, proportion_interval, rate_interval
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning

CELLS = {"tp": 40, "fp": 10, "fn": 20, "tn": 130}


@pytest.mark.parametrize("method", PROPORTION_METHODS)
def test_rates_are_proportions(method):
    expected = {
        "precision": (40, 50),
        "recall": (40, 60),
        "tpr": (40, 60),
        "sensitivity": (40, 60),
        "fpr": (10, 140),
        "specificity": (130, 140),
        "tnr": (130, 140),
        "npv": (130, 150),
        "accuracy": (170, 200),
        "predicted_positive_rate": (50, 200),
        "alert_rate": (50, 200),
    }
    assert set(expected) | {"f_beta"} == set(RATES)
    for rate, (count, total) in expected.items():
        found = rate_interval(rate, **CELLS, method=method, confidence_level=0.9)
        assert tuple(found) == tuple(proportion_interval(count, total, method=method, confidence_level=0.9))
        assert (found.method, found.confidence_level) == (method, 0.9)


@pytest.mark.parametrize("method", PROPORTION_METHODS)
def test_f_1_is_a_transformed_proportion(method):
    low, high = proportion_interval(40, 70, method=method)
    assert tuple(rate_interval("f_beta", **CELLS, method=method)) == pytest.approx(
        (2 * low / (1 + low), 2 * high / (1 + high)), rel=1e-14
    )


@pytest.mark.parametrize("method", PROPORTION_METHODS)
@pytest.mark.parametrize("rate", ["precision", "f_beta"])
def test_no_cases(method, rate):
    with pytest.warns(ThresherWarning) as caught:
        found = rate_interval(rate, tp=0, fp=0, fn=0, tn=9, beta=2.0, method=method)
    assert tuple(found) == (0.0, 1.0)
    assert str(caught[0].message) == f'No case enters "{rate}", so its interval is [0, 1].'
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"tp": -1}, InvalidInputError, "`tp` must be at least 0 and below 2**62; got -1."),
        ({"fn": math.inf}, InvalidInputError, "`fn` must be at least 0 and below 2**62; got inf."),
        ({"tn": "9"}, InvalidTypeError, "`tn` must be a number; got '9' of type str."),
        (
            {"beta": 0},
            InvalidInputError,
            "`beta` must be between 1e-06 and 1e+06; got 0. Hint: 1 weighs recall and precision alike.",
        ),
        ({"beta": None}, InvalidTypeError, "`beta` must be a number; got None of type NoneType."),
        (
            {"method": "normal"},
            InvalidInputError,
            "`method` must be one of 'bayes', 'wilson', 'clopper-pearson', 'jeffreys'; got 'normal'.",
        ),
        (
            {"confidence_level": 1.0},
            InvalidInputError,
            "`confidence_level` must be in (0, 1); got 1.0. Hint: 0.95 is usual.",
        ),
    ],
)
def test_bad_input(options, error, message):
    with pytest.raises(error) as caught:
        rate_interval("f_beta", **{**CELLS, **options})
    assert str(caught.value) == message


def test_unknown_rate():
    with pytest.raises(InvalidInputError) as caught:
        rate_interval("f1", **CELLS)
    assert str(caught.value) == (
        "`rate` must be one of 'precision', 'recall', 'fpr', 'specificity', 'npv', 'accuracy', "
        "'predicted_positive_rate', 'tpr', 'sensitivity', 'tnr', 'alert_rate', 'f_beta'; got 'f1'."
    )


@pytest.mark.parametrize("rate", RATES)
def test_point_is_its_counts(rate):
    point = th.results.OperatingPoint(0.5, **CELLS)
    assert rate_interval(rate, point, beta=2.0) == rate_interval(rate, beta=2.0, **CELLS)


@pytest.mark.parametrize("rate", RATES)
def test_other_prevalence_has_no_binomial_precision(rate):
    scores = th.Scores.from_counts([2, 1], pos=[40, 20], neg=[10, 130])
    point = scores.pr(prevalence=0.01).at(threshold=2)
    if rate in ("recall", "tpr", "sensitivity", "fpr", "specificity", "tnr"):
        assert rate_interval(rate, point) == rate_interval(rate, **CELLS)
        return
    with pytest.raises(InvalidInputError) as caught:
        rate_interval(rate, point)
    assert str(caught.value) == (
        f'"{rate}" must be that of the sample to have this interval; the point refers to the prevalence 0.01. '
        "Hint: `scores.pr_band([recall], prevalence=...)` has an interval for precision."
    )


@pytest.mark.parametrize(
    ("point", "cells", "error", "message"),
    [
        (
            None,
            {"tp": 1, "tn": 2},
            InvalidInputError,
            "`tp`, `fp`, `fn` and `tn` must all be given unless there is a `point`; got no `fp`, `fn`. "
            "Hint: pass an operating point, such as `scores.roc().at(threshold=0.5)`.",
        ),
        (
            40,
            {"fp": 1},
            InvalidTypeError,
            "`point` must be an OperatingPoint; got 40 of type int. Hint: give counts by name, as in tp=40.",
        ),
        (
            th.results.OperatingPoint(0.5, **CELLS),
            {"fp": 1},
            InvalidInputError,
            "Counts must not be given beside a `point`; got `fp`.",
        ),
    ],
)
def test_bad_points(point, cells, error, message):
    with pytest.raises(error) as caught:
        rate_interval("recall", point, **cells)
    assert str(caught.value) == message


@pytest.mark.parametrize("cells", [(3, 4, 7), (3, 7, 4), (7, 3, 4), (0, 0, 1), (0, 1, 0), (1, 0, 0)])
def test_cells_that_balance_are_not_empty(cells):
    """A warning would be an error here: only where all three are 0 does no case enter."""
    tp, fp, fn = cells
    found = rate_interval("f_beta", tp=tp, fp=fp, fn=fn, tn=2)
    assert 0 <= found.low < found.high <= 1
    assert found.low <= 2 * tp / (2 * tp + fp + fn) <= found.high
