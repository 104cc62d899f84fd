"""Intervals for proportions, against SciPy and their defining equations."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.coverage_rates import least_coverage
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from thresher._inference.rates.proportion import PROPORTION_METHODS, proportion_interval
from thresher.exceptions import InvalidInputError, InvalidTypeError, ThresherWarning

COUNTS = [(0, 1), (1, 1), (0, 12), (3, 12), (12, 12), (1, 1000), (999, 1000), (123_456, 10_000_000)]
OUTSIDE = "`count` must be between 0 and `total`, which must be below 2**62; got count {} and total {}."
SHAPES = "`count` and `total` must be numbers of shapes that broadcast; got {} and {}."
LEVELS = [0.5, 0.9, 0.95, 0.999]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("count", "total"), COUNTS)
def test_against_scipy(count, total, level):
    test = stats.binomtest(count, total)
    for method, name in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        expected = test.proportion_ci(level, name)
        found = proportion_interval(count, total, method=method, confidence_level=level)
        assert tuple(found) == pytest.approx((expected.low, expected.high), rel=1e-9, abs=1e-15)
    low, high = proportion_interval(count, total, method="jeffreys", confidence_level=level)
    law = stats.beta(count + 0.5, total - count + 0.5)
    assert low == pytest.approx(law.ppf((1 - level) / 2) if count else 0.0, rel=1e-9)
    assert high == pytest.approx(law.isf((1 - level) / 2) if count < total else 1.0, rel=1e-9)
    # By default three quarters of a case more on the other side.
    low, high = proportion_interval(count, total, confidence_level=level)
    assert low == pytest.approx(
        stats.beta.ppf((1 - level) / 2, count, total - count + 0.75) if count else 0.0, rel=1e-9
    )
    upper = stats.beta.isf((1 - level) / 2, count + 0.75, total - count) if count < total else 1.0
    assert high == pytest.approx(upper, rel=1e-9)


@pytest.mark.parametrize("method", PROPORTION_METHODS)
@given(total=st.integers(1, 10**9), share=st.floats(0, 1), level=st.floats(0.01, 0.9999))
def test_properties(method, total, share, level):
    count = int(share * total)
    low, high = proportion_interval(count, total, method=method, confidence_level=level)
    assert 0.0 <= low <= high <= 1.0
    if method != "jeffreys" or level >= 0.5:
        assert low <= count / total * (1 + 1e-12)
        assert count / total <= high * (1 + 1e-12)
    mirrored = proportion_interval(total - count, total, method=method, confidence_level=level)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((low, high), abs=1e-9)


def test_the_default_covers_93_percent_of_every_share():
    # The least coverage stands just outside an end: no grid of shares can miss it.
    least = {total: least_coverage(total, "bayes") for total in (*range(1, 61), 100, 300, 1000)}
    assert min(least.values()) >= 0.9312
    assert min(least, key=least.__getitem__) == 31
    assert least_coverage(20, "wilson") < 0.84


@given(total=st.integers(1, 400), level=st.floats(0.5, 0.999))
def test_the_default_rises_with_the_count_and_grows_with_the_level(total, level):
    counts = np.linspace(0, total, 2 * total + 1)  # halves too: counts of weighted rows are no whole numbers
    low, high = proportion_interval(counts, total, confidence_level=level)
    assert (np.diff(low) > 0).all()
    assert (np.diff(high) > 0).all()
    wider = proportion_interval(counts, total, confidence_level=(1 + level) / 2)
    assert (wider.low <= low).all()
    assert (wider.high >= high).all()
    longest = proportion_interval(counts, total, confidence_level=level, method="clopper-pearson")
    assert (longest.low <= low + 1e-12).all()
    assert (longest.high >= high - 1e-12).all()


@pytest.mark.parametrize("total", [5, 20, 60])
def test_clopper_pearson_never_covers_less(total):
    low, high = proportion_interval(np.arange(total + 1), total, method="clopper-pearson", confidence_level=0.9)
    for p in np.linspace(0.001, 0.999, 333):
        covered = stats.binom.pmf(np.flatnonzero((low <= p) & (p <= high)), total, p).sum()
        assert covered >= 0.9


@pytest.mark.parametrize("method", ["wilson", "jeffreys"])
def test_mean_coverage(method):
    total = 50
    low, high = proportion_interval(np.arange(total + 1), total, method=method)
    shares = np.linspace(0.005, 0.995, 199)
    cover = [stats.binom.pmf(np.flatnonzero((low <= p) & (p <= high)), total, p).sum() for p in shares]
    assert np.mean(cover) == pytest.approx(0.95, abs=0.012)


def test_arrays_and_weights():
    found = proportion_interval([[1, 2], [3, 4]], 8)
    assert found.low.shape == found.high.shape == (2, 2)
    assert found.low[1, 0] == proportion_interval(3, 8).low
    # Sums of weights stand for numbers of cases.
    assert proportion_interval(3.0, 8.0).low == proportion_interval(3, 8).low
    assert proportion_interval(2.5, 8.0).low < proportion_interval(3, 8).low


@pytest.mark.parametrize("method", PROPORTION_METHODS)
def test_no_cases(method):
    with pytest.warns(ThresherWarning) as caught:
        found = proportion_interval([0, 1], [0, 2], method=method)
    assert str(caught[0].message) == "No case was counted, so the interval of its share is [0, 1]."
    assert (found.low[0], found.high[0]) == (0.0, 1.0)
    assert found.high[1] == proportion_interval(1, 2, method=method).high


@pytest.mark.parametrize(
    ("count", "total", "error", "message"),
    [
        (3, 2, InvalidInputError, OUTSIDE.format(3, 2)),
        ([1, -1], 2, InvalidInputError, OUTSIDE.format(-1, 2)),
        (1, float("nan"), InvalidInputError, OUTSIDE.format(1, "nan")),
        ([1, 2], [3, 4, 5], InvalidTypeError, SHAPES.format("[1, 2]", "[3, 4, 5]")),
        ("a", 2, InvalidTypeError, SHAPES.format("'a'", 2)),
    ],
)
def test_bad_input(count, total, error, message):
    with pytest.raises(error) as caught:
        proportion_interval(count, total)
    assert str(caught.value) == message


def test_bad_method():
    with pytest.raises(InvalidInputError) as caught:
        proportion_interval(1, 2, method="wald")
    assert str(caught.value) == "`method` must be one of 'bayes', 'wilson', 'clopper-pearson', 'jeffreys'; got 'wald'."
