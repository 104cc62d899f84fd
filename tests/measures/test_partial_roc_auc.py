"""Partial areas in fractions over both axes, with weights, McClish's scale, and variances by cut placements."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import thresher as th
from support import oracle
from support.measures import differences, values_of
from support.strategies import labelled
from thresher.measures import PartialRocAuc, RocAuc

few = labelled(max_size=14, values=st.integers(0, 6).map(float))
spans = st.tuples(st.integers(0, 10), st.integers(0, 10)).filter(lambda s: s[0] < s[1])


def area(points, low: Fraction, high: Fraction) -> Fraction:
    """Return the area under a polygon between two places of its first axis."""
    total = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(points):
        a, b = max(Fraction(x0), low), min(Fraction(x1), high)
        if x1 > x0 and b > a:
            at = [y0 + Fraction(y1 - y0, x1 - x0) * (x - x0) for x in (a, b)]
            total += (b - a) * (at[0] + at[1]) / 2
    return total


def exact(points, along: str, low: Fraction, high: Fraction) -> Fraction:
    n_neg, n_pos = points[-1]
    if along == "fpr":
        return area(points, low * n_neg, high * n_neg) / (n_neg * n_pos)
    turned = [(y, x) for x, y in points]
    return (high - low) - area(turned, low * n_pos, high * n_pos) / (n_neg * n_pos)


@pytest.mark.parametrize("along", ["fpr", "tpr"])
@given(data=few, span=spans)
def test_the_rounded_fraction(along, data, span):
    low, high = (Fraction(end, 10) for end in span)
    want = exact(oracle.counts(*data), along, low, high)
    ends = {along: (span[0] / 10, span[1] / 10)}
    assert PartialRocAuc(**ends).of(th.Scores(*data)) == float(want)
    floats = th.Scores(*data, sample_weight=np.where(np.arange(len(data[0])) >= 0, 0.3, 0.3))
    assert PartialRocAuc(**ends).of(floats) == pytest.approx(float(want), abs=1e-14)
    weighted = th.Scores(*data, sample_weight=np.where(np.array(data[0]) == 1, 2.5, 0.75) * 1.0)
    assert PartialRocAuc(**ends).of(weighted) == pytest.approx(float(want), abs=1e-14)


@given(data=few, span=spans, weights=st.lists(st.sampled_from([0.5, 1.25, 3.0]), min_size=14, max_size=14))
def test_weights_within_ties(data, span, weights):
    labels, values = data
    weights = weights[: len(labels)]
    points = [(Fraction(0), Fraction(0))]
    for cut in sorted(set(values), reverse=True):
        called = [i for i, value in enumerate(values) if value >= cut]
        points.append(
            (
                sum((Fraction(weights[i]) for i in called if not labels[i]), Fraction(0)),
                sum((Fraction(weights[i]) for i in called if labels[i]), Fraction(0)),
            )
        )
    for along in ("fpr", "tpr"):
        want = exact(points, along, Fraction(span[0], 10), Fraction(span[1], 10))
        found = PartialRocAuc(**{along: (span[0] / 10, span[1] / 10)})
        assert found.of(th.Scores(labels, values, sample_weight=weights)) == pytest.approx(float(want), abs=1e-13)


def test_mcclish_as_scikit_learn():
    rng = np.random.default_rng(0)
    y = rng.random(80) < 0.2
    x = np.round(rng.normal(y), 1)
    for end in (0.05, 0.3, 0.9):
        found = PartialRocAuc(fpr=(0, end), standardize=True).of(th.Scores(y, x))
        assert found == pytest.approx(roc_auc_score(y, x, max_fpr=end))


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("along", ["fpr", "tpr"])
def test_bounds_are_the_areas_of_the_worst_and_the_best(along, standardize):
    measure = PartialRocAuc(**{along: (0.2, 0.6)}, standardize=standardize)
    worst, best = (th.Scores(y, [4, 3, 2, 1]) for y in ([0, 0, 1, 1], [1, 1, 0, 0]))
    assert measure.bounds == pytest.approx((measure.of(worst), measure.of(best)))


def data(n_pos: int = 8, n_neg: int = 25):
    rng = np.random.default_rng(4)
    y = np.arange(n_pos + n_neg) < n_pos
    return y, np.round(rng.normal(1.0 * y), 1), np.round(rng.normal(0.7 * y), 1)


@pytest.mark.parametrize("along", ["fpr", "tpr"])
def test_the_whole_range_is_the_area_with_its_variance(along):
    y, a, b = data()
    scores, whole = th.Scores(y, a), PartialRocAuc(**{along: (0, 1)})
    assert whole.of(scores) == RocAuc().of(scores)
    error = whole.estimate(scores).standard_error(method="delong")
    assert error == pytest.approx(RocAuc().estimate(scores).standard_error(method="delong"))
    pull, want = whole.influence(scores), RocAuc().influence(scores)
    assert pull.pos[scores.pos > 0] == pytest.approx(want.pos[scores.pos > 0], abs=1e-12)
    assert pull.neg[scores.neg > 0] == pytest.approx(want.neg[scores.neg > 0], abs=1e-12)
    found, df = differences(whole, y, [a, b])
    wanted, wanted_df = differences(RocAuc(), y, [a, b])
    assert (found[0, 1], df) == pytest.approx((wanted[0, 1], wanted_df))


@pytest.mark.parametrize("along", ["fpr", "tpr"])
def test_mcclish_stretches_all_of_it(along):
    y, a, b = data()
    scores = th.Scores(y, a)
    plain, tall = (PartialRocAuc(**{along: (0.1, 0.4)}, standardize=flag) for flag in (False, True))
    low, high = (0.1, 0.4) if along == "fpr" else (0.6, 0.9)
    least, most = (high**2 - low**2) / 2, high - low

    def stretch(area):
        return (1 + (area - least) / (most - least)) / 2

    factor = 1 / (2 * (most - least))
    assert tall.of(scores) == pytest.approx(stretch(plain.of(scores)))
    for method in ("delong", "delong-logit"):
        ends = plain.estimate(scores).confidence_interval(0.9, method=method)
        found = tall.estimate(scores).confidence_interval(0.9, method=method)
        assert (found.low, found.high) == pytest.approx((stretch(ends.low), stretch(ends.high)))
    assert tall.spread(scores).variance == pytest.approx(factor**2 * plain.spread(scores).variance)
    assert tall.influence(scores).pos == pytest.approx(factor * plain.influence(scores).pos)
    assert tall.influence(scores).neg == pytest.approx(factor * plain.influence(scores).neg)
    variances = [differences(one, y, [a, b])[0][0, 1] for one in (tall, plain)]
    assert variances[0] == pytest.approx(factor**2 * variances[1])


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("along", ["fpr", "tpr"])
def test_many_tables_are_as_one(along, standardize):
    y, a, _ = data()
    scores = th.Scores(y, a)
    measure = PartialRocAuc(**{along: (0.1, 0.55)}, standardize=standardize)
    pos, neg = (np.stack([side, 2 * side]).astype(float) for side in (scores.pos, scores.neg))
    found = values_of(measure, pos, neg)
    assert found == pytest.approx([measure.of(scores)] * 2)


def test_a_compressed_table_knows_how_far_it_is_off():
    rng = np.random.default_rng(0)
    y = rng.random(4000) < 0.05
    scores = th.Scores(y, rng.normal(y))
    small = scores.compress(30)
    for measure in (
        PartialRocAuc(fpr=(0, 0.1)),
        PartialRocAuc(tpr=(0.8, 1)),
        PartialRocAuc(fpr=(0, 0.2), standardize=True),
    ):
        found = measure.estimate(small)
        assert found.error_bound > 0
        assert abs(found.value - measure.of(scores)) <= found.error_bound


def test_requests():
    for given_, said in (({}, "neither"), ({"fpr": (0, 0.1), "tpr": (0.9, 1)}, "both")):
        with pytest.raises(th.InvalidInputError) as caught:
            PartialRocAuc(**given_)
        assert str(caught.value) == (
            f"`partial_roc_auc` takes exactly one of `fpr` and `tpr`; got {said}. Hint: for example `fpr=(0, 0.1)`."
        )
    assert PartialRocAuc(fpr=(0, 0.1)).described() == "partial_roc_auc (fpr 0 to 0.1)"
    assert PartialRocAuc(tpr=(0.8, 1), standardize=True).described() == "partial_roc_auc (tpr 0.8 to 1, standardized)"
