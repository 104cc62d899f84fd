"""What an analysis says: non-inferiority, sentences, tables, keys."""

from __future__ import annotations

import math

import pytest
from scipy import stats

import thresher as th

STUDY = th.readers(th.datasets.load_reader_study().to_frame("pandas"))
FOUND = STUDY.measure()


def test_noninferiority_is_the_interval_and_its_test():
    pair = FOUND.differences[0]
    own = FOUND.noninferiority("assisted", margin=0.004)
    assert (own.low, own.high) == (pair.low, pair.high)
    assert own.noninferior == (own.low > -0.004) == (own.pvalue < 0.025)
    expected = stats.t.sf((pair.difference + 0.004) / pair.standard_error, pair.df)
    assert own.pvalue == pytest.approx(expected, rel=1e-10)
    assert not FOUND.noninferiority("assisted", margin=0.003).noninferior
    assert FOUND.noninferiority("assisted", margin=0.003).pvalue > 0.025


def test_noninferiority_the_other_way_round():
    one, other = FOUND.noninferiority("assisted", margin=0.02), FOUND.noninferiority("unassisted", margin=0.02)
    assert (one.difference, one.low, one.high) == (-other.difference, -other.high, -other.low)
    assert one.noninferior
    assert not other.noninferior


def test_of_losses_lower_values_are_better():
    rated = th.datasets.load_reader_study().to_frame("pandas")
    found = th.readers(rated.assign(rating=rated.rating / 100)).measure("brier")
    own = found.noninferiority("assisted", margin=0.01)
    assert own.difference < 0  # smaller is better
    assert own.noninferior == (own.high < 0.01)
    assert own.pvalue < 0.5


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: FOUND.noninferiority("ct", margin=0.1), "`new` must be a modality; got 'ct'"),
        (lambda: FOUND.noninferiority("assisted", "assisted", margin=0.1), "another modality than `new`"),
        (lambda: FOUND.noninferiority("assisted", margin=-0.1), "`margin` must be positive"),
        (lambda: FOUND.components["cov4"], "There is no value 'cov4' here. Hint: the values are modality_means"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(th.InvalidInputError, match=message):
        call()


@pytest.mark.parametrize(
    "how", [{}, {"readers": "fixed"}, {"cases": "fixed"}, {"covariance": "unbiased"}, {"covariance": "bootstrap"}]
)
def test_the_text_says_what_was_done(how):
    found = STUDY.measure(**how)
    text = found.text()
    assert ("degrees of freedom of Hillis" in text) == (found.random_readers and found.random_cases)
    about = {"readers": "about these readers", "cases": "about these cases"}
    for option, words in about.items():
        assert (words in text) == (how.get(option) == "fixed")
    assert ("Gallas 2006" in text) == (how.get("covariance") == "unbiased")
    for mean in found.means:
        assert f"{mean.modality} {mean.estimate:.3f} (95% interval {mean.low:.3f} to {mean.high:.3f})" in text
    assert "assisted minus unassisted was 0.050" in text


def test_options_are_in_the_text():
    text = STUDY.measure("recall", threshold=50).text()
    assert "threshold 50" in text
    assert "DeLong ER" not in text  # whose covariance is of areas
    text = STUDY.measure(lambda y, s: float(s[y == 1].mean() - s[y == 0].mean()), n_resamples=50).text()
    assert "The metric was a function" in text
    assert "by resampling cases" in text


def test_three_modalities_have_a_test_of_all():
    rated = th.datasets.load_reader_study().to_frame("pandas")
    third = rated[rated.modality == "assisted"].assign(modality="third", rating=lambda one: (one.rating + 20) // 3)
    found = th.readers(__import__("pandas").concat([rated, third])).measure()
    assert len(found.differences) == 3
    assert "all equal: p =" in repr(found)
    assert f"F {found.omnibus.statistic:.2f} on 2 and" in found.text()
    with pytest.raises(th.InvalidInputError, match="`reference` must be given unless there are two modalities"):
        found.noninferiority("third", margin=0.1)
    assert found.noninferiority("third", "unassisted", margin=0.2).reference == "unassisted"


def test_tables():
    frame = FOUND.to_frame("pandas")
    assert frame["estimate_of"].tolist() == ["assisted", "unassisted", "assisted - unassisted"]
    assert frame["pvalue"].iloc[2] == FOUND.differences[0].pvalue
    terms = FOUND.components.to_frame("pandas")
    assert terms["estimate"].iloc[2] == FOUND.components.ms_modality_reader
    assert terms["df"].iloc[:3].tolist() == [1, 5, 5]


def test_figures_have_the_keys_of_publications():
    pair, fixed = FOUND.differences[0], STUDY.measure(readers="fixed").differences[0]
    assert pair["t"] == pair.statistic
    assert fixed["z"] == fixed.statistic
    assert math.isinf(fixed.df)
    assert "z" not in pair.keys()  # noqa: SIM118  # its keys are a method, as those of a dict
    assert dict(FOUND.cells[0])["value"] == FOUND.cells[0].value
    assert FOUND.omnibus["F"] == pytest.approx(pair.statistic**2, rel=1e-12)
    assert "one-sided p" in repr(FOUND.noninferiority("assisted", margin=0.02))
