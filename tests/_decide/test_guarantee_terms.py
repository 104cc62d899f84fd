"""How many errors a guarantee allows, against sums of binomial terms in fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

import thresher as th
from thresher._decide.guarantee_terms import GuaranteeTerms, guarantee_terms


def tail(count: int, trials: int, share: Fraction) -> Fraction:
    return sum((comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(count + 1)), Fraction(0))


def most(trials: int, share: Fraction, delta: Fraction) -> int:
    """Return the most errors that so few cases show with probability at most delta if the rate is the share."""
    return max((k for k in range(trials + 1) if tail(k, trials, share) <= delta), default=-1)


@pytest.mark.parametrize("parts", [1, 2, 3])
@pytest.mark.parametrize("trials", [1, 12, 60])
def test_the_population(trials, parts):
    terms = guarantee_terms(0.9, "population", None)
    share = Fraction(1, 5)
    assert terms.most(trials, share, parts) == most(trials, share, Fraction(1, 10) / parts)


@pytest.mark.parametrize(("seen", "want"), [(4, -1), (8, -1), (9, 0), (19, 1), (29, 2)])
def test_the_mean_over_samples(seen, want):
    # With k errors among n the next case is in error with probability (k + 1) / (n + 1) at most.
    share = Fraction(1, 10)
    assert Fraction(want + 1, seen + 1) <= share < Fraction(want + 2, seen + 1)
    terms = guarantee_terms(None, "expected", None)
    assert terms.most(seen, share, 1) == want
    assert terms.most(seen, share, 2) == want
    assert terms.delta == 0


@pytest.mark.parametrize("parts", [1, 2])
def test_the_next_cases(parts):
    """Of exchangeable cases: m errors among the next n, where the threshold is a case's own score."""
    seen, n_next, share = 24, 10, Fraction(1, 5)
    allowed = int(share * n_next)

    def fails(errors: int) -> Fraction:
        # The threshold is the (errors + 1)-th worst of those seen; new cases fall behind it with the ranks' law.
        law = [
            Fraction(
                comb(errors + k, k) * comb(seen - errors - 1 + n_next - k, n_next - k), comb(seen + n_next, n_next)
            )
            for k in range(n_next + 1)
        ]
        assert sum(law) == 1
        return sum(law[allowed + 1 :])

    terms = guarantee_terms(0.9, "next", n_next)
    want = max((k for k in range(seen) if fails(k) <= Fraction(1, 10) / parts), default=-1)
    assert terms.most(seen, share, parts) == want


def test_the_level_is_the_decimal_that_was_written():
    assert guarantee_terms(0.95, "population", None).delta == Fraction(1, 20)
    assert GuaranteeTerms(None).delta == 0


def test_what_is_kept():
    assert guarantee_terms(None, "population", None) is None
    assert guarantee_terms(None, "expected", None) == GuaranteeTerms(None, "expected", None)
    assert guarantee_terms(0.95, "next", 1) == GuaranteeTerms(0.95, "next", 1)
    assert guarantee_terms(0.95, "population", None) == GuaranteeTerms(0.95, "population", None)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            (0.95, "next", None),
            "`n_next` must be given with guarantee='next' and with nothing else; got None with 'next'. "
            "Hint: it is the number of cases of the limit's class that will come.",
        ),
        (
            (0.95, "population", 10),
            "`n_next` must be given with guarantee='next' and with nothing else; got 10 with 'population'. "
            "Hint: it is the number of cases of the limit's class that will come.",
        ),
        (
            (0.95, "expected", None),
            "`confidence` must be left out with guarantee='expected', which guarantees a mean; got 0.95.",
        ),
        ((None, "next", 5), "`confidence` must be given with guarantee='next'; got None. Hint: 0.95 is usual."),
    ],
)
def test_messages(given, message):
    with pytest.raises(th.InvalidInputError) as caught:
        guarantee_terms(*given)
    assert str(caught.value) == message


@pytest.mark.parametrize("given", [(0.95, "next", 0), (1.0, "population", None), (0.9, "surely", None)])
def test_other_values_are_refused(given):
    with pytest.raises(th.InvalidInputError):
        guarantee_terms(*given)
