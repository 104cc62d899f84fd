"""Paired values of groups: Student's test of scipy, and every exchange counted."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._groups.difference import group_difference

NAMES = np.array(["a", "b", "c", "d", "e", "f"])
FIRST = np.array([0.9, 0.7, 0.8, 0.6, 0.95, 0.5])
SECOND = np.array([0.8, 0.75, 0.6, 0.6, 0.7, 0.45])


def compare(first=(NAMES, FIRST), second=(NAMES, SECOND), **options):
    given = {"method": "t", "alternative": "two-sided", "confidence_level": 0.95, "n_resamples": 999, "rng": 0}
    return group_difference(th.measures.RocAuc(), first, second, **{**given, **options})


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_students_test(alternative):
    want = stats.ttest_rel(FIRST, SECOND, alternative=alternative)
    found = compare(alternative=alternative)
    assert (found.statistic, found.pvalue) == pytest.approx((want.statistic, want.pvalue))
    assert found.difference == pytest.approx((FIRST - SECOND).mean())
    two_sided = stats.ttest_rel(FIRST, SECOND).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((two_sided.low, two_sided.high))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_every_exchange(alternative):
    gaps = FIRST - SECOND
    seen = gaps.mean()
    means = [np.mean(np.array(signs) * gaps) for signs in itertools.product((1, -1), repeat=6)]
    count = {
        "two-sided": sum(abs(m) >= abs(seen) - 1e-12 for m in means),
        "greater": sum(m >= seen - 1e-12 for m in means),
        "less": sum(m <= seen + 1e-12 for m in means),
    }[alternative]
    found = compare(method="permutation", alternative=alternative)
    assert found.pvalue == pytest.approx(count / 64)
    assert found.statistic == pytest.approx(seen)


def test_many_groups_are_drawn():
    rng = np.random.default_rng(0)
    names, gaps = np.arange(40), rng.normal(0.04, 0.2, 40)
    found = compare((names, gaps), (names, np.zeros(40)), method="permutation", n_resamples=5000)
    signs = 1 - 2 * rng.integers(0, 2, (20_000, 40))
    want = np.mean(np.abs(signs @ gaps / 40) >= abs(gaps.mean()))
    assert found.pvalue == pytest.approx(want, abs=4 * np.sqrt(want * (1 - want) * (1 / 5000 + 1 / 20_000)))
    assert compare((names, gaps), (names, np.zeros(40)), method="permutation", n_resamples=5000) == found


def test_groups_are_matched_by_name():
    order = np.array([5, 2, 0, 3, 1, 4])
    assert compare(second=(NAMES[order], SECOND[order])) == compare()
    with pytest.warns(th.ThresherWarning, match="3 groups have the value in one of the two only"):
        found = compare((NAMES[:5], FIRST[:5]), (NAMES[2:], SECOND[2:]))
    assert found.groups.tolist() == ["c", "d", "e"]
    assert found.differences == pytest.approx((FIRST - SECOND)[2:5])
    with pytest.raises(th.UndefinedMetricError, match="at least 2 groups that both have; got 1"):
        compare((NAMES[:1], FIRST[:1]), (NAMES, SECOND))


def test_no_difference_is_no_evidence():
    same = compare(second=(NAMES, FIRST))
    assert (same.difference, same.pvalue) == (0.0, 1.0)
    assert repr(compare()) == "roc_auc +0.09 (-0.03 to +0.21) over 6 groups, p = 0.1103 (t, two-sided)"
