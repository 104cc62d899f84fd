"""The printed formulas, against every ranking there is."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from scipy import integrate

from papers.cortes_mohri import printed

SMALL = [(m, n) for m in range(1, 4) for n in range(1, 4)]


def rankings(m, n):
    """Every order of labels, best first, with the AUC and the errors at each of its thresholds."""
    for labels in set(permutations([1] * m + [0] * n)):
        wins = sum(1 for i, y in enumerate(labels) if y for z in labels[i:] if not z)
        yield Fraction(wins, m * n), [labels[:cut].count(0) + labels[cut:].count(1) for cut in range(m + n + 1)]


@pytest.mark.parametrize("m, n", SMALL)
def test_the_law_given_the_errors_is_that_of_all_rankings(m, n):
    by_errors = {}
    for area, errors in rankings(m, n):
        for k in errors:
            by_errors.setdefault(k, []).append(area)
    moments = printed.enumerated(m, n)
    assert moments.keys() == by_errors.keys()
    for k, areas in by_errors.items():
        law = {area: Fraction(areas.count(area), len(areas)) for area in set(areas)}
        assert printed.auc_distribution(m, n, k) == law
        mean = sum(areas) / len(areas)
        assert moments[k] == (mean, sum(area**2 for area in areas) / len(areas) - mean**2)
        assert printed.mean_and_variance(m, n, k) == moments[k]
        assert printed.power_sum(m, n, k, 0) == len(areas)


def test_formulas_that_need_few_errors():
    for m, n in SMALL:
        for k in range(min(m, n) + 1):
            assert printed.proposition_2(m, n, k) == printed.mean_and_variance(m, n, k)[0]
            assert printed.corollary_1(m, n, k) == printed.mean_and_variance(m, n, k)[1]
    assert printed.proposition_2(2, 5, 3) != printed.mean_and_variance(2, 5, 3)[0]


def test_false_positives_squared():
    from math import comb

    for m, n in SMALL:
        for k in range(min(m, n) + 1):
            right = sum(printed.p_2(k, m, n, x) * comb(m + n + 1, x) for x in range(k + 1))
            assert printed.power_sum(m, n, k, 2) == right


def test_exponential_scores():
    """Positives Exp(1) and negatives Exp(3): both probabilities by quadrature."""
    from math import exp

    p_xxy, _ = integrate.quad(lambda y: 3 * exp(-3 * y) * exp(-y) ** 2, 0, 60)
    p_xyy, _ = integrate.quad(lambda x: exp(-x) * (1 - exp(-3 * x)) ** 2, 0, 60)
    want = printed.equation_2(0.75, 7, 9, p_xxy, p_xyy)
    assert printed.hanley_mcneil(0.75, 7, 9) == pytest.approx(want, rel=1e-9)


def test_the_largest_variance():
    assert printed.largest_sd(0.5, 4, 100) == 0.25
    assert printed.hanley_mcneil(0.8, 20, 30) < printed.largest_sd(0.8, 20, 30)
