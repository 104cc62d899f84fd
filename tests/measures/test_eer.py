"""The equal error rate by walking along the polygon in fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import thresher as th
from support import oracle
from support.strategies import labelled
from thresher.measures import EqualErrorRate

few = labelled(values=st.integers(0, 6).map(float))


def crossing(points) -> Fraction:
    """Return the first FPR on the polygon at which it equals 1 - TPR."""
    n_neg, n_pos = points[-1]
    for (x0, y0), (x1, y1) in pairwise(points):
        # FPR + TPR rises along the curve from 0 to 2.
        a = Fraction(x0, n_neg) + Fraction(y0, n_pos)
        b = Fraction(x1, n_neg) + Fraction(y1, n_pos)
        if a < 1 <= b:
            part = (1 - a) / (b - a)
            return (x0 + part * (x1 - x0)) / n_neg
    raise AssertionError


@given(few)
def test_on_the_curve(data):
    assert EqualErrorRate("roc").of(th.Scores(*data)) == float(crossing(oracle.counts(*data)))


@given(few)
def test_on_the_hull(data):
    assert EqualErrorRate().of(th.Scores(*data)) == float(crossing(oracle.hull(oracle.counts(*data))))


def test_the_error_by_the_slope_of_the_edge():
    # Points (0, 0), (0, 2), (1, 3), (3, 4), (5, 4) of 5 negatives and 4 positives; the edge from (0, 2) to (1, 3).
    scores = th.Scores.from_counts([5, 4, 3, 2], pos=[2, 1, 1, 0], neg=[0, 1, 2, 2])
    found = scores.measure("eer")
    slope = (1 / 4) / (1 / 5)
    # FPR = t / 5 and TPR = (2 + t) / 4 meet FPR + TPR = 1 at t = 10/9.
    part = Fraction(10, 9)
    assert part > 1  # beyond that edge: on the next one, from (1, 3) to (3, 4)
    slope = (1 / 4) / (2 / 5)
    rate = float(crossing([(0, 0), (0, 2), (1, 3), (3, 4), (5, 4)]))
    assert found.value == rate
    want = math.sqrt(rate * (1 - rate) * (slope**2 / 5 + 1 / 4)) / (1 + slope)
    assert found.standard_error() == pytest.approx(want)
    reach = stats.norm.ppf(0.95) * want
    assert tuple(found.confidence_interval(0.9, method="normal")) == pytest.approx(
        (max(rate - reach, 0), min(rate + reach, 1))
    )


def test_a_vertical_edge_varies_with_the_negatives_alone():
    # The line is crossed where no negative is passed: FPR is 1/4 from TPR 0 to 1.
    scores = th.Scores([0, 1, 1, 1, 0, 0, 0], [7, 6, 5, 4, 3, 2, 1])
    found = scores.measure("eer", curve="hull")
    hull = oracle.hull(oracle.counts([0, 1, 1, 1, 0, 0, 0], [7, 6, 5, 4, 3, 2, 1]))
    assert found.value == float(crossing(hull))
    upright = th.Scores.from_counts([3, 2, 1], pos=[3, 1, 0], neg=[0, 0, 4]).measure("eer")
    assert (upright.value, upright.standard_error()) == (0.0, 0.0)


def rows(seed=0, n=40):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 5 < 2
    return y, np.round(rng.normal(size=n) + 1.2 * y, 1), rng.integers(1, 6, n)


@pytest.mark.parametrize("curve", ["hull", "roc"])
def test_weights_by_class_leave_the_error(curve):
    y, s, _ = rows()
    plain, weighted = th.Scores(y, s), th.Scores(y, s, sample_weight=np.where(y, 0.25, 3.0))
    one, other = (scores.measure("eer", curve=curve) for scores in (plain, weighted))
    assert other.value == pytest.approx(one.value, rel=1e-12)
    assert other.standard_error() == pytest.approx(one.standard_error(), rel=1e-12)


@pytest.mark.parametrize("curve", ["hull", "roc"])
@pytest.mark.parametrize("seed", range(4))
def test_the_error_of_weighted_rows_by_loops(curve, seed):
    """Each row moves the rate by its miss or its false call at the crossing, in parts by the slope of the hull."""
    y, s, w = rows(seed)
    steps = [(0, 0)]
    for cut in sorted(set(s.tolist()), reverse=True):
        steps.append((int(w[~y & (s >= cut)].sum()), int(w[y & (s >= cut)].sum())))
    n_neg, n_pos = steps[-1]

    def edge(points):
        sums = [Fraction(x, n_neg) + Fraction(t, n_pos) for x, t in points]
        k = next(k for k in range(1, len(points)) if sums[k] >= 1)
        return points[k - 1], points[k], (1 - sums[k - 1]) / (sums[k] - sums[k - 1])

    hull = oracle.hull(steps)
    (x0, t0), (x1, t1), _ = edge(hull)
    share = 1.0 if x1 == x0 else 1 - 1 / (1 + Fraction(t1 - t0, n_pos) / Fraction(x1 - x0, n_neg))
    before, after, part = edge(hull if curve == "hull" else steps)
    rate = before[0] / n_neg + float(part) * (after[0] - before[0]) / n_neg
    variance = 0.0
    for mine, weight in ((y, 1 - float(share)), (~y, float(share))):
        total, squares = w[mine].sum(), (w[mine] ** 2).sum()
        for score, own in zip(s[mine], w[mine], strict=True):
            at = steps.index((int(w[~y & (s >= score)].sum()), int(w[y & (s >= score)].sum())))
            called = 1.0 if at <= steps.index(before) else float(part) if at <= steps.index(after) else 0.0
            wrong = 1 - called if mine is y else called
            variance += total**2 / (total**2 - squares) * (own / total * weight * (wrong - rate)) ** 2
    found = th.Scores(y, s, sample_weight=w / 2.0).measure("eer", curve=curve)
    assert found.value == pytest.approx(rate, rel=1e-12)
    assert found.standard_error() == pytest.approx(math.sqrt(variance), rel=1e-9)


def test_the_default_takes_the_rate_for_a_share():
    # Hull: (0, 0), (0, 1/2), (1/4, 3/4), (1, 1): the rate is 1/4, the slope of the edge before it 1, so 8 cases.
    y, s = [1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1]
    scores = th.Scores(y, s)
    points = oracle.counts(y, s)
    hull, curve = (float(crossing(path)) for path in (oracle.hull(points), points))
    low, high = scores.measure("eer").confidence_interval()
    assert (hull, curve) == (0.25, 0.25)
    assert low == pytest.approx(stats.beta.ppf(0.025, 2, 6.75), rel=1e-9)
    # One error in four: a quarter of the way from the four cases of a class to twice as many.
    assert high == pytest.approx(stats.beta.ppf(0.975, 0.25 * 5 + 0.75, 0.75 * 5), rel=1e-9)


def test_the_upper_limit_takes_the_curve_and_the_smaller_class():
    # 2 positives; 40 negatives, of which 8 are above the second: the curve crosses at 8/40, the hull below that.
    y, s = [1] + [0] * 8 + [1] + [0] * 32, range(42, 0, -1)
    points = oracle.counts(y, s)
    curve = float(crossing(points))
    assert curve > float(crossing(oracle.hull(points)))
    high = th.Scores(y, s).measure("eer").confidence_interval().high
    cases = 2 * (1 + 2 * curve / 4)
    assert high == pytest.approx(stats.beta.ppf(0.975, cases * curve + 0.75, cases * (1 - curve)), rel=1e-9)


def test_rows_without_an_error_leave_room_for_some():
    found = th.Scores([1] * 5 + [0] * 5, range(10, 0, -1)).measure("eer")
    assert tuple(found.confidence_interval(method="normal")) == (0.0, 0.0)
    low, high = found.confidence_interval()
    assert (low, high > 0.2) == (0.0, True)


def test_weights_take_the_normal_interval():
    y, s, w = rows()
    found = th.Scores(y, s, sample_weight=w / 2).measure("eer")
    assert found.confidence_interval().method == "normal"
    with pytest.raises(th.InvalidInputError, match="method='bayes'"):
        found.confidence_interval(method="bayes")


def test_resamples_are_the_other_method():
    scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0] * 5, range(40))
    drawn = scores.measure("eer")
    low, high = drawn.confidence_interval(method="basic", n_resamples=200, rng=1)
    assert low < high
    normal = drawn.confidence_interval(method="normal")
    assert (low, high) != tuple(normal)


def test_other_curves_are_refused():
    with pytest.raises(th.InvalidInputError, match="`curve` must be"):
        EqualErrorRate("det")
