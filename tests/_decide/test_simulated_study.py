"""Tests in simulated studies: proportions of rejections against what they must be."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import thresher as th
from thresher._decide.studies import (
    SimulatedTest,
    _value_and_parts,
    chance_of_both,
    rejects_null,
    rejects_other,
    studies,
)
from thresher.measures import PrAuc, PrecisionAtRecall, RocAuc

GOOD = th.Population(stats.norm(1.5), stats.norm(), prevalence=0.25)
BAD = th.Population(stats.norm(), stats.norm(), prevalence=0.25)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_null_value_is_excluded_on_the_side_asked_for(alternative):
    high = rejects_null(GOOD, RocAuc(), 0.5, SimulatedTest(80, "fixed", 0.05, alternative, 10), rng())
    low = rejects_null(GOOD, RocAuc(), 0.99, SimulatedTest(80, "fixed", 0.05, alternative, 10), rng())
    assert high == (0.0 if alternative == "less" else 1.0)
    assert low == (0.0 if alternative == "greater" else 1.0)


def test_a_one_sided_level_is_all_on_one_side():
    # The same studies: the one-sided test at 5% is the two-sided one at 10% on that side.
    null, n = 0.74, 60
    both, one = (
        rejects_null(GOOD, RocAuc(), null, SimulatedTest(n, "fixed", level, side, 60), rng(4))
        for level, side in ((0.1, "two-sided"), (0.05, "greater"))
    )
    less = rejects_null(GOOD, RocAuc(), null, SimulatedTest(n, "fixed", 0.05, "less", 60), rng(4))
    assert 0 < one < 1
    assert both == pytest.approx(one + less)


def test_two_studies_are_compared_by_welchs_test_of_their_placements():
    n, times, level = 40, 25, 0.1
    sources = [studies(population, n, "fixed", one) for one in [rng(5)] for population in (GOOD, BAD)]
    hits = 0
    for _ in range(times):
        found = [next(source) for source in sources]
        parts, areas = [], []
        for table in found:
            pos, neg = np.repeat(table.thresholds, table.pos), np.repeat(table.thresholds, table.neg)
            wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
            areas.append(wins.mean())
            for side in (wins.mean(axis=1), wins.mean(axis=0)):
                parts.append((side.var(ddof=1) / side.size, side.size - 1))
        variance = sum(part for part, _ in parts)
        df = variance**2 / sum(part**2 / free for part, free in parts)
        hits += 2 * stats.t.sf(abs(areas[0] - areas[1]) / math.sqrt(variance), df) < level
    share = rejects_other((GOOD, BAD), RocAuc(), SimulatedTest(n, "fixed", level, "two-sided", times), rng(5))
    assert 0 < share <= 1
    assert share == pytest.approx(hits / times, abs=1 / times)


def test_equal_populations_are_told_apart_at_the_level():
    share = rejects_other((GOOD, GOOD), RocAuc(), SimulatedTest(80, "fixed", 0.2, "two-sided", 200), rng(7))
    assert share == pytest.approx(0.2, abs=4 * math.sqrt(0.16 / 200))


def test_a_measure_without_influence_takes_the_populations_error():
    same = rejects_other(
        (GOOD, GOOD), PrecisionAtRecall(0.5), SimulatedTest(200, "fixed", 0.2, "two-sided", 300), rng(8)
    )
    assert same == pytest.approx(0.2, abs=0.1)
    for alternative, want in (("greater", 1.0), ("less", 0.0), ("two-sided", 1.0)):
        found = rejects_other(
            (GOOD, BAD), PrecisionAtRecall(0.5), SimulatedTest(400, "fixed", 0.05, alternative, 50), rng(9)
        )
        assert found == pytest.approx(want, abs=0.1)


def test_studies_with_one_positive_say_nothing():
    with pytest.raises(th.UndefinedMetricError, match="no study had two cases of each class"):
        rejects_other((GOOD, BAD), RocAuc(), SimulatedTest(4, "fixed", 0.05, "two-sided", 3), rng())


def test_studies_without_a_class_reject_nothing():
    rare = th.Population(stats.norm(30), stats.norm(), prevalence=0.01)
    both = chance_of_both(rare, 100, "random")
    assert both == pytest.approx(1 - 0.99**100)
    assert rejects_null(
        rare, RocAuc(), 0.001, SimulatedTest(100, "random", 0.05, "two-sided", 5), rng()
    ) == pytest.approx(both)


def test_the_variance_of_a_study_by_class():
    table = th.Scores([1, 1, 1, 0, 0, 0, 0], [7, 4, 3, 6, 4, 2, 1])
    value, parts = _value_and_parts(table, RocAuc(), "random")
    pos, neg = np.array([4, 2.5, 2]) / 4, np.array([2, 1.5, 0, 0]) / 3
    neg = np.array([(np.array([7, 4, 3]) > s).mean() + 0.5 * (np.array([7, 4, 3]) == s).mean() for s in (6, 4, 2, 1)])
    assert value == pytest.approx(pos.mean())
    assert parts == [pytest.approx((pos.var(ddof=1) / 3, 3.0)), pytest.approx((neg.var(ddof=1) / 4, 4.0))]
    # A metric that depends on the prevalence varies with it too, if it is drawn.
    assert len(_value_and_parts(table, PrAuc(), "random")[1]) == 3
    assert len(_value_and_parts(table, PrAuc(), "fixed")[1]) == 2
    extra = _value_and_parts(table, PrAuc(), "random")[1][2]
    step = 1e-6
    moved = th.Scores.from_counts(table.thresholds, table.pos.astype(float), table.neg * (1 + step))
    slope = (PrAuc().of(moved) - PrAuc().of(table)) / math.log1p(step)
    assert extra == pytest.approx((slope**2 * (1 / 3 + 1 / 4), 7.0), rel=1e-3)
