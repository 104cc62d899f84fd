"""What is compared, and by which test: one way for all commands to say it, and to refuse."""

from __future__ import annotations

import pytest

import thresher as th
from thresher.cli._comparison import Resamples, check_method, measure_called
from thresher.cli._errors import UsageError


def test_a_measure_by_any_of_its_names_with_its_options():
    assert measure_called("auroc") == th.measures.RocAuc()
    assert measure_called("partial_roc_auc", fpr=(0.0, 0.1)) == th.measures.PartialRocAuc(fpr=(0.0, 0.1))


def test_an_unknown_name_is_a_mistake_on_the_command_line():
    with pytest.raises(UsageError, match=r"--metric.*'roc_acu'.*roc_auc"):
        measure_called("roc_acu")


@pytest.mark.parametrize("method", [None, "delong", "delong-t", "bootstrap"])
def test_tests_that_the_roc_area_has(method):
    check_method(method, "roc_auc", th.measures.RocAuc())


def test_a_test_that_a_figure_has_not():
    with pytest.raises(UsageError, match=r"^--method delong has no test of ap\. Hint: use --method bootstrap\.$"):
        check_method("delong", "ap", measure_called("ap"))


def test_resamples_by_default_are_those_of_the_library():
    assert (Resamples().n_resamples, Resamples().seed) == (2000, 0)
