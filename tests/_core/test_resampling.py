"""Bootstrap replicates: the right distribution, the same everywhere."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from thresher._core import native, resampling
from thresher._core.resampling import Requested, measure_replicates, resample_tables, resample_tables_numpy
from thresher._core.threads import num_threads
from thresher._inference.delong.delong import delong

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
    draws = resampling._Draws(0, np.zeros(1, dtype=np.uint64), 0)
    line = draws.lines(np.array([0]), 0, np.array([0]))[0]
    words = [int(line[0]) & 0xFFFFFFFF, int(line[0]) >> 32, int(line[4]) & 0xFFFFFFFF, int(line[4]) >> 32]
    assert [f"{word:08x}" for word in words] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]


def test_sizes_are_kept():
    pos, neg = np.array([3, 0, 5, 1]), np.array([0, 2, 7, 40])
    p, q = resample_tables(pos, neg, seed=1, first=0, n_resamples=50)
    assert (p.sum(axis=1) == 9).all()
    assert (q.sum(axis=1) == 49).all()
    together = resample_tables(pos, neg, seed=1, first=0, n_resamples=50, stratified=False)
    assert (together[0].sum(axis=1) + together[1].sum(axis=1) == 58).all()
    assert np.unique(together[0].sum(axis=1)).size > 5
    for drawn in ((p, q), together):
        assert not drawn[0][:, pos == 0].any()
        assert not drawn[1][:, neg == 0].any()


@compiled
@given(
    table=tables(),
    seed=st.integers(0, 2**64 - 1),
    first=st.integers(0, 2**64 - 9),
    count=st.integers(1, 8),
    stratified=st.booleans(),
    attempt=st.integers(0, 3),
)
def test_kernel_draws_what_numpy_draws(table, seed, first, count, stratified, attempt):
    expected = resample_tables_numpy(*table, seed, first, count, stratified, attempt)
    usual = native.instruction_set()
    for isa in ISAS:
        if native._kernels.use_instruction_set(isa):
            found = native._kernels.resample(*table, seed, first, count, 2, stratified, attempt)
            assert np.array_equal(found, expected)
    native._kernels.use_instruction_set(usual)


@compiled
@pytest.mark.parametrize("stratified", [True, False])
def test_kernel_draws_what_numpy_draws_with_remainders(isa, stratified):
    # 300,000 rows meet the remainder of the 16-bit steps about 23 times.
    rng = np.random.default_rng(0)
    pos = rng.integers(0, 2, 200_000)
    neg = rng.integers(0, 3, 200_000)
    draws = resampling._Draws(5, np.zeros(1, dtype=np.uint64), 0)
    assert (draws.poisson(400_000) > 7).sum() > 3
    found = native.resample(pos, neg, 5, 0, 2, stratified, 0)
    assert np.array_equal(found, resample_tables_numpy(pos, neg, 5, 0, 2, stratified, 0))


@compiled
def test_padding_takes_no_part(isa):
    """Behind the last of five rows this stream has a count of 9, which must not change how those are trimmed."""
    pos, neg = np.ones(5, dtype=np.int64), np.zeros(5, dtype=np.int64)
    found = native.resample(pos, neg, 11, 72660, 1, True, 0)
    assert np.array_equal(found, resample_tables_numpy(pos, neg, 11, 72660, 1, True, 0))


def slowly(p, q, odds):
    """Every measure of one replicate from its definition."""
    tp, fp = np.concatenate(([0], np.cumsum(p))).astype(int), np.concatenate(([0], np.cumsum(q))).astype(int)
    n_pos, n_neg = int(tp[-1]), int(fp[-1])
    scale = odds * n_pos / n_neg if odds else 1.0
    pieces = list(zip(tp.tolist(), fp.tolist(), p.astype(int).tolist(), q.astype(int).tolist(), strict=False))
    u = sum(Fraction(b) * (a0 + Fraction(a, 2)) for a0, _, a, b in pieces)
    found = {
        "roc_auc": float(u / (n_pos * n_neg)),
        "average_precision": math.fsum(
            a * (a0 + a) / (a0 + a + scale * (b0 + b)) for a0, b0, a, b in pieces if a
        ) / n_pos,
        "delong": delong(p.astype(np.int64), q.astype(np.int64)).variance if min(n_pos, n_neg) > 1 else math.nan,
    }  # fmt: skip
    for name, false in (("interpolated", 1), ("functional", 0)):
        total = []
        for a0, b0, a, b in pieces:
            if a:
                # The mean of t / (t + f) over the piece, by Simpson's rule on 400 parts.
                share = np.linspace(0, 1, 801)
                true, wrong = a0 + share * a, scale * (b0 + false * share * b)
                with np.errstate(invalid="ignore"):
                    height = np.where(true + wrong > 0, true / (true + wrong), a / (a + scale * false * b))
                weights = np.ones(801)
                weights[1:-1:2], weights[2:-1:2] = 4, 2
                total.append(a * float((height * weights).sum() / 2400))
        found[name] = math.fsum(total) / n_pos
    return found, tp, fp


@compiled
@given(
    table=tables(most=20),
    seed=st.integers(0, 2**64 - 1),
    odds=st.sampled_from([0.0, 0.25, 30.0]),
    stratified=st.booleans(),
)
def test_measures_are_those_of_the_drawn_tables(table, seed, odds, stratified):
    pos, neg = table
    how = {"seed": seed, "first": 2, "n_resamples": 3, "stratified": stratified}
    fprs, recalls, span = np.linspace(0, 1, 5), np.linspace(0.1, 1, 5), (0.25, 0.8)
    wanted = Requested(
        odds, roc_auc=True, average_precision=True, interpolated=True, delong=True, spans=(span,),
        points=range(pos.size), fprs=fprs, recalls=recalls,
    )  # fmt: skip
    found = measure_replicates(pos, neg, wanted, **how)
    across = measure_replicates(
        pos, neg, Requested(odds, interpolated=True, positives_first=True, along_tp=True, spans=(span,)), **how
    )
    for i in range(3):
        p, q = (np.diff(found.points[i, :, side], prepend=0) for side in (0, 1))
        drawn = resample_tables(pos, neg, seed=seed, first=2 + i, n_resamples=1, stratified=stratified)
        if drawn[0].any() and drawn[1].any():
            assert np.array_equal((p, q), (drawn[0][0], drawn[1][0]))
        expected, tp, fp = slowly(p, q, odds)
        assert found.roc_auc[i] == expected["roc_auc"]
        assert found.average_precision[i] == pytest.approx(expected["average_precision"], rel=1e-13)
        assert found.delong[i] == pytest.approx(expected["delong"], rel=1e-13, abs=0, nan_ok=True)
        assert found.interpolated[i] == pytest.approx(expected["interpolated"], rel=1e-4)
        assert across.interpolated[i] == pytest.approx(expected["functional"], rel=1e-4)
        fpr, tpr = fp / fp[-1], tp / tp[-1]
        # Area under a polygon, on a grid that has its corners and both ends of the range.
        for area, x, y in ((found.partial[i, 0], fpr, tpr), (0.55 - across.partial[i, 0], tpr, fpr)):
            x, y = np.concatenate(([0.0], x, [1.0])), np.concatenate(([0.0], y, [1.0]))
            inside = (x[1:] > span[0]) & (x[:-1] < span[1]) & (np.diff(x) > 0)
            total = 0.0
            for k in np.flatnonzero(inside):
                ends = max(x[k], span[0]), min(x[k + 1], span[1])
                heights = [y[k] + (end - x[k]) * (y[k + 1] - y[k]) / (x[k + 1] - x[k]) for end in ends]
                total += (ends[1] - ends[0]) * sum(heights) / 2
            assert area == pytest.approx(total, rel=1e-11, abs=1e-12)
        for rate, value in zip(fprs, found.tpr_at[i], strict=True):
            near = np.flatnonzero(fpr <= rate + 1e-12)[-1]
            rest = 0.0
            if near + 1 < fpr.size:
                rest = (rate - fpr[near]) * (tpr[near + 1] - tpr[near]) / (fpr[near + 1] - fpr[near])
            assert value == pytest.approx(tpr[near] + rest, abs=1e-12)
        scale = odds * tp[-1] / fp[-1] if odds else 1.0
        for recall, value in zip(recalls, found.precision_at[i], strict=True):
            k = int(np.flatnonzero(tpr >= recall - 1e-12)[0])
            target = recall * tp[-1]
            false = fp[k - 1] + (target - tp[k - 1]) / (tp[k] - tp[k - 1]) * (fp[k] - fp[k - 1])
            assert value == pytest.approx(target / (target + scale * false), rel=1e-10)


@compiled
def test_measures_of_long_tables_are_the_same_for_every_instruction_set():
    usual = native.instruction_set()
    rng = np.random.default_rng(1)
    ties = rng.integers(0, 3, (2, 3000))
    runs = np.zeros((2, 400), dtype=np.int64)
    runs[0, ::50], runs[1, 7] = 400, 3000  # groups much longer than a block
    alone = np.eye(2, dtype=np.int64)[:, rng.integers(0, 2, 5000)]
    wanted = Requested(
        roc_auc=True, average_precision=True, interpolated=True, delong=True, spans=((0.003, 0.1),), points=(3,),
        fprs=(0.0, 0.02), recalls=(0.5,),
    )  # fmt: skip
    for pos, neg in (ties, runs, alone):
        for stratified in (True, False):
            found = []
            for isa in ISAS:
                if native._kernels.use_instruction_set(isa):
                    how = {"seed": 3, "first": 0, "n_resamples": 2, "stratified": stratified}
                    found.append(measure_replicates(pos, neg, wanted, **how))
            native._kernels.use_instruction_set(usual)
            for name, one, other in zip(found[0]._fields, found[0], found[-1], strict=True):
                assert np.array_equal(one, other), name
            p, q = resample_tables(pos, neg, seed=3, first=0, n_resamples=2, stratified=stratified)
            for i in range(2):
                expected = slowly(p[i], q[i], 0.0)[0]
                assert found[0].roc_auc[i] == expected["roc_auc"]
                assert found[0].delong[i] == pytest.approx(expected["delong"], rel=1e-13)
                assert found[0].average_precision[i] == pytest.approx(expected["average_precision"], rel=1e-12)
                assert found[0].interpolated[i] == pytest.approx(expected["interpolated"], rel=1e-6)


@pytest.mark.parametrize("stratified", [True, False])
def test_a_replicate_does_not_depend_on_batch_or_threads(stratified):
    rng = np.random.default_rng(2)
    pos, neg = rng.integers(0, 2, (2, 9000))
    whole = resample_tables(pos, neg, seed=7, first=0, n_resamples=12, stratified=stratified)
    for threads in (1, 3):
        with num_threads(threads):
            parts = [
                resample_tables(pos, neg, seed=7, first=f, n_resamples=4, stratified=stratified) for f in (0, 4, 8)
            ]
        assert np.array_equal(whole, np.concatenate(parts, axis=1))
    if native.available():
        wanted = Requested(roc_auc=True, interpolated=True, fprs=(0.3,))
        one = measure_replicates(pos, neg, wanted, seed=7, first=0, n_resamples=12, stratified=stratified)
        with num_threads(3):
            for first in (0, 4, 8):
                how = {"seed": 7, "first": first, "n_resamples": 4, "stratified": stratified}
                part = measure_replicates(pos, neg, wanted, **how)
                for mine, other in zip(part, one, strict=True):
                    if mine is not None:
                        assert np.array_equal(mine, other[first : first + 4])
    assert not np.array_equal(whole, resample_tables(pos, neg, seed=8, first=0, n_resamples=12, stratified=stratified))


@pytest.mark.some(2)
@pytest.mark.parametrize("numpy_only", [False, True])
@pytest.mark.parametrize("stratified", [True, False])
def test_every_outcome_has_its_multinomial_probability(monkeypatch, numpy_only, stratified):
    """Three positives on three scores, and one negative: outcomes and their probabilities are known."""
    if numpy_only:
        monkeypatch.setattr(native, "available", lambda: False)
    pos, neg = np.array([1, 1, 1]), np.array([1, 0, 0])
    n = 12_000
    p, q = resample_tables(pos, neg, seed=11, first=0, n_resamples=n, stratified=stratified)
    draws = 3 if stratified else 4
    cells = np.column_stack((p, q[:, :1])) if not stratified else p
    outcomes, seen = np.unique(cells, axis=0, return_counts=True)
    ways = [math.factorial(draws) / math.prod(math.factorial(int(k)) for k in row) for row in outcomes]
    expected = n * np.array(ways) / cells.shape[1] ** draws
    assert outcomes.shape[0] == math.comb(draws + cells.shape[1] - 1, draws)
    # Chi-square, 0.1%: 9 and 34 degrees of freedom.
    assert ((seen - expected) ** 2 / expected).sum() < (27.9 if stratified else 65.2)


def test_moments_are_multinomial():
    size, n = 400, 4000
    pos = np.ones(size, dtype=np.int64)
    neg = np.zeros(size, dtype=np.int64)
    neg[-1] = 1
    counts = resample_tables(pos, neg, seed=3, first=0, n_resamples=n)[0]
    assert (counts.sum(axis=1) == size).all()
    mean_error = (counts.mean(axis=0) - 1) * np.sqrt(n / (1 - 1 / size))
    assert abs(mean_error).max() < 4.5
    assert abs(counts.var(axis=0).mean() / (1 - 1 / size) - 1) < 0.01
    assert abs(np.cov(counts[:, 0], counts[:, 1])[0, 1] + 1 / size) < 4.5 / np.sqrt(n)
    assert abs((counts == 0).mean() - (1 - 1 / size) ** size) < 0.003


@compiled
def test_samples_without_a_class_are_drawn_again():
    """One positive and one negative: half of all samples of two have a single class."""
    one = np.array([1])
    found = measure_replicates(
        one, one, Requested(roc_auc=True, points=(0,)), seed=5, first=0, n_resamples=400, stratified=False
    )
    assert (found.points == 1).all()
    tables = resample_tables(one, one, seed=5, first=0, n_resamples=400, stratified=False)
    assert 120 < (tables[0][:, 0] == 1).sum() < 280


@compiled
def test_bad_tables_are_refused():
    one = np.array([1])
    for pos, neg, message in (
        (np.array([-1]), one, "must not be negative"),
        (one, np.array([1, 2]), "same length"),
        (np.array([2**33]), one, "too many rows"),
    ):
        with pytest.raises(ValueError, match=message):
            resample_tables(pos, neg, seed=0, first=0, n_resamples=1)
    how = {"seed": 0, "first": 0, "n_resamples": 1}
    with pytest.raises(ValueError, match="rows of the table"):
        measure_replicates(one, one, Requested(points=(1,)), **how)
    with pytest.raises(ValueError, match=r"recalls must lie in \(0, 1\]"):
        measure_replicates(one, one, Requested(recalls=(0.0,)), **how)
    with pytest.raises(ValueError, match=r"fprs must lie in \[0, 1\]"):
        measure_replicates(one, one, Requested(fprs=(1.5,)), **how)
    with pytest.raises(ValueError, match="both classes must have rows"):
        measure_replicates(one, np.array([0]), Requested(roc_auc=True), **how)
