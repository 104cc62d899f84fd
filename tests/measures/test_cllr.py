"""The log-likelihood-ratio cost row by row, and the least one by trying every rising recalibration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.isotonic import IsotonicRegression

import thresher as th
from thresher.measures import Cllr, MinCllr

Y = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0], dtype=bool)
X = np.array([0.9, 0.5, 0.4, 0.5, 0.2, 0.2, 0.1, 0.3, 0.6])


def costs(y, x, share):
    ratio = x / (1 - x) * (1 - share) / share
    return np.where(y, np.log2(1 + 1 / ratio), np.log2(1 + ratio))


@pytest.mark.parametrize("prevalence", [None, 0.5, 0.02])
def test_row_by_row(prevalence):
    def mean(share):
        own = costs(Y, X, share)
        return (own[Y].mean() + own[~Y].mean()) / 2

    share = 1 / 3 if prevalence is None else prevalence
    own = costs(Y, X, share)
    found = th.Scores(Y, X).measure("cllr", prevalence=prevalence)
    assert found.value == pytest.approx(mean(share))
    classes = (own[Y].var(ddof=1) / 3 + own[~Y].var(ddof=1) / 6) / 4
    assert found.standard_error(design="fixed") == pytest.approx(math.sqrt(classes))
    # The prevalence of the sample varies too, by the variance 1 / 3 + 1 / 6 of its log odds.
    slope = (mean(share + 1e-6) - mean(share - 1e-6)) / 2e-6 * share * (1 - share) if prevalence is None else 0.0
    error = math.sqrt(classes + slope**2 * (1 / 3 + 1 / 6))
    assert found.standard_error() == pytest.approx(error)
    reach = stats.norm.ppf(0.95) * error
    ends = max(found.value - reach, 0.0), found.value + reach
    assert tuple(found.confidence_interval(0.9)) == pytest.approx(ends)


def test_scores_of_the_prevalence_say_nothing():
    assert Cllr().of(th.Scores(Y, np.full(9, 1 / 3))) == pytest.approx(1.0)


def test_weights_are_rows():
    times = np.array([1, 3, 2, 1, 1, 4, 1, 2, 1])
    y, x = np.repeat(Y, times), np.repeat(X, times)
    assert Cllr().of(th.Scores(Y, X, frequency=times)) == pytest.approx(Cllr().of(th.Scores(y, x)))


def test_certain_and_wrong_is_infinite_and_certain_and_right_is_not():
    assert Cllr().of(th.Scores([1, 0, 1], [1.0, 0.0, 0.5])) < math.inf
    wrong = th.Scores([1, 0, 1], [0.0, 0.2, 0.5]).measure("cllr")
    assert wrong.value == math.inf
    with pytest.raises(th.UndefinedMetricError, match="infinite"):
        wrong.standard_error()
    assert Cllr().bounds == (0.0, math.inf)


def test_the_least_cost_is_that_of_isotonic_scores_at_even_odds():
    weights = np.where(Y, 1 / Y.sum(), 1 / (~Y).sum())
    q = IsotonicRegression().fit(X, Y, sample_weight=weights).predict(X)
    with np.errstate(divide="ignore"):
        own = np.where(Y, -np.log2(q), -np.log2(1 - q))
    want = (own[Y].mean() + own[~Y].mean()) / 2
    assert MinCllr().of(th.Scores(Y, X)) == pytest.approx(want)
    assert MinCllr().of(th.Scores(Y, X)) <= Cllr(0.5).of(th.Scores(Y, X))
    assert MinCllr().of(th.Scores([1, 1, 0], [3, 2, 1])) == 0.0
    assert MinCllr().of(th.Scores([0, 0, 1], [3, 2, 1])) == pytest.approx(1.0)
