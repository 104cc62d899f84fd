"""Distributions made of atoms, and what every distribution answers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from thresher.population import Discrete
from thresher.population._distributions import invert


def test_a_table_answers_like_its_definition():
    values, masses = [3.0, 1.0, 2.0], [0.5, 0.2, 0.3]
    distribution = Discrete(values, masses)
    for t in (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5):
        assert distribution.sf(t) == pytest.approx(
            sum(m for v, m in zip(values, masses, strict=True) if v > t), abs=1e-15
        )
        assert distribution.cdf(t) == pytest.approx(
            sum(m for v, m in zip(values, masses, strict=True) if v <= t), abs=1e-15
        )
    assert distribution.support() == (1.0, 3.0)
    assert distribution.atoms()[0].tolist() == [1.0, 2.0, 3.0]
    assert repr(distribution) == "Discrete(3 values from 1 to 3)"


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=12),
    st.integers(1, 2**20 - 1),
)
def test_quantiles_of_a_table_are_the_generalized_inverse(counts, numerator):
    total = sum(counts)
    distribution = Discrete(range(len(counts)), counts)
    # All breakpoints k / total, where rounding decides the side, and one number between.
    for q in [Fraction(k, total) for k in range(1, total)] + [Fraction(numerator, 2**20)]:
        if not 0 < q < 1:
            continue
        survival = [Fraction(sum(counts[i + 1 :]), total) for i in range(len(counts))]
        expected = min(i for i, s in enumerate(survival) if s <= q)
        if all(s == q or abs(s - q) > Fraction(1, 10**9) for s in survival):
            assert distribution.isf(float(q)) == expected
        cumulative = [Fraction(sum(counts[: i + 1]), total) for i in range(len(counts))]
        expected = min(i for i, s in enumerate(cumulative) if s >= q)
        if all(s == q or abs(s - q) > Fraction(1, 10**9) for s in cumulative):
            assert distribution.ppf(float(q)) == expected


def test_small_tails_of_a_table_keep_their_digits():
    distribution = Discrete([0, 1, 2], [1.0, 1e-20, 1e-30])
    assert distribution.sf(0) == pytest.approx(1e-20 + 1e-30, rel=1e-15)
    assert distribution.sf(1) == pytest.approx(1e-30, rel=1e-15)
    assert distribution.isf(1e-25) == 1


def test_a_sample_is_a_law_and_infinities_are_scores():
    distribution = Discrete([0.5, -math.inf, 0.5, math.inf])
    assert distribution.atoms()[1].tolist() == [0.25, 0.5, 0.25]
    assert distribution.sf(0.5) == 0.25
    assert distribution.isf(0.25) == 0.5
    weighted = Discrete([1.0, 2.0], probabilities=[3, 1])
    assert weighted.sf(1.0) == 0.25


def test_sampling_follows_the_law():
    rng = np.random.default_rng(5)
    distribution = Discrete([1.0, 2.0, 4.0], [0.2, 0.5, 0.3])
    drawn = distribution.draw(20_000, rng)
    counts = [(drawn == v).sum() for v in (1.0, 2.0, 4.0)]
    assert stats.chisquare(counts, [4000, 10_000, 6000]).pvalue > 1e-4
    assert distribution.draw(0, rng).size == 0


def test_invert_finds_the_smallest_double():
    target = np.array([1e-300, 3.0, -5.5, 1e200])
    found = invert(lambda t, active: t >= target[active], np.full(4, -1e250), np.full(4, 1e250))
    assert found.tolist() == target.tolist()


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: Discrete([]), th.InvalidInputError, "`values` must hold at least one score; got none."),
        (
            lambda: Discrete([1.0, math.nan]),
            th.InvalidInputError,
            "`values` must not contain NaN; got NaN in 1 of 2 values.",
        ),
        (lambda: Discrete(["a"]), th.InvalidTypeError, "`values` must be numbers; got ['a']."),
        (
            lambda: Discrete([1, 2], [1.0]),
            th.InvalidInputError,
            "`probabilities` must have one element per value; got 1 for 2 values.",
        ),
        (
            lambda: Discrete([1, 2], [1.0, -1.0]),
            th.InvalidInputError,
            "`probabilities` must be nonnegative with a positive sum; got [1.0, -1.0].",
        ),
        (
            lambda: Discrete([0]).isf(1.5),
            th.InvalidInputError,
            "`q` must be in (0, 1); got 1.5. Hint: the ends are in `support()`.",
        ),
    ],
)
def test_bad_tables(make, kind, message):
    with pytest.raises(kind) as caught:
        make()
    assert str(caught.value) == message
