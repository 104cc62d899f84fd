"""Figures of a cross-validation with intervals, and comparisons over the same folds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import thresher as th
from thresher.sklearn import CrossValScores, cross_val_scores

X, Y = load_breast_cancer(return_X_y=True)
CV = StratifiedKFold(4, shuffle=True, random_state=0)
BAYES = cross_val_scores(GaussianNB(), X[:, :4], Y, cv=CV, pos_label=1)
TREE = cross_val_scores(DecisionTreeClassifier(max_depth=3, random_state=0), X[:, :4], Y, cv=CV, pos_label=1)


@pytest.mark.parametrize("metric", ["roc_auc", "pr_auc", "average_precision"])
def test_the_mean_of_independent_folds(metric):
    found = BAYES.measure(metric)
    areas = [fold.measure(metric) for fold in BAYES.folds]
    assert found.value == pytest.approx(np.mean([area.value for area in areas]), rel=1e-14)
    method = "delong" if metric == "roc_auc" else "asymptotic"
    errors = [area.standard_error(method) for area in areas]
    assert found.standard_error == pytest.approx(math.sqrt(sum(e * e for e in errors)) / 4, rel=1e-6)
    low, high = found.confidence_interval(0.9)
    assert 0 < low < found < high < 1
    assert math.log(high / (1 - high)) - math.log(found.value / (1 - found.value)) == pytest.approx(
        1.6448536 * found.standard_error / (found.value * (1 - found.value)), rel=1e-6
    )


def test_it_agrees_with_influence_curves():
    # LeDell's standard error takes the class balance of all rows, this one that of each fold.
    assert BAYES.measure("roc_auc").standard_error == pytest.approx(BAYES.roc_auc_standard_error(), rel=0.02)


def test_means_over_rows_are_not_squeezed_into_a_share():
    found = BAYES.measure("brier")
    low, high = found.confidence_interval(method="normal")
    assert high - found.value == pytest.approx(1.959964 * found.standard_error, rel=1e-6)
    assert low < found.value


def test_models_on_the_same_rows():
    found = BAYES.compare(TREE)
    parts = []
    for bayes, tree in zip(BAYES._rows, TREE._rows, strict=True):
        parts.append(th.compare(bayes.positive, {"a": bayes.scores, "b": tree.scores}, method="delong").pair)
    assert found.value == pytest.approx(BAYES.roc_auc() - TREE.roc_auc(), rel=1e-12)
    assert found.fold_differences == pytest.approx([pair.difference for pair in parts])
    error = math.sqrt(sum(pair.standard_error**2 for pair in parts)) / 4
    assert found.standard_error == pytest.approx(error)
    assert found.pvalue == pytest.approx(math.erfc(abs(found.value) / error / math.sqrt(2)), rel=1e-9)
    assert TREE.compare(BAYES).value == -found.value


def test_a_model_against_itself():
    found = BAYES.compare(BAYES)
    assert (found.value, found.pvalue) == (0.0, 1.0)


def test_other_figures_are_resampled():
    found = BAYES.compare(TREE, "pr_auc", n_resamples=50, rng=1)
    assert found.value == pytest.approx(BAYES.measure("pr_auc").value - TREE.measure("pr_auc").value, rel=1e-12)
    assert found.standard_error > 0


def test_folds_must_be_the_same():
    other = cross_val_scores(GaussianNB(), X[:, :4], Y, cv=5, pos_label=1)
    with pytest.raises(th.InvalidInputError, match="the same folds"):
        BAYES.compare(other)
    with pytest.raises(th.InvalidInputError, match="needs the rows of both"):
        BAYES.compare(CrossValScores(TREE.folds))
    with pytest.raises(th.InvalidTypeError, match="`other`"):
        BAYES.compare("tree")


def test_they_travel():
    for found in (BAYES.measure("pr_auc"), BAYES.compare(TREE)):
        assert th.results.from_json(found.to_json()) == found
        assert len(found.to_frame("pandas")) == 1
        assert "for these models" in repr(found)
