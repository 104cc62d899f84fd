"""Areas under the PR curve and their spread, against many digits and against NumPy."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import thresher as th
from thresher._core import native
from thresher._core.threads import num_threads
from thresher._inference.pr import spread_numpy
from thresher.measures._pr_estimators import pr_auc_value_numpy, tie_range_numpy

pytestmark = pytest.mark.skipif(not native.available(), reason="installed without compiled kernels")

AREAS = ("interpolated", "average_precision", "unit_steps", "trapezoid", "functional")
SPREADS = ("interpolated", "average_precision", "trapezoid", "functional")


@st.composite
def tables(draw):
    size = draw(st.integers(1, 40))
    large = draw(st.sampled_from([1, 2, 50, 3000]))
    table = draw(hnp.arrays(np.int64, (2, size), elements=st.integers(0, large)))
    table[:, draw(st.integers(0, size - 1))] += 1
    return table


def exact(estimator, pos, neg, scale):
    """The area times the positives, in 50 digits, each estimator by its definition."""
    with mpmath.workdps(50):
        t = f = area = mpmath.mpf(0)
        for p, n in zip(pos.tolist(), neg.tolist(), strict=True):
            q = n * mpmath.mpf(scale)
            if p:
                area += piece(estimator, t, f, mpmath.mpf(p), q)
            t, f = t + p, f + q
        return float(area)


def piece(estimator, t, f, p, q):
    if estimator == "average_precision":
        return p * (t + p) / (t + p + f + q)
    if estimator == "trapezoid":
        return p * ((t / (t + f) if t + f else 1) + (t + p) / (t + p + f + q)) / 2
    if estimator == "unit_steps":
        at = [(t + v) / (t + v + f + q * v / p) if t + v + f else p / (p + q) for v in range(int(p) + 1)]
        return mpmath.fsum(at) - (at[0] + at[-1]) / 2
    if estimator in ("functional", "ties_lost"):
        f, q = (f if estimator == "functional" else f + q), mpmath.mpf(0)
    slope = 1 + q / p
    if t + f == 0:
        return p / slope
    return p / slope - (f - (q / p) * t) / slope**2 * mpmath.log1p((p + q) / (t + f))


@pytest.mark.parametrize("estimator", [*AREAS, "ties_lost"])
@given(table=tables(), scale=st.sampled_from([1.0, 0.125, 8.0]), wide=st.booleans())
def test_areas_to_the_last_digits(estimator, table, scale, wide):
    tp, fp = np.cumsum(table, axis=1).astype(np.int64 if wide else np.int32)
    want = exact(estimator, *table, scale)
    assert abs(native.pr_area(tp, fp, estimator, scale) - want) <= 4 * math.ulp(want)


def long_table(ties, n=300_000):
    """Several blocks of the kernels, with a class that has long runs."""
    rng = np.random.default_rng(7)
    y = rng.random(n) < 0.2
    y[1000:90_000] = False
    return th.Scores(y, np.round(rng.normal(size=n) + y, 3) if ties else rng.permutation(n) + 30_000 * y)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("scale", [1.0, 0.03])
def test_long_tables_equal_numpy(isa, ties, scale):
    scores = long_table(ties)
    for estimator in AREAS:
        want = pr_auc_value_numpy(scores, estimator, scale, (0.0, 1.0))
        found = {}
        for threads in (1, 3):
            with num_threads(threads):
                found[threads] = native.pr_area(scores.tp, scores.fp, estimator, scale)
        assert found[1] == found[3]
        assert abs(found[1] / scores.n_pos - want) <= 4 * math.ulp(want)
    low, high = (
        native.pr_area(scores.tp, scores.fp, kind, scale) / scores.n_pos for kind in ("ties_lost", "functional")
    )
    assert (low, high) == pytest.approx(list(tie_range_numpy(scores, scale, (0.0, 1.0))), rel=1e-15)


@pytest.mark.parametrize("estimator", SPREADS)
@given(table=tables(), scale=st.sampled_from([1.0, 0.125, 8.0]), wide=st.booleans())
def test_spreads_equal_numpy(estimator, table, scale, wide):
    tp, fp = np.cumsum(table, axis=1).astype(np.int64 if wide else np.int32)
    found = native.pr_spread(tp, fp, estimator, scale)
    columns = (np.append(0.0, column) for column in (tp, fp))
    want = spread_numpy(*columns, estimator, scale, (0.0, 1.0))
    assert found == pytest.approx(want, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("ties", [False, True])
def test_long_spreads_equal_numpy(isa, ties):
    scores = long_table(ties)
    tp, fp = (np.append(0.0, column) for column in (scores.tp, scores.fp))
    for estimator in SPREADS:
        found = {}
        for threads in (1, 3):
            with num_threads(threads):
                found[threads] = native.pr_spread(scores.tp, scores.fp, estimator, 0.5)
        assert found[1] == found[3]
        assert found[1] == pytest.approx(spread_numpy(tp, fp, estimator, 0.5, (0.0, 1.0)), rel=1e-9)


@given(table=tables(), factor=st.sampled_from([1, 2**36]))
def test_ties_are_counted(table, factor):
    pos, neg = (table * factor).tolist()
    both = [(p, n) for p, n in zip(pos, neg, strict=True) if p and n]
    found = native.ties(*np.cumsum(table * factor, axis=1))
    assert found == (len(both), sum(p for p, _ in both), sum(p * n for p, n in both))


def test_other_columns_are_refused():
    one, two = np.ones(1, dtype=np.int64), np.ones(2, dtype=np.int64)
    for kernel in (native.pr_area, native.pr_spread):
        with pytest.raises(ValueError, match="same length"):
            kernel(one, two, "interpolated")
    with pytest.raises(ValueError, match="no such estimator"):
        native._kernels.pr_area(one, one, 6, 1.0, 1)
    with pytest.raises(TypeError, match="int32 or int64"):
        native._kernels.pr_spread(np.ones(2), np.ones(2), 0, 1.0, 1)


def test_any_number_of_unit_steps_is_taken():
    # From the origin precision is the same all along.
    assert native.pr_area(np.array([2**40]), np.array([1]), "unit_steps") == pytest.approx(
        2**40 / (1 + 2**-40), rel=1e-15
    )
