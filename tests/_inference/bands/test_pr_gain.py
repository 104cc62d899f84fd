"""Bands and intervals in precision-recall-gain space, against the PR band and against resampling row by row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate

import thresher as th
from support.strategies import labelled
from thresher._inference.bands.curve_band import _area, pr_gain_band, resampled_gain_areas


@given(data=labelled(values=st.integers(0, 8).map(float)))
def test_area_of_a_table_is_that_of_the_curve(data):
    scores = th.Scores(*data)
    assert _area(scores.pos, scores.neg) == pytest.approx(scores.pr_gain().area, abs=1e-12)


@pytest.mark.parametrize("simultaneous", [False, True])
def test_band_is_the_pr_band_in_the_other_space(simultaneous):
    data = th.datasets.load_digits_eight()
    scores = th.Scores(data.y_true, data.tree)
    gain = np.array([0.0, 0.3, 0.9, 1.0])
    band = scores.pr_gain_band(gain, simultaneous=simultaneous, rng=3)
    share = scores.prevalence
    recall = share / (1 - (1 - share) * gain)
    plain = scores.pr_band(recall, design="fixed", simultaneous=simultaneous, rng=3)
    for name in ("low", "value", "high"):
        precision = getattr(plain, name)
        assert getattr(band, name) == pytest.approx((precision - share) / ((1 - share) * precision))
    # Recall gain 0 is recall = prevalence, and 1 is recall 1.
    assert recall[[0, -1]] == pytest.approx([share, 1.0])
    assert (band.curve, band.simultaneous) == ("pr_gain", simultaneous)
    assert (band.low <= band.value).all()
    assert (band.value <= band.high).all()


def test_band_passes_through_the_points_of_the_curve():
    scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    curve = scores.pr_gain()
    rising = np.flatnonzero(np.diff(curve.recall_gain, prepend=-9) > 0)
    inside = rising[curve.recall_gain[rising] >= 0]
    band = scores.pr_gain_band(curve.recall_gain[inside])
    # At a recall that several thresholds have, the band is about the highest precision.
    highest = [curve.precision_gain[curve.recall_gain == x].max() for x in curve.recall_gain[inside]]
    assert band.value == pytest.approx(highest)


def test_resampled_areas_have_the_law_of_resampled_rows():
    rng = np.random.default_rng(4)
    y = np.repeat([1, 0], [15, 40])
    s = np.round(rng.normal(y, 1.0), 1)
    scores = th.Scores(y, s)
    ours = resampled_gain_areas(scores, 4000, 1)
    rows = []
    for _ in range(2000):
        pick = np.concatenate([rng.choice(np.flatnonzero(y == c), (y == c).sum()) for c in (1, 0)])
        rows.append(th.Scores(y[pick], s[pick]).pr_gain().area)
    assert ours.mean() == pytest.approx(np.mean(rows), abs=5 * np.std(rows) / np.sqrt(2000))
    assert ours.std() == pytest.approx(np.std(rows), rel=0.1)


def test_interval_is_repeatable_and_holds_the_area():
    data = th.datasets.load_digits_eight()
    scores = th.Scores(data.y_true, data.tree)
    first, again = scores.pr_gain_interval(rng=1), scores.pr_gain_interval(rng=1)
    assert first == again
    assert scores.pr_gain().area in first
    wider = scores.pr_gain_interval(0.99, rng=1)
    assert wider.low < first.low < first.high < wider.high


def test_methods_of_the_interval():
    data = th.datasets.load_digits_eight()
    scores = th.Scores(data.y_true, data.tree)
    area, areas = scores.pr_gain().area, resampled_gain_areas(scores, 500, 7)
    low, high = scores.pr_gain_interval(method="percentile", n_resamples=500, rng=7)
    assert (low, high) == pytest.approx(tuple(np.quantile(areas, (0.025, 0.975))))
    low, high = scores.pr_gain_interval(n_resamples=500, rng=7)
    # Symmetric round log(1 - area), by 1.96 standard errors on that scale.
    assert (1 - low) * (1 - high) == pytest.approx((1 - area) ** 2)
    assert np.log((1 - low) / (1 - area)) == pytest.approx(1.959964 * areas.std(ddof=1) / (1 - area))
    with pytest.raises(th.InvalidInputError, match="`method` must be one of"):
        scores.pr_gain_interval(method="bca")


def test_separated_classes_get_a_point_and_a_warning():
    with pytest.warns(th.ThresherWarning, match="The area is 1, and so is that of every resample"):
        assert tuple(th.Scores([1, 1, 0, 0], [4, 3, 2, 1]).pr_gain_interval()) == (1.0, 1.0)


def test_interval_takes_weights():
    rng = np.random.default_rng(2)
    y, s = np.repeat([1, 0], 30), np.append(rng.normal(1, 1, 30), rng.normal(0, 1, 30))
    scores = th.Scores(y, s, sample_weight=rng.random(60) + 0.5)
    assert scores.pr_gain().area in scores.pr_gain_interval(rng=0)


def test_true_area_of_a_population_is_an_integral():
    # Precision gain is 1 - FPR(g)/g: a large sample comes near the integral.
    case, share = th.population.CASES["A"], 0.2
    truth = integrate.quad(
        lambda g: (1 - float(case.fpr_at(g)) / g) * share / ((1 - share) * g**2), share, 1 - 1e-12, limit=200
    )[0]
    y, s = case.with_prevalence(share).sample(400_000, rng=1)
    assert th.Scores(y, s).pr_gain().area == pytest.approx(truth, abs=0.005)


def test_one_class():
    with pytest.raises(th.UndefinedMetricError):
        th.Scores([1, 1], [1, 2]).pr_gain_interval()
    with pytest.raises(th.UndefinedMetricError):
        th.Scores([0, 0], [1, 2]).pr_gain_band()
    with pytest.raises(th.InvalidInputError, match="`recall_gain`"):
        th.Scores([1, 0], [1, 2]).pr_gain_band([1.5])


def test_four_thousand_curves_are_drawn_unless_said_otherwise():
    scores = th.Scores.from_counts(range(3), pos=[1, 4, 10], neg=[9, 5, 2])
    one, other, fewer = (
        pr_gain_band(scores, [0.2, 0.6], simultaneous=True, rng=1, **options)
        for options in ({}, {"n_resamples": 4000}, {"n_resamples": 3999})
    )
    assert np.array_equal([one.low, one.high], [other.low, other.high])
    assert not np.array_equal([one.low, one.high], [fewer.low, fewer.high])
