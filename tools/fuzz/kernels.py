"""The kernels' entry points with random shapes, strides, dtypes and nonsense, checked against NumPy.

Whatever is passed, a call must return the right answer or raise TypeError, ValueError or BufferError; anything else, a
crash above all, is a finding.
"""

from __future__ import annotations

import contextlib
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._core import native
from thresher._core.counting import count_groups_numpy, count_rows_numpy, merge_tables_numpy
from thresher._core.hull import upper_hull_numpy
from thresher._core.many_sums import many_sums_numpy
from thresher._core.resampling import resample_tables_numpy
from thresher._core.sums import exact_dot
from thresher._core.threads import num_threads
from thresher._inference.pr import spread_numpy
from thresher._read.stream.key_stream import KeyStream
from thresher._read.stream.spill import Spill
from thresher._read.stream.table_stream import TableStream
from thresher._table import Counts
from thresher.measures._pr_estimators import pr_auc_value_numpy
from thresher.metrics._area_scores import trapezoids_numpy
from thresher.metrics._gains import gains_numpy

DTYPES = [*"?bBhHiIlLqQefd"]
REFUSALS = (TypeError, ValueError, BufferError, native.NotANumberError)
Array = NDArray[Any]


def values(rng: np.random.Generator, dtype: str, n: int) -> Array:
    kind = int(rng.integers(0, 7))
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
        if kind == 5 and dtype in "fd":  # neighbours
            bits = np.dtype("i4" if dtype == "f" else "i8")
            return (
                (np.array(0.3, dtype).view(bits) + rng.integers(0, 1 + n * int(rng.integers(1, 6)), n))
                .astype(bits)
                .view(dtype)
            )
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
    n = int(rng.choice([0, 1, 2, 7, 33, 100, 1000, 20_000, 20_001, 120_000]))
    scores = values(rng, str(rng.choice(DTYPES)), n)
    finite = ~np.isnan(scores) if scores.dtype.kind == "f" else np.ones(n, dtype=bool)
    scores = np.where(finite, scores, scores.dtype.type(0))
    positive = rng.random(n) < rng.random()
    expected = count_rows_numpy(scores.view(np.uint8) if scores.dtype == bool else scores, positive)
    with num_threads(int(rng.integers(1, 5))):
        found = native.count(layout(rng, scores), layout(rng, positive))
        # Labels of any kind beside them; what is laid out in another way is not plain.
        plain = native.plain_table(
            layout(rng, positive.astype(str(rng.choice(["?", "i1", "u2", "i8", "f4", "f8"])))), layout(rng, scores)
        )
    same(found, expected)
    if plain is not None:
        same((plain.thresholds, plain.tp, plain.fp), (expected[0], np.cumsum(expected[1]), np.cumsum(expected[2])))


def merge(rng: np.random.Generator) -> None:
    dtype = str(rng.choice(DTYPES[1:]))
    tables = []
    for _ in range(2):
        scores = np.unique(values(rng, dtype, int(rng.integers(0, 60))))
        scores = np.unique(scores[scores == scores] + np.dtype(dtype).type(0))[::-1]
        tables.append((scores, *rng.integers(0, 5, (2, scores.size))))
    same(native.merge(*tables), merge_tables_numpy(*tables))


def hull(rng: np.random.Generator) -> None:
    n = int(rng.choice([rng.integers(1, 400), rng.integers(1000, 3000)]))
    moves = rng.integers(0, 3, (2, n)) * int(rng.choice([1, 1000, 2**40]))
    moves[0] += (moves.sum(axis=0) == 0).astype(np.int64)
    x, y = np.cumsum(moves, axis=1)
    same([native.hull(x, y)], [upper_hull_numpy(x, y)])


def resample(rng: np.random.Generator) -> None:
    pos, neg = rng.integers(0, 4, (2, int(rng.integers(1, 300))))
    seed, replicate = (int(word) for word in rng.integers(0, 2**63, 2))
    how = int(rng.integers(1, 6)), bool(rng.integers(2)), int(rng.integers(3))
    found = native.resample(pos, neg, seed, replicate, *how)
    same(found, resample_tables_numpy(pos, neg, seed, replicate, *how))


def rows(rng: np.random.Generator, least: int = 0) -> tuple[Array, Array]:
    """Scores of any type without NaN, and labels; sometimes none at all."""
    n = max(least, int(rng.choice([0, 1, 2, 7, 33, 100, 1000, 5000, 30_000])))
    scores = values(rng, str(rng.choice(DTYPES)), n)
    if scores.dtype.kind == "f":
        scores = np.where(np.isnan(scores), scores.dtype.type(0), scores)
    return scores, rng.random(n) < rng.random()


def comparable(scores: Array) -> Array:
    """The same order, with zeros folded, in a type that NumPy sorts well."""
    if scores.dtype == np.bool_:
        return scores.view(np.uint8)
    folded = scores + scores.dtype.type(0) if scores.dtype.kind == "f" else scores
    return folded.astype(np.float32) if folded.dtype == np.float16 else folded


def order(rng: np.random.Generator) -> None:
    scores, _ = rows(rng)
    same([native.order(layout(rng, scores))], [np.argsort(comparable(scores), kind="stable")])


def twice_placements(scores: Array, positive: Array) -> Array:
    plain = comparable(scores)
    pos, neg = np.sort(plain[positive]), np.sort(plain[~positive])
    out = np.empty(plain.size, dtype=np.int64)
    up, down = plain[positive], plain[~positive]
    out[positive] = np.searchsorted(neg, up, "left") + np.searchsorted(neg, up, "right")
    out[~positive] = 2 * pos.size - np.searchsorted(pos, down, "left") - np.searchsorted(pos, down, "right")
    return out


def placements(rng: np.random.Generator) -> None:
    scores, positive = rows(rng)
    same([native.placements(layout(rng, scores), layout(rng, positive))], [twice_placements(scores, positive)])


def batch(rng: np.random.Generator) -> None:
    scores, positive = rows(rng)
    ends = np.sort(rng.integers(0, scores.size + 1, int(rng.integers(0, 200))))
    with num_threads(int(rng.integers(1, 5))):
        found = native.batch(layout(rng, scores), layout(rng, positive), layout(rng, ends))
    starts = np.concatenate(([0], ends[:-1])).astype(np.int64)
    for row, (start, end) in enumerate(zip(starts[: ends.size], ends, strict=True)):
        part, labels = scores[start:end], positive[start:end]
        twice_u = int(twice_placements(part, labels)[labels].sum())
        same([found[row, :4]], [np.array([0, labels.sum(), (~labels).sum(), twice_u], dtype=np.float64)])


def group_tables(rng: np.random.Generator) -> None:
    scores, positive = rows(rng)
    codes = np.sort(rng.integers(0, int(rng.integers(1, 300)), scores.size)).astype(np.int32)
    if not scores.size:
        return
    last = np.append(np.flatnonzero(codes[1:] != codes[:-1]), codes.size - 1)
    with num_threads(int(rng.integers(1, 5))):
        sizes, found = native.group_tables(layout(rng, scores), layout(rng, positive), layout(rng, last + 1))
    _, ends, expected = count_groups_numpy(codes, scores, positive)
    same([np.cumsum(sizes), *found], [ends, *expected])


def many(rng: np.random.Generator) -> None:
    """Sums of many problems: rows in groups, columns of scores, of labels and of sparse matrices, tables of counts."""
    scores, positive = rows(rng, least=1)
    scores, positive = scores[:4000], positive[:4000]
    ends = np.sort(rng.integers(0, scores.size + 1, int(rng.integers(1, 60)))).astype(np.int64)
    wide = max(1, min(7, scores.size // 9))
    tall = scores.size // wide
    matrix, labels = scores[: wide * tall].reshape(tall, wide), positive[: wide * tall].reshape(tall, wide)
    matrix = matrix if rng.random() < 0.5 else np.asfortranarray(matrix)
    with num_threads(int(rng.integers(1, 5))):
        groups = native.many_groups(layout(rng, scores), layout(rng, positive), layout(rng, ends))
        columns = native.many_columns(matrix, layout(rng, labels[:, 0]))
        against = native.many_labels(layout(rng, matrix[:, 0]), labels)
        if matrix.dtype.char != "e":  # which sparse matrices do not have
            places = np.tile(np.arange(tall), wide), tall * np.arange(1, wide + 1)
            same([native.many_sparse(layout(rng, matrix.T.ravel()), *places, labels[:, 0])], [columns])
    parts = zip(np.append(0, ends[:-1]), ends, strict=True)
    same([groups], [many_sums_numpy((scores[a:b], positive[a:b]) for a, b in parts)])
    same([columns], [many_sums_numpy((matrix[:, c], labels[:, 0]) for c in range(wide))])
    same([against], [many_sums_numpy((matrix[:, 0], labels[:, c]) for c in range(wide))])


def many_counted(rng: np.random.Generator) -> None:
    tables = [table(rng) for _ in range(int(rng.integers(1, 4)))]
    counts = [[np.diff(column, prepend=0).astype(np.int64) for column in pair] for pair in tables]
    pos, neg = (np.concatenate(columns) for columns in zip(*counts, strict=True))
    ends = np.cumsum([pair[0].size for pair in tables])
    scale = rng.choice([1.0, 0.01, 30.0], len(tables))
    with num_threads(int(rng.integers(1, 5))):
        sums = native.many_tables(layout(rng, pos), layout(rng, neg), layout(rng, ends))
        for estimator in ("interpolated", "average_precision", "unit_steps", "trapezoid", "functional"):
            area, spread = native.many_pr(layout(rng, pos), layout(rng, neg), layout(rng, ends), estimator, scale)
            of_spread = "interpolated" if estimator == "unit_steps" else estimator
            for g, (tp, fp) in enumerate(tables):
                same([area[g]], [native.pr_area(tp, fp, estimator, float(scale[g]))])
                same([number[g] for number in spread], native.pr_spread(tp, fp, of_spread, float(scale[g])))
    rows_of = ((-np.repeat(np.arange(p.size), p + q), _labels(p, q)) for p, q in counts)
    same([sums], [many_sums_numpy(rows_of)])


def _labels(pos: Array, neg: Array) -> Array:
    return np.repeat(np.tile([True, False], pos.size), np.stack((pos, neg), axis=1).ravel())


def many_keyed(rng: np.random.Generator) -> None:
    scores, positive = rows(rng)
    if not scores.size:
        return
    apart = int(rng.choice([1, 1, 3, 10**9, 2**50]))
    keys = (rng.integers(0, int(rng.choice([1, 2, 300, 10_000])), scores.size) - 100) * apart
    with num_threads(int(rng.integers(1, 5))):
        found = native.many_keyed(layout(rng, keys), layout(rng, scores), layout(rng, positive))
    if found is None:
        return
    names, sums, _ = found
    order = np.argsort(names)
    whole = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(keys[whole]) != 0))
    parts = np.split(whole, starts[1:])
    same([names[order], sums[order]], [keys[whole[starts]], many_sums_numpy((scores[p], positive[p]) for p in parts)])


def table(rng: np.random.Generator) -> tuple[Array, Array]:
    """Running counts, in 32 or 64 bits; both classes have rows."""
    n = int(rng.choice([1, 2, 9, 300, 5000, 70_000, 140_000]))
    steps = rng.integers(0, int(rng.choice([2, 2, 4, 50])), (2, n)) * (rng.random((2, n)) < rng.random((2, 1)))
    steps[:, int(rng.integers(0, n))] += 1
    dtype = np.int32 if rng.random() < 0.5 else np.int64
    tp, fp = np.cumsum(steps, axis=1).astype(dtype)
    return tp, fp


def close(found: Any, expected: Any, relative: float, absolute: float = 0.0) -> None:
    if not np.allclose(found, expected, rtol=relative, atol=absolute):
        raise AssertionError(f"the kernel and NumPy differ: {found} and {expected}")


def points(rng: np.random.Generator) -> None:
    tp, fp = table(rng)
    thresholds = np.arange(tp.size, 0, -1).astype(np.float32 if rng.random() < 0.5 else np.float64)
    corners = bool(rng.random() < 0.5)
    kept = np.ones(tp.size, dtype=np.bool_)
    if corners:
        kept[1:-1] = (np.diff(tp, 2) != 0) | (np.diff(fp, 2) != 0)
    expected = [
        np.append(0.0, fp[kept] / fp[-1]),
        np.append(0.0, tp[kept] / tp[-1]),
        np.append(np.inf, thresholds[kept]),
    ]
    found = native.roc_points(layout(rng, thresholds), layout(rng, tp), layout(rng, fp), corners=corners)
    same(found, expected)


def areas(rng: np.random.Generator) -> None:
    tp, fp = table(rng)
    scale = float(rng.choice([1.0, 0.01, 30.0]))
    pos, neg = (np.diff(column, prepend=0).astype(np.int64) for column in (tp, fp))
    counts = Counts._from_table((-np.arange(tp.size), pos, neg))
    with num_threads(int(rng.integers(1, 5))):
        for estimator in ("interpolated", "average_precision", "unit_steps", "trapezoid", "functional"):
            found = native.pr_area(layout(rng, tp), layout(rng, fp), estimator, scale)
            close(found / counts.n_pos, pr_auc_value_numpy(counts, estimator, scale, (0.0, 1.0)), 2e-15)
        columns = np.append(0.0, tp), np.append(0.0, fp)
        for estimator in ("interpolated", "average_precision", "trapezoid", "functional"):
            spread = native.pr_spread(layout(rng, tp), layout(rng, fp), estimator, scale)
            close(spread, spread_numpy(*columns, estimator, scale, (0.0, 1.0)), 1e-8, 1e-9)
    shared = (pos > 0) & (neg > 0)
    expected = (int(shared.sum()), int(pos[shared].sum()), exact_dot(pos[shared], neg[shared]))
    same(native.ties(layout(rng, tp), layout(rng, fp)), expected)
    delong = native.delong_sums(layout(rng, tp), layout(rng, fp))
    below, above = 2 * (int(counts.n_neg) - counts.fp) + neg, 2 * counts.tp - pos
    same(delong, (exact_dot(pos, below * below), exact_dot(neg, above * above), counts._twice_u))


def trapezoid(rng: np.random.Generator) -> None:
    n = int(rng.choice([0, 1, 2, 9, 100, 1030, 66_000]))
    x, y = rng.normal(size=(2, n))
    if rng.random() < 0.5:
        x = np.sort(x)[:: int(rng.choice([-1, 1]))]
    with num_threads(int(rng.integers(1, 5))):
        twice, *steps = native.trapezoid(layout(rng, x), layout(rng, y))
    expected, *expected_steps = trapezoids_numpy(x, y)
    close(twice, expected, 1e-12, 1e-11)
    same([steps], [expected_steps])


def gains(rng: np.random.Generator) -> None:
    shape = int(rng.integers(0, 50)), int(rng.choice([1, 2, 5, 16, 17, 40, 300]))
    relevance = rng.integers(0, 4, shape)
    scores = rng.integers(0, int(rng.choice([3, 10**6])), shape).astype(np.float64)
    discounts = 1.0 / np.log2(np.arange(shape[1]) + 2)
    with num_threads(int(rng.integers(1, 5))):
        gain, best, _ = native.gains(relevance[::-1], np.asfortranarray(scores)[::-1], discounts)
    for found, expected in zip((gain, best), gains_numpy(relevance, scores, discounts, False), strict=True):
        close(found[::-1], expected, 1e-13)


def sort(rng: np.random.Generator) -> None:
    for kernel, dtype, bias in (
        (native._kernels.sort_keys32, np.uint32, 0),
        (native._kernels.sort_keys64, np.uint64, 1 << 52),  # such keys are positive normal doubles
    ):
        top = 2 ** int(rng.integers(1, 31)) if dtype == np.uint32 else 2 ** int(rng.integers(1, 62))
        keys = rng.integers(0, top, int(rng.integers(0, 3000)), dtype=dtype) + dtype(bias)
        expected = np.sort(keys)
        kernel(keys)
        same([keys], [expected])


def odd_labels(rng: np.random.Generator) -> None:
    """Truth values that are neither 0 nor 1 in memory count as true."""
    scores, positive = rows(rng)
    odd = np.where(positive, rng.integers(1, 256, positive.size), 0).astype(np.uint8).view(np.bool_)
    same(native.count(scores, odd), native.count(scores, positive))
    same([native.placements(scores, odd)], [native.placements(scores, positive)])


def unaligned(dtype: str, n: int) -> Array:
    return np.zeros(n * np.dtype(dtype).itemsize + 1, dtype=np.uint8)[1:].view(dtype)


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
    things += [unaligned("f8", 3), unaligned("i8", 3), unaligned("i4", 3), np.zeros(3, dtype=">f8"), np.zeros(())]
    things += [np.zeros((0, 3)), np.zeros(3, dtype=np.int32), np.array([2**31 - 1, -(2**31)], dtype=np.int32)]
    things += [np.array([np.nan, np.inf, -np.inf]), np.array([3, 2, 1]), np.array([7, 255, 0], dtype=np.uint8)]
    kernels = native._kernels

    def any_one() -> Any:
        return things[int(rng.integers(0, len(things)))]

    def any_number() -> int:
        return int(rng.integers(-2, 9))

    def any_scale() -> float:
        return float(rng.choice([1.0, 0.0, -1.0, np.nan, np.inf]))

    def odd_stream() -> None:
        made = kernels.Stream(
            str(rng.choice(["d", "f", "q", "e", ""])), *(int(2**power) for power in rng.integers(0, 18, 2))
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
                    made.clear(int(rng.integers(0, 5)))
                else:
                    made.frequent(), made.counts(), made.chunks(int(rng.integers(0, 5)))

    calls = [
        lambda: kernels.count(any_one(), any_one(), True, False, any_number()),
        lambda: kernels.hull(any_one(), any_one()),
        lambda: kernels.merge(*(any_one() for _ in range(6))),
        lambda: kernels.delong_sums(any_one(), any_one()),
        lambda: kernels.order(any_one()),
        lambda: kernels.place(any_one(), any_one()),
        lambda: kernels.batch(any_one(), any_one(), any_one(), any_number()),
        lambda: kernels.group_tables(any_one(), any_one(), any_one(), any_number()),
        lambda: kernels.many_keyed(any_one(), any_one(), any_one(), any_number()),
        lambda: kernels.points(any_one(), any_one(), any_one(), True),
        lambda: kernels.pr_area(any_one(), any_one(), any_number(), any_scale(), any_number()),
        lambda: kernels.pr_spread(any_one(), any_one(), any_number(), 1.0, any_number()),
        lambda: kernels.ties(any_one(), any_one()),
        lambda: kernels.trapezoid(any_one(), any_one(), any_number()),
        lambda: kernels.gains(any_one(), any_one(), any_one(), any_number()),
        lambda: kernels.sort_keys32(any_one()),
        lambda: kernels.sort_keys64(any_one()),
        lambda: kernels.resample(any_one(), any_one(), 0, 0, 2, 1, False, 0),
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
            *(any_one(), any_one(), 0, 0, 2, 1, False, (1.0, True, True, True, True, True, True)),
            *(any_one(), any_one(), any_one(), any_one()),
        ),
        lambda: kernels.paired(
            *(any_one(), bool(rng.random() < 0.5), [(any_one(),) * 2 + (any_one(), any_one(), any_one())], 0, 0, 2, 1),
            *((1.0, True, True, True, True, True, True), any_one(), any_one(), any_one()),
        ),
        lambda: kernels.paired_tables(
            any_one(), bool(rng.random() < 0.5), [(any_one(),) * 2 + (any_one(), any_one(), any_one())], 0, 0, 2, 1
        ),
    ]
    calls += [
        lambda: kernels.many_groups(any_one(), any_one(), any_one(), 2),
        lambda: kernels.many_columns(any_one(), any_one(), bool(rng.random() < 0.5), 2),
        lambda: kernels.many_labels(any_one(), any_one(), bool(rng.random() < 0.5), 2),
        lambda: kernels.class_values(
            any_one(), bool(rng.random() < 0.5), any_one(), bool(rng.random() < 0.5), *rng.integers(0, 9, 3).tolist(), 2
        ),
        lambda: kernels.many_sparse(any_one(), any_one(), any_one(), any_one(), 2),
        lambda: kernels.many_tables(any_one(), any_one(), any_one(), 2),
        lambda: kernels.many_pr(any_one(), any_one(), any_one(), int(rng.choice([-1, 0, 1, 3, 4, 9])), any_one(), 2),
    ]
    for call in calls:
        with contextlib.suppress(*REFUSALS):
            call()


TARGETS = (
    count,
    merge,
    hull,
    resample,
    stream,
    order,
    placements,
    batch,
    group_tables,
    many,
    many_counted,
    many_keyed,
    points,
    areas,
    trapezoid,
    gains,
    sort,
    odd_labels,
    nonsense,
    nonsense,
    nonsense,
)


def case(rng: np.random.Generator) -> int:
    """Call every entry point once; return how many calls that were."""
    usual = native.instruction_set()
    native._kernels.use_instruction_set(str(rng.choice(["avx512", "avx2", "portable"])))
    try:
        for target in TARGETS:
            target(rng)
    finally:
        native._kernels.use_instruction_set(usual)
    return len(TARGETS)
