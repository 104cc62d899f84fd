"""Intervals from published figures."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import figures, scores
from thresher._inference.delong.published import (
    SUMMARY_METHODS,
    hanley_mcneil_variance,
    max_variance,
    newcombe_ends,
    roc_auc_interval,
)
from thresher._inference.interval import normal_quantile
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning

inside = st.floats(0.001, 0.999)
totals = st.integers(1, 10_000)


@pytest.mark.parametrize(("dataset", "column", "value"), figures("hanley_mcneil_se"))
def test_hanley_mcneil_reference(dataset, column, value):
    table = scores(dataset, column)
    variance = hanley_mcneil_variance(table.roc_auc().value, table.n_pos, table.n_neg)
    assert math.sqrt(variance) == pytest.approx(value, rel=1e-12, abs=0)


@given(inside, totals, totals)
def test_hanley_mcneil_formula(auc, m, n):
    q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    printed = (auc * (1 - auc) + (m - 1) * (q1 - auc**2) + (n - 1) * (q2 - auc**2)) / (m * n)
    assert hanley_mcneil_variance(auc, m, n) == pytest.approx(printed, rel=1e-8)


@given(inside, totals, totals)
def test_hanley_mcneil_stays_below_the_maximum(auc, m, n):
    assert hanley_mcneil_variance(auc, m, n) <= max_variance(auc, m, n) * (1 + 1e-12)


@given(inside, totals, totals, st.floats(0.5, 0.999))
def test_newcombe_solves_its_equation(auc, m, n, level):
    z = normal_quantile(level)
    for end in newcombe_ends(auc, m, n, z):
        mean = (m + n) / 2
        inner = 1 + (mean - 1) * ((1 - end) / (2 - end) + end / (1 + end))
        assert (auc - end) ** 2 == pytest.approx(z * z * end * (1 - end) * inner / (m * n), rel=1e-6, abs=1e-12)


@given(st.floats(0, 1), totals, totals, st.floats(0.5, 0.999))
def test_newcombe_mirrors(auc, m, n, level):
    low, high = newcombe_ends(auc, m, n, normal_quantile(level))
    other = newcombe_ends(1 - auc, n, m, normal_quantile(level))
    assert (1 - other[1], 1 - other[0]) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("method", SUMMARY_METHODS)
@given(auc=inside, m=totals, n=totals, level=st.floats(0.01, 0.999))
def test_always_inside(method, auc, m, n, level):
    found = roc_auc_interval(auc, m, n, method=method, confidence_level=level)
    assert 0.0 <= found.low <= auc <= found.high <= 1.0
    assert (found.confidence_level, found.method) == (level, method)


@pytest.mark.parametrize("method", ["hanley-mcneil", "max-variance"])
@pytest.mark.parametrize("auc", [0.0, 1.0])
def test_no_spread_is_said(method, auc):
    with pytest.warns(ThresherWarning) as caught:
        found = roc_auc_interval(auc, 5, 7, method=method)
    assert tuple(found) == (auc, auc)
    assert str(caught[0].message) == (
        f'The standard error of "{method}" is 0 at an AUC of {auc:g}, so the interval is a single point. '
        'Hint: method="newcombe" gives an interval with length.'
    )
    assert caught[0].filename == __file__


def test_newcombe_has_length_at_the_ends():
    assert roc_auc_interval(1.0, 5, 7, method="newcombe").high == 1.0
    assert 0.5 < roc_auc_interval(1.0, 5, 7, method="newcombe").low < 0.9
    assert roc_auc_interval(0.0, 5, 7, method="newcombe").low == 0.0
    assert 0.1 < roc_auc_interval(0.0, 5, 7, method="newcombe").high < 0.5


@pytest.mark.parametrize("method", SUMMARY_METHODS)
def test_one_case_of_a_class_answers(method):
    low, high = roc_auc_interval(0.7, 1, 40, method=method)
    assert 0.0 <= low < 0.7 < high <= 1.0


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"auc": 70},
            InvalidInputError,
            "`auc` must be in [0, 1]; got 70. Hint: it is a fraction, not a percentage.",
        ),
        ({"n_pos": 0}, InvalidInputError, "`n_pos` must be positive and finite; got 0."),
        (
            {"n_neg": 0.3},
            InvalidInputError,
            "`n_neg` must be at least 1; got 0.3. Hint: it is a number of cases, not a share.",
        ),
        ({"n_neg": "7"}, InvalidTypeError, "`n_neg` must be a positive number; got '7' of type str."),
        (
            {"method": "delong"},
            InvalidInputError,
            "`method` must be one of 'hanley-mcneil', 'max-variance', 'newcombe'; got 'delong'.",
        ),
        (
            {"confidence_level": 90},
            InvalidInputError,
            "`confidence_level` must be in (0, 1); got 90. Hint: pass 0.9, not a percentage.",
        ),
    ],
)
def test_bad_input(options, error, message):
    arguments = {"auc": 0.7, "n_pos": 5, "n_neg": 7, **options}
    with pytest.raises(error) as caught:
        roc_auc_interval(**arguments)
    assert str(caught.value) == message
