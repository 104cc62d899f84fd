"""Bootstrap intervals at 95% hold the true area about as often as they say."""

import pytest
from scipy.stats import binom

from support.bootstrap_coverage import METHODS, SETTINGS, coverage

# Resampling 30 to 50 cases of a class understates the spread a little, the plain percentiles most.
LEAST = {"percentile": 0.90, "bca": 0.92, "studentized": 0.92}
MOST = 0.975


def within(rate, simulations, method):
    """Return whether as many hits can come from a coverage between the bounds, at odds of one in a thousand."""
    hits = round(rate * simulations)
    return binom.cdf(hits, simulations, LEAST[method]) > 1e-3 and binom.sf(hits - 1, simulations, MOST) > 1e-3


@pytest.mark.parametrize("setting", [SETTINGS[1], SETTINGS[3]], ids=lambda s: s.metric)
def test_quick(setting):
    # Standard errors of PR areas are computed one by one: left to the full study.
    methods = METHODS if setting.metric == "roc_auc" else METHODS[:2]
    rates = coverage(setting, 100, first=70_000, resamples=199, methods=methods)
    for method, rate in rates.items():
        assert within(rate, 100, method), rates


def test_the_bounds_would_notice():
    assert not within(0.79, 100, "percentile")
    assert not within(0.82, 100, "bca")


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: f"{s.metric}-{s.truth:.2f}-{s.n_pos}+{s.n_neg}")
def test_full(setting):
    simulations = 1000 if setting.metric == "roc_auc" else 300
    rates = coverage(setting, simulations)
    for method in METHODS:
        assert within(rates[method], simulations, method), (method, rates)
