"""Intervals of groups and of the gaps between them."""

from __future__ import annotations

import numpy as np
import pytest

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
