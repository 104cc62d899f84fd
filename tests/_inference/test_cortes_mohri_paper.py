"""What the paper of Cortes and Mohri prints, in exact fractions, and its Table 1."""

from __future__ import annotations

import math
from fractions import Fraction
from math import comb

import pytest

from thresher._inference.auc_moments import auc_moments
from thresher._inference.cortes_mohri import cortes_mohri
from thresher._inference.delong.published import hanley_mcneil_variance, max_variance

SMALL = [(m, n) for m in range(1, 13) for n in range(1, 13)]
# Table 1: name, m + n, n/(m + n), AUC, error rate, sigma_indep, sigma_dep, sigma_max; rates as printed, two digits.
TABLE_1 = [
    ("pima", 368, 0.63, 0.70, 0.24, 0.0297, 0.0269, 0.0392),
    ("yeast", 700, 0.67, 0.63, 0.26, 0.0277, 0.0215, 0.0317),
    ("credit", 303, 0.54, 0.87, 0.13, 0.0176, 0.0202, 0.0281),
    ("internet-ads", 1159, 0.17, 0.85, 0.05, 0.0177, 0.0176, 0.0253),
    ("page-blocks", 2473, 0.10, 0.84, 0.03, 0.0164, 0.0161, 0.0234),
    ("ionosphere", 201, 0.37, 0.85, 0.13, 0.0271, 0.0306, 0.0417),
]


def weights(m: int, n: int, k: int) -> dict[int, int]:
    """Label orders by number x of false positives, for every k (terms outside the range do not exist)."""
    xs = range(max(0, k - m), min(k, n) + 1)
    return {x: comb(m - (k - x) + x, x) * comb(n + (k - x) - x, k - x) for x in xs}


def power_sum(m: int, n: int, k: int, q: int) -> int:
    return sum(x**q * weight for x, weight in weights(m, n, k).items())


def mean_and_variance(m: int, n: int, k: int) -> tuple[Fraction, Fraction]:
    """Proposition 3 and its first moment: F(Y) averages over the weights."""
    table = weights(m, n, k)
    total = sum(table.values())
    first = second = third = Fraction(0)
    for x, weight in table.items():
        y = k - x
        area = 1 - (Fraction(x, n) + Fraction(y, m)) / 2
        first += weight * area
        second += weight * area**2
        top = m * x**2 + n * y**2 + m * (m + 1) * x + n * (n + 1) * y - 2 * x * y * (m + n + 1)
        third += weight * Fraction(top, 12 * m * m * n * n)
    mean = first / total
    return mean, second / total - mean**2 + third / total


def p_2(k: int, m: int, n: int, x: int) -> Fraction:
    """The polynomial of Proposition 1."""
    inner = (
        -2 * x**3
        + 2 * x**2 * (2 * m - n + 2 * k - 4)
        + x * (-3 * m**2 + 3 * n * m + 3 * m - 5 * k * m - 2 * k**2 + 2 + k + n * k + 6 * n)
        + (3 * (k - 1) * m**2 - 3 * n * m * (k - 1) + 6 * k * m + 5 * m + k**2 * m)
        + (8 * n + 8 - 9 * n * k + 3 * k + k**2 + k**2 * n)
    )
    return Fraction((k - x) * inner, 12)


def corollary_1(m: int, n: int, k: int) -> Fraction:
    """Corollary 1 with its two repairs: the denominator of Z_i, and 7(m + n) in Q_1."""
    whole = m + n
    below = sum(comb(whole + 1, x) for x in range(k + 1))
    z = [Fraction(sum(comb(whole + 1 - i, x) for x in range(k - i + 1)), below) for i in range(5)]
    t = 3 * ((m - n) ** 2 + m + n) + 2
    mixed = 3 * m * n + m + n
    q_0 = (
        (whole + 1) * t * k**2
        + ((-3 * n**2 + 3 * m * n + 3 * m + 1) * t - 12 * mixed - 8) * k
        + (-3 * m**2 + 7 * m + 10 * n + 3 * n * m + 10) * t
        - 4 * (mixed + 1)
    )
    q_1 = (
        t * k**3
        + 3 * (m - 1) * t * k**2
        + ((-3 * n**2 + 3 * m * n - 3 * m + 8) * t - 6 * (6 * m * n + m + n)) * k
        + (-3 * m**2 + 7 * (m + n) + 3 * m * n) * t
        - 2 * (6 * m * n + m + n)
    )
    squares = m * m * n * n
    first = (whole + 1) * whole * (whole - 1) * t * ((whole - 2) * z[4] - (2 * m - n + 3 * k - 10) * z[3])
    second = (whole + 1) * whole * t * (m**2 - n * m + 3 * k * m - 5 * m + 2 * k**2 - n * k + 12 - 9 * k) * z[2]
    third = (whole + 1) ** 2 * (m - n) ** 4 * z[1] ** 2
    fourth = (whole + 1) * q_1 * z[1]
    return (
        first / (72 * squares)
        + second / (48 * squares)
        - third / (16 * squares)
        - fourth / (72 * squares)
        + Fraction(k * q_0, 144 * squares)
    )


def test_identities_for_the_power_sums():
    for m, n in SMALL:
        for k in range(min(m, n) + 1):
            rows = [comb(m + n + 1, x) for x in range(k + 1)]
            assert power_sum(m, n, k, 0) == sum(rows)
            assert power_sum(m, n, k, 1) == sum(Fraction((k - x) * (m - n) + k, 2) * row for x, row in enumerate(rows))


def test_proposition_1():
    for m, n in SMALL:
        for k in range(min(m, n) + 1):
            printed = sum(p_2(k, m, n, x) * comb(m + n + 1, x) for x in range(k + 1))
            assert power_sum(m, n, k, 2) == printed


def test_proposition_2():
    for m, n in SMALL:
        for k in range(min(m, n) + 1):
            upper = sum(comb(m + n, x) for x in range(k))
            lower = sum(comb(m + n + 1, x) for x in range(k + 1))
            printed = (
                1
                - Fraction(k, m + n)
                - Fraction((n - m) ** 2 * (m + n + 1), 4 * m * n) * (Fraction(k, m + n) - Fraction(upper, lower))
            )
            assert mean_and_variance(m, n, k)[0] == printed


def test_proposition_3_is_the_variance_computed():
    for m, n in SMALL:
        found = auc_moments(m, n, list(range(m + n + 1)))
        for k in range(m + n + 1):
            mean, variance = mean_and_variance(m, n, k)
            assert float(found.mean[k]) == pytest.approx(float(mean), rel=1e-15, abs=0)
            assert float(found.variance[k]) == pytest.approx(float(variance), rel=1e-13, abs=0)


def test_corollary_1_repaired():
    for m, n in SMALL:
        for k in range(min(m, n) + 1):
            assert mean_and_variance(m, n, k)[1] == corollary_1(m, n, k)


def test_the_closed_forms_need_few_errors():
    # The restriction k <= min(m, n) is not printed with Proposition 2 and Corollary 1, but they need it.
    assert corollary_1(2, 5, 3) != mean_and_variance(2, 5, 3)[1]


@pytest.mark.parametrize(("name", "total", "share", "auc", "rate", "indep", "dep", "largest"), TABLE_1)
def test_table_1(name, total, share, auc, rate, indep, dep, largest):
    n = round(share * total)
    m, k = total - n, round(rate * total)
    # The inputs are printed with two digits, so each figure is reproduced within the range they allow.
    aucs = (auc - 0.005, auc, auc + 0.005)
    ms = (total - math.floor((share + 0.005) * total), m, total - math.ceil((share - 0.005) * total))

    def inside(figure, printed):
        values = [math.sqrt(figure(a, b, total - b)) for a in aucs for b in ms]
        return min(values) - 5e-5 <= printed <= max(values) + 5e-5

    assert inside(max_variance, largest)
    # sigma_dep needs the roles of the classes exchanged: as printed, P_xxy is weighted by m - 1.
    assert inside(lambda a, p, q: hanley_mcneil_variance(a, q, p), dep)
    assert not inside(hanley_mcneil_variance, dep)
    # sigma_indep is not sd(A_k), which is 29 to 35% smaller ...
    sd = float(auc_moments(m, n, k).sd)
    assert 1.39 < indep / sd < 1.54
    # ... but sqrt(0.05) times the half-length of the 95 % interval with the paper's own eps_k, within 9 %.
    low, high = cortes_mohri(m, n, k, eps="gaussian", law="binomial").unclipped
    best = {
        "pima": 0.0290,
        "yeast": 0.0272,
        "credit": 0.0171,
        "internet-ads": 0.0167,
        "page-blocks": 0.0151,
        "ionosphere": 0.0271,
    }
    figure = math.sqrt(0.05) * (high - low) / 2
    assert figure == pytest.approx(best[name], abs=5e-5)
    assert abs(figure / indep - 1) < 0.09


def test_table_1_sigma_indep_lies_in_the_range_of_the_inputs():
    # Five of the six rows; for "credit" the nearest input leaves it 1.2% away.
    outside = {}
    for name, total, share, _, rate, indep, _, _ in TABLE_1:
        figures = []
        # The ends of the whole numbers that round to the printed shares.
        for n in (math.ceil((share - 0.005) * total), math.floor((share + 0.005) * total)):
            for k in (math.ceil((rate - 0.005) * total), math.floor((rate + 0.005) * total)):
                low, high = cortes_mohri(total - n, n, k, eps="gaussian", law="binomial").unclipped
                figures.append(math.sqrt(0.05) * (high - low) / 2)
        if not min(figures) <= indep <= max(figures):
            outside[name] = indep / max(figures) - 1
    assert list(outside) == ["credit"]
    assert outside["credit"] == pytest.approx(0.012, abs=0.003)


def figure_1(m: int, n: int, k: int) -> tuple[float, float, float]:
    """(expected AUC, the paper's sd by the reading of Table 1, Hanley-McNeil's sd with the roles exchanged)."""
    mean = float(auc_moments(m, n, k).mean)
    low, high = cortes_mohri(m, n, k, eps="gaussian", law="binomial").unclipped
    return mean, math.sqrt(0.05) * (high - low) / 2, math.sqrt(hanley_mcneil_variance(mean, n, m))


def test_figure_1a_balanced_classes():
    for k in range(25, 500, 25):
        _, ours, theirs = figure_1(500, 500, k)
        assert ours < theirs


def test_figure_1b_the_curves_cross_near_three_quarters():
    rows = [figure_1(400, 200, k) for k in range(10, 200, 5)]
    tighter = [mean for mean, ours, theirs in rows if ours < theirs]
    looser = [mean for mean, ours, theirs in rows if ours > theirs]
    assert min(tighter) > max(looser)
    assert (min(tighter) + max(looser)) / 2 == pytest.approx(0.758, abs=0.01)
