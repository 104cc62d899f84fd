"""The sort-and-count kernel against NumPy and against a dictionary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from thresher._core import native
from thresher._core.counting import count_rows_numpy
from thresher._core.threads import num_threads

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")

DTYPES = [np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64]
DTYPES += [np.uint8, np.uint16, np.uint32, np.uint64, np.bool_]


def by_dictionary(scores, positive):
    counts: dict[float, list[int]] = {}
    for score, label in zip(scores.tolist(), positive.tolist(), strict=True):
        counts.setdefault(score, [0, 0])[0 if label else 1] += 1
    values = sorted(counts, reverse=True)
    return values, [counts[v][0] for v in values], [counts[v][1] for v in values]


def twice_u(pos, neg):
    above = total = 0
    for p, n in zip(pos, neg, strict=True):
        total += n * (2 * above + p)
        above += p
    return total


def check(scores, positive):
    values, pos, neg = by_dictionary(scores, positive)
    thresholds, p, n = native.count(scores, positive)
    assert thresholds.dtype == scores.dtype.newbyteorder("=")
    assert thresholds.tolist() == values
    assert (p.tolist(), n.tolist()) == (pos, neg)
    assert p.dtype == n.dtype == np.int64
    if scores.dtype.kind == "f":
        assert not np.signbit(thresholds[thresholds == 0]).any()
    table = native.count_running(scores, positive)
    assert table.thresholds.tolist() == values
    assert table.tp.tolist() == np.cumsum(pos).tolist()
    assert table.fp.tolist() == np.cumsum(neg).tolist()
    assert (table.n_pos, table.n_neg) == (sum(pos), sum(neg))
    assert table.twice_u == twice_u(pos, neg)
    oracle = count_rows_numpy(scores.view(np.uint8) if scores.dtype == np.bool_ else scores, positive)
    assert np.array_equal(thresholds, oracle[0])
    assert np.array_equal(p, oracle[1])
    assert np.array_equal(n, oracle[2])


@st.composite
def score_arrays(draw):
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    size = draw(st.integers(1, 300))
    if draw(st.booleans()):  # few values, many ties
        few = draw(hnp.arrays(dtype, draw(st.integers(1, 5)), elements=elements(dtype)))
        return few[draw(hnp.arrays(np.intp, size, elements=st.integers(0, few.size - 1)))]
    return draw(hnp.arrays(dtype, size, elements=elements(dtype)))


def elements(dtype):
    if dtype.kind != "f":
        return hnp.from_dtype(dtype)
    special = [0.0, -0.0, np.inf, -np.inf, float(np.finfo(dtype).smallest_subnormal), float(np.finfo(dtype).max)]
    special += [-value for value in special[4:]]
    return hnp.from_dtype(dtype, allow_nan=False) | st.sampled_from(special)


@given(scores=score_arrays(), data=st.data())
def test_equals_a_dictionary_for_every_dtype(scores, data):
    positive = data.draw(hnp.arrays(np.bool_, scores.size))
    check(scores, positive)


@given(scores=score_arrays(), step=st.sampled_from([-3, -1, 2]), seed=st.integers(0, 99))
def test_any_memory_layout(scores, step, seed):
    positive = np.random.default_rng(seed).random(scores.size) < 0.4
    strided = np.repeat(scores, abs(step))[::step]
    packed = np.zeros(scores.size, dtype=[("pad", "u1"), ("score", scores.dtype)])
    packed["score"] = scores
    swapped = scores.astype(scores.dtype.newbyteorder("S"))
    frozen = scores.copy()
    frozen.flags.writeable = False
    check(strided, positive[:: np.sign(step)])
    for same in (packed["score"], swapped, frozen):
        check(same, positive)
    wide = np.repeat(positive, 2)[::2]
    assert native.count(scores, wide)[1].sum() == positive.sum()


def shapes(rng, n):
    x = rng.normal(size=n)
    with np.errstate(all="ignore"):
        yield "normal", x
        yield "saturated", 1 / (1 + np.exp(-30 * x))
        yield "sorted", np.sort(x)
        yield "reversed", np.sort(x)[::-1].copy()
        yield "constant", np.full(n, 0.25)
        yield "mostly zero", np.where(rng.random(n) < 0.9, 0.0, x)
        yield "three decimals", np.round(rng.random(n), 3)
        yield "five decimals", np.round(rng.random(n), 5)
        yield "from float32", x.astype(np.float32).astype(np.float64)
        yield "subnormal", rng.random(n) * 1e-310
        yield "exponents", np.exp(rng.uniform(-700, 700, n))
        yield "signed exponents", np.exp(rng.uniform(-700, 700, n)) * rng.choice([-1.0, 1.0], n)
        yield "two clusters", np.where(rng.random(n) < 0.5, x * 1e-9, 1e9 + x)
        yield "outliers", np.where(rng.random(n) < 0.05, x * 1e300, 1 + rng.random(n) * 1e-6)
        yield "infinities", np.where(rng.random(n) < 0.1, np.inf, np.where(rng.random(n) < 0.1, -np.inf, x))
        bits = rng.integers(0, 2**64, n, dtype=np.uint64).view(np.float64)
        yield "any bits", np.where(np.isnan(bits), 0.0, bits)
        yield "integers", rng.integers(-(2**63), 2**63, n)
        yield "unsigned", rng.integers(0, 2**64, n, dtype=np.uint64)
        yield "clustered integers", rng.integers(0, 10**6, n) * 1024 + 7
        yield "float32", x.astype(np.float32)
        yield "float32 bits", np.nan_to_num(rng.integers(0, 2**32, n, dtype=np.uint32).view(np.float32))
        first = np.float32(0.3).view(np.int32)  # so close together that they are counted in a table, or just not
        yield "neighbours", (first + rng.integers(0, 2 * n, n)).astype(np.int32).view(np.float32)
        yield "nearly neighbours", (first + rng.integers(0, 4 * n, n)).astype(np.int32).view(np.float32)
        yield "close integers", 10**15 + rng.integers(0, n, n)
        yield "float16", x.astype(np.float16)
        yield "int32", rng.integers(-(2**31), 2**31, n, dtype=np.int32)
        yield "uint32", rng.integers(0, 2**32, n, dtype=np.uint32)


@pytest.mark.some(6)
@pytest.mark.parametrize("n", [19_999, 20_000, 45_000, 150_000])
def test_equals_numpy_on_every_path(isa, n):
    rng = np.random.default_rng(n)
    for name, scores in shapes(rng, n):
        positive = rng.random(n) < 0.3
        oracle = count_rows_numpy(scores, positive)
        running = None
        for threads in (1, 2, 3):
            with num_threads(threads):
                table = native.count(scores, positive)
                for got, expected in zip(table, oracle, strict=True):
                    assert np.array_equal(got, expected), (name, threads)
                again = native.count_running(scores, positive)
            assert np.array_equal(again.tp, np.cumsum(oracle[1])), name
            assert np.array_equal(again.fp, np.cumsum(oracle[2])), name
            assert running in (None, again.twice_u), name
            running = again.twice_u
        assert running == twice_u(oracle[1].tolist(), oracle[2].tolist()), name


def test_a_bucket_too_large_is_divided_again(isa):
    rng = np.random.default_rng(3)
    n = 400_000
    scores = np.where(rng.random(n) < 0.2, rng.normal(size=n) * 1e200, 1 + rng.random(n) * 1e-9)
    scores[rng.random(n) < 0.1] = 1 + 5e-10
    positive = rng.random(n) < 0.5
    for got, expected in zip(native.count(scores, positive), count_rows_numpy(scores, positive), strict=True):
        assert np.array_equal(got, expected)


def test_many_scores_after_a_sample_of_few(isa):
    # The sample sees multiples of 1/8 only; the distinct tail comes late and overflows the hash table.
    rng = np.random.default_rng(4)
    scores = np.concatenate((rng.integers(0, 8, 400_000) / 8, rng.random(12_000)))
    positive = rng.random(scores.size) < 0.5
    for got, expected in zip(native.count(scores, positive), count_rows_numpy(scores, positive), strict=True):
        assert np.array_equal(got, expected)


def test_keys_are_sorted(isa):
    rng = np.random.default_rng(5)
    for n in [*range(300), 1000, 70_001]:
        for high in (1, 7, 2**32 - 2):
            keys = rng.integers(0, high, n).astype(np.uint32)
            wide = rng.integers(0, high, n).astype(np.uint64) * np.uint64(2**29) + np.uint64(2**52)
            for array, sort in ((keys, native._kernels.sort_keys32), (wide, native._kernels.sort_keys64)):
                expected = np.sort(array)
                sort(array)
                assert np.array_equal(array, expected), (n, high)


def test_a_pattern_that_defeats_pivots_still_sorts(isa):
    n = 1 << 16
    organ = np.concatenate((np.arange(n // 2), np.arange(n // 2)[::-1])).astype(np.uint32)
    saw = (np.arange(n) % 17).astype(np.uint32)
    for keys in (organ, saw):
        expected = np.sort(keys)
        native._kernels.sort_keys32(keys)
        assert np.array_equal(keys, expected)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_nan_is_found_wherever_it_is(dtype):
    rng = np.random.default_rng(0)
    for n in (1, 40, 120_000):
        scores = rng.random(n).astype(dtype)
        scores[-1] = np.nan
        if n > 1:
            scores[3] = -np.float64(np.nan)
        with pytest.raises(native.NotANumberError) as caught:
            native.count(scores, np.zeros(n, dtype=np.bool_))
        assert caught.value.rows == ([0] if n == 1 else [3, n - 1])
        assert caught.value.count == len(caught.value.rows)


def test_a_nan_has_any_sign_and_payload():
    for bits in (0x7FF0000000000001, 0xFFF0000000000001, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF):
        scores = np.array([0.5, 0.25, 0.0], dtype=np.float64)
        scores.view(np.uint64)[1] = bits
        with pytest.raises(native.NotANumberError):
            native.count(scores, np.ones(3, dtype=np.bool_))


def test_unequal_lengths_and_unknown_types_are_refused():
    with pytest.raises(ValueError, match="same length"):
        native.count(np.zeros(3), np.zeros(2, dtype=np.bool_))
    with pytest.raises(TypeError, match="machine numbers"):
        native.count(np.zeros(3, dtype=np.longdouble), np.zeros(3, dtype=np.bool_))
    assert not native.takes(np.zeros(3, dtype=np.longdouble))


def test_results_outlive_the_inputs():
    scores = np.random.default_rng(1).random(50_000)
    expected = np.sort(scores)[::-1].copy()
    thresholds = native.count(scores, np.zeros(scores.size, dtype=np.bool_))[0]
    del scores
    assert np.array_equal(thresholds, expected)
    assert thresholds.flags.writeable


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_instruction_sets_agree_on_tables_that_exceed_the_caches(dtype):
    usual = native.instruction_set()
    if usual != "avx512":
        pytest.skip("this processor has no avx512, which alone writes long tables in another way")
    rng = np.random.default_rng(5)
    n = (20 << 20) // np.dtype(dtype).itemsize
    positive = rng.random(n) < 0.3
    normal = rng.normal(size=n)
    apart = np.where(rng.random(n) < 0.5, 1 + normal * 1e-7, normal * 1e9)  # slots of its buckets run over
    for law in (normal, normal.round(4), np.exp(10 * normal), apart):
        scores = law.astype(dtype)
        try:
            native._kernels.use_instruction_set("avx2")
            expected = native.count_running(scores, positive)
        finally:
            native._kernels.use_instruction_set(usual)
        for threads in (1, 3):
            with num_threads(threads):
                found = native.count_running(scores, positive)
            assert all(np.array_equal(a, b) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_tables_of_buckets_lie_behind_each_other_whatever_the_threads(isa, threads):
    rng = np.random.default_rng(6)
    positive = rng.random(130_000) < 0.2
    normal = rng.normal(size=positive.size)
    mostly_one = np.where(rng.random(positive.size) < 0.7, 0.25, normal)
    close = (0.5 + normal * 1e-4).astype(np.float32)
    for scores in (normal, normal.round(4), mostly_one, close):
        with num_threads(threads):
            thresholds, pos, neg = native.count(scores, positive)
        oracle = count_rows_numpy(scores, positive)
        assert np.array_equal(thresholds, oracle[0])
        assert np.array_equal(pos, oracle[1])
        assert np.array_equal(neg, oracle[2])


@pytest.mark.parametrize("lump", [0, 250, 300, 60_000])
def test_one_score_in_many_among_scores_that_lie_close(isa, lump):
    # Close scores have counters of a byte each, which a lump of 256 and more runs over.
    rng = np.random.default_rng(7)
    scores = np.float32(1) + rng.integers(0, 60_000, 100_000).astype(np.float32) * np.float32(2**-23)
    scores[:lump] = 1.001
    positive = rng.random(scores.size) < 0.3
    positive[:lump] = lump < 1000
    found = native.count(scores, positive)
    assert all(np.array_equal(a, b) for a, b in zip(found, count_rows_numpy(scores, positive), strict=True))
