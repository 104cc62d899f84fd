"""Labels and scores in one call, against the labels read by NumPy and the kernels that take them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.rows_of_all_kinds import unusual_rows
from thresher._core import native
from thresher._core.counting import count_running
from thresher._core.threads import num_threads

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")

LABELS = ["?", "b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "f", "d"]
SCORES = ["e", "f", "d", "b", "B", "h", "H", "i", "I", "l", "L"]


def check(y, s, positive):
    table, want = native.plain_table(y, s), count_running(s, positive)
    for name, expected in want._asdict().items():
        found = getattr(table, name)
        if isinstance(expected, np.ndarray):
            assert found.dtype == expected.dtype
            assert found.tobytes() == expected.tobytes()
        else:
            assert found == expected
    assert not table.thresholds.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        table.thresholds.setflags(write=True)
    if s.dtype.char == "e" or not np.isfinite(s.astype(float)).all():
        assert native.plain_u(y, s) is None
        assert native.plain_pr(y, s, "interpolated") is None
        return
    assert native.plain_u(y, s) == (want.twice_u, want.n_pos, want.n_neg)
    for estimator in ("average_precision", "interpolated"):
        area = native.pr_area(want.tp, want.fp, estimator)
        assert native.plain_pr(y, s, estimator) == (area, want.n_pos, want.n_neg)


@pytest.mark.parametrize("scores", SCORES)
def test_kinds(isa, scores):
    for kind, n in product(LABELS, (1, 2, 7, 64, 1000)):
        rng = np.random.default_rng(ord(kind) * 1000 + ord(scores) + n)
        s = (rng.normal(size=n) * 20).clip(0 if scores in "BHIL" else -100, 100).astype(scores)
        if scores in "efd" and n == 1000:
            s[:2] = -np.inf, np.inf
        positive = rng.random(n) < 0.3
        check(positive.astype(kind), s, positive)
        if kind in "bhilqfd":
            check(np.where(positive, 1, -1).astype(kind), s, positive)


@given(
    labels=st.lists(st.sampled_from([0, 1, 2, -1]), min_size=1, max_size=40),
    kind=st.sampled_from(LABELS),
    seed=st.integers(0, 9),
)
def test_which_labels_are_plain(labels, kind, seed):
    y = np.array(labels).astype(kind)
    s = np.random.default_rng(seed).choice([0.0, -0.0, 1.5, -2.0], y.size)
    values = set(y.tolist())
    if kind == "?" or values <= {0, 1} or values <= {-1, 1}:
        check(y, s, y == 1)
    else:
        assert native.plain_table(y, s) is None
        assert native.plain_u(y, s) is None
        assert native.plain_pr(y, s, "average_precision") is None


def test_threads_do_not_matter():
    rng = np.random.default_rng(3)
    n = 300_000
    positive, s = rng.random(n) < 0.2, rng.normal(size=n).astype(np.float32)
    for y in (positive.astype(np.int64), np.where(positive, 1.0, -1.0)):
        with num_threads(1):
            check(y, s, positive)
        with num_threads(3):
            check(y, s, positive)
        y[n - 1] = 7
        assert native.plain_table(y, s) is None


@pytest.mark.parametrize("case", list(unusual_rows()))
def test_what_is_not_plain(case):
    y, s = unusual_rows()[case]
    assert native.plain_table(y, s) is None
    assert native.plain_u(y, s) is None
    assert native.plain_pr(y, s, "average_precision") is None


def test_plain_all_the_same():
    positive, s = np.array([False, True, True]), np.array([0.5, 0.5, 0.1])
    for array in (positive, s):
        array.flags.writeable = False
    check(positive, s, positive)
    # A truth value may be any byte.
    check(np.array([0, 7, 255], np.uint8).view(np.bool_), s, positive)
    # A column of one row, a slice and a flat matrix are as contiguous as any.
    check(positive[1:], s[1:], positive[1:])
    matrix = np.arange(12.0).reshape(3, 4)
    check(positive, matrix.reshape(4, 3)[0], positive)


def test_an_estimator_that_there_is_not():
    with pytest.raises(ValueError, match="no such estimator"):
        native._kernels.plain_pr(np.array([0, 1]), np.array([0.1, 0.2]), 99, 1)
