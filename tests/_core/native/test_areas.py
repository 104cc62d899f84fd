"""Sums over running counts against integers, fractions and many digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from thresher._core import native

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")


@st.composite
def tables(draw):
    size = draw(st.integers(1, 40))
    large = draw(st.sampled_from([2, 50, 10**6]))
    counts = hnp.arrays(np.int64, (2, size), elements=st.integers(0, large))
    table = draw(counts)
    table[:, draw(st.integers(0, size - 1))] += 1
    return table


def exact_pr(pos, neg, scale):
    """Average precision and the interpolated area times the positives, in 50 digits."""
    with mpmath.workdps(50):
        tp = fp = average = area = mpmath.mpf(0)
        for p, n in zip(pos.tolist(), neg.tolist(), strict=True):
            q = n * mpmath.mpf(scale)
            if p:
                average += p * (tp + p) / (tp + p + fp + q)
                slope = 1 + q / p
                if tp + fp == 0:
                    area += p / slope
                else:
                    shift = fp - (q / p) * tp
                    area += p / slope - shift / slope**2 * mpmath.log1p((p + q) / (tp + fp))
            tp, fp = tp + p, fp + q
        return float(average), float(area)


@given(table=tables(), scale=st.sampled_from([1.0, 0.125, 8.0]), wide=st.booleans())
def test_pr_areas_to_the_last_digits(table, scale, wide):
    tp, fp = np.cumsum(table, axis=1).astype(np.int64 if wide else np.int32)
    average, area = exact_pr(*table, scale)
    assert native.pr_area(tp, fp, "average_precision", scale) == pytest.approx(average, rel=4e-16, abs=0)
    assert native.pr_area(tp, fp, "interpolated", scale) == pytest.approx(area, rel=9e-16, abs=0)


@given(table=tables(), factor=st.sampled_from([1, 2**30]))
def test_delong_sums_are_exact(table, factor):
    pos, neg = (table * factor).tolist()
    n_neg = sum(neg)
    tp = fp = positives = negatives = twice_u = 0
    for p, n in zip(pos, neg, strict=True):
        positives += p * (2 * (n_neg - fp) - n) ** 2
        negatives += n * (2 * tp + p) ** 2
        twice_u += n * (2 * tp + p)
        tp, fp = tp + p, fp + n
    if max(positives, negatives) < 2**128:
        assert native.delong_sums(*np.cumsum(table * factor, axis=1)) == (positives, negatives, twice_u)


def test_columns_must_match():
    with pytest.raises(ValueError, match="same length"):
        native.pr_area(np.ones(3, dtype=np.int64), np.ones(2, dtype=np.int64), "interpolated", 1.0)


@given(table=tables(), corners=st.booleans(), wide=st.booleans(), single=st.booleans())
def test_roc_points_are_rates_from_the_origin(table, corners, wide, single):
    tp, fp = np.cumsum(table, axis=1).astype(np.int64 if wide else np.int32)
    thresholds = np.arange(tp.size, 0, -1).astype(np.float32 if single else np.float64)
    kept = np.ones(tp.size, dtype=np.bool_)
    if corners:
        kept[1:-1] = (np.diff(tp, 2) != 0) | (np.diff(fp, 2) != 0)
    fpr, tpr, at = native.roc_points(thresholds, tp, fp, corners=corners)
    assert fpr.tolist() == [0.0, *(fp[kept] / fp[-1]).tolist()]
    assert tpr.tolist() == [0.0, *(tp[kept] / tp[-1]).tolist()]
    assert at.tolist() == [np.inf, *thresholds[kept].tolist()]


def test_roc_points_refuse_other_columns():
    one = np.ones(2, dtype=np.int64)
    with pytest.raises(TypeError, match="float32 or float64"):
        native.roc_points(np.ones(2, dtype=np.int64), one, one, corners=False)
    with pytest.raises(ValueError, match="same length"):
        native.roc_points(np.ones(3), one, one, corners=False)
