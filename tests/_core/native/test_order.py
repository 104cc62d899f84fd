"""Orders, placements and batches against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from thresher._core import native

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")

DTYPES = [np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64]
DTYPES += [np.uint8, np.uint16, np.uint32, np.uint64, np.bool_]


@st.composite
def score_arrays(draw, most=80):
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    elements = hnp.from_dtype(dtype, allow_nan=False) if dtype.kind == "f" else hnp.from_dtype(dtype)
    few = draw(hnp.arrays(dtype, draw(st.integers(1, 30)), elements=elements))
    return few[draw(hnp.arrays(np.intp, draw(st.integers(1, most)), elements=st.integers(0, few.size - 1)))]


@given(scores=score_arrays())
def test_order_is_a_stable_argsort(scores):
    assert native.order(scores).tolist() == np.argsort(scores, kind="stable").tolist()
    assert native.order(np.repeat(scores, 2)[::-2]).tolist() == np.argsort(scores[::-1], kind="stable").tolist()


def test_order_of_many_rows(isa):
    rng = np.random.default_rng(0)
    n = 60_000
    bits = rng.integers(0, 2**64, n, dtype=np.uint64)
    near = 1.0 + rng.integers(0, 2**18, n) * 2.0**-52  # keys that differ only where they are cut
    near[0] = 1e300
    for scores in (rng.normal(size=n), np.nan_to_num(bits.view(np.float64)), bits, near, np.round(rng.random(n), 2)):
        assert np.array_equal(native.order(scores), np.argsort(scores, kind="stable"))


@given(scores=score_arrays(40), seed=st.integers(0, 99))
def test_placements_by_definition(scores, seed):
    positive = np.random.default_rng(seed).random(scores.size) < 0.5
    scores = scores.view(np.uint8) if scores.dtype == np.bool_ else scores
    values = scores.tolist()
    expected = []
    for score, label in zip(values, positive.tolist(), strict=True):
        twice = 0
        for other, other_label in zip(values, positive.tolist(), strict=True):
            if other_label != label:
                lower, higher = (other, score) if label else (score, other)
                twice += 2 * (lower < higher) + (lower == higher)
        expected.append(twice)
    assert native.placements(scores, positive).tolist() == expected


def test_nan_is_reported():
    scores = np.array([0.5, np.nan, 0.1])
    for call in (lambda: native.order(scores), lambda: native.placements(scores, scores > 0)):
        with pytest.raises(native.NotANumberError) as caught:
            call()
        assert caught.value.rows == [1]


@given(sizes=st.lists(st.integers(0, 30), min_size=1, max_size=150), seed=st.integers(0, 99))
def test_a_batch_is_its_problems_one_by_one(sizes, seed):
    rng = np.random.default_rng(seed)
    ends = np.cumsum(sizes)
    scores = np.round(rng.random(ends[-1]), 1).astype(rng.choice(["f4", "f8"]))
    positive = rng.random(ends[-1]) < 0.5
    found = native.batch(scores, positive, ends)
    for row, end, size in zip(found.tolist(), ends.tolist(), sizes, strict=True):
        table = native.count_running(scores[end - size : end], positive[end - size : end])
        areas = [native.pr_area(table.tp, table.fp, name, 1.0) for name in ("average_precision", "interpolated")]
        assert row == [0.0, table.n_pos, table.n_neg, table.twice_u, *areas]


def test_a_batch_says_which_problem_has_nan():
    scores = np.array([0.1, 0.2, np.nan, 0.4])
    found = native.batch(scores, scores > 0.1, np.array([2, 4]))
    assert found[:, 0].tolist() == [0.0, 1.0]
    for ends, message in (([3, 2], "must not decrease"), ([5], "must not exceed")):
        with pytest.raises(ValueError, match=message):
            native.batch(scores, scores > 0, np.array(ends))
