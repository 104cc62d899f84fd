"""Intervals and bands of a report: the library's, with its warnings kept for the page."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import thresher as th
from thresher._report.uncertainty import Uncertainty, _grid, check_uncertainty

MIXED = th.Scores([1, 0, 1, 1, 0, 0, 0, 1], range(8))
SEPARATED = th.Scores([0] * 6 + [1] * 6, range(12))


def test_an_interval_is_the_librarys():
    uncertainty = Uncertainty(0.9, roc_method="hanley-mcneil")
    for estimate, method in ((MIXED.roc_auc(), "hanley-mcneil"), (MIXED.pr_auc(), None)):
        want = estimate.confidence_interval(0.9, method=method)
        assert uncertainty.interval("a", estimate) == (want.low, want.high, want.method)


def test_a_method_that_a_figure_has_not_is_passed_over():
    estimate = MIXED.partial_roc_auc(fpr=(0, 0.5))
    assert "newcombe" not in estimate.measure.intervals
    want = Uncertainty().interval("a", estimate)
    assert Uncertainty(roc_method="newcombe").interval("a", estimate) == want


def test_separated_classes_get_an_interval_with_length():
    estimate = SEPARATED.roc_auc()
    low, high, method = Uncertainty().interval("a", estimate)
    assert low < high == 1.0
    assert method in estimate.measure.intervals


def test_warnings_are_kept_once_and_not_printed():
    uncertainty = Uncertainty(roc_method="delong")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            uncertainty.interval("a", SEPARATED.roc_auc())
    assert list(uncertainty.remarks) == ["a"]
    assert len(uncertainty.remarks["a"]) == len(set(uncertainty.remarks["a"])) > 0
    assert uncertainty.quiet().remarks == {}
    assert uncertainty.quiet().roc_method == "delong"


def test_bands_are_the_librarys_on_a_grid_of_their_own():
    found = Uncertainty().roc_band("a", MIXED)
    want = MIXED.roc_band(np.array(found.x))
    assert (found.low, found.high) == (want.low.tolist(), want.high.tolist())
    assert found.x == [0.0, *_grid(4)]
    assert Uncertainty().pr_band("a", MIXED).x == _grid(4).tolist()


def test_the_grid_is_dense_where_cases_are_many_and_rates_small():
    assert _grid(100).tolist() == np.linspace(0.01, 1.0, 100).tolist()
    fine = _grid(10**9)
    assert fine[0] == pytest.approx(1e-6)
    assert np.all(np.diff(fine) > 0)
    assert np.count_nonzero(fine < 0.01) == 12


@pytest.mark.parametrize(
    "given, said",
    [
        ({"confidence_level": 95}, "`confidence_level` must be in (0, 1); got 95"),
        ({"roc_method": "cortes-mohri"}, "`roc_method` must be one of"),  # it needs a threshold
        ({"pr_method": "delong"}, "`pr_method` must be one of"),
        ({"n_resamples": 0}, "`n_resamples`"),
        ({"rng": -1}, "`rng`"),
    ],
)
def test_settings_that_cannot_be_used(given, said):
    usual = {"confidence_level": 0.95, "roc_method": None, "pr_method": None, "simultaneous": False}
    with pytest.raises(th.InvalidInputError) as error:
        check_uncertainty(**{**usual, "n_resamples": 2000, "rng": None, **given})
    assert said in str(error.value)


@pytest.mark.parametrize(
    "given, drawn",
    [
        ({}, False),
        ({"roc_method": "bootstrap"}, True),
        ({"pr_method": "bootstrap"}, True),
        ({"simultaneous": True}, True),
    ],
)
def test_whether_anything_is_drawn_at_random(given, drawn):
    assert Uncertainty(**given).resamples is drawn
