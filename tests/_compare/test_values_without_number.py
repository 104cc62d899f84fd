"""Comparisons of metrics that are infinite or not defined, in the data or in resamples."""

import math

import numpy as np
import pytest

import thresher as th
from thresher._compare.multiplicity import wald_omnibus
from thresher._compare.replicates import bootstrap_pvalue, permutation_pvalue
from thresher._inference.bootstrap import outer_quantiles

Y = np.repeat([1, 0], 20)
NO_FALSE_POSITIVE = np.r_[np.linspace(0.6, 0.9, 15), np.linspace(0.1, 0.3, 25)]
SOME = np.r_[np.linspace(0.6, 0.9, 12), np.linspace(0.1, 0.3, 8), np.linspace(0.6, 0.7, 4), np.linspace(0.1, 0.3, 16)]
SILENT = np.linspace(0.1, 0.4, 40)
METHODS = ("score", "bootstrap", "permutation")


@pytest.mark.parametrize("method", METHODS)
def test_an_infinite_odds_ratio_has_no_p_value(method):
    with pytest.warns(th.ThresherWarning, match="infinite for 'a' or 'b', so there is no test"):
        found = th.compare(
            Y, {"a": NO_FALSE_POSITIVE, "b": SOME}, metric="dor", threshold=0.5, method=method, n_resamples=50, rng=0
        )
    assert math.isinf(found.difference)
    assert math.isnan(found.pvalue)
    assert (found.low, found.high) == (-math.inf, math.inf)


@pytest.mark.parametrize("method", METHODS)
def test_a_precision_without_predictions_is_refused(method):
    with pytest.raises(th.UndefinedMetricError, match="not for 'b'"):
        th.compare(Y, {"a": SOME, "b": SILENT}, metric="precision", threshold=0.5, method=method, n_resamples=50, rng=0)


def test_infinite_models_beside_others_leave_those_their_tests():
    models = {"a": NO_FALSE_POSITIVE, "b": SOME, "c": SOME[::-1]}
    with pytest.warns(th.ThresherWarning, match="infinite"):
        found = th.compare(Y, models, metric="dor", threshold=0.5)
    assert [math.isnan(pair.pvalue) for pair in found.pairs] == [True, True, False]
    assert found.omnibus.pvalue == pytest.approx(3 * found.pairs[2].pvalue) or found.omnibus.pvalue == 1.0


def test_quantiles_allow_for_replicates_without_a_number():
    drawn = np.r_[np.arange(97.0), np.inf, np.inf, np.nan]
    assert outer_quantiles(drawn, 0.025, 0.975) == (1.0, math.inf)
    assert outer_quantiles(np.arange(100.0), 0.025, 0.975) == tuple(np.quantile(np.arange(100.0), (0.025, 0.975)))


def test_replicates_without_a_value_count_against_the_finding():
    drawn = np.r_[np.full(98, 1.0), np.nan, np.nan]
    assert bootstrap_pvalue(drawn, 0.0, "two-sided") == pytest.approx(2 * 3 / 101)
    assert permutation_pvalue(drawn, 2.0, "two-sided") == pytest.approx(3 / 101)


def test_an_unknown_variance_is_not_a_variance_of_nothing():
    found = wald_omnibus(np.array([0.1, 0.5, 0.2]), np.full((3, 3), np.nan), "score", pvalues=[math.nan, 0.2, 0.4])
    assert found.pvalue == pytest.approx(0.6)


def test_the_bootstrap_of_an_odds_ratio_reaches_infinity():
    y, score = np.repeat([1, 0], 30), np.r_[np.full(24, 0.9), np.full(6, 0.1), np.full(1, 0.9), np.full(29, 0.1)]
    found = th.bootstrap(y, score, metric="dor", threshold=0.5, n_resamples=200, rng=0)
    assert found.confidence_interval(method="percentile").high == math.inf
    with pytest.warns(th.ThresherWarning, match="no standard error"):
        assert math.isnan(found.standard_error)


def test_small_samples_of_a_metric_without_slope_are_resampled():
    y, score = np.r_[np.ones(12), np.zeros(12)].astype(int), np.r_[np.full(9, 0.9), np.full(3, 0.1), np.full(12, 0.1)]
    other = np.r_[np.full(6, 0.9), np.full(6, 0.1), np.full(2, 0.9), np.full(10, 0.1)]
    columns = {"a": score, "b": other}
    found = th.compare(
        y, columns, metric="mutual_information", threshold=0.5, method="bootstrap", n_resamples=50, rng=0
    )
    assert 0.0 < found.pvalue <= 1.0


def test_gaps_of_infinite_values_are_gaps():
    y, score = np.tile(Y, 3), np.r_[NO_FALSE_POSITIVE, SOME, NO_FALSE_POSITIVE]
    with pytest.warns(th.ThresherWarning, match="infinite"):
        gaps = th.by_group(y, score, np.repeat(["a", "b", "c"], 40), metric="dor", threshold=0.5).gaps()
    assert (gaps.largest.value, gaps.largest.low, gaps.largest.high) == (math.inf, 0.0, math.inf)
    assert gaps["a", "c"].difference == 0.0
