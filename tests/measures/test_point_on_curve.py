"""What measures of one point share: the band's ends, never without the value, and the check of the rate."""

from __future__ import annotations

import math

import numpy as np
import pytest

import thresher as th
from thresher.measures import RecallAtFpr
from thresher.measures._estimate import IntervalOptions
from thresher.measures._point_on_curve import PointOnCurve, check_held_rate


class Fixed(PointOnCurve):
    """A point whose band is elsewhere."""

    name = "fixed"
    ends = (0.4, 0.6)

    def of(self, table):
        return 0.7

    def band_ends(self, table, level, design):
        return self.ends


@pytest.mark.parametrize(
    ("ends", "want"), [((0.4, 0.6), (0.4, 0.7)), ((0.8, 0.9), (0.7, 0.9)), ((0.1, 0.9), (0.1, 0.9))]
)
def test_the_value_is_within(ends, want):
    measure = Fixed()
    Fixed.ends = ends
    options = IntervalOptions()
    estimate = measure.estimate(th.Scores([0, 1], [0, 1]))
    assert measure.interval(estimate, 0.95, "band", options) == want


def test_the_interval_is_the_band_of_the_curve():
    rng = np.random.default_rng(0)
    y = rng.random(150) < 0.3
    scores = th.Scores(y, rng.normal(y))
    for level in (0.8, 0.95):
        found = scores.measure(RecallAtFpr(0.2)).confidence_interval(level)
        low, high = RecallAtFpr(0.2).band_ends(scores, level, "random")
        assert low <= found.low <= found.high <= max(high, RecallAtFpr(0.2).of(scores))


@pytest.mark.parametrize("rate", [1, 1.0, 0.5, np.float32(0.25), 5e-324])
def test_rates_that_can_be_held(rate):
    found = check_held_rate(rate, "recall", "m")
    assert type(found) is float
    assert found == float(rate)


@pytest.mark.parametrize("rate", [0, 0.0, 1.5, -0.1, True, "0.5", None, math.nan])
def test_rates_that_cannot(rate):
    with pytest.raises(th.InvalidInputError) as caught:
        check_held_rate(rate, "recall", "precision_at_recall")
    assert str(caught.value).startswith("`recall` must be one number in (0, 1] for metric 'precision_at_recall'; got ")
    assert str(caught.value).endswith("Hint: for example `recall=0.8`.")
