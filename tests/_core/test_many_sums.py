"""Exact sums of many problems: the kernels give what NumPy gives, whatever the layout, the type and the threads."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._core import native
from thresher._core.many_sums import (
    column_sums,
    group_sums,
    keyed_sums,
    label_sums,
    many_sums_numpy,
    run_ends,
    run_ends_numpy,
    sparse_sums,
    table_sums,
)
from thresher._core.threads import num_threads

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")
DTYPES = ["f2", "f4", "f8", "i1", "i4", "i8", "u1", "u8", "?"]


def data(n=300, columns=35, dtype="f8"):
    rng = np.random.default_rng(n + columns)
    positive = rng.random(n) < 0.4
    matrix = np.round(10 * rng.normal(size=(n, columns)) * rng.random(columns))
    if np.dtype(dtype).kind in "ub":
        matrix = np.abs(matrix)
    return matrix.astype(dtype), positive


def by_hand(pos, neg):
    """Return the sums from the definitions, pair by pair."""
    twice_of_pos = [sum(2 * (p > n) + (p == n) for n in neg) for p in pos]
    twice_of_neg = [sum(2 * (p > n) + (p == n) for p in pos) for n in neg]
    both = pos + neg
    ties = sum(t**3 - t for t in (both.count(s) for s in set(both)))
    wide = (sum(twice_of_pos), sum(t * t for t in twice_of_pos), sum(t * t for t in twice_of_neg), ties)
    return [0, len(pos), len(neg), *(half for w in wide for half in (w >> 64, w % 2**64))]


def test_the_definition():
    pos, neg = [3.0, 2.0, 2.0, -1.0], [2.0, -1.0, 0.0]
    scores, positive = np.array(pos + neg), np.array([True] * 4 + [False] * 3)
    assert many_sums_numpy([(scores, positive)]).tolist() == [by_hand(pos, neg)]
    assert column_sums(scores[:, np.newaxis], positive).tolist() == [by_hand(pos, neg)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_columns(dtype, order):
    matrix, positive = data(dtype=dtype)
    wanted = many_sums_numpy((matrix[:, c], positive) for c in range(matrix.shape[1]))
    for threads in (1, 3):
        with num_threads(threads):
            assert np.array_equal(column_sums(np.array(matrix, order=order), positive), wanted)
    assert np.array_equal(column_sums(matrix[:, ::-1], positive), wanted[::-1])


@pytest.mark.parametrize("order", ["C", "F"])
def test_labels(order):
    matrix, _ = data()
    labels = np.array(matrix > 3, order=order)
    scores = data(columns=1)[0][:, 0]
    wanted = many_sums_numpy((scores, labels[:, c]) for c in range(labels.shape[1]))
    assert np.array_equal(label_sums(scores, labels), wanted)


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "f2"])
@pytest.mark.parametrize("indices", [np.int32, np.int64])
def test_sparse(dtype, indices):
    matrix, positive = data(dtype=dtype)
    matrix[data(dtype="f8")[0] < 2] = 0
    entries = [
        np.flatnonzero((matrix[:, c] != 0) | (np.arange(positive.size) % 7 == 0)) for c in range(matrix.shape[1])
    ]
    ends = np.cumsum([rows.size for rows in entries]).astype(np.int64)
    values = np.concatenate([matrix[rows, c] for c, rows in enumerate(entries)])
    found = sparse_sums(values, np.concatenate(entries).astype(indices), ends, positive)
    assert np.array_equal(found, many_sums_numpy((matrix[:, c], positive) for c in range(matrix.shape[1])))


def test_groups_of_every_size():
    rng = np.random.default_rng(4)
    sizes = np.concatenate(([0, 1, 2, 0, 70_000], rng.integers(0, 60, 700)))
    ends = np.cumsum(sizes).astype(np.int64)
    scores, positive = np.round(rng.normal(size=ends[-1]), 2), rng.random(ends[-1]) < 0.3
    starts = np.append(0, ends[:-1])
    wanted = many_sums_numpy((scores[a:b], positive[a:b]) for a, b in zip(starts, ends, strict=True))
    for threads in (1, 2):
        with num_threads(threads):
            assert np.array_equal(group_sums(scores, positive, ends), wanted)


def by_key(keys, scores, positive):
    """Return the groups and their sums, one group after the other."""
    names = np.unique(keys)
    order = np.argsort(keys, kind="stable")
    rows = np.split(order, np.cumsum(np.bincount(np.searchsorted(names, keys)))[:-1])
    return names, many_sums_numpy((scores[r], positive[r]) for r in rows)


@pytest.mark.some(36)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("spread", ["near", "far"])
def test_groups_in_any_order(dtype, kind, spread):
    rng = np.random.default_rng(5)
    n, groups = 3000, 140
    names = np.arange(groups) * 3 + 7
    if spread == "far":
        names = rng.integers(0, np.iinfo(kind).max, groups, dtype=kind)
    if kind[0] == "i":
        names = names - names[0]  # some below 0
    keys = names.astype(kind)[np.minimum(rng.geometric(0.05, n), groups) - 1]  # some large, some of one row
    matrix, positive = data(n, 1, dtype)
    found = keyed_sums(matrix[:, 0], positive, keys)
    for ours, wanted in zip(found, by_key(keys, matrix[:, 0], positive), strict=True):
        assert np.array_equal(ours, wanted)
    assert found[0].dtype == keys.dtype


@pytest.mark.parametrize("scale", [1, 10**12])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_many_groups_on_threads_are_those_in_order(scale, dtype):
    rng = np.random.default_rng(6)
    n = 150_000
    keys = rng.integers(-3000, 3000, n)
    keys[rng.random(n) < 0.2] = 17  # a group of many rows among groups of few
    scores, positive = np.round(rng.normal(size=n), 3).astype(dtype), rng.random(n) < 0.4
    scores[::2] += rng.random(n // 2).astype(dtype)
    order = np.argsort(keys, kind="stable")
    wanted = keyed_sums(scores[order], positive[order], keys[order] * scale)
    for threads in (1, 3):
        with num_threads(threads):
            for ours, theirs in zip(keyed_sums(scores, positive, keys * scale), wanted, strict=True):
                assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("present", [True, False])
def test_groups_in_any_order_of_scores_that_the_kernel_leaves_to_others(present, monkeypatch):
    monkeypatch.setattr(native, "available", lambda: present)
    keys = np.array([3, 1, 3, 1, 2, 3])
    scores = np.array([1e308, -5e-324, -1e308, np.inf, 0.0, 5e-324])
    positive = np.array([True, False, False, True, True, True])
    assert np.array_equal(keyed_sums(scores, positive, keys)[1], by_key(keys, scores, positive)[1])
    scores[1] = np.nan
    assert keyed_sums(scores, positive, keys)[1][:, 0].tolist() == [1, 0, 0]


@pytest.mark.parametrize("n", [1, 4, 5, 63, 64, 65, 129, 700])
@pytest.mark.parametrize("distinct", [1, 2, 30, 2000, 10**6])
def test_runs_of_equal_scores_across_words_of_64(n, distinct):
    rng = np.random.default_rng(n)
    for kind in ("f4", "f8"):
        scores = (rng.integers(0, distinct, n) / 7).astype(kind)
        positive = rng.random(n) < 0.5
        wanted = many_sums_numpy([(scores, positive)])
        assert np.array_equal(group_sums(scores, positive, np.array([n])), wanted)
        assert np.array_equal(
            keyed_sums(np.tile(scores, 2), np.tile(positive, 2), np.repeat([1, 0], n))[1][0], wanted[0]
        )


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_groups_that_exceed_the_caches(kind):
    # Wide vectors bring so many rows together in another way.
    rng = np.random.default_rng(11)
    n = 2_200_000
    scores, positive = rng.normal(size=n).round(3).astype(kind), rng.random(n) < 0.3
    users = np.where(rng.random(n) < 0.1, 7, rng.integers(0, 40_000, n))
    order = np.argsort(users, kind="stable")
    wanted = group_sums(scores[order], positive[order], run_ends_numpy(users[order]))
    for keys in (users, users << 40):
        for threads in (1, 3):
            with num_threads(threads):
                names, found = keyed_sums(scores, positive, keys)
            assert np.array_equal(names, np.unique(keys))
            assert np.array_equal(found, wanted)


def test_sums_beyond_64_bits():
    n = 3_300_000
    scores = np.arange(n, dtype=np.int32) // 3
    found = column_sums(scores[:, np.newaxis], scores > scores[-1] // 3 * 2)
    assert np.array_equal(found, many_sums_numpy([(scores, scores > scores[-1] // 3 * 2)]))
    assert found[0, 5] > 0


def test_extremes_and_nan():
    values = np.array([np.inf, -np.inf, 1e308, -1e308, 5e-324, -5e-324, 0.0, -0.0])
    rng = np.random.default_rng(2)
    scores, positive = rng.choice(values, 400), rng.random(400) < 0.5
    assert np.array_equal(column_sums(scores[:, np.newaxis], positive), many_sums_numpy([(scores, positive)]))
    scores[[3, 9]] = np.nan
    assert column_sums(scores[:, np.newaxis], positive)[0].tolist() == [2] + [0] * 10


def test_bad_arguments_of_the_kernels_are_refused():
    scores, positive = np.zeros(4), np.zeros(4, dtype=np.bool_)
    with pytest.raises(ValueError, match="must not exceed"):
        native.many_groups(scores, positive, np.array([5]))
    with pytest.raises(ValueError, match="must not decrease"):
        native.many_groups(scores, positive, np.array([3, 2]))
    with pytest.raises(ValueError, match="same length"):
        native.many_keyed(np.zeros(3, dtype=np.int64), scores, positive)
    with pytest.raises(TypeError, match="32 or 64 bits"):
        native.many_keyed(np.zeros(4, dtype=np.int8), scores, positive)
    with pytest.raises(ValueError, match="as many rows"):
        native.many_columns(np.zeros((3, 2)), positive)
    with pytest.raises(ValueError, match="must not change"):
        native.many_sparse(np.ones(1), np.array([9], dtype=np.int32), np.array([1]), positive)


def test_tables_of_counts(monkeypatch):
    rng = np.random.default_rng(2)
    sizes = [1, 7, 300]
    parts = [(rng.integers(0, 40, n).astype(float), rng.random(n) < 0.4) for n in sizes]
    wanted = many_sums_numpy(parts)
    counted = [native.count(*part) for part in parts]
    pos, neg = (np.concatenate([table[side] for table in counted]) for side in (1, 2))
    ends = np.cumsum([table[0].size for table in counted])
    assert np.array_equal(table_sums(pos, neg, ends), wanted)
    with pytest.raises(ValueError, match="must not exceed"):
        native.many_tables(pos, neg, ends + 1)
    monkeypatch.setattr(native, "available", lambda: False)
    assert np.array_equal(table_sums(pos, neg, ends), wanted)


@pytest.mark.parametrize("dtype", ["i4", "u4", "i8", "u8"])
@pytest.mark.parametrize("n", [1, 2, 3, 1000, 70_001, 200_000])
def test_where_runs_of_keys_end(dtype, n):
    rng = np.random.default_rng(n)
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    for spread in (1, 3, n):
        keys = np.sort(rng.integers(0, spread, n).astype(dtype))
        keys[0], keys[-1] = (low, high) if n > 1 else (low, low)
        for threads in (1, 3):
            with num_threads(threads):
                found = run_ends(keys)
                assert found.dtype == np.int64
                assert found.tolist() == run_ends_numpy(keys).tolist()
                if n > 1:
                    assert run_ends(keys[::-1]) is None
    fallen = np.full(n, 7, dtype)
    fallen[-1] = 6
    assert run_ends(fallen) is None or n == 1
    if n > 3:
        fallen[n // 2], fallen[-1] = 8, 8
        assert run_ends(fallen) is None


def test_runs_of_what_has_none():
    with pytest.raises(ValueError, match="rows"):
        native.run_ends(np.zeros(0, np.int64))
    with pytest.raises(TypeError, match="32 or 64 bits"):
        native.run_ends(np.zeros(3))
