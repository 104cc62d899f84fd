"""Exact sums of many problems: the kernels give what NumPy gives, whatever the layout, the type and the threads."""

from __future__ import annotations

import numpy as np
import pytest

from thresher._core import native
from thresher._core.many_sums import column_sums, group_sums, label_sums, many_sums_numpy, sparse_sums, table_sums
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
