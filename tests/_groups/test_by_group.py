from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score

import thresher as th
from support import oracle
from thresher import by_group
from thresher._groups import GroupedEstimate
from thresher.measures import expected_average_precision


def mean_over_orders(labels, values, unseen=0):
    """Average precision of every order that ties allow, averaged."""
    total = sum(labels) + unseen
    figures = []
    for order in permutations(range(len(labels))):
        ranked = [values[i] for i in order]
        if ranked != sorted(ranked, reverse=True):
            continue
        hits, figure = 0, Fraction(0)
        for place, i in enumerate(order, start=1):
            if labels[i]:
                hits += 1
                figure += Fraction(hits, place)
        figures.append(figure / total)
    return sum(figures) / len(figures)


@given(
    data=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=6).filter(
        lambda rows: any(label for label, _ in rows)
    ),
    unseen=st.integers(0, 2),
)
def test_expected_average_precision_is_the_mean_over_orders(data, unseen):
    labels, values = zip(*data, strict=True)
    got = expected_average_precision(th.Scores(labels, values), n_unseen=unseen)
    assert got == pytest.approx(float(mean_over_orders(labels, values, unseen)), rel=1e-13)


@given(st.lists(st.integers(0, 1), min_size=2, max_size=12).filter(any))
def test_without_ties_it_is_average_precision(labels):
    values = list(range(len(labels)))
    want = oracle.average_precision(oracle.counts(labels, values))
    assert expected_average_precision(th.Scores(labels, values)) == pytest.approx(float(want), rel=1e-14)


@pytest.mark.parametrize("metric, figure", [("roc_auc", roc_auc_score), ("average_precision", average_precision_score)])
def test_groups_are_figured_apart(metric, figure):
    rng = np.random.default_rng(0)
    groups = rng.permutation(np.repeat(["x", "y", "z"], 30))
    y, s = rng.integers(0, 2, 90), rng.random(90).round(1)
    got = by_group(y, s, groups, metric=metric)
    want = [figure(y[groups == g], s[groups == g]) for g in "xyz"]
    assert got.groups.tolist() == ["x", "y", "z"]
    assert got.values == pytest.approx(want)
    assert got.value == pytest.approx(np.mean(want))


@pytest.mark.filterwarnings("ignore:.* is not defined in 1 of 40 groups")
@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "interpolated_pr_auc"])
def test_the_kernel_for_many_groups_gives_the_figures_of_scores(metric, monkeypatch):
    rng = np.random.default_rng(2)
    groups, y, s = rng.integers(0, 40, 600), rng.integers(0, 2, 600), rng.random(600).round(1)
    quick = by_group(y, s, groups, metric=metric)
    monkeypatch.setattr("thresher._core.native.available", lambda: False)
    slow = by_group(y, s, groups, metric=metric)
    assert quick.groups.tolist() == slow.groups.tolist()
    assert quick.skipped.size == 1
    assert quick.values == pytest.approx(slow.values, rel=1e-13)


def test_groups_of_one_class_are_left_out_loudly():
    with pytest.warns(th.ThresherWarning) as caught:
        got = by_group([1, 1, 0, 1], [1, 2, 3, 4], ["a", "a", "b", "b"])
    assert str(caught[0].message) == (
        "'roc_auc' is not defined in 1 of 2 groups, such as those without positives or without negatives. They are "
        "left out of the mean."
    )
    assert got.skipped.tolist() == ["a"]
    with pytest.raises(th.UndefinedMetricError, match="'roc_auc' must be defined in some group; it is in none of 1"):
        by_group([1, 1], [1, 2], ["a", "a"])


def test_interval_is_over_groups_not_rows():
    rng = np.random.default_rng(1)
    y = np.tile([0, 1], 400)
    s = rng.normal(size=800) + y
    groups = np.repeat(np.arange(20), 40)
    once = by_group(y, s, groups)
    often = by_group(np.tile(y, 3), np.tile(s, 3), np.tile(groups, 3))
    assert tuple(once.confidence_interval()) == pytest.approx(tuple(often.confidence_interval()))
    low, high = once.confidence_interval(0.9)
    from scipy.stats import ttest_1samp

    want = ttest_1samp(once.values, 0).confidence_interval(0.9)
    assert (low, high) == pytest.approx((want.low, want.high))
    drawn = once.confidence_interval(0.9, method="bootstrap", rng=0)
    assert tuple(drawn) == pytest.approx((low, high), abs=0.02)
    assert (drawn.method, drawn.confidence_level) == ("bootstrap", 0.9)


def two(k, seed=0, shift=0.1):
    rng = np.random.default_rng(seed)
    groups = np.repeat([f"g{i:02}" for i in range(k)], 30)
    y = rng.integers(0, 2, groups.size)
    a, b = (by_group(y, rng.normal(size=y.size) + lift * y, groups) for lift in (1 + shift, 1))
    return a, b


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_compared_as_by_student(alternative):
    a, b = two(25)
    found = a.compare(b, alternative=alternative)
    test = stats.ttest_rel(a.values, b.values, alternative=alternative)
    assert found.pvalue == pytest.approx(test.pvalue, rel=1e-12)
    assert found.statistic == pytest.approx(test.statistic, rel=1e-12)
    low, high = stats.ttest_rel(a.values, b.values).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12)
    assert found.difference == pytest.approx(a.value - b.value, abs=1e-15)
    assert found.differences.tolist() == (a.values - b.values).tolist()


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_compared_by_every_exchange(alternative):
    a, b = two(7)
    d = [Fraction(float(x)) for x in a.values - b.values]
    means = [sum(sign * x for sign, x in zip(signs, d, strict=True)) for signs in product((1, -1), repeat=7)]
    reach = {
        "two-sided": lambda m: abs(m) >= abs(sum(d)),
        "greater": lambda m: m >= sum(d),
        "less": lambda m: m <= sum(d),
    }[alternative]
    found = a.compare(b, method="permutation", alternative=alternative)
    assert found.pvalue == pytest.approx(sum(map(reach, means)) / len(means), rel=1e-14)
    assert found.statistic == found.difference


def test_compared_by_some_exchanges():
    a, b = two(40, shift=0.05)
    drawn = [a.compare(b, method="permutation", rng=seed).pvalue for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0] == pytest.approx(a.compare(b).pvalue, abs=0.03)  # means of 40 are nearly normal


def test_alike_is_no_evidence():
    a, _ = two(5)
    for method in ("t", "permutation"):
        found = a.compare(a, method=method)
        assert (found.pvalue, found.difference, found.low, found.high) == (1.0, 0.0, 0.0, 0.0)


def test_groups_are_matched_by_name():
    a, b = two(6)
    part = GroupedEstimate(b.measure, b.groups[:4][::-1], b.values[:4][::-1], b.skipped)
    with pytest.warns(th.ThresherWarning, match="2 groups have the value in one of the two only"):
        found = a.compare(part)
    assert found.differences.tolist() == (a.values[:4] - b.values[:4]).tolist()
    assert found.groups.tolist() == a.groups[:4].tolist()


def test_comparisons_that_cannot_be():
    a, b = two(3)
    cases = {
        "`other` must be a GroupedEstimate; got 0.5.": lambda: a.compare(0.5),
        "`other` must be of the same metric; got pr_auc (interpolated) where this is roc_auc.": lambda: a.compare(
            GroupedEstimate(th.measures.PrAuc(), b.groups, b.values, b.skipped)
        ),
        "A comparison needs at least 2 groups that both have; got 1. Hint: are they the same groups?": lambda: (
            a.compare(GroupedEstimate(th.measures.RocAuc(), b.groups[:1], b.values[:1], b.skipped))
        ),
        "`method` must be one of 't', 'permutation'; got 'z'.": lambda: a.compare(b, method="z"),
    }
    for message, call in cases.items():
        with pytest.raises(th.ThresherError) as caught:
            call()
        assert str(caught.value) == message


def test_interval_stays_in_range():
    got = by_group([0, 1, 0, 1, 1, 0, 0], [1, 2, 1, 2, 1, 2, 0], [1, 1, 2, 2, 3, 3, 3])
    assert got.values.tolist() == [1.0, 1.0, 0.5]
    interval = got.confidence_interval()
    assert (interval.low, interval.high) == (pytest.approx(5 / 6 - 4.302652729911275 / 6), 1.0)
    assert f"{got:.3f}" == "0.833"
    assert f"{got}" == repr(got)


def test_labels_and_lengths():
    assert by_group(["n", "y"], [1, 2], [0, 0], pos_label="y").value == 1.0
    with pytest.raises(th.InvalidInputError, match="`by` and `y_score` must have the same length; got 3 and 2"):
        by_group([0, 1], [1, 2], [0, 0, 0])
    with pytest.raises(th.InvalidInputError, match="must be counted without weights"):
        expected_average_precision(th.Scores([0, 1, 0], [1, 2, 3], sample_weight=[0.5, 1.5, 1.0]))


def test_the_positive_class_is_asked_for():
    with pytest.raises(th.InvalidInputError, match=r"`pos_label='fraud'` or `pos_label='ok'`"):
        by_group(["ok", "fraud"] * 4, range(8), [0, 0, 0, 0, 1, 1, 1, 1])


def test_groups_as_estimates_share_clusters():
    rng = np.random.default_rng(0)
    y, by = rng.random(300) < 0.4, np.repeat(["a", "b", "c"], 100)
    score, cluster = rng.normal(size=300) + y, np.tile(np.arange(25), 12)
    apart = th.by_group(y, score, by).estimates()
    assert apart.names == ("a", "b", "c")
    assert not np.triu(apart.covariance(), 1).any()
    assert apart.difference("a", "b").df == pytest.approx(
        th.compare_unpaired(*(th.Scores(y[by == one], score[by == one]) for one in "ab"), method="delong-t").df
    )
    joined = th.by_group(y, score, by, cluster=cluster).estimates()
    # The same groups as rows that models saw, of which clusters are in several.
    seen = th.estimates(y, dict.fromkeys("abc", score), seen={one: by == one for one in "abc"}, cluster=cluster)
    np.testing.assert_allclose(joined.covariance(), seen.covariance(), rtol=1e-12, atol=1e-18)
    assert np.triu(joined.covariance(), 1).any()


def test_patients_with_a_row_in_each_group_tie_the_groups():
    rng = np.random.default_rng(3)
    skill, y = rng.normal(size=150), rng.random(150) < 0.5
    eye, patient = np.repeat(["left", "right"], 150), np.tile(np.arange(150), 2)
    score = np.tile(skill + y, 2) + 0.3 * rng.normal(size=300)
    tied = th.by_group(np.tile(y, 2), score, eye, cluster=patient).estimates().difference("left", "right")
    apart = th.by_group(np.tile(y, 2), score, eye).estimates().difference("left", "right")
    paired = th.compare(y, {"left": score[:150], "right": score[150:]}).pairs[0]
    assert tied.standard_error() < 0.5 * apart.standard_error()
    assert tied.standard_error() == pytest.approx(paired.standard_error, rel=1e-9)
