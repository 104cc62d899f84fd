"""Guarantees of weighted and clustered rows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

import thresher as th
from thresher._decide.guarantee_cases import EffectiveCases
from thresher._decide.guarantee_terms import GuaranteeTerms

LIMITS = [{"min_recall": 0.8}, {"max_fpr": 0.2}, {"max_alert_rate": 0.4}, {"min_precision": 0.6}]


def rows(seed=3, n=400):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    return y, rng.normal(size=n) + 1.5 * y


@pytest.mark.parametrize("limits", LIMITS)
def test_weights_are_relative(limits):
    y, s = rows()
    weight = np.random.default_rng(0).uniform(0.5, 2.0, y.size)
    points = [
        th.Scores(y, s, sample_weight=scale * weight).choose_threshold(**limits, confidence=0.9)
        for scale in (1.0, 1e-6, 1e6)
    ]
    assert len({point.threshold for point in points}) == 1
    assert points[0].guarantee.method == "approximate"
    assert points[0].guarantee.most_misses is None


def test_recall_by_hand():
    """The lowest weight of missed positives at which the binomial tail of the effective cases passes the level."""
    y, s = rows()
    weight = np.random.default_rng(1).uniform(0.5, 2.0, y.size)
    scores = th.Scores(y, s, sample_weight=weight)
    point = scores.choose_threshold(min_recall=0.8, confidence=0.9)
    kish = weight[y].sum() ** 2 / np.square(weight[y]).sum()
    order = np.argsort(s[y])
    missed = np.append(0.0, np.cumsum(weight[y][order])) / weight[y].sum()
    # Whole cases beside the real number of cases on both sides bound what real arguments may choose.
    n = int(kish)
    allowed = max(k for k in range(n) if binom.cdf(k, n, 0.2) <= 0.1)
    assert missed[missed <= (allowed + 2) / n].max() >= point.fn / scores.n_pos > (allowed - 6) / n
    assert point.guarantee.pvalue <= 0.1
    assert point.recall > 0.8


def test_weights_by_class_are_exact():
    y, s = rows()
    plain, weighted = th.Scores(y, s), th.Scores(y, s, sample_weight=np.where(y, 1.0, 7.0))
    for limits in ({"min_recall": 0.8}, {"max_fpr": 0.2}):
        one, other = (table.choose_threshold(**limits, confidence=0.9) for table in (plain, weighted))
        assert one.threshold == other.threshold
        assert one.guarantee == other.guarantee
    share = weighted.n_pos / (weighted.n_pos + weighted.n_neg)
    one = plain.choose_threshold(max_alert_rate=0.3, prevalence=share, confidence=0.9)
    assert weighted.choose_threshold(max_alert_rate=0.3, confidence=0.9).threshold == one.threshold


@pytest.mark.parametrize("limits", LIMITS)
def test_clusters_make_it_more_cautious(limits):
    y, s = (np.repeat(column, 4) for column in rows(n=200))
    four, alone = th.Scores(y, s, cluster=np.repeat(np.arange(200), 4)), th.Scores(*rows(n=200))
    ignored = th.Scores(y, s)
    cuts = [table.choose_threshold(**limits, confidence=0.9).threshold for table in (four, alone, ignored)]
    # Four copies of a row tell no more than the row; as independent rows they would.
    lower = min if "min_recall" in limits else max
    assert cuts[0] == lower(cuts)
    assert four.choose_threshold(**limits, confidence=0.9).guarantee.method == "approximate"


def test_clusters_of_one_row_are_none():
    y, s = rows()
    point = th.Scores(y, s, cluster=np.arange(y.size)).choose_threshold(min_recall=0.8, confidence=0.9)
    assert point.guarantee == th.Scores(y, s).choose_threshold(min_recall=0.8, confidence=0.9).guarantee
    assert point.guarantee.method == "order-statistic"


def test_too_few_are_counted_in_equal_cases():
    y, s = rows(n=60)
    weight = np.random.default_rng(1).uniform(0.5, 2.0, y.size)
    with pytest.raises(
        th.UndefinedMetricError, match=r"needs at least 59 independent positives of equal weight; got 2"
    ):
        th.Scores(y, s, sample_weight=weight).choose_threshold(min_recall=0.95, confidence=0.95)


def test_only_the_population_is_guaranteed():
    y, s = rows()
    weight = np.random.default_rng(1).uniform(0.5, 2.0, y.size)
    with pytest.raises(th.InvalidInputError, match="`guarantee` must be 'population' with weights or clusters"):
        th.Scores(y, s, sample_weight=weight).choose_threshold(min_recall=0.8, guarantee="expected")


def test_sums_of_weights_alone_are_not_enough():
    table = th.Scores.from_counts([3, 2, 1], [1.5, 2.5, 0.5], [0.5, 1.0, 2.5])
    with pytest.raises(th.InvalidInputError, match="sums of squared weights"):
        table.choose_threshold(min_recall=0.3, confidence=0.5)


def test_an_alert_rate_elsewhere_has_no_pvalue():
    y, s = rows()
    weight = np.random.default_rng(1).uniform(0.5, 2.0, y.size)
    point = th.Scores(y, s, sample_weight=weight).choose_threshold(max_alert_rate=0.3, prevalence=0.1, confidence=0.9)
    assert point.guarantee.pvalue is None
    assert point.guarantee.method == "approximate"
    alerts = 0.1 * point.recall + 0.9 * point.fpr
    assert alerts < 0.3


def cases_of(weight, y, s, confidence=0.9, parts=1):
    table = th.Scores(y, s, sample_weight=weight)
    return EffectiveCases(table, GuaranteeTerms(confidence), parts)


def test_rows_of_one_weight_are_the_binomial_tests():
    """Rows that all weigh 1/2 are worth what they number, so that every p-value is a binomial probability."""
    y, s = rows(n=120)
    cases = cases_of(np.full(y.size, 0.5), y, s)
    order = np.argsort(-s)
    tp, fp = (np.append(0, np.cumsum(side[order])) for side in (y, ~y))
    m, n = y.sum(), (~y).sum()
    kept, chance, _ = cases.points("min_recall", Fraction(4, 5), None)
    assert chance == pytest.approx(binom.cdf(m - tp, m, 0.2), rel=1e-9)
    assert (kept == (chance <= 0.1)).all()
    _, chance, _ = cases.points("max_fpr", Fraction(1, 4), None)
    assert chance == pytest.approx(binom.cdf(fp, n, 0.25), rel=1e-9)
    kept, chance, _ = cases.points("max_alert_rate", Fraction(3, 10), None)
    assert chance == pytest.approx(binom.cdf(tp + fp, 120, 0.3), rel=1e-9)
    assert kept.sum() == 1 + np.flatnonzero(chance <= 0.1)[-1]
    assert cases.calls() == pytest.approx(tp + fp, abs=1)
    # Of n calls, r of them right, one right call is left out: P(at least r - 1 of n - 1) at the limit.
    walk = np.array([1, 5, 20, 60])
    want = [binom.sf(tp[k] - 2, k - 1, 0.6) if tp[k] > 1 else 1.0 for k in walk]
    assert cases.precision_chances(walk, 0.6, None) == pytest.approx(want, rel=1e-9)


def test_all_rows_are_worth_the_square_of_their_sum():
    y, s = rows(n=80)
    weight = np.random.default_rng(4).uniform(0.5, 3.0, y.size)
    cases = cases_of(weight, y, s)
    kish = weight.sum() ** 2 / np.square(weight).sum()
    assert cases._all() == pytest.approx(kish, rel=1e-12)
    assert max(cases.worth_at("cases", cut) for cut in range(81)) <= kish * (1 + 1e-12)
