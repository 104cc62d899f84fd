"""Which arguments pass: scikit-learn's own words for those that do not, and what is plainly a table of labels."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics
from sklearn import config_context
from sklearn.exceptions import UndefinedMetricWarning

import thresher.metrics
from thresher.metrics._checks import CONSTRAINTS, check_parameters, is_flag, is_multilabel, undefined


def test_every_function_has_its_constraints():
    functions = [name for name in thresher.metrics.__all__ if not name.endswith("Display")]
    assert sorted(CONSTRAINTS) == sorted(functions)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("roc_auc_score", {"max_fpr": 1.5}),
        ("roc_auc_score", {"multi_class": "all"}),
        ("average_precision_score", {"average": "mean"}),
        ("ndcg_score", {"k": 0}),
        ("roc_curve", {"drop_intermediate": "no"}),
    ],
)
def test_words_are_scikit_learns(name, wrong):
    rows = {"y_true": [[0, 1]], "y_score": [[0.1, 0.2]]}
    with pytest.raises(ValueError, match=next(iter(wrong))) as ours:
        check_parameters(name, **rows, **wrong)
    with pytest.raises(ValueError, match=next(iter(wrong))) as theirs:
        getattr(sklearn.metrics, name)(*rows.values(), **wrong)
    assert sorted(str(ours.value)) == sorted(str(theirs.value))  # sets are printed in any order
    with config_context(skip_parameter_validation=True):
        check_parameters(name, **rows, **wrong)


def test_flags():
    assert [is_flag(value) for value in (True, False, 1, 0, None, np.True_)] == [True, True, False, False, False, False]


@pytest.mark.parametrize(
    ("table", "want"),
    [
        (np.array([[0, 1], [1, 1]]), True),
        (np.array([[True, False]]), True),
        (np.array([[0, 2]]), False),
        (np.array([[-1, 1]]), False),
        (np.array([[0.0, 1.0]]), False),
        (np.array([[0], [1]]), False),
        (np.array([0, 1]), False),
        (np.zeros((0, 2), dtype=int), False),
        ([[0, 1]], False),
    ],
)
def test_tables_of_labels(table, want):
    assert is_multilabel(table) is want


def test_undefined_metrics_are_warned_of():
    with pytest.warns(UndefinedMetricWarning, match="nothing there"):
        undefined("nothing there")
