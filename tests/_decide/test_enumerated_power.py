"""Two counts, the second given the first: every pair of counts written out, in fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from thresher._decide.counted_power import TwoCounts, rejection_share, steady_size
from thresher._decide.question import tails


def binomial(k, n, p):
    return comb(n, k) * p**k * (1 - p) ** (n - k)


def written_out(n, first, second, rest, rejects):
    total = Fraction(0)
    for i in range(n + 1):
        size = n - i if rest is None else i if rest < 0 else rest
        for j in range(size + 1):
            if rejects(i, j, size):
                total += binomial(i, n, first) * binomial(j, size, second)
    return float(total)


shares = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


@given(st.integers(1, 25), shares, shares, st.sampled_from([None, -1, 0, 7]), st.integers(0, 20), st.integers(-3, 12))
def test_as_written_out(n, first, second, rest, up, down):
    law = TwoCounts(n, float(first), float(second), rest)
    # Regions whose borders depend on the first count, in both directions.
    found = rejection_share(law, lambda i, j: 2 * j - i >= up, lambda i, j: j + i <= down)
    expected = written_out(n, first, second, rest, lambda i, j, _: 2 * j - i >= up)
    expected += written_out(n, first, second, rest, lambda i, j, _: j + i <= down)
    assert found == pytest.approx(min(expected, 1.0), rel=1e-11, abs=1e-13)


def test_one_side_alone():
    law = TwoCounts(12, 0.4, 0.7)
    up = rejection_share(law, lambda i, j: j > i, None)
    assert up == pytest.approx(written_out(12, Fraction(2, 5), Fraction(7, 10), None, lambda i, j, _: j > i), rel=1e-12)
    never = rejection_share(law, lambda i, j: np.zeros(i.size, dtype=bool), None)
    assert never == 0.0


@pytest.mark.parametrize(("first", "second"), [(0.0, 0.5), (1.0, 0.5), (0.5, 1.0), (0.5, 0.0)])
def test_certain_shares(first, second):
    law = TwoCounts(6, first, second, -1)
    expected = written_out(6, Fraction(first), Fraction(second), -1, lambda i, j, _: j >= 3)
    assert rejection_share(law, lambda i, j: j >= 3, None) == pytest.approx(expected)


def test_what_is_left_out_of_a_large_study_does_not_matter():
    assert rejection_share(TwoCounts(10**6, 0.3, 0.5, -1), lambda i, j: j >= 0, None) == pytest.approx(1.0, abs=1e-10)


@pytest.mark.parametrize("share", [0.5, 0.999])
def test_only_counts_that_can_happen_are_looked_at(share):
    """All but 1e-12 of the probability, in a range of a few standard deviations and not of all counts."""
    law, n = binom(10**7, share), 10**7
    counts, chance, _ = TwoCounts(n, share, 0.5, -1).likely()
    assert law.cdf(counts[0] - 1) + law.sf(counts[-1]) < 1e-12
    assert chance.sum() == pytest.approx(1.0, abs=1e-7)
    assert counts.size < 20 * law.std() + 50


def test_tails():
    assert tails(0.05, "two-sided") == (0.025, 0.025)
    assert tails(0.05, "greater") == (0.05, 0.0)
    assert tails(0.05, "less") == (0.0, 0.05)


def test_a_size_that_falls_again_is_passed():
    assert steady_size(lambda n: n >= 100) == 100
    assert steady_size(lambda n: n >= 100 and n not in (103, 108, 115)) == 116
    with pytest.raises(ArithmeticError):
        steady_size(lambda n: False)


@pytest.mark.parametrize(("size", "further"), [(9, 5), (49, 5), (61, 7), (1989, 199), (2000, 200), (5000, 200)])
def test_how_far_a_size_is_tried(size, further):
    """A tenth of it, from five to two hundred."""
    assert steady_size(lambda n: n >= size and n != size + 1) == size + 2
    assert steady_size(lambda n: n >= size and n != size + further) == size + further + 1
    assert steady_size(lambda n: n >= size and n != size + further + 1) == size
    last = size + further + 1
    beyond = last + min(max(-(-last // 10), 5), 200) + 1
    assert steady_size(lambda n: n >= size and n not in (last - 1, beyond)) == last
    assert steady_size(lambda n: n >= size and n not in (last - 1, beyond - 1)) == beyond
