"""Bootstrap replicates: the right distribution, the same everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from thresher._core import native, resampling
from thresher._core.resampling import bootstrap_counts, resample_counts
from thresher._core.threads import num_threads

compiled = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")
ISAS = ["avx2", "portable"]


@pytest.fixture(params=ISAS)
def isa(request):
    usual = native.instruction_set()
    if not native._kernels.use_instruction_set(request.param):
        pytest.skip("this processor has no AVX2")
    yield request.param
    native._kernels.use_instruction_set(usual)


@st.composite
def tables(draw, most=60):
    size = draw(st.integers(1, most))
    counts = hnp.arrays(np.int64, size, elements=st.integers(0, 4))
    pos, neg = draw(counts), draw(counts)
    pos[draw(st.integers(0, size - 1))] += 1
    neg[draw(st.integers(0, size - 1))] += 1
    return pos, neg


def test_philox_gives_the_published_numbers():
    # The known answer that the Random123 library ships for counter 0 and key 0.
    line = resampling._lines(0, 0, 0, np.array([0]))[0]
    words = [int(line[0]) & 0xFFFFFFFF, int(line[0]) >> 32, int(line[4]) & 0xFFFFFFFF, int(line[4]) >> 32]
    assert [f"{word:08x}" for word in words] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]


def test_classes_keep_their_sizes():
    pos, neg = np.array([3, 0, 5, 1]), np.array([0, 2, 7, 40])
    for replicate in range(50):
        p, q = resample_counts(pos, neg, 1, replicate)
        assert p.sum() == 9
        assert q.sum() == 49
        assert not p[pos == 0].any()
        assert not q[neg == 0].any()


@compiled
@settings(deadline=None, max_examples=60)
@given(table=tables(), seed=st.integers(0, 2**64 - 1), replicate=st.integers(0, 2**64 - 1))
def test_kernel_draws_what_numpy_draws(table, seed, replicate):
    expected = resample_counts(*table, seed, replicate)
    for isa in ISAS:
        if native._kernels.use_instruction_set(isa):
            found = native._kernels.resample(*table, seed, replicate)
            assert np.array_equal(found, expected)
    native._kernels.use_instruction_set("avx2")


@compiled
def test_kernel_draws_what_numpy_draws_with_remainders(isa):
    # 300,000 rows meet the remainder of the 16-bit steps about 23 times.
    rng = np.random.default_rng(0)
    pos = rng.integers(0, 2, 200_000)
    neg = rng.integers(0, 3, 200_000)
    assert (np.array(resampling._poisson(400_000, 5, 0)) > 7).sum() > 3
    for replicate in (0, 1):
        assert np.array_equal(native._kernels.resample(pos, neg, 5, replicate), resample_counts(pos, neg, 5, replicate))


@compiled
@settings(deadline=None, max_examples=40)
@given(table=tables(), seed=st.integers(0, 2**64 - 1), scale=st.sampled_from([1.0, 0.25, 3.0]))
def test_measures_equal_numpy(table, seed, scale):
    pos, neg = table
    n_pos, n_neg = int(pos.sum()), int(neg.sum())
    areas = (True, True, True)
    spans = np.array([[0.0, n_neg / 3], [n_neg / 4, float(n_neg)]])
    points = np.array([0, pos.size - 1])
    wanted = (spans, points, np.linspace(0, n_neg, 5), np.linspace(0.25, n_pos, 5))
    expected = resampling.bootstrap_counts_numpy(pos, neg, 4, seed, 2, scale, areas, wanted)
    found = bootstrap_counts(
        pos, neg, n_resamples=4, seed=seed, first=2, neg_scale=scale, roc_auc=True, average_precision=True,
        interpolated=True, spans=spans, points=points, fp_grid=wanted[2], tp_grid=wanted[3],
    )  # fmt: skip
    assert np.array_equal(found.roc_auc, expected.roc_auc)
    assert np.array_equal(found.average_precision, expected.average_precision)
    assert np.array_equal(found.points, expected.points)
    assert np.array_equal(found.tp_at, expected.tp_at)
    assert np.array_equal(found.precision_at, expected.precision_at)
    assert np.allclose(found.interpolated, expected.interpolated, rtol=1e-13, atol=0)
    assert np.allclose(found.partial, expected.partial, rtol=1e-13, atol=1e-12)


@compiled
def test_measures_of_long_tables_equal_numpy(isa):
    rng = np.random.default_rng(1)
    ties = rng.integers(0, 3, (2, 3000))
    runs = np.zeros((2, 400), dtype=np.int64)
    runs[0, ::50], runs[1, 7] = 400, 3000  # groups much longer than a block
    alone = np.eye(2, dtype=np.int64)[:, rng.integers(0, 2, 5000)]
    for pos, neg in (ties, runs, alone):
        areas = (True, True, True)
        wanted = (np.array([[10.5, 300.0]]), np.array([3]), np.array([0.0, 77.5]), np.array([50.0]))
        expected = resampling.bootstrap_counts_numpy(pos, neg, 2, 3, 0, 1.0, areas, wanted)
        found = bootstrap_counts(
            pos, neg, n_resamples=2, seed=3, roc_auc=True, average_precision=True, interpolated=True,
            spans=wanted[0], points=wanted[1], fp_grid=wanted[2], tp_grid=wanted[3],
        )  # fmt: skip
        for name, one, other in zip(found._fields, found, expected, strict=True):
            assert np.allclose(one, other, rtol=1e-13, atol=0), name


def test_a_replicate_does_not_depend_on_batch_or_threads():
    rng = np.random.default_rng(2)
    pos, neg = rng.integers(0, 2, (2, 300))
    whole = bootstrap_counts(pos, neg, n_resamples=12, seed=7, roc_auc=True, fp_grid=[3.5])
    with num_threads(3):
        parts = [
            bootstrap_counts(pos, neg, n_resamples=4, seed=7, first=f, roc_auc=True, fp_grid=[3.5]) for f in (0, 4, 8)
        ]
    assert np.array_equal(whole.roc_auc, np.concatenate([part.roc_auc for part in parts]))
    assert np.array_equal(whole.tp_at, np.concatenate([part.tp_at for part in parts]))
    other = bootstrap_counts(pos, neg, n_resamples=12, seed=8, roc_auc=True)
    assert not np.array_equal(whole.roc_auc, other.roc_auc)


@compiled
def test_every_outcome_has_its_multinomial_probability():
    # Three positives on three scores: the 10 outcomes and their probabilities are known.
    pos, neg = np.array([1, 1, 1]), np.array([1, 0, 0])
    n = 30_000
    found = bootstrap_counts(pos, neg, n_resamples=n, seed=11, points=[0, 1, 2]).points[:, :, 0]
    first, second = found[:, 0], found[:, 1] - found[:, 0]
    third = 3 - first - second
    statistic = 0.0
    outcomes = 0
    for a in range(4):
        for b in range(4 - a):
            c = 3 - a - b
            ways = 6 / np.prod([float(np.prod(np.arange(1, k + 1))) for k in (a, b, c)])
            expected = n * ways / 27
            seen = int(((first == a) & (second == b) & (third == c)).sum())
            statistic += (seen - expected) ** 2 / expected
            outcomes += 1
    assert outcomes == 10
    assert statistic < 27.9  # chi-square, 9 degrees of freedom, 0.1 %


@compiled
def test_moments_are_multinomial():
    size, n = 400, 4000
    pos = np.ones(size, dtype=np.int64)
    neg = np.zeros(size, dtype=np.int64)
    neg[-1] = 1
    running = bootstrap_counts(pos, neg, n_resamples=n, seed=3, points=np.arange(size)).points[:, :, 0]
    counts = np.diff(running, axis=1, prepend=0)
    assert (counts.sum(axis=1) == size).all()
    mean_error = (counts.mean(axis=0) - 1) * np.sqrt(n / (1 - 1 / size))
    assert abs(mean_error).max() < 4.5
    assert abs(counts.var(axis=0).mean() / (1 - 1 / size) - 1) < 0.01
    assert abs(np.cov(counts[:, 0], counts[:, 1])[0, 1] + 1 / size) < 4.5 / np.sqrt(n)
    assert abs((counts == 0).mean() - (1 - 1 / size) ** size) < 0.003


@compiled
def test_bad_tables_are_refused():
    one = np.array([1])
    for pos, neg, message in (
        (np.array([-1]), one, "must not be negative"),
        (one, np.array([1, 2]), "same length"),
        (np.array([2**33]), one, "too many rows"),
    ):
        with pytest.raises(ValueError, match=message):
            native._kernels.resample(pos, neg, 0, 0)
    with pytest.raises(ValueError, match="rows of the table"):
        bootstrap_counts(one, one, n_resamples=1, seed=0, points=[1])
    with pytest.raises(ValueError, match="tp_grid must lie above 0"):
        bootstrap_counts(one, one, n_resamples=1, seed=0, tp_grid=[0.0])


@compiled
def test_padding_takes_no_part(isa):
    """Behind the last of five rows this stream has a count of 9, which must not change how those are trimmed."""
    pos, neg = np.ones(5, dtype=np.int64), np.zeros(5, dtype=np.int64)
    found = native._kernels.resample(pos, neg, 11, 72660)
    for one, other in zip(found, resample_counts(pos, neg, 11, 72660), strict=True):
        np.testing.assert_array_equal(one, other)
