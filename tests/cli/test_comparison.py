"""By which test a command compares, and how often it resamples."""

from __future__ import annotations

import pytest

import thresher as th
from thresher.cli._errors import UsageError
from thresher.cli._metric import Resamples, check_method


@pytest.mark.parametrize("method", [None, "delong", "delong-t", "bootstrap"])
def test_tests_that_the_roc_area_has(method):
    check_method(method, th.measures.RocAuc())


def test_a_test_that_a_metric_has_not():
    with pytest.raises(
        UsageError, match=r"^--method delong has no test of average_precision\. Hint: it has bootstrap, "
    ):
        check_method("delong", th.measures.as_measure("ap"))


@pytest.mark.parametrize("method", th.measures.as_measure("mcc", threshold=0.5).tests)
def test_tests_of_the_confusion_matrix(method):
    check_method(method, th.measures.as_measure("mcc", threshold=0.5))


def test_resamples_by_default_are_those_of_the_library():
    assert (Resamples().n_resamples, Resamples().seed) == (2000, 0)
