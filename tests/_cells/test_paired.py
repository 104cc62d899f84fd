import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm, t

from support.confusion import GOLDEN, metric, number
from thresher._cells.limits import limits
from thresher._cells.matrix import Matrix
from thresher._cells.paired import Pairing, compare_paired, compare_unpaired, mcnemar
from thresher._inference.rates import predictive_value_test

PAIRED = {entry["name"]: entry for entry in GOLDEN["paired"]}


def sides(name):
    return Pairing(*PAIRED[name]["positives"]), Pairing(*PAIRED[name]["negatives"])


@pytest.mark.parametrize("name", PAIRED)
def test_paired_tests_are_those_of_the_reference(name):
    pos, neg = sides(name)
    for key, entry in PAIRED[name]["results"].items():
        found = compare_paired(metric(key), pos, neg)
        if entry is None:
            assert math.isnan(found.pvalue)
            continue
        expected = [
            number(entry[one]) for one in ("difference", "variance_own", "variance_pooled", "z_score", "p_score")
        ]
        assert np.array(found[:5]) == pytest.approx(expected, rel=1e-11, abs=1e-15), key


def test_the_pooled_variance_is_that_of_mcnemar_and_kosinski():
    pos, neg = Pairing(30, 9, 2, 9), Pairing(6, 11, 4, 79)
    found = compare_paired(metric("recall"), pos, neg)
    assert float(found.difference**2 / found.variance_pooled) == pytest.approx(Fraction((9 - 2) ** 2, 9 + 2))
    # Kosinski's statistic is this one where both models predict equally many positive.
    pos, neg = Pairing(30, 9, 5, 6), Pairing(6, 4, 8, 82)
    found = compare_paired(metric("precision"), pos, neg)
    statistic, _ = predictive_value_test(39, 49, 35, 49, 30, 6)
    assert float(found.difference**2 / found.variance_pooled) == pytest.approx(statistic, rel=1e-12)


def test_weights_are_rows_and_clusters_of_one_row_change_little():
    pos, neg = sides("tilted")
    for key in ("mcc", "f1", "kappa"):
        plain = compare_paired(metric(key), pos, neg)
        doubled = [Pairing(*(2.0 * one for one in side)) for side in (pos, neg)]
        squares = tuple(Pairing(*(4.0 * one for one in side)) for side in (pos, neg))
        weighed = compare_paired(metric(key), *doubled, squares=squares)
        assert np.array(weighed[:5]) == pytest.approx(np.array(plain[:5]), rel=1e-12)
        units = np.eye(8).reshape(8, 2, 4).repeat([*pos, *neg], axis=0)
        clustered = compare_paired(metric(key), pos, neg, clusters=units)
        assert np.array(clustered[:4]) == pytest.approx(np.array(plain[:4]), rel=1e-12)
        assert clustered.pvalue == pytest.approx(2 * t(149).sf(abs(plain.statistic)))
        # Twice each row in one cluster is one row.
        pairs = compare_paired(metric(key), *doubled, clusters=2.0 * units)
        assert np.array(pairs[:4]) == pytest.approx(np.array(plain[:4]), rel=1e-12)


def test_known_prevalence_takes_the_odds_out():
    pos, neg = sides("tilted")
    found = compare_paired(metric("precision"), pos, neg, prevalence=0.01)
    assert found.difference == pytest.approx(
        float(metric("precision").value(39, 17, 11, 83, prevalence=0.01))
        - float(metric("precision").value(32, 10, 18, 90, prevalence=0.01))
    )
    assert compare_paired(metric("recall"), pos, neg, prevalence=0.01).pvalue == pytest.approx(
        compare_paired(metric("recall"), pos, neg).pvalue
    )


def test_limits_of_a_difference_hold_it_and_stay_in_range():
    for name in PAIRED:
        for key in ("mcc", "f1", "recall"):
            found = compare_paired(metric(key), *sides(name))
            assert -2 <= found.low <= found.difference <= found.high <= 2
            assert found.high - found.difference == pytest.approx(
                norm.isf(0.025) * math.sqrt(max(found.variance_own, found.variance_pooled))
            )


def test_different_rows_join_the_limits_of_both():
    a, b = Matrix(80, 30, 20, 170), Matrix(60, 45, 40, 155)
    for key in ("mcc", "f1", "recall"):
        one = metric(key)
        ends = [limits(one, cells) for cells in (a, b)]
        found = compare_unpaired(one, a, b, *ends)
        assert found.low < found.difference < found.high
        assert found.variance_own == pytest.approx(
            sum(float((np.array(cells) * np.array(one.gradient(*cells)) ** 2).sum()) for cells in (a, b))
        )
        double = [Matrix(*(3.0 * cell for cell in cells)) for cells in (a, b)]
        squares = tuple(Matrix(*(9.0 * cell for cell in cells)) for cells in (a, b))
        weighed = compare_unpaired(one, *double, *ends, squares=squares)
        assert np.array(weighed[:5]) == pytest.approx(np.array(found[:5]), rel=1e-12)
    # The pooled variance of a rate is that of the two-sample test with a common rate.
    found = compare_unpaired(metric("recall"), a, b, *(limits(metric("recall"), cells) for cells in (a, b)))
    assert found.variance_pooled == pytest.approx(0.7 * 0.3 * (1 / 100 + 1 / 100), rel=0.01)


def test_no_difference_has_p_value_one_and_mcnemar_is_binomial():
    same = Pairing(7, 0, 0, 3), Pairing(2, 0, 0, 18)
    assert compare_paired(metric("mcc"), *same).pvalue == 1.0
    assert mcnemar(3, 3) == 1.0
    assert mcnemar(1, 6, "exact") == pytest.approx(2 * (1 + 7) / 2**7)
    assert mcnemar(1, 6) == pytest.approx(2 * (1 + 7 / 2) / 2**7)


def size_at_level(key, n, seed, replicates=1500):
    """Return how often the test rejects at 5% when both models have the same operating point and correlate."""
    rng = np.random.default_rng(seed)
    truth = rng.random((replicates, n)) < 0.5
    shared = rng.standard_normal((replicates, n))
    rates = np.where(truth, norm.ppf(0.8), norm.ppf(0.1))
    called = [math.sqrt(0.4) * shared + math.sqrt(0.6) * rng.standard_normal((replicates, n)) < rates for _ in range(2)]

    def side(of):
        a, b = called
        return Pairing(*((of & x & y).sum(axis=1) for x, y in ((a, b), (a, ~b), (~a, b), (~a, ~b))))

    return float((compare_paired(metric(key), side(truth), side(~truth)).pvalue < 0.05).mean())


@pytest.mark.parametrize("key", ["mcc", "f1", "precision"])
def test_the_test_keeps_its_level(key):
    assert size_at_level(key, 100, 5) <= 0.065
    assert size_at_level(key, 40, 6) <= 0.065
