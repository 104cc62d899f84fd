"""Two-sided tests at 5% reject between 3.5% and 6.5% of the time when the scorers are equally good."""

import pytest
from scipy.stats import binom

from support.null_rates import CAUTIOUS, SETTINGS, rejection_rate

# What counts here is how often tests reject, whatever is said of it.
pytestmark = pytest.mark.filterwarnings("ignore:One case decides")
LOW, HIGH = 0.035, 0.065


def name(setting):
    return f"{setting.design}-{setting.method}-{setting.name}"


def within(rate, simulations, low=LOW, high=HIGH):
    """Return whether as many rejections can come from a rate between the bounds, at odds of one in a thousand."""
    rejected = round(rate * simulations)
    return binom.sf(rejected - 1, simulations, high) > 1e-3 and binom.cdf(rejected, simulations, low) > 1e-3


QUICK = {("paired", "delong"): 500, ("unpaired", "delong"): 500, ("paired", "bootstrap"): 120}
QUICK |= {("paired", "permutation"): 120, ("unpaired", "permutation"): 120, ("paired", "venkatraman"): 120}
FIRST = {(s.design, s.method): s for s in reversed(SETTINGS)}


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "kind", [*list(QUICK)[:3], *(pytest.param(kind, marks=pytest.mark.slow) for kind in list(QUICK)[3:])], ids="-".join
)
def test_quick(kind):
    assert within(rejection_rate(FIRST[kind], QUICK[kind], first=50_000), QUICK[kind])


def test_the_bounds_would_notice():
    assert not within(0.11, 500)
    assert not within(0.008, 500)
    assert not within(0.15, 120)


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS, ids=name)
def test_full(setting):
    assert within(rejection_rate(setting, 2000), 2000)


@pytest.mark.slow
@pytest.mark.parametrize("setting", CAUTIOUS, ids=name)
def test_cautious(setting):
    assert within(rejection_rate(setting, 2000), 2000, low=0.005)
