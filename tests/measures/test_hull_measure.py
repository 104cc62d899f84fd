"""What measures of the hull share: tables at once are as one by one, and intervals without the hull's optimism."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from support.measures import values_of
from support.strategies import labelled
from thresher._inference.bootstrap import Figure, adverse_limits
from thresher.measures import EqualErrorRate, HMeasure, KolmogorovSmirnov, MinCllr, RecallAtPrecision
from thresher.measures._estimate import IntervalOptions

MEASURES = [KolmogorovSmirnov(), HMeasure(), EqualErrorRate(), MinCllr()]


@given(data=labelled(values=st.integers(0, 5).map(float)), counts=st.data())
def test_many_tables_are_as_one(data, counts):
    """Columns that a resample has not drawn are none of its scores; weights need not be whole."""
    scores = th.Scores(*data)
    draw = st.lists(st.sampled_from([0.0, 1.0, 2.0, 0.5]), min_size=len(scores), max_size=len(scores))
    pos, neg = (np.array([counts.draw(draw) for _ in range(2)]) for _ in range(2))
    pos[:, 0] += 1.0
    neg[:, -1] += 1.0
    for measure in MEASURES:
        found = values_of(measure, pos, neg)
        for i in range(2):
            seen = (pos[i] > 0) | (neg[i] > 0)
            one = th.Scores.from_counts(scores.thresholds[seen], pos[i][seen], neg[i][seen])
            assert found[i] == pytest.approx(measure.of(one), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_halves_of_cases_are_kept_beside_whole_ones(measure):
    """Of twice the weight every measure of the hull is the same; here it is whole, and the columns as given are not."""
    pos, neg = np.array([[0.5, 2.0, 0.5, 1.0]]), np.array([[1.0, 0.0, 2.0, 3.0]])
    odd = np.array([[1.5, 0.5, 1.5, 0.5]])
    for pair in ((pos, neg), (neg, pos), (pos, pos[:, ::-1]), (odd, neg), (neg, odd), (odd, odd[:, ::-1])):
        whole = th.Scores.from_counts([4, 3, 2, 1], *(2 * column[0] for column in pair))
        found = values_of(measure, *pair)
        assert found[0] == pytest.approx(measure.of(whole), rel=1e-12, abs=1e-14)


def hard_positives(seed, n_pos=25, n_neg=225):
    """Most positives far above the negatives, some far below: a hull of few of them is much too good."""
    rng = np.random.default_rng(seed)
    easy = rng.random(n_pos) >= 0.15
    return th.Scores.from_pos_neg(
        np.where(easy, rng.normal(3.5, 1, n_pos), rng.normal(-3, 0.5, n_pos)), rng.normal(size=n_neg)
    )


@pytest.mark.parametrize("measure", [KolmogorovSmirnov(), HMeasure(), MinCllr(), RecallAtPrecision(0.9)], ids=str)
def test_the_default_interval_takes_the_optimism_of_the_best_points_off(measure):
    scores = hard_positives(1)
    pos, neg = scores.pos.astype(float), scores.neg.astype(float)
    rng = np.random.default_rng(0)
    drawn = [pos * rng.standard_exponential((600, pos.size)), neg * rng.standard_exponential((600, neg.size))]
    better = measure.sign * (values_of(measure, *drawn) - measure.of(scores))
    gain = max(better.mean(), 0.0)
    corrected = measure.estimate(scores).confidence_interval()
    assert corrected.method == "bayes"
    ends = adverse_limits(
        scores.pos,
        scores.neg,
        Figure(lambda pos, neg, at: measure.sign * values_of(measure, pos, neg), lambda pos, neg: None),
        0.95,
        value=measure.sign * measure.of(scores),
    )
    low, high = sorted(measure.sign * one for one in corrected)
    noise = 5 * better.std() / np.sqrt(128)
    least = measure.sign * measure.bounds[0 if measure.sign > 0 else 1]
    assert low == pytest.approx(max(ends[0] - 2 * gain, least), abs=2 * noise)
    assert high == pytest.approx(max(ends[1] - gain, measure.sign * measure.of(scores)), abs=noise)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "truth"), [(KolmogorovSmirnov(), 0.776), (MinCllr(), 0.431), (HMeasure(), 0.693)], ids=str
)
def test_the_default_interval_covers_where_some_positives_are_hard(measure, truth):
    """Reflected resamples, the interval "basic", hold the distance in 80 of 100 such samples."""
    held = sum(truth in measure.estimate(hard_positives(seed)).confidence_interval() for seed in range(40))
    assert held >= 35  # of 40 at 95 %, fewer with probability 0.3 %


def test_the_interval_is_the_reflected_one():
    rng = np.random.default_rng(0)
    y = rng.random(80) < 0.2
    scores = th.Scores(y, np.round(rng.normal(y), 1))
    measure = KolmogorovSmirnov()
    options = IntervalOptions(n_resamples=300, rng=4)
    drawn = measure.resampled(scores, options).replicates
    value = measure.of(scores)
    low, high = measure.interval(measure.estimate(scores), 0.8, "basic", options)
    assert low == pytest.approx(2 * value - np.quantile(drawn, 0.9))
    assert high == pytest.approx(2 * value - np.quantile(drawn, 0.1))
    assert measure.estimate(scores).standard_error("basic", n_resamples=300, rng=4) == pytest.approx(drawn.std(ddof=1))
