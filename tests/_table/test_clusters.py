"""Which rows belong together, against a dictionary of rows."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher._table.clusters import as_clusters, make_clusters

row = st.tuples(st.integers(0, 4), st.integers(0, 3), st.booleans(), st.sampled_from([0.5, 1.0, 3.0]))
rows = st.lists(row, min_size=1, max_size=20)


def counted(cases):
    out = defaultdict(lambda: [0.0, 0])
    for group, score, label, weight in cases:
        entry = out[group, float(score), bool(label)]
        entry[0] += weight
        entry[1] += 1
    return dict(out)


def listed(clusters, thresholds):
    cells = (clusters.labels[clusters.code].tolist(), thresholds[clusters.cell].tolist(), clusters.positive.tolist())
    keys = list(zip(*cells, strict=True))
    assert len(set(keys)) == len(keys)
    assert (np.diff(clusters.cell) >= 0).all()
    return {key: [w, r] for key, w, r in zip(keys, clusters.weight.tolist(), clusters.rows.tolist(), strict=True)}


def columns(cases):
    groups, scores, labels, weights = (np.array(column) for column in zip(*cases, strict=True))
    return groups, scores.astype(float), labels.astype(bool), weights


def table(cases, weighted=True):
    groups, scores, labels, weights = columns(cases)
    return th.Scores(labels, scores, cluster=groups, **({"sample_weight": weights} if weighted else {}))


@given(rows)
def test_one_entry_for_each_cluster_score_and_class(cases):
    scores = table(cases)
    assert listed(scores._clusters, scores.thresholds) == counted(cases)
    assert scores._clusters.size == len({group for group, *_ in cases})


@given(rows, rows)
def test_sums_of_tables_join_equal_labels(one, two):
    both = table(one) + table(two)
    assert listed(both._clusters, both.thresholds) == counted(one + two)
    assert both._clusters.same_as(table(one + two)._clusters)


def test_text_and_numbers_are_joined_as_text():
    one = th.Scores([1, 0], [2, 1], cluster=[7, 8])
    two = th.Scores([1, 0], [3, 1], cluster=["7", "b"])
    both = (one + two)._clusters
    assert sorted(both.labels.tolist()) == ["7", "8", "b"]
    assert both.rows.sum() == 4


@given(rows)
def test_sums_over_clusters(cases):
    scores = table(cases)
    rng = np.random.default_rng(0)
    pos, neg = rng.random(len(scores)), rng.random(len(scores))
    found = scores._clusters.sums(pos, neg)
    want = np.zeros((2, scores._clusters.size))
    labels, at = scores._clusters.labels.tolist(), scores.thresholds.tolist()
    for group, score, label, weight in cases:
        i = at.index(score)
        want[0 if label else 1, labels.index(group)] += weight * (pos if label else neg)[i]
    np.testing.assert_allclose(np.stack(found), want, atol=1e-12)


def test_cells_can_move_together():
    scores = table([(0, 3, True, 1.0), (0, 2, True, 1.0), (1, 1, False, 1.0)], weighted=False)
    moved = scores._clusters.moved(np.array([0, 0, 1]))
    assert listed(moved, np.array([9.0, 8.0])) == {(0, 9.0, True): [2.0, 2], (1, 8.0, False): [1.0, 1]}
    assert not moved.same_as(scores._clusters)


def test_a_row_stands_at_the_highest_threshold_not_above_its_score():
    found = make_clusters(
        np.array([0, 0, 1]), np.array([3.0, 1.0]), np.array([3.5, 2.0, 1.0]), np.array([True, True, False]), None,
        np.array([2, 3, 4]),
    )  # fmt: skip
    assert listed(found, np.array([3.0, 1.0])) == {
        (0, 3.0, True): [1.0, 2],
        (0, 1.0, True): [1.0, 3],
        (1, 1.0, False): [1.0, 4],
    }


@pytest.mark.parametrize(
    ("groups", "kind"),
    [([1, 2], "i"), ([True, False], "i"), ([1.0, 2.0], "i"), (["a", "b"], "U"), (np.array(["a", "b"], object), "U")],
)
def test_labels_are_integers_or_text(groups, kind):
    assert as_clusters(groups, 2).dtype.kind == kind


@pytest.mark.parametrize("groups", [[0.5, 1.0], [1.0, float("nan")], np.array(["a", 1], object)])
def test_other_labels_are_refused(groups):
    with pytest.raises(th.InvalidTypeError, match="`cluster` must be integers or text"):
        as_clusters(groups, 2)


def test_lengths_are_compared():
    with pytest.raises(th.InvalidInputError, match="`cluster`"):
        as_clusters([1, 2, 3], 2)
