"""Pieces of the interpolated PR curve: against many digits, and each by itself."""

import sys

import mpmath
import numpy as np
import pytest

from thresher._core import native
from thresher._core.hyperbola import NEAR, hyperbola_area


def pieces(n, seed=1):
    rng = np.random.default_rng(seed)
    sizes = np.floor(10.0 ** rng.uniform(0, 9, (4, n)))
    tp, fp, p, q = sizes - np.array([[1.0], [1.0], [0.0], [1.0]])
    return tp, fp, np.maximum(p, 1.0), q


def integral(tp, fp, p, q):
    tp, fp, p, q = (mpmath.mpf(float(x)) for x in (tp, fp, p, q))
    if tp + fp == 0:
        return p * p / (p + q)
    # The integral of (tp + v) / (tp + fp + v c) with c = (p + q) / p.
    c, before = (p + q) / p, tp + fp
    return p / c + (tp - before / c) / c * mpmath.log1p(c * p / before)


def test_areas_have_all_their_digits():
    tp, fp, p, q = pieces(400)
    areas = hyperbola_area(tp, fp, p, q)
    with mpmath.workdps(60):
        exact = [integral(*row) for row in zip(tp, fp, p, q, strict=True)]
        wrong = [abs(mpmath.mpf(float(a)) / b - 1) for a, b in zip(areas, exact, strict=True)]
    assert max(wrong) < 4 * np.finfo(float).eps


def test_an_area_does_not_depend_on_its_neighbours():
    tp, fp, p, q = pieces(70_000)
    together = hyperbola_area(tp, fp, p, q)
    rows = np.random.default_rng(2).choice(tp.size, 300, replace=False)
    apart = [hyperbola_area(tp[[i]], fp[[i]], p[[i]], q[[i]])[0] for i in rows]
    assert together[rows].tolist() == apart


@pytest.mark.skipif(sys.maxsize < 2**32, reason="32-bit Python may round between steps to more digits than NumPy does")
def test_near_pieces_are_plain_arithmetic():
    tp, fp, p, q = pieces(20_000)
    near = (p + q) / np.maximum(tp + fp, 1.0) < NEAR
    assert near.sum() > 1000
    for start, low, rise, run, area in zip(
        *(x[near].tolist() for x in (tp, fp, p, q, hyperbola_area(tp, fp, p, q))), strict=True
    ):
        before, added = start + low, rise + run
        z = added / before
        y = z / (2.0 + z)
        s = y * y
        inner = y - (1.0 - y) * (((((1 / 9) * s + 1 / 7) * s + 1 / 5) * s + 1 / 3) * s)
        assert rise * ((1.0 - inner) * (start / before) + inner * (rise / added)) == area


@pytest.mark.skipif(not native.available(), reason="the kernels are not compiled")
def test_the_kernel_does_the_same_operations():
    # One piece after a first one without true positives, so that the sum is that one area.
    _, fp, p, q = pieces(300, seed=3)
    for low, rise, run in zip(fp + 1.0, p, q, strict=True):
        area = hyperbola_area(np.zeros(1), np.array([low]), np.array([rise]), np.array([run]))[0]
        tp, fp = np.array([[0, int(rise)], [int(low), int(low + run)]], dtype=np.int64)
        assert native.pr_area(tp, fp, "interpolated", 1.0) == area
