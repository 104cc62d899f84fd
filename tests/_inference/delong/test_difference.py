"""Tests between two areas: the edges. The reference values stand beside the covariance."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from thresher._inference.delong.difference import paired_test, unpaired_test, welch_df


@given(st.floats(-0.5, 0.5), st.floats(1e-6, 0.05), st.floats(0.5, 0.99))
def test_against_scipy(difference, variance, level):
    law = stats.norm(0, math.sqrt(variance))
    two = paired_test(difference, variance, confidence_level=level)
    assert two.pvalue == pytest.approx(2 * law.sf(abs(difference)), rel=1e-9, abs=1e-300)
    assert paired_test(difference, variance, alternative="greater").pvalue == pytest.approx(
        law.sf(difference), rel=1e-9, abs=1e-300
    )
    assert paired_test(difference, variance, alternative="less").pvalue == pytest.approx(
        law.cdf(difference), rel=1e-9, abs=1e-300
    )
    half = law.isf((1 - level) / 2)
    assert (two.low, two.high) == pytest.approx((max(difference - half, -1), min(difference + half, 1)))


def test_edges():
    perfect = paired_test(1.0, 0.0)
    assert (perfect.statistic, perfect.pvalue) == (math.inf, 0.0)
    assert paired_test(0.0, 0.0, alternative="greater").pvalue == 1.0
    # Non-inferiority: the difference is compared with minus the margin.
    shifted = paired_test(-0.01, 0.0001, null=-0.03, alternative="greater")
    assert shifted.statistic == pytest.approx(2.0)
    assert shifted.pvalue == pytest.approx(0.022750131948179, rel=1e-12)
    wide = paired_test(0.9, 0.04)
    assert wide.high == 1.0
    assert math.isinf(welch_df((0.0, 0.0), (10, 10)))
    level = unpaired_test((0.8, 0.7), (0.002, 0.001), (12, 30), confidence_level=0.9)
    assert level.high - level.difference == pytest.approx(level.difference - level.low)
    # t quantiles are longer than normal ones.
    assert level.high - level.difference > 1.6448536 * math.sqrt(0.003)


@given(st.floats(-0.5, 0.5), st.floats(1e-6, 0.05), st.floats(2, 500), st.floats(0.5, 0.99))
def test_students_law_against_scipy(difference, variance, df, level):
    error = math.sqrt(variance)
    law = stats.t(df, 0, error)
    found = paired_test(difference, variance, df=df, confidence_level=level)
    half = stats.t.ppf(0.5 + level / 2, df) * error
    assert (found.low, found.high) == pytest.approx((max(difference - half, -1), min(difference + half, 1)), rel=1e-7)
    assert found.pvalue == pytest.approx(2 * law.sf(abs(difference)), rel=1e-7)
    for alternative, want in (("greater", law.sf(difference)), ("less", law.cdf(difference))):
        assert paired_test(difference, variance, df=df, alternative=alternative).pvalue == pytest.approx(want, rel=1e-7)


def test_the_interval_by_hand():
    """t with 3 degrees of freedom has the 0.975 quantile 3.182446, the normal law 1.959964."""
    for df, quantile in ((3.0, 3.18244630528371), (math.inf, 1.95996398454005)):
        found = paired_test(0.1, 0.0004, df=df)
        assert (found.low, found.high) == pytest.approx((0.1 - 0.02 * quantile, 0.1 + 0.02 * quantile), rel=1e-12)


def test_samples_that_share_clusters_have_a_covariance():
    """0.03 + 0.02 - 2 x 0.005 = 0.04; more covariance than that leaves nothing."""
    found = unpaired_test((0.8, 0.7), (0.03, 0.02), (50, 50), covariance=0.005, df=math.inf)
    assert found.statistic == pytest.approx(0.1 / 0.2)
    assert found.pvalue == pytest.approx(2 * stats.norm.sf(0.5))
    apart = unpaired_test((0.8, 0.7), (0.03, 0.02), (50, 50), covariance=-0.005, df=math.inf)
    assert apart.statistic == pytest.approx(0.1 / math.sqrt(0.06))
    assert unpaired_test((0.8, 0.7), (0.01, 0.01), (50, 50), covariance=0.02).statistic == math.inf
