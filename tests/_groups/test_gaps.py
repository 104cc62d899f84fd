"""Intervals of groups and of the gaps between them."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher import by_group

RNG = np.random.default_rng(3)
N = 600
SITE = RNG.choice(["north", "south", "west"], N)
Y = RNG.random(N) < 0.4
SCORE = RNG.normal(size=N) + Y * np.where(SITE == "west", 0.3, 1.5)
TABLES = {name: th.Scores(Y[name == SITE], SCORE[name == SITE]) for name in ("north", "south", "west")}


def test_each_group_has_the_interval_of_its_own_scores():
    found = by_group(Y, SCORE, SITE).intervals(0.9)
    assert [one.group for one in found] == list(TABLES)
    for one in found:
        area = TABLES[one.group].roc_auc()
        assert (one.value, one.low, one.high) == (area.value, *area.confidence_interval(0.9))
        assert (one.n_pos, one.n_neg) == (TABLES[one.group].n_pos, TABLES[one.group].n_neg)


def test_together_they_are_wider():
    found = by_group(Y, SCORE, SITE).intervals(0.9, adjust="bonferroni")
    want = TABLES["south"].roc_auc().confidence_interval(1 - 0.1 / 3)
    assert (found["south"].low, found["south"].high) == pytest.approx(tuple(want), rel=1e-12)


def test_gaps_are_comparisons_of_independent_samples():
    found = by_group(Y, SCORE, SITE).gaps()
    assert [(gap.a, gap.b) for gap in found] == [("north", "south"), ("north", "west"), ("south", "west")]
    for gap in found:
        pair = th.compare_unpaired(TABLES[gap.a], TABLES[gap.b]).pair
        assert (gap.difference, gap.low, gap.high, gap.pvalue) == (pair.difference, pair.low, pair.high, pair.pvalue)
    assert found.largest.b == "west"
    raw = sorted(gap.pvalue for gap in found)
    adjusted = sorted(gap.pvalue_adjusted for gap in found)
    assert adjusted[0] == pytest.approx(3 * raw[0])
    assert found["north", "west"].pvalue_adjusted < 0.01


def test_against_a_reference():
    found = by_group(Y, SCORE, SITE).gaps("west")
    assert [(gap.a, gap.b) for gap in found] == [("north", "west"), ("south", "west")]
    assert found.reference == "west"
    with pytest.raises(th.InvalidInputError, match="they are 'north', 'south', 'west'"):
        by_group(Y, SCORE, SITE).gaps("east")


def test_other_figures_and_weights():
    weight = RNG.random(N) + 0.5
    found = by_group(Y, SCORE, SITE, metric="pr_auc", prevalence=0.4, sample_weight=weight)
    rows = SITE == "north"
    area = th.Scores(Y[rows], SCORE[rows], sample_weight=weight[rows]).pr_auc(prevalence=0.4)
    one = found.intervals(method="logit")["north"]
    assert (one.value, one.low, one.high) == pytest.approx((area.value, *area.confidence_interval(method="logit")))
    gap = found.gaps("west", n_resamples=50, rng=1)["north", "west"]
    assert gap.low < gap.difference < gap.high


def test_groups_with_one_class_are_left_out():
    with pytest.warns(th.ThresherWarning, match="1 of 3 groups"):
        found = by_group([1, 0, 1, 0, 1], [3, 2, 2, 1, 5], ["a", "a", "b", "b", "c"])
    with pytest.warns(th.ThresherWarning, match="no misranked case"):
        assert [one.group for one in found.intervals()] == ["a", "b"]
    with pytest.warns(th.ThresherWarning), pytest.raises(th.InvalidInputError, match="at least 2 groups"):
        by_group([1, 0, 1], [3, 2, 2], ["a", "a", "b"]).gaps()


@pytest.mark.parametrize("metric", ["recall", "f1", "brier"])
def test_weighted_groups_of_one_class_take_part_where_the_metric_is_defined(metric):
    y = np.where(SITE == "west", True, Y)
    options = {} if metric == "brier" else {"threshold": 0.5}
    rows = {"sample_weight": RNG.uniform(0.5, 2.0, N), "metric": metric, **options}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        gaps = by_group(y, 1 / (1 + np.exp(-SCORE)), SITE, **rows).gaps()
    alone = th.Scores(
        y[SITE == "west"], 1 / (1 + np.exp(-SCORE[SITE == "west"])), sample_weight=rows["sample_weight"][SITE == "west"]
    )
    other = th.Scores(
        Y[SITE == "south"],
        1 / (1 + np.exp(-SCORE[SITE == "south"])),
        sample_weight=rows["sample_weight"][SITE == "south"],
    )
    gap = gaps["south", "west"]
    assert gap.difference == other.measure(metric, **options).value - alone.measure(metric, **options).value
    assert gap.low < gap.difference < gap.high
    assert not any("has 0 cases" in str(one.message) for one in said)


def test_they_travel():
    grouped = by_group(Y, SCORE, SITE)
    for found, lines in ((grouped.intervals(), 4), (grouped.gaps(), 5)):  # the largest gap has a line of its own
        assert th.results.from_json(found.to_json()) == found
        assert len(found.to_frame("pandas")) == 3
        assert len(repr(found).splitlines()) == lines
    back = th.results.from_json(grouped.to_json())
    assert back == grouped
    with pytest.raises(th.InvalidInputError, match="by_group` on the rows"):
        back.gaps()


def test_an_unknown_group_is_a_key_error():
    with pytest.raises(KeyError):
        by_group(Y, SCORE, SITE).intervals()["east"]


@pytest.mark.parametrize("metric", ["roc_auc", "brier", "f1"])
def test_the_largest_gap_joins_the_limits_of_the_groups(metric):
    """Upper limit: the largest of any pair, unadjusted. Lower limit: of all pairs at once, by the studentised range."""
    score = 1 / (1 + np.exp(-SCORE))
    options = {"threshold": 0.6} if metric == "f1" else {}
    grouped = by_group(Y, score, SITE, metric=metric, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", th.ThresherWarning)  # of unlike prevalences
        found = grouped.gaps(confidence_level=0.9).largest
    estimates = [th.Scores(Y[name == SITE], score[name == SITE]).measure(metric, **options) for name in TABLES]
    values = [one.value for one in estimates]
    tail = stats.norm.sf(stats.studentized_range.isf(0.05, 3, np.inf) / np.sqrt(2))
    plain, wide = ([one.confidence_interval(1 - 2 * part) for one in estimates] for part in (0.05, tail))
    low, high = [0.0], []
    for i, j in itertools.permutations(range(3), 2):
        gap = values[i] - values[j]
        high.append(gap + np.hypot(plain[i].high - values[i], values[j] - plain[j].low))
        low.append(gap - np.hypot(values[i] - wide[i].low, wide[j].high - values[j]))
    assert found.value == max(values) - min(values)
    assert (found.a, found.b) == (list(TABLES)[int(np.argmax(values))], list(TABLES)[int(np.argmin(values))])
    assert (found.low, found.high) == pytest.approx((max(low), max(high)), rel=1e-6)
    assert found.confidence_level == 0.9


def test_two_groups_have_one_gap_without_adjustment():
    rows = SITE != "west"
    gaps = by_group(Y[rows], SCORE[rows], SITE[rows]).gaps()
    assert len(list(gaps)) == 1
    assert gaps["north", "south"].pvalue_adjusted == gaps["north", "south"].pvalue
    assert gaps.largest.value == abs(gaps["north", "south"].difference)
    assert len(repr(gaps).splitlines()) == 2


def test_equal_groups_are_not_shown_to_differ():
    """Five groups with the same recall: the lower limit is 0 in at least 97.5% of samples, and the upper above 0."""
    rng = np.random.default_rng(8)
    groups, y = np.repeat(list("abcde"), 60), np.tile([1, 1, 0], 100)
    above = 0
    for _ in range(150):
        gaps = by_group(y, rng.normal(size=y.size) + y, groups, metric="recall", threshold=0.5).gaps()
        above += gaps.largest.low > 0.0
        assert gaps.largest.high > 0.0
    assert above <= 10  # 0.025 and four standard errors


def test_unlike_groups_are_covered():
    rng = np.random.default_rng(9)
    groups, y = np.repeat(list("abc"), 200), np.tile([1, 0], 300)
    shift = np.repeat([0.3, 0.8, 1.6], 200)
    rates = stats.norm.sf(0.5 - np.array([0.3, 0.8, 1.6]))
    covered = 0
    for _ in range(120):
        score = rng.normal(size=y.size) + shift * y
        found = by_group(y, score, groups, metric="recall", threshold=0.5).gaps().largest
        covered += found.low <= np.ptp(rates) <= found.high
    assert covered >= 108  # 0.95 less two and a half standard errors


def test_gaps_of_clusters_are_those_of_the_comparison():
    cluster = np.arange(N) // 3 + 1000 * np.unique(SITE, return_inverse=True)[1]
    found = by_group(Y, SCORE, SITE, metric="pr_auc", prevalence=0.4, cluster=cluster).gaps("west", method="normal")
    tables = [th.Scores(Y[rows], SCORE[rows], cluster=cluster[rows]) for rows in (SITE == "north", SITE == "west")]
    pair = th.compare_unpaired(*tables, metric="pr_auc", prevalence=0.4, method="normal").pair
    gap = found["north", "west"]
    assert (gap.difference, gap.low, gap.high, gap.pvalue) == (pair.difference, pair.low, pair.high, pair.pvalue)
    assert found.method == "normal"


def test_unlike_prevalences_are_said():
    y = np.where(SITE == "north", RNG.random(N) < 0.2, RNG.random(N) < 0.6)
    with pytest.warns(th.ThresherWarning, match="The samples have different proportions of positives.*'f1' depends on"):
        by_group(y, SCORE, SITE, metric="f1", threshold=0.5).gaps()
    by_group(y, SCORE, SITE, metric="f1", threshold=0.5, prevalence=0.3).gaps()


def test_a_group_without_an_interval_has_the_whole_range():
    groups = ["a"] * 6 + ["b"] * 2
    with pytest.warns(th.ThresherWarning, match="A group has no interval, so it is the whole range"):
        found = by_group([1, 0, 1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1, 2, 1], groups).intervals(method="delong")
    assert (found["b"].low, found["b"].high) == (0.0, 1.0)
