"""Power of a test of one model's metric against a value, from a pilot of that model."""

import math

import numpy as np
import pytest
import scipy.stats

import thresher as th

RNG = np.random.default_rng(3)
Y = np.repeat([1, 0], [120, 280])
SCORE = 0.5 * RNG.normal(size=400) + 0.6 * Y
PILOT = th.Scores(Y, SCORE)


@pytest.mark.parametrize(("metric", "null"), [("f1", 0.5), ("recall", 0.6), ("brier", 0.5), ("mcc", 0.3)])
def test_power_is_that_of_the_metric_asked_for(metric, null):
    options = {} if metric == "brier" else {"threshold": 0.3}
    pilot = PILOT if metric != "brier" else th.Scores(Y, scipy.stats.norm.cdf(SCORE))
    estimate = pilot.measure(metric, **options)
    found = th.power(metric=metric, pilot=pilot, null=null, n=150, **options)
    assert found.difference == pytest.approx(estimate.value - null)
    error = estimate.standard_error() * math.sqrt(400 / 150)
    z, lead = scipy.stats.norm.isf(0.025), abs(estimate.value - null) / error
    assert found.power == pytest.approx(scipy.stats.norm.sf(z - lead) + scipy.stats.norm.cdf(-z - lead), rel=1e-9)
    size = th.sample_size(metric=metric, pilot=pilot, null=null, power=0.9, **options)
    reached = [th.power(metric=metric, pilot=pilot, null=null, n=n, **options).power for n in (size.n - 1, size.n)]
    assert reached[0] < 0.9 <= reached[1]


def test_what_is_missing_is_said():
    with pytest.raises(th.InvalidInputError, match="`null` must be given"):
        th.power(metric="f1", threshold=0.3, pilot=PILOT, n=100)
    with pytest.raises(th.InvalidInputError, match="do not describe 'f1'"):
        th.power(metric="f1", threshold=0.3, auc=0.8, n=100)


def test_best_of_a_summary_takes_any_metric():
    other = th.Scores(Y, -SCORE)
    models = th.summary({"good": PILOT, "bad": other})
    assert models.best("f1", threshold=0.3) == "good"
    assert models.best("error", threshold=0.3) == "good"
