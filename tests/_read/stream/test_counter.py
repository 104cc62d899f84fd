"""Any order, partition, memory and number of buckets gives the same table, figures and points."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from support.thorough import dear
from thresher._core import native
from thresher._read.sources.batch_columns import Rows
from thresher._read.stream.counter import RowCounter
from thresher._read.stream.key_stream import KeyStream
from thresher._read.stream.spill import Spill
from thresher._read.stream.table_stream import TableStream
from thresher._table.exact_figures import Figures

KINDS = ("float64", "float32", "float16", "int64", "uint64", "int32", "uint32", "int16", "uint8", "longdouble")


def exact_figures(full: th.Scores) -> Figures:
    """Integer sums in Python, areas from the complete table."""
    n_neg, tp0, fp0 = int(full.n_neg), 0, 0
    sums = [0] * 6
    average = []
    for pos, neg in zip(full.pos.tolist(), full.neg.tolist(), strict=True):
        tp, fp = tp0 + pos, fp0 + neg
        for k, term in enumerate(
            (
                neg * (tp0 + tp),
                pos * (2 * n_neg - fp0 - fp) ** 2,
                neg * (tp0 + tp) ** 2,
                pos * neg,
                int(pos > 0 and neg > 0),
                pos if neg else 0,
            )
        ):
            sums[k] += term
        average.append(pos * tp / (tp + fp))
        tp0, fp0 = tp, fp
    area = full.pr_auc().value * full.n_pos if full.n_pos and full.n_neg else float(full.n_pos)
    return Figures(len(full), *sums, math.fsum(average), area)


def check(found: th.Scores, full: th.Scores, max_points: int) -> None:
    if len(full) <= max_points:
        assert found == full
        assert found._complete
        assert found.thresholds.dtype == full.thresholds.dtype
        return
    assert len(found) <= max_points
    place = np.searchsorted(-full.thresholds.astype(np.longdouble), -found.thresholds.astype(np.longdouble))
    np.testing.assert_array_equal(full.thresholds[place], found.thresholds)
    np.testing.assert_array_equal(full.tp[place], found.tp)
    np.testing.assert_array_equal(full.fp[place], found.fp)
    assert place[-1] == len(full) - 1
    np.testing.assert_array_equal(found._highest_scores, full.thresholds[np.append(0, place[:-1] + 1)])
    wanted, got = exact_figures(full), found._figures
    for name in ("n_scores", "twice_u", "pos_placement_squares", "neg_placement_squares", "tied_pairs"):
        assert getattr(got, name) == getattr(wanted, name), name
    assert (got.shared_scores, got.shared_pos) == (wanted.shared_scores, wanted.shared_pos)
    assert got.average_precision == pytest.approx(wanted.average_precision, rel=1e-15)
    assert got.interpolated == pytest.approx(wanted.interpolated, rel=1e-15)


def values(rng: np.random.Generator, kind: str, shape: str, n: int) -> np.ndarray:
    dtype = np.dtype(kind)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        if shape == "wide":
            return rng.integers(info.min, info.max, size=n, dtype=dtype, endpoint=True)
        if shape == "close":
            return rng.integers(max(info.min, -n // 2), min(info.max, 2 * n), size=n).astype(dtype)
        return rng.integers(max(info.min, -50), 50, size=n).astype(dtype)
    info = np.finfo(dtype)
    if shape == "wide":
        pool = [0.0, -0.0, np.inf, -np.inf, info.max, -info.max, info.tiny, -info.tiny, info.smallest_subnormal]
        special = np.array([*pool, -info.smallest_subnormal], dtype=dtype)
        with np.errstate(over="ignore"):
            spread = (rng.normal(size=n) * 10.0 ** rng.integers(-8, 5, size=n)).astype(dtype)
        return np.where(rng.random(n) < 0.3, rng.choice(special, n), spread)
    if shape == "tied":
        return rng.normal(size=n).round(1).astype(dtype)
    if shape == "close":  # neighbours: so many rows for the scores there are that they are counted, not sorted
        return (dtype.type(0.25) + rng.integers(0, 2 * n, size=n).astype(dtype) * (info.eps / 4)).astype(dtype)
    if shape == "heavy":
        return np.where(rng.random(n) < 0.7, 0.25, rng.normal(size=n)).astype(dtype)
    return (rng.normal(size=n) + 2).astype(dtype)


def cut(rng: np.random.Generator, n: int) -> list[slice]:
    edges = np.unique(np.append(rng.integers(0, n + 1, size=rng.integers(0, 9)), [0, n]))
    return [slice(a, b) for a, b in zip(edges[:-1], edges[1:], strict=True)]


def count(engine, parts, max_points):
    with Spill() as spill:
        stream = engine(spill)
        for scores, positive in parts:
            stream.add(np.ascontiguousarray(scores), positive)
        return stream.collect(max_points).result(th.Scores), spill.size


def _made(make, memory, buckets, spill):
    return make(memory, spill, buckets=buckets)


@pytest.mark.parametrize("engine", ["keys", "tables"])
@given(
    seed=st.integers(0, 2**32 - 1),
    kind=st.sampled_from(KINDS),
    shape=st.sampled_from(["plain", "wide", "tied", "heavy", "close"]),
    n=st.integers(1, 3000),
    buckets=st.sampled_from([1, 2, 7, 64, 512]),
    memory=st.sampled_from([1 << 10, 1 << 14, 1 << 18, 1 << 24]),
    max_points=st.sampled_from([2, 10, 100, 1000, 10_000]),
    share=st.sampled_from([0.0, 0.02, 0.5, 1.0]),
)
def test_any_way_gives_the_same(engine, seed, kind, shape, n, buckets, memory, max_points, share):
    rng = np.random.default_rng(seed)
    scores, positive = values(rng, kind, shape, n), rng.random(n) < share
    by_keys = engine == "keys" and scores.dtype.itemsize in (4, 8)
    if engine == "keys" and (not by_keys or not native.available()):
        return
    full = th.Scores(positive, scores)
    results = []
    for _ in range(2):
        order = rng.permutation(n)
        parts = [(scores[order][part], positive[order][part]) for part in cut(rng, n)]
        make = partial(KeyStream, scores.dtype) if by_keys else TableStream
        found, _ = count(partial(_made, make, memory, buckets), parts, max_points)
        check(found, full, max_points)
        results.append(found)
        memory, buckets = memory * 3, buckets + 5
    assert results[0] == results[1]
    if len(full) > max_points:
        plain, _ = count(lambda spill: TableStream(1 << 30, spill), [(scores, positive)], max_points)
        assert plain == results[0]  # compiled or not: the same bits
        assert plain._figures == results[0]._figures


def big(n: int = 300_000, decimals: int | None = None, dtype: str = "float32") -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    positive = rng.random(n) < 0.1
    scores = rng.normal(size=n) + positive
    return (scores if decimals is None else scores.round(decimals)).astype(dtype), positive


@pytest.mark.some(1)
@pytest.mark.skipif(not native.available(), reason="needs the compiled kernels")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_spilled_divided_and_sorted_input(dtype):
    scores, positive = big(dtype=dtype)
    full = th.Scores(positive, scores)
    for order in (slice(None), np.argsort(scores), np.argsort(-scores)):
        # Sorted rows show a sample of one end only, so that nearly all rows fall into one bucket, which is divided.
        s, y = scores[order], positive[order]
        parts = [(s[i : i + 10_000], y[i : i + 10_000]) for i in range(0, s.size, 10_000)]
        found, written = count(lambda spill: KeyStream(np.dtype(dtype), 1 << 20, spill), parts, 5000)
        assert written > 0
        assert (written > scores.nbytes) == (not isinstance(order, slice))  # only a bucket too large is written twice
        check(found, full, 5000)


@pytest.mark.skipif(not native.available(), reason="needs the compiled kernels")
def test_few_distinct_scores_need_no_file():
    scores, positive = big(decimals=2)
    parts = [(scores[i : i + 20_000], positive[i : i + 20_000]) for i in range(0, scores.size, 20_000)]
    found, written = count(lambda spill: KeyStream(scores.dtype, 1 << 20, spill), parts, 10_000)
    assert found == th.Scores(positive, scores)
    assert written == 0


@pytest.mark.skipif(not native.available(), reason="needs the compiled kernels")
def test_one_score_with_more_rows_than_memory():
    n = 400_000
    rng = np.random.default_rng(1)
    positive = rng.random(n) < 0.3
    # The first rows all differ, so the frequent score comes as a surprise.
    scores = np.where(np.arange(n) < 50_000, rng.normal(size=n), 1.5).astype(np.float32)
    parts = [(scores[i : i + 10_000], positive[i : i + 10_000]) for i in range(0, n, 10_000)]
    found, _ = count(lambda spill: KeyStream(scores.dtype, 1 << 18, spill), parts, 100)
    check(found, th.Scores(positive, scores), 100)


def test_hull_and_ends_are_kept():
    scores, positive = big(20_000, dtype="float64")
    full = th.Scores(positive, scores)
    found, _ = count(lambda spill: TableStream(1 << 16, spill), [(scores, positive)], 1000)
    assert set(full.roc().hull().thresholds[1:]) <= set(found.thresholds)
    assert found.thresholds[-1] == full.thresholds[-1]
    assert found._highest_scores[0] == full.thresholds[0]
    assert found.roc().hull().thresholds.tolist() == full.roc().hull().thresholds.tolist()
    for area in (lambda s: s.pr_auc(estimator="functional"), lambda s: s.partial_roc_auc(fpr=(0, 0.1))):
        estimate = area(found)
        assert 0 < estimate.error_bound < 0.01
        assert abs(estimate.value - area(full).value) <= estimate.error_bound


def test_more_vertices_than_points_are_thinned():
    scores, positive = big(60_000, dtype="float64")
    found, _ = count(lambda spill: TableStream(1 << 20, spill), [(scores, positive)], 10)
    assert len(found) <= 10
    check(found, th.Scores(positive, scores), 10)


@settings(max_examples=10)
@pytest.mark.filterwarnings("ignore::thresher.ThresherWarning")  # weights of every size, which is said
@given(
    seed=st.integers(0, 2**32 - 1),
    whole=st.booleans(),
    n=st.integers(2, 2000),
    memory=st.sampled_from([1 << 12, 1 << 16, 1 << 24]),
    max_points=st.sampled_from([50, 10_000]),
)
def test_weights(seed, whole, n, memory, max_points):
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    positive[:2] = [True, False]
    scores = values(rng, "float64", "tied" if seed % 2 else "plain", n)
    weight = rng.integers(0, 5, size=n) if whole else rng.random(n) * 10.0 ** rng.integers(-3, 4, size=n)
    weight[:2] = 1
    full = th.Scores(positive, scores, sample_weight=weight)
    with Spill() as spill:
        counter = RowCounter(memory, spill, first_rows=100)
        for part in cut(rng, n):
            counter.add(Rows(scores[part], positive[part], weight[part], None))
        found = counter.result(th.Scores, max_points)
    if whole:
        check(found, full, max_points)
        return
    assert found.n_pos == pytest.approx(full.n_pos, rel=1e-13)
    assert found.n_neg == pytest.approx(full.n_neg, rel=1e-13)
    for area in (
        lambda s: s.roc_auc().value,
        lambda s: s.pr_auc().value,
        lambda s: s.pr_auc(estimator="average_precision").value,
        lambda s: s.effective_pos,
        lambda s: s.effective_neg,
    ):
        assert area(found) == pytest.approx(area(full), rel=1e-12)
    if len(full) <= max_points:
        np.testing.assert_array_equal(found.thresholds, full.thresholds)
        np.testing.assert_allclose(found.pos, full.pos, rtol=1e-12, atol=0)


def test_without_kernels_the_same_bits(monkeypatch):
    scores, positive = big(50_000, dtype="float32")
    rows = [Rows(scores[i : i + 7000], positive[i : i + 7000], None, None) for i in range(0, 50_000, 7000)]

    def counted() -> th.Scores:
        with Spill() as spill:
            counter = RowCounter(1 << 20, spill, first_rows=10_000)
            for part in rows:
                counter.add(part)
            return counter.result(th.Scores, 500)

    compiled = counted()
    monkeypatch.setattr(native, "_kernels", None)
    assert not native.available()
    plain = counted()
    assert plain == compiled
    assert plain._figures == compiled._figures


@pytest.mark.some(6)
@pytest.mark.skipif(not native.available(), reason="needs the compiled kernels")
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("share", dear([0.02, 0.5, 1e-4, 0.999], 2))
@pytest.mark.parametrize("spacing", ["close", "apart"])
def test_many_rows_in_a_bucket(dtype, share, spacing):
    rng = np.random.default_rng(9)
    n = 150_000
    positive = rng.random(n) < share
    rank = rng.integers(0, 100_000, size=n) + 60_000 * (positive & (rng.random(n) < 0.7))
    step = 1 if spacing == "close" else 997
    if dtype == "int32":
        scores = (rank * step - 10_000_000).astype(dtype)
    else:
        bits = np.dtype(dtype.replace("float", "int"))
        scores = (np.array(1e-3, dtype=dtype).view(bits) + (rank * step).astype(bits)).view(dtype)
    for buckets in (1, 3):  # more than 65,535 rows are divided before they are sorted
        found, _ = count(
            lambda spill, b=buckets: KeyStream(scores.dtype, 1 << 26, spill, buckets=b), [(scores, positive)], 700
        )
        plain, _ = count(lambda spill: TableStream(1 << 30, spill), [(scores, positive)], 700)
        assert found == plain
        assert found._figures == plain._figures
    check(found, th.Scores(positive, scores), 700)


@pytest.mark.skipif(not native.available(), reason="needs the compiled kernels")
def test_threads_do_not_matter():
    scores, positive = big()
    results = []
    for threads in (1, 2, 5):
        with th.config.num_threads(threads):
            results.append(count(lambda spill: KeyStream(scores.dtype, 1 << 21, spill), [(scores, positive)], 300)[0])
    assert results[0] == results[1] == results[2]
