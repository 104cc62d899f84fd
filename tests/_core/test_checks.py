"""Checks of arguments: what passes, what does not, and what is said."""

from __future__ import annotations

import math

import numpy as np
import pytest

from thresher._core.checks import (
    check_choice,
    check_confidence_level,
    check_count,
    check_fractions,
    check_positive_total,
    check_prevalence,
    check_range,
    check_resamples,
    show,
)
from thresher.exceptions import InvalidInputError, InvalidTypeError


@pytest.mark.parametrize(
    ("check", "least", "most"),
    [(check_confidence_level, 1e-12, 1 - 1e-12), (check_prevalence, 1e-100, math.nextafter(1, 0))],
)
def test_numbers_strictly_between_0_and_1(check, least, most):
    for inside in (least, 0.5, np.float32(0.25), most):
        assert check(inside) == float(inside)
    with pytest.raises(InvalidInputError, match=f"must be at least {least:g}.*Hint"):
        check(least / 2)
    for outside in (0, 1, -0.1, 1.1, math.nan, math.inf):
        with pytest.raises(InvalidInputError, match=r"must be in \(0, 1\)"):
            check(outside)
    for wrong in (True, "0.5", None, [0.5]):
        with pytest.raises(InvalidTypeError, match="of type"):
            check(wrong)


@pytest.mark.parametrize(
    ("level", "hint"),
    [(95, "pass 0.95, not a percentage"), (2, "pass 0.02, not"), (1.5, "0.95 is usual"), (100, "0.95 is usual")],
)
def test_a_percentage_is_recognised(level, hint):
    with pytest.raises(InvalidInputError, match=f"Hint: {hint}"):
        check_confidence_level(level)


def test_fractions_may_be_the_ends():
    assert check_fractions([[0, 1], [0.5, 0.25]], "x").tolist() == [[0, 1], [0.5, 0.25]]
    for bad in (-1e-9, 1 + 1e-9, math.nan):
        with pytest.raises(InvalidInputError, match=r"`x` must be in \[0, 1\]; got"):
            check_fractions([0.5, bad], "x")
        with pytest.raises(InvalidInputError, match=r"`x` must be in \[0, 1\]; got"):
            check_fractions(bad, "x")
    with pytest.raises(InvalidTypeError):
        check_fractions("half", "x")


def test_ranges_rise():
    assert check_range((0, 1), "x") == (0.0, 1.0)
    for bad in ((0.5, 0.5), (0.6, 0.5), (-0.1, 0.5), (0.5, 1.1), (math.nan, 1)):
        with pytest.raises(InvalidInputError, match="0 <= low < high <= 1"):
            check_range(bad, "x")
    for bad in (0.5, (0.1,), (0.1, 0.2, 0.3), "ab"):
        with pytest.raises(InvalidTypeError, match=r"a pair \(low, high\)"):
            check_range(bad, "x")


def test_counts():
    assert check_count(np.int8(3), "n", minimum=3) == 3
    assert check_count(0, "n") == 0
    with pytest.raises(InvalidInputError, match="`n` must be at least 3; got 2"):
        check_count(2, "n", minimum=3)
    for wrong in (True, 2.0, "2"):
        with pytest.raises(InvalidTypeError, match="`n` must be an integer"):
            check_count(wrong, "n")
    assert check_resamples(10) == 10
    with pytest.raises(InvalidInputError, match="at least 10; got 9"):
        check_resamples(9)


def test_totals():
    assert check_positive_total(np.int64(3), "n") == 3
    assert isinstance(check_positive_total(3, "n"), int)
    assert check_positive_total(2.5, "n") == 2.5
    for bad in (0, -1, math.inf, math.nan):
        with pytest.raises(InvalidInputError, match="`n` must be positive and finite"):
            check_positive_total(bad, "n")


def test_choices_and_long_values():
    assert check_choice("b", "x", ("a", "b")) == "b"
    with pytest.raises(InvalidInputError, match="`x` must be one of 'a', 'b'; got 'c'"):
        check_choice("c", "x", ("a", "b"))
    assert show("a" * 58) == repr("a" * 58)
    assert len(show("a" * 59)) == 60
    assert show("a" * 59).endswith("...")
