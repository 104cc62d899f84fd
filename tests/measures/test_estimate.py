"""An estimate behaves as its number, and its interval is widened by what is not known."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from thresher._inference.bootstrap import bootstrap_table


def sample(shift: float = 1.0, seed: int = 0) -> th.Scores:
    rng = np.random.default_rng(seed)
    y = np.arange(300) % 4 == 0
    return th.Scores(y, rng.normal(size=300) + shift * y)


def test_order_against_numbers_and_each_other():
    less, more = sample(0.5).roc_auc(), sample(2.0).roc_auc()
    assert less.value < more.value
    assert less < more
    assert more > less
    assert less <= more
    assert more >= less
    for one in (less, more):
        number = one.value
        assert one == number
        assert one <= number
        assert one >= number
        assert not one < number
        assert not one > number
        assert one < number + 1e-9
        assert one > number - 1e-9
        assert float(one) == number
        assert round(one, 2) == round(number, 2)
        assert f"{one:.3f}" == f"{number:.3f}"
    with pytest.raises(TypeError):
        assert less < "0.5"


def test_equal_estimates_are_the_same_measure_of_the_same_counts():
    assert sample().roc_auc() == sample().roc_auc()
    assert sample().roc_auc() != sample(seed=1).roc_auc()
    assert sample().pr_auc() != sample().pr_auc(estimator="trapezoid")


def test_an_interval_is_widened_by_the_bound_and_cut_to_the_range():
    table = sample().compress(60)
    area = table.pr_auc(prevalence=0.01)
    assert area.error_bound > 0
    low, high = area.confidence_interval(0.9, method="bootstrap", n_resamples=200, rng=1, bootstrap="percentile")
    drawn = bootstrap_table(table, area.measure, th.results.Resampling(200, 1)).replicates
    want = np.quantile(drawn, [0.05, 0.95])
    assert low == pytest.approx(max(want[0] - area.error_bound, 0), abs=1e-12)
    assert high == pytest.approx(min(want[1] + area.error_bound, 1), abs=1e-12)


def test_plain_data_hold_the_default_interval():
    area = sample().roc_auc()
    found, interval = area.to_dict(0.8), area.confidence_interval(0.8)
    assert (found["low"], found["high"], found["method"]) == (interval.low, interval.high, interval.method)
    assert (found["metric"], found["value"], found["n_pos"], found["n_neg"]) == ("roc_auc", area.value, 75, 225)
    assert found["confidence_level"] == 0.8


def test_a_threshold_belongs_to_one_method():
    with pytest.raises(
        th.InvalidInputError, match="`threshold` belongs to method='cortes-mohri'; got it with 'delong'"
    ):
        sample().roc_auc().confidence_interval(method="delong", threshold=0.3)


def test_what_the_interval_warns_of_is_shown():
    perfect = th.Scores.from_pos_neg(range(20, 28), range(20)).roc_auc()
    with pytest.warns(th.ThresherWarning, match="no misranked case") as heard:
        perfect.confidence_interval()
    assert repr(perfect).splitlines()[1] == f"  {heard[0].message}"
    assert perfect.to_dict()["remarks"] == [str(heard[0].message)]
    rare = th.Scores.from_pos_neg([3, 2, 1], [1.5, 0, 0, 0]).pr_auc(prevalence=0.001)
    said = rare.to_dict()["remarks"]
    assert sum("precision depends on" in line for line in said) == 1
