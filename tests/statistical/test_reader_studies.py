"""Reader studies: tests reject at most 6.5% of equal modalities without a warning; means are covered, or warned of."""

import pytest
from benchmarks.reader_studies import Setting, misused, settings, simulated
from scipy.stats import binom

QUICK = [Setting(readers=4, pos=30, neg=30, mu=1.0), Setting(readers=6, pos=30, neg=30, nested=True, spread="apart")]


def check(setting, replicates):
    found = simulated(setting, replicates, 11)
    rejected = round(found["unwarned"] * replicates / 100)
    assert binom.sf(rejected - 1, replicates, 0.065) > 1e-3, found
    if found["covers or warns"] == found["covers or warns"]:  # ratings in categories have no known mean
        missed = replicates - round(found["covers or warns"] * replicates / 100)
        assert binom.sf(missed - 1, replicates, 0.08) > 1e-3, found


@pytest.mark.some(1)
@pytest.mark.parametrize("setting", QUICK, ids=lambda one: one.name)
def test_quick(setting):
    check(setting, 200)


def test_readers_taken_as_fixed_reject_too_often():
    found = simulated(misused()[-1], 150, 3)
    assert found["rejects"] > 10


@pytest.mark.slow
@pytest.mark.parametrize("setting", settings(), ids=lambda one: one.name)
def test_full(setting):
    check(setting, 400)
