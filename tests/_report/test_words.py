"""Numbers and names as readers see them."""

from __future__ import annotations

import math

import pytest

from thresher._report.words import clean, listed, number, percent, pvalue, rate, short, signed, threshold


@pytest.mark.parametrize(
    "value, text",
    [(0.5, "0.500"), (1, "1.000"), (0.99999, ">0.999"), (1e-9, "<0.001"), (0, "0.000"), (math.nan, "–"), (None, "–")],
)
def test_rates_never_pretend_to_be_certain(value, text):
    assert rate(value) == text


@pytest.mark.parametrize(
    "value, text", [(0.0968, "9.7%"), (0.5, "50%"), (0.1234, "12.3%"), (0.00012, "0.012%"), (0, "0%")]
)
def test_percentages(value, text):
    assert percent(value) == text


@pytest.mark.parametrize(
    "value, text",
    [(math.inf, "∞"), (-math.inf, "−∞"), (-0.25, "−0.25"), (0.1234567, "0.1234567"), (3.0, "3"), (1e-12, "1e−12")],
)
def test_thresholds(value, text):
    assert threshold(value) == text


def test_counts_and_lists():
    assert (number(1234567), number(3.0), number(0.25)) == ("1,234,567", "3", "0.2")
    assert (listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])) == (
        "",
        "a",
        "a and b",
        "a, b and c",
    )


def test_names_keep_both_ends():
    assert short("short") == "short"
    assert short("abcdefghij", 7) == "abcd…ij"
    assert len(short("x" * 10_000)) == 32


def test_names_become_text_that_can_be_written():
    assert clean("a\nb\x00c\ud800") == "a b c?"
    assert clean("שלום 👩‍🔬") == "שלום 👩‍🔬"


def test_differences_and_p_values():
    assert (signed(-0.01234), signed(0.5)) == ("−0.0123", "+0.5000")
    assert (pvalue(0.0341), pvalue(3e-17), pvalue(1.0)) == ("= 0.034", "< 0.0001", "= 1")
