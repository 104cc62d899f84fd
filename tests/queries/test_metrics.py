"""Metrics of ranked lists against their definitions, rank by rank, and against the mean over orders of ties."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

import thresher as th
from thresher.queries import QueryMetric, RankedLists, compare_systems, read_trec

METRICS = [
    ("ndcg", {}),
    ("ndcg", {"depth": 3}),
    ("ndcg", {"depth": 50}),
    ("mrr", {}),
    ("reciprocal_rank", {"depth": 2}),
    ("hit_rate", {"depth": 1}),
    ("success", {"depth": 3}),
    ("r_precision", {}),
    ("rbp", {}),
    ("rbp", {"persistence": 0.5}),
    ("rbp", {"depth": 4}),
    ("bpref", {}),
]


def by_definition(name, grades, judged, missed, n_other, *, depth=None, persistence=0.8):
    """Return a metric of documents in one order, as trec_eval and the papers define it."""
    relevant = [g > 0 for g in grades]
    every = sorted([g for g in grades if g > 0] + list(missed), reverse=True)
    total = len(every)
    top = len(grades) if depth is None else depth
    if name == "ndcg":
        best = every if depth is None else every[:depth]
        ideal = sum(g / math.log2(i + 2) for i, g in enumerate(best))
        return sum(max(g, 0) / math.log2(i + 2) for i, g in enumerate(grades[:top])) / ideal
    if name in ("mrr", "reciprocal_rank"):
        return next((1 / (i + 1) for i, r in enumerate(relevant[:top]) if r), 0.0)
    if name in ("hit_rate", "success"):
        return float(any(relevant[:top]))
    if name == "r_precision":
        return sum(relevant[:total]) / total
    if name == "rbp":
        return (1 - persistence) * sum(r * persistence**i for i, r in enumerate(relevant[:top]))
    above, found = 0, 0.0
    for r, j in zip(relevant, judged, strict=True):
        if r:
            found += 1 - min(above, total) / min(total, n_other) if above else 1
        elif j:
            above += 1
    return found / total


def drawn(seed, size=9, ties=False):
    rng = np.random.default_rng(seed)
    grades = rng.choice([0, 0, 0, 1, 2, 3], size)
    grades[rng.integers(size)] = 2
    judged = (rng.random(size) < 0.7) | (grades > 0)
    scores = rng.integers(0, 4, size) * 1.0 if ties else rng.permutation(size) * 1.0
    missed = tuple(rng.choice([1.0, 2.0], rng.integers(0, 3)).tolist())
    n_other = int((judged & (grades == 0)).sum()) + int(rng.integers(0, 3))
    lists = RankedLists(
        query=np.repeat("q", size),
        document=np.arange(size).astype(str),
        y_score=scores,
        y_true=grades > 0,
        judged=judged,
        unseen={"q": len(missed)},
        grade=grades * 1.0,
        unseen_grades={"q": missed},
        not_relevant={"q": n_other},
    )
    return lists, grades, judged, scores, missed, n_other


@pytest.mark.parametrize(("name", "options"), METRICS)
@pytest.mark.parametrize("seed", range(8))
def test_without_ties(name, options, seed):
    lists, grades, judged, scores, missed, n_other = drawn(seed)
    order = np.argsort(-scores)
    want = by_definition(name, grades[order].tolist(), judged[order].tolist(), missed, n_other, **options)
    assert lists.by_query(metric=name, **options).values[0] == pytest.approx(want, abs=1e-12)


@pytest.mark.parametrize(("name", "options"), [one for one in METRICS if one[0] != "bpref"])
@pytest.mark.parametrize("seed", range(4))
def test_ties_are_the_mean_over_orders(name, options, seed):
    lists, grades, judged, scores, missed, n_other = drawn(seed, size=6, ties=True)
    found = []
    for order in permutations(range(6)):
        if all(scores[a] >= scores[b] for a, b in zip(order, order[1:], strict=False)):
            at = list(order)
            found.append(by_definition(name, grades[at].tolist(), judged[at].tolist(), missed, n_other, **options))
    assert lists.by_query(metric=name, **options).values[0] == pytest.approx(np.mean(found), abs=1e-12)


def test_grades_are_read_from_files(tmp_path):
    run, qrels = tmp_path / "run", tmp_path / "qrels"
    run.write_text("".join(f"q Q0 d{i} 1 {10 - i} x\n" for i in range(4)))
    qrels.write_text("q 0 d0 1\nq 0 d1 0\nq 0 d2 3\nq 0 d8 2\nq 0 d9 0\n")
    lists = read_trec(run, qrels)
    gain = 1 + 3 / math.log2(4)
    ideal = 3 + 2 / math.log2(3) + 1 / math.log2(4)
    assert float(lists.by_query(metric="ndcg", depth=10)) == pytest.approx(gain / ideal, rel=1e-14)
    # One of the two that were judged not relevant stands above d2, none above d0; d8 was not returned.
    assert float(lists.by_query(metric="bpref")) == pytest.approx((1 + 1 / 2) / 3, rel=1e-14)


def systems(seed=0, queries=30):
    rng = np.random.default_rng(seed)
    query = np.repeat([f"q{i:02}" for i in range(queries)], 8)
    relevant = rng.random(query.size) < 0.3
    relevant[::8] = True
    parts = query, np.arange(query.size).astype(str)
    rest = relevant, np.ones(query.size, dtype=bool), dict.fromkeys(np.unique(query).tolist(), 0)
    return {
        name: RankedLists(*parts, rng.normal(size=query.size) + x * relevant, *rest)
        for name, x in zip("abc", (0, 1, 2), strict=True)
    }


def test_systems_are_compared_by_paired_t_tests():
    from scipy import stats

    runs = systems()
    found = compare_systems(runs, "ndcg", depth=5)
    values = {name: one.by_query(metric="ndcg", depth=5).values for name, one in runs.items()}
    for a, b in (("a", "b"), ("a", "c"), ("b", "c")):
        want = stats.ttest_rel(values[a], values[b])
        mine = found.difference(a, b)
        assert mine.pvalue == pytest.approx(want.pvalue, rel=1e-9)
        assert mine.df == pytest.approx(29)
        assert tuple(mine.confidence_interval()) == pytest.approx(tuple(want.confidence_interval()), rel=1e-9)
    pairs = found.simultaneous()
    assert (pairs.pvalues_adjusted <= pairs.pvalues_holm.max() + 1).all()
    assert found.ranking().names[0] == "c"
    assert th.results.from_json(found.to_json()) == found


def test_what_cannot_be_is_refused():
    lists = drawn(0)[0]
    for call, message in (
        (lambda: lists.by_query(metric="hit_rate"), "`depth` must be given for 'hit_rate'"),
        (lambda: lists.by_query(metric="bpref", depth=3), "looks at the whole list"),
        (lambda: lists.by_query(metric="ndcg", persistence=0.5), "`persistence` belongs to 'rbp'"),
        (lambda: lists.by_query(metric="roc_auc", persistence=0.5), "`persistence` belongs to 'rbp'"),
        (lambda: lists.by_query(metric="rbp", persistence=1.0), "`persistence` must be in (0, 1)"),
        (lambda: compare_systems({"a": lists}, "ndcg"), "must hold two systems or more; got 1"),
        (lambda: compare_systems([lists], "ndcg"), "`runs` must map names to RankedLists"),
        (lambda: compare_systems({"a": lists, "b": systems()["a"]}, "ndcg"), "the same queries"),
    ):
        with pytest.raises(th.ThresherError) as caught:
            call()
        assert message in str(caught.value)


def test_a_metric_is_a_value():
    assert QueryMetric("ndcg", depth=10) == QueryMetric("ndcg", depth=10)
    assert QueryMetric("rbp", persistence=0.8).described() == "RBP (p = 0.8)"
    found = drawn(0)[0].by_query(metric=QueryMetric("ndcg", depth=3))
    assert th.results.from_json(found.to_json()) == found
