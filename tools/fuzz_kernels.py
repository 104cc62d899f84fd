"""Call the kernels' entry points with random shapes, strides, dtypes and nonsense, for as long as you say.

    python tools/fuzz_kernels.py --minutes 10 [--seed 0]

Whatever is passed, a call must return the right answer (checked against NumPy) or raise TypeError, ValueError or
BufferError; anything else, a crash above all, is a finding. Its seed is printed, so that it can be repeated.
"""

from __future__ import annotations

import argparse
import contextlib
import time
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.counting import count_rows_numpy, merge_tables_numpy
from thresher._core.hull import upper_hull_numpy
from thresher._core.resampling import resample_counts
from thresher._core.threads import num_threads
from thresher.engines._spill import Spill
from thresher.engines._stream import KeyStream
from thresher.engines._table_stream import TableStream
from thresher.scores import Counts

DTYPES = [*"?bBhHiIlLqQefd"]
REFUSALS = (TypeError, ValueError, BufferError, native.NotANumberError)
Array = NDArray[Any]


def values(rng: np.random.Generator, dtype: str, n: int) -> Array:
    kind = int(rng.integers(0, 6))
    with np.errstate(all="ignore"):
        if kind == 0:
            raw = rng.integers(0, 256, n * np.dtype(dtype).itemsize, dtype=np.uint8).view(dtype)
            return (
                np.nan_to_num(raw) if dtype in "efd" else (raw.view(np.uint8) % 2).view(bool) if dtype == "?" else raw
            )
        if kind == 1:
            return (rng.normal(size=n) * 10.0 ** rng.integers(-300, 300)).astype(dtype)
        if kind == 2:
            return rng.integers(0, max(1, int(rng.integers(1, 2000))), n).astype(dtype)
        if kind == 3:
            return np.sort(rng.normal(size=n) * 100).astype(dtype)
        if kind == 4:
            return np.where(rng.random(n) < 0.9, 0, rng.normal(size=n) * 50).astype(dtype)
        return rng.choice([0.0, -0.0, np.inf, -np.inf, 5e-324, 1.0], n).astype(dtype)


def layout(rng: np.random.Generator, array: Array) -> Array:
    """The same values, somewhere else in memory."""
    kind = int(rng.integers(0, 6))
    if kind == 0:
        return np.repeat(array, 3)[1::3] if array.size else array
    if kind == 1:
        return array[::-1].copy()[::-1]
    if kind == 2:
        room = np.zeros(array.nbytes + 1, dtype=np.uint8)
        moved = room[1:].view(array.dtype)
        moved[:] = array
        return moved
    if kind == 3:
        return array.astype(array.dtype.newbyteorder("S"))
    if kind == 4:
        array = array.copy()
        array.flags.writeable = False
    return array


def same(found: Any, expected: Any) -> None:
    for one, other in zip(found, expected, strict=True):
        if not np.array_equal(one, other):
            raise AssertionError("the kernel and NumPy differ")


def count(rng: np.random.Generator) -> None:
    n = int(rng.choice([1, 2, 7, 33, 100, 1000, 20_000, 20_001, 120_000]))
    scores = values(rng, str(rng.choice(DTYPES)), n)
    finite = ~np.isnan(scores) if scores.dtype.kind == "f" else np.ones(n, dtype=bool)
    scores = np.where(finite, scores, scores.dtype.type(0))
    positive = rng.random(n) < rng.random()
    expected = count_rows_numpy(scores.view(np.uint8) if scores.dtype == bool else scores, positive)
    with num_threads(int(rng.integers(1, 5))):
        found = native.count(layout(rng, scores), layout(rng, positive))
    same(found, expected)


def merge(rng: np.random.Generator) -> None:
    dtype = str(rng.choice(DTYPES[1:]))
    tables = []
    for _ in range(2):
        scores = np.unique(values(rng, dtype, int(rng.integers(0, 60))))
        scores = np.unique(scores[scores == scores] + np.dtype(dtype).type(0))[::-1]
        tables.append((scores, *rng.integers(0, 5, (2, scores.size))))
    same(native.merge(*tables), merge_tables_numpy(*tables))


def hull(rng: np.random.Generator) -> None:
    n = int(rng.integers(1, 400))
    moves = rng.integers(0, 3, (2, n)) * int(rng.choice([1, 1000, 2**40]))
    moves[0] += (moves.sum(axis=0) == 0).astype(np.int64)
    x, y = np.cumsum(moves, axis=1)
    same([native.hull(x, y)], [upper_hull_numpy(x, y)])


def resample(rng: np.random.Generator) -> None:
    pos, neg = rng.integers(0, 4, (2, int(rng.integers(1, 300))))
    seed, replicate = (int(word) for word in rng.integers(0, 2**63, 2))
    same(native._kernels.resample(pos, neg, seed, replicate), resample_counts(pos, neg, seed, replicate))


def stream(rng: np.random.Generator) -> None:
    """Rows in pieces, with any memory and number of buckets, against the table of all of them."""
    n = int(rng.choice([1, 2, 50, 3000, 30_000]))
    scores = values(rng, str(rng.choice(["f", "d", "i", "I", "q", "Q"])), n)
    scores = np.where(np.isnan(scores), scores.dtype.type(0), scores) if scores.dtype.kind == "f" else scores
    positive = rng.random(n) < rng.random()
    max_points = int(rng.choice([2, 50, 10**6]))
    order = rng.permutation(n)
    cuts = np.unique(np.append(rng.integers(0, n, 3), [0, n]))
    found = []
    for engine in ("keys", "table"):
        with Spill() as spill:
            memory, buckets = int(2 ** rng.integers(10, 24)), int(rng.integers(1, 513))
            counter: Any = (
                KeyStream(scores.dtype, memory, spill, buckets=buckets)
                if engine == "keys"
                else TableStream(1 << 30, spill)
            )
            for first, last in pairwise(cuts.tolist()):
                rows = order[first:last] if engine == "keys" else slice(first, last)
                counter.add(scores[rows], positive[rows])
            found.append(counter.collect(max_points).result(Counts))
    if found[0] != found[1]:
        raise AssertionError("the stream and NumPy differ")


def nonsense(rng: np.random.Generator) -> None:
    """Arguments nobody should pass, straight to the extension."""
    things: list[Any] = [None, 3, "text", [1, 2], b"bytes", np.zeros((2, 3)), np.zeros(0), np.zeros(3, dtype="c16")]
    things += [np.array(["a"]), np.array([None]), np.zeros(5)[::2], np.zeros(4, dtype="g"), memoryview(b"abc")]
    things += [np.zeros(3, dtype=[("a", "i4")]), np.full(4, np.nan), np.array([-1, 2**62]), np.zeros(3, dtype=np.int64)]
    things += [np.zeros(3, dtype=np.uint8), np.zeros(3), np.array(["2020-01-01"], dtype="M8[s]")]
    kernels = native._kernels

    def any_one() -> Any:
        return things[int(rng.integers(0, len(things)))]

    def odd_stream() -> None:
        made = kernels.Stream(
            str(rng.choice(["d", "f", "q", "e", ""])), *(int(2**power) for power in rng.integers(0, 31, 2))
        )
        for step in rng.integers(0, 6, 4):
            with contextlib.suppress(*REFUSALS):
                if step == 0:
                    made.learn(any_one(), int(rng.integers(-1, 600)))
                elif step == 1:
                    made.learn_range(int(rng.integers(0, 2**63)), int(rng.integers(0, 2**63)), True, 9)
                elif step == 2:
                    made.add(any_one(), any_one(), int(rng.integers(0, 4)))
                elif step == 3:
                    made.add_keys(any_one(), int(rng.integers(0, 4)), False)
                elif step == 4:
                    made.clear()
                else:
                    made.frequent(), made.counts(), made.chunks(int(rng.integers(0, 5)))

    calls = [
        lambda: kernels.count(any_one(), any_one(), True, False, int(rng.integers(-2, 5))),
        lambda: kernels.hull(any_one(), any_one()),
        lambda: kernels.merge(*(any_one() for _ in range(6))),
        lambda: kernels.pr_sums(any_one(), any_one(), 1.0),
        lambda: kernels.delong_sums(any_one(), any_one()),
        lambda: kernels.resample(any_one(), any_one(), 0, 0),
        lambda: odd_stream(),
        lambda: kernels.tally(
            str(rng.choice(["d", "f", "q", "e", "zz"])),
            any_one(),
            int(rng.integers(0, 5)),
            True,
            any_one(),
            any_one(),
            any_one(),
            int(rng.integers(0, 2**50)),
            0,
            int(rng.integers(0, 2)),
            1,
            int(rng.integers(-1, 70)),
            0,
        ),
        lambda: kernels.bootstrap(
            any_one(), any_one(), 0, 0, 2, 1, 1.0, True, True, True, any_one(), any_one(), any_one(), any_one()
        ),
    ]
    for call in calls:
        with contextlib.suppress(*REFUSALS):
            call()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    seed = arguments.seed
    while time.monotonic() < end:
        rng = np.random.default_rng(seed)
        native._kernels.use_instruction_set(str(rng.choice(["avx2", "portable"])))
        try:
            for target in (count, merge, hull, resample, stream, nonsense, nonsense, nonsense):
                target(rng)
        except BaseException:
            print(f"seed {seed}")
            raise
        seed += 1
    print(f"{seed - arguments.seed} rounds, seeds {arguments.seed} to {seed - 1}: nothing found")


if __name__ == "__main__":
    main()
