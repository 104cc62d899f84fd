"""Short thresholds: in the gap between two scores, and no shorter number of three digits or more is."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher._core.decimals import short_threshold, threshold_text

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(a=FINITE, b=FINITE)
def test_it_lies_in_the_gap(a, b):
    below, score = sorted((a, b))
    if below < score:
        assert below < short_threshold(score, below) <= score


@given(a=FINITE)
def test_neighbours_are_told_apart(a):
    above = math.nextafter(a, math.inf)
    if math.isfinite(above):
        assert short_threshold(above, a) == above


@given(a=st.integers(1, 10**8), gap=st.integers(1, 10**6))
def test_no_shorter_number_is_in_the_gap(a, gap):
    """All decimals of one digit less, looked through one by one around the score."""
    score, below = a / 10**8, (a - gap) / 10**8
    digits = len(Decimal(repr(short_threshold(score, below))).normalize().as_tuple().digits)
    if digits > 3:
        unit = Decimal(10) ** (Decimal(repr(score)).adjusted() - digits + 2)
        multiple = int(Decimal(repr(score)) / unit)
        assert not any(below < float(unit * k) <= score for k in range(multiple - 2, multiple + 3))


@given(a=st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_float32_scores_are_called_as_before(a):
    """NumPy rounds a Python number to float32 before it compares."""
    with np.errstate(over="ignore"):  # of the largest, left out below
        scores = np.array([a, np.nextafter(np.float32(a), np.float32(np.inf))], dtype=np.float32)
    if np.isfinite(scores).all():
        typed = float(threshold_text(float(scores[1]), float(scores[0])))
        assert (scores >= typed).tolist() == [False, True]


@pytest.mark.parametrize(
    ("threshold", "below", "text"),
    [
        (0.35, 0.1, "0.35"),
        (7.0, 6.0, "7"),
        (1001.0, 0.0, "1001"),
        (0.17158200354, 0.1714, "0.1715"),
        (0.17158200354, 0.1715, "0.17158"),
        (0.17158200354, None, "0.17158200354"),
        (-7.654321987, -math.inf, "-7.66"),
        (1234567.25, 1234566.0, "1234567"),
        (1e-300, 0.0, "1e-300"),
        (math.inf, 0.5, "inf"),
        (-math.inf, -math.inf, "-inf"),
        (math.nan, None, "nan"),
        (2**60, 2**60 - 1, "1152921504606846976"),
    ],
)
def test_text(threshold, below, text):
    assert threshold_text(threshold, below) == text
