"""Binomial limits against exact fractions and reference values."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from thresher._inference.rates.proportion import (
    beta_binomial_cdf,
    binomial_cdf,
    keeps,
    most_errors,
    most_errors_expected,
    most_errors_next,
    trials_needed,
)

LAWS = json.loads((Path(__file__).parents[2] / "reference" / "decisions.json").read_text())["laws_of_recall"]


def exact_cdf(k: int, n: int, q: Fraction) -> Fraction:
    return sum((comb(n, j) * q**j * (1 - q) ** (n - j) for j in range(k + 1)), Fraction(0))


@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(1, 2), Fraction(19, 20), Fraction(1, 3)])
@pytest.mark.parametrize("n", [1, 2, 7, 20])
def test_every_count_is_decided_as_in_fractions(n, share):
    for k in range(-1, n):
        truth = exact_cdf(k, n, share) if k >= 0 else Fraction(0)
        assert float(binomial_cdf(k, n, float(share))) == pytest.approx(float(truth), rel=1e-13)
        # Levels that are met with equality are where floats may err.
        assert keeps(k, n, share, truth)
        assert k < 0 or not keeps(k, n, share, truth * (1 - Fraction(1, 10**18)))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law["min_recall"])
def test_reference_values(law):
    n, share, delta = law["n_pos"], 1 - Fraction(law["min_recall"]), Fraction(law["delta"])
    k = most_errors(n, share, delta)
    assert k == law["most_misses"]
    assert most_errors_expected(n, share) == law["most_misses_expected"]
    assert [trials_needed(share, delta, errors) for errors in (0, 1, 2)] == law["positives_needed"]
    for m in (20, 50):
        kept = beta_binomial_cdf(int(share * m), m, k, n)
        assert kept == pytest.approx(float(law[f"next_{m}"]["P(recall >= limit)"]), rel=1e-13)


@pytest.mark.parametrize(("n", "m", "k"), [(30, 10, 0), (40, 25, 3), (5, 50, 2)])
def test_the_next_cases_follow_by_enumeration(n, m, k):
    """The rank of each new positive among the old ones is uniform, so the law is a sum of fractions."""
    total = Fraction(comb(n + m, m))
    for allowed in range(m):
        # Misses at most `allowed`: the (k+1)-th lowest old case has at most `allowed` new ones below it.
        truth = sum(
            (Fraction(comb(j + k, k) * comb(m - j + n - k - 1, n - k - 1)) for j in range(allowed + 1)), Fraction(0)
        )
        assert beta_binomial_cdf(allowed, m, k, n) == pytest.approx(float(truth / total), rel=1e-12)


def test_the_largest_and_the_least_are_what_they_say():
    share, delta = Fraction(1, 20), Fraction(1, 20)
    for n in range(50, 130, 7):
        k = most_errors(n, share, delta)
        assert keeps(k, n, share, delta)
        assert not keeps(k + 1, n, share, delta)
    for errors in range(4):
        n = trials_needed(share, delta, errors)
        assert keeps(errors, n, share, delta)
        assert not keeps(errors, n - 1, share, delta)
    k = most_errors_next(200, Fraction(1, 10), delta, 60)
    assert beta_binomial_cdf(6, 60, k, 200) >= 0.95 > beta_binomial_cdf(6, 60, k + 1, 200)


def test_grows_with_the_sample_and_the_level():
    share = Fraction(1, 10)
    by_n = [most_errors(n, share, Fraction(1, 20)) for n in range(20, 400, 5)]
    assert by_n == sorted(by_n)
    by_level = [most_errors(100, share, Fraction(d, 100)) for d in range(1, 50)]
    assert by_level == sorted(by_level)
    assert most_errors(100, share, Fraction(1, 10)) == 5
    assert float(binomial_cdf(5, 100, 0.1)) == pytest.approx(0.0576, abs=5e-5)


def test_real_arguments_are_allowed():
    between = binomial_cdf(np.array([2.0, 2.5, 3.0]), 30.5, 0.1)
    assert (np.diff(between) > 0).all()


def test_the_trials_needed_are_the_first_that_suffice():
    """Counted up one by one in fractions, also where fewer trials than errors are asked about."""
    for share, delta in ((Fraction(1, 2), Fraction(1, 10)), (Fraction(9, 10), Fraction(1, 3))):
        for errors in range(6):
            n = errors + 1
            while exact_cdf(errors, n, share) > delta:
                n += 1
            assert trials_needed(share, delta, errors) == n


def test_ends_of_the_law():
    """As many as there are trials has chance 1; shares of 0 and 1 leave none and all."""
    half = Fraction(1, 2)
    assert keeps(5, 5, half, Fraction(1))
    assert not keeps(5, 5, half, Fraction(999, 1000))
    assert keeps(4, 5, Fraction(1), Fraction(1, 1000))  # all five are errors: never four or fewer
    assert not keeps(0, 5, Fraction(0), Fraction(999, 1000))
    assert most_errors(5, Fraction(1), Fraction(1, 20)) == 4
    assert most_errors(5, Fraction(0), Fraction(1, 20)) == -1
    assert beta_binomial_cdf(7, 7, 2, 10) == 1.0
