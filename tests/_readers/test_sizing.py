"""Power and sizes of studies."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import thresher as th
from _readers.test_covariance import ratings

STUDY = th.readers(th.datasets.load_reader_study().to_frame("pandas"))
FOUND = STUDY.measure()


def test_the_same_study_without_a_difference_rejects_at_the_level():
    assert FOUND.power(1e-9).power == pytest.approx(0.05, abs=1e-6)
    assert FOUND.power(1e-9, significance_level=0.01).power == pytest.approx(0.01, abs=1e-6)


@pytest.mark.parametrize("how", [{}, {"readers": "fixed"}, {"cases": "fixed"}])
def test_more_readers_cases_and_difference_have_more_power(how):
    found = STUDY.measure(**how)
    more = [found.power(0.03), found.power(0.03, readers=12), found.power(0.03, readers=12, cases=400)]
    assert more[0] < more[1] < more[2]
    assert found.power(0.06) > found.power(0.03)
    assert found.power(-0.03).power == found.power(0.03).power


def test_power_is_that_of_the_test_as_it_is_drawn():
    own, rng = FOUND.power(0.05, readers=8, cases=200), np.random.default_rng(0)
    readers, shift = own.readers, own["lambda"]
    # The mean difference is normal, and its variance a scaled chi squared with these degrees of freedom.
    t = (rng.normal(size=200_000) + np.sqrt(shift)) / np.sqrt(rng.chisquare(own.df2, 200_000) / own.df2)
    assert np.mean(np.abs(t) > stats.t.ppf(0.975, own.df2)) == pytest.approx(own.power, abs=0.005)
    assert readers == 8


@pytest.mark.parametrize("how", [{}, {"readers": "fixed"}])
def test_the_fewest_cases_are_the_fewest(how):
    found = STUDY.measure(**how)
    sizes = found.sample_size(0.06, power=0.9, readers=[5, 7, 9])
    for readers, cases, power in zip(sizes.readers.tolist(), sizes.cases.tolist(), sizes.power.tolist(), strict=True):
        if cases:
            assert found.power(0.06, readers=readers, cases=cases).power == power >= 0.9
            assert found.power(0.06, readers=readers, cases=cases - 1).power < 0.9
        else:
            assert power < 0.9
            assert found.power(0.06, readers=readers, cases=10**7).power == pytest.approx(power, abs=1e-3)
    assert sizes.cases[-1] > 0


def test_nested_readers_of_the_same_size_have_the_power_of_their_test():
    frame = ratings(4, readers=8, pos=40, neg=40)
    frame = frame[frame.reader.str[1:].astype(int) % 2 == frame.modality.str[1:].astype(int)]
    found = th.readers(frame).measure()
    own = found.power(0.1)
    assert own.readers == 4
    assert own.df2 == pytest.approx(found.omnibus.df2, rel=1e-9)
    assert own["lambda"] == pytest.approx((0.1 / found.differences[0].standard_error) ** 2, rel=1e-9)


def test_the_pilot_s_own_size_has_the_error_of_its_test():
    found = th.readers(ratings(13, readers=5, pos=30, neg=30)).measure()
    if found.components.var_modality_reader > 0:
        own = found.power(0.1)
        assert own["lambda"] == pytest.approx((0.1 / found.differences[0].standard_error) ** 2, rel=1e-9)
        assert own.df2 == pytest.approx(found.omnibus.df2, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: FOUND.power(0), "`difference` must be finite and not 0"),
        (lambda: FOUND.power(0.05, readers=1), "`readers` must be at least 2; got 1"),
        (lambda: FOUND.power(0.05, cases=2), "`cases` must be at least 4"),
        (lambda: FOUND.power(0.05, significance_level=5), "`significance_level`"),
        (lambda: FOUND.sample_size(0.05, power=80), "`power` must be in"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(th.InvalidInputError, match=message):
        call()


def test_few_readers_warn():
    with pytest.warns(th.ThresherWarning, match="Power with 3 readers is rough"):
        FOUND.power(0.05, readers=3)


def test_a_pilot_of_one_modality_has_no_difference():
    frame = th.datasets.load_reader_study().to_frame("pandas")
    one = th.readers(frame[frame.modality == "assisted"])
    for how in ("random", "fixed"):
        with pytest.raises(th.UndefinedMetricError, match="needs a pilot in which"):
            one.measure(readers=how).power(0.05)
