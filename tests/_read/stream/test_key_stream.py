"""Keys in buckets give the table of the rows, however little memory and however lopsided the scores."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import thresher as th
from support.tables import assert_same, datasets
from thresher._core import native
from thresher._read.stream.collect import Collector, Marks, Workers
from thresher._read.stream.key_stream import KeyStream, _joined, _ordinal
from thresher._read.stream.key_stream import _Bucket as Bucket
from thresher._read.stream.spill import Spill

pytestmark = pytest.mark.skipif(not native.available(), reason="the kernels are not compiled")


def counted(s, y, *, memory=1 << 24, most=10**6, buckets=8, pieces=5):
    with Spill() as spill:
        stream = KeyStream(s.dtype, memory, spill, buckets=buckets)
        for part in np.array_split(np.arange(s.size), pieces):
            stream.add(np.ascontiguousarray(s[part]), np.ascontiguousarray(y[part]))
        return stream.collect(most).result(th.Scores), spill.size


@pytest.mark.parametrize("kind", datasets(10))
def test_every_kind_of_score(kind):
    y, s = datasets(2000)[kind]
    for most in (30, 10**6):
        found = counted(s, y == 1, most=most)[0]
        assert_same(found, th.Scores(y, s), hull=found._complete)
        assert len(found) <= most


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint32, np.int64, np.uint64])
def test_every_type(dtype):
    rng = np.random.default_rng(6)
    y = rng.random(4000) < 0.4
    s = (1000 * rng.normal(size=4000) + 500 * y).clip(0 if np.dtype(dtype).kind == "u" else None).astype(dtype)
    assert_same(counted(s, y)[0], th.Scores(y, s))


@pytest.mark.parametrize("shape", ["spread", "one score", "two clumps", "sorted"])
def test_little_memory_divides_buckets_and_writes_them(shape):
    """Memory for a fraction of the keys: buckets are written, and those that are too large divided again."""
    rng = np.random.default_rng(7)
    n = 60_000
    y = rng.random(n) < 0.3
    s = rng.normal(size=n)
    if shape == "one score":
        s[: n - 500] = 0.25
    elif shape == "two clumps":
        s = np.where(rng.random(n) < 0.5, 1e-300 * s, 1 + 1e-9 * s)
    elif shape == "sorted":
        s.sort()
    found, written = counted(s, y, memory=1 << 17, most=200, buckets=2, pieces=40)
    assert (written > 0) == (shape != "one score")  # which is counted beside the keys
    assert_same(found, th.Scores(y, s), hull=False)


def test_order_pieces_and_buckets_change_nothing():
    y, s = datasets(3000)["continuous"]
    shuffled = np.random.default_rng(1).permutation(s.size)
    tables = [counted(s, y == 1, most=100, buckets=k, pieces=p)[0] for k, p in ((1, 1), (8, 3), (300, 9))]
    tables.append(counted(s[shuffled], y[shuffled] == 1, most=100)[0])
    assert all(table == tables[0] for table in tables)


class Seen(Collector):
    """What comes, in its order."""

    def __init__(self):
        super().__init__(Marks.make(1, 1, 10), 10)
        self.seen = []

    def add(self, tally):
        self.seen.append(tally)


@pytest.mark.parametrize("number", [1, 3])
def test_workers_collect_in_order(number):
    seen, gate = Seen(), threading.Event()

    def task(i):
        def run():
            if i == 0 and number > 1:
                gate.wait(5)
            else:
                gate.set()
            return i

        return run

    with Workers(number, seen) as team:
        for i in range(10):
            team.do(task(i))
        team.finish()
        assert seen.seen == list(range(10))


def test_a_task_that_fails_is_told():
    def fail():
        raise MemoryError("no room")

    with Workers(2, Seen()) as team:
        team.do(fail)
        with pytest.raises(MemoryError, match="no room"):
            team.finish()


def test_frequent_scores_of_both_levels():
    columns = [np.array([5, 9], np.uint64), np.array([1, 2]), np.array([0, 1])]
    parent = Bucket(
        [], 0, 0, False, (0, 100), (np.array([3, 9, 50], np.uint64), np.array([7, 8, 9]), np.array([1, 1, 1])), 0
    )
    ordinals, pos, neg = _joined(tuple(columns), parent, (4, 20), 8)
    assert (ordinals.tolist(), pos.tolist(), neg.tolist()) == ([5, 9], [1, 10], [0, 2])
    assert _ordinal(5, True, 4) == 5 | 1 << 31
