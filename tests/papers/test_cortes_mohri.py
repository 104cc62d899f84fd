from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from papers.cortes_mohri.printed import (
    auc_distribution,
    corollary_1,
    enumerated,
    hanley_mcneil,
    largest_sd,
    mean_and_variance,
    proposition_2,
)
from papers.cortes_mohri.theorems import coverage

PAPER = "cortes-mohri"
STATUSES = dict.fromkeys(("Section 4", "Proposition 2", "Corollary 1", "Table 1"), "erratum") | {
    "Theorem 2": "assumption of the authors",
    "Figure 1": "not determined by the text",
    "Our table on public data": "our experiment",
    "Section 7": "not determined by the text",
}
# m, n, k, then sd(A_k), the standard deviation by the paper's eps_k, Hanley-McNeil's exchanged and straight, sigma_max.
TABLE_1 = {
    "pima": (0.0209, 0.0290, 0.0270, 0.0291, 0.0393),
    "yeast": (0.0195, 0.0272, 0.0216, 0.0229, 0.0318),
    "credit": (0.0117, 0.0171, 0.0204, 0.0214, 0.0285),
    "internet-ads": (0.0120, 0.0167, 0.0177, 0.0121, 0.0254),
    "page-blocks": (0.0107, 0.0151, 0.0160, 0.0101, 0.0233),
    "ionosphere": (0.0193, 0.0271, 0.0305, 0.0263, 0.0415),
}


def test_every_entry(entry_of_cortes_mohri, explained):
    result = explained(PAPER, entry_of_cortes_mohri)
    assert result.status == STATUSES.get(entry_of_cortes_mohri, "reproduced")


def test_table_1(found, values):
    (table,) = found(PAPER, "Table 1").found.tables
    for row in table.rows:
        sd, indep, exchanged, straight, largest = TABLE_1[row[0]]
        assert float(row[2].split(" / ")[0]) == pytest.approx(indep, abs=1.01e-4)
        assert float(row[3]) == pytest.approx(sd, abs=1.01e-4)
        assert [float(value) for value in row[4].split(" / ")[:2]] == pytest.approx([straight, exchanged], abs=1.01e-4)
        assert values(PAPER, "Table 1")[f"{row[0]}: σ_max"] == pytest.approx(largest, abs=5e-5)


@given(st.floats(0.5, 0.999), st.integers(2, 500), st.integers(2, 500))
def test_printed_standard_deviations_are_the_librarys(auc, m, n):
    for method, printed in (("hanley-mcneil", hanley_mcneil), ("max-variance", largest_sd)):
        # An interval that is not cut to [0, 1] has twice 1.96 standard deviations.
        level = 1e-4
        low, high = th.roc_auc_interval(auc, m, n, method=method, confidence_level=level)
        if low > 0 and high < 1:
            z = stats.norm.isf((1 - level) / 2)
            assert (high - low) / (2 * z) == pytest.approx(printed(auc, m, n), rel=1e-6)


def test_table_1_sigma_a_is_impossible_in_four_rows(found):
    checks = found(PAPER, "Table 1").found.checks
    wrong = [check.what.split(":")[0] for check in checks if "σ_A" in check.what and not check.agrees]
    assert wrong == ["pima", "yeast", "credit", "ionosphere"]


def test_figure_1(values):
    (crossing,) = values(PAPER, "Figure 1").values()
    assert crossing == pytest.approx(0.758, abs=0.002)


@pytest.mark.slow
def test_theorem_2_coverage():
    assert coverage(0.9, 500, eps="gaussian", distribution="binomial")[0] < 0.001
    # Simulated with 500 replicates: 0.272 (normal), mean length 0.16.
    covered, length = coverage(0.9, 500, error_interval="normal")
    assert covered == pytest.approx(0.272, abs=0.06)
    assert length == pytest.approx(0.16, abs=0.005)


@pytest.mark.slow
def test_real_data(found):
    result = found(PAPER, "Our table on public data")
    sigmas, cover = result.found.tables
    assert len(sigmas.rows) == len(cover.rows) == 6
    for row in sigmas.rows:
        sigma_a, sigma_max, true_sd = (float(row[sigmas.columns.index(name)]) for name in
                                       ("σ_A", "σ_max", "True sd (simulated)"))  # fmt: skip
        assert sigma_a <= sigma_max
        assert sigma_a == pytest.approx(true_sd, rel=0.15)


def test_counter_examples():
    assert proposition_2(2, 5, 3) != mean_and_variance(2, 5, 3)[0] == enumerated(2, 5)[3][0]
    assert corollary_1(2, 5, 3) != mean_and_variance(2, 5, 3)[1] == enumerated(2, 5)[3][1]


@pytest.mark.parametrize(("m", "n", "k"), [(3, 4, 2), (4, 6, 3), (5, 2, 4), (1, 1, 1)])
def test_exact_law_has_the_moments(m, n, k):
    distribution = auc_distribution(m, n, k)
    assert sum(distribution.values()) == 1
    mean = sum(a * p for a, p in distribution.items())
    assert (mean, sum(a * a * p for a, p in distribution.items()) - mean**2) == mean_and_variance(m, n, k)
    assert min(distribution) >= 0
    assert max(distribution) <= Fraction(1)
